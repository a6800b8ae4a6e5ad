"""A position in a text in, the identifier that stands there out: codes, labels with a number, scores, names."""

from __future__ import annotations

import re

from signals.syntax import FUNCTION_WORDS
from signals.values.cues import LABEL
from signals.values.numerals import numeral_at
from signals.values.types import Date, Day, Form, Quantity, Value
from signals.values.units import unit_after

__all__ = ["code", "code_in_digits", "label_code", "labelled_code", "name_with_number"]

_DIGIT_CODE = re.compile(r"\d+(?:[A-Za-z]+\d[\w-]*|[A-Z]{1,3}(?![\w/])|[A-Za-z]{2,}\b)")
_COLON_RATIO = re.compile(r"(\d{1,3}):(\d{1,3})(?![\d:])")
_SCORE = re.compile(r"(\d{1,3})[-–](\d{1,3})(?![\w-]|[.,]\d|\s?%)")
_CODE_PARTS = re.compile(r"(?P<prefix>.*?[A-Za-z#.])[\s‑–-]*(?P<number>\d.*)\Z", re.DOTALL)
_LABEL_NUMBER = re.compile(r"\d+(?:[.-]\d+)*[a-z]?(?![\w%°]|,\d)")
_LONGEST_YEAR_OF_SCHOOL = 2
"""Digits: ``Year 9`` is a name, ``Year 2024`` a date."""
_NAME = re.compile(r"(?<![.!?:|] )\b(?P<name>[A-Z][\w'’]*)[ \u00a0]\Z")
_NAME_NUMBER = re.compile(r"\d{1,4}(?![\w%°]|[.,:]\d|\s?[-–/]\s?\d)")
_YEARS = range(1900, 2100)
_COUNTED = re.compile(r"\s+(?:of\s+the\s+)?(?P<word>(?!\w+ly\b)[a-z][\w-]+)")


def code(text: str, start: int, end: int) -> Value:
    """The identifier at ``start:end``: comparable with those of the same prefix (``AES-128``, ``AES-256``)."""
    parts = _CODE_PARTS.match(text[start:end])
    prefix = re.sub(r"[\s‑–-]+", "", parts["prefix"]).lower().rstrip(".") if parts else ""
    number = (parts["number"] if parts else text[start:end]).lower()
    unit = re.sub(r"[\s‑–-]+", "-", number).rstrip(".-")
    quantity = Quantity(f"code:{prefix}", 0.0, 0.0, 0.0, 0.0, unit)
    return Value(start, end, (start, end), "code", Form.POINT, (quantity,))


def labelled_code(text: str, start: int) -> Value | None:
    """``version 3``, ``ISO 27001``: the label belongs to the value."""
    low = max(0, start - 24)
    label = LABEL.search(text[low:start])
    number = _LABEL_NUMBER.match(text, start) if label else None
    if label is None or number is None or unit_after(text, number.end())[0]:
        return None
    if label["label"] == "Year" and number.end() - start > _LONGEST_YEAR_OF_SCHOOL:
        return None
    return code(text, low + label.start("label"), number.end())


def label_code(label: str, number: str) -> Quantity | None:
    """What ``Risk class: 6`` says as an identifier (``class 6``); ``None`` where the label ends with no such word."""
    text = f"{label.replace('_', ' ')} {number}"
    value = labelled_code(text, len(label) + 1) if number.isdecimal() else None
    return value.quantities[0] if value is not None else None


def name_with_number(text: str, start: int) -> Value | None:
    """``Blade Runner 2049``, ``Easter 2020``: a number that belongs to a name. Weak, because names are not figures."""
    low = max(0, start - 24)
    name, number = _NAME.search(text[low:start]), _NAME_NUMBER.match(text, start)
    if (
        name is None
        or number is None
        or name["name"].lower() in FUNCTION_WORDS
        or unit_after(text, number.end())[0]
    ):
        return None
    counted = _COUNTED.match(text, number.end())
    if counted is not None and counted["word"] not in FUNCTION_WORDS:
        return None
    quantity = Quantity(f"code:{name['name'].lower()}", 0.0, 0.0, 0.0, 0.0, number[0])
    span = (low + name.start("name"), number.end())
    year = (Date(Day(int(number[0]))),) if int(number[0]) in _YEARS else ()
    return Value(*span, span, "code", Form.POINT, (quantity,), year, weak=True)


def code_in_digits(text: str, start: int) -> Value | None:
    """Ratios, scores and tokens such as ``3D`` that only look like quantities."""
    score = _SCORE.match(text, start)
    if score is not None and int(score[1]) > int(score[2]) and not unit_after(text, score.end())[0]:
        quantity = Quantity("code:score", 0.0, 0.0, 0.0, 0.0, f"{score[1]}-{score[2]}")
        return Value(start, score.end(), score.span(), "code", Form.POINT, (quantity,))
    ratio = _COLON_RATIO.match(text, start)
    if ratio is not None and int(ratio[2]):
        value = int(ratio[1]) / int(ratio[2])
        return Value(
            start,
            ratio.end(),
            ratio.span(),
            "number",
            Form.POINT,
            (Quantity("ratio", value, value, 0.01, 0.01),),
        )
    token = _DIGIT_CODE.match(text, start)
    if token is not None:
        numeral = numeral_at(text, start)
        if numeral is None or (numeral.end < token.end() and unit_after(text, numeral.end)[1] < token.end()):
            return code(text, start, token.end())
    return None
