"""A text in, its values with what each one measures out: the content words around a value, by nearness."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from signals.lexicon import verb_of
from signals.stems import ContentWord, content_words, word_key
from signals.values.fields import Field, field_at, fields_of
from signals.values.grammar import parse
from signals.values.types import Date, Day, Value
from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans

__all__ = ["Tie", "ValueText", "tie"]

_STEP = 0.2
"""How fast nearness falls with each content word in between: 1 / (1 + 0.2 * distance); slower for what all share."""
_SHARED_STEP = 0.08
_NOT_SHARED = 0.5
"""Share that is left of them where the value's part of the sentence has words of its own before the value."""
_OF_ANOTHER = 0.3
"""Share that is left of words in the part of another value of the same kind."""
_BARRIER = 2.0
"""A comma, a conjunction or another value in between counts as this many words."""
_ELSEWHERE = 0.12
"""Nearness of words outside the sentence: what the whole text is about; of names, more."""
_NAME_ELSEWHERE = 0.5
_NAME_WEIGHT = 0.5
"""Names weigh less than what is said of them, but in a table, where they tell the row."""
_UNKNOWN = 0.5
_ANCHOR = 2.0
"""Years, codes and other figures in the claim that name the case weigh this much more than plain words."""
_HEAD_WORDS = 3
_SAME_ROW = 0.4
_ROW_OF_HEAD = 0.8
"""Nearness of the other cells of a row, to a figure in its first cell."""
_PROSE_CELL = 0.15
_LONG_CELL = 30
"""Code points; longer cells are prose that may speak of anything."""
_SHORT_CELL = 3
_LABEL_OF_PROSE = 0.5
"""A cell of more words than ``_SHORT_CELL`` is prose: its own words are nearer than its label."""

_LETTERS = re.compile(r"[^\W\d_]+")
_AUXILIARY = lexicon("is are was were be has have had will can may must shall should would could does do did")
_MOSTLY = 0.6
"""A form that is a verb at least this often is taken for one."""
_DASHES = tuple("-–—")
_BARRIERS = re.compile(r"[,;()–—|]|\b(?:and|or|but|while|whereas|than|against|compared)\b", re.IGNORECASE)
_ANCHOR_TEXT = re.compile(r"(?:1[4-9]|20)\d\d|\d*[A-Za-z]+\d\w*|[A-Z]\w*-?\d\w*")


class ValueText:
    """A text with its values; what its words say is worked out only when a value is compared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._near: dict[int, Mapping[str, float]] = {}

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values of the text, in reading order; dates without a year also with the year of their sentence."""
        found = parse(self.text)
        if not any(value.dates and value.dates[0].start.year is None for value in found):
            return found
        years = [value for value in found if value.kind == "date" and _year_alone(value.dates) is not None]
        return tuple(self._dated(value, years) for value in found)

    def _dated(self, value: Value, years: list[Value]) -> Value:
        """``1936: a flood in February`` speaks of February 1936."""
        if not value.dates or value.dates[0].start.year is not None or value.dates[0].start.month is None:
            return value
        start, end = self.sentence(value)
        beside = {_year_alone(year.dates) for year in years if start <= year.start < end}
        if len(beside) != 1:
            return value
        year = beside.pop()
        with_year = tuple(
            replace(date, start=replace(date.start, year=year), end=date.end and replace(date.end, year=year))
            for date in value.dates
        )
        return replace(value, dates=value.dates + with_year)

    @cached_property
    def words(self) -> list[ContentWord]:
        """Content words, those of plain quantities left out; years and codes stay, as they name the case."""
        found = content_words(self.text)
        out, at = [], 0
        for word in found:
            while at < len(self.values) and self.values[at].end <= word.start:
                at += 1
            inside = at < len(self.values) and self.values[at].start <= word.start
            if not inside or self.values[at].kind in ("code", "date"):
                out.append(word)
        return out

    @cached_property
    def _starts(self) -> list[int]:
        return [word.start for word in self.words]

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return sentence_spans(self.text)

    @cached_property
    def _barriers(self) -> list[int]:
        return sorted([*self._cuts, *self._value_starts])

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every content word of the text."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """Words with a capital inside a sentence: what a claim is about, rather than what it says of it."""
        heads = {start for start, _ in self._sentences}
        return frozenset(
            word.key for word in self.words if self.text[word.start].isupper() and word.start not in heads
        )

    def sentence(self, value: Value) -> tuple[int, int]:
        """The span of the sentence, list item or table row that a value stands in."""
        at = bisect_right(self._sentences, (value.core[0], len(self.text))) - 1
        return self._sentences[max(at, 0)] if self._sentences else (0, len(self.text))

    def near(self, value: Value) -> Mapping[str, float]:
        """The stems of the value's sentence, each with its nearness in (0, 1]."""
        if value.start not in self._near:
            field = field_at(fields_of(self.text), value.core[0])
            self._near[value.start] = (
                self._labelled(value, field) if field else self._around(value, self.sentence(value))
            )
        return self._near[value.start]

    def _around(self, value: Value, stretch: tuple[int, int]) -> dict[str, float]:
        """Nearness of the words of a stretch to one of its values.

        Words before the first value of its kind are shared by all of them, unless the value's own part of the
        sentence begins anew; words in the part of another value of its kind belong to that one.
        """
        first, last = (bisect_left(self._starts, at) for at in stretch)
        left, right = (bisect_left(self._starts, at) for at in value.core)
        parts = [stretch[0], *(cut for cut in self._cuts if stretch[0] < cut < stretch[1])]
        own = bisect_right(parts, value.core[0]) - 1
        alike = self._alike(value, stretch)
        lead = min(alike)
        others = {bisect_right(parts, at) - 1 for at in alike} - {own}
        anew = bisect_left(self._starts, parts[own]) < left and (
            parts[own] > lead or self.text[parts[own]] == ";"
        )
        found: dict[str, float] = {}
        for at in range(first, last):
            word = self.words[at]
            if value.core[0] <= word.start < value.core[1]:
                continue
            if word.end <= lead:
                weight = (_NOT_SHARED if anew else 1.0) / (1.0 + _SHARED_STEP * (left - at - 1))
            else:
                weight = self._nearness(word, at, value, left, right)
                weight *= _OF_ANOTHER if bisect_right(parts, word.start) - 1 in others else 1.0
            found[word.key] = max(weight, found.get(word.key, 0.0))
        if event := self._life_event(value):
            found[event] = 1.0
        return found

    def _nearness(self, word: ContentWord, at: int, value: Value, left: int, right: int) -> float:
        if word.start < value.core[0]:
            distance = left - at - 1 + _BARRIER * self._between(word.end, value.start)
        else:
            distance = at - right + _BARRIER * self._between(value.core[1], word.start)
        return 1.0 / (1.0 + _STEP * distance)

    def _alike(self, value: Value, stretch: tuple[int, int]) -> list[int]:
        """Where the values of the same kind begin in a stretch, this one included."""
        low, high = (bisect_left(self._value_starts, at) for at in stretch)
        return [other.core[0] for other in self.values[low:high] if other.kind == value.kind] or [
            value.core[0]
        ]

    @cached_property
    def _value_starts(self) -> list[int]:
        return [value.core[0] for value in self.values]

    @cached_property
    def _cuts(self) -> list[int]:
        return [match.start() for match in _BARRIERS.finditer(self.text)]

    def _life_event(self, value: Value) -> str:
        """``Ada Byron (1815 – 1852)`` says when she was born and when she died."""
        if value.kind != "date":
            return ""
        before, after = self.text[: value.core[0]][-3:], self.text[value.core[1] : value.core[1] + 3].lstrip()
        if before.endswith("(") and after[:1] in _DASHES:
            return word_key("born")
        return word_key("died") if before.rstrip()[-1:] in _DASHES and after.startswith(")") else ""

    def _between(self, start: int, end: int) -> int:
        return max(0, bisect_left(self._barriers, end) - bisect_left(self._barriers, start))

    def _labelled(self, value: Value, field: Field) -> dict[str, float]:
        """In a table or record: the words of the label and of the row's first cell name what a figure means."""
        prose = self._around(value, (field.start, field.end))
        named = 1.0 if len(prose) <= _SHORT_CELL else _LABEL_OF_PROSE
        heads = field.start == field.first[0]
        found: dict[str, float] = {}
        for cell in self._row(field):
            weight = _ROW_OF_HEAD if heads else _SAME_ROW
            weight = weight if cell.end - cell.start <= _LONG_CELL else _PROSE_CELL
            for key in _keys(self.text[cell.start : cell.end]):
                found[key] = max(weight, found.get(key, 0.0))
        for key, weight in prose.items():
            found[key] = max(weight, found.get(key, 0.0))
        for key in _keys(field.label):
            found[key] = max(named, found.get(key, 0.0))
        if not heads:
            for key in _keys(self.text[slice(*field.first)]):
                found[key] = max(named, found.get(key, 0.0))
        return found

    def in_field(self, value: Value) -> bool:
        """Whether a value stands in a cell of a table or record."""
        return field_at(fields_of(self.text), value.core[0]) is not None

    def in_title(self, value: Value) -> bool:
        """Whether it stands in a heading: a first sentence without a verb, with more text behind it."""
        start, end = self.sentence(value)
        if start > 0 or not self.text[end:].strip() or self.in_field(value):
            return False
        return not any(_is_verb(match[0]) for match in _LETTERS.finditer(self.text, start, end))

    def in_prose(self, value: Value) -> bool:
        """Whether it stands outside tables, or in a cell so long that it may speak of anything."""
        field = field_at(fields_of(self.text), value.core[0])
        return field is None or field.end - field.start > _LONG_CELL

    def in_label(self, value: Value) -> bool:
        """Whether it is part of a label (``votes 2019: 1105``), which says what a figure means and is none."""
        fields = fields_of(self.text)
        field = field_at(fields, value.core[0])
        return field is None and any(row[0] <= value.core[0] < row[1] for row in {one.row for one in fields})

    def _row(self, field: Field) -> list[Field]:
        return [other for other in fields_of(self.text) if other.row == field.row]

    def row_is_named(self, value: Value, named: Mapping[str, float]) -> bool:
        """Whether words of the claim tell the row of a table that a value stands in; true outside tables."""
        field = field_at(fields_of(self.text), value.core[0])
        if field is None or all(other.row == field.row for other in fields_of(self.text)):
            return True
        return any(
            key in named
            for cell in self._row(field)
            if cell.start != field.start
            for key in _keys(self.text[cell.start : cell.end])
        )

    def sole_in_row(self, value: Value, named: Mapping[str, float]) -> bool:
        """Whether the claim names the row and the row has no other value of that dimension."""
        fields = fields_of(self.text)
        field = field_at(fields, value.core[0])
        if field is None or field.start == field.first[0] or not value.quantities:
            return False
        name = _keys(self.text[slice(*field.first)])
        dimension = value.quantities[0].dimension
        alike = sum(
            other.quantities[0].dimension == dimension
            for other in self.values
            if other.quantities and field.row[0] <= other.start < field.row[1]
        )
        return bool(name) and bool(dimension) and alike == 1 and all(key in named for key in name)

    def head(self, value: Value) -> frozenset[str]:
        """Stems of what is counted: the words right behind the value, to the next function word or mark."""
        end = value.core[1] if value.core[1] > value.start else value.end
        at = bisect_left(self._starts, end)
        found: list[str] = []
        last = max(end, value.end)
        for word in self.words[at : at + _HEAD_WORDS]:
            gap = self.text[last : word.start]
            if gap.strip(" -‑\u00a0\u202f'’") and not (not found and gap.strip() in ("of", "of the")):
                break
            found.append(word.key)
            last = word.end
        return frozenset(found)


def _is_verb(surface: str) -> bool:
    verb = verb_of(surface.lower())
    return surface in _AUXILIARY or (
        verb is not None and verb.form in ("past", "s") and verb.share >= _MOSTLY
    )


def _year_alone(dates: tuple[Date, ...]) -> int | None:
    """The year of a date that names nothing else."""
    if len(dates) != 1 or dates[0].end is not None:
        return None
    day = dates[0].start
    return day.year if day == Day(day.year) else None


def _keys(text: str) -> list[str]:
    return [word.key for word in content_words(text)]


class Tie(NamedTuple):
    """``strength`` in [0, 1]: how surely two values measure the same thing; ``common``: without the names."""

    strength: float
    common: float


def tie(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> Tie:
    """How surely two values measure the same thing: weighted overlap of the words near them, in [0, 1].

    1 for the same sentence. A word of the claim counts by its nearness to the claim's value and to the
    evidence's; one that stands elsewhere in the evidence counts a little, a name more, as it tells the subject;
    one that stands nowhere in it weighs half, as the evidence may name the subject by a pronoun.
    """
    near, other = claim.near(mine), evidence.near(theirs)
    tabled = evidence.in_field(theirs)
    total = got = common = shared = 0.0
    for key, weight in near.items():
        name = key in claim.names
        here = other.get(key, 0.0)
        if not here:
            known = key in evidence.keys
            weight *= 1.0 if known else _UNKNOWN
            here = (_NAME_ELSEWHERE if name else _ELSEWHERE) if known else 0.0
        anchor = _ANCHOR_TEXT.fullmatch(key) is not None
        weight *= _ANCHOR if anchor else _NAME_WEIGHT if name and not tabled else 1.0
        total += weight * near[key]
        got += weight * here
        if not name and not anchor:
            common += weight * near[key]
            shared += weight * here
    strength = min(1.0, got / total) if total else 0.0
    return Tie(strength, min(1.0, shared / common) if common else strength)
