"""A comparison and the rows of a table in; whether the figures bear it out, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from verifier_signals.lexicon import measures_of
from verifier_signals.ranking.dates import moment_of
from verifier_signals.ranking.keys import years_in
from verifier_signals.ranking.tables import Cell, Row, Table, best_labels, cells_of
from verifier_signals.ranking.types import Asked, Keys, Settled, Shown
from verifier_signals.stems import word_key
from verifier_signals.values import Value

__all__ = ["OF_ANYTHING", "WORLD", "beyond", "compared", "names_another_scale", "sign_of", "topped"]

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
WORLD = re.compile(r"\b(?:country|world|region|city|county|nation|europe|ever)\b", re.IGNORECASE)
"""A world wider than any table that does not say so."""


def compared(asked: Asked, table: Table) -> Settled | None:
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
    ours = _columns(asked, table.rows, asked.about - asked.right, left)
    theirs = _columns(asked, table.rows, asked.about - asked.left, right)
    if not _labels(right, theirs) & asked.right:
        theirs = ours
    elif not _labels(left, ours) & asked.left:
        ours = theirs
    ways: set[int | None] = set()
    shown: list[tuple[Shown, Shown]] = []
    for mine, one in cells_of(left, ours):
        for other, two in cells_of(right, theirs):
            if (mine.piece, one.name) == (other.piece, two.name):
                return None
            ways.add(beyond(asked, one.value, two.value))
            shown.append((_shown(mine, one), _shown(other, two)))
    if not ways:
        return _blank(asked, table, (left, ours), (right, theirs))
    if len(ways) != 1 or None in ways:
        return None
    return Settled(ways == {1}, asked.span, *shown[0])


def _blank(asked: Asked, table: Table, *sides: tuple[Sequence[Row], set[str]]) -> Settled | None:
    """What leaves a comparison open: a column that the claim calls by its name, empty in the rows of a side."""
    for rows, columns in sides:
        named = {cell.name for _, cell in cells_of(table.rows, columns) if cell.label & asked.measured}
        if named and not any(cells_of(rows, named)) and rows[0].cells:
            shown = _shown(rows[0], rows[0].cells[0])
            return Settled(None, asked.span, shown, shown)
    return None


def _shown(row: Row, cell: Cell) -> Shown:
    return Shown(row.piece, cell.start, cell.end)


def _by_label(asked: Asked, table: Table) -> list[Row]:
    """The rows of a table whose columns are the things compared: those that are called by what is measured."""
    if not (asked.left & table.labels and asked.right & table.labels):
        return []
    wanted = (asked.about | _names(asked)) - ((asked.left | asked.right) & table.labels)
    scored = [(len(row.first & wanted), row) for row in table.rows]
    most = max((score for score, _ in scored), default=0)
    return [row for score, row in scored if score == most > 0]


def topped(asked: Asked, table: Table, claim: str) -> Settled | None:
    """Whether the holder of a superlative has its rank among the rows that the claim speaks of.

    A row beyond it is enough to deny a first place; only all the rows, each with a figure, bear a rank out.
    """
    holders = table.named(asked.left)
    if not holders or len(table.rows) < 2:
        return None
    columns = _columns(asked, table.rows, asked.about - asked.left, table.rows)
    if not columns:
        return None
    kinds = (asked.about - asked.left - _labels(holders, columns)) & table.names - frozenset[str]().union(
        *(row.first for row in holders)
    )
    rows = [row for row in table.rows if kinds <= row.names]
    if any(row not in rows for row in holders):
        return None
    in_order = dict.fromkeys(cell.name for _, cell in cells_of(rows, columns))
    ranked = [_ranked(asked, holders, rows, column) for column in in_order]
    told = [one for one in ranked if one is not None]
    if not told or len({one.holds for one in told}) != 1 or told[0].holds is None:
        return None
    if told[0].holds and (not table.whole() or WORLD.search(claim)):
        return None
    return Settled(told[0].holds, asked.span, told[0].ours, told[0].theirs)


class _Ranked(NamedTuple):
    """Whether a column gives the holders their rank (``None``: it cannot say), and the figures that show it."""

    holds: bool | None
    ours: Shown
    theirs: Shown


def _ranked(asked: Asked, holders: Sequence[Row], rows: Sequence[Row], column: str) -> _Ranked | None:
    """What a column says of the rank of some rows among others; ``None`` where it has no figures to compare."""
    own = list(cells_of(holders, {column}))
    others = [(row, cell) for row, cell in cells_of(rows, {column}) if row not in holders]
    if not own or not others:
        return None
    ways = [{beyond(asked, cell.value, mine.value) for _, mine in own} for _, cell in others]
    ahead = [one for one, way in zip(others, ways, strict=True) if way == {1}]
    shown = _shown(*own[0]), _shown(*(ahead or others)[0])
    if len(ahead) >= asked.rank:
        return _Ranked(False, *shown)
    open_ = len(own) + len(others) < len(rows) or any(way not in ({1}, {-1}) for way in ways)
    return _Ranked(None if open_ else len(ahead) == asked.rank - 1, *shown)


def _columns(asked: Asked, rows: Sequence[Row], wanted: Keys, chosen: Sequence[Row]) -> set[str]:
    """The columns that measure what is compared: by what the claim calls it, by its dimension, else the only kind of
    figure that the ``chosen`` rows have there."""
    cells = [cell for row in rows for cell in row.cells]
    names = _names(asked)
    measured = [cell for cell in cells if cell.label & asked.measured - years_in(asked.measured)]
    fitting = [
        cell
        for cell in cells
        if cell.label & names
        or (sign_of(asked, cell.value) is not None and not names_another_scale(asked, cell.label))
    ]
    if measured:
        return best_labels(measured, wanted)
    if fitting:
        return best_labels(fitting, wanted | names)
    called = asked.measured and all(asked.measured <= row.headings for row in rows)
    if asked.scales[0][0] not in OF_ANYTHING and not called:
        return set()
    named = [cell for cell in cells if cell.label & wanted - years_in(wanted)]
    found = best_labels(named or cells, wanted)
    kinds = {_dimension(cell.value) for _, cell in cells_of(chosen, found)}
    return found if len(kinds) == 1 and "date" not in kinds else set()


def names_another_scale(asked: Asked, label: Keys) -> bool:
    """Whether a label says that its figures are of another scale: an altitude is no length, though both are metres."""
    asked_for = {scale for scale, _ in asked.scales}
    others = (scale for scale in _MEASURED if scale not in asked_for)
    return any(label & frozenset(map(word_key, measures_of(scale).names)) for scale in others)


def _names(asked: Asked) -> Keys:
    """What the labels of the asked scales are called."""
    return frozenset(word_key(name) for scale, _ in asked.scales for name in measures_of(scale).names)


def _labels(rows: Sequence[Row], columns: set[str]) -> Keys:
    return frozenset[str]().union(*(cell.label for _, cell in cells_of(rows, columns)))


def _dimension(value: Value) -> str:
    if value.dates:
        return "date"
    return value.quantities[0].dimension


def sign_of(asked: Asked, value: Value) -> int | None:
    """Whether more of the asked scale is more (1) or less (-1) of what a value states; ``None`` where it is neither."""
    dimension = "money" if _MONEY.fullmatch(_dimension(value)) else _dimension(value)
    for scale, way in asked.scales:
        sign = measures_of(scale).dimensions.get(dimension)
        if sign is not None:
            return sign * way
    return None


def beyond(asked: Asked, one: Value, two: Value) -> int | None:
    """1 where the first value is more of what is asked for, -1 where it is less, 0 where it is as much; ``None`` where
    the two may be the same or say nothing of each other."""
    sign = sign_of(asked, one) or asked.way
    if one.dates or two.dates:
        order = moment_of(one).order(moment_of(two))
        return None if order is None else (1 if order * sign > 0 else -1)
    for first in one.quantities:
        for last in two.quantities:
            if first.dimension == last.dimension:
                if first.low > last.high or first.high < last.low:
                    return 1 if (first.low > last.high) == (sign > 0) else -1
                return 0 if first.low == first.high == last.low == last.high else None
    return None
