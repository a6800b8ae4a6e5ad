"""When another name of the evidence denies a name of the claim, and when it says nothing of it."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import (
    can_be_rivals,
    is_subject,
    may_be_one,
    names_in,
    preposition_before,
    unnamed_subjects,
)
from verifier_signals.syntax import read
from verifier_signals.types import Relation, TextPair


def conflicts(premise: str, claim: str) -> list[str]:
    [score] = EntitySignal().score([TextPair(premise, claim)])
    return [item.claim_value for item in score.findings if item.relation is Relation.CONFLICT]


@pytest.mark.parametrize(
    ("claim", "evidence", "rivals"),
    [
        ("Ada Orr", "Mia Lund", True),
        ("Lindersund", "Orlow", True),
        ("Denmark", "Norway", True),
        ("Ohio", "Texas", True),
        ("Lindersund", "Norway", True),
        ("Europe", "Belarus", False),
        ("New England", "Boston", False),
        ("Ohio", "Lindersund", False),
        ("England", "Lindersund", False),
        ("Velluto C4", "Velluto C2", True),
        ("Velluto C4", "Velluto", False),
        ("Uta Hagan", "Uta Thyra Hagen", False),
        ("Zac Marlow", "Zachary Ambrose Marlow", False),
        ("Lois Marlow", "Lena Marlow", True),
        ("West Virginia", "Virginia", True),
        ("Orrin Town F.C.", "Orrin Town", False),
    ],
)
def test_a_name_has_no_rival_in_its_part_nor_a_place_in_one_of_another_size(
    claim: str, evidence: str, rivals: bool
) -> None:
    [ours] = names_in(f"Yesterday they spoke of {claim} there.")
    [theirs] = names_in(f"Yesterday they spoke of {evidence} there.")
    assert can_be_rivals(ours, theirs) is rivals


def test_a_given_name_may_be_the_whole_ones() -> None:
    whole, given, other = names_in("They met Ada Orr there, then Ada there, and Mia there.")
    assert may_be_one(whole, given)
    assert not may_be_one(whole, other)


@pytest.mark.parametrize(
    ("text", "unnamed"),
    [
        ("She was born in Elmford.", (True,)),
        ("The film was produced by Orr Pictures.", (True,)),
        ("In Elmford the town hall was sold to Mia Lund.", (True,)),
        ("Ada Orr left. She moved to Elmford.", (False, False)),
        ("Orlow's hall is large.", (False,)),
        ("Write to Mia Lund, head of sales.", (False,)),
        ("", ()),
    ],
)
def test_a_sentence_may_tell_of_somebody_without_a_name(text: str, unnamed: tuple[bool, ...]) -> None:
    assert unnamed_subjects(text) == unnamed


def test_what_somebody_is_called_is_passed_over_for_the_preposition() -> None:
    text = "It was shown by the director Ada Orr, whom Mia Lund met."
    reading = read(text)
    ada, mia = names_in(text)
    assert (preposition_before(reading, ada), preposition_before(reading, mia)) == ("by", "")
    assert not is_subject(reading, ada)


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("The ferry sails from Holmsea.", "The ferry sails from Orlow.", ["Orlow"]),
        ("Mia Lund received six nominations.", "Ada Orr received six nominations.", ["Ada Orr"]),
        ("It is now shown in the Orlow Museum.", "It is now shown in the Varn Museum.", ["Varn Museum"]),
        ("She directed Elmwood, which won six prizes.", "Ada Orr won six prizes.", []),
        ("The film was led by Mia Lund and starred Jo Falk.", "Elmwood starred Jo Falk.", []),
        ("The hall was the tallest until the Varn Tower rose.", "The Orlow Tower was the tallest.", []),
        ("Ada, daughter of Lena Marlow, began to act at 18.", "Ada Marlow began to act at 18.", []),
    ],
)
def test_the_same_place_has_the_same_words_about_it(premise: str, claim: str, expected: list[str]) -> None:
    assert conflicts(premise, claim) == expected
