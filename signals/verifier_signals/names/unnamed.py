"""A text goes in, which of its sentences tell of somebody or something that nothing before names comes out."""

from __future__ import annotations

from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.names.find import names_in
from verifier_signals.names.types import Name
from verifier_signals.syntax import Reading, VerbGroup, read

__all__ = ["LINKS", "is_subject", "tie_of", "unnamed_subjects"]

LINKS = lexicon("of in on at by for with about against to from under over as than into")
_BACK = 5
"""Tokens looked through for the preposition before a name."""


def tie_of(reading: Reading, name: Name) -> str:
    """The preposition before a name, or nothing; what it is called is passed over: ``by the director Ada Orr``."""
    for at in range(name.first - 1, max(name.first - 1 - _BACK, -1), -1):
        word = reading.tokens[at].word
        if word.low in LINKS:
            return word.low
        if word.punct or word.verb is not None or reading.sentences[at] != reading.sentences[name.first]:
            break
    return ""


def is_subject(reading: Reading, name: Name) -> bool:
    """Whether a sentence tells of a name: it, or what is its, stands before the first verb, behind no preposition."""
    verb = _first_verbs(reading)[reading.sentences[name.first]]
    return name.last <= verb and not tie_of(reading, name)


@lru_cache(maxsize=2048)
def unnamed_subjects(text: str) -> tuple[bool, ...]:
    """For each sentence whether its subject is nobody whom it or an earlier one names.

    >>> unnamed_subjects("In May she moved to Elm. Ada Orr liked it. She stayed.")
    (True, False, False)
    """
    reading = read(text)
    count = reading.sentences[-1] + 1 if reading.sentences else 0
    first = min(
        (reading.sentences[name.first] for name in names_in(text) if is_subject(reading, name)), default=count
    )
    ordering = {
        clause.sentence for clause in reading.clauses if clause.verbs and _orders(reading, clause.verbs[0])
    }
    return tuple(sentence < first and sentence not in ordering for sentence in range(count))


def _orders(reading: Reading, verb: VerbGroup) -> bool:
    """Whether a verb opens its sentence as an order, which tells of nobody: ``Write to Ada Orr``."""
    opens = verb.first == 0 or reading.sentences[verb.first - 1] != reading.sentences[verb.first]
    return opens and reading.tokens[verb.first].word.low == verb.lemma


@lru_cache(maxsize=2048)
def _first_verbs(reading: Reading) -> tuple[int, ...]:
    """The place of the first verb of each sentence, or where the sentence ends."""
    ends = [0] * ((reading.sentences[-1] if reading.sentences else 0) + 1)
    for at, sentence in enumerate(reading.sentences):
        ends[sentence] = at + 1
    for clause in reversed(reading.clauses):
        if clause.verbs:
            ends[clause.sentence] = clause.verbs[0].first
    return tuple(ends)
