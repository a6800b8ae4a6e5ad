"""Times that are written with a dot: which figures are times of day, and what a claim says of the hours."""

import pytest
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome, TextPair
from verifier_signals.values.extraction import parse

HOURS = "The reading room is open daily from 7.30 to 20.15. The archive is open from 13.00 to 18.00."


def outcome(claim: str, evidence: str = HOURS) -> Outcome:
    return NumberSignal().score([TextPair(evidence, claim)])[0].outcome


@pytest.mark.parametrize(
    "claim",
    [
        "The reading room opens at half past seven.",
        "The reading room closes at 20:15.",
        "The reading room is open from 7:30 to 20:15.",
        "The archive opens at 1 pm and closes at six in the evening.",
        "The archive is open at 14.30.",
        "Is the archive open at 3 pm? Yes, until 6 pm.",
        "The archive closes at 6 in the evening.",
    ],
)
def test_dotted_hours_bear_out_the_same_hours_in_other_words(claim: str) -> None:
    assert outcome(claim) is Outcome.CONSISTENT


@pytest.mark.parametrize(
    "claim",
    [
        "The reading room is open from 7.30 to 21.15.",
        "The reading room closes at 9 pm.",
        "The reading room is still open at 22.00.",
        "The archive is open from 9.00 to 18.00.",
        "The archive opens at 11.30.",
    ],
)
def test_dotted_hours_deny_other_hours(claim: str) -> None:
    assert outcome(claim) is Outcome.CONFLICTING


@pytest.mark.parametrize(
    "text",
    [
        "The fee rose from 5.30 to 6.45 since May.",
        "The pH of the lake lies between 6.50 and 7.45.",
        "The beams measure from 10.15 to 22.50 metres.",
        "Tickets cost from 5.30 to 23.30 euros on weekdays.",
        "The bank opened at 4.35 euros on Monday.",
        "She scored 9.15 on the beam.",
        "We saw 9 in the morning.",
    ],
)
def test_decimal_fractions_are_no_times(text: str) -> None:
    assert not any(value.kind == "time" for value in parse(text))


def test_a_day_of_24_hours_makes_its_first_hour_a_morning() -> None:
    evidence = "The pool is open from 9:00 to 21:00."
    assert outcome("The pool opens at 9 pm.", evidence) is not Outcome.CONSISTENT
    assert outcome("The pool opens at 9 am.", evidence) is Outcome.CONSISTENT
