"""Every folder of an embedded model says what it is, where it is from and how it is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_MODELS = (ROOT / kind / f"verifier_{kind}" / "models" for kind in ("signals", "backends"))
FOLDERS = sorted(path for models in _MODELS for path in models.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_model_has_its_card(folder: Path) -> None:
    card = (folder / "CARD.md").read_text(encoding="utf-8")
    assert "python -m training" in card
    assert len(card) > 500


def test_the_card_of_the_names_gives_the_figures_of_its_configuration() -> None:
    folder = ROOT / "signals" / "verifier_signals" / "models" / "names"
    config = json.loads((folder / "config.json").read_text())
    card = (folder / "CARD.md").read_text(encoding="utf-8")
    figures = " | ".join(f"{config['held_back'][name]:.3f}" for name in ("precision", "recall", "f1"))
    assert f"| {figures} |" in card
    assert config["command"] in card
