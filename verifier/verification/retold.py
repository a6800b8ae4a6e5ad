"""A window and a claim in; the window out in plain words, and in the claim's own where these say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verifier_signals.syntax import read
from verifier_signals.values.date_forms import MONTHS, WEEKDAYS

from verifier.core.text import sentence_spans
from verifier.verification.statements.plain import TURN, said_again
from verifier.verification.statements.plain_exceptions import Excepted
from verifier.verification.statements.plain_grammar import Parts, edited
from verifier.verification.statements.plain_opposites import in_words_of
from verifier.verification.statements.types import Piece
from verifier.verification.windows import Window

__all__ = ["in_claims_words"]

_TIMES = (WEEKDAYS, MONTHS)
_EXCEPTING = re.compile(
    r"\b(?:except\w*|unless|(?:apart|aside) from|other than|but|save for|excluding|only|outside)\b",
    re.IGNORECASE,
)


def in_claims_words(window: Window, claim: str) -> Window:
    """The window with what it excepts, rules out or shows no sign of said in a second sentence, behind its own, and
    with the claim's word in the place of a denied opposite of it; itself where there is nothing of that.

    What holds of an exception is told only to a claim that speaks of it.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.windows import whole
    >>> text = "All rooms but the attic are heated."
    >>> window = whole(Evidence("hut.md", "hut.md", text, 0, len(text), 1.0))
    >>> in_claims_words(window, "The attic is unheated.").premise
    'All rooms are heated except the attic. The attic is unheated.'
    >>> in_claims_words(window, "The kitchen is heated.").premise
    'All rooms but the attic are heated.'
    """
    if window.parts:
        return window
    window = _told_again(window, claim) if _has_turn(window.premise) else window
    edits = in_words_of(claim, window.premise)
    return _reworded(window, edited(window.premise, 0, len(window.premise), edits)) if edits else window


@lru_cache(maxsize=4096)
def _has_turn(premise: str) -> bool:
    return TURN.search(premise) is not None


def _told_again(window: Window, claim: str) -> Window:
    """The window with the second sentence of each of its own that has one."""
    premise = window.premise
    parts: Parts = []
    at = 0
    for start, end, _ in window.segments:
        for begin, stop in sentence_spans(premise[start:end]):
            sentence = premise[start + begin : start + stop]
            again = _again(sentence, claim)
            if again:
                parts.append(Piece.quoted(premise, at, start + begin))
                parts += (part.moved(start + begin) for part in again)
                at = start + stop
    return _reworded(window, [*parts, Piece.quoted(premise, at, len(premise))]) if parts else window


def _again(sentence: str, claim: str) -> Parts:
    """A sentence with what it says again to a claim; nothing where that is nothing."""
    found = said_again(sentence)
    if found is None:
        return []
    if not isinstance(found, Excepted):
        return [Piece(sentence, 0), Piece(" ", None), *found]
    if _EXCEPTING.search(claim):
        return []
    if _names(claim, sentence, found.one):
        return found.parts
    return [Piece(found.general, None)] if _of_another_time(claim, found.one) else []


def _names(claim: str, sentence: str, one: str) -> bool:
    """Whether a claim has a word of an exception that the rest of its sentence lacks."""
    own = _content(one) - _content(sentence.replace(one, " "))
    return not own or not own.isdisjoint(_content(claim))


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    return frozenset(
        token.word.stem for token in read(text).tokens if not (token.word.punct or token.word.function)
    )


def _of_another_time(claim: str, one: str) -> bool:
    """Whether a day or a month is excepted, and the claim speaks of another: then it is one of all of them."""
    low, said = one.casefold(), claim.casefold()
    return any(any(name in low for name in names) and any(name in said for name in names) for names in _TIMES)


def _reworded(window: Window, parts: Parts) -> Window:
    """The window with other words for its premise: each with its place in the premise that they are taken from."""
    premise = ""
    segments: list[tuple[int, int, int]] = []
    for text, at in parts:
        if at is not None:
            segments.extend(_kept(window.segments, at, at + len(text), len(premise)))
        premise += text
    return replace(window, premise=premise, segments=tuple(segments), reworded=True)


def _kept(
    segments: Sequence[tuple[int, int, int]], begin: int, end: int, to: int
) -> Iterator[tuple[int, int, int]]:
    """The segments of ``premise[begin:end]``, where that stretch is moved to a place."""
    for first, last, document in segments:
        left, right = max(first, begin), min(last, end)
        if left < right:
            yield to + left - begin, to + right - begin, document + left - first
