"""The number signal: whether the evidence gives the claim's values, other values for the same thing, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from verifier.core.deadline import each
from verifier_signals.base import Signal
from verifier_signals.checks import NUMBER, Check, Switchable
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair
from verifier_signals.values.context import ValueText, values_of
from verifier_signals.values.judge import FOLLOWS, LEFT, NONE, JudgedValue, Standing, judge
from verifier_signals.values.weights import TIE_WEIGHTS, TieWeights

__all__ = ["NumberSignal", "amended", "follows", "leaves_open", "read_pair", "settles_denial"]

_RELATIONS = {
    Standing.STATED: Relation.MATCH,
    Standing.DENIED: Relation.CONFLICT,
    Standing.UNTOLD: Relation.ABSENT,
}


class NumberSignal(Switchable, Signal):
    """Compares every value of the claim with the value of the evidence that measures the same thing.

    Features: ``conflict``, the surest conflict; ``match`` and ``absent``, the shares of the claim's values.

    Args:
        disable: ids or families of checks that are left out (``verifier checks list``); a string is one of them.

    Raises:
        ConfigError: there is no such check or family.
    """

    name = "number"
    feature_names = ("conflict", "match", "absent")

    def checks(self) -> Mapping[str, Check]:
        """All its checks, by id."""
        return NUMBER

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair."""
        return [
            _score(values_of(hypothesis), values_of(premise), self.disabled)
            for premise, hypothesis in each(pairs)
        ]


def read_pair(pair: TextPair, ties: TieWeights = TIE_WEIGHTS) -> SignalScore:
    """Score one pair under other constants than the shipped ones, to choose them."""
    return _score(values_of(pair.hypothesis, ties), values_of(pair.premise, ties))


def _score(claim: ValueText, evidence: ValueText, disabled: Set[str] = frozenset()) -> SignalScore:
    judged = judge(claim, evidence, disabled)
    findings = tuple(_finding(claim, evidence, one) for one in judged)
    return _summed(findings, max((one.sure for one in judged), default=0.0))


def follows(finding: Finding) -> bool:
    """Whether a value is borne out and does not stand in the evidence: it follows by reckoning, or lies within it."""
    return finding.relation is Relation.MATCH and finding.note in FOLLOWS


def settles_denial(score: SignalScore) -> bool:
    """Whether the claim's value is what a denial leaves of the evidence's, so that their polarity must differ.

    ``30 are not volunteers`` is so of 40 of whom 10 are; ``0 members`` is what ``no members`` are.
    """
    denying = any(
        finding.relation is Relation.MATCH and finding.note in (LEFT, NONE) for finding in score.findings
    )
    return denying and score.outcome is not Outcome.CONFLICTING


def leaves_open(finding: Finding) -> bool:
    """Whether the evidence does not state a value, and has one that may be it.

    ``7 days`` of ``5 to 10 days``, ``3 May`` of ``5/3/2011``: such an absent value quotes what leaves it open.
    """
    return finding.relation is Relation.ABSENT and finding.evidence_span is not None


def amended(score: SignalScore, findings: tuple[Finding, ...]) -> SignalScore:
    """The score with other findings, of which none is a conflict that it had not."""
    conflicts = any(finding.relation is Relation.CONFLICT for finding in findings)
    return _summed(findings, score.features["conflict"] if conflicts else 0.0)


def _summed(findings: tuple[Finding, ...], surest: float) -> SignalScore:
    if not findings:
        return _answer(Outcome.NOT_APPLICABLE, None, (), (0.0, 0.0, 0.0))
    relations = [finding.relation for finding in findings]
    if Relation.CONFLICT in relations:
        outcome = Outcome.CONFLICTING
    elif Relation.ABSENT in relations:
        outcome = Outcome.ABSENT
    else:
        outcome = Outcome.CONSISTENT
    match, absent = (relations.count(one) / len(relations) for one in (Relation.MATCH, Relation.ABSENT))
    support = 0.0 if outcome is Outcome.CONFLICTING else match
    return _answer(outcome, support, findings, (surest, match, absent))


def _answer(
    outcome: Outcome, support: float | None, findings: tuple[Finding, ...], features: tuple[float, ...]
) -> SignalScore:
    named = dict(zip(NumberSignal.feature_names, features, strict=True))
    return SignalScore(NumberSignal.name, outcome, support, findings, named)


def _finding(claim: ValueText, evidence: ValueText, judged: JudgedValue) -> Finding:
    value = judged.value
    span = (value.start, value.end)
    kind = value.kind if value.kind != "fraction" else "number"
    quote = evidence.text[slice(*judged.span)] if judged.span else None
    relation = _RELATIONS[judged.standing]
    return Finding(
        kind, relation, claim.text[slice(*span)], span, quote, judged.span, judged.note, judged.check
    )
