"""Add to evidence the line or the paragraph in which it begins, as the file that was read has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from verifier.core.lines import Lines, Paragraphs
from verifier.core.recent import RecentlyUsed, digest
from verifier.knowledge.files import has_lines
from verifier.types import Evidence

__all__ = ["KnownLines"]

_BY_PARAGRAPHS = frozenset({"docx"})
"""Formats without pages or lines of their own, that a reader looks up by heading and paragraph."""

_MOST = 1_000_000
"""Lines and paragraphs of documents that are kept for the next question."""


class KnownLines:
    """Where lines and paragraphs of documents begin, looked up once for each; an id stands for one text for ever."""

    def __init__(self) -> None:
        self._kept: RecentlyUsed[Lines | Paragraphs] = RecentlyUsed(_MOST, cost=len)

    def placed(self, items: Iterable[Evidence], text_of: Callable[[str], str | None]) -> list[Evidence]:
        """The evidence with its lines or paragraphs; ``text_of`` gives the text of a document."""
        return [self._placed(item, text_of) for item in items]

    def _placed(self, item: Evidence, text_of: Callable[[str], str | None]) -> Evidence:
        by_paragraphs = item.metadata.get("format") in _BY_PARAGRAPHS
        if item.page is not None or not (by_paragraphs or has_lines(item.source)):
            return item
        key = digest(item.doc_id)
        known = self._kept.get(key)
        if known is None:
            known = (Paragraphs if by_paragraphs else Lines)(text_of(item.doc_id) or "")
            self._kept.update([(key, known)])
        if isinstance(known, Paragraphs):
            return replace(item, paragraph=known.number(item.start))
        return replace(item, line=known.place(item.start).line)
