"""The words of the calendar, in lower case: months, days of the week and seasons, in full and as they are written.

What else a list of dates needs (``early``, ``noon``, ``easter``) stands where it is needed.
"""

from __future__ import annotations

__all__ = ["MONTHS", "MONTH_FORMS", "SEASONS", "WEEKDAYS", "WEEKDAY_ABBREVIATIONS", "WEEKDAY_FORMS"]

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
"""From the first to the twelfth."""

MONTH_FORMS = frozenset({*MONTHS, *(name[:3] for name in MONTHS), "sept"})
"""Months in full and abbreviated, without a period."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""From Monday on, as ISO 8601 counts them."""

WEEKDAY_ABBREVIATIONS = frozenset(day[:3] for day in WEEKDAYS)
"""Days of the week in three letters."""

WEEKDAY_FORMS = frozenset(
    {
        *WEEKDAYS,
        *(f"{day}s" for day in WEEKDAYS),
        *WEEKDAY_ABBREVIATIONS,
        *(f"{day}s" for day in WEEKDAY_ABBREVIATIONS),
        *("tues", "thur", "thurs"),
        *("weekday", "weekdays", "weekend", "weekends"),
    }
)
"""Days of the week, one or several, in full and abbreviated, and what sums them up."""

SEASONS = ("spring", "summer", "autumn", "fall", "winter")
"""The parts of a year; ``fall`` is autumn."""
