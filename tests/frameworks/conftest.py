"""What the tests of ``make test-frameworks`` share: a small knowledge base on disk, and checks by the rules alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.config import Settings
from verifier.factory import open_store

REFUNDS = "Refunds are paid within 30 days of the return. The return must be sent in its box."
PARKING = "The visitors' car park opens at 7 a.m. and costs 4 EUR a day."


@pytest.fixture(scope="session")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a knowledge base with two documents."""
    folder = tmp_path_factory.mktemp("frameworks") / "kb"
    with open_store(Settings.model_validate({"kb": {"path": str(folder)}}), create=True) as store:
        store.add("refunds.md", REFUNDS)
        store.add("parking.md", PARKING)
    return folder


@pytest.fixture(autouse=True)
def _by_the_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No NLI model, which is not the point here, and no configuration of whoever runs the tests."""
    monkeypatch.setenv("VERIFIER_SIGNALS__NLI", "false")
    monkeypatch.chdir(tmp_path)
