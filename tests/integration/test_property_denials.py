"""Denials and exceptions by the thousand: the wrong ones are not supported, and the right ones not denied."""

from __future__ import annotations

import pytest

from benchmarks.properties.denial_turns import cases
from benchmarks.properties.denials import Judged, judged
from verifier.types import Verdict

MOST = 0.01
"""Share of wrong claims that may be supported, and of right ones that may be denied."""
FOUND = 0.95


@pytest.fixture(scope="module")
def found() -> list[Judged]:
    return list(judged(cases()))


def test_wrong_claims_about_denials_and_exceptions_are_not_supported(found: list[Judged]) -> None:
    wrong = [one for one in found if not one.case.right]
    supported = [one for one in wrong if one.said == Verdict.SUPPORTED]
    assert len(wrong) > 1000
    assert len(supported) <= MOST * len(wrong), supported


def test_right_claims_about_denials_and_exceptions_are_found_and_not_denied(found: list[Judged]) -> None:
    right = [one for one in found if one.case.right]
    denied = [one for one in right if one.said in (Verdict.CONTRADICTED, Verdict.FABRICATED)]
    assert len(right) > 1000
    assert len(denied) <= MOST * len(right), denied
    assert sum(one.said == Verdict.SUPPORTED for one in right) >= FOUND * len(right)


def test_every_claim_is_checked(found: list[Judged]) -> None:
    assert {one.said for one in found} <= {str(verdict) for verdict in Verdict}
