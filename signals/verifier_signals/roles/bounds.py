"""A text goes in, the most that its words can say comes out, in little time and before it is read for roles.

What a premise cannot say it cannot contradict, and most premises say nothing of what a claim tells.
"""

from __future__ import annotations

from functools import cache, lru_cache

from verifier_signals.lexicon import frames
from verifier_signals.roles.nominals import MADE_KINDS, deed_of
from verifier_signals.roles.relational import relations_of_noun
from verifier_signals.stems import word_key
from verifier_signals.syntax import read

__all__ = ["keys_in", "kinds_in"]


@lru_cache(maxsize=2048)
def keys_in(text: str) -> frozenset[str]:
    """The keys that a fact, an attachment or a sentence of a text can have, and more: those of all its words."""
    return frozenset(map(word_key, read(text).places))


@lru_cache(maxsize=2048)
def kinds_in(text: str) -> frozenset[str]:
    """The kinds that an event of a text can have, and more: those of all its verbs and of all nouns of deeds."""
    reading = read(text)
    told = [_kinds_of(group.lemma) for clause in reading.clauses for group in clause.verbs]
    made = MADE_KINDS if "by" in reading.places else ()
    linked = [f"be {reading.tokens[at - 1].word.stem}" for at in reading.places.get("to", ()) if at]
    return frozenset().union(made, linked, *told, *map(_kinds_of_noun, reading.places))


@lru_cache(maxsize=65536)
def _kinds_of_noun(low: str) -> frozenset[str]:
    """The kinds of the events that a folded word can tell of as a noun."""
    verb = deed_of(low)
    return relations_of_noun(low) | (frozenset() if verb is None else _kinds_of(verb))


@lru_cache(maxsize=16384)
def _kinds_of(verb: str) -> frozenset[str]:
    """The kinds of the events that a verb can tell of, alone or with particles."""
    own = word_key(verb) or verb
    return _framed().get(verb, frozenset()) | {own}


@cache
def _framed() -> dict[str, frozenset[str]]:
    """The events of the frames of each verb, those of its phrases included; ``replace A with B`` is in no table."""
    found: dict[str, set[str]] = {"replace": {"succession"}}
    for phrase, known in frames().items():
        found.setdefault(phrase.split()[0], set()).update(frame.event for frame in known)
    return {verb: frozenset(events) for verb, events in found.items()}
