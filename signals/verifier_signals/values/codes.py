"""A position in a text in, the identifier that stands there out: codes, labels with a number, scores, names."""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import FUNCTION_WORDS
from verifier_signals.values.cues import LABEL
from verifier_signals.values.numerals import numeral_at
from verifier_signals.values.types import Date, Day, Form, Quantity, Value
from verifier_signals.values.units import unit_after

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
_LEAD = re.compile(r"(\w[\w'’-]*)\s+\Z")
_WORD = re.compile(r"\s+([^\W\d_]+)")
_PLURALS = lexicon(
    "people children men women staff police sheep fish feet crew cattle aircraft personnel strong"
)
_MOSTLY = 0.6
"""A form that is a verb at least this often is taken for one."""
_COUNTED = re.compile(r"\s+(?:of\s+the\s+)?(?P<word>(?!\w+ly\b)[a-z][\w-]+)")
_THE_NAME = re.compile(
    r"\b(?:the|an?|this|that|each|every|any|its|their|his|her|our|your|my|\w+['’]s)\s+(?:[A-Z][\w'’-]*\s+){0,2}\Z",
    re.IGNORECASE,
)
"""``The Aridon ...``: behind an article a name goes on with its number."""


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
    if _counts(text, low + name.start("name"), number.end()):
        return None
    quantity = Quantity(f"code:{name['name'].lower()}", 0.0, 0.0, 0.0, 0.0, number[0])
    span = (low + name.start("name"), number.end())
    year = (Date(Day(int(number[0]))),) if int(number[0]) in _YEARS else ()
    return Value(*span, span, "code", Form.POINT, (quantity,), year, weak=True)


def _counts(text: str, name: int, end: int) -> bool:
    """Whether the number behind the name that begins at ``name`` counts what follows it (``In Osk 300 people live``),
    and is no part of the name (``the Osk 300 pump``, ``Osk 300 weighs``, ``Veltra Osk 300 pump: manual``)."""
    counted = _COUNTED.match(text, end)
    if counted is None or counted["word"] in FUNCTION_WORDS:
        return False
    before = text[max(0, name - 60) : name]
    if _THE_NAME.search(before):
        return False
    lead = _LEAD.search(before)
    if lead is not None and lead[1].lower() in FUNCTION_WORDS:
        return True
    return not (_tells(counted["word"]) or (lead and lead[1][0].isupper() and _is_one(text, counted)))


def _tells(word: str) -> bool:
    """Whether a word is the verb of one thing, or of the past: no plural of what is counted."""
    verb = verb_of(word)
    return verb is not None and verb.form in ("s", "past") and verb.share >= _MOSTLY


def _is_one(text: str, counted: re.Match[str]) -> bool:
    """Whether a noun for one thing stands behind a number, and no other noun behind it."""
    word = counted["word"]
    following = _WORD.match(text, counted.end())
    alone = following is None or following[1].lower() in FUNCTION_WORDS
    return alone and not word.endswith("s") and word not in _PLURALS


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
