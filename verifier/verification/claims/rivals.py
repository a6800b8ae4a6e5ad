"""A sentence and its verb in; whether something behind the verb may be what a pronoun after it stands for, out."""

from __future__ import annotations

from verifier.core.lexicon import lexicon
from verifier.verification.claims.grammar import PREPOSITIONS
from verifier.verification.claims.verbs import Token

__all__ = ["has_rivals", "has_things"]

_CALENDAR = lexicon("""
    january february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed
    thu thurs fri sat sun
    """)
_MEASURES = lexicon("""
    second minute hour day week month year metre meter kilometre mile gram kilogram litre euro dollar pound cent degree
    percent time point inch
    """)


def has_rivals(statement: str, tokens: list[Token], verb: int, *, named: bool) -> bool:
    """Whether something behind the verb could be meant as well: another name, or else a thing brought in there."""
    behind = tokens[verb + 1 :]
    copular = tokens[verb][2] in ("is", "was", "are", "were")
    for position, (start, end, form) in enumerate(behind):
        if statement[start].isupper() and form not in _CALENDAR and not statement[start:end].isupper():
            return named and not (
                position and behind[position - 1][2] in ("in", "from", "at", "near", "by", "on", "since")
            )
        if named:
            continue
        if form in ("a", "an") and not (copular and position == 0) and not _measures(behind, position):
            return True
        if form in ("the", "its", "this") and position == 0 and not copular:
            return True
    return False


def has_things(tokens: list[Token], verb: int) -> bool:
    """Whether a plural that is no measure stands behind the verb: ``they`` may be it (``receive two tablets``)."""
    behind = tokens[verb + 1 :]
    return any(
        form.endswith("s")
        and not form.endswith(("ss", "us", "is"))
        and len(form) > 3
        and form.removesuffix("s") not in _MEASURES
        and (not position or behind[position - 1][2] not in PREPOSITIONS)
        for position, (_, _, form) in enumerate(behind)
    )


def _measures(tokens: list[Token], position: int) -> bool:
    """``a day``, ``a year``: a rate or a time, nothing to refer to."""
    following = tokens[position + 1][2] if position + 1 < len(tokens) else ""
    return following in (
        "day",
        "week",
        "month",
        "year",
        "hour",
        "minute",
        "person",
        "night",
        "total",
        "few",
        "maximum",
    )
