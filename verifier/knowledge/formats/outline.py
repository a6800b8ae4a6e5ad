"""Write headings, paragraphs, items and tables as the plain Markdown that chunking reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["Outline"]

_FENCE = re.compile(r"`{3,}")


_TOGETHER = frozenset({("item", "item"), ("term", "definition"), ("definition", "definition")})
"""Blocks without a blank line between them."""
_DEEPEST = 12
"""Levels of a list that are indented; what is below them stands on the last one."""
_MOST_PADDING = 10_000
"""Empty cells that are added to the short rows of a table, beside as many as it has cells."""
_STEP = 4
"""Spaces for a level of a list: as many as the widest usual marker, ``10. ``, so that every item nests."""


class Outline:
    """Collects the blocks of a rich document as text. Adds signs that mark structure, never words."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str, str]] = []
        self._open_levels = 0  # list items that the next block may stand in

    def heading(self, level: int, text: str) -> None:
        """Add a heading of level 1 to 6, on one line."""
        self._add("heading", f"{'#' * min(max(level, 1), 6)} {' '.join(text.split())}", text)

    def paragraph(self, text: str, depth: int = 0) -> None:
        """Add a paragraph; ``depth`` above 0 puts it into the list item before it, if there is one."""
        depth = min(depth, self._open_levels, _DEEPEST)
        self._add("paragraph", _indented(text, depth), text, levels=depth)

    def item(self, text: str, depth: int = 0, marker: str = "-") -> None:
        """Add a list item, ``depth`` levels below the top, but only one below the item before it."""
        depth = min(depth, self._open_levels, _DEEPEST - 1)
        body = _indented(text, depth + 1).lstrip()
        self._add("item", f"{' ' * _STEP * depth}{marker} {body}", text, levels=depth + 1)

    def definition(self, text: str, *, term: bool) -> None:
        """Add a term, or below it a definition of it: ``: `` and what it is."""
        bare = " ".join(text.split())
        self._add("term" if term else "definition", bare if term else f": {bare}", text)

    def code(self, text: str) -> None:
        """Add preformatted text as it stands."""
        fence = "`" * max([3, *(len(match[0]) + 1 for match in _FENCE.finditer(text))])
        body = text.strip("\n")
        self._add("code", f"{fence}\n{body}\n{fence}", text)

    def table(self, rows: Sequence[Sequence[str]], *, header: bool) -> None:
        """Add a table as rows between pipes, all of one width unless most of it would be empty; without ``header`` the
        header row stays empty."""
        filled = [row for row in rows if any(cell.strip() for cell in row)]
        width = max(map(len, filled), default=0)
        if not width:
            return
        if not header:
            filled.insert(0, [""] * width)
        padded = width * len(filled) <= 2 * sum(map(len, filled)) + _MOST_PADDING
        lines = [_row([*row, *[""] * (width - len(row))] if padded else row) for row in filled]
        lines.insert(1, "|" + "---|" * width)
        self._add("table", "\n".join(lines), "table")

    def text(self) -> str:
        """The document so far: items and definitions on lines of their own, all else with a blank line between."""
        parts: list[str] = []
        before = ""
        for kind, block in self._blocks:
            if parts:
                parts.append("\n" if (before, kind) in _TOGETHER else "\n\n")
            parts.append(block)
            before = kind
        return "".join(parts)

    def _add(self, kind: str, block: str, content: str, levels: int = 0) -> None:
        if content.strip():
            self._blocks.append((kind, block))
            self._open_levels = levels


def _indented(text: str, depth: int) -> str:
    return "\n".join(" " * _STEP * depth + line.strip() for line in text.splitlines() if line.strip())


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"
