"""Values that are easily taken for others: a report's year, the next fraction, a line's number, a column's year."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair
from verifier_signals.values.fields import label_units

REPORT = "Lathe Valley Hospitals Trust: annual report 2023/24. Who we are. Dr Callum Strake has been chief executive"
COST = (
    "Merrow Library; title: Hound & Hearth; annual cost 2023: 50 gbp; annual cost 2024: 54 gbp; since: 2016"
)


@pytest.mark.parametrize(
    ("premise", "claim", "outcome"),
    [
        (
            f"{REPORT} since September 2021; Dr Ines Vautrin is medical director.",
            "Callum Strake has been chief executive of the Lathe Valley Hospitals Trust since September 2023.",
            Outcome.CONFLICTING,
        ),
        (
            f"{REPORT} since September 2023; Dr Ines Vautrin is medical director.",
            "Callum Strake has been chief executive of the Lathe Valley Hospitals Trust since September 2023.",
            Outcome.CONSISTENT,
        ),
        (
            "Of the arrivals, 71% were on time.",
            "Roughly four in five arrivals were on time.",
            Outcome.CONFLICTING,
        ),
        (
            "Of the arrivals, 78% were on time.",
            "Roughly four in five arrivals were on time.",
            Outcome.CONSISTENT,
        ),
        ("Of the firms, 13% failed.", "About one in ten firms failed.", Outcome.CONFLICTING),
        ("Of the firms, 11% failed.", "About one in ten firms failed.", Outcome.CONSISTENT),
        ("Today 22 trams carry 48,000 passengers a day.", "Tram line 7 carries passengers.", Outcome.ABSENT),
        (COST, "Hound & Hearth cost Merrow Library £54 in 2024.", Outcome.CONSISTENT),
        (
            "Merrow Library; title: Hound & Hearth; annual cost 2024: 54 gbp; subscribed since: 2016; shelf: Leisure 2",
            "Hound & Hearth cost Merrow Library £54 in 2024.",
            Outcome.CONSISTENT,
        ),
        (COST, "Hound & Hearth cost Merrow Library £54 in 2023.", Outcome.CONFLICTING),
    ],
)
def test_a_value_is_held_against_its_like(premise: str, claim: str, outcome: Outcome) -> None:
    [score] = NumberSignal().score([TextPair(premise, claim)])
    assert score.outcome is outcome, score.findings


def test_a_unit_may_stand_before_the_year_of_a_column() -> None:
    told = label_units("annual_cost_gbp_2024")
    assert (told.units[0].dimension, told.name) == ("GBP", "annual_cost_2024")
    assert label_units("revenue_2024").units == ()
