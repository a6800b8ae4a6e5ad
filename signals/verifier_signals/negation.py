"""The negation signal: whether one text denies, limits or hedges what the other says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import ClassVar

from verifier.core.deadline import each
from verifier_signals.base import Signal
from verifier_signals.checks import NEGATION, Check, Switchable, installed_rules
from verifier_signals.long_texts import PairPart, parts_of
from verifier_signals.polarity import OPEN_FEATURES, PolarityClash, PolarityComparison, compare
from verifier_signals.types import NOT_COMPARED, Finding, Outcome, Relation, SignalScore, TextPair

__all__ = ["OPEN_FEATURES", "STRONG", "NegationSignal"]

STRONG = 0.7
"""From this strength on a clash decides the outcome."""

_NOWHERE = (0, 0)


class NegationSignal(Switchable, Signal):
    """Compares statements by rules: cues with scope, opposites, quantifiers, modals, conditions, reserve.

    Each feature but the last is the strength, in [0, 1], of the strongest clash in that respect:

    * ``polarity``: one text denies what the other affirms; two negations cancel.
    * ``antonym``: opposites in the same slot, or an order (``before``, ``heavier than``) the other way round.
    * ``quantifier``: the claim says of all, most or none what the evidence says of others.
    * ``modality``: ``may`` against ``must``, ``optional`` against ``required``.
    * ``condition``: the claim drops or denies a condition that the evidence states.
    * ``hedge``: the claim says firmly what the evidence says with reserve.
    * ``reach``: the claim has a superlative, or a wider world (``in the country``), and the evidence has none such; or
      it says of more things what the evidence says of some.
    * ``cause``: the claim asserts a cause, and the evidence states none between these things.

    ``denial`` is 1 where the claim denies something, and the evidence does too, in a statement of the same things.

    From which likeness on two statements are compared is learnt: ``python -m benchmarks.polarity --choose`` fits the
    constants in ``signals/verifier_signals/polarity/thresholds.json`` to labelled pairs, and prints
    what is found without ``--choose``.

    ``support`` is 1 minus the strongest of them. ``hedge``, ``reach`` and ``cause`` alone make the outcome ``ABSENT``,
    for the evidence does not say otherwise. A cause that the evidence states is a finding that matches.

    Args:
        disable: ids or families of checks that are left out (``verifier checks list``); a string is one of them.

    Raises:
        ConfigError: there is no such check or family.
    """

    name: ClassVar[str] = "negation"
    feature_names: ClassVar[tuple[str, ...]] = (
        "polarity",
        "antonym",
        "quantifier",
        "modality",
        "condition",
        "hedge",
        "reach",
        "cause",
        "denial",
    )

    def checks(self) -> Mapping[str, Check]:
        """All its checks, and those of installed packages, by id."""
        return {**NEGATION, **{name: rule.check for name, rule in installed_rules().items()}}

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair; a finding's kind is the name of the feature that it belongs to."""
        return [self._score(pair) for pair in each(pairs)]

    def _score(self, pair: TextPair) -> SignalScore:
        parts = parts_of(pair)
        comparison = _compared(pair, parts, self.disabled)
        features = dict.fromkeys(self.feature_names, 0.0)
        for clash in comparison.clashes:
            features[clash.feature] = max(features[clash.feature], clash.strength)
        hedged = max(features[feature] for feature in OPEN_FEATURES)
        strongest = max(value for feature, value in features.items() if feature not in OPEN_FEATURES)
        features["denial"] = float(comparison.denial)
        findings = tuple(_finding(pair, clash) for clash in comparison.clashes)
        if (beyond := parts[-1].ends) < len(pair.hypothesis):
            rest = pair.hypothesis[beyond:]
            unread = Finding(
                "beyond", Relation.ABSENT, rest, (beyond, len(pair.hypothesis)), note=NOT_COMPARED
            )
            return SignalScore(
                self.name,
                Outcome.CONFLICTING if strongest >= STRONG else Outcome.ABSENT,
                0.0,
                (*findings, unread),
                features,
            )
        if not comparison.compared:
            return SignalScore(self.name, Outcome.NOT_APPLICABLE, None, findings, features)
        if strongest >= STRONG:
            outcome = Outcome.CONFLICTING
        else:
            outcome = Outcome.ABSENT if hedged >= STRONG else Outcome.CONSISTENT
        return SignalScore(self.name, outcome, 1.0 - max(strongest, hedged), findings, features)


def _compared(pair: TextPair, parts: Sequence[PairPart], disabled: Set[str]) -> PolarityComparison:
    """What two texts say otherwise; of long ones a part at a time, each with the nearest of the evidence."""
    found = [_by_all(part.pair) for part in parts]
    if disabled:
        found = [
            one._replace(clashes=tuple(clash for clash in one.clashes if clash.check not in disabled))
            for one in found
        ]
    if parts[0].pair == pair:
        return found[0]
    clashes = [
        clash._replace(claim=part.in_claim(clash.claim), evidence=_place(part, clash.evidence))
        for part, one in zip(parts, found, strict=True)
        for clash in one.clashes
    ]
    return PolarityComparison(
        tuple(clashes), any(one.compared for one in found), any(one.denial for one in found)
    )


def _by_all(pair: TextPair) -> PolarityComparison:
    """What the checks of ours and those of installed packages find in one pair."""
    found = compare(pair.hypothesis, pair.premise)
    others = [
        PolarityClash(name, rule.feature, 1.0, *conflict)
        for name, rule in installed_rules().items()
        for conflict in rule.find(pair.hypothesis, pair.premise)
    ]
    return found._replace(clashes=(*found.clashes, *others), compared=True) if others else found


def _place(part: PairPart, span: tuple[int, int]) -> tuple[int, int]:
    return part.in_evidence(span) if span != _NOWHERE else span


def _finding(pair: TextPair, clash: PolarityClash) -> Finding:
    (here, to), (there, until) = clash.claim, clash.evidence
    if clash.strength == 0:
        return Finding(
            clash.feature,
            Relation.MATCH,
            pair.hypothesis[here:to],
            clash.claim,
            pair.premise[there:until],
            clash.evidence,
            check=clash.check,
        )
    if clash.evidence == _NOWHERE:
        return Finding(
            clash.feature,
            Relation.ABSENT,
            pair.hypothesis[here:to],
            clash.claim,
            note=clash.note,
            check=clash.check,
        )
    firm = clash.feature not in OPEN_FEATURES and clash.strength >= STRONG
    return Finding(
        clash.feature,
        Relation.CONFLICT if firm else Relation.ABSENT,
        pair.hypothesis[here:to],
        clash.claim,
        pair.premise[there:until],
        clash.evidence,
        clash.note,
        clash.check,
    )
