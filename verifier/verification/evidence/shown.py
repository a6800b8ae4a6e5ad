"""The text of a passage as its reader sees it, without words that are crossed out, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from verifier.core.layout import STRUCK

__all__ = ["Shown", "shown"]

_HIDDEN = re.compile(
    rf"`[^`\n]*`|^(?:```|~~~).*?^(?:```|~~~)|{STRUCK.pattern}|\[\^[^\]\s]{{1,40}}\](?!:)", re.M | re.S
)
"""What is crossed out, and marks of footnotes; code is passed over."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A text without what is hidden in it.

    ``starts[n]`` is where the ``n``-th stretch that is kept begins in ``text``, ``places[n]`` where it stands in the
    passage.
    """

    text: str
    starts: tuple[int, ...]
    places: tuple[int, ...]

    def place(self, at: int) -> int:
        """Where a code point of ``text`` stands in the passage."""
        n = max(bisect_right(self.starts, at) - 1, 0)
        return self.places[n] + at - self.starts[n]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of ``text`` that is not empty begins and ends in the passage, with what is hidden in it."""
        return self.place(start), self.place(end - 1) + 1

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The pieces of a stretch that stand together in the passage: start and end in ``text``, start there."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        for n in range(first, len(self.starts)):
            stop = self.starts[n + 1] if n + 1 < len(self.starts) else len(self.text)
            left, right = max(start, self.starts[n]), min(end, stop)
            if left >= end:
                return
            if left < right:
                yield left, right, self.places[n] + left - self.starts[n]


@lru_cache(maxsize=2048)
def shown(text: str) -> Shown:
    """What a reader of a passage takes as said.

    >>> shown("The fine is ~~EUR 50~~ EUR 80.[^1]").text
    'The fine is EUR 80.'
    """
    if "~~" not in text and "[^" not in text and "</" not in text:
        return Shown(text, (0,), (0,))
    kept: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    at = length = 0
    for start, end in [*_hidden(text), (len(text), len(text))]:
        if at < start:
            kept.append(text[at:start])
            starts.append(length)
            places.append(at)
            length += start - at
        at = max(at, end)
    return Shown("".join(kept), tuple(starts or [0]), tuple(places or [0]))


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """What is hidden, with one of the spaces that would be left on both sides of it."""
    for match in _HIDDEN.finditer(text):
        start, end = match.span()
        if match[0][0] in "`" or match[0].startswith("~~~"):
            continue
        if text[start - 1 : start] in ("", " ", "\n") and text[end : end + 1] == " ":
            end += 1
        elif text[start - 1 : start] == " " and match[0][0] == "~":
            start -= 1
        yield start, end
