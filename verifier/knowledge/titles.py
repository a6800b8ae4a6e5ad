"""Find the titles of a document that are not marked as headings, and how they nest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from verifier.core.layout import is_title, title_style
from verifier.core.lexicon import lexicon
from verifier.core.text import LIST_ITEM, trimmed

__all__ = ["DOCUMENT", "UNMARKED", "Found", "Ranks", "titles_in"]

DOCUMENT = 0
"""The rank of a title that names the whole document."""
UNMARKED = 7
"""The highest rank of a title that no markup makes a heading: those of headings are 1 to 6."""

_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"[^\W_]+")
_TITLE_CHARS = 100
"""A longer line is running text."""
_OPENERS = 8
"""Words at the beginning of what stands below a title by which two sections are compared."""
_ALIKE = 0.5
"""Share of these words that two sections of one kind have in common."""
_SMALL = lexicon("a an and at by for from in of on or our the to with your")


class Ranks:
    """Titles of one document set off in one way have one rank; the way that is met first ranks highest."""

    def __init__(self) -> None:
        self._styles: list[str] = []

    def of(self, style: str) -> int:
        """The rank of a style, from ``UNMARKED`` on."""
        if style not in self._styles:
            self._styles.append(style)
        return UNMARKED + self._styles.index(style)


class Found(NamedTuple):
    """A title at ``start:end`` of a plain text; ``text`` is what it says."""

    start: int
    end: int
    rank: int
    text: str


class _Candidate(NamedTuple):
    start: int
    end: int
    style: str
    text: str
    below: str
    """The first words of what stands below, empty where that is a title, too."""


def titles_in(text: str, paragraphs: Sequence[tuple[int, int]]) -> dict[int, Found]:
    """The titles of a plain text, by where they start: the first line of a paragraph in bold type, in capitals or with
    a question mark, and a paragraph that is one short line.

    Titles set off in one way are of one rank. The first one names the whole document, and ranks above them, unless it
    is one among its like.
    """
    found = _candidates(text, paragraphs)
    ranks = Ranks()
    titles: dict[int, Found] = {}
    for n, one in enumerate(found):
        first = n == 0 and one.start == trimmed(text, *paragraphs[0])[0]
        if first and not (_among_its_like(one, found[1:]) or _only_titles(found, paragraphs)):
            rank = DOCUMENT
        else:
            rank = ranks.of(one.style)
        titles[one.start] = Found(one.start, one.end, rank, one.text)
    return titles


def _candidates(text: str, paragraphs: Sequence[tuple[int, int]]) -> list[_Candidate]:
    found: list[_Candidate] = []
    bounds = [trimmed(text, *paragraph) for paragraph in paragraphs]
    for n, (start, end) in enumerate(bounds):
        line = _LINE.match(text, start, end)
        alone = line is not None and line.end() == end
        styled = _styled(line[0].strip(), alone=alone) if line is not None else None
        if line is None or styled is None or (alone and n + 1 == len(bounds)):
            continue
        if found and found[-1].end == bounds[n - 1][1]:
            found[-1] = found[-1]._replace(below="")
        below = bounds[n + 1][0] if alone else trimmed(text, line.end(), end)[0]
        found.append(_Candidate(start, line.end(), *styled, text[below : below + 80]))
    return found


def _styled(line: str, *, alone: bool) -> tuple[str, str] | None:
    style = title_style(line)
    if style is not None:
        return style
    if len(line) > _TITLE_CHARS or not line[:1].isupper() or LIST_ITEM.match(line) or line[-1] in ".!;,:":
        return None
    return ("line", line) if line[-1] == "?" or (alone and is_title(line)) else None


def _among_its_like(first: _Candidate, others: Sequence[_Candidate]) -> bool:
    """Whether a title with a text of its own is one of a kind: they share a word, or their texts begin alike."""
    return bool(first.below) and any(
        other.style == first.style and (_words(first.text) & _words(other.text) or _begin_alike(first, other))
        for other in others
    )


def _only_titles(found: Sequence[_Candidate], paragraphs: Sequence[tuple[int, int]]) -> bool:
    return len(found) > 1 and len(found) == len(paragraphs) - 1 and not any(one.below for one in found[:-1])


def _begin_alike(one: _Candidate, other: _Candidate) -> bool:
    if not other.below:
        return False
    first, second = (_openers(each.below) for each in (one, other))
    return len(first & second) >= _ALIKE * max(len(first), len(second), 1)


def _openers(text: str) -> frozenset[str]:
    return frozenset("#" if word.isdigit() else word.casefold() for word in _WORD.findall(text)[:_OPENERS])


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _SMALL
