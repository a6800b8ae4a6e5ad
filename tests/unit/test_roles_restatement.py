"""Whether the premise tells all of the claim's deed from another side."""

from __future__ import annotations

import pytest
from verifier_signals.roles import restated_event


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Brandal lost to the Norvik Spinners in 1978.", "In 1978 the Norvik Spinners defeated Brandal."),
        ("Veld Bank is the parent of Orla Energy.", "Orla Energy is a subsidiary of Veld Bank."),
        ("Kai Lund learnt weaving from Mia Roe.", "Mia Roe taught Kai Lund weaving."),
        ("Ivo Sten got the rights from Tern Books.", "Tern Books granted Ivo Sten the rights."),
        ("The boat belongs to Kai Lund.", "Kai Lund owns the boat."),
    ],
)
def test_a_deed_is_borne_out_from_its_other_side(claim: str, premise: str) -> None:
    assert restated_event(claim, premise) is not None


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Brandal lost to the Norvik Spinners in 1979.", "In 1978 the Norvik Spinners defeated Brandal."),
        ("Brandal defeated the Norvik Spinners.", "The Norvik Spinners defeated Brandal."),
        ("Tern Books bought the mill from Ivo Sten.", "Ivo Sten refused to sell the mill to Tern Books."),
        ("Kai Lund learnt weaving from Mia Roe in Oslo.", "Mia Roe taught Kai Lund weaving."),
        ("Ivo Sten always got the rights from Tern Books.", "Tern Books granted Ivo Sten the rights."),
        (
            "The office was moved from Solvik to Halden by Kai Lund.",
            "Kai Lund moved the office from Halden to Solvik.",
        ),
    ],
)
def test_what_the_premise_lacks_or_holds_back_is_not_borne_out(claim: str, premise: str) -> None:
    assert restated_event(claim, premise) is None
