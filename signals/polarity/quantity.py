"""Statements of a claim and a premise go in, where the claim claims other quantities comes out."""

from __future__ import annotations

from collections.abc import Sequence

from signals.polarity.align import align
from signals.polarity.clash import Clash, span_of
from signals.polarity.cues import Cue
from signals.polarity.statements import Context, Statement, contexts_in
from signals.syntax import Reading

__all__ = ["quantity_clashes"]

_CLASHES = {
    "all": {"half": 0.6, "few": 1.0, "none": 1.0, "notall": 1.0},
    "most": {"all": 0.8, "half": 0.6, "few": 1.0, "none": 1.0},
    "many": {"all": 0.8, "most": 0.5, "few": 0.7, "none": 1.0},
    "half": {"all": 1.0, "most": 0.6, "few": 0.8, "none": 1.0},
    "some": {"all": 0.9, "most": 0.5, "many": 0.3, "none": 1.0},
    "few": {"all": 1.0, "most": 1.0, "many": 0.8, "half": 0.8, "none": 0.7},
    "none": {"all": 1.0, "most": 1.0, "many": 1.0, "half": 1.0, "some": 1.0, "few": 0.8},
    "notall": {"all": 1.0, "none": 0.5},
}
"""Of the premise, then of the claim. ``all`` entails ``most`` and ``some``; ``some`` entails neither of the two."""
_SAME = 0.4
"""Alignment from which on two quantifiers count things of one kind."""
_SAME_NOUN = 0.35
"""Alignment that is enough when both quantifiers stand before the same noun."""
_REACH = 4
"""Tokens in which a quantifier's noun stands."""


def quantity_clashes(
    claim: Reading, ours: Sequence[Statement], premise: Reading, theirs: Sequence[Statement]
) -> list[Clash]:
    """Clashes of quantifiers over the same noun, or over the same statement where one side leaves the noun out."""
    around = contexts_in(premise.text)
    found: list[Clash] = []
    for mine in ours:
        for here in _quantifiers(mine):
            same = [
                there
                for other in theirs
                for there in _quantifiers(other)
                if _same_set(claim, mine, here, premise, other, there, around[other.sentence])
            ]
            strengths = [_CLASHES[there.value].get(here.value, 0.0) for there in same]
            if strengths and min(strengths) > 0.0:
                worst = max(zip(strengths, same, strict=True))
                spans = span_of(claim, here.first, here.last), span_of(premise, worst[1].first, worst[1].last)
                found.append(Clash("quantifier", worst[0], *spans))
    return found


def _quantifiers(statement: Statement) -> list[Cue]:
    """The quantifiers; ``no X without Y`` says of all X that they have Y."""
    cues = [cue for cue in statement.cues if cue.kind == "quantifier"]
    return [cue if statement.denied or cue.value != "none" else cue._replace(value="all") for cue in cues]


def _same_set(
    claim: Reading,
    mine: Statement,
    here: Cue,
    premise: Reading,
    other: Statement,
    there: Cue,
    context: Context,
) -> bool:
    if mine.denied != other.denied and "none" not in (here.value, there.value):
        return False
    nouns, others = _nouns(claim, mine, here), _nouns(premise, other, there)
    if nouns and others and not (nouns <= others or others <= nouns):
        return False
    alignment = align(mine, other, context)
    return alignment.score >= (_SAME_NOUN if nouns & others else _SAME) and not alignment.opposed


def _nouns(reading: Reading, statement: Statement, cue: Cue) -> frozenset[str]:
    """The stems of the content words right behind a quantifier."""
    end = min(cue.last + _REACH, statement.last)
    stems: set[str] = set()
    for at in range(cue.last, end):
        word = reading.tokens[at].word
        if word.punct or (stems and word.function):
            break
        if not word.function:
            stems.add(word.stem)
    return frozenset(stems)
