"""Extraction of all values of a text, left to right, with exact spans: numbers with units, dates, times and codes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verifier.core.patterns import compiled_later
from verifier_signals.values.codes import (
    PHONE,
    ROMAN,
    code,
    code_in_digits,
    label_code,
    labelled_code,
    name_with_number,
    numbered_in_words,
    phone,
    roman_number,
    with_part_number,
)
from verifier_signals.values.dates import CALENDAR_WORD, CALENDAR_WORDS, resolve_day_month_order
from verifier_signals.values.fields import Field, field_at, fields_of, label_units
from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.quantities import in_brackets, quantity_at
from verifier_signals.values.rates import FREQUENCY_WORDS, MULTIPLE_WORD, TIME_WORD, frequency_at
from verifier_signals.values.time_expressions import moment_at
from verifier_signals.values.types import Day, Form, Quantity, Value
from verifier_signals.values.units import CURRENCY_CODE, CURRENCY_SIGN, MeasurementUnit, in_unit

__all__ = ["parse"]


def _by_initial(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first, in which one letter rules out all words of other initials.

    >>> _by_initial(["one", "six", "sixty"])
    'o(?:ne)|s(?:ixty|ix)'
    """
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{initial}(?:{'|'.join(some)})" for initial, some in sorted(rests.items()))


_WORD = (
    rf"\b(?i:{_by_initial(NUMBER_WORDS)}|twice|thrice|once|{MULTIPLE_WORD})\b"
    rf"|\b(?i:an?)\s(?i:hundred|thousand|million|billion|trillion|dozen|half|quarter|third|fifth|tenth|{TIME_WORD})\b"
    rf"|{CALENDAR_WORD}"
)
_CANDIDATE = compiled_later(
    # No candidate begins inside a word, or at a space but that of an indented line: most places are passed over here.
    r"(?=(?<![A-Za-z\d])[A-Za-z]|[^A-Za-z \t]|^[ \t])(?:"
    r"(?P<marker>^[ \t]*(?:[-*+•][ \t]+)?\(?\d{1,3}[.)](?=[ \t])|(?:±|\+/?[-−])\s?\d[\d.,]*)"
    rf"|(?P<phone>{PHONE})"
    rf"|(?P<roman>\b{ROMAN})"
    r"|(?P<chain>(?<![\w.])(?:v?\d+(?:\.\d+){2,}(?:[\w.-]*\w)?"
    r"|\d{4,}[-/]\d{3,}[-/\d]*)(?!\w)|\d{1,3}°\s?\d{1,2}[′'’][\d.′″'’\"NSEW]*)"
    rf"|(?P<money>(?<![A-Za-z\d])(?:{CURRENCY_SIGN}|{CURRENCY_CODE})[ \u00a0\u202f]?)(?=[-−]?[\d½¼¾])"
    r"|(?P<code>\b(?!(?:mid|pre|post|sub|non|under|over|early|late|c|ca|p|pp|no|fig|to|a|an|the|of|in)-?\d)"
    r"[A-Za-z]{1,12}[-‑–]?\d[\w-]*(?:\.\d+)*)"
    r"|(?P<digit>\d+|[¼½¾⅐-⅞])"
    rf"|(?P<word>{_WORD}))",
    re.MULTILINE,
)
_DIGIT = compiled_later(r"[\d¼½¾⅐-⅞]")
_LEAD = 16
"""A candidate with a digit begins so many code points before its first one at most, but for a marker."""
_MARKER_LEADS = " \t-*+•"
_LETTERS = compiled_later(r"[A-Za-z]+")
_ARTICLE_AND_WORD = compiled_later(r"(?:\b[Aa][Nn]?\s)?(?![Aa][Nn]?\s)([A-Za-z]+)")
_OPENING = NUMBER_WORDS | FREQUENCY_WORDS | CALENDAR_WORDS | frozenset(TIME_WORD.split("|"))
"""Words that a candidate begins with, behind an article or without, in lower case."""
_LABEL_AND_BRACKET = compiled_later(r"[^\n:;.?!]{1,60}:\s\(")
_LINE_END = compiled_later(r"\)\s*(?:;|\n|\Z)")
_ROMAN = compiled_later(rf"(?<=\s){ROMAN}")
_DOTTED_DATE = compiled_later(r"\d{1,2}\.\d{1,2}\.\d{4}(?![\w]|\.\w)")
_DOTTED_NUMBER = compiled_later(r"\d{1,3}(?:\.\d{3}){2,}(?![\w.]\w)")
_YEARS = compiled_later(r"(?:1\d|20)\d\d[-/](?:1\d|20)\d\d\Z")
_OF_TIME = compiled_later(
    r"years?|dates?|when|since|from|until|to|start\w*|end\w*|born|died|founded|established|built|open\w*|complet\w+|publish\w+"
    r"|releas\w+|launch\w+|introduc\w+|inaugurat\w+|season|edition|period|premiere\w*|signed|joined|elected|time",
    re.IGNORECASE,
)
"""A label with one of these says when; four digits under any other may as well be a count."""
_FINISHED = compiled_later(
    r"\b(?:finish(?:ed|es|ing)?|came|comes?|placed|rank(?:s|ed)|ended(?: up)?)\s+(?:in\s+|joint\s+)?$",
    re.IGNORECASE,
)
_WAS = compiled_later(r"\b(?:was|were|is|are)\s+$", re.IGNORECASE)
_CLAUSE_END = compiled_later(r"\s*(?:[,.;:)]|$)|\s+(?:and|behind|ahead|among|overall)\b")
_LEANS = compiled_later(rf"{_CLAUSE_END.pattern}|\s+(?:in|at)\b")
_FULL_STOP = compiled_later(r"[.!?]\s|\n")
_PLACE = compiled_later(r"[ -]place\b", re.IGNORECASE)
_IN_THE = compiled_later(r"\bin the $", re.IGNORECASE)
"""``In the first place`` ranks nothing."""
_RANKING = compiled_later(r"(?:^|[\s_])(?:place|placing|rank|ranking|position|pos|standing)$", re.IGNORECASE)
_YEAR_DIGITS = 4
_PART_OF_YEAR = compiled_later(r"[Qq][1-4]\b|[Hh][12]\s+(?:of\s+)?(?:19|20)\d\d\b")


@lru_cache(maxsize=2048)
def parse(text: str) -> tuple[Value, ...]:
    """The values of a text in reading order, without overlaps. Cached: signals read the same texts in turn.

    >>> text = "At least 5 kg by 3 May 2024"
    >>> [(text[value.start : value.end], value.kind) for value in parse(text)]
    [('At least 5 kg', 'unit'), ('by 3 May 2024', 'date')]
    """
    fields = fields_of(text)
    found = [_in_field(text, value, fields) for value in _values(text)]
    return tuple(_with_ranks(text, resolve_day_month_order(text, found), fields))


def _with_ranks(text: str, values: list[Value], fields: tuple[Field, ...]) -> list[Value]:
    """``Came third``, ``in third place``, a 3 in a column of places, and a bare ``third`` behind one of these in its
    sentence (``Ada came second and Ole third``), as one and the same rank."""
    last = -1
    for at, value in enumerate(values):
        leaning = last >= 0 and not _FULL_STOP.search(text, last, value.start)
        if _is_rank(text, value, fields, leaning=leaning):
            rank = tuple(replace(one, dimension="rank") for one in value.quantities)
            values[at] = replace(value, kind="unit", quantities=rank, weak=False)
            last = value.end
    return values


def _is_rank(text: str, value: Value, fields: tuple[Field, ...], *, leaning: bool) -> bool:
    if value.kind == "number" and value.form is Form.POINT and fields:
        field = field_at(fields, value.core[0])
        if field is None or value.core != (field.start, field.end):
            return False
        return _RANKING.search(field.label) is not None
    if value.kind != "ordinal":
        return False
    if _FINISHED.search(text, 0, value.start) or (leaning and _LEANS.match(text, value.end)):
        return True
    if _CLAUSE_END.match(text, value.end) and _WAS.search(text, 0, value.start):
        return True
    return bool(_PLACE.match(text, value.end)) and not _IN_THE.search(text, 0, value.start)


def _in_field(text: str, value: Value, fields: tuple[Field, ...]) -> Value:
    """A bare figure of a table in the unit and scale that its label gives."""
    field = field_at(fields, value.core[0]) if fields else None
    if value.quantities and in_brackets(text, *value.core):
        value = _in_accounts(text, value, field)
    field = field if value.kind in ("number", "date") else None
    if field is None or any(quantity.dimension for quantity in value.quantities):
        return value
    if value.kind == "date":
        return _with_count_reading(value, field)
    if value.core == (field.start, field.end) and (
        coded := label_code(field.label, text[field.start : field.end])
    ):
        return replace(value, quantities=(*value.quantities, coded))
    units, scale, _ = label_units(field.label if value.start == field.start else "")
    if value.dates and units and units[0].dimension == "time":
        return value
    if not units and scale == 1.0:
        return value
    quantities = [
        in_unit(one, unit, scale)
        for one in value.quantities
        for unit in units or (MeasurementUnit("", 1.0, 0.0, ""),)
    ]
    return replace(value, quantities=tuple(quantities), kind="unit" if units else "number")


def _in_accounts(text: str, value: Value, field: Field | None) -> Value:
    """A figure that stands in brackets and alone in its cell, or in its line behind a label, as the one below zero that
    accounts mean by them."""
    start, end = value.core
    alone = (
        (start - 1, end + 1) == (field.start, field.end)
        if field is not None
        else _alone_in_line(text, start, end)
    )
    if not alone:
        return value
    below = [replace(one, low=-one.high, high=-one.low, written=-one.written) for one in value.quantities]
    span = (start - 1, end + 1)
    return replace(value, start=span[0], end=span[1], core=span, quantities=tuple(below), dates=())


def _alone_in_line(text: str, start: int, end: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    return (
        _LABEL_AND_BRACKET.fullmatch(text, line, start) is not None and _LINE_END.match(text, end) is not None
    )


def _with_count_reading(value: Value, field: Field) -> Value:
    """Four bare digits in a cell of their own, under a label that does not speak of time, are also a count."""
    day = value.dates[0].start
    alone = value.core == (field.start, field.end) and len(value.dates) == 1
    if not alone or field.end - field.start != _YEAR_DIGITS or day != Day(day.year) or day.year is None:
        return value
    if value.form is not Form.POINT or any(map(_OF_TIME.fullmatch, re.findall(r"[A-Za-z]+", field.label))):
        return value
    count = Quantity("", float(day.year), float(day.year), 1.0, 1.0)
    return replace(value, kind="number", quantities=(count,))


def _values(text: str) -> Iterator[Value]:
    at = last = 0
    words = _openings(text)
    while (match := _candidate(text, at, words)) is not None:
        at = match.end()
        value = _value_at(text, match)
        if value is not None and value.start >= last:
            yield value
            last = value.end
            at = max(at, last)


def _candidate(text: str, at: int, words: Sequence[int]) -> re.Match[str] | None:
    """What a search for a candidate from ``at`` on finds, tried only at these words and shortly before a digit."""
    digit = _DIGIT.search(text, at)
    begin = max(at, digit.start() - _LEAD) if digit else len(text)
    while at < begin < len(text) and text[begin - 1] in _MARKER_LEADS:
        begin -= 1
    for start in words[bisect_left(words, at) : bisect_left(words, begin)]:
        if (match := _CANDIDATE.match(text, start)) is not None:
            return match
    return _CANDIDATE.search(text, begin) if digit else None


def _openings(text: str) -> list[int]:
    """Where words stand, and articles before them, that a candidate may begin with."""
    found = [match.start() for match in _ROMAN.finditer(text)]
    if _OPENING.isdisjoint(_LETTERS.findall(text.lower())):
        return found
    for match in _ARTICLE_AND_WORD.finditer(text):
        if match[1].lower() in _OPENING:
            found += sorted({match.start(), match.start(1)})
    return sorted(set(found))


def _value_at(text: str, match: re.Match[str]) -> Value | None:
    """The most particular reading of what begins at a candidate."""
    start, group = match.start(), match.lastgroup
    if group == "marker":
        return None
    if group == "roman":
        return roman_number(text, start, match.end())
    if group == "phone":
        if (number := phone(text, start, match.end())) is not None:
            return number
        group = "digit"
        start += text[start] in "+("
    if group == "chain":
        if _DOTTED_NUMBER.fullmatch(text, start, match.end()):
            return quantity_at(text, start)
        is_date = _DOTTED_DATE.match(text, start) or _YEARS.match(text, start, match.end())
        return (moment_at(text, start) if is_date else None) or code(text, start, match.end())
    if group == "code" and not _PART_OF_YEAR.match(text, start):
        return code(text, start, match.end())
    dated = None if group == "money" else moment_at(text, start)
    if dated is not None:
        return dated
    if group == "digit":
        found = labelled_code(text, start) or name_with_number(text, start) or code_in_digits(text, start)
    else:
        found = numbered_in_words(text, start) or frequency_at(text, start, match.end())
    found = found or quantity_at(text, start)
    return with_part_number(text, found) if found is not None and found.kind == "ordinal" else found
