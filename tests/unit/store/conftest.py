"""The stores that these tests fill: one whose backend counts, and one over each kind of backend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stores import BlindBackend, CountingBackend, ThreeMethodBackend
from verifier.knowledge.store import GroundTruthStore


@pytest.fixture
def backend() -> CountingBackend:
    return CountingBackend()


@pytest.fixture
def store(backend: CountingBackend, tmp_path: Path) -> Iterator[GroundTruthStore]:
    with GroundTruthStore(backend, tmp_path / "kb", create=True) as opened:
        yield opened


@pytest.fixture(params=["memory", "three methods", "nothing found"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GroundTruthStore]:
    kinds = {"memory": CountingBackend, "three methods": ThreeMethodBackend, "nothing found": BlindBackend}
    with GroundTruthStore(kinds[request.param](), tmp_path / "kb", create=True) as opened:
        yield opened
