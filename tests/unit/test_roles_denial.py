"""When another name in the role of the claim's denies it, and when the premise may be read otherwise."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.types import Relation, TextPair


def conflicts(premise: str, claim: str) -> list[str]:
    [score] = EntitySignal().score([TextPair(premise, claim)])
    return [item.claim_value for item in score.findings if item.relation is Relation.CONFLICT]


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("The hall was designed by Mia Lund.", "Ada Orr designed the hall.", ["Ada Orr"]),
        ("Elmwood was written by Mia Lund.", "Elmwood was written by Ada Orr.", ["Ada Orr"]),
        ("He made a cameo on Joss Varn's film Elmwood.", "Ada Orr made a cameo in Elmwood.", []),
        ("Elmwood was written by Mia Lund and Ada Orr.", "Elmwood was written by Ada Orr.", []),
        ("The film was made by Orr Films and sold by Varn Films.", "Elmwood was sold by Varn Films.", []),
        ("In round 2 Bo Falk lost to Mia Lund.", "Bo Falk, top seed in Odmar, was beaten by Mia Lund.", []),
        ("In round 2 Bo Falk lost to Mia Lund.", "Ada Orr was beaten by Mia Lund.", ["Ada Orr"]),
        ("His film Elmwood stars Mia Lund.", "Ada Orr's film stars Mia Lund.", []),
    ],
)
def test_a_role_is_denied_by_another_name_and_not_by_one_of_a_list_or_of_an_unnamed_subject(
    premise: str, claim: str, expected: list[str]
) -> None:
    assert conflicts(premise, claim) == expected


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("Bo Falk keeps the bees and Ada Orr the goats.", "Ada Orr keeps the bees.", ["Ada Orr"]),
        ("Varn is an English town. Orlow lies south of Varn.", "Orlow is English.", []),
    ],
)
def test_a_name_is_displaced_by_one_that_much_is_told_of(
    premise: str, claim: str, expected: list[str]
) -> None:
    assert conflicts(premise, claim) == expected
