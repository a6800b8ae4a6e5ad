"""The dates in the head of a document, and whether they give the date of a claim.

A policy that begins ``Version of 1 March 2021`` is what a claim calls the rules of 2021, though no other sentence of it
has a year; and in minutes of May 2025 ``last year`` is 2024.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from verifier.core.text import sentence_spans
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText, values_of
from verifier_signals.values.ellipsis import is_verb
from verifier_signals.values.types import Date, Day, Fit, Form, Value

__all__ = ["document_dates", "gives_date"]

_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]*")
_DATED = re.compile(
    r"\b(?:versions?|editions?|dated|issued?|published|updated|revised|revision|effective|valid|in\s+force|as\s+(?:of|at)|adopted"
    r"|approved|minutes|meeting|report(?:ed|s)?|status|date)\b",
    re.IGNORECASE,
)
"""Words that say of a date that the document bears it."""
_OTHERS = re.compile(
    r"\b(?:replac\w+|supersed\w+|former(?:ly)?|previous(?:ly)?|earlier|instead|until|till|founded|established|since|born)\b",
    re.IGNORECASE,
)
"""Words in front of a date that is another document's, or no document's."""
_WORD = re.compile(r"[^\W\d_]+")
_AGO = re.compile(
    r"\b(?P<last>(?:last|the\s+previous|the\s+preceding)\s+(?:year|season)|a\s+year\s+(?:earlier|before|ago)|the\s+year\s+before)\b"
    r"|\b(?P<this>(?:this|the\s+current)\s+(?:year|season))\b|\b(?P<next>next\s+(?:year|season))\b",
    re.IGNORECASE,
)
_STEPS = {"last": -1, "this": 0, "next": 1}


@lru_cache(maxsize=512)
def document_dates(head: str) -> tuple[Date, ...]:
    """The dates that a document bears, by its first lines, up to the first sentence that tells something else.

    Only those with a year; a year alone only behind a word that says so (``edition of 2021``).

    >>> [date.start.year for date in document_dates("# Loans\\n\\nIssue of 1 March 2021. Replaces the rules of 2014.")]
    [2021]
    """
    text = values_of(head)
    found: list[Date] = []
    for start, end in sentence_spans(head):
        sentence = _HEADING.sub("", head[start:end])
        dated = _DATED.search(sentence) is not None
        if not (dated or _OTHERS.search(sentence)) and _tells_something(sentence):
            break
        for value in text.values:
            if start <= value.core[0] < end and not _OTHERS.search(head, start, value.core[0]):
                found += [date for date in value.dates[:1] if _is_full(date.start, named=dated)]
    return tuple(dict.fromkeys(found))


def _tells_something(sentence: str) -> bool:
    """Whether a sentence has a verb in small letters, as titles and bylines have none."""
    return any(word[0][0].islower() and is_verb(word[0]) for word in _WORD.finditer(sentence))


def _is_full(day: Day, *, named: bool) -> bool:
    return day.year is not None and day.span == 1 and (named or day.month is not None or bool(day.part))


def gives_date(claim: Value, evidence: ValueText, dates: Sequence[Date]) -> bool:
    """Whether a passage tells the date of a claim by the dates that its document bears: as one of these, as a date
    whose year the passage leaves out, or as last, this or next year."""
    if not claim.dates or not dates:
        return False
    point = claim.form is Form.POINT
    if point and any(_is_same_date(claim, replace(claim, dates=(date,))) for date in dates):
        return True
    years = {date.start.year for date in dates}
    if len(years) != 1:
        return False
    year = next(iter(years)) or 0
    near = (_in_year(value, year) for value in evidence.values if value.dates and value.form is claim.form)
    return any(_is_same_date(claim, value) for value in near if value) or _is_relative(
        claim, evidence.text, year
    )


def _is_same_date(claim: Value, evidence: Value) -> bool:
    return compare(claim, evidence).fit is Fit.EQUAL


def _in_year(value: Value, year: int) -> Value | None:
    """A date without a year as one of that year, ``None`` for every other."""
    days = [day for date in value.dates for day in (date.start, date.end) if day]
    if any(day.year is not None for day in days) or all(day.month is None for day in days):
        return None
    dates = tuple(
        replace(date, start=replace(date.start, year=year), end=date.end and replace(date.end, year=year))
        for date in value.dates
    )
    return replace(value, dates=dates)


def _is_relative(claim: Value, text: str, year: int) -> bool:
    """Whether a claim's bare year is the one that the passage calls last, this or next year."""
    own = {date.start for date in claim.dates}
    return claim.form is Form.POINT and any(
        own == {Day(year + _STEPS[match.lastgroup or ""])} for match in _AGO.finditer(text)
    )
