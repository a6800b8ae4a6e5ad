"""Chunking: cut a document into passages with exact offsets, page and headings, and tear nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from verifier.core.deadline import each
from verifier.core.errors import ConfigError
from verifier.knowledge.units import Unit, plain_units
from verifier.types import Document, Passage

__all__ = ["MAX_CHARS", "chunk"]

MAX_CHARS = 900
"""Code points in a passage. Small encoders read 256 word pieces, some 1,000 to 1,200 characters of English,
and the headings and context that are indexed with a passage need room in them too: what an encoder would cut
off could not be found."""

_MIN_CHARS = 50
_ALWAYS = 1000
_USUAL_CHARS = 150
"""Each passage is embedded and stored by itself, so their number must be bounded by the length of the text."""


def chunk(document: Document, *, max_chars: int = MAX_CHARS) -> list[Passage]:
    """Split a document into passages, in reading order.

    Sentences, list items and table rows stay whole unless one alone is longer than ``max_chars``; it is then
    split at sentences, else at white space, else anywhere. A passage never reaches over a heading, and over
    the end of a page only where one sentence does. Markdown's own signs may be left out (rules, comments, the
    front matter); all other visible characters are in exactly one passage. Linear time. Where that would make more than
    a thousand passages, and more than one for 150 characters, headings part nothing.

    Args:
        document: read as Markdown where ``media_type`` is ``text/markdown``, else as plain text.
        max_chars: most code points in a passage, at least 50.

    Returns:
        Passages with ``document.text[start:end] == text``, none blank. One that begins with a heading holds
        its words, and names it in ``headings`` as the passages after it do.

    Raises:
        ConfigError: ``max_chars`` is too small.

    >>> page = Document("a.md", "/a.md", "# Fees\\n\\nEntry is free.", media_type="text/markdown")
    >>> chunk(page)
    [Passage(text='# Fees\\n\\nEntry is free.', start=0, end=22, page=None, headings=('Fees',), context='')]
    """
    if max_chars < _MIN_CHARS:
        raise ConfigError(f"max_chars is {max_chars}; passages need at least {_MIN_CHARS} characters")
    units = _units(document, max_chars)
    most = _ALWAYS + len(document.text) // _USUAL_CHARS
    passages = list(islice(_Packer(document, max_chars).pack(units), most + 1))
    return passages if len(passages) <= most else list(_Packer(document, max_chars).pack(_run_on(units)))


def _units(document: Document, max_chars: int) -> list[Unit]:
    if document.media_type != "text/markdown":
        return plain_units(document, max_chars)
    from verifier.knowledge.markdown_units import markdown_units  # its parser takes a while to load

    return markdown_units(document, max_chars)


def _run_on(units: Sequence[Unit]) -> list[Unit]:
    """The same units as one section: of a text that has a heading above every other word."""
    return [replace(unit, section=0, block=0, headings=()) for unit in units]


class _Packer:
    """Fills passages with units, greedily; a block that fits into one passage is kept in one."""

    def __init__(self, document: Document, max_chars: int) -> None:
        self.document, self.max_chars = document, max_chars
        self.page_starts = [page.start for page in document.pages]
        self.current: list[Unit] = []

    def pack(self, units: list[Unit]) -> Iterator[Passage]:
        for _, block in each(groupby(units, key=lambda unit: (unit.section, unit.block))):
            members = list(block)
            whole = self._fits(members[-1], members[0].start)
            if whole and not self._fits(members[-1]) and not all(unit.opens for unit in self.current):
                yield from self._close(members[0])
            for unit in members:
                if not self._fits(unit) or self._parts(unit):
                    yield from self._close(unit)
                self.current.append(unit)
        yield from self._passage(self.current)

    def _fits(self, unit: Unit, start: int | None = None) -> bool:
        if start is None:
            start = self.current[0].start if self.current else unit.start
        return unit.end - start <= self.max_chars

    def _parts(self, unit: Unit) -> bool:
        """Whether a heading or the end of a page stands between the current passage and ``unit``."""
        if not self.current:
            return False
        before = self.current[0]
        return before.section != unit.section or self._page(before.start) != self._page(unit.start)

    def _close(self, following: Unit) -> Iterator[Passage]:
        """Finish the current passage; what leads into ``following`` moves on with it."""
        keep = len(self.current)
        while keep and self.current[keep - 1].opens and not self._between(self.current[keep - 1], following):
            keep -= 1
        done, self.current = self.current[:keep], self.current[keep:]
        if not done or not self._fits(following):
            done, self.current = [*done, *self.current], []
        yield from self._passage(done)

    def _between(self, unit: Unit, following: Unit) -> bool:
        same_page = self._page(unit.start) == self._page(following.start)
        return not (unit.section == following.section and same_page)

    def _passage(self, units: list[Unit]) -> Iterator[Passage]:
        if not units:
            return
        start, end = units[0].start, units[-1].end
        yield Passage(
            text=self.document.text[start:end],
            start=start,
            end=end,
            page=self._page(start),
            headings=units[-1].headings,
            context=units[0].context,
        )

    def _page(self, offset: int) -> int | None:
        if not self.page_starts:
            return None
        index = max(bisect_right(self.page_starts, offset) - 1, 0)
        return self.document.pages[index].number
