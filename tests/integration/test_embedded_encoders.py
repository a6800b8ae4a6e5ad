"""The encoders in the package: small, whole, described, and open to any command that names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.factory import build_backend

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "backends" / "verifier_backends" / "models"
FILES = {"minilm": "model.onnx", "static": "model.npz"}


def test_all_models_together_are_under_sixty_megabytes_and_none_over_forty_five() -> None:
    folders = (ROOT / kind / f"verifier_{kind}" / "models" for kind in ("backends", "signals"))
    files = [path for folder in folders for path in folder.rglob("*")]
    sizes = [path.stat().st_size for path in files if path.is_file()]
    assert sum(sizes) < 60e6
    assert max(sizes) < 45e6


@pytest.mark.parametrize("name", FILES)
def test_the_folder_holds_the_model_and_its_card_and_nothing_else(name: str) -> None:
    names = {path.name for path in (MODELS / name).iterdir()}
    assert names == {FILES[name], "tokenizer.json", "config.json", "CARD.md"}
    assert "Where it fails" in (MODELS / name / "CARD.md").read_text(encoding="utf-8")


def test_the_card_names_every_set_that_was_learnt_from_with_its_licence() -> None:
    card = (MODELS / "static" / "CARD.md").read_text(encoding="utf-8")
    table = [line for line in card.split("## Trained on")[1].splitlines() if line.startswith("| ")][1:]
    assert len(table) > 15
    assert all(line.split("|")[3].strip()[:2] in ("P ", "U ") for line in table)


@pytest.mark.parametrize("name", FILES)
def test_the_configuration_chooses_it_and_the_index_is_stamped_with_it(name: str) -> None:
    backend = build_backend({"type": "hybrid", "dense": {"type": "memory", "encoder": name}})
    backend.add("doctor", "The physician examined the sick child.")
    backend.add("match", "The home side lost by two goals.")
    assert backend.query("A doctor looked at a patient.", 1)[0]["id"] == "doctor"
    other = build_backend({"type": "hybrid", "dense": {"type": "memory", "encoder": "hashing"}})
    assert backend.identity != other.identity
