"""The word lists of ``evaluative.toml`` in; regular expressions of the words that judge, with their forms, out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources

from verifier.core.lexicon import lexicon

__all__ = ["ADVERB", "EMPTY_NOUN", "EVALUATIVE", "JUDGING", "QUALITY", "TASTE", "VERDICT", "WORDS"]

_WORDS = {
    name: lexicon(words)
    for name, words in tomllib.loads(
        resources.files(__package__).joinpath("evaluative.toml").read_text(encoding="utf-8")
    ).items()
}
_IRREGULAR = lexicon("better best worse worst greatest greater nicer nicest")


def _compared(adjective: str) -> set[str]:
    """The adjective with the comparative and superlative it may have; forms that nobody uses do no harm."""
    if "-" in adjective or len(adjective) > 8 or adjective.endswith(("ous", "ful", "ing", "less", "ed")):
        return {adjective}
    stem = adjective.removesuffix("e")
    if adjective.endswith("y"):
        stem = adjective[:-1] + "i"
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", adjective):
        stem = adjective + adjective[-1]
    return {adjective, stem + "er", stem + "est"}


def _adverb(adjective: str) -> str:
    if adjective.endswith("y"):
        return adjective[:-1] + "ily"
    if adjective.endswith("le"):
        return adjective[:-1] + "y"
    return adjective + ("ally" if adjective.endswith("ic") else "ly")


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"


_TASTE = {form for word in _WORDS["taste"] for form in _compared(word)}
_JUDGING = {form for word in _WORDS["judging"] for form in _compared(word)} | _IRREGULAR

TASTE = _any_of(_TASTE)
"""Adjectives of taste (``charming``): whatever is called so, nobody can check it."""
JUDGING = _any_of(_JUDGING)
"""Adjectives that judge, but are also used of facts (``a fair trial``)."""
EVALUATIVE = _any_of(_TASTE | _JUDGING)
VERDICT = _any_of(_WORDS["verdicts"])
"""Nouns that judge (``a joy``)."""
QUALITY = _any_of(_WORDS["qualities"])
"""Nouns for what one feels and cannot measure (``charm``)."""
EMPTY_NOUN = _any_of({form for word in _WORDS["empty"] for form in (word, word + "s")})
"""Nouns that add nothing to the adjective before them (``a lovely place``)."""
_ADVERB = {_adverb(word) for word in _WORDS["taste"] | _WORDS["judging"]} | {"well", "badly", "wrong"}
ADVERB = _any_of(_ADVERB)
"""Manners that judge (``gracefully``)."""
WORDS = frozenset(_TASTE | _JUDGING | _ADVERB | _WORDS["verdicts"] | _WORDS["qualities"])
"""Every word that judges, in every form that the expressions know."""
