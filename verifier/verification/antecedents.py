"""The sentences of a passage go in; what the pronouns stand for that open some of them comes out.

``It was designed by Ruth Keller`` says nothing of which tower: read alone, it denies every other architect of every
other tower. The same reading that makes a response's claims self-contained is given to the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.syntax.predications import predications_in

from verifier.types import Span
from verifier.verification.claims.clauses import split_clauses
from verifier.verification.claims.reference import Discourse

__all__ = ["Antecedent", "antecedents"]

_PRONOUN = re.compile(r"(?:It|They|He|She|Its|Their|His|Her)\b")


class Antecedent(NamedTuple):
    """A sentence's first ``length`` code points are read as ``text``."""

    length: int
    text: str


_POSSESSIVE_ENDING = re.compile(r"['’]s?$")
_LONGEST = 6
"""Words of a subject that are read in the place of a pronoun; a longer one has a clause of its own."""
_NONE = Antecedent(0, "")


def antecedents(text: str, sentences: Sequence[Span]) -> Sequence[Antecedent]:
    """For each sentence what its opening pronoun stands for; of length 0 where it has none, or none that is certain.

    Args:
        text: the passage.
        sentences: their spans in it, in order.
    """
    if not any(_PRONOUN.match(text, start) for start, _ in sentences[1:]):
        return [_NONE] * len(sentences)
    return _antecedents(tuple(text[start:end] for start, end in sentences))


@lru_cache(maxsize=4096)
def _antecedents(sentences: tuple[str, ...]) -> tuple[Antecedent, ...]:
    discourse, found, read = Discourse(), list[Antecedent](), ""
    for sentence in sentences:
        resolved = discourse.resolve(sentence) if _PRONOUN.match(sentence) else None
        meant = _in_full(resolved[2], read) if resolved else ""
        found.append(Antecedent(resolved[1], meant) if resolved and resolved[0] == 0 else _NONE)
        read = found[-1].text + sentence[found[-1].length :]
        subjects = set()
        for clause in split_clauses(read):
            discourse.follow(clause.read(read))
            subjects.add(discourse.subject.text if discourse.subject else "")
        discourse.end_sentence(read, subjects=len(subjects))
    return tuple(found)


def _in_full(meant: str, before: str) -> str:
    """What a pronoun stands for, with all that the sentence before calls its subject: ``the older Mr Platt`` of two."""
    name = _POSSESSIVE_ENDING.sub("", meant)
    for told in predications_in(before):
        for first, last in told.subjects:
            tokens = told.reading.tokens
            called = before[tokens[first].start : tokens[last - 1].end]
            if name and name in called and len(called.split()) <= _LONGEST and len(told.subjects) == 1:
                return called + meant[len(name) :]
    return meant
