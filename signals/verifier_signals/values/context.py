"""What each value of a text measures: the content words around it by nearness, its sentence, its cell and label."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from verifier.core.text import sentence_spans
from verifier_signals.stems import ContentWord, content_words, word_key
from verifier_signals.values.ellipsis import completed, coordinated, is_bare, is_verb
from verifier_signals.values.extraction import parse
from verifier_signals.values.fields import Field, field_at, fields_of
from verifier_signals.values.modifiers import ChangePart, change_part
from verifier_signals.values.types import Day, Value
from verifier_signals.values.weights import TIE_WEIGHTS, TieWeights

__all__ = ["ValueText", "values_of"]

_HEAD_WORDS = 3
_EARLIER = 16
"""So many values back is looked for what a bare count counts."""
_OPENING = re.compile(r"[,;()–—|\s]*(?:(?:and|or|but|while|whereas)\s+)?([^\W\d_]+)", re.IGNORECASE)
"""The first word of a part of a sentence: a verb there takes over the subject of the part before."""
_LONG_CELL = 30
"""Code points; longer cells are prose that may speak of anything."""
_SHORT_CELL = 3
"""A cell of more words is prose: its own words are nearer than its label."""

_OF_A_WHOLE = re.compile(
    r"\s+(?:out\s+)?of\s+(?:(?:the|its|their|his|her|our|these|those|all|some|about|a\s+total\s+of)\s+){0,2}\Z",
    re.IGNORECASE,
)
"""``187 of 204 members``, ``nine of the 14 boats``: the noun behind the whole is that of the part, too."""
_LONGEST_OF = 24
_VISIBLE = re.compile(r"\S")
_LETTERS = re.compile(r"[^\W\d_]+")
_DASHES = tuple("-–—")
_BARRIERS = re.compile(
    r",(?!\d)|[;()–—|]|\b(?:and|or|but|while|whereas|than|against|compared)\b", re.IGNORECASE
)


class _Layout(NamedTuple):
    """Where the parts of a stretch begin, the parts of other values of its kind, where the first of these stands (in
    the text, and among the content words), and which sorts of words (verbal or not) the value's own part has anew;
    how many content words begin before the value and before its end, and where the figures end that it is coordinated
    with."""

    parts: list[int]
    others: frozenset[int]
    lead: int
    ahead: int
    anew: frozenset[bool]
    left: int
    right: int
    series_end: int


class ValueText:
    """A text with its values; what its words say is worked out only when a value is compared."""

    def __init__(self, text: str, ties: TieWeights = TIE_WEIGHTS) -> None:
        self.text = text
        self.ties = ties
        self._spans: dict[int, tuple[int, int]] = {}
        self._near: dict[int, Mapping[str, float]] = {}
        self._parts: dict[int, ChangePart] = {}
        self._layouts: dict[tuple[int, tuple[int, int]], _Layout] = {}
        self._heads: dict[tuple[int, str], frozenset[str]] = {}
        self._besides: dict[tuple[int, tuple[int, int]], float] = {}

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values that are compared: those of the text, in reading order."""
        return self._all

    def narrowed(self, values: Sequence[Value]) -> ValueText:
        """The same text, of which only some values are compared; what they measure is told by the whole of it."""
        _ = self.names, self.keys, self._barriers, self._starts, self._cells
        view = copy(self)
        view.__dict__["values"] = tuple(values)
        return view

    @cached_property
    def _all(self) -> tuple[Value, ...]:
        """Dates without a year also have the year of their sentence, bare figures the unit of those beside them."""
        found = completed(self.text, parse(self.text), self.sentence)
        if not any(value.dates and value.dates[0].start.year is None for value in found):
            return found
        years = [value for value in found if value.kind == "date" and value.dates[0].start.year is not None]
        return tuple(self._dated(value, years) for value in found)

    def _dated(self, value: Value, years: list[Value]) -> Value:
        """``1936: a flood in February`` speaks of February 1936."""
        first = value.dates[0].start if value.dates else Day()
        if first.year is not None or (first.month is None and not first.part):
            return value
        start, end = self.sentence(value)
        low, high = (bisect_left(years, at, key=lambda one: one.start) for at in (start, end))
        beside = {year.dates[0].start.year for year in years[low:high]}
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
            while at < len(self._all) and self._all[at].end <= word.start:
                at += 1
            inside = at < len(self._all) and self._all[at].start <= word.start
            if not inside or self._all[at].kind in ("code", "date"):
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

    def keys_in(self, stretch: tuple[int, int]) -> set[str]:
        """The content words of a stretch."""
        first, last = (bisect_left(self._starts, at) for at in stretch)
        return {word.key for word in self.words[first:last]}

    def sentence(self, value: Value) -> tuple[int, int]:
        """The span of the sentence, list item or table row that a value stands in."""
        start = value.core[0]
        if start not in self._spans:
            at = bisect_right(self._sentences, (start, len(self.text))) - 1
            self._spans[start] = self._sentences[max(at, 0)] if self._sentences else (0, len(self.text))
        return self._spans[start]

    def near(self, value: Value) -> Mapping[str, float]:
        """The stems of the value's sentence, each with its nearness in (0, 1]."""
        if value.start not in self._near:
            field = field_at(fields_of(self.text), value.core[0])
            self._near[value.start] = (
                self._labelled(value, field) if field else self._around(value, self.sentence(value))
            )
        return self._near[value.start]

    def _around(self, value: Value, stretch: tuple[int, int]) -> dict[str, float]:
        """Nearness of the words of a stretch to one of its values."""
        layout = self._layout(value, stretch)
        found: dict[str, float] = {}
        for at in range(*(bisect_left(self._starts, end) for end in stretch)):
            word = self.words[at]
            if value.core[0] <= word.start < value.core[1]:
                continue
            weight = self._weight(value, layout, at, word.start, word.end)
            found[word.key] = max(weight, found.get(word.key, 0.0))
        whole = self._whole_of(value)
        for key, weight in self.near(whole).items() if whole else ():
            found[key] = max(weight, found.get(key, 0.0))
        for key in self._inherited_head(value) if not whole and is_bare(self.text, value) else ():
            found[key] = max(self.ties.inherited, found.get(key, 0.0))
        if event := self._life_event(value):
            found[event] = 1.0
        return found

    def beside(self, value: Value, other: Value) -> float:
        """Nearness of another value of the same sentence or row, in [0, 1]; 0 elsewhere."""
        key = value.start, other.core
        if key not in self._besides:
            self._besides[key] = self._nearness(value, other)
        return self._besides[key]

    def _nearness(self, value: Value, other: Value) -> float:
        field = field_at(fields_of(self.text), value.core[0])
        stretch = field.row if field else self.sentence(value)
        if not stretch[0] <= other.core[0] < stretch[1]:
            return 0.0
        if field and not field.start <= other.core[0] < field.end:
            return self.ties.row_of_head
        at = bisect_left(self._starts, other.core[0])
        return self._weight(value, self._layout(value, stretch), at, *other.core)

    def _layout(self, value: Value, stretch: tuple[int, int]) -> _Layout:
        """How the values of its kind share a stretch; the value's own part begins behind the last cut before it."""
        key = value.start, stretch
        if key not in self._layouts:
            alike = self._alike(value, stretch)
            lead = min(alike)
            parts = [
                stretch[0],
                *(cut for cut in self._cuts if stretch[0] < cut < stretch[1] and self.text[cut] not in "()"),
            ]
            own = bisect_right(parts, value.core[0]) - 1
            begins = parts[own] if parts[own] > lead or self.text[parts[own]] == ";" else value.core[0]
            before = range(*(bisect_left(self._starts, at) for at in (begins, value.core[0])))
            opening = _OPENING.match(self.text, begins)
            if opening is not None and is_verb(opening[1]):
                anew = frozenset({True})
            else:
                anew = frozenset(map(self._is_verbal, before))
            others = frozenset(bisect_right(parts, at) - 1 for at in alike) - {own}
            ahead, left, right = (bisect_left(self._starts, edge) for edge in (lead, *value.core))
            end = self._series_end(value)
            self._layouts[key] = _Layout(parts, others, lead, ahead, anew, left, right, end)
        return self._layouts[key]

    def _weight(self, value: Value, layout: _Layout, at: int, start: int, end: int) -> float:
        """Nearness of what stands at ``start:end``, content word number ``at`` of the text.

        What stands before the first value of a kind is shared by all of them, but for the sort of words, verbs or
        others, that the value's own part of the sentence has anew; what stands in the part of another value of its
        kind belongs to that one.
        """
        ties = self.ties
        if end <= layout.lead:
            replaced = self._is_verbal(at) in layout.anew
            return (ties.not_shared if replaced else 1.0) / (
                1.0 + ties.shared_step * abs(layout.ahead - at - 1)
            )
        others = layout.others
        if start < value.core[0]:
            distance = layout.left - at - 1 + ties.barrier * self._between(end, value.start)
        else:
            right, edge = layout.right, layout.series_end
            if edge > value.core[1] and start >= edge:
                right, others = bisect_left(self._starts, edge), frozenset()
            distance = at - right + ties.barrier * self._between(max(edge, value.core[1]), start)
        weight = 1.0 / (1.0 + ties.step * max(0.0, distance))
        other = bisect_right(layout.parts, start) - 1 in others
        return weight * ties.of_another if other else weight

    def _series_end(self, value: Value) -> int:
        """Where the last of the figures ends that a value is coordinated with (``from 5 to 8 kg of flour``).

        A value with a unit of its own is coordinated with none.
        """
        at = bisect_left(self._value_starts, value.core[0])
        end = value.core[1]
        if value.kind == "unit" and parse(self.text)[at].kind == "unit":
            return end
        for other in self._all[at + 1 :]:
            if other.kind != value.kind or not coordinated(self.text, end, other.core[0]):
                break
            end = other.core[1]
        return end

    def _is_verbal(self, at: int) -> bool:
        """Whether content word number ``at`` is mostly a verb."""
        if at >= len(self.words):
            return False
        word = self.words[at]
        return is_verb(self.text[word.start : word.end])

    def _alike(self, value: Value, stretch: tuple[int, int]) -> list[int]:
        """Where the values of the same kind begin in a stretch, this one included."""
        return [other.core[0] for other in self._within(stretch) if other.kind == value.kind] or [
            value.core[0]
        ]

    def _within(self, stretch: tuple[int, int]) -> tuple[Value, ...]:
        """The values that begin in a stretch, by their cores."""
        low, high = (bisect_left(self._value_starts, at) for at in stretch)
        return self._all[low:high]

    @cached_property
    def _value_starts(self) -> list[int]:
        return [value.core[0] for value in self._all]

    @cached_property
    def _cuts(self) -> list[int]:
        return [match.start() for match in _BARRIERS.finditer(self.text)]

    def _inherited_head(self, value: Value) -> frozenset[str]:
        """What a bare count may count: what the whole does that it is told of (``187 of 204 members``), else what the
        counts before it do (``14 countries, 900 staff, 40 of them``)."""
        at = bisect_left(self._value_starts, value.core[0])
        if (whole := self._whole_of(value)) is not None:
            return self._own_head(whole)
        found: set[str] = set()
        for other in reversed(self._all[max(0, at - _EARLIER) : at]):
            if other.kind == "number" and not is_bare(self.text, other):
                found |= self._own_head(other)
            if other.kind == "unit" or (found and other.start < self.sentence(value)[0]):
                break
        return frozenset(found)

    def _whole_of(self, value: Value) -> Value | None:
        """The count that a count is told to be a part of."""
        at = bisect_left(self._value_starts, value.core[0]) + 1
        whole = self._all[at] if value.kind == "number" and at < len(self._all) else None
        if whole is None or whole.kind != "number" or whole.start - value.core[1] > _LONGEST_OF:
            return None
        return whole if _OF_A_WHOLE.fullmatch(self.text, value.core[1], whole.start) else None

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
        named = 1.0 if len(prose) <= _SHORT_CELL else self.ties.label_of_prose
        heads = field.start == field.first[0]
        found: dict[str, float] = {}
        for cell in self._row(field):
            weight = self.ties.row_of_head if heads else self.ties.same_row
            weight = weight if cell.end - cell.start <= _LONG_CELL else self.ties.prose_cell
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

    def label(self, value: Value) -> str:
        """What the column of a value is called, ``""`` outside tables and records."""
        field = field_at(fields_of(self.text), value.core[0])
        return field.label if field is not None else ""

    def row_span(self, value: Value) -> tuple[int, int] | None:
        """The span of the row of a table or record that a value stands in, ``None`` outside them."""
        field = field_at(fields_of(self.text), value.core[0])
        return field.row if field is not None else None

    def in_title(self, value: Value) -> bool:
        """Whether it stands in a heading: a first sentence without a verb in small letters, and more behind it."""
        start, end = self.sentence(value)
        if start > 0 or not _VISIBLE.search(self.text, end) or self.in_field(value):
            return False
        words = (match[0] for match in _LETTERS.finditer(self.text, start, end))
        return not any(word[0].islower() and is_verb(word) for word in words)

    def in_prose(self, value: Value) -> bool:
        """Whether it stands outside tables, or in a cell so long that it may speak of anything."""
        field = field_at(fields_of(self.text), value.core[0])
        return field is None or field.end - field.start > _LONG_CELL

    def in_label(self, value: Value) -> bool:
        """Whether it is part of a label (``votes 2019: 1105``), which says what a figure means and is none."""
        at = value.core[0]
        row = bisect_right(self._row_ends, at, key=lambda one: one[0]) - 1
        return row >= 0 and at < self._row_ends[row][1] and not self.in_field(value)

    @cached_property
    def _cells(self) -> dict[tuple[int, int], list[Field]]:
        """The cells of every row, by its span; rows in the order in which they begin."""
        found: dict[tuple[int, int], list[Field]] = {}
        for field in sorted(fields_of(self.text), key=lambda one: one.row):
            found.setdefault(field.row, []).append(field)
        return found

    @cached_property
    def _row_ends(self) -> list[tuple[int, int]]:
        """Where each row begins, and how far it or a row before it reaches."""
        return list(
            zip(
                (row[0] for row in self._cells), accumulate((row[1] for row in self._cells), max), strict=True
            )
        )

    def _row(self, field: Field) -> list[Field]:
        return self._cells[field.row]

    def row_is_named(self, value: Value, named: Mapping[str, float]) -> bool:
        """Whether words of the claim tell the row of a table that a value stands in; true outside tables."""
        field = field_at(fields_of(self.text), value.core[0])
        if field is None or len(self._cells) == 1:
            return True
        return any(
            key in named
            for cell in self._row(field)
            if cell.start != field.start
            for key in _keys(self.text[cell.start : cell.end])
        )

    def sole_in_row(self, value: Value, named: Mapping[str, float]) -> bool:
        """Whether the claim names the row and the row has no other value of that dimension; among several, whether it
        names the date of this one's column alone (``fill June 2024``)."""
        fields = fields_of(self.text)
        field = field_at(fields, value.core[0])
        if field is None or field.start == field.first[0] or not value.quantities:
            return False
        name = _keys(self.text[slice(*field.first)])
        dimension = value.quantities[0].dimension
        alike = [
            other
            for other in self._within(field.row)
            if other.quantities
            and other.quantities[0].dimension == dimension
            and field.row[0] <= other.start < field.row[1]
            and not self.in_label(other)
        ]
        if len(alike) > 1:
            dates = [(self._date_of(other, named), other) for other in alike]
            most = max(len(date) for date, _ in dates)
            alike = [other for date, other in dates if len(date) == most > 0]
        return bool(name) and bool(dimension) and alike == [value] and all(key in named for key in name)

    def _date_of(self, value: Value, named: Mapping[str, float]) -> frozenset[str]:
        """The words of a column's date that a claim has."""
        label = self.label(value)
        dates = [one for one in parse(label) if one.dates]
        inside = frozenset(key for one in dates for key in _keys(label[one.start : one.end]))
        return frozenset(key for key in inside if key in named)

    def head(self, value: Value) -> frozenset[str]:
        """Stems of what is counted: the words right behind the value, or what the count before it counts."""
        key = value.start, value.kind
        if key not in self._heads:
            bare = is_bare(self.text, value)
            self._heads[key] = self._inherited_head(value) if bare else self._own_head(value)
        return self._heads[key]

    def part(self, value: Value) -> ChangePart:
        """What the value is to the change that its sentence tells of."""
        if value.start not in self._parts:
            self._parts[value.start] = change_part(self.text, value, self.sentence(value))
        return self._parts[value.start]

    def _own_head(self, value: Value) -> frozenset[str]:
        """The words right behind the value, to the next function word or mark."""
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


def _keys(text: str) -> list[str]:
    return [word.key for word in content_words(text)]


@lru_cache(maxsize=2048)
def values_of(text: str, ties: TieWeights = TIE_WEIGHTS) -> ValueText:
    """The text with its values, read once: claims meet the same windows, and windows the same claim."""
    return ValueText(text, ties)
