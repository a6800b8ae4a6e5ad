"""Subjects with a relative clause between them and their verb."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim", "feature"),
    [
        ("All the guests had paid.", "None of the guests who came by train had paid.", "quantifier"),
        ("Some guests left early.", "Most of the guests who had a ticket left early.", "reach"),
        ("Every lamp that was tested worked.", "None of the lamps which were tested worked.", "quantifier"),
        ("Few of the pupils passed.", "All of the pupils who took part passed.", "quantifier"),
        ("The boats were painted.", "No boat that stood in the yard was painted.", "polarity"),
    ],
)
def test_a_subject_reaches_the_verb_behind_its_relative_clause(
    premise: str, claim: str, feature: str
) -> None:
    assert feature in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("None of the guests had paid.", "None of the guests who came by train had paid."),
        ("Most guests left early.", "Most of the guests who had a ticket left early."),
        ("All the lamps worked.", "Every lamp that was tested worked."),
        ("None of the dogs had a ticket.", "Most of the guests who came had a ticket."),
        ("No boat was painted.", "No boat that stood in the yard was painted."),
    ],
)
def test_nor_does_it_clash_with_what_agrees_or_speaks_of_others(premise: str, claim: str) -> None:
    assert not features(premise, claim) & {"quantifier", "polarity", "reach"}
