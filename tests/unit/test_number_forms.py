"""One value in two forms is a match that quotes both; two values are a conflict, whatever their forms."""

from __future__ import annotations

from itertools import permutations

import pytest
from verifier_signals.number import NumberSignal, follows, leaves_open, settles_denial
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from verifier_signals.values import parse

DATES = (
    "24 July 2019",
    "the 24th of July 2019",
    "July 24, 2019",
    "24 Jul. 2019",
    "Jul 24, 2019",
    "24.07.2019",
    "24/7/2019",
    "7/24/2019",
    "2019-07-24",
    "2019/07/24",
    "24-Jul-2019",
    "Wednesday, 24 July 2019",
)
TIMES = (
    "18:05",
    "6:05 p.m.",
    "6.05pm",
    "18h05",
    "1805 hours",
    "6:05 in the evening",
    "five past six in the evening",
)
COUNTS = ("24", "twenty-four", "two dozen", "24.0")
LARGE = (
    "420,000",
    "420000",
    "4.2 × 10⁵",
    "4.2 x 10^5",
    "4.2e5",
    "0.42 million",
    "four hundred and twenty thousand",
)
PRICES = ("€12.50", "12.50 €", "EUR 12.50", "12,50 €", "12 euros and 50 cents", "twelve euros and fifty")
INDIAN = ("₹12,50,000", "₹1,250,000", "₹1.25 million", "₹12.5 lakh", "Rs 12,50,000", "0.125 crore rupees")
COLD = ("−18 °C", "-18°C", "minus 18 degrees Celsius", "18 degrees Celsius below zero")
DEBTS = ("(12,500) euros", "-12,500 euros", "minus 12,500 euros", "€(12,500)", "EUR -12,500")
QUARTERS = ("2025Q1", "Q1 2025", "Q1/2025", "1Q25", "the first quarter of 2025", "the 1st quarter of 2025")
PHONES = ("+44 20 7946 0123", "+442079460123", "+44 (0)20 7946 0123", "020 7946 0123", "0044 20 7946–0123")
CHAPTERS = ("chapter IV", "Chapter 4", "chapter four", "the fourth chapter")
RULERS = ("King Aldric IV", "King Aldric the Fourth")

FORMS = [
    *(("The lease was signed on {}.", pair) for pair in permutations(DATES, 2)),
    *(("The train leaves at {}.", pair) for pair in permutations(TIMES, 2)),
    *(("The boat carried {} crates.", pair) for pair in permutations(COUNTS, 2)),
    *(("The plate held {} spores.", pair) for pair in permutations(LARGE, 2)),
    *(("The ticket costs {}.", pair) for pair in permutations(PRICES, 2)),
    *(("The levy is {} a site.", pair) for pair in permutations(INDIAN, 2)),
    *(("The freezer is kept at {}.", pair) for pair in permutations(COLD, 2)),
    *(("The cash flow in May was {}.", pair) for pair in permutations(DEBTS, 2)),
    *(("Shipments started in {}.", pair) for pair in permutations(QUARTERS, 2)),
    *(("For help, call {}.", pair) for pair in permutations(PHONES, 2)),
    *(("Brakes are the matter of {}.", pair) for pair in permutations(CHAPTERS, 2)),
    *(("{} opened the harbour.", pair) for pair in permutations(RULERS, 2)),
]


def score(premise: str, hypothesis: str) -> SignalScore:
    return NumberSignal().score([TextPair(premise, hypothesis)])[0]


def findings(premise: str, hypothesis: str) -> list[Finding]:
    return [*score(premise, hypothesis).findings]


@pytest.mark.parametrize(("template", "pair"), FORMS)
def test_every_form_of_a_value_matches_every_other(template: str, pair: tuple[str, str]) -> None:
    got = score(template.format(pair[0]), template.format(pair[1]))
    assert got.outcome is Outcome.CONSISTENT
    assert all(finding.relation is Relation.MATCH for finding in got.findings)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "theirs", "ours"),
    [
        ("It shuts at 6.05pm.", "It shuts at 18:05.", "6.05pm", "18:05"),
        ("It is kept at −18 °C.", "It is kept at minus 18 °C.", "−18 °C", "minus 18 °C"),
        ("The flow was (12,500) euros.", "The flow was -12,500 euros.", "(12,500) euros", "-12,500 euros"),
        ("Sold on Friday, 3 May 2019.", "Sold on 03.05.2019.", "Friday, 3 May 2019", "03.05.2019"),
        ("It has 3 × 10⁶ cells.", "It has 3 million cells.", "3 × 10⁶", "3 million"),
        ("It costs $2.50.", "It costs two dollars and fifty cents.", "$2.50", "two dollars and fifty cents"),
        ("Aldric IV came.", "Aldric the Fourth came.", "Aldric IV", "Aldric the Fourth"),
        ("The club has no members.", "The club has 0 members.", "no members", "0"),
        ("The club has 0 members.", "The club has no members.", "0", "no members"),
    ],
)
def test_a_match_quotes_the_words_of_the_value_on_both_sides(
    premise: str, hypothesis: str, theirs: str, ours: str
) -> None:
    (found,) = findings(premise, hypothesis)
    assert (found.relation, found.evidence_value, found.claim_value) == (Relation.MATCH, theirs, ours)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The plate held 4.2 × 10⁵ spores.", "The plate held 4.2 × 10⁸ spores."),
        ("The charge is 2 × 10⁻⁶ C.", "The charge is 2 × 10⁻⁹ C."),
        ("The hall has a floor of 420 m².", "The hall has a floor of 420 m³."),
        ("Turnout rose by 5 percentage points.", "Turnout rose by 5%."),
        ("The fax number is 202–555–0147.", "The fax number is 202-555-0174."),
        ("King Aldric IV opened the harbour.", "King Aldric the Third opened the harbour."),
        ("Section VII covers fire drills.", "Section 8 covers fire drills."),
        ("Shipments started in 2025Q1.", "Shipments started in Q2 2025."),
        ("The call starts at 15:00 UTC.", "The call starts at 15:00 CET."),
        ("The mill closed on 27 January 2012.", "The mill closed on Monday, 27 January 2012."),
        ("The office is on the nineteenth floor.", "The office is on the twenty-fifth floor."),
        ("The group has at least 15 members.", "The group has 15 or fewer members."),
        ("The site lies at -12 m.", "The site lies at 12 m."),
        ("The club has 0 members.", "The club has 12 members."),
    ],
)
def test_two_values_in_any_form_are_a_conflict(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).outcome is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Two thirds of the crew are volunteers.", "A third of the crew are not volunteers."),
        ("Two thirds of the crew are volunteers.", "66% of the crew are volunteers."),
        ("Two thirds of the crew are volunteers.", "67% of the crew are volunteers."),
        ("Revenue fell by 3% to 40 million.", "Revenue fell by 3%."),
        ("The call starts at 15:00 UTC.", "The call starts at 4 p.m. CET."),
        ("The call starts at 15:00 UTC.", "The call starts at 15:00."),
        ("The shop is open from 9:00 to 17:30.", "The shop opens at 9."),
        ("The run took 1h30.", "The run took 90 minutes."),
        ("The app has 5.1m users.", "The app has 5,100,000 users."),
        ("The site lies at -12 m.", "The site lies 12 m below sea level."),
        ("item: Net result\n2022: 1.1\n2023: (4.2)", "The net loss in 2023 was 4.2."),
    ],
)
def test_what_follows_from_the_value_is_borne_out(premise: str, hypothesis: str) -> None:
    assert score(premise, hypothesis).outcome is Outcome.CONSISTENT


def test_a_figure_in_brackets_is_below_zero_only_in_accounts() -> None:
    table = "item: Net result\n2022: 1.1\n2023: (4.2)"
    assert score(table, "The net result in 2023 was -4.2.").outcome is Outcome.CONSISTENT
    assert score(table, "The net result in 2023 was 4.2.").outcome is Outcome.CONFLICTING
    assert score("The fee (340 euros) is due.", "The fee is 340 euros.").outcome is Outcome.CONSISTENT


def test_a_capital_i_behind_a_name_takes_a_verb_of_one_thing_or_of_the_past() -> None:
    assert [value.kind for value in parse("Elizabeth I reigned long.")] == ["code"]
    assert parse("Ask Anna I know.") == ()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "reckoned", "denies"),
    [
        ("Of 40 crew, 10 are volunteers.", "A quarter of the crew are volunteers.", True, False),
        ("Of 40 crew, 10 are volunteers.", "30 of the crew are not volunteers.", True, True),
        ("Two thirds of the crew are volunteers.", "A third of the crew are not volunteers.", True, True),
        ("The kiln runs at 820–860 °C.", "The kiln runs at 840 °C during firing.", True, False),
        ("The crew counts 32.", "The crew counts thirty-two.", False, False),
        ("The club has no members.", "The club has 0 members.", True, True),
        ("Of 40 crew, 10 are volunteers.", "12 of the crew are not volunteers.", False, False),
    ],
)
def test_what_follows_by_more_than_reading_is_told_apart(
    premise: str, hypothesis: str, reckoned: bool, denies: bool
) -> None:
    got = score(premise, hypothesis)
    assert any(map(follows, got.findings)) is reckoned
    assert settles_denial(got) is denies


@pytest.mark.parametrize(
    ("premise", "hypothesis", "open_"),
    [
        ("The ship docked on 5/8/2011.", "The ship docked on 8 May 2011.", True),
        ("Refunds take 5-10 days.", "Refunds take 7 days.", True),
        ("It opened in March 2024.", "It opened on 3 March 2024.", True),
        ("It opened in March 2024.", "It opened on 3 May 2024.", False),
        ("It opened in March.", "The bridge cost 3 million euros.", False),
    ],
)
def test_an_absent_value_that_the_evidence_leaves_open_is_told_from_one_that_it_lacks(
    premise: str, hypothesis: str, open_: bool
) -> None:
    assert any(map(leaves_open, score(premise, hypothesis).findings)) is open_
