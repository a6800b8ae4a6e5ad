"""The line of a table row in; the spans of its cells out, and what each one says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.text import trimmed
from verifier.verification.claims.markup import blank_markup

__all__ = ["Cell", "cell_spans", "cell_texts", "cells_told"]

_PIPE = re.compile(r"(?<!\\)\|")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)*")
_NO_COLUMN = lexicon("value values detail details description information info data answer figure figures")
"""Names of columns that say nothing of what stands in them."""
_BLANK = lexicon("n/a na tbd tba")
_TICKS = {
    "✓": "yes",
    "✔": "yes",
    "✅": "yes",
    "☑": "yes",
    "✗": "no",
    "✘": "no",
    "❌": "no",
    "✕": "no",
    "×": "no",
}


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Half-open spans of the cells of one row, trimmed; an empty cell has an empty span.

    >>> row = "| Standard | 4.90 EUR |"
    >>> [row[start:end] for start, end in cell_spans(row)]
    ['Standard', '4.90 EUR']
    """
    quote = _QUOTE.match(row)
    begin = quote.end() if quote else 0
    pipes = [match.start() for match in _PIPE.finditer(row, begin)]
    bounds = [begin - 1, *pipes, len(row)]
    cells = [trimmed(row, left + 1, right) for left, right in pairwise(bounds)]
    if pipes and not row[begin : pipes[0]].strip():
        cells = cells[1:]
    if pipes and not row[pipes[-1] + 1 :].strip():
        cells = cells[:-1]
    return cells


def cell_value(text: str) -> str:
    """What a cell says: ticks and crosses as words; ``""`` where it holds no letter, digit or tick.

    >>> cell_value("✅"), cell_value("—"), cell_value("4.90")
    ('yes', '', '4.90')
    """
    plain = text.strip().rstrip("\ufe0f")
    if plain in _TICKS:
        return _TICKS[plain]
    return plain if any(map(str.isalnum, plain)) and plain.lower() not in _BLANK else ""


class Cell(NamedTuple):
    """What one cell of a row says: ``row[start:end]`` is quoted, the cell's own words begin at ``at``."""

    start: int
    at: int
    end: int
    reading: str
    value: str


def cell_texts(row: str) -> list[str]:
    """The cells of a row without markup.

    >>> cell_texts("| **Plan** | Price |")
    ['Plan', 'Price']
    """
    return [" ".join(blank_markup(row[slice(*cell)], listed=False).split()) for cell in cell_spans(row)]


def row_key(row: str, above: str) -> str:
    """What a row is about: its first cell; that of the row ``above`` where the first of several cells is empty."""
    texts = [cell_value(text) for text in cell_texts(row)]
    inherits = len(texts) > 1 and not texts[0] and bool(above)
    return above if inherits else next(filter(None, texts), "")


def cells_told(row: str, headers: Sequence[str], key: str = "") -> Iterator[Cell]:
    """One for each filled cell behind the first one, which names what the row is about unless a ``key`` does.

    >>> [cell.reading for cell in cells_told("| Basic | 5 EUR | |", ["Plan", "Price", "Users"])]
    ['Basic, Price: 5 EUR']
    >>> [cell.reading for cell in cells_told("| Height | 175 m |", ["Metric", "Value"])]
    ['Height: 175 m']
    """
    cells = cell_spans(row)
    values = [cell_value(text) for text in cell_texts(row)]
    filled = [number for number, value in enumerate(values) if value]
    told = filled if key and not values[0] else filled[1:] or filled
    key = key or values[filled[0]] if filled else ""
    start = 0
    for position in told:
        end = len(row) if position == filled[-1] else cells[position][1]
        column = headers[position] if position < len(headers) else ""
        yield Cell(start, cells[position][0], end, _reading(key, column, values[position]), values[position])
        start = end + len(row[end:]) - len(row[end:].lstrip())


def _reading(key: str, column: str, value: str) -> str:
    if column.lower() in _NO_COLUMN:
        return value if key == value else f"{key}: {value}"
    text = f"{column}: {value}" if column else value
    return text if key == value else f"{key}, {text}"
