"""Quantifiers that clash: the claim speaks of all, most, some or none where the premise speaks of another share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon.calendar import MONTHS, SEASONS, WEEKDAYS
from verifier_signals.polarity.alignment import PolarityClash, Thresholds, align, span_of
from verifier_signals.polarity.cues import Cue, Share
from verifier_signals.polarity.statements import Statement, StatementContext, contexts_in
from verifier_signals.syntax import Reading, stem

__all__ = ["quantifier_clashes"]

_OTHERWISE, _MORE = 1.0, 0.9
"""Strengths: the shares exclude each other; the claim says more than the premise, which may yet be true, so that it
only reaches beyond it."""
_OTHER_SHARE = ("negation.other-share", "quantifier")
_WIDER_SHARE = ("negation.wider-share", "reach")
"""Check and feature of each of the two."""
_REACH = 4
"""Tokens in which a quantifier's noun stands."""


_LEADING = lexicon(
    "of the a an this that these those its their our his her your my all both other many few such"
)
"""Words between a quantifier and its noun; behind any other (``most of them``, ``all were``) there is none."""

_FUSED = lexicon("everyone everybody everything nobody nothing someone somebody something")
_TIME_UNITS = lexicon("""
    minute hour day night morning afternoon evening week weekend weekday month quarter season year decade century
    """)
_TIMES = frozenset(map(stem, _TIME_UNITS.union(WEEKDAYS, MONTHS, SEASONS) - {"may", "fall"}))
"""Stems of what a time is counted by."""


class _CountedSet(NamedTuple):
    """A quantifier of a statement, the share of which the statement holds, and the stems of what it counts."""

    cue: Cue
    share: Share
    nouns: frozenset[str]
    fused: bool
    """Whether the noun is part of the quantifier: people (``everyone``) or things (``everything``)."""
    times: bool
    """Whether days, weeks and the like are counted (``every month``): when something holds, not of whom."""


def quantifier_clashes(
    claim: Reading,
    ours: Sequence[Statement],
    premise: Reading,
    theirs: Sequence[Statement],
    whole: frozenset[str],
    thresholds: Thresholds,
) -> list[PolarityClash]:
    """Clashes of quantifiers over the same noun, or over the same statement where one side leaves the noun out."""
    claimed = [(mine, one) for mine in ours for one in _counted_sets(claim, mine, as_evidence=False)]
    if not claimed:
        return []
    told = [(other, one) for other in theirs for one in _counted_sets(premise, other, as_evidence=True)]
    around = contexts_in(premise.text) if told else {}
    found: list[PolarityClash] = []
    for mine, here in claimed:
        worst: tuple[float, Cue] | None = None
        for other, there in told:
            same = _same_set(mine, here, other, there, around[other.sentence], whole, thresholds)
            if not same:
                continue
            if here.cue.value == there.cue.value == "share":
                continue
            strength = _quantifier_strength(
                _complement_share(there.share) if same < 0 else there.share, here.share
            )
            if not strength:
                worst = None
                break
            worst = max(worst or (0.0, there.cue), (strength, there.cue))
        if worst is not None:
            first, last = worst[1].first, worst[1].last
            check, feature = _OTHER_SHARE if worst[0] == _OTHERWISE else _WIDER_SHARE
            found.append(
                PolarityClash(
                    check,
                    feature,
                    worst[0],
                    span_of(claim, here.cue.first, here.cue.last),
                    span_of(premise, first, last),
                )
            )
    return found


def _quantifier_strength(told: Share, claimed: Share) -> float:
    if told.high < claimed.low or claimed.high < told.low:
        return _OTHERWISE
    return 0.0 if claimed.low <= told.low and told.high <= claimed.high else _MORE


def _complement_share(share: Share) -> Share:
    """The share of the others: of whom a statement does not hold."""
    return Share(1.0 - share.high, 1.0 - share.low)


def _counted_sets(reading: Reading, statement: Statement, *, as_evidence: bool) -> list[_CountedSet]:
    """The quantifiers, in the shares for which the statement is affirmed: ``most did not`` is less than half."""
    if statement.cue("quantifier") is None:
        return []
    cues = [cue for cue in statement.cues if cue.kind == "quantifier"]
    found = []
    for cue in cues:
        inside = range(cue.first, cue.last)
        denials = sum(one.kind == "negation" and one.first not in inside for one in statement.cues)
        share = cue.told if as_evidence else cue.share
        fused = any(reading.tokens[at].word.low in _FUSED for at in inside)
        nouns = _quantified_nouns(reading, statement, cue)
        times = cue.last < statement.last and reading.tokens[cue.last].word.stem in _TIMES
        found.append(
            _CountedSet(cue, _complement_share(share) if denials % 2 else share, nouns, fused, times)
        )
    return found


def _same_set(
    mine: Statement,
    here: _CountedSet,
    other: Statement,
    there: _CountedSet,
    context: StatementContext,
    whole: frozenset[str],
    thresholds: Thresholds,
) -> int:
    """1 where both count the same, -1 where one counts those of which the contrary holds, 0 for other things."""
    if here.nouns and there.nouns and not (here.nouns <= there.nouns or there.nouns <= here.nouns):
        return 0
    if (here.times and there.fused) or (there.times and here.fused):
        return 0
    alignment = align(mine, other, context, whole, thresholds)
    if not (there.nouns or alignment.opposed or alignment.shared - other.subjects):
        return 0
    least = thresholds.quantity_noun if here.nouns & there.nouns else thresholds.quantity_same
    if alignment.score < least or alignment.mutual < thresholds.quantity_mutual:
        return 0
    flips = len(alignment.opposed) + sum(
        mine.terms[one].flipped != other.terms[one].flipped
        for one in alignment.shared & mine.stems & other.stems
    )
    return -1 if flips % 2 else 1


def _quantified_nouns(reading: Reading, statement: Statement, cue: Cue) -> frozenset[str]:
    """The stems of the content words right behind a quantifier; none where it stands for a noun elsewhere."""
    end = min(cue.last + _REACH, statement.last)
    stems: set[str] = set()
    for at in range(cue.last, end):
        word = reading.tokens[at].word
        if word.punct or (word.function and (stems or word.low not in _LEADING)):
            break
        if not (word.function or word.number):
            stems.add(word.stem)
    return frozenset(stems)
