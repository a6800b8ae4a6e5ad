"""Every shipped signal under the shipped contract, a subclass each, and proof that the suite can fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from verifier_signals.base import Signal
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.testing import SignalContract
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair


class SameText(Signal):
    """The smallest signal that keeps the contract: is the claim's text a piece of the premise?"""

    name = "same_text"
    feature_names = ("same",)

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return [self._one(pair) for pair in pairs]

    def _one(self, pair: TextPair) -> SignalScore:
        text = pair.hypothesis.strip("\u200b\ufeff \t\n—")
        if not text:
            return SignalScore(self.name, Outcome.NOT_APPLICABLE, None, (), {"same": 0.0})
        at, start = pair.premise.find(text), pair.hypothesis.find(text)
        span = (start, start + len(text))
        if at < 0:
            finding = Finding("content", Relation.ABSENT, text, span)
            return SignalScore(self.name, Outcome.ABSENT, 0.0, (finding,), {"same": 0.0})
        finding = Finding("content", Relation.MATCH, text, span, text, (at, at + len(text)))
        return SignalScore(self.name, Outcome.CONSISTENT, 1.0, (finding,), {"same": 1.0})


class Broken(SameText):
    """Keeps the contract but for what ``_spoil`` does to each score."""

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return [self._spoil(score, len(pairs)) for score in super().score(pairs)]

    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        raise NotImplementedError


class OffByOne(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        moved = [replace(f, claim_span=(f.claim_span[0] + 1, f.claim_span[1])) for f in score.findings]
        return replace(score, findings=tuple(moved))


class NotFinite(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, features={"same": float("nan")})


class BatchSize(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, features={"same": 1.0 / batch})


class AlwaysFine(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, outcome=Outcome.CONSISTENT, support=1.0)


class NamelessConflict(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, outcome=Outcome.CONFLICTING, support=0.0)


class WrongFeatures(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, features={"other": 0.0})


class NotApplicableWithSupport(Broken):
    def _spoil(self, score: SignalScore, batch: int) -> SignalScore:
        return replace(score, outcome=Outcome.NOT_APPLICABLE, support=0.5)


class Forgetful(SameText):
    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return super().score(pairs)[:-1]


class Reversed(SameText):
    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return super().score(pairs)[::-1]


class Stateful(SameText):
    def __init__(self) -> None:
        self.calls = 0

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        self.calls += 1
        return [replace(score, features={"same": 1.0 / self.calls}) for score in super().score(pairs)]


def failures(signal: type[Signal]) -> set[str]:
    """Names of the contract's tests that this signal fails."""

    class Suite(SignalContract):
        def make_signal(self) -> Signal:
            return signal()

    suite, failed = Suite(), set()
    for name in dir(suite):
        if name.startswith("test_"):
            try:
                getattr(suite, name)()
            except AssertionError:
                failed.add(name)
    return failed


@pytest.mark.parametrize(
    ("signal", "test"),
    [
        (OffByOne, "test_findings_quote_to_the_character"),
        (NotFinite, "test_scores_are_finite_and_in_range"),
        (WrongFeatures, "test_scores_are_finite_and_in_range"),
        (BatchSize, "test_a_pair_does_not_depend_on_its_neighbours"),
        (AlwaysFine, "test_what_cannot_be_read_is_never_consistent"),
        (NamelessConflict, "test_a_conflict_names_its_values"),
        (NotApplicableWithSupport, "test_support_is_missing_exactly_when_not_applicable"),
        (Forgetful, "test_one_score_a_pair_in_order"),
        (Reversed, "test_one_score_a_pair_in_order"),
        (Stateful, "test_the_same_pairs_give_the_same_scores_twice_and_from_a_new_signal"),
    ],
)
def test_the_contract_refuses_a_broken_signal(signal: type[Signal], test: str) -> None:
    assert test in failures(signal)


def test_the_contract_accepts_the_smallest_signal() -> None:
    assert failures(SameText) == set()


class TestSameText(SignalContract):
    def make_signal(self) -> Signal:
        return SameText()

    def applicable_pair(self) -> TextPair:
        return TextPair("It rains.", "It rains.")


# One subclass for each shipped signal, in the order of the entry points.


class TestNumberSignal(SignalContract):
    def make_signal(self) -> Signal:
        return NumberSignal()

    def applicable_pair(self) -> TextPair:
        return TextPair("The pass costs 5 EUR.", "The pass costs 6 EUR.")


class TestEntitySignal(SignalContract):
    def make_signal(self) -> Signal:
        return EntitySignal()

    def applicable_pair(self) -> TextPair:
        return TextPair("Ann Lee founded Orrin.", "Ann Lee founded Orrin.")


class TestNegationSignal(SignalContract):
    def make_signal(self) -> Signal:
        return NegationSignal()

    def applicable_pair(self) -> TextPair:
        return TextPair("It is not open.", "It is open.")


class TestTraceabilitySignal(SignalContract):
    def make_signal(self) -> Signal:
        return TraceabilitySignal()

    def applicable_pair(self) -> TextPair:
        return TextPair("The pass costs 5 EUR.", "The pass is cheap.")


class TestTraceabilitySignalWithRarity(SignalContract):
    def make_signal(self) -> Signal:
        return TraceabilitySignal(rarity=lambda words: [1.0 / len(word) for word in words])
