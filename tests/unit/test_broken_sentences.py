"""Sentences with parts missing: whatever stands around a joint, the response is taken apart and quoted exactly."""

from __future__ import annotations

from itertools import product

import pytest

from verifier.verification.claims import extract_claims

BEFORE = ("They will", "two have", "The hut, which is old, is", "Both are shut", "In 1990", "")
JOINTS = (";", ",", " and", "—", " when", "(")
BEHIND = ("we won't", "none", "the latter", "")


@pytest.mark.parametrize("before", BEFORE)
def test_nothing_need_stand_behind_a_joint(before: str) -> None:
    for first, second, behind in product(JOINTS, JOINTS, BEHIND):
        response = f"{before}{first}{second} {behind}."
        found = extract_claims(response)
        covered = {at for piece in (*found.claims, *found.skipped) for at in range(piece.start, piece.end)}
        assert all(response[claim.start : claim.end] == claim.text for claim in found.claims)
        assert {at for at, character in enumerate(response) if not character.isspace()} <= covered, response


def test_two_semicolons_in_a_row_part_two_sentences() -> None:
    assert [claim.text for claim in extract_claims("They will;; we won't.").claims]
