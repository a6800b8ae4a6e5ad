"""The contracts of signals and of checks as tests: subclass ``SignalContract``, ``RuleContract`` or ``SkipContract``.

A third party runs it on a signal of its own with three lines, under pytest or any runner that collects
``Test*`` classes (this module imports none)::

    class TestMySignal(SignalContract):
        def make_signal(self) -> Signal:
            return MySignal()


    class TestMyCheck(RuleContract):
        def make_rule(self) -> Rule:
            return MyCheck()


    class TestMySkip(SkipContract):
        def make_skip(self) -> Skip:
            return MySkip()
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

from verifier_signals.base import Signal
from verifier_signals.checks import FEATURES, SKIP_PREFIX, Action, Rule, Skip
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair

__all__ = ["SAMPLE_PAIRS", "RuleContract", "SignalContract", "SkipContract"]

SAMPLE_PAIRS: tuple[TextPair, ...] = (
    TextPair(
        "An annual plan is refunded in full within 30 days of purchase. The notice period is 60 days.",
        "Annual plans are refunded in full within 60 days of purchase.",
    ),
    TextPair("Corrie Hydro acquired Lindqvist Ltd in 2019.", "Lindqvist Ltd acquired Corrie Hydro in 2019."),
    TextPair("Guests may not smoke in the rooms.", "Guests may smoke in the rooms."),
    TextPair("Every script is marked by two examiners.", "Two examiners mark every script."),
    TextPair("The ferry leaves at noon.", "The museum holds 1,250 paintings by Ada Kessel."),
    TextPair("| Item | C4 |\n|---|---|\n| Weight | 9.4 kg |", "The C4 weighs 9.4 kg."),
    TextPair("It does not rain.", "It does not rain."),
    TextPair("Yes.", "No."),
)
"""Ordinary English pairs: agreement, conflict in each respect, and foreign topics."""

_UNREADABLE: tuple[TextPair, ...] = (
    TextPair("", ""),
    TextPair("", "The pass costs 5 EUR."),
    TextPair("The pass costs 5 EUR.", ""),
    TextPair(" \t\n", "\u200b\ufeff"),
    TextPair("...!?", "—"),
)
"""Pairs of which one side holds nothing to read: no signal may call them consistent."""

_HARD: tuple[TextPair, ...] = (
    TextPair("图书馆每天九点开门，共有二十四个座位。", "图书馆有 30 个座位。"),
    TextPair("Музей открыт в 10:00, билет стоит 300 ₽.", "Билет не стоит 500 ₽."),
    TextPair("تفتح المكتبة الساعة ٩ صباحا.", "المكتبة لا تفتح أبدا."),
    TextPair("Straße İstanbul ﬁle ½ ² ٣٠ Ⅳ １２３ \U0001d7d8", "STRASSE istanbul FILE 0.5 2 30 IV 123"),
    TextPair("Cafe\u0301 5\u00a0000\u202fkm 👩‍👩‍👧 \U0001f1e9\U0001f1ea", "Café 5 000 km 👩‍👩‍👧"),
    TextPair("lone surrogate \ud800 and NUL \x00 stay 7", "lone surrogate \ud800 and NUL \x00 stay 8"),
    TextPair("1e999 -0 0/0 99999999999999999999999999 1,,2 1.2.3.4 --5", "1e999 0/0 1,,2 $ % ° 5%%"),
    TextPair("(((" * 200, "not " * 400),
    TextPair("The cost is 12 EUR a day. " * 400, "The cost is 13 EUR a day. " * 40),
    TextPair("a" * 20_000, "1" * 20_000),
)
"""Other scripts, compatibility forms, broken text, huge input."""


def _check(holds: bool, message: str) -> None:
    """``assert`` that survives ``python -O``, with a message that says what to mend."""
    if not holds:
        raise AssertionError(message)


class SignalContract(ABC):
    """The contract of a signal as tests. Override ``make_signal``; the rest has defaults."""

    tolerance: ClassVar[float] = 0.0
    """Largest difference that batching may make to ``support`` and features; at most 1e-4, for models."""

    names_values: ClassVar[bool] = True
    """Whether a conflict must name its values in a finding (``False`` for signals such as NLI)."""

    @abstractmethod
    def make_signal(self) -> Signal:
        """A new signal, ready to score."""

    def applicable_pair(self) -> TextPair | None:
        """A pair that this signal can judge: its outcome is not ``NOT_APPLICABLE``. ``None``: not tested."""
        return None

    def _pairs(self) -> list[TextPair]:
        own = self.applicable_pair()
        return [*SAMPLE_PAIRS, *_UNREADABLE, *_HARD, *([] if own is None else [own])]

    def test_name_and_feature_names_are_declared_once_and_valid(self) -> None:
        signal = self.make_signal()
        names = type(signal).feature_names
        _check(type(signal).name.isidentifier(), "set the class variable `name` to a short identifier")
        _check(isinstance(names, tuple), "make `feature_names` a tuple of strings on the class")
        _check(len(set(names)) == len(names), "remove repeated names from `feature_names`")

    def test_no_pairs_give_no_scores(self) -> None:
        _check(self.make_signal().score([]) == [], "return [] for score([])")

    def test_one_score_a_pair_in_order(self) -> None:
        signal, pairs = self.make_signal(), self._pairs()
        forward, rotated = signal.score(pairs), signal.score([*pairs[1:], pairs[0]])
        _check(len(forward) == len(pairs), "return exactly one score for each pair")
        self._same([*rotated[-1:], *rotated[:-1]], forward, "keep scores in the order of the pairs")

    def test_scores_are_finite_and_in_range(self) -> None:
        signal = self.make_signal()
        for pair, score in _scored(signal, self._pairs()):
            _check(isinstance(score.outcome, Outcome), f"use an Outcome as outcome, not {score.outcome!r}")
            _check(score.signal == signal.name, f"set score.signal to {signal.name!r}, not {score.signal!r}")
            _check(
                tuple(score.features) == tuple(signal.feature_names),
                f"give the features {signal.feature_names} in that order, not {tuple(score.features)}",
            )
            for name, value in score.features.items():
                _check(
                    _in_unit(value), f"feature {name!r} is {value!r} for {_brief(pair)}; keep it in [0, 1]"
                )

    def test_support_is_missing_exactly_when_not_applicable(self) -> None:
        for pair, score in _scored(self.make_signal(), self._pairs()):
            missing = score.outcome is Outcome.NOT_APPLICABLE
            _check(
                (score.support is None) == missing,
                f"support is {score.support!r} with outcome {score.outcome} for {_brief(pair)}",
            )
            if score.support is not None:
                _check(_in_unit(score.support), f"support {score.support!r} of {_brief(pair)} leaves [0, 1]")

    def test_findings_quote_to_the_character(self) -> None:
        for pair, score in _scored(self.make_signal(), self._pairs()):
            for finding in score.findings:
                _check_quotes(pair, finding)

    def test_a_conflict_names_its_values(self) -> None:
        if not self.names_values:
            return
        for pair, score in _scored(self.make_signal(), self._pairs()):
            if score.outcome is Outcome.CONFLICTING:
                _check(
                    any(finding.relation is Relation.CONFLICT for finding in score.findings),
                    f"{_brief(pair)} is CONFLICTING without a finding that holds the pair of values",
                )

    def test_a_pair_does_not_depend_on_its_neighbours(self) -> None:
        signal, pairs = self.make_signal(), self._pairs()
        alone = [_scored(signal, [pair])[0][1] for pair in pairs]
        self._same(signal.score(pairs), alone, "score a pair in a batch as when it stands alone")
        self._same(signal.score([*pairs, *pairs])[: len(pairs)], alone, "repeated pairs changed a score")

    def test_the_same_pairs_give_the_same_scores_twice_and_from_a_new_signal(self) -> None:
        signal, pairs = self.make_signal(), self._pairs()
        first = signal.score(pairs)
        self._same(signal.score(pairs), first, "a second call changed a score: keep no state between calls")
        self._same(self.make_signal().score(pairs), first, "a new signal scores differently")

    def test_pairs_may_come_in_any_sequence(self) -> None:
        signal, pairs = self.make_signal(), self._pairs()
        self._same(signal.score(tuple(pairs)), signal.score(pairs), "accept any sequence of pairs")

    def test_what_cannot_be_read_is_never_consistent(self) -> None:
        for pair, score in _scored(self.make_signal(), _UNREADABLE):
            _check(
                score.outcome in (Outcome.NOT_APPLICABLE, Outcome.ABSENT),
                f"{_brief(pair)} holds nothing to compare, yet it is {score.outcome}",
            )

    def test_scores_from_several_threads_are_the_same(self) -> None:
        signal, pairs = self.make_signal(), self._pairs()
        expected = self.make_signal().score(pairs)
        with ThreadPoolExecutor(max_workers=4) as pool:
            for scores in pool.map(lambda _: signal.score(pairs), range(8)):
                self._same(scores, expected, "calls from several threads disturb each other")

    def test_the_applicable_pair_is_judged(self) -> None:
        pair = self.applicable_pair()
        if pair is None:
            return
        score = _scored(self.make_signal(), [pair])[0][1]
        _check(
            score.outcome is not Outcome.NOT_APPLICABLE,
            f"applicable_pair() gives {_brief(pair)}, but the signal finds nothing in it",
        )

    def _same(self, got: Sequence[SignalScore], want: Sequence[SignalScore], message: str) -> None:
        _check(len(got) == len(want), message)
        for one, other in zip(got, want, strict=True):
            _check(tuple(one.features) == tuple(other.features), "give every pair the same feature names")
            numbers = [(one.features[name], other.features[name]) for name in other.features]
            if one.support is not None and other.support is not None:
                numbers.append((one.support, other.support))
            near = all(abs(a - b) <= self.tolerance for a, b in numbers)
            _check(one.outcome is other.outcome and near, f"{message}: {one} is not {other}")
            if self.tolerance == 0.0:
                _check(one.findings == other.findings, f"{message}: {one.findings} is not {other.findings}")


def _scored(signal: Signal, pairs: Sequence[TextPair]) -> list[tuple[TextPair, SignalScore]]:
    scores = signal.score(pairs)
    _check(len(scores) == len(pairs), f"return exactly one score for each pair, not {len(scores)}")
    return list(zip(pairs, scores, strict=True))


def _in_unit(value: float) -> bool:
    return math.isfinite(value) and 0.0 <= value <= 1.0


def _brief(pair: TextPair) -> str:
    return f"({pair.premise[:60]!r}, {pair.hypothesis[:60]!r})"


def _check_quotes(pair: TextPair, finding: Finding) -> None:
    start, end = finding.claim_span
    _check(
        0 <= start <= end <= len(pair.hypothesis) and pair.hypothesis[start:end] == finding.claim_value,
        f"claim_span {finding.claim_span} of {_brief(pair)} must quote {finding.claim_value!r}",
    )
    _check(
        (finding.evidence_span is None) == (finding.evidence_value is None),
        f"give evidence_span and evidence_value together or not at all: {finding}",
    )
    if finding.evidence_span is not None:
        start, end = finding.evidence_span
        _check(
            0 <= start <= end <= len(pair.premise) and pair.premise[start:end] == finding.evidence_value,
            f"evidence_span {finding.evidence_span} of {_brief(pair)} must quote {finding.evidence_value!r}",
        )
    _check(
        finding.relation is not Relation.CONFLICT or finding.evidence_span is not None or bool(finding.note),
        f"a conflict needs the evidence's value or a note that explains it: {finding}",
    )


class RuleContract(ABC):
    """What a check of a third party keeps to: it fires on its examples, is silent on the others, and reads any text."""

    @abstractmethod
    def make_rule(self) -> Rule:
        """The rule under test."""

    def test_it_belongs_to_the_negation_signal_and_reports_under_one_of_its_features(self) -> None:
        rule = self.make_rule()
        assert rule.check.signal == "negation"
        assert rule.feature in FEATURES

    def test_it_fires_on_its_examples_with_spans_in_both_texts(self) -> None:
        rule = self.make_rule()
        for example in rule.check.fires:
            found = list(rule.find(example.claim, example.evidence))
            assert found, f"silent on {example}"
            for one in found:
                assert 0 <= one.claim[0] < one.claim[1] <= len(example.claim)
                assert 0 <= one.evidence[0] <= one.evidence[1] <= len(example.evidence)

    def test_it_is_silent_on_its_other_examples(self) -> None:
        rule = self.make_rule()
        for example in rule.check.silent:
            assert not list(rule.find(example.claim, example.evidence)), f"fires on {example}"

    def test_it_reads_any_text(self) -> None:
        rule = self.make_rule()
        for pair in (*SAMPLE_PAIRS, *_UNREADABLE, *_HARD):
            list(rule.find(pair.hypothesis, pair.premise))


class SkipContract(ABC):
    """What a skip of a third party keeps to: it skips its examples, leaves the others and what tells facts, and reads
    any text."""

    @abstractmethod
    def make_skip(self) -> Skip:
        """The skip under test."""

    def test_it_is_a_skip_of_claim_extraction(self) -> None:
        check = self.make_skip().check
        assert check.id.startswith(SKIP_PREFIX)
        assert check.relations == {Action.SKIP}

    def test_it_skips_its_examples_and_leaves_the_others(self) -> None:
        skip = self.make_skip()
        assert [one for one in skip.check.fires if not skip.skips(one.claim)] == []
        assert [one for one in skip.check.silent if skip.skips(one.claim)] == []

    def test_it_leaves_ordinary_statements(self) -> None:
        skip = self.make_skip()
        statements = [pair.premise for pair in SAMPLE_PAIRS if pair.premise != "Yes."]
        assert [text for text in statements if skip.skips(text)] == []

    def test_it_reads_any_text(self) -> None:
        skip = self.make_skip()
        for pair in (*_UNREADABLE, *_HARD):
            skip.skips(pair.hypothesis)
