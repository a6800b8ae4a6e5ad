"""Fact sheets: what a sheet may hold, how values are drawn and written, and that labels follow from the facts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from training.bank import FactDocument, bank_pairs, is_held_back_fact
from training.sheets import Sheet, read_sheet, read_sheets, render, slots_in
from training.values import SheetError, Value, computed, draw
from training.verdicts import verdict_rows

SHEET = """
topic = "parcels"
[names]
carrier = ["Norvik", "Tallis", "Heron"]

[[fact]]
slots.carrier = "carrier"
slots.days = "2..9"
says = ["{carrier} needs {days} days.", "It takes {carrier} {days} days."]
shown = ["Carrier: {carrier}; Days: {days}"]
wider = ["{carrier} needs less than a month."]
against = ["{carrier} needs a year."]
open = ["{carrier} delivers on Sundays."]
exact = ["days"]
elsewhere = ["carrier"]

[[fact]]
slots.buyer = "company"
slots.seller = "company"
says = ["{buyer} bought the depot from {seller}.", "{seller} sold the depot to {buyer}."]
swap = [["buyer", "seller"]]
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    path = tmp_path / "parcels.toml"
    path.write_text(SHEET)
    return read_sheet(path)


def _bad(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bad.toml"
    path.write_text(f'topic = "t"\n[[fact]]\n{text}')
    return path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('says = ["One."]', "at least two"),
        ('says = ["A {x}.", "B."]', r"no slot \['x'\]"),
        ('says = ["A.", "B."]\nmore = 1', "unknown"),
        ('says = ["A || B.", "C."]', "shown texts only"),
        ('slots.x = "2..9"\nsays = ["A {x", "{x}."]', "stray bracket"),
        ('slots.x = "9..2"\nsays = ["A {x}.", "{x}."]', "no slot kind"),
        ('slots.x = "= y + 1"\nsays = ["A {x}.", "{x}."]', "cannot compute"),
        ('slots.a = "2..2"\nsays = ["{a}.", "B {a}."]', "no slot kind"),
        ("says = [", "bad.toml"),
    ],
)
def test_a_bad_sheet_is_refused_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SheetError, match=says):
        read_sheet(_bad(tmp_path, text))


def test_values_are_written_in_the_ways_of_their_kind() -> None:
    rng = random.Random(1)

    def forms(kind: str, key: float, unit: str = "") -> set[str]:
        return {Value(key, kind, unit).text(rng) for _ in range(60)}

    assert forms("percent", 12) == {"12%", "12 percent", "12 per cent"}
    assert forms("money", 1500, "€") <= {"€1,500", "€1500", "1,500 euros", "1500 euros"}
    assert forms("year", 1984) == {"1984"}
    assert forms("time", 14 * 60 + 30) == {"14:30", "2:30 pm"}
    assert Value(42, "number").text(rng, words=True) == "forty-two"
    assert Value(305, "number").text(rng, words=True) == "three hundred and five"


def test_computed_values_keep_the_kind_of_what_they_are_computed_from() -> None:
    values = {"low": Value(20, "money", "£"), "high": Value(50, "money", "£"), "year": Value(1990, "year")}
    assert computed("= high - low", values) == Value(30, "money", "£")
    assert computed("= year + 5", values) == Value(1995, "year")
    with pytest.raises(SheetError):
        computed("= __import__('os')", values)


def test_ranges_hold_their_borders() -> None:
    rng = random.Random(2)
    assert {draw("2..4", rng).key for _ in range(80)} == {2, 3, 4}
    assert {draw("10..30 step 10", rng).key for _ in range(80)} == {10, 20, 30}
    assert {draw("-1..1", rng).key for _ in range(80)} == {-1, 0, 1}
    assert all(1.2 <= float(draw("1.2..1.4", rng).key) <= 1.4 for _ in range(20))


def test_labels_follow_from_the_fact(sheet: Sheet) -> None:
    rng = random.Random(3)
    for _ in range(200):
        document = FactDocument(sheet, sheet.facts[0], rng)
        told = {document.values["carrier"].key: document.values["days"].key}
        if document.sibling is not None:
            told[document.sibling["carrier"].key] = document.sibling["days"].key
        assert len(set(told.values())) == len(told)
        for claim in document.claims():
            if claim.template not in sheet.facts[0].says:
                continue
            true = told.get(claim.values["carrier"].key)
            days = claim.values["days"].key
            expected = "neutral" if true is None else "entailment" if days == true else "contradiction"
            assert claim.label == expected


def test_exchanged_roles_contradict(sheet: Sheet) -> None:
    rng = random.Random(4)
    document = FactDocument(sheet, sheet.facts[1], rng)
    [wrong] = [claim for claim in document.claims() if claim.label == "contradiction"]
    assert wrong.values["buyer"] == document.values["seller"]
    assert wrong.values["seller"] == document.values["buyer"]


def test_a_document_that_states_what_the_fact_rules_out_rules_the_fact_out(sheet: Sheet) -> None:
    rng = random.Random(5)
    documents = [FactDocument(sheet, sheet.facts[0], rng, stated) for stated in ("against", "wider", "open")]
    labels = [next(iter(document.claims())).label for document in documents]
    assert labels == ["contradiction", "neutral", "neutral"]


def test_pairs_are_the_same_for_the_same_seed_and_never_hold_unfilled_slots() -> None:
    sheets = read_sheets()
    train, back = bank_pairs(6000, seed=1, sheets=sheets)
    assert (train, back) == bank_pairs(6000, seed=1, sheets=sheets)
    assert len(train) == 6000
    assert not [pair for pair in (*train, *back) if re.search(r"[{}]|\|\|", pair.premise + pair.hypothesis)]
    counts = {label: sum(pair.label == label for pair in train) for label in ("entailment", "contradiction")}
    assert min(counts.values()) > 1000


def test_no_wording_of_a_held_back_fact_is_trained_on() -> None:
    sheets = read_sheets()
    held = [fact for sheet in sheets for fact in sheet.facts if is_held_back_fact(fact)]
    assert 40 < len(held) < 120
    train, _ = bank_pairs(5000, seed=1, sheets=sheets)
    claims = {pair.hypothesis for pair in train}
    plain = {
        text
        for fact in held
        for text in (*fact.says, *fact.wider, *fact.against, *fact.open)
        if not slots_in(text)
    }
    assert plain
    assert not {render(text, {}, random.Random(0)) for text in plain} & claims


def test_fabricated_claims_name_what_their_document_never_does(sheet: Sheet) -> None:
    rows = verdict_rows(read_sheets(), 400, seed=1)
    assert {str(row["verdict"]) for row in rows} == {
        "supported",
        "contradicted",
        "fabricated",
        "unverifiable",
    }
    for row in rows:
        specifics = set(re.findall(r"\b\d+\b", str(row["claim"])))
        if row["verdict"] == "unverifiable":
            assert specifics <= set(re.findall(r"\d+", str(row["premise"])))
