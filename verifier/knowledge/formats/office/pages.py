"""Join the outlines of slides into one text with a page for each."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.types import Page

__all__ = ["paged"]


def paged(slides: Iterable[tuple[int, str]]) -> tuple[str, tuple[Page, ...]]:
    """The texts of slides one below the other, and the span of each; slides without text have none.

    >>> paged([(1, "Fees"), (2, ""), (3, "Hours")])
    ('Fees\\n\\nHours', (Page(number=1, start=0, end=4), Page(number=3, start=6, end=11)))
    """
    parts: list[str] = []
    pages: list[Page] = []
    at = 0
    for number, text in slides:
        if text:
            pages.append(Page(number, at, at + len(text)))
            parts.append(text)
            at += len(text) + 2
    return "\n\n".join(parts), tuple(pages)
