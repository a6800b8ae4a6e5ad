"""The written frames of the factuality head: how they are filled, and that none of them measures it, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.properties.factuality import frames as measuring
from training.factuality.twins import Frame, passages, read_frames, read_statements
from verifier.verification.statements import Factuality


@pytest.fixture(scope="module")
def frames() -> list[Frame]:
    return read_frames()


def test_every_frame_is_filled(frames: list[Frame]) -> None:
    for one in passages(frames, read_statements(), 1, 3):
        assert "{s}" not in one.text.lower()
        assert [span for span, _ in one.stretches] == sorted(span for span, _ in one.stretches)


def test_no_frame_that_asserts_nothing_is_learnt_from_and_measured_with(frames: list[Frame]) -> None:
    learnt = {(one.above, one.text.casefold()) for one in frames}
    held = [one for one in measuring() if one.kind is not Factuality.ASSERTED]
    assert not [one for one in held if (one.above, one.text.casefold()) in learnt]


def test_a_passage_without_slots_stands_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "frames.txt"
    path.write_text("# one\nA | Minutes | We met at noon. ~P We will vote in 2031.\n", encoding="utf-8")
    [found] = passages(read_frames(path), read_statements(), 4, 1)
    assert found.text == "We met at noon. We will vote in 2031."
    assert [kind for _, kind in found.stretches] == [Factuality.ASSERTED, Factuality.PLANNED]


def test_a_frame_with_slots_is_filled_several_times(tmp_path: Path) -> None:
    path = tmp_path / "frames.txt"
    path.write_text("D |  | It is a myth that {s}.\n", encoding="utf-8")
    told = random.Random(0).sample(read_statements(), 12)
    assert len(list(passages(read_frames(path), told, 4, 1))) == 4
