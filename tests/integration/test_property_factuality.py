"""Frames and statements that nothing has learnt from: what is not asserted hardly ever supports a claim, and what is
asserted is hardly ever lost.

``python -m benchmarks.properties.factuality`` prints the rates by kind, and those of the whole way to the verdict.
"""

from __future__ import annotations

import pytest

from benchmarks.properties.factuality import Twin, alone, frames, twins
from verifier.verification.statements import Factuality

ROUNDS = 3
MOST_MISSED, MOST_LOST = 0.20, 0.05
"""Guards against getting worse, not the aims (0.01 and 0.02)."""


@pytest.fixture(scope="module")
def found() -> list[tuple[Twin, bool]]:
    return [(twin, asserted) for twin, asserted, _ in alone(twins(ROUNDS))]


def test_what_is_not_asserted_is_told_from_what_is(found: list[tuple[Twin, bool]]) -> None:
    some = [(twin.above, twin.text) for twin, asserted in found if asserted and not twin.asserted]
    total = sum(not twin.asserted for twin, _ in found)
    assert len(some) <= MOST_MISSED * total, some


def test_what_is_asserted_is_not_lost(found: list[tuple[Twin, bool]]) -> None:
    some = [(twin.above, twin.text) for twin, asserted in found if twin.asserted and not asserted]
    total = sum(twin.asserted for twin, _ in found)
    assert len(some) <= MOST_LOST * total, some


def test_frames_are_many_and_of_every_kind() -> None:
    assert len(frames()) > 150
    assert {frame.kind for frame in frames()} == set(Factuality)
    assert list(twins(1)) == list(twins(1))
