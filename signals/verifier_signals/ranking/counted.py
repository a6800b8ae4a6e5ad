"""A claim of all, none or only one of the rows of a table in; whether their answers bear it out, out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier_signals.ranking.lookup import SAY_NOTHING
from verifier_signals.ranking.records import (
    Entry,
    Record,
    constant_columns,
    is_whole,
    named_by,
    words_in,
    words_of,
)
from verifier_signals.ranking.types import Keys, Settled, Shown

__all__ = ["counted", "counts"]

_KINDS = {
    "not all": re.compile(r"\bnot (?:all|every|each)\b", re.IGNORECASE),
    "all": re.compile(r"\b(?<!at )(?:all(?! the same)|every|each)\b", re.IGNORECASE),
    "only": re.compile(r"\bonly\b", re.IGNORECASE),
    "none": re.compile(r"^(?:of [^,]+, )?(?:none of|no|not one of|not a single)\b", re.IGNORECASE),
}
"""How a claim counts, the first that fits."""
_OTHER_COUNTS = re.compile(
    r"\b(?:than|most|least|at least|half|if|when|unless|except|but|than|\d+|two|three|four|five|six|without|lacks?)\b",
    re.IGNORECASE,
)
_NEUTRAL = SAY_NOTHING | words_of("only one single each every range list listed table model item kind")


def counts(claim: str) -> bool:
    """Whether a claim says of all, none or one of some things what each row of a table may answer."""
    return _kind(claim) is not None


def counted(claim: str, table: Sequence[Record]) -> Settled | None:
    """Whether the answers (yes or no) of the rows bear out a claim of all, none or only one of them.

    One contrary answer denies it; only the answers of all rows bear it out.
    """
    kind = _kind(claim)
    words = words_in(claim)
    column = _column(words, table) if kind and len(table) > 1 else None
    if kind is None or column is None:
        return None
    constant = constant_columns(table)
    key = next((one.label for one in table[0].entries if one.label not in constant), "")
    named = [[one for one in named_by(words, record, constant) if one.is_text] for record in table]
    holders = [n for n, cells in enumerate(named) if any(one.label == key for one in cells)]
    known = _NEUTRAL | words_of(column) | words_of(key) | table[0].above
    for cells in named:
        known |= frozenset[str]().union(*(one.words for one in cells))
    if words - known or (kind == "only") != bool(holders) or len(holders) > 1:
        return None
    said = [next((one for one in record.entries if one.label == column), None) for record in table]
    return _settled(claim, kind, table, said, holders)


def _kind(claim: str) -> str | None:
    if _OTHER_COUNTS.search(claim):
        return None
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(claim)), None)


def _column(words: Keys, table: Sequence[Record]) -> str | None:
    """The one column of answers of whose label the claim has most words, half of them at least."""
    scored = {
        one.label: len(one.wanted & words)
        for record in table
        for one in record.entries
        if one.answer is not None and 2 * len(one.wanted & words) >= len(one.wanted) > 0
    }
    best = [label for label, score in scored.items() if score == max(scored.values())]
    return best[0] if len(best) == 1 else None


def _settled(
    claim: str, kind: str, table: Sequence[Record], said: Sequence[Entry | None], holders: Sequence[int]
) -> Settled | None:
    wanted = [kind != "none" and not (kind == "only" and n not in holders) for n in range(len(table))]
    contrary = [
        n
        for n, one in enumerate(said)
        if one is not None and one.answer is not None and one.answer != wanted[n]
    ]
    shown = contrary[0] if contrary else next((n for n, one in enumerate(said) if one is not None), 0)
    entry = said[shown]
    if entry is None:
        return None
    complete = is_whole(table) and all(one is not None and one.answer is not None for one in said)
    holds = bool(contrary) if kind == "not all" else not contrary
    if not contrary and not complete:
        return None
    place = Shown(table[shown].piece, entry.start, entry.end)
    return Settled(holds, (0, len(claim.rstrip())), place, place)
