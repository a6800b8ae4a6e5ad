"""A number in its text in; the same as an age, where the words around it say how old somebody is, out."""

from __future__ import annotations

import re
from dataclasses import replace

from verifier.core.lexicon import lexicon
from verifier_signals.stems import word_key
from verifier_signals.values.ellipsis import is_bare, is_verb
from verifier_signals.values.types import Quantity, Value

__all__ = ["PEOPLE", "aged", "modifies_people"]

_PEOPLE = lexicon("""
    child children people person persons adult adults reader readers passenger passengers patient patients kid kids
    girl girls boy boys woman women man men student students member members guest guests visitor visitors user users
    customer customers pupil pupils anyone everyone nobody those teenager teenagers traveller travellers rider riders
    driver drivers swimmer swimmers player players applicant applicants volunteer volunteers infant infants baby babies
    son sons daughter daughters
    """)
PEOPLE = frozenset(map(word_key, _PEOPLE))
"""Stems of the nouns that ages are told of: an age of children is one of people, too."""
_PERSON = rf"\b(?:{'|'.join(sorted(_PEOPLE, key=len, reverse=True))})"
_OLD = re.compile(r"[- ]olds?\b|\s+of\s+age\b", re.IGNORECASE)
_AGED = re.compile(
    r"\b(?:aged|age(?:\s+limit)?(?:\s+(?:of|is|was))?|(?:older|younger)\s+than)\s+(?:about\s+|over\s+|under\s+|at\s+least\s+)?\Z",
    re.IGNORECASE,
)
_LIMIT = r"\s+(?:under|over|below|above|from|between|aged)\s+(?:the\s+age\s+of\s+)?\Z"
_OF_AN_AGE = re.compile(rf"{_PERSON}{_LIMIT}", re.IGNORECASE)
_ARE_OF_AN_AGE = re.compile(
    rf"(?:{_PERSON}(?:\s+who)?|\b(?:whom|them)(?:\s+[\d.,]+)?)\s+(?:is|are|was|were){_LIMIT}", re.IGNORECASE
)
_OF_SO_MANY = re.compile(rf"(?P<one>\ban?\s+)?{_PERSON}\s+of\s+\Z", re.IGNORECASE)
"""``A child of twelve``: an age, where nothing follows that the number could count."""
_LAST_WORD = re.compile(rf"{_PERSON}\s+\Z", re.IGNORECASE)
_LAST_OF_CUES = lexicon("aged age limit of is was than about over under least below above from between")
"""The last words of what tells an age in front of a number."""
_LETTERS = re.compile(r"[A-Za-z]+")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_REACH = 40
_OLDEST = 120
_DIGITS = 6
"""Digits behind the point of an age in years, so that four years of seconds are four years again."""
_YEAR_LENGTH = 31557600.0


def aged(text: str, value: Value) -> Value:
    """``twelve-year-old``, ``aged 12``, ``children under 5``: an age, which no duration is compared with.

    Where a limit may as well be one of the number of people, the count stays its first reading.
    """
    old = _OLD.match(text, value.core[1])
    unit = value.quantities[0].unit
    if old is not None and unit.startswith("year"):
        quantities = [_in_years(one, 1.0 / _YEAR_LENGTH) for one in value.quantities]
        end = max(value.end, old.end())
        return replace(value, quantities=tuple(quantities), end=end, core=(value.core[0], old.end()))
    if value.kind != "number" or value.quantities[0].dimension:
        return value
    before = text[max(0, value.core[0] - _REACH) : value.core[0]]
    if _LAST_OF_CUES.isdisjoint(_LETTERS.findall(before.lower())[-1:]):
        return value
    years = tuple(_in_years(one, 1.0) for one in value.quantities)
    so_few = value.quantities[0].high <= _OLDEST
    if _AGED.search(before) or (so_few and _ARE_OF_AN_AGE.search(before)):
        return replace(value, kind="unit", quantities=years)
    if _OF_AN_AGE.search(before) or (so_few and _is_so_old(text, value, before)):
        return replace(value, quantities=(*value.quantities, *years))
    return value


def modifies_people(before: str) -> bool:
    """Whether what follows a text says of which age the people are who stand last in it (``children`` ``under 8``)."""
    return _LAST_WORD.search(before) is not None


def _is_so_old(text: str, value: Value, before: str) -> bool:
    """Whether ``of`` and a number tell how old somebody is, and nothing follows that the number could count."""
    person = _OF_SO_MANY.search(before)
    if person is None:
        return False
    following = _NEXT_WORD.match(text, value.end)
    tells = person["one"] is not None and following is not None and is_verb(following[1])
    return tells or is_bare(text, value)


def _in_years(one: Quantity, factor: float) -> Quantity:
    low, high = (round(years * factor, _DIGITS) for years in (one.low, one.high))
    return Quantity("age", low, high, one.place * factor, one.coarse * factor)
