"""Dates that a document bears in its first lines: which these are, and what of a claim they tell."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Relation
from verifier_signals.values import Date, Day, document_dates, gives_date, values_of

from verifier.types import Claim, Document
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

RULES = "# Orrin Boat Club: berth rules\n\nVersion of 4 May 2019. Replaces the rules of 2012.\n\n"
MINUTES = "# Orrin Choir\n\nMinutes of the meeting of 7 October 2022\n\n"
BODY = (
    "## 1. Berths\n\nA berth on the long pier costs 240 crowns. Dogs must be kept on a lead on every pier.\n"
)
CHOIR = (
    "The choir sang at 11 concerts last year. The next rehearsal is on 3 November. Dues stay at 30 crowns.\n"
)


def days(head: str) -> list[Day]:
    return [date.start for date in document_dates(head)]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (RULES, [Day(2019, 5, 4)]),
        (MINUTES, [Day(2022, 10, 7)]),
        ("# Guide\n\n*Third edition, spring 2021*\n\nThe isle is small.", [Day(2021, part="spring")]),
        ("# Mill Street\n\nOslo, 9 June 2020\n\nThe firm was founded on 3 May 1951.", [Day(2020, 6, 9)]),
        ("REPORT 12\nReport issued: 2 March 2023\nChecked by: Ann Orrin", [Day(2023, 3, 2)]),
        ("# Tariff\n\nValid from 1 January 2024. Tickets are sold on board.", [Day(2024, 1, 1)]),
    ],
)
def test_a_document_bears_the_dates_of_its_first_lines(head: str, found: list[Day]) -> None:
    assert days(head) == found


@pytest.mark.parametrize(
    "head",
    [
        "# Ada Orrin (1861–1934)\n\nShe was born in Osk.",
        "# Osk\n\nThe town was founded in May 1204.",
        "# Pump\n\nKeep these pages. Made since March 2011.",
        "# Rules\n\nReplaces the version of 1 March 2015.",
        "# Rules\n\nDogs are not allowed. The fire of 3 June 1988 destroyed the old pier.",
    ],
)
def test_other_dates_in_the_first_lines_are_not_the_documents(head: str) -> None:
    assert days(head) == []


def told(claim: str, passage: str, *dates: Day) -> bool:
    [value] = [value for value in values_of(claim).values if value.dates]
    return gives_date(value, values_of(passage), [Date(day) for day in dates])


@pytest.mark.parametrize(
    ("claim", "passage", "date"),
    [
        ("Under the 2019 rules a berth costs 240 crowns.", "A berth costs 240 crowns.", Day(2019, 5, 4)),
        ("In May 2019 a berth cost 240 crowns.", "A berth costs 240 crowns.", Day(2019, 5, 4)),
        ("The race is on 3 November 2022.", "The race is on 3 November.", Day(2022, 10, 7)),
        ("In 2021 it sang at 11 concerts.", "It sang at 11 concerts last year.", Day(2022, 10, 7)),
        ("In 2023 the hall will be painted.", "Next year the hall will be painted.", Day(2022, 10, 7)),
    ],
)
def test_a_date_is_told_by_the_date_of_the_document(claim: str, passage: str, date: Day) -> None:
    assert told(claim, passage, date)


@pytest.mark.parametrize(
    ("claim", "passage", "date"),
    [
        ("Under the 2012 rules a berth costs 240 crowns.", "A berth costs 240 crowns.", Day(2019, 5, 4)),
        ("On 5 May 2019 a berth cost 240 crowns.", "A berth costs 240 crowns.", Day(2019, 5, 4)),
        ("The race is on 3 November 2023.", "The race is on 3 November.", Day(2022, 10, 7)),
        ("Tins are best before 20 June 2019.", "Tins are called back.", Day(2019, 5, 4)),
        ("Until 3 November 2022 it is shut.", "It is shut on 3 November.", Day(2022, 10, 7)),
        ("The race is on 4 November 2022.", "The race is on 3 November.", Day(2022, 10, 7)),
        ("In 2020 it sang at 11 concerts.", "It sang at 11 concerts last year.", Day(2022, 10, 7)),
    ],
)
def test_another_date_is_not_told_by_it(claim: str, passage: str, date: Day) -> None:
    assert not told(claim, passage, date)


def relations(claim: str, *documents: Document) -> set[Relation]:
    """What the number signal finds of the claim's dates, in all windows."""
    scorer = VerifiedScorer(GivenTexts(documents), [NumberSignal(), TraceabilitySignal()])
    [read] = scorer.examine([Claim(claim, 0, len(claim))])
    return {
        finding.relation
        for reading in read.readings
        for finding in reading.findings("number")
        if finding.kind == "date"
    }


@pytest.mark.parametrize(
    ("text", "claim", "found"),
    [
        (RULES + BODY, "Under the 2019 rules a berth on the long pier costs 240 crowns.", {Relation.MATCH}),
        (RULES + BODY, "Dogs must be kept on a lead under the rules of May 2019.", {Relation.MATCH}),
        (MINUTES + CHOIR, "In 2021 the choir sang at 11 concerts.", {Relation.MATCH, Relation.ABSENT}),
    ],
)
def test_the_scorer_reads_the_heads_of_documents(text: str, claim: str, found: set[Relation]) -> None:
    assert relations(claim, Document(source="a.md", uri="a", text=text)) <= found


def test_the_date_of_another_version_is_not_met() -> None:
    claim = "Under the 2016 rules a berth on the long pier costs 240 crowns."
    assert Relation.MATCH not in relations(claim, Document(source="a.md", uri="a", text=RULES + BODY))


def test_the_name_of_the_file_dates_a_document_that_does_not_say_so() -> None:
    text = "# Berth rules\n\n" + BODY
    claim = "Under the 2016 rules a berth on the long pier costs 240 crowns."
    assert relations(claim, Document(source="rules_2016.md", uri="a", text=text)) == {Relation.MATCH}
    assert Relation.MATCH not in relations(claim, Document(source="rules.md", uri="a", text=text))
