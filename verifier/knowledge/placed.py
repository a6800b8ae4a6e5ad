"""Add to evidence the line in which it begins, where the file that was read has such lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from verifier.core.lines import Lines
from verifier.core.recent import RecentlyUsed, digest
from verifier.knowledge.files import has_lines
from verifier.types import Evidence

__all__ = ["KnownLines"]

_MOST = 1_000_000
"""Lines of documents that are kept for the next question."""


class KnownLines:
    """Where the lines of documents begin, looked up once for each; an id stands for one text for ever."""

    def __init__(self) -> None:
        self._kept: RecentlyUsed[Lines] = RecentlyUsed(_MOST, cost=len)

    def placed(self, items: Iterable[Evidence], text_of: Callable[[str], str | None]) -> list[Evidence]:
        """The evidence with its lines; ``text_of`` gives the text of a document."""
        return [self._placed(item, text_of) for item in items]

    def _placed(self, item: Evidence, text_of: Callable[[str], str | None]) -> Evidence:
        if item.page is not None or not has_lines(item.source):
            return item
        key = digest(item.doc_id)
        lines = self._kept.get(key)
        if lines is None:
            lines = Lines(text_of(item.doc_id) or "")
            self._kept.update([(key, lines)])
        return replace(item, line=lines.place(item.start).line)
