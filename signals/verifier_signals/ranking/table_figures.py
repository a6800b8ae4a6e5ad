"""Comparisons and superlatives settled by the figures and dates of a table.

A date or a time of day is compared as the stretch of time that it leaves open. :func:`settle_comparison` and
:func:`settle_superlative` find the rows by the sides of a query, :func:`settle_named_superlative` by any word of the
claim.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from verifier_signals.lexicon import measures_of
from verifier_signals.ranking.lookup import SAY_NOTHING
from verifier_signals.ranking.tables import (
    RecordCell,
    Table,
    TableRecord,
    TableRow,
    ValueCell,
    best_labels,
    cells_of,
    constant_columns,
    is_whole,
    named_by,
    words_in,
    words_of,
    years_in,
)
from verifier_signals.ranking.types import ComparisonQuery, Keys, LookupResult, ShownValue
from verifier_signals.stems import word_key
from verifier_signals.values import Value
from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.types import Day, Form

__all__ = [
    "OF_ANYTHING",
    "TimeSpan",
    "compare_values",
    "narrows_ranking",
    "settle_comparison",
    "settle_named_superlative",
    "settle_superlative",
    "sign_of",
    "time_span_of",
]

_PARTS = {
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "Q1": (1, 3),
    "Q2": (4, 6),
    "Q3": (7, 9),
    "Q4": (10, 12),
    "early": (1, 4),
    "mid": (5, 8),
    "late": (9, 12),
}
"""Months of a part of a year; a winter belongs to two years, and is left open."""

Fields = tuple[int | None, int | None, int | None, float | None]
"""Year, month, day, minutes after midnight."""


class TimeSpan(NamedTuple):
    """The first and the last point of time that a value may mean; every field may be missing."""

    first: Fields
    last: Fields

    def order(self, other: TimeSpan) -> int | None:
        """-1 where this one lies before the other, 1 where behind it, ``None`` where they may be the same or say
        nothing of each other.

        >>> from verifier_signals.values import parse
        >>> time_span_of(parse("in May 2020")[0]).order(time_span_of(parse("2021")[0]))
        -1
        """
        if _before(self.last, other.first):
            return -1
        return 1 if _before(other.last, self.first) else None


def _before(one: Fields, two: Fields) -> bool:
    """Whether one point lies before another, by the fields that both have; years only if both or neither have them."""
    if (one[0] is None) != (two[0] is None):
        return False
    for mine, theirs in zip(one, two, strict=True):
        if mine is None and theirs is None:
            continue
        if mine is None or theirs is None:
            return False
        if mine != theirs:
            return mine < theirs
    return False


def time_span_of(value: Value) -> TimeSpan:
    """The stretch of time of a date or a time of day; of several readings, of the first."""
    if value.dates:
        date = value.dates[-1]
        months = _PARTS.get(date.start.part)
        first, last = _fields(date.start), _fields(date.end or date.start)
        if months and date.start.month is None and date.end is None:
            first, last = (first[0], months[0], *first[2:]), (last[0], months[1], *last[2:])
        if date.start.span > 1 and last[0] is not None:
            last = (last[0] + date.start.span - 1, *last[1:])
        return TimeSpan(first, last)
    clock = next((one for one in value.quantities if one.dimension == "clock"), None)
    if clock is None or len(value.quantities) > 1 or value.form is Form.RANGE:
        return TimeSpan((None, None, None, None), (None, None, None, None))
    return TimeSpan((None, None, None, clock.low), (None, None, None, clock.high))


def _fields(day: Day) -> Fields:
    return day.year, day.month, day.day, None


_MONEY = re.compile(r"[A-Z]{3}")
_MEASURED = (
    "weight",
    "cost",
    "height",
    "depth",
    "width",
    "thickness",
    "distance",
    "age",
    "speed",
    "heat",
    "noise",
)
"""Scales of which the name of a column tells one from another of the same dimension."""
OF_ANYTHING = ("size", "height", "frequency")
"""Scales whose words tell of any figure that it is larger (``a higher profit``, ``more frequent`` accidents)."""
_WORLD = re.compile(r"\b(?:country|world|region|city|county|nation|europe|ever)\b", re.IGNORECASE)
"""A world wider than any table that does not say so."""


def settle_comparison(asked: ComparisonQuery, table: Table) -> LookupResult | None:
    """Whether each figure of the left side lies beyond each of the right one; ``None`` where they do not all agree.

    ``holds`` is ``None`` where the rows of a side leave empty what other rows have.
    """
    left, right = (table.named(side) or table.named(side - asked.plain) for side in (asked.left, asked.right))
    if not left and not right:
        left = right = _by_label(asked, table)
    if not left and asked.left & table.labels:
        left = right
    if not right and (asked.right & table.labels or years_in(asked.right)):
        right = left
    if not left or not right:
        return None
    ours = _measuring_columns(asked, table.rows, asked.about - asked.right, left)
    theirs = _measuring_columns(asked, table.rows, asked.about - asked.left, right)
    if not _labels(right, theirs) & asked.right:
        theirs = ours
    elif not _labels(left, ours) & asked.left:
        ours = theirs
    ways: set[int | None] = set()
    shown: list[tuple[ShownValue, ShownValue]] = []
    for mine, one in cells_of(left, ours):
        for other, two in cells_of(right, theirs):
            if (mine.piece, one.name) == (other.piece, two.name):
                return None
            ways.add(compare_values(asked, one.value, two.value))
            shown.append((_shown_cell(mine, one), _shown_cell(other, two)))
    if not ways:
        return _blank_cell(asked, table, (left, ours), (right, theirs))
    if len(ways) != 1 or None in ways:
        return None
    return LookupResult(ways == {1}, asked.span, *shown[0])


def _blank_cell(
    asked: ComparisonQuery, table: Table, *sides: tuple[Sequence[TableRow], Collection[str]]
) -> LookupResult | None:
    """What leaves a comparison open: a column that the claim calls by its name, empty in the rows of a side."""
    for rows, columns in sides:
        named = {cell.name for _, cell in cells_of(table.rows, columns) if cell.label & asked.measured}
        if named and not any(cells_of(rows, named)) and rows[0].cells:
            shown = _shown_cell(rows[0], rows[0].cells[0])
            return LookupResult(None, asked.span, shown, shown)
    return None


def _shown_cell(row: TableRow, cell: ValueCell) -> ShownValue:
    return ShownValue(row.piece, cell.start, cell.end)


def _by_label(asked: ComparisonQuery, table: Table) -> list[TableRow]:
    """The rows of a table whose columns are the things compared: those that are called by what is measured."""
    if not (asked.left & table.labels and asked.right & table.labels):
        return []
    wanted = (asked.about | _scale_labels(asked)) - ((asked.left | asked.right) & table.labels)
    scored = [(len(row.first & wanted), row) for row in table.rows]
    most = max((score for score, _ in scored), default=0)
    return [row for score, row in scored if score == most > 0]


def settle_superlative(asked: ComparisonQuery, table: Table, claim: str) -> LookupResult | None:
    """Whether the holder of a superlative has its rank among the rows that the claim speaks of.

    A row beyond it is enough to deny a first place; only all the rows, each with a figure, bear a rank out.
    """
    holders = table.named(asked.left)
    if not holders or len(table.rows) < 2:
        return None
    columns = _measuring_columns(asked, table.rows, asked.about - asked.left, table.rows)
    if not columns:
        return None
    kinds = (asked.about - asked.left - _labels(holders, columns)) & table.names - frozenset[str]().union(
        *(row.first for row in holders)
    )
    rows = [row for row in table.rows if kinds <= row.names]
    if any(row not in rows for row in holders):
        return None
    ranked = [_column_rank(asked, holders, rows, column) for column in columns]
    told = [one for one in ranked if one is not None]
    if not told or len({one.holds for one in told}) != 1 or told[0].holds is None:
        return None
    if told[0].holds and (not table.whole() or _WORLD.search(claim)):
        return None
    return LookupResult(told[0].holds, asked.span, told[0].ours, told[0].theirs)


class _Ranked(NamedTuple):
    """Whether a column gives the holders their rank (``None``: it cannot say), and the figures that show it."""

    holds: bool | None
    ours: ShownValue
    theirs: ShownValue


def _column_rank(
    asked: ComparisonQuery, holders: Sequence[TableRow], rows: Sequence[TableRow], column: str
) -> _Ranked | None:
    """What a column says of the rank of some rows among others; ``None`` where it has no figures to compare."""
    own = list(cells_of(holders, {column}))
    others = [(row, cell) for row, cell in cells_of(rows, {column}) if row not in holders]
    if not own or not others:
        return None
    ways = [{compare_values(asked, cell.value, mine.value) for _, mine in own} for _, cell in others]
    ahead = [one for one, way in zip(others, ways, strict=True) if way == {1}]
    shown = _shown_cell(*own[0]), _shown_cell(*(ahead or others)[0])
    if len(ahead) >= asked.rank:
        return _Ranked(False, *shown)
    open_ = len(own) + len(others) < len(rows) or any(way not in ({1}, {-1}) for way in ways)
    return _Ranked(None if open_ else len(ahead) == asked.rank - 1, *shown)


def _measuring_columns(
    asked: ComparisonQuery, rows: Sequence[TableRow], wanted: Keys, chosen: Sequence[TableRow]
) -> list[str]:
    """The columns that measure what is compared: by what the claim calls it, by its dimension, else the only kind of
    figure that the ``chosen`` rows have there."""
    cells = [cell for row in rows for cell in row.cells]
    names = _scale_labels(asked)
    measured = [cell for cell in cells if cell.label & asked.measured - years_in(asked.measured)]
    fitting = [
        cell
        for cell in cells
        if cell.label & names
        or (sign_of(asked, cell.value) is not None and not _names_another_scale(asked, cell.label))
    ]
    if measured:
        return best_labels(measured, wanted)
    if fitting:
        return best_labels(fitting, wanted | names)
    called = asked.measured and all(asked.measured <= row.headings for row in rows)
    if asked.scales[0][0] not in OF_ANYTHING and not called:
        return []
    named = [cell for cell in cells if cell.label & wanted - years_in(wanted)]
    found = best_labels(named or cells, wanted)
    kinds = {_dimension(cell.value) for _, cell in cells_of(chosen, found)}
    return found if len(kinds) == 1 and "date" not in kinds else []


def _names_another_scale(asked: ComparisonQuery, label: Keys) -> bool:
    """Whether a label says that its figures are of another scale: an altitude is no length, though both are metres."""
    asked_for = {scale for scale, _ in asked.scales}
    others = (scale for scale in _MEASURED if scale not in asked_for)
    return any(label & frozenset(map(word_key, measures_of(scale).names)) for scale in others)


def _scale_labels(asked: ComparisonQuery) -> Keys:
    """What the labels of the asked scales are called."""
    return frozenset(word_key(name) for scale, _ in asked.scales for name in measures_of(scale).names)


def _labels(rows: Sequence[TableRow], columns: Collection[str]) -> Keys:
    return frozenset[str]().union(*(cell.label for _, cell in cells_of(rows, columns)))


def _dimension(value: Value) -> str:
    if value.dates:
        return "date"
    return value.quantities[0].dimension


def sign_of(asked: ComparisonQuery, value: Value) -> int | None:
    """Whether more of the asked scale is more (1) or less (-1) of what a value states; ``None`` where it is neither."""
    dimension = "money" if _MONEY.fullmatch(_dimension(value)) else _dimension(value)
    for scale, way in asked.scales:
        sign = measures_of(scale).dimensions.get(dimension)
        if sign is not None:
            return sign * way
    return None


def compare_values(asked: ComparisonQuery, one: Value, two: Value) -> int | None:
    """1 where the first value is more of what is asked for, -1 where it is less, 0 where it is as much; ``None`` where
    the two may be the same or say nothing of each other."""
    sign = sign_of(asked, one) or asked.way
    if one.dates or two.dates:
        order = time_span_of(one).order(time_span_of(two))
        return None if order is None else (1 if order * sign > 0 else -1)
    for first in one.quantities:
        for last in two.quantities:
            if first.dimension == last.dimension:
                if first.low > last.high or first.high < last.low:
                    return 1 if (first.low > last.high) == (sign > 0) else -1
                return 0 if first.low == first.high == last.low == last.high else None
    return None


_CLASS = re.compile(
    r"\b(?:of|among|in) (?:all )?(?:of )?(?:the|these|those) (?:\w+ )??(?P<noun>\w+s)\b", re.IGNORECASE
)
"""What is ranked: ``of the huts``."""
_NEUTRAL = SAY_NOTHING | words_of(
    "range list listed table model item product kind number second third fourth fifth"
)

_MARKS = words_of("score point mark grade result rating")
"""What a performance is told by, under whatever name."""


def narrows_ranking(asked: ComparisonQuery, claim: str, table: Sequence[TableRecord]) -> bool:
    """Whether a claim ranks its thing among those rows only that have what it says."""
    words = words_in(claim)
    field = _ranked_rows(words, asked, table) if len(table) > 1 else None
    if field is None:
        return False
    column = _ranking_column(asked, field, words)
    unsaid = _unsaid_words(asked, claim, words, field, column, table) if column else frozenset[str]()
    return len(field.rows) < len(table) or bool(unsaid & asked.measured)


class _RankedRows(NamedTuple):
    """The rows that a superlative is about, those of its holder, and the words of the claim that tell so."""

    rows: list[TableRecord]
    holders: list[TableRecord]
    words: Keys


def settle_named_superlative(
    asked: ComparisonQuery, claim: str, table: Sequence[TableRecord]
) -> LookupResult | None:
    """Whether the row that a claim names, wherever in the sentence, has the rank of its superlative.

    Only the rows count that have what the claim says of them all (``of the huts that allow dogs``). Nothing is settled
    where the claim narrows them down by words that the table does not have.
    """
    if len(table) < 2:
        return None
    words = words_in(claim)
    field = _ranked_rows(words, asked, table)
    if field is None:
        return None
    column = _ranking_column(asked, field, words)
    if column is None or _unsaid_words(asked, claim, words, field, column, table):
        return None
    return _named_rank(asked, claim, table, field, column)


def _ranked_rows(words: Keys, asked: ComparisonQuery, table: Sequence[TableRecord]) -> _RankedRows | None:
    constant = constant_columns(table)
    named = [(record, [one for one in named_by(words, record, constant) if one.is_text]) for record in table]
    times = Counter((entry.label, entry.words) for record in table for entry in record.entries)
    shared = {words for (_, words), count in times.items() if count > 1}
    scored = [
        (
            len(frozenset[str]().union(*(one.words & words for one in cells if one.words not in shared))),
            record,
        )
        for record, cells in named
    ]
    most = max(score for score, _ in scored)
    holders = [record for score, record in scored if score == most > 0]
    if len(holders) != 1:
        return None
    cells = next(cells for record, cells in named if record is holders[0])
    kinds = [one for one in cells if one.words in shared]
    told = frozenset[str]().union(*(one.words for one in cells))
    answers = [one for one in _answers(table) if one.wanted <= words - told - asked.measured]
    rows = [
        record
        for record in table
        if all(
            any(one.label == kind.label and one.words == kind.words for one in record.entries)
            for kind in kinds
        )
        and all(_says_yes(record, one.label) for one in answers)
    ]
    known = told.union(*(one.wanted for one in answers))
    return _RankedRows(rows, holders, known) if holders[0] in rows else None


def _answers(table: Sequence[TableRecord]) -> list[RecordCell]:
    """One cell of each column of answers."""
    return [
        *{one.label: one for record in table for one in record.entries if one.answer is not None}.values()
    ]


def _says_yes(record: TableRecord, label: str) -> bool:
    return any(one.label == label and one.answer for one in record.entries)


def _ranking_column(asked: ComparisonQuery, field: _RankedRows, words: Keys) -> str | None:
    """The one column that measures what is ranked: by what the claim calls it, else by its dimension."""
    cells = [one for record in field.rows for one in record.entries if one.value is not None]
    names = frozenset(word_key(name) for scale, _ in asked.scales for name in measures_of(scale).names)
    called = asked.measured | (_MARKS if asked.measured & _MARKS else frozenset())
    measured = {one.label: len(one.wanted & called) for one in cells if one.wanted & called}
    fitting = {
        one.label: len(one.wanted & (words | names))
        for one in cells
        if one.wanted & names
        or (
            one.value
            and sign_of(asked, one.value) is not None
            and not _names_another_scale(asked, one.wanted)
        )
    }
    sizes = {one.label: 1 for one in cells if one.wanted <= words - field.words}
    found = measured or fitting or (sizes if asked.scales[0][0] == "size" else {})
    best = [label for label, score in found.items() if score == max(found.values())]
    return best[0] if len(best) == 1 else None


def _unsaid_words(
    asked: ComparisonQuery,
    claim: str,
    words: Keys,
    field: _RankedRows,
    column: str,
    table: Sequence[TableRecord],
) -> Keys:
    """The words of the claim that may narrow down what is ranked, and that the table does not have."""
    kind = _CLASS.search(claim)
    noun = asked.measured if len(asked.measured) == 1 else frozenset[str]()
    known = set(_NEUTRAL | noun | field.words | words_of(column) | words_of(claim[slice(*asked.span)]))
    known |= words_of(kind["noun"]) if kind else frozenset()
    known |= words & NUMBER_WORDS
    for record in table:
        known |= record.above.union(*(one.words | words_of(one.label) for one in record.entries[:1]))
    return words - known


def _named_rank(
    asked: ComparisonQuery, claim: str, table: Sequence[TableRecord], field: _RankedRows, column: str
) -> LookupResult | None:
    cells = [
        (record, one) for record in field.rows for one in record.entries if one.label == column and one.value
    ]
    own = next(((record, one) for record, one in cells if record is field.holders[0]), None)
    others = [(record, one) for record, one in cells if record is not field.holders[0]]
    if own is None or not others:
        return None
    ways = [compare_values(asked, one.value, own[1].value) for _, one in others if one.value and own[1].value]
    ahead = [one for one, way in zip(others, ways, strict=True) if way == 1]
    ours, theirs = _shown_record(*own), _shown_record(*(ahead or others)[0])
    if len(ahead) >= asked.rank:
        return LookupResult(False, asked.span, ours, theirs)
    if any(way not in (1, -1) for way in ways) or len(cells) < len(field.rows):
        return None
    holds = len(ahead) == asked.rank - 1
    if holds and (not is_whole(table) or _WORLD.search(claim)):
        return None
    return LookupResult(holds, asked.span, ours, theirs)


def _shown_record(record: TableRecord, entry: RecordCell) -> ShownValue:
    return ShownValue(record.piece, entry.start, entry.end)
