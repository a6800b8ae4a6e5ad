"""The checks of the number signal: values, units, dates, tables and arithmetic."""

from __future__ import annotations

from verifier_signals.checks.check import Check, Example, catalogue
from verifier_signals.types import Relation

__all__ = ["NUMBER"]

_CONFLICT = frozenset({Relation.CONFLICT})
_ABSENT = frozenset({Relation.ABSENT})
_MATCH = frozenset({Relation.MATCH})

NUMBER = catalogue(
    (
        Check(
            "number.other-value",
            "values",
            "The evidence gives another value for what the claim measures or counts.",
            _CONFLICT,
            fires=(
                Example("The basin is 15 m deep.", "The basin is 12 m deep."),
                Example("Anna ran 10 km and cycled 40.", "Anna ran 40 km."),
            ),
            silent=(
                Example("Anna ran 10 km and cycled 40.", "Anna cycled 40 km."),
                Example("The mast is 5 ft 6 in tall.", "The mast is 66 inches tall."),
            ),
        ),
        Check(
            "number.other-date",
            "values",
            "The evidence gives another date or time span.",
            _CONFLICT,
            fires=(
                Example("It opened in March 2024.", "It opened on 3 May 2024."),
                Example("The war lasted from 1914 to 1918.", "The war began in 1916."),
            ),
            silent=(
                Example("It opened on 3 March 2024.", "It opened in March 2024."),
                Example("The war lasted from 1914 to 1918.", "The war ended in 1918."),
            ),
        ),
        Check(
            "number.other-code",
            "values",
            "The evidence gives another version, standard, section or code.",
            _CONFLICT,
            fires=(
                Example("The pump meets IEC 60601.", "The pump meets IEC 62304."),
                Example("Section 4 sets out the fees.", "Section 9 sets out the fees."),
            ),
            silent=(
                Example("Section 4 sets out the fees.", "Section 4 sets out the fees."),
                Example("The pump meets IEC 60601 and IEC 62304.", "The pump meets IEC 62304."),
            ),
        ),
        Check(
            "number.outside-limits",
            "values",
            "The claim's value lies outside the limits that the evidence sets.",
            _CONFLICT,
            fires=(
                Example("Refunds take 5-10 days.", "Refunds take 12 days."),
                Example("Rooms cost from 40 to 60 euros.", "A room costs 70 euros."),
            ),
            silent=(
                Example("B is for 60 to 69 marks.", "A student with 64 marks gets a B."),
                Example("Children under 5 travel free.", "A four-year-old child travels free."),
            ),
        ),
        Check(
            "number.unit-mismatch",
            "units",
            "The same figure stands with a unit of another dimension.",
            _CONFLICT,
            fires=(
                Example("The hall has a floor of 420 m².", "The hall has a floor of 420 m³."),
                Example("The plot measures 300 m².", "The plot measures 300 m³."),
            ),
            silent=(
                Example(
                    "A litre of the paint covers 8 to 10 square metres.",
                    "A litre of the paint covers 8–10 m².",
                ),
                Example("The hall has a floor of 420 m².", "The hall has a floor of 420 square metres."),
            ),
        ),
        Check(
            "number.currency-mismatch",
            "units",
            "The same sum stands in another currency.",
            _CONFLICT,
            fires=(
                Example("The fee is 20 EUR.", "The fee is 20 USD."),
                Example("The entrance fee is 18 Swiss francs; students pay 9.", "Entrance costs 18 euros."),
            ),
            silent=(
                Example("The entrance fee is 18 Swiss francs; students pay 9.", "Entrance costs CHF 18."),
                Example("The fee is 20 EUR.", "The fee is €20."),
            ),
        ),
        Check(
            "number.percentage-points",
            "units",
            "Percentage points stand against per cent.",
            _CONFLICT,
            fires=(
                Example("Turnout rose by 5 percentage points.", "Turnout rose by 5%."),
                Example("The rate fell by 2 %.", "The rate fell by 2 percentage points."),
            ),
            silent=(
                Example("Turnout rose by 5 percentage points.", "Turnout rose by 5 points."),
                Example("The rate fell by 2 %.", "The rate fell by 2 per cent."),
            ),
        ),
        Check(
            "number.other-rate",
            "units",
            "The value is stated for another period or amount: a day against a month.",
            _CONFLICT,
            fires=(
                Example("The API allows 100 requests per minute.", "The API allows 100 requests per second."),
                Example("Flour costs €1.20 per kg.", "Flour costs €1.20 per tonne."),
            ),
            silent=(
                Example("The API allows 60 requests per minute.", "The API allows 3,600 requests an hour."),
                Example("Flour costs €1.20 per kg.", "Flour costs €1,200 a tonne."),
            ),
        ),
        Check(
            "number.reckoned",
            "arithmetic",
            "Two figures of the evidence give the value, or another one: a difference, a share, a change, a rest.",
            frozenset({Relation.MATCH, Relation.CONFLICT}),
            fires=(
                Example("Rents fell from 700 to 650 euros.", "Rents fell by 650 euros."),
                Example("Of 40 crew, 10 are volunteers.", "30 of the crew are not volunteers."),
            ),
            silent=(
                Example("Rents fell from 700 to 650 euros.", "Rents fell to 700 euros."),
                Example("The bridge has 4 towers.", "The bridge cost 3 million euros."),
            ),
        ),
        Check(
            "number.none-is-zero",
            "arithmetic",
            "None of something, and 0 of it, are one.",
            _MATCH,
            fires=(
                Example("The club has 0 members.", "The club has no members."),
                Example("The club has no members.", "The club has 0 members."),
            ),
            silent=(
                Example("The club has 12 members.", "The club has 0 members."),
                Example("The club has 0 members.", "The club has 12 members."),
            ),
        ),
        Check(
            "number.within-limits",
            "limits",
            "The claim speaks of a case that the limits of the evidence cover.",
            _MATCH,
            fires=(
                Example("B is for 60 to 69 marks.", "A student with 64 marks gets a B."),
                Example("The pool is open on weekdays.", "The pool is open on Wednesday."),
            ),
            silent=(
                Example("The pool is open on weekdays.", "The pool is open on Saturday."),
                Example("Children under 5 travel free.", "Children under 12 travel free."),
            ),
        ),
        Check(
            "number.within-hours",
            "limits",
            "The time lies within the hours that the evidence gives.",
            _MATCH,
            fires=(
                Example("The archive is open from 13.00 to 18.00.", "The archive is open at 14.30."),
                Example("The reading room is open from 7:30 to 20:15.", "The reading room is open at 9:00."),
            ),
            silent=(
                Example("The archive is open from 13.00 to 18.00.", "The archive opens at 14.30."),
                Example("The archive is open from 13.00 to 18.00.", "The archive is open at 19.30."),
            ),
        ),
        Check(
            "number.stated",
            "trace",
            "The evidence states the value, as it stands or in another form.",
            _MATCH,
            fires=(
                Example("It opened on 3 March 2024.", "It opened in March 2024."),
                Example("The mast is 5 ft 6 in tall.", "The mast is 66 inches tall."),
            ),
            silent=(
                Example("The basin is 15 m deep.", "The basin is 12 m deep."),
                Example("The bridge has 4 towers.", "The bridge cost 3 million euros."),
            ),
        ),
        Check(
            "number.not-stated",
            "trace",
            "The evidence does not state the value.",
            _ABSENT,
            fires=(
                Example("The bridge has 4 towers.", "The bridge cost 3 million euros."),
                Example("Refunds are slow.", "Refunds take 12 days."),
            ),
            silent=(
                Example("The basin is 15 m deep.", "The basin is 15 m deep."),
                Example("The basin is 15 m deep.", "The basin is 12 m deep."),
            ),
        ),
    )
)
