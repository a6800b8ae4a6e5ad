"""The stages in order, over a real store and real signals; failures of a part never become a pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_signals.base import Signal
from verifier_signals.entity import EntitySignal
from verifier_signals.nli.kinds import CLASSES
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Outcome, SignalScore, TextPair

from verifier.core.errors import BackendUnavailable, ConfigError
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Claim, ClaimVerdict, Decision, Document, Report, Status, Verdict
from verifier.verification import scorer as module
from verifier.verification.decision.summary import summarise
from verifier.verification.decision.verdict import Fusion
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

REFUNDS = "An annual plan is refunded in full within 30 days of purchase. Set-up fees are never refunded."
GOOD = "An annual plan is refunded in full within 30 days of purchase."
WRONG = "An annual plan is refunded in full within 60 days of purchase."
FAR = "Parking is free for members."


@pytest.fixture
def store() -> Iterator[GroundTruthStore]:
    with GroundTruthStore(BM25Backend()) as opened:
        opened.add("refunds.md", REFUNDS)
        yield opened


def verdicts(report: Report) -> list[Verdict | None]:
    return [claim.verdict for claim in report.claims]


class Broken(Signal):
    """Raises what no contract foresees."""

    name = "broken"
    feature_names = ()

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        raise ZeroDivisionError("inside")


class Unreachable(GivenTexts):
    """A knowledge source whose service is down."""

    def retrieve(self, queries, *, top_k=5, namespace="default"):  # type: ignore[no-untyped-def]
        raise BackendUnavailable("the service does not answer")


@dataclass(frozen=True)
class Noting(GivenTexts):
    """A knowledge source that notes what it is asked."""

    asked: list[str] = field(default_factory=list)

    def retrieve(self, queries, *, top_k=5, namespace="default"):  # type: ignore[no-untyped-def]
        self.asked.extend(queries)
        return super().retrieve(queries, top_k=top_k, namespace=namespace)


def test_the_mark_at_its_end_does_not_change_what_is_looked_for() -> None:
    source = Noting((Document("a", "a", REFUNDS),))
    scorer = VerifiedScorer(source)
    for mark in ("", ".", "!", " ..."):
        scorer.verify(GOOD.rstrip(".") + mark)
    assert source.asked == [GOOD] * 4


def test_right_and_wrong_claims_side_by_side(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store).verify(f"{GOOD} {WRONG}")
    assert verdicts(report) == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert report.decision is Decision.REJECTED
    assert report.coverage == 1.0
    wrong = report.claims[1]
    assert wrong.decided_by == "number"
    evidence = wrong.evidence[0]
    assert REFUNDS[evidence.start : evidence.end] == evidence.text


def test_a_signal_that_raises_makes_errors_and_no_pass(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store, [TraceabilitySignal(), Broken()]).verify(GOOD)
    [claim] = report.claims
    assert claim.status is Status.ERROR
    assert "signal 'broken' failed: ZeroDivisionError" in claim.reason
    assert report.decision is Decision.REJECTED


class Misshapen(Broken):
    """Gives scores that its contract rules out."""

    def __init__(self, scores: Sequence[SignalScore]) -> None:
        self.scores = list(scores)

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        return self.scores * len(pairs)


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([], "gave 0 scores for"),
        (
            [SignalScore("broken", Outcome.CONSISTENT, 1.0, (), {"broken": float("nan")})],
            "no number from 0 to 1",
        ),
        ([SignalScore("broken", Outcome.CONSISTENT, 1.0, (), {"broken": 1.01})], "no number from 0 to 1"),
    ],
)
def test_a_signal_that_breaks_its_contract_makes_errors_and_no_pass(
    store: GroundTruthStore, scores: list[SignalScore], told: str
) -> None:
    report = VerifiedScorer(store, [TraceabilitySignal(), Misshapen(scores)]).verify(GOOD)
    [claim] = report.claims
    assert (claim.status, report.decision) == (Status.ERROR, Decision.REJECTED)
    assert told in claim.reason


def test_a_service_that_is_down_makes_errors_and_no_pass() -> None:
    down = Unreachable((Document("a", "a", REFUNDS),))
    report = VerifiedScorer(down).verify(GOOD)
    assert [claim.status for claim in report.claims] == [Status.ERROR]
    assert "the service does not answer" in report.claims[0].reason
    assert report.decision is Decision.REJECTED


def test_an_empty_knowledge_base_supports_nothing() -> None:
    report = VerifiedScorer(GroundTruthStore(BM25Backend())).verify(GOOD)
    assert Verdict.SUPPORTED not in verdicts(report)
    assert report.decision is Decision.REJECTED


def test_a_report_without_a_model_says_so(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store, [TraceabilitySignal(), NumberSignal()]).verify(GOOD)
    assert any("NLI" in note for note in report.notes)


def test_a_claim_that_is_repeated_keeps_its_own_place(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store).verify(f"{WRONG}\n\n{WRONG}")
    first, second = report.claims
    assert (first.verdict, first.reason) == (second.verdict, second.reason)
    assert (first.start, second.start) == (0, len(WRONG) + 2)


def test_blocks_are_told_and_do_not_change_verdicts(
    store: GroundTruthStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = " ".join(f"Set-up fees of {n} euros are never refunded." for n in range(7))
    whole = VerifiedScorer(store).verify(response)
    monkeypatch.setattr(module, "BLOCK", 2)
    told: list[tuple[str, int, int | None]] = []
    again = VerifiedScorer(store).verify(response, progress=lambda *step: told.append(step))
    assert again.claims == whole.claims
    assert told == [("claims", done, 7) for done in (0, 2, 4, 6)]


class Watching:
    """Notes what it is told, in order."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.told: list[tuple[int, ClaimVerdict]] = []

    def found(self, claims: Sequence[Claim]) -> None:
        assert not self.told
        self.claims = list(claims)

    def judged(self, number: int, verdict: ClaimVerdict) -> None:
        self.told.append((number, verdict))


def test_who_watches_is_told_of_each_verdict_of_the_report_once(store: GroundTruthStore) -> None:
    fees = " ".join(f"Set-up fees of {n} euros are never refunded." for n in range(module.WATCHED_BLOCK + 2))
    response = f"{WRONG} 安装费从不退还。 {fees}\n\n{WRONG}"
    watching = Watching()
    report = VerifiedScorer(store).verify(response, watcher=watching)
    assert report == VerifiedScorer(store).verify(response)
    assert [verdict for _, verdict in sorted(watching.told, key=lambda one: one[0])] == list(report.claims)
    assert [(claim.start, claim.end) for claim in watching.claims] == [
        (claim.start, claim.end) for claim in report.claims
    ]
    # What reads alike is judged at once, and so told before what stands between.
    numbers = [number for number, _ in watching.told]
    assert numbers.index(len(numbers) - 1) < numbers.index(len(numbers) - 2)


class Model(Signal):
    """Stands for the NLI model, and notes what it is asked."""

    name = "nli"
    feature_names = CLASSES

    def __init__(self) -> None:
        self.premises: list[str] = []

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        self.premises += [pair.premise for pair in pairs]
        return [
            SignalScore(self.name, Outcome.ABSENT, 0.2, (), dict(zip(CLASSES, (0.2, 0.7, 0.1), strict=True)))
            for _ in pairs
        ]


def test_the_model_reads_the_windows_that_a_verdict_rests_on_and_no_others() -> None:
    model = Model()
    source = GivenTexts.of(WRONG, "Parking is free for 30 days.")
    scorer = VerifiedScorer(source, [TraceabilitySignal(), NumberSignal(), model], least_reach=0.0)
    [read] = scorer.examine([Claim(GOOD, 0, len(GOOD))])
    everything, model.premises = model.premises, []
    [decisive] = scorer.examine([Claim(GOOD, 0, len(GOOD))], deciding=True)
    assert (everything, model.premises) == ([WRONG, "Parking is free for 30 days."], [WRONG])
    same_thing = scorer.fusion.same_thing
    assert (
        summarise(read, same_thing=same_thing).features == summarise(decisive, same_thing=same_thing).features
    )


@pytest.mark.parametrize(("least", "told"), [(0.0, [WRONG, FAR]), (0.8, [WRONG])])
def test_a_window_that_can_speak_of_far_less_than_the_best_is_read_by_traceability_alone(
    least: float, told: list[str]
) -> None:
    source = GivenTexts.of(WRONG, FAR)
    scorer = VerifiedScorer(source, [TraceabilitySignal(), NumberSignal()], least_reach=least)
    [read] = scorer.examine([Claim(GOOD, 0, len(GOOD))])
    assert [reading.window.premise for reading in read.readings] == told


def test_a_window_that_names_another_is_read_beside_one_that_covers_more() -> None:
    right, beside = (
        "The recall is led by Henrik Sollie.",
        "For your data write to Tomas Eikeland, Quay Street.",
    )
    claim = "The recall is led by Tomas Eikeland."
    scorer = VerifiedScorer(GivenTexts.of(right, beside), [TraceabilitySignal(), EntitySignal()])
    [read] = scorer.examine([Claim(claim, 0, len(claim))])
    assert {reading.window.premise for reading in read.readings} == {right, beside}


def test_a_signal_that_fails_beside_the_model_is_the_error_of_the_claim(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store, [TraceabilitySignal(), Broken(), Model()]).verify(GOOD)
    assert [claim.status for claim in report.claims] == [Status.ERROR]
    assert "inside" in report.claims[0].reason


def test_a_version_that_the_claim_names_decides() -> None:
    with GroundTruthStore(BM25Backend()) as store:
        for year, days in ((2023, 30), (2025, 14)):
            text = f"# Refund policy {year}\n\nAn annual plan is refunded in full within {days} days of purchase.\n"
            store.ingest([Document(f"policy_{year}.md", f"policy_{year}.md", text, "text/markdown")])
        scorer = VerifiedScorer(store)
        named = "Under the 2023 policy, an annual plan is refunded in full within {} days of purchase."
        sources = {item.source for claim in scorer.verify(named.format(30)).claims for item in claim.evidence}
        assert sources == {"policy_2023.md"}
        assert verdicts(scorer.verify(named.format(14))) == [Verdict.CONTRADICTED]


def test_sources_that_disagree_are_both_quoted_and_never_supported() -> None:
    with GroundTruthStore(BM25Backend()) as store:
        store.add("leaflet.md", "The Corrie bridge was opened in 1894.")
        store.add("guide.md", "The Corrie bridge was opened in 1896.")
        [claim] = VerifiedScorer(store).verify("The Corrie bridge was opened in 1894.").claims
        assert (claim.verdict, claim.conflict) == (Verdict.UNVERIFIABLE, True)
        assert {item.source for item in claim.evidence} == {"leaflet.md", "guide.md"}
        assert "leaflet.md" in claim.reason
        assert "guide.md" in claim.reason


def test_a_document_that_repeats_itself_does_not_hide_one_that_disagrees() -> None:
    repeated = "\n\n".join(f"In report {n} the Corrie bridge was opened in 1894." for n in range(20))
    with GroundTruthStore(BM25Backend()) as store:
        store.add("leaflet.md", repeated)
        store.add("guide.md", "Opened in 1896, the Corrie bridge has served the valley ever since.")
        [claim] = VerifiedScorer(store).verify("The Corrie bridge was opened in 1894.").claims
        assert (claim.verdict, claim.conflict) == (Verdict.UNVERIFIABLE, True)


def test_a_script_that_cannot_be_read_is_unverifiable_and_rejects(store: GroundTruthStore) -> None:
    report = VerifiedScorer(store, fail_on=(), min_groundedness=0.0).verify("安装费从不退还。")
    assert verdicts(report) == [Verdict.UNVERIFIABLE]
    assert report.decision is Decision.REJECTED


def test_claims_can_be_judged_without_a_response(store: GroundTruthStore) -> None:
    [verdict] = VerifiedScorer(store).judge([Claim(GOOD, 0, len(GOOD))])
    assert verdict.verdict is Verdict.SUPPORTED
    assert VerifiedScorer(store).judge([]) == []


def test_a_fusion_of_another_model_is_refused_with_the_command(store: GroundTruthStore) -> None:
    rules = [NumberSignal(), TraceabilitySignal()]
    foreign = replace(Fusion.embedded("none"), nli="0123abcd")
    with pytest.raises(
        ConfigError, match=r"learnt with NLI model 0123abcd, and this is none.*verifier calibrate"
    ):
        VerifiedScorer(store, rules, fusion=foreign).verify(GOOD)


def test_many_responses_get_the_reports_they_get_alone() -> None:
    scorer = VerifiedScorer(GivenTexts.of("Refunds are paid within 30 days. Parking is free."))
    cases = [
        ("Refunds are paid within 60 days.", None),
        ("Hello! How are you?", None),
        ("30 days.", "When are refunds paid?"),
        ("Parking is free. Refunds are paid within 60 days.", None),
    ]
    assert scorer.verify_many(cases) == [scorer.verify(text, prompt=prompt) for text, prompt in cases]
    assert scorer.verify_many([]) == []


PLANS = (
    "The Basic plan costs $10 a month and includes 5 GB of storage. It includes phone support on weekdays.\n\n"
    "The Pro plan costs $25 a month and includes 20 GB of storage. It includes support round the clock."
)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The Pro plan costs $25 a month, a price that members asked us about.", False),
        ("The Pro plan costs $10 a month, a price that members asked us about.", True),
    ],
)
def test_what_a_neighbour_says_of_another_thing_denies_nothing(text: str, denied: bool) -> None:
    scorer = VerifiedScorer(GivenTexts.of(PLANS), [TraceabilitySignal(), NumberSignal(), EntitySignal()])
    [read] = scorer.examine([Claim(text, 0, len(text))])
    features = summarise(read, same_thing=0.9).features
    assert (features["number_conflict"] > 0) is denied
