"""Mentions of a name in another text: as a name, in small letters, spelt out, or as an adjective."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.names.matching import APART, is_alias, known_thing, people_of
from verifier_signals.names.types import Name
from verifier_signals.syntax import Reading, Token, is_common

__all__ = ["is_ordinary", "mention_of"]

Span = tuple[int, int]

_ENDINGS = lexicon("n an ian ean yan ese ish i ic")
"""What an adjective puts behind the root of a country: ``Libya``, ``Libyan``."""
_HYPHENS = re.compile("[-‐‑]")


def mention_of(name: Name, theirs: Sequence[Name], reading: Reading) -> Span | None:
    """The span at which a text mentions a name of the claim.

    Args:
        name: the name looked for.
        theirs: the names of the text looked into.
        reading: that text.
    """
    for other in theirs:
        if is_alias(name, other):
            return other.start, other.end
    return _in_small_letters(name, reading) or _spelt_out(name, reading) or _as_adjective(name, reading)


def is_ordinary(name: Name, reading: Reading) -> bool:
    """Whether a name is but a phrase in title case (``Finance Team``) of which the text has a word.

    That such a phrase does not stand in the text says no more than that its words do not.
    """
    words = [word for word in name.words if word.isalpha()]
    if len(words) < 2 or len(words) < len(name.words) or not all(map(is_common, words)):
        return False
    return any(word in reading.places or word + "s" in reading.places for word in words)


def _in_small_letters(name: Name, reading: Reading) -> Span | None:
    """Where the words of a name stand together, whatever their capitals."""
    for at in reading.places.get(name.words[0], ()):
        if at and reading.tokens[at - 1].word.low in APART and reading.tokens[at - 1].word.capital:
            continue
        place = at
        for word in name.words[1:]:
            behind = reading.places.get(word, ())
            following = bisect_right(behind, place)
            place = next((near for near in behind[following : following + 1] if near <= place + 3), -1)
            if place < 0:
                break
        if place >= 0:
            return reading.tokens[at].start, reading.tokens[place].end
    return None


def _spelt_out(name: Name, reading: Reading) -> Span | None:
    """Where words spell an acronym by their initials: ``chief executive (officer)`` for ``CEO``."""
    if not name.acronym or len(name.letters) < 3:
        return None
    letters = name.letters
    if letters[0] == "c" and letters[-1] == "o":  # chief ... officer, and officer is often left out
        letters = letters[:-1]
    initials, tokens = _initials(reading)
    at = initials.find(letters)
    return None if at < 0 else (tokens[at].start, tokens[at + len(letters) - 1].end)


@lru_cache(maxsize=2048)
def _initials(reading: Reading) -> tuple[str, tuple[Token, ...]]:
    """The initials of the content words of a text and of their parts between hyphens, and the token of each."""
    parts = [
        (part[0], token)
        for token in reading.tokens
        if not (token.word.punct or token.word.function)
        for part in _HYPHENS.split(token.word.low)
        if part
    ]
    return "".join(initial for initial, _ in parts), tuple(token for _, token in parts)


def _as_adjective(name: Name, reading: Reading) -> Span | None:
    """``Swiss`` for ``Switzerland``; of places that no table knows, by their root (``Tessary``, ``Tessarian``)."""
    thing = known_thing(name.words)
    if thing is not None:
        found = (_in_capitals(words, reading) for words in people_of(thing))
        return next((span for span in found if span is not None), None)
    if len(name.words) != 1:
        return None
    [place] = name.words
    root = place.rstrip("aeiouy")
    for token in _capitals(reading):
        low = token.word.low
        if low != place and low.startswith(root) and low[len(root) :] in _ENDINGS:
            return token.start, token.end
    return None


def _in_capitals(words: Sequence[str], reading: Reading) -> Span | None:
    """Where words stand one behind the other, the first with a capital, and none before it that makes another thing."""
    tokens = reading.tokens
    for at in _places_of(words[0], reading):
        behind = tokens[at : at + len(words)]
        if not behind[0].word.capital or (at and tokens[at - 1].word.low in APART):
            continue
        if len(behind) == len(words) and all(
            token.word.low.rstrip("s") == word.rstrip("s") for token, word in zip(behind, words, strict=True)
        ):
            return behind[0].start, behind[-1].end
    return None


def _places_of(word: str, reading: Reading) -> Sequence[int]:
    return [*reading.places.get(word, ()), *reading.places.get(word + "s", ())]


@lru_cache(maxsize=2048)
def _capitals(reading: Reading) -> tuple[Token, ...]:
    return tuple([token for token in reading.tokens if token.word.capital])
