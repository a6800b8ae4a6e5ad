"""Statements of a claim and a premise go in, whether both deny the same thing comes out."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.statement import Statement
from verifier_signals.polarity.ties import Ties

__all__ = ["denial_shared"]

_TURNING = lexicon("exclud ban prohibit disallow reject oppos hinder withhold miss omit revok suspend cancel")
"""Stems of verbs that deny something and are no negation by themselves."""


def denial_shared(ours: Sequence[Statement], theirs: Sequence[Statement], ties: Ties) -> bool:
    """Whether the claim denies something, and the premise does, in a statement that speaks of the same things.

    It does when ``ties.same`` of its content words are the claim's, or of those of the claim's denial are its own. Who
    calls a statement untrue denies what the premise does only by the same word: that no door was shut is no refusal.
    Nor is that stock is not excluded, if the premise says that it is not insured: it denies what denies.
    """
    denials = [statement for statement in ours if _denies(statement)]
    if not denials:
        return False
    claimed = frozenset[str]().union(*(statement.stems for statement in ours))
    framed = [statement for statement in denials if _is_framed(statement)]
    return any(
        (
            len(claimed & told.stems) >= ties.same * len(told.stems)
            or any(len(denied.stems & told.stems) >= ties.same * len(denied.stems) for denied in denials)
        )
        and any(denied.negative == told.negative for denied in denials)
        and all(denied.predicates & told.stems for denied in framed)
        and all(denied.predicates & _TURNING <= told.stems for denied in denials)
        for told in theirs
        if _denies(told)
    )


def _is_framed(statement: Statement) -> bool:
    """Whether what denies a statement stands outside of it: ``It is not true that the gate was shut``."""
    return any(cue.kind == "negation" and cue.first < statement.first for cue in statement.cues)


def _denies(statement: Statement) -> bool:
    """Whether a statement holds a word that denies, even if another one cancels it."""
    return statement.cue("negation") is not None or statement.forbids
