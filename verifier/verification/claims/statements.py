"""One sentence in; every statement that it makes out: its clauses, then their series, then their asides."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from verifier.verification.claims.asides import split_asides
from verifier.verification.claims.clauses import Clause, split_clauses
from verifier.verification.claims.series import split_series

__all__ = ["statements_of"]


def statements_of(sentence: str) -> list[Clause]:
    """Take a sentence apart as far as each part says by itself what it says in the whole.

    Returns:
        Parts in order; together they cover the sentence but for white space between them.

    >>> text = "Ada Dahl, a chemist, founded Acme; it sells both tea and salt."
    >>> [part.read(text) for part in statements_of(text)]
    ['Ada Dahl is a chemist', 'Ada Dahl founded Acme;', 'it sells tea', 'it sells salt.']
    """
    parts: Iterable[Clause] = split_clauses(sentence)
    for split in (split_series, split_asides):
        parts = [inner for part in parts for inner in _split(sentence, part, split)]
    return list(parts)


def _split(sentence: str, part: Clause, split: Callable[[str], list[Clause]]) -> list[Clause]:
    """Take a part apart that is a sentence as it stands; the first of its own parts keeps what joins it on."""
    if part.subject or part.edits:
        return [part]
    at = part.content
    found = split(sentence[at : part.end])
    if len(found) == 1:
        return [part]
    return [
        Clause(
            part.start if number == 0 else inner.start + at,
            inner.content + at,
            inner.end + at,
            inner.subject,
            tuple((start + at, end + at, new) for start, end, new in inner.edits),
        )
        for number, inner in enumerate(found)
    ]
