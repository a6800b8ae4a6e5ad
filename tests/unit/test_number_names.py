"""Numbers that belong to names, parts of wholes, dated columns and cases put to a limit, through the number signal."""

from __future__ import annotations

import pytest

from signals.number import NumberSignal
from signals.types import Relation, TextPair
from signals.values.grammar import parse


def relations(premise: str, hypothesis: str) -> dict[str, Relation]:
    found = NumberSignal().score([TextPair(premise, hypothesis)])[0].findings
    return {finding.claim_value: finding.relation for finding in found}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The tank of the Veltra 300 holds 3 litres.", "Veltra 300"),
        ("Veltra 300 comes with a hose.", "Veltra 300"),
        ("Osmark Veltra 300 pump: instructions for use.", "Veltra 300"),
        ("The Tamsin 40 stove is loud.", "Tamsin 40"),
        ("A Cessna 172 pilot saw it.", "Cessna 172"),
        ("Wash the Veltra 300's filter.", "Veltra 300"),
    ],
)
def test_a_number_in_a_name_is_no_quantity(text: str, name: str) -> None:
    first = parse(text)[0]
    assert (text[first.start : first.end], first.kind, first.weak) == (name, "code", True)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("In Tessary 300 people live.", "300"),
        ("At Torvik 300 seats are free.", "300"),
        ("They gave Torvik 300 books.", "300"),
        ("In Norway 300 ships were lost.", "300"),
        ("In Osk 300 attended.", "300"),
    ],
)
def test_a_number_behind_the_name_of_a_place_counts(text: str, count: str) -> None:
    first = parse(text)[0]
    assert (text[first.start : first.end], first.kind) == (count, "number")


def test_the_number_of_a_name_is_met_by_the_same_name_only() -> None:
    manual = "Osmark Veltra 300 pump: instructions for use. A gurgling noise is normal."
    assert relations(manual, "A noise from the Veltra 300 is normal.") == {"Veltra 300": Relation.MATCH}
    assert Relation.MATCH not in relations(manual, "A noise from the Veltra 500 is normal.").values()
