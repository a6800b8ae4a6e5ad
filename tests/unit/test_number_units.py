"""The unit table against the constants of another library, and its own consistency."""

from __future__ import annotations

import math

import pytest
from scipy import constants
from verifier_signals.number import NumberSignal
from verifier_signals.types import Outcome
from verifier_signals.types import TextPair as Pair
from verifier_signals.values.units import currency, lookup, unit_after, units


@pytest.mark.parametrize(
    ("spelling", "dimension", "factor"),
    [
        ("inches", "length", constants.inch),
        ("ft", "length", constants.foot),
        ("yards", "length", constants.yard),
        ("miles", "length", constants.mile),
        ("nautical miles", "length", constants.nautical_mile),
        ("light-years", "length", constants.light_year),
        ("acres", "area", constants.acre),
        ("hectares", "area", constants.hectare),
        ("litres", "volume", constants.liter),
        ("gallons", "volume", constants.gallon),
        ("gallons", "volume", constants.gallon_imp),
        ("barrels", "volume", constants.barrel),
        ("fluid ounces", "volume", constants.fluid_ounce_US),
        ("fluid ounces", "volume", constants.fluid_ounce_imp),
        ("lb", "mass", constants.pound),
        ("oz", "mass", constants.ounce),
        ("stone", "mass", constants.stone),
        ("tons", "mass", constants.short_ton),
        ("tons", "mass", constants.long_ton),
        ("weeks", "time", constants.week),
        ("years", "time", constants.Julian_year),
        ("mph", "speed", constants.mph),
        ("km/h", "speed", constants.kmh),
        ("knots", "speed", constants.knot),
        ("bar", "pressure", constants.bar),
        ("psi", "pressure", constants.psi),
        ("atm", "pressure", constants.atm),
        ("horsepower", "power", constants.hp),
        ("calories", "energy", constants.calorie_th),
        ("BTU", "energy", constants.Btu_IT),
        ("KiB", "data", constants.kibi),
        ("GiB", "data", constants.gibi),
    ],
)
def test_a_factor_is_that_of_an_independent_table(spelling: str, dimension: str, factor: float) -> None:
    readings = [unit.factor for unit in lookup(spelling) if unit.dimension == dimension]
    assert any(math.isclose(reading, factor, rel_tol=1e-9) for reading in readings)


@pytest.mark.parametrize("number", [-40.0, 0.0, 98.6, 451.0])
def test_temperatures_convert_as_the_library_does(number: float) -> None:
    for spelling, scale in (("°F", "Fahrenheit"), ("°C", "Celsius"), ("K", "Kelvin")):
        (unit,) = lookup(spelling)
        kelvin = (number + unit.offset) * unit.factor
        assert math.isclose(kelvin, constants.convert_temperature(number, scale, "Kelvin"), rel_tol=1e-9)


def test_every_prefix_of_a_symbol_has_its_power_of_ten() -> None:
    powers = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    for base in ("W", "Wh", "Hz", "J", "B"):
        known = [prefix for prefix in powers if lookup(prefix + base)]
        factors = {prefix: min(unit.factor for unit in lookup(prefix + base)) for prefix in known}
        assert len(factors) >= 3
        ratios = [factors[prefix] / powers[prefix] for prefix in factors]
        assert max(ratios) == pytest.approx(min(ratios))


def test_every_unit_converts() -> None:
    for spelling, readings in units().items():
        assert spelling.strip() == spelling
        assert all(unit.factor > 0 and math.isfinite(unit.offset) and unit.dimension for unit in readings)


def test_case_is_forgiven_only_where_it_tells_nothing() -> None:
    assert lookup("GWH") != ()
    assert lookup("DAYS")[0].dimension == "time"
    assert lookup("mw") == ()  # milliwatt or megawatt


def test_a_currency_is_told_from_other_units() -> None:
    assert [unit.dimension for unit in currency("pounds")] == ["GBP"]
    assert currency("kg") == ()


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("30 business days", 16),
        ("30 days later", 7),
        ("30 apples", 2),
        ("50p", 3),
        ("50 p", 2),
        ("5 in Rome", 1),
    ],
)
def test_the_unit_behind_a_number_ends_where_it_ends(text: str, end: int) -> None:
    digits = len(text) - len(text.lstrip("0123456789"))
    assert unit_after(text, digits)[1] == end


@pytest.mark.parametrize(
    ("premise", "hypothesis", "outcome"),
    [
        ("Flour costs €1.20 per kg.", "Flour costs €1.20 per tonne.", Outcome.CONFLICTING),
        ("Grain costs 240 euros per tonne.", "Grain costs 240 euros per kg.", Outcome.CONFLICTING),
        ("Grain costs 240 euros per tonne.", "Grain costs 0.24 euros per kg.", Outcome.CONSISTENT),
        ("Flour costs €1.20 per kg.", "Flour costs €1,200 a tonne.", Outcome.CONSISTENT),
        ("Apples cost 3 euros per kg.", "Apples cost 3 euros a kilo.", Outcome.CONSISTENT),
        ("Apples cost 3 euros per kg.", "Apples cost 3 euros.", Outcome.CONSISTENT),
    ],
)
def test_prices_of_a_mass_are_converted(premise: str, hypothesis: str, outcome: Outcome) -> None:
    assert NumberSignal().score([Pair(premise, hypothesis)])[0].outcome is outcome
