"""Passages in; the only thing that a pronoun may stand for that nothing before it explains, out."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier.verification.claims.clauses import split_clauses
from verifier.verification.claims.reference import Discourse
from verifier.verification.claims.verbs import tokens_of

__all__ = ["only_candidate"]

_ARTICLES = lexicon("the a an this that its their his her")
_PEOPLE = lexicon("he she his her they their these those")


def only_candidate(pronoun: str, passages: Iterable[str]) -> str:
    """What all sentences of the passages are about; ``""`` where they are about several things, or it is not clear.

    >>> only_candidate("It", ["The hall opens in May. It seats 90."]), only_candidate("It", ["Ash is new. Elm is old."])
    ('The hall', '')
    """
    if pronoun.lower() in _PEOPLE:
        return ""
    found: dict[frozenset[str], str] = {}
    for passage in passages:
        discourse = Discourse(centred=True)
        for start, end in sentence_spans(passage):
            sentence = passage[start:end]
            resolved = discourse.resolve(sentence)
            read = sentence[: resolved[0]] + resolved[2] + sentence[resolved[1] :] if resolved else sentence
            for clause in split_clauses(read):
                discourse.follow(clause.read(read))
                subject = discourse.subject
                if subject is None or subject.plural:
                    return ""
                words = frozenset(form for _, _, form in tokens_of(subject.text)) - _ARTICLES
                found.setdefault(words, subject.text)
    return next(iter(found.values())) if len(found) == 1 else ""
