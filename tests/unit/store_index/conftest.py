"""A knowledge base of two documents, on disk with its index."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.store_index import REFUNDS, SHIPPING, CountingBackend
from verifier.knowledge.store import GroundTruthStore


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    with GroundTruthStore(CountingBackend(), tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS, SHIPPING])
    return tmp_path / "kb"
