"""A proposed edit that keeps the capitals, spaces and articles of the claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier_signals.syntax import read

from verifier.types import Span
from verifier.verification.edits.forms import article_for, capital_like

__all__ = ["Proposal", "dropped", "replaced"]

_ARTICLE = re.compile(r"\b(an?)\s+\Z", re.IGNORECASE)
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


class Proposal(NamedTuple):
    """``claim[start:end]`` is to be replaced by ``after``; ``words`` is how many words that changes.

    A ``loose`` one does not rest on a conflict that a signal found: it counts only where it makes the claim supported.
    """

    start: int
    end: int
    after: str
    words: int
    loose: bool = False

    def apply(self, claim: str) -> str:
        """The claim with the change made."""
        return claim[: self.start] + self.after + claim[self.end :]


def replaced(claim: str, span: Span, after: str, *, headed: bool = False) -> Iterator[Proposal]:
    """The span with another text in its place, if that is a change.

    Args:
        claim: the claim.
        span: what is replaced.
        after: what is put there; its first letter and an article before the span are adapted.
        headed: whether ``after`` opened a sentence where it was taken from.
    """
    start, end = span
    old = claim[start:end]
    new = capital_like(" ".join(after.split()), old, heads=_heads(claim, start), headed=headed)
    article = _ARTICLE.search(claim[:start])
    if article is not None and new:
        fitting = article_for(article[1], new)
        if fitting != article[1]:
            new = f"{fitting} {new}"
            start = article.start(1)
            old = claim[start:end]
    if new and new.casefold() != old.casefold():
        yield Proposal(start, end, new, _changed(old, new))


def dropped(claim: str, span: Span) -> Iterator[Proposal]:
    """The claim without the span, one space less; what then opens the sentence is given the capital."""
    start, end = span
    if _heads(claim, start):
        following = _WORD.search(claim, end)
        if following is None:
            return
        word = following[0]
        yield Proposal(start, following.end(), word[0].upper() + word[1:], _changed(claim[start:end], ""))
        return
    while start and claim[start - 1] in " ,":
        start -= 1
    # A comma before the phrase belongs to it where the phrase ends its clause; else it goes on standing.
    if end < len(claim) and claim[end] not in ".;:!?,":
        start = len(claim[:start]) + len(claim[start : span[0]].rstrip(" "))
    yield Proposal(start, end, "", _changed(claim[start:end], ""))


def _heads(claim: str, start: int) -> bool:
    reading = read(claim)
    return any(reading.tokens[at].start == start for at in reading.heads)


def _changed(old: str, new: str) -> int:
    """Words that are not kept, of the longer side.

    >>> _changed("60 days", "30 days"), _changed("is required", "is not required"), _changed("always", "")
    (1, 1, 1)
    """
    mine, theirs = _WORD.findall(old.casefold()), _WORD.findall(new.casefold())
    while mine and theirs and mine[0] == theirs[0]:
        mine, theirs = mine[1:], theirs[1:]
    while mine and theirs and mine[-1] == theirs[-1]:
        mine, theirs = mine[:-1], theirs[:-1]
    return max(len(mine), len(theirs), 1)
