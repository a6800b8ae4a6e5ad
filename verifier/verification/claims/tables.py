"""The line of a table row in; the spans of its cells out."""

from __future__ import annotations

import re
from itertools import pairwise

from verifier.core.text import trimmed

__all__ = ["cell_spans", "cell_value"]

_PIPE = re.compile(r"(?<!\\)\|")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)*")
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
    return plain if any(map(str.isalnum, plain)) else ""
