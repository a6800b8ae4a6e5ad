"""Edits are looked for where they are asked for, together, by what was read already; no verdict changes by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from verifier_signals.base import Signal
from verifier_signals.types import SignalScore, TextPair

from tests.unit.test_reader_verdicts import judged, scorer_with
from verifier.types import ClaimVerdict, Evidence, Ledger, Report, Status, ValuePair, Verdict
from verifier.verification.edits.later import with_fix
from verifier.verification.edits.search import MAX_TRIED, MAX_WINDOWS
from verifier.verification.render import FORMATS
from verifier.verification.render.summary import may_be_mended
from verifier.verification.report import from_json, to_json
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer, default_signals
from verifier.verification.vocabulary import Vocabulary

DOCUMENT = """# Harbour rules

The harbour office is led by Jonas Halvorsen. A berth is free of charge for 30 minutes. Dogs are not allowed on the
pontoons. Electricity costs 4 EUR a night. Water is 2 EUR for 100 litres, and the crane lifts 12 tonnes. The crane was
built in 1962 by Corran Mills. Boats of more than 14 metres need a pilot.
"""
ANSWER = (
    "The harbour office is led by Mira Sandvik. A berth is free of charge for 60 minutes. The crane was built in 1974 "
    "by Corran Mills. Electricity costs 4 EUR a night. Dogs are allowed on the pontoons."
)
HINT = "fixes: not looked for; --fixes looks"


class Counted:
    """A source and its signals that count how often they are asked."""

    def __init__(self, document: str) -> None:
        self.calls: Counter[str] = Counter()
        self.pairs: Counter[str] = Counter()
        vocabulary = Vocabulary()
        signals = default_signals(vocabulary)
        for signal in signals:
            self._count(signal)
        counted = self

        class Source(GivenTexts):
            def retrieve(self, queries: Sequence[str], **options: Any) -> list[list[Evidence]]:
                counted.calls["retrieve"] += 1
                return super().retrieve(queries, **options)

        source = Source(GivenTexts.of(document).documents, max_chars=120)
        self.scorer = VerifiedScorer(source, signals, vocabulary=vocabulary)

    def _count(self, signal: Signal) -> None:
        score = signal.score

        def counting(pairs: Sequence[TextPair]) -> list[SignalScore]:
            self.calls[signal.name] += 1
            self.pairs[signal.name] += len(pairs)
            return score(pairs)

        signal.score = counting  # type: ignore[method-assign]


@pytest.fixture(scope="module")
def counted() -> Counted:
    return Counted(DOCUMENT)


def _checked(report: Report) -> list[ClaimVerdict]:
    return [claim for claim in report.claims if claim.status is Status.CHECKED]


def _ledger(claim: ClaimVerdict) -> Ledger:
    assert claim.ledger is not None
    return claim.ledger


def _denied(report: Report) -> list[ClaimVerdict]:
    return [claim for claim in _checked(report) if claim.verdict is Verdict.CONTRADICTED]


def test_a_report_is_the_same_with_and_without_edits(counted: Counted) -> None:
    plain = counted.scorer.verify(ANSWER)
    mended = counted.scorer.verify(ANSWER, suggest_fixes=True)
    assert any(_ledger(claim).fix for claim in mended.claims)
    bare = tuple(
        replace(claim, ledger=replace(_ledger(claim), fix=None, fix_sought=False)) for claim in mended.claims
    )
    assert to_json(replace(mended, claims=bare)) == to_json(plain)


def test_edits_of_all_claims_cost_one_retrieval_and_two_batches_of_few_windows(counted: Counted) -> None:
    def asked(*, seek: bool) -> tuple[Counter[str], Counter[str]]:
        counted.calls.clear()
        counted.pairs.clear()
        denied = _denied(counted.scorer.verify(ANSWER, suggest_fixes=seek))
        assert len(denied) >= 3
        return counted.calls.copy(), counted.pairs.copy()

    (plain, _), (mended, pairs) = asked(seek=False), asked(seek=True)
    assert plain["retrieve"] == mended["retrieve"] == 1
    assert mended["negation"] <= 3 * plain["negation"]  # the claims, the likeliest edits, the other edits
    most = MAX_TRIED * (MAX_WINDOWS + 1)
    assert pairs["negation"] <= len(_checked(counted.scorer.verify(ANSWER))) * (12 + most)


def test_what_was_not_looked_for_is_told_from_what_was_not_found(counted: Counted) -> None:
    plain, mended = counted.scorer.verify(ANSWER), counted.scorer.verify(ANSWER, suggest_fixes=True)
    for report, sought in ((plain, False), (mended, True)):
        again = from_json(to_json(report))
        assert {_ledger(claim).fix_sought for claim in _denied(again)} == {sought}
    none = tuple(replace(claim, ledger=replace(_ledger(claim), fix=None)) for claim in mended.claims)
    for name in ("table", "markdown"):
        unsought, sought = FORMATS[name](plain), FORMATS[name](replace(mended, claims=none))
        assert unsought.lower().count(HINT) == 1
        assert "fix:" not in unsought
        assert HINT not in sought.lower()
        assert sought.count("fix: none found") == len(_denied(mended))


def test_two_values_are_shown_where_the_reason_does_not_name_both(counted: Counted) -> None:
    report = counted.scorer.verify(ANSWER)
    [claim] = [claim for claim in _denied(report) if "60 minutes" in claim.text]
    pair = _ledger(claim).pair
    assert isinstance(pair, ValuePair)
    assert pair.evidence is not None
    told = f"{pair.claim.text} differs from {pair.evidence.text}"
    assert told not in FORMATS["markdown"](report)  # claim says ..., evidence says ...
    bare = replace(report, claims=(replace(claim, reason="evidence says otherwise"),))
    assert told in FORMATS["markdown"](bare)
    assert "differs from" in FORMATS["table"](bare)


def test_an_edit_is_found_by_the_evidence_that_a_report_quotes(counted: Counted) -> None:
    lead = "Hello! "
    report = from_json(to_json(counted.scorer.verify(lead + ANSWER)))
    late = VerifiedScorer(GivenTexts.of(), default_signals(Vocabulary()))
    found = [with_fix(claim, late) for claim in report.claims if may_be_mended(claim)]
    labels = {fix.label for claim in found if (fix := _ledger(claim).fix) is not None}
    assert {"Mira Sandvik -> Jonas Halvorsen", "60 minutes -> 30 minutes", "1974 -> 1962"} <= labels
    for claim in found:
        fix = _ledger(claim).fix
        assert not may_be_mended(claim)
        assert fix is None or (lead + ANSWER)[fix.start : fix.end] == fix.before


def test_an_edit_that_cannot_be_placed_is_not_told(counted: Counted) -> None:
    [claim] = [claim for claim in _denied(counted.scorer.verify(ANSWER)) if "60 minutes" in claim.text]
    late = VerifiedScorer(GivenTexts.of(), default_signals(Vocabulary()))
    twice = replace(claim, text="60 minutes: it is free for 60 minutes.", hypothesis=claim.text)
    assert with_fix(twice, late) == twice


def test_with_a_reader_no_edit_is_looked_for_and_the_report_says_so() -> None:
    scorer = scorer_with(judged("contradicted", "The library opens at 9."))
    report = scorer.verify("The library opens at noon.", suggest_fixes=True)
    [claim] = _denied(report)
    assert not _ledger(claim).fix_sought
    assert not may_be_mended(claim)
    assert any("no edits were searched for" in note for note in report.notes)
    assert HINT not in FORMATS["table"](report)
