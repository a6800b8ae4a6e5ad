"""The grammar of values: what is read, what is left alone, and the exact span of each."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from verifier_signals.values import Fit, Form, ValueText, compare, parse
from verifier_signals.values.fields import fields_of, label_units


def one(text: str) -> tuple[str, float, float, str]:
    """Quoted text, low and high in the first reading, and its dimension."""
    (value,) = parse(text)
    first = value.quantities[0]
    return text[value.start : value.end], first.low, first.high, first.dimension


@pytest.mark.parametrize(
    ("text", "quoted", "low", "dimension"),
    [
        ("It seats 1,234.5 of them", "1,234.5", 1234.5, ""),
        ("It seats 1 234 567 of them", "1 234 567", 1234567, ""),
        ("Preis 1.234,5 gesamt", "1.234,5", 1234.5, ""),
        ("sixty-nine million people", "sixty-nine million", 69e6, ""),
        ("four thousand three hundred members", "four thousand three hundred", 4300, ""),
        ("a dozen eggs", "a dozen", 12, ""),
        ("half a billion pounds of flour", "half a billion pounds", 5e8 * 0.45359237, "mass"),
        ("three fifths of it", "three fifths", 0.6, "share"),
        ("one in five replied", "one in five", 0.2, "share"),
        ("9 out of 10 replied", "9 out of 10", 0.9, "share"),
        ("about 12 per cent", "about 12 per cent", 0.12, "share"),
        ("1.2k users", "1.2k", 1200, ""),
        ("worth $3bn", "$3bn", 3e9, "USD"),
        ("worth € 4.90 each", "€ 4.90", 4.9, "EUR"),
        ("worth 4.90 EUR each", "4.90 EUR", 4.9, "EUR"),
        ("a 20p coin", "20p", 0.2, "GBP"),
        ("2 1/2 cups", "2 1/2", 2.5, ""),
        ("2½ cups", "2½", 2.5, ""),
        ("1 hour 22 minutes", "1 hour 22 minutes", 4920, "time"),
        ("an hour; takes an hour and a half", "an hour and a half", 5400, "time"),
        ("half an hour", "half an hour", 1800, "time"),
        ("at -4 °F outside", "-4 °F", 253.15, "temperature"),
        ("60 km/h", "60 km/h", 60 / 3.6, "speed"),
        ("opens at 9:30 pm", "9:30 pm", 1290, "clock"),
        ("closes at noon", "noon", 720, "clock"),
        ("taken twice a day", "twice", 2, "times"),
        ("a twelve-year-old", "twelve-year-old", 12, "age"),
    ],
)
def test_a_value_is_read_in_base_units_with_its_exact_span(
    text: str, quoted: str, low: float, dimension: str
) -> None:
    got = one(text)
    assert got[0] == quoted
    assert math.isclose(got[1], low, rel_tol=1e-9)
    assert got[3] == dimension


@pytest.mark.parametrize(
    ("text", "quoted", "form", "low", "high"),
    [
        ("takes 5-10 days", "5-10 days", Form.RANGE, 432e3, 864e3),
        ("takes between 5 and 10 days", "5 and 10 days", Form.RANGE, 432e3, 864e3),
        ("costs £2 to 3 million", "£2 to 3 million", Form.RANGE, 2e6, 3e6),
        ("seats at least 5", "at least 5", Form.AT_LEAST, 5, 5),
        ("seats up to 15", "up to 15", Form.AT_MOST, 15, 15),
        ("seats no more than 15", "no more than 15", Form.AT_MOST, 15, 15),
        ("seats more than 20", "more than 20", Form.ABOVE, 20, 20),
        ("seats fewer than 20", "fewer than 20", Form.BELOW, 20, 20),
        ("seats ten or more", "ten or more", Form.AT_LEAST, 10, 10),
        ("No bag may weigh more than 23 kg", "more than 23 kg", Form.AT_MOST, 23, 23),
    ],
)
def test_limits_and_ranges_are_told_apart(
    text: str, quoted: str, form: Form, low: float, high: float
) -> None:
    (value,) = parse(text)
    assert text[value.start : value.end] == quoted
    assert value.form is form
    assert (value.quantities[0].low, value.quantities[0].high) == (low, high)


def test_a_change_from_one_figure_to_another_is_no_range() -> None:
    assert [value.form for value in parse("Debt fell from 7.8 to 4.6 million.")] == [Form.POINT, Form.POINT]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("on 3 March 2024", (2024, 3, 3)),
        ("on March 3, 2024", (2024, 3, 3)),
        ("on 2024-03-03", (2024, 3, 3)),
        ("in March 2024", (2024, 3, None)),
        ("in 2024", (2024, None, None)),
        ("on 2 July.", (None, 7, 2)),
        ("a 1998 film", (1998, None, None)),
        ("in 85 BC", (-85, None, None)),
    ],
)
def test_dates_are_read_as_far_as_they_are_stated(text: str, fields: tuple[int | None, ...]) -> None:
    (value,) = parse(text)
    day = value.dates[0].start
    assert (day.year, day.month, day.day) == fields


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("altitude: 1840 m; beds: 42", "1840 m"),
        ("It weighs more than 1600 kg.", "more than 1600 kg"),
        ("It has a range of 1800 km.", "1800 km"),
        ("a 2000 W heater", "2000 W"),
        ("room for 1700 MB", "1700 MB"),
        ("the tank (1500 litres)", "1500 litres"),
        ("fee: 1800 EUR", "1800 EUR"),
    ],
)
def test_four_digits_with_a_unit_are_a_figure(text: str, quoted: str) -> None:
    value = parse(text)[0]
    assert (value.kind, text[value.start : value.end]) == ("unit", quoted)


@pytest.mark.parametrize(
    "text",
    [
        "in 2022 K. Dunn left",
        "the 2019 bar exam",
        "In 2021 pounds fell against the euro.",
        "In 2024 EUR 5 million was paid.",
        "the budget of 2024: EUR 5 million",
        "Founded: 1999",
        "the 2020 minutes of the board",
    ],
)
def test_a_year_before_a_word_that_can_be_a_unit_stays_a_year(text: str) -> None:
    assert parse(text)[0].kind == "date"


def test_an_ambiguous_date_keeps_both_readings() -> None:
    (value,) = parse("on 03/04/2024")
    assert {(date.start.month, date.start.day) for date in value.dates} == {(4, 3), (3, 4)}


@pytest.mark.parametrize("text", ["03/31/2024", "31/03/2024", "31.03.2024"])
def test_a_numeric_date_with_one_possible_reading_has_one(text: str) -> None:
    (value,) = parse(text)
    assert [(date.start.month, date.start.day) for date in value.dates] == [(3, 31)]


@pytest.mark.parametrize(
    "text",
    [
        "ISO 27001",
        "v2.1.3",
        "A4",
        "COVID-19",
        "AES-256",
        "version 3",
        "+44 20 7946 0958",
        "a 3D printer",
        "2-1",
    ],
)
def test_identifiers_are_codes_and_no_quantities(text: str) -> None:
    assert {value.kind for value in parse(text)} == {"code"}


@pytest.mark.parametrize(
    "text",
    [
        "1. Open the lid",
        "  2) Close it",
        "one of them",
        "no one came",
        "You may march on.",
        "in the second",
        "",
    ],
)
def test_markers_pronouns_and_verbs_are_no_values(text: str) -> None:
    assert [value for value in parse(text) if not value.weak] == []


def test_a_product_gives_its_unit_to_every_factor() -> None:
    assert [value.quantities[0].low for value in parse("90 x 60 x 40 cm")] == [0.9, 0.6, 0.4]


def test_the_label_of_a_cell_gives_its_unit_and_scale() -> None:
    text = "| Segment | Revenue (£m) |\n|---|---|\n| Hydro | 176 |"
    (value,) = parse(text)
    assert text[value.start : value.end] == "176"
    assert (value.quantities[0].dimension, value.quantities[0].low) == ("GBP", 176e6)


@pytest.mark.parametrize(
    ("label", "dimension", "scale"),
    [
        ("Output (GWh)", "energy", 1.0),
        ("altitude_m", "length", 1.0),
        ("Price (EUR)", "EUR", 1.0),
        ("Price EUR/m", "EUR", 1.0),
        ("Power kW", "power", 1.0),
        ("Speed km/h", "speed", 1.0),
        ("Noise dB", "sound", 1.0),
        ("Minimum order m", "length", 1.0),
        ("Votes m", "", 1.0),
        ("weight g", "mass", 1.0),
        ("Tank capacity L", "volume", 1.0),
        ("Walking time h", "time", 1.0),
        ("Team g", "", 1.0),
        ("Weight h", "", 1.0),
        ("Group C", "", 1.0),
        ("Name", "", 1.0),
    ],
)
def test_units_of_labels(label: str, dimension: str, scale: float) -> None:
    units, factor, _ = label_units(label)
    assert ([unit.dimension for unit in units] or [""])[0] == dimension
    assert factor == scale


@pytest.mark.parametrize("label", ["20 mg", "Colvidan 20 mg", "14 days", "1.5 km", "after 3 hours"])
def test_a_label_that_states_a_quantity_gives_its_cells_no_unit(label: str) -> None:
    assert label_units(label) == ((), 1.0, label)


@pytest.mark.parametrize(
    ("label", "name"), [("Mass kg", "Mass"), ("Mass 2024 kg", "Mass 2024"), ("Wait in days", "Wait in days")]
)
def test_a_label_that_ends_in_a_unit_gives_it_to_its_cells(label: str, name: str) -> None:
    told = label_units(label)
    assert (len(told.units) > 0, told.name) == (True, name)


def test_records_and_rows_are_split_into_cells() -> None:
    record, row = "hut: Falcon\nbeds: 64", "Sheet. Hut: Falcon; Beds: 64"
    for text in (record, row):
        assert [text[field.start : field.end] for field in fields_of(text)] == ["Falcon", "64"]


def test_prose_with_a_colon_is_no_record() -> None:
    assert fields_of("Note: it rains. We stay at home.") == ()


def test_a_date_takes_the_only_year_of_its_sentence() -> None:
    values = ValueText("1936: a flood in February destroys a pier.").values
    assert any(date.start.year == 1936 for date in values[-1].dates)


@pytest.mark.parametrize(
    ("claim", "evidence", "fit"),
    [
        ("about 70 million", "69.3 million", Fit.EQUAL),
        ("nearly 400", "396", Fit.EQUAL),
        ("nearly 400", "412", Fit.DIFFERENT),
        ("£1.3 billion", "£1.28 billion", Fit.EQUAL),
        ("£1.4 billion", "£1.28 billion", Fit.DIFFERENT),
        ("69", "70", Fit.DIFFERENT),
        ("538 feet", "164 m", Fit.EQUAL),
        ("312 feet", "312 m", Fit.DIFFERENT),
        ("720 hours", "30 days", Fit.EQUAL),
        ("1 month", "30 days", Fit.EQUAL),
        ("20 USD", "20 EUR", Fit.DIFFERENT),
        ("25 USD", "20 EUR", Fit.UNRELATED),
        ("5 kg", "5 km", Fit.UNRELATED),
        ("10 GB", "10,240 MB", Fit.EQUAL),
        ("7 days", "5-10 days", Fit.COMPATIBLE),
        ("12 days", "5-10 days", Fit.DIFFERENT),
        ("more than 10 days", "5-10 days", Fit.DIFFERENT),
        ("less than 5 days", "5-10 days", Fit.DIFFERENT),
        ("more than 8 days", "5-10 days", Fit.COMPATIBLE),
        ("less than 6 days", "5-10 days", Fit.COMPATIBLE),
        ("at least 5", "8", Fit.EQUAL),
        ("at least 5", "3", Fit.DIFFERENT),
        ("up to 10", "up to 15", Fit.DIFFERENT),
        ("fewer than 5%", "more than 1 in 10", Fit.DIFFERENT),
        ("67%", "two-thirds", Fit.EQUAL),
        ("$10 per month", "$120 per year", Fit.EQUAL),
        ("in the 1990s", "in 1994", Fit.EQUAL),
        ("in 1994", "in the 1990s", Fit.COMPATIBLE),
        ("in March 2024", "3 March 2024", Fit.EQUAL),
        ("3 March 2024", "in March 2024", Fit.COMPATIBLE),
        ("mid-June", "15 June", Fit.EQUAL),
        ("Q3 2024", "the third quarter of 2024", Fit.EQUAL),
        ("before 1990", "in 1988", Fit.EQUAL),
        ("before 1990", "in 1992", Fit.DIFFERENT),
        ("ISO 27001", "ISO 9001", Fit.DIFFERENT),
        ("ISO 27001", "RFC 27001", Fit.UNRELATED),
    ],
)
def test_comparison(claim: str, evidence: str, fit: Fit) -> None:
    (mine,), (theirs,) = parse(claim), parse(evidence)
    assert compare(mine, theirs).fit is fit


@example("8°T2 4")
@given(st.text(alphabet="0123456789.,-/%$€ mkgday°thoneTo(|:;\n", max_size=60))
def test_any_text_gives_ordered_values_without_overlaps(text: str) -> None:
    values = parse(text)
    ends = [0, *(value.end for value in values)]
    assert all(end <= value.start <= value.core[0] for end, value in zip(ends, values, strict=False))
    assert all(0 <= value.core[0] < value.core[1] <= value.end <= len(text) for value in values)
    numbers = [part for value in values for one in value.quantities for part in (one.low, one.high)]
    assert all(math.isfinite(number) for number in numbers)


@given(st.floats(min_value=0.01, max_value=1e9), st.sampled_from(["kg", "m", "EUR", "days", "%"]))
def test_a_value_equals_itself_in_any_unit(number: float, unit: str) -> None:
    (value,) = parse(f"it is {number:,.2f} {unit} now")
    assert compare(value, value).fit is Fit.EQUAL


def test_hostile_lengths_take_linear_time() -> None:
    assert parse("1" * 100_000) == ()
    assert parse("9-" * 20_000) is not None
    assert len(parse("12 EUR, " * 5_000)) == 5_000


@pytest.mark.parametrize(
    ("claim", "evidence", "fit"),
    [
        ("Ada Brill finished third.", "Ada Brill came second.", Fit.DIFFERENT),
        ("Ada Brill finished second.", "Ada Brill took second place.", Fit.EQUAL),
        ("The rye loaf came third.", "Dish: rye loaf; Points: 81; Place: 2", Fit.DIFFERENT),
        ("The rye loaf was second.", "Dish: rye loaf; Points: 81; Place: 2", Fit.EQUAL),
    ],
)
def test_a_rank_is_compared_however_it_is_told(claim: str, evidence: str, fit: Fit) -> None:
    [rank] = [value for value in parse(claim) if value.quantities[0].dimension == "rank"]
    [told] = [value for value in parse(evidence) if value.quantities[0].dimension == "rank"]
    assert compare(rank, told).fit is fit


def test_a_rank_that_leans_on_another_is_one() -> None:
    text = "Ada came second in the sprint and Ole third; their first manager was there in the first place."
    ranks = [value for value in parse(text) if value.quantities and value.quantities[0].dimension == "rank"]
    assert [text[slice(*value.core)] for value in ranks] == ["second", "third"]
