"""Generated twins that exchange who did what, end to end with the default scorer."""

from __future__ import annotations

import pytest

from benchmarks.properties.subjects import Judged, judged, sample, twins

SIZE = 1200
"""Twins of each run, evenly over kinds of subject and of place; half of them are true."""


@pytest.fixture(scope="module")
def found() -> list[Judged]:
    return list(judged(sample(twins(), SIZE)))


def test_what_is_said_of_another_hardly_ever_supports(found: list[Judged]) -> None:
    false = [one for one in found if not one.twin.true]
    wrong = [one for one in false if one.said == "supported"]
    assert len(wrong) <= 0.005 * len(false), wrong


def test_what_is_said_of_the_subject_itself_is_found(found: list[Judged]) -> None:
    true = [one for one in found if one.twin.true]
    assert sum(one.said == "supported" for one in true) >= 0.97 * len(true)


def test_what_is_said_of_the_subject_itself_is_not_denied(found: list[Judged]) -> None:
    true = [one for one in found if one.twin.true]
    assert sum(one.said in ("contradicted", "fabricated") for one in true) <= 0.005 * len(true)
