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
            "number.other-column",
            "tables",
            "The column that the claim names has another value.",
            _CONFLICT,
            fires=(
                Example("Pupils: boys; 2019: 88; 2020: 93; 2021: 97", "In 2020 there were 97 boys."),
                Example("Alloy: B2; 7 days: 12; 14 days: 18", "After 14 days alloy B2 had 12 cracks."),
            ),
            silent=(
                Example("Pupils: boys; 2019: 88; 2020: 88", "In 2020 there were 88 boys."),
                Example(
                    "Effect: itching; 10 mg: 31; 5 mg: 14; Placebo: 12",
                    "On 5 mg 14 patients suffered from itching.",
                ),
            ),
        ),
        Check(
            "number.opposite-side",
            "sense",
            "The figure is the same, and the evidence speaks of the other side of it: until against from.",
            _CONFLICT,
            fires=(
                Example("Returns are accepted after 30 days.", "Returns are accepted within 30 days."),
                Example("Guests must leave the rooms after 11 am.", "Guests must leave the rooms by 11 am."),
            ),
            silent=(
                Example("The shop is open from 8 am until 8 pm.", "The shop is open until 8 pm."),
                Example(
                    "Returns are accepted within 14 days of delivery.",
                    "Returns are accepted no later than 14 days after delivery.",
                ),
            ),
        ),
        Check(
            "number.denied-value",
            "sense",
            "The claim denies the value that the evidence states.",
            _CONFLICT,
            fires=(
                Example(
                    "Kessmere cost seventy-four million crowns.", "Kessmere did not cost 74 million crowns."
                ),
                Example(
                    "The value on the glazing line was 0.03.", "On the glazing line the value was not 0.03."
                ),
            ),
            silent=(
                Example(
                    "The Team plan costs 29 euros a month.", "The Team plan does not cost 49 euros a month."
                ),
                Example("Returns are accepted within 30 days.", "Returns are not accepted after 30 days."),
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
            "number.counted-for-a-sum",
            "arithmetic",
            "The count is that for which a sum is reckoned that the evidence bears out.",
            _MATCH,
            fires=(
                Example(
                    "Each lesson costs 25 euros.", "Four lessons at 25 euros each cost 100 euros in total."
                ),
                Example("A ticket costs 12 euros.", "Three tickets at 12 euros each cost 36 euros in total."),
            ),
            silent=(
                Example("Each lesson costs 25 euros.", "Each lesson costs 30 euros."),
                Example("Each lesson costs 25 euros.", "Four lessons are held."),
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
            "number.both-ends",
            "limits",
            "The evidence states both ends of the claim's range.",
            _MATCH,
            fires=(
                Example(
                    "Visits rose from 310,000 in 2021 to 402,000 in 2023.",
                    "Visits rose between 2021 and 2023.",
                ),
                Example("It runs at no less than 180 and no more than 240 °C.", "It runs at 180 to 240 °C."),
            ),
            silent=(
                Example("It runs at 180 to 240 °C.", "It runs at no less than 180 and no more than 240 °C."),
                Example(
                    "Visits rose from 310,000 in 2021 to 402,000 in 2023.",
                    "The number of visits grew before 2003.",
                ),
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
            "number.other-side-of-a-limit",
            "limits",
            "The claim denies the case beyond the limit that the evidence sets.",
            _MATCH,
            fires=(
                Example("Pupils aged 12 and over may dive.", "Pupils under 12 may not dive."),
                Example("The market is held from Tuesday to Saturday.", "The market is not held on Mondays."),
            ),
            silent=(
                Example("Pupils aged 12 and over may dive.", "Pupils under 12 may dive."),
                Example("The kiosk is open from Friday to Monday.", "The kiosk is open on Sunday."),
            ),
        ),
        Check(
            "number.date-of-the-change",
            "trace",
            "The date is that of the figures from which another value of the claim is reckoned.",
            _MATCH,
            fires=(
                Example(
                    "Revenue rose from EUR 40 million in 2022 to EUR 50 million in 2023.",
                    "Revenue rose by 25% in 2023.",
                ),
                Example(
                    "In the third quarter of 2023 the yard delivered 14 ships, five more than in the second quarter.",
                    "In the second quarter of 2023 the yard delivered nine ships.",
                ),
            ),
            silent=(
                Example(
                    "Revenue rose from 100 million euros in 2021 to 120 million euros in 2023.",
                    "Revenue rose by 40 % between 2021 and 2023.",
                ),
                Example("The yard delivered 14 ships in 2023.", "The yard delivered 14 ships in 2023."),
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
