"""Figures whose unit or noun is left out, since a neighbour has it: the same values with what is understood.

``Entrance is 18 francs; students pay 9``: the nine are francs. ``Pupils may keep books for 3, staff for 8 weeks``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import FUNCTION_WORDS
from verifier_signals.values.fields import field_at, fields_of
from verifier_signals.values.types import Date, Day, Value
from verifier_signals.values.units import in_unit, lookup

__all__ = ["completed", "coordinated", "is_bare", "is_verb"]

_AUXILIARY = lexicon("is are was were be has have had will can may must shall should would could does do did")
_MOSTLY = 0.6
"""A form that is a verb at least this often is taken for one."""
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_COORDINATED = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+)?|\s(?:and|or|to)\s+)\Z", re.IGNORECASE)
_LONGEST_JOINT = 8
_PARTICLES = lexicon("back away together home here there")
_RELATIVE = frozenset({"share", "points", "times"})
_QUARTERS = 4
_NEIGHBOURS = 16
"""A figure is completed by one of so many before it or behind it."""
_FIGURES = frozenset({"unit", "number"})


def is_verb(surface: str) -> bool:
    """Whether a word is an auxiliary, or a form that is mostly a verb."""
    verb = verb_of(surface.lower())
    return surface in _AUXILIARY or (verb is not None and verb.share >= _MOSTLY)


def _is_verb_behind_count(text: str, word: re.Match[str]) -> bool:
    """Whether a word behind a count is the verb that tells of it: no plural (``96 returns``), no adjective."""
    verb = verb_of(word[1].lower())
    if word[1] in _AUXILIARY:
        return True
    following = _NEXT_WORD.match(text, word.end())
    if word[1].endswith("ed") and following is None:
        return True
    if verb is None or verb.share < _MOSTLY or verb.form == "s":
        return False
    return (
        verb.form == "base"
        or following is None
        or following[1].lower() in FUNCTION_WORDS
        or following[1] in _PARTICLES
    )


def is_bare(text: str, value: Value) -> bool:
    """Whether a count stands without unit or noun: before a mark, a function word or a verb."""
    if value.kind != "number" or value.dates or all(one.dimension for one in value.quantities):
        return False
    word = _NEXT_WORD.match(text, value.end)
    if word is None:
        return text[value.end : value.end + 1] not in ("-", "‑")
    return word[1].lower() in FUNCTION_WORDS or _is_verb_behind_count(text, word)


def coordinated(text: str, end: int, start: int) -> bool:
    """Whether nothing but a comma or a conjunction stands between ``end`` and ``start``."""
    return start - end <= _LONGEST_JOINT and _COORDINATED.match(text[end:start]) is not None


def completed(
    text: str, values: Sequence[Value], sentence: Callable[[Value], tuple[int, int]]
) -> tuple[Value, ...]:
    """Give each bare figure the unit of the figure it is coordinated with, or of the last one in its sentence.

    The plain count stays its second reading.
    """
    found = list(values)
    fields = fields_of(text)
    for at, value in enumerate(found):
        if value.kind == "ordinal":
            found[at] = _with_quarter(text, found, at, sentence(value)[0])
            continue
        if value.weak or value.may_be_age or not is_bare(text, value) or field_at(fields, value.core[0]):
            continue
        if at and _is_age_too(text, found[at - 1], value):
            years = replace(value.quantities[0], dimension="age")
            found[at] = replace(value, quantities=(years, *value.quantities))
            continue
        source = _source_behind(text, found, at) or _source_before(found, at, sentence(value)[0])
        if source is not None:
            found[at] = _with_unit_of(value, source)
    return tuple(found)


def _is_age_too(text: str, before: Value, value: Value) -> bool:
    """``Children aged 6 and 9``: a count that is coordinated with an age."""
    aged = bool(before.quantities) and before.quantities[0].dimension == "age"
    return aged and coordinated(text, before.end, value.start)


def _source_behind(text: str, values: Sequence[Value], at: int) -> Value | None:
    """``Lengths of 5, 10 and 25 m``: the unit that stands at the end of a list."""
    for here, following in itertools.pairwise(values[at : at + _NEIGHBOURS]):
        if not coordinated(text, here.end, following.start):
            return None
        if following.kind == "unit":
            return following
    return None


def _source_before(values: Sequence[Value], at: int, start: int) -> Value | None:
    """The last figure before it in the sentence, if that has a unit: a count in between names another thing."""
    relative: Value | None = None
    for value in reversed(values[max(0, at - _NEIGHBOURS) : at]):
        if value.start < start:
            break
        if value.kind in _FIGURES and not value.weak:
            if value.kind != "unit":
                break
            if value.quantities[0].dimension not in _RELATIVE:
                return value
            relative = relative or value
    return relative


def _with_quarter(text: str, values: Sequence[Value], at: int, start: int) -> Value:
    """``In the first quarter and in the second``: the quarter that is left out behind an ordinal."""
    value = values[at]
    number = value.quantities[0].low
    follows = _NEXT_WORD.match(text, value.end)
    bare = follows is None or follows[1].lower() in FUNCTION_WORDS
    for other in reversed(values[max(0, at - _NEIGHBOURS) : at]) if bare and number <= _QUARTERS else ():
        if other.start < start:
            break
        day = other.dates[0].start if other.dates else Day()
        if day.part.startswith("Q"):
            dates = (Date(replace(day, part=f"Q{number:.0f}")),)
            return replace(value, kind="date", quantities=(), dates=dates)
    return value


def _with_unit_of(value: Value, source: Value) -> Value:
    bare = value.quantities[0]
    readings = [
        in_unit(bare, unit)
        for one in source.quantities
        for unit in lookup(one.unit)
        if unit.dimension == one.dimension
    ]
    distinct = tuple(dict.fromkeys(readings))
    return replace(value, kind="unit", quantities=(*distinct, *value.quantities)) if distinct else value
