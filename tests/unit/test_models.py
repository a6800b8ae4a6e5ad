"""Model folders: what is embedded is found, what is incomplete or exchanged is refused with its reason."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from verifier.core import models
from verifier.core.errors import ConfigError
from verifier.core.models import embedded_model, open_model_folder, promised_files


def write(folder: Path, config: str = "{}", weights: str = "model.onnx") -> Path:
    (folder / weights).parent.mkdir(parents=True, exist_ok=True)
    (folder / weights).write_bytes(b"weights")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "config.json").write_text(config)
    return folder


@pytest.mark.parametrize("weights", ["model.onnx", "onnx/model.onnx"])
def test_a_whole_folder_is_opened(tmp_path: Path, weights: str) -> None:
    found = open_model_folder(write(tmp_path / "m", '{"max_length": 7}', weights))
    assert found.weights == tmp_path / "m" / weights
    assert found.config["max_length"] == 7
    assert found.fingerprint() == hashlib.sha256(b"weights").hexdigest()


def test_weights_that_are_not_the_promised_ones_are_refused(tmp_path: Path) -> None:
    found = open_model_folder(write(tmp_path, json.dumps({"fingerprint": "0" * 64})))
    with pytest.raises(ConfigError, match=r"damaged: model\.onnx has sha256 .* promises 000000000000"):
        found.fingerprint()


@pytest.mark.parametrize("damage", [b"{} ", None])
def test_a_small_file_that_is_not_the_promised_one_is_refused(tmp_path: Path, damage: bytes | None) -> None:
    folder = write(tmp_path)
    (folder / "config.json").write_text(json.dumps(promised_files(folder, ["tokenizer.json"])))
    found = open_model_folder(folder)
    assert found.fingerprint() == hashlib.sha256(b"weights").hexdigest()
    found.tokenizer.unlink() if damage is None else found.tokenizer.write_bytes(damage)
    with pytest.raises(ConfigError, match=r"is damaged: tokenizer\.json is not the file"):
        found.fingerprint()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (write(tmp_path) / name).unlink()
    with pytest.raises(ConfigError, match=f"incomplete: it lacks {name}$"):
        open_model_folder(tmp_path)


def in_two(folder: Path) -> Path:
    write(folder, weights="joint.onnx")
    (folder / "encoder.onnx").write_bytes(b"first ")
    return folder


def test_a_model_in_two_graphs_is_named_by_both(tmp_path: Path) -> None:
    found = open_model_folder(in_two(tmp_path))
    assert [path.name for path in found.graphs] == ["encoder.onnx", "joint.onnx"]
    assert found.fingerprint() == hashlib.sha256(b"first weights").hexdigest()


@pytest.mark.parametrize("name", ["encoder.onnx", "joint.onnx"])
def test_one_of_two_graphs_alone_is_refused(tmp_path: Path, name: str) -> None:
    (in_two(tmp_path) / name).unlink()
    with pytest.raises(ConfigError, match=f"incomplete: it lacks {name}$"):
        open_model_folder(tmp_path)


@pytest.mark.parametrize("name", ["encoder.onnx", "joint.onnx"])
def test_damage_to_one_of_two_graphs_is_found(tmp_path: Path, name: str) -> None:
    folder = in_two(tmp_path)
    promised = open_model_folder(folder).fingerprint()
    (folder / "config.json").write_text(json.dumps({"fingerprint": promised}))
    (folder / name).write_bytes(b"other")
    with pytest.raises(ConfigError, match=r"damaged: encoder\.onnx with joint\.onnx has sha256"):
        open_model_folder(folder).fingerprint()


def test_no_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no model folder at"):
        open_model_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("config", ["[1]", "{", "\xff"])
def test_a_configuration_that_is_no_object_is_refused(tmp_path: Path, config: str) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*config\.json"):
        open_model_folder(write(tmp_path, config))


def test_what_is_embedded_is_found_and_what_is_not_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "files", lambda package: tmp_path / package)
    assert embedded_model("verifier_signals", "nli") is None
    (tmp_path / "verifier_signals" / "models" / "nli").mkdir(parents=True)
    (tmp_path / "verifier_signals" / "models" / "nli" / "CARD.md").touch()
    assert embedded_model("verifier_signals", "nli") is None
    write(tmp_path / "verifier_signals" / "models" / "nli")
    found = embedded_model("verifier_signals", "nli")
    assert found is not None
    assert found.path == tmp_path / "verifier_signals" / "models" / "nli"


def test_an_embedded_model_without_its_weights_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "files", lambda package: tmp_path)
    (write(tmp_path / "models" / "nli") / "model.onnx").unlink()
    with pytest.raises(ConfigError, match="incomplete"):
        embedded_model("verifier_signals", "nli")
