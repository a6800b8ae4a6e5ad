"""``She`` may be a ship, where what is said of her is said of no person."""

from __future__ import annotations

import pytest

from verifier.verification.claims import extract_claims
from verifier.verification.grammar.fragments import is_verbless


@pytest.mark.parametrize(
    ("first", "second", "read"),
    [
        (
            "The night route is served by the Grey Heron.",
            "She was built in 1974.",
            "The Grey Heron was built in 1974.",
        ),
        (
            "The pilots use the cutter Alma.",
            "She was launched in 1911.",
            "The cutter Alma was launched in 1911.",
        ),
        ("The expedition bought HMS Tern.", "She sailed in May.", "HMS Tern sailed in May."),
        (
            "Tours leave on the Blue Pearl.",
            "She carries 90 passengers.",
            "The Blue Pearl carries 90 passengers.",
        ),
        ("Cargo came on the barge Ida.", "She sank in 1930.", "The barge Ida sank in 1930."),
    ],
)
def test_a_ship_is_called_she(first: str, second: str, read: str) -> None:
    assert [claim.hypothesis for claim in extract_claims(f"{first} {second}").claims][-1] == read


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The night route is served by the Grey Heron.", "She was born in 1974."),
        ("The night route is served by the Grey Heron.", "She was promoted in 1974."),
        ("The Grey Heron met the Blue Pearl.", "She was built in 1974."),
        ("The night route is served by two ships.", "She was built in 1974."),
        ("The mate of the Alma retired.", "She carries a pass."),
    ],
)
def test_a_person_or_one_of_two_ships_is_left_as_it_is(first: str, second: str) -> None:
    assert [claim.hypothesis for claim in extract_claims(f"{first} {second}").claims][-1] == second


def test_may_is_a_month_where_it_is_written_as_one() -> None:
    assert is_verbless("On 14 May 2006, in a former brewery.")
    assert not is_verbless("Guests may bring a dog.")
