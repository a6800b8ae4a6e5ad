"""What a figure means where its form may mean two things: by its text, else both, and then nothing is denied."""

from __future__ import annotations

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, Relation, TextPair
from verifier_signals.values import parse
from verifier_signals.values.numerals import decimal_mark

OPEN = Outcome.ABSENT
YES = Outcome.CONSISTENT
NO = Outcome.CONFLICTING


def outcome(premise: str, hypothesis: str) -> Outcome:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0].outcome


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("The inspection took place on 2/5/2019.", "The inspection took place on 2 May 2019.", OPEN),
        ("The inspection took place on 2/5/2019.", "The inspection took place on 5 February 2019.", OPEN),
        ("The inspection took place on 2/5/2019.", "The inspection took place on 3 May 2019.", NO),
        ("The inspection took place on 2/5/2019.", "The inspection took place on 02/05/2019.", YES),
        ("It came on 2/5/2019, the next on 24/5/2019.", "It came on 2 May 2019.", YES),
        ("It came on 2/5/2019, the next on 24/5/2019.", "It came on 5 February 2019.", NO),
        ("It came on 2/5/2019, the next on 5/24/2019.", "It came on 5 February 2019.", YES),
        ("Dates are DD/MM/YYYY. It came on 2/5/2019.", "It came on 2 May 2019.", YES),
        ("Dates are MM/DD/YYYY. It came on 2/5/2019.", "It came on 2 May 2019.", NO),
        ("Dates are given as month/day/year. It came on 2/5/2019.", "It came on 5 February 2019.", YES),
        ("It came on 7.10.2023.", "It came on 7 October 2023.", YES),
    ],
)
def test_the_order_of_day_and_month_is_that_of_the_text(
    premise: str, hypothesis: str, expected: Outcome
) -> None:
    assert outcome(premise, hypothesis) is expected


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("The hall seats 1.234 guests.", "The hall seats 1,234 guests.", YES),
        ("The hall seats 1.234 guests.", "The hall seats 1.2 guests.", OPEN),
        ("The rod weighs 1.250 kg.", "The rod weighs 1.25 kg.", YES),
        ("The rod weighs 1.250 kg.", "The rod weighs 1,250 kg.", OPEN),
        ("The rod weighs 1.250 kg, the box 2,5 kg.", "The rod weighs 1,250 kg.", YES),
        ("The rod weighs 1.250 kg, the box 2,5 kg.", "The rod weighs 1.25 kg.", NO),
        ("The rod weighs 1.250 kg, the box 2.5 kg.", "The rod weighs 1,250 kg.", NO),
        ("The plot costs €1.250.", "The plot costs €1,250.", YES),
        ("The plot costs €1.250 billion.", "The plot costs €1.25 billion.", YES),
        ("The grant totals 2.500.000 €.", "The grant totals 2.5 million euros.", YES),
        ("The grant totals 2.500.000 €.", "The grant totals 25 million euros.", NO),
        ("The grant is Rs 4,50,000.", "The grant is Rs 450,000.", YES),
        ("The grant is Rs 4,50,000.", "The grant is Rs 45,000.", NO),
    ],
)
def test_a_mark_in_a_figure_means_what_its_text_shows(
    premise: str, hypothesis: str, expected: Outcome
) -> None:
    got = outcome(premise, hypothesis)
    assert got is expected or (expected is OPEN and got is not YES)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        ("The museum opens at 9:30.", "The museum opens at 9:30 a.m.", YES),
        ("The museum opens at 9:30.", "The museum opens at 9:30 p.m.", OPEN),
        ("The museum opens at 9:30 p.m.", "The museum opens at 9:30.", OPEN),
        ("The museum opens at half past nine.", "The museum opens at 9:30.", YES),
        ("The museum opens at 9:30 p.m.", "The museum opens at 21:30.", YES),
        ("The museum opens at half past nine at night.", "The museum opens at 9:30 in the morning.", NO),
    ],
)
def test_the_half_of_the_day_is_open_where_it_is_not_said(
    premise: str, hypothesis: str, expected: Outcome
) -> None:
    assert outcome(premise, hypothesis) is expected


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Nearly 300 jars were sold.", "More than 300 jars were sold."),
        ("Nearly 300 jars were sold.", "At least 300 jars were sold."),
        ("More than 300 jars were sold.", "Nearly 300 jars were sold."),
        ("Just under 2 metres of snow fell.", "More than 2 metres of snow fell."),
        ("Just over 2 metres of snow fell.", "Less than 2 metres of snow fell."),
        ("Just over 2 metres of snow fell.", "Nearly 2 metres of snow fell."),
    ],
)
def test_two_sides_of_one_figure_conflict(premise: str, hypothesis: str) -> None:
    assert outcome(premise, hypothesis) is NO


def test_an_open_value_quotes_what_leaves_it_open() -> None:
    pair = TextPair("The ship docked on 5/8/2011.", "The ship docked on 8 May 2011.")
    (found,) = NumberSignal().score([pair])[0].findings
    assert found.relation is Relation.ABSENT
    assert found.evidence_value == "5/8/2011"
    assert found.note == "it is not said whether the day or the month stands first"


def test_a_doubtful_reading_is_marked_and_stands_last() -> None:
    (value,) = parse("1.250 kg")
    assert [(one.low, one.sure) for one in value.quantities] == [(1.25, True), (1250.0, False)]
    (value,) = parse("on 5/8/2011")
    assert [(one.order, one.sure) for one in value.dates] == [("dm", False), ("md", False)]


def test_what_is_counted_has_no_decimals() -> None:
    (value,) = parse("1.234 guests")
    assert [one.low for one in value.quantities] == [1234.0]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1.234.567 forms", ","),
        ("1.234,50 €", ","),
        ("a box of 2,5 kg", ","),
        ("1,234,567 forms", "."),
        ("Rs 4,50,000", "."),
        ("a box of 2.5 kg", "."),
        ("1.234 guests", ""),
        ("a box of 2,5 kg and one of 2.5 kg", ""),
        ("on 07.10.2023", ""),
    ],
)
def test_figures_show_which_mark_their_text_has_before_decimals(text: str, mark: str) -> None:
    assert decimal_mark(text) == mark
