"""A teacher's checkpoint is packed as int8 and unpacked again: the same outputs, training goes on, damage is told."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tests.support.tiny_bert import write_tiny_bert  # noqa: E402 - after the check for torch
from training.__main__ import main  # noqa: E402
from training.checkpoints import (  # noqa: E402
    SMALL,
    CheckpointError,
    from_int8,
    pack,
    pack_weights,
    to_int8,
    unpack,
    unpack_weights,
)
from training.data import Pair  # noqa: E402
from training.mix import read_mix, store_mix  # noqa: E402
from training.teacher import Teacher, teacher_tokenizer  # noqa: E402
from training.tokens import pair_tokenizer, tokenize  # noqa: E402
from training.train import logits_of  # noqa: E402

TEACH = [
    "--threads",
    "1",
    "--max-length",
    "60",
    "--frozen-layers",
    "1",
    "--batch-tokens",
    "512",
    "--rows",
    "20",
]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Several would wait for one another longer than so small a model computes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def mix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mix")
    labels = ("entailment", "neutral", "contradiction")
    pairs = [
        Pair(
            f"The bridge {year} was built in {year} by Ann Lee.",
            f"The road is open {year}.",
            labels[year % 3],
            "x",
        )
        for year in range(1900, 1960)
    ]
    store_mix(folder, pairs[:40], pairs[40:], {"x": 60})
    return folder


@pytest.fixture(scope="module")
def run(mix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of a tiny teacher."""
    start = write_tiny_bert(tmp_path_factory.mktemp("start") / "encoder")
    config = json.loads((start / "config.json").read_text())
    (start / "config.json").write_text(json.dumps({**config, "model_type": "bert"}))
    pair_tokenizer(start / "tokenizer.json", False, 60).save(str(start / "tokenizer.json"))
    folder = tmp_path_factory.mktemp("runs") / "run"
    main(["teach", str(start), "--mix", str(mix), "--run", str(folder), "--pairs", "80", *TEACH])
    return folder


@pytest.fixture
def every_matrix_in_8_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of so small a model would all stay in float16."""
    monkeypatch.setattr("training.checkpoints.SMALL", 64)


def logits(folder: Path, mix: Path) -> np.ndarray:
    pairs = tokenize(read_mix(mix, "held_back"), teacher_tokenizer(folder, 60))
    return logits_of(Teacher(folder), pairs)


def test_a_row_in_8_bits_is_off_by_at_most_half_its_own_scale() -> None:
    rows = (
        torch.randn(50, 70, generator=torch.Generator().manual_seed(1)) * torch.logspace(-4, 3, 50)[:, None]
    )
    rows[7] = 0.0
    steps, scales = to_int8(rows)
    assert steps.dtype == torch.int8
    assert steps.abs().max() == 127
    off = (from_int8(steps, scales) - rows).abs() / scales[:, None]
    assert off.max() <= 0.5001
    assert from_int8(steps, scales)[7].abs().max() == 0.0


def test_large_matrices_are_kept_in_8_bits_all_else_in_16_and_integers_as_they_are() -> None:
    weights = {
        "large": torch.randn(SMALL // 64, 64),
        "small": torch.randn(3, 64),
        "bias": torch.randn(SMALL),
        "places": torch.arange(5),
    }
    packed = pack_weights(weights)
    kinds = {name: value.dtype for name, value in packed.items()}
    assert kinds == {
        "large": torch.int8,
        "large.scales": torch.float32,
        "small": torch.float16,
        "bias": torch.float16,
        "places": torch.int64,
    }
    found = unpack_weights(packed)
    assert found.keys() == weights.keys()
    assert torch.equal(found["places"], weights["places"])
    assert torch.allclose(found["bias"], weights["bias"], rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "value"),
    [((4,), 1e6), *itertools.product([(4,), (SMALL // 64, 64)], [float("nan"), float("-inf")])],
)
def test_weights_that_cannot_be_kept_are_refused(shape: tuple[int, ...], value: float) -> None:
    weight = torch.ones(shape)
    weight.view(-1)[1] = value
    with pytest.raises(CheckpointError, match="w has values that cannot be kept"):
        pack_weights({"w": weight})


@pytest.mark.usefixtures("every_matrix_in_8_bits")
def test_a_checkpoint_that_was_packed_and_unpacked_says_nearly_the_same(
    run: Path, mix: Path, tmp_path: Path
) -> None:
    packed, again = tmp_path / "packed", tmp_path / "again"
    made = pack(run, packed, mix, largest=4000)
    parts = sorted(packed.glob("weights.*"))
    assert made.parts == len(parts) > 1
    assert max(path.stat().st_size for path in parts) <= 4000
    assert made.size == sum(path.stat().st_size for path in packed.iterdir())
    assert sum(path.stat().st_size for path in parts) < (run / "model.safetensors").stat().st_size * 0.6
    unpack(packed, again)
    before, after = logits(run, mix), logits(again, mix)
    assert np.abs(after - before).max() < 0.05
    assert not np.array_equal(after, before)


def test_the_manifest_says_what_was_read_and_how_far_it_came(run: Path, mix: Path, tmp_path: Path) -> None:
    pack(run, tmp_path / "packed", mix, {"rows": 3})
    manifest = json.loads((tmp_path / "packed" / "manifest.json").read_text())
    curve = [json.loads(line) for line in (run / "curve.jsonl").read_text().splitlines()]
    assert manifest["curve"] == curve
    assert manifest["pairs_seen"] == curve[-1]["seen"] >= 80
    assert manifest["steps"] > 1
    assert manifest["packing"] == {"rows": 3}
    assert manifest["mix"]["counts"] == {"x": 60}
    assert manifest["record"]["options"] == {"mix": mix.name, "max_length": 60, "rows": 20}
    on_disk = {path.name for path in (tmp_path / "packed").iterdir()} - {"manifest.json"}
    assert on_disk == manifest["files"].keys()
    assert "begun anew" in manifest["goes_on"]


def test_training_goes_on_from_what_was_unpacked_with_its_count_and_curve(
    run: Path, mix: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, again = tmp_path / "packed", tmp_path / "again"
    measured = ["--rows", "20", "--max-length", "60", "--threads", "1"]
    main(["checkpoint", "pack", str(run), str(packed), "--mix", str(mix), *measured])
    cost = json.loads((packed / "manifest.json").read_text())["packing"]
    assert cost["rows"] == 20
    assert cost["after"]["loss"] == pytest.approx(cost["before"]["loss"], abs=0.02)
    main(["checkpoint", "unpack", str(packed), str(again)])
    assert "the optimiser, the average and the warm-up are begun anew" in capsys.readouterr().out
    earlier = (again / "curve.jsonl").read_text().splitlines()
    main(["teach", str(again), "--mix", str(mix), "--run", str(again), "--pairs", "40", *TEACH])
    curve = (again / "curve.jsonl").read_text().splitlines()
    assert curve[: len(earlier)] == earlier
    assert json.loads(curve[-1])["seen"] >= json.loads(earlier[-1])["seen"] + 40
    assert not np.array_equal(logits(again, mix), logits(run, mix))


def test_a_packed_checkpoint_is_replaced_whole_and_nothing_else_is(run: Path, tmp_path: Path) -> None:
    packed, other = tmp_path / "packed", tmp_path / "other"
    many = pack(run, packed, largest=4000)
    few = pack(run, packed)
    assert few.parts == 1 < many.parts
    assert [path.name for path in packed.glob("weights.*")] == ["weights.000"]
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    with pytest.raises(CheckpointError, match="holds something else"):
        pack(run, other)
    with pytest.raises(CheckpointError, match="is there already"):
        unpack(packed, other)
    assert [path.name for path in tmp_path.glob("*.part")] == []


@pytest.mark.parametrize("name", ["weights.001", "tokenizer.json", "config.json"])
def test_a_damaged_or_missing_file_is_one_error_and_leaves_no_run(
    run: Path, tmp_path: Path, name: str
) -> None:
    packed, again = tmp_path / "packed", tmp_path / "again"
    pack(run, packed, largest=4000)
    whole = (packed / name).read_bytes()
    (packed / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(CheckpointError, match=rf"{name} is damaged: its hash is not that of the manifest$"):
        unpack(packed, again)
    (packed / name).write_bytes(whole[:-1])
    with pytest.raises(
        CheckpointError, match=rf"{name} is damaged: {len(whole) - 1} bytes, not {len(whole)}$"
    ):
        unpack(packed, again)
    (packed / name).unlink()
    with pytest.raises(SystemExit, match=rf"{name} is missing$"):
        main(["checkpoint", "unpack", str(packed), str(again)])
    assert not again.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": 2}, "of another version"),
        ({"files": None}, "lacks files"),
        ({"parts": ["../weights.000"]}, "names a file outside its folder"),
        ({"parts": ["weights.007"]}, r"has no hash of weights\.007"),
        ({"parts": ["config.json"]}, "holds no packed weights"),
    ],
)
def test_a_wrong_manifest_is_refused(run: Path, tmp_path: Path, change: dict[str, object], told: str) -> None:
    packed = tmp_path / "packed"
    pack(run, packed)
    manifest = json.loads((packed / "manifest.json").read_text()) | change
    kept = {key: value for key, value in manifest.items() if value is not None}
    (packed / "manifest.json").write_text(json.dumps(kept))
    with pytest.raises(CheckpointError, match=told):
        unpack(packed, tmp_path / "again")


def test_a_folder_without_a_manifest_or_with_a_torn_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"holds no packed checkpoint: manifest\.json is missing"):
        unpack(tmp_path, tmp_path / "again")
    (tmp_path / "manifest.json").write_text('{"format": 1')
    with pytest.raises(CheckpointError, match="cannot be read"):
        unpack(tmp_path, tmp_path / "again")


def test_a_run_without_a_whole_checkpoint_is_not_packed(run: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"no checkpoint of a teacher: checkpoint\.json is missing"):
        pack(tmp_path, tmp_path / "packed")
    for path in run.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    newer = (tmp_path / "checkpoint.json").stat().st_mtime + 60
    os.utime(tmp_path / "model.safetensors", (newer, newer))
    with pytest.raises(CheckpointError, match="is writing its next checkpoint"):
        pack(tmp_path, tmp_path / "packed")
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(CheckpointError, match="cannot be read: "):
        pack(tmp_path, tmp_path / "packed")
    assert not (tmp_path / "packed").exists()
