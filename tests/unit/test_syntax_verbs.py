"""Verbs and the nouns that look like them, told apart by what may be their subject."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare
from verifier_signals.syntax import read


def verbs(text: str) -> list[str]:
    return [group.lemma for clause in read(text).clauses for group in clause.verbs]


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Users report it.", "report"),
        ("Customers of the bank pay a fee.", "pay"),
        ("The people of the valley often travel.", "travel"),
        ("Ada and her brother run a shop.", "run"),
        ("The children in the choir sing well.", "sing"),
        ("Children under 5 travel free.", "travel"),
        ("Members over 70 pay nothing.", "pay"),
    ],
)
def test_a_bare_form_behind_several_is_a_verb(text: str, verb: str) -> None:
    assert verbs(text) == [verb]


def test_a_bare_form_behind_the_auxiliary_of_a_question_is_a_verb() -> None:
    assert "cause" in verbs("Did snow cause the collapse?")


@pytest.mark.parametrize(
    "text",
    [
        "Orchard Hill: interim report on the 2021 season.",
        "Sandy Bays wind farm: project report 2024.",
        "The summer work plan of the council.",
        "With over 5 travel agents in town.",
        "The annual return of the company.",
    ],
)
def test_a_bare_form_behind_one_thing_is_a_noun(text: str) -> None:
    assert verbs(text) == []


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("- Children under 5 travel free.", "Children under 5 do not travel free of charge."),
        ("Members over 70 pay half the fee.", "Members over 70 do not pay half the fee."),
        ("Boats above 12 m need a permit.", "Boats above 12 m do not need a permit."),
        ("Visitors aged 80 pay nothing.", "Visitors aged 80 do not pay nothing."),
        ("Tickets under 10 euros sell fast.", "Tickets under 10 euros do not sell fast."),
    ],
)
def test_a_verb_may_follow_a_figure_that_limits_its_subject(premise: str, claim: str) -> None:
    assert {clash.feature for clash in compare(claim, premise).clashes} & {"polarity", "modality"}
