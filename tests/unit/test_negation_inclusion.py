"""A thing that the claim counts in and the premise leaves out, or the other way round."""

from __future__ import annotations

import pytest
from verifier_signals.polarity.inclusion import inclusion_clashes


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The summer pass covers the cable car.", "The cable car and guided tours are not covered."),
        ("Guided tours are included in the pass.", "The cable car and guided tours are not included."),
        ("Lodgers belong to the household.", "Lodgers are not members of the household."),
        ("The policy pays for damage by mice.", "Damage by floods and damage by mice are not insured."),
        ("The fare includes breakfast.", "The fare includes all meals except breakfast."),
        ("Interns count as members of staff.", "Interns are not members of the staff."),
        (
            "Batteries are not covered by the warranty.",
            "The warranty covers the motor, the case and batteries.",
        ),
        ("The price does not include towels.", "Towels and soap are included in the price."),
    ],
)
def test_a_thing_left_out_is_not_counted_in(claim: str, premise: str) -> None:
    assert list(inclusion_clashes(claim, premise))


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The summer pass covers the tram.", "The pass covers the tram. The cable car is not covered."),
        ("Bicycles are covered.", "Bicycles kept outdoors are not covered."),
        ("Damage by fire is covered.", "Damage by floods is not covered."),
        ("The fare includes lunch.", "The fare includes all meals except breakfast."),
        ("The pass covers the museum.", "The museum is not included in the evening ticket."),
        ("Cash is insured.", "Cash is not insured if it is kept in a car."),
        ("Interns belong to the staff.", "Interns are not members of the union."),
        ("The price includes towels.", "Parking is charged separately."),
    ],
)
def test_what_is_counted_in_or_not_spoken_of_is_silent(claim: str, premise: str) -> None:
    assert not list(inclusion_clashes(claim, premise))


BOXES = "The league. Orrin won three of the five boxes: Fell Side, Mill Lane and Old Quay."
