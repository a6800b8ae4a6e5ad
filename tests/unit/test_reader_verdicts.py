"""What a reading becomes: verdicts, conflicts, errors, languages, what is sent, and what the report says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal

from tests.support.reading_model import asked_of, reading_model
from verifier.core.cache import ScoreCache
from verifier.core.chat import ChatRequest, ScriptedChat
from verifier.core.errors import ConfigError, LLMUnavailable, MissingExtra
from verifier.readers import Answer, Case, Reader, Reading, State, Traits
from verifier.readers.cached import READINGS, CachedReader
from verifier.readers.chat import ChatReader
from verifier.types import Decision, Report, Status, Verdict
from verifier.verification.consultation.cases import ReadingRules
from verifier.verification.consultation.consulting import Consultant
from verifier.verification.decision.verdict import Fusion
from verifier.verification.report import from_json, to_json
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

SOURCE = GivenTexts.of(
    "The handling fee is 5 EUR for each order. The library opens at 9. The tower is 40 m high and open to members.",
    "Die Bibliothek öffnet um neun Uhr und hat vierundzwanzig Leseplätze. Der Eintritt ist für alle Besucher frei.",
)
Judged = tuple[str, list[tuple[int, str]]]


def scorer_with(reader: Reader, *, fusion: Fusion | None = None, **rules: Any) -> VerifiedScorer:
    signals = [TraceabilitySignal(), NumberSignal(), EntitySignal(), NegationSignal()]
    consultant = Consultant(reader, ReadingRules(**{"read": "all", **rules}), fusion)
    return VerifiedScorer(SOURCE, signals, consultant=consultant)


def judged(label: str, *quotations: str) -> ChatReader:
    """A reader that says the same of every claim, quoting from whichever piece has the words."""

    def judge(_: str, pieces: Mapping[int, str]) -> Judged:
        found = [(next((n for n, text in pieces.items() if one in text), 1), one) for one in quotations]
        return label, found

    return ChatReader(reading_model(judge))


def one(report: Report) -> Any:
    [claim] = [claim for claim in report.claims if claim.status is not Status.SKIPPED]
    return claim


@pytest.mark.parametrize(
    ("label", "quotation", "verdict"),
    [
        ("supported", "The library opens at 9", Verdict.SUPPORTED),
        ("contradicted", "The library opens at 9", Verdict.CONTRADICTED),
        ("not_said", "The library opens at 9", Verdict.UNVERIFIABLE),
        ("unheard_of", "The library opens at 9", Verdict.FABRICATED),
    ],
)
def test_a_reading_that_is_shown_is_the_verdict(label: str, quotation: str, verdict: Verdict) -> None:
    claim = one(scorer_with(judged(label, quotation)).verify("The doors of the library open in the morning."))
    assert claim.verdict is verdict
    assert claim.decided_by == "reader"
    [quoted] = claim.reader.quotations
    assert quoted.text == quotation
    assert claim.evidence[0].text.startswith("The library opens at 9")


@pytest.mark.parametrize("label", ["supported", "contradicted"])
def test_an_answer_without_words_that_stand_in_the_evidence_is_unverifiable(label: str) -> None:
    claim = one(
        scorer_with(judged(label, "The library never closes")).verify("The library is open all night.")
    )
    assert claim.verdict is Verdict.UNVERIFIABLE
    assert claim.reason == f"the reader says {label}, but its quotation is not in the evidence"
    assert (claim.reader.lost, claim.reader.quotations) == (("The library never closes",), ())


def test_support_over_a_conflict_of_values_is_asked_about_again_and_never_approved() -> None:
    asked: list[dict[str, str]] = []

    def reply(request: ChatRequest) -> Any:
        asked.append(asked_of(request)[2])
        return reading_model(lambda *_: ("supported", [(1, "The handling fee is 5 EUR")])).complete(request)

    report = scorer_with(ChatReader(ScriptedChat(reply))).verify("The handling fee is 7 EUR for each order.")
    claim = one(report)
    assert len(asked) == 2
    assert "7 EUR" in asked[1]["c1"]
    assert "5 EUR" in asked[1]["c1"]
    assert (claim.verdict, claim.conflict) == (Verdict.UNVERIFIABLE, True)
    assert report.decision is Decision.REJECTED
    assert claim.reader.objection


def test_a_reader_that_looks_again_may_change_its_mind() -> None:
    def judge(_: str, __: Mapping[int, str]) -> Judged:
        answers.append("x")
        return ("supported" if len(answers) == 1 else "contradicted"), [(1, "The handling fee is 5 EUR")]

    answers: list[str] = []
    claim = one(
        scorer_with(ChatReader(reading_model(judge))).verify("The handling fee is 7 EUR for each order.")
    )
    assert claim.verdict is Verdict.CONTRADICTED
    assert len({call.key for call in claim.reader.calls}) == 2


def test_a_denial_of_what_a_document_states_word_for_word_is_a_conflict() -> None:
    claim = one(scorer_with(judged("contradicted", "open to members")).verify("The library opens at 9."))
    assert (claim.verdict, claim.conflict) == (Verdict.UNVERIFIABLE, True)


def test_sources_that_the_reader_finds_to_disagree_are_a_conflict() -> None:
    claim = one(
        scorer_with(judged("disputed", "The library opens at 9")).verify("The library opens in the morning.")
    )
    assert (claim.verdict, claim.conflict) == (Verdict.UNVERIFIABLE, True)
    assert claim.reason.startswith("sources disagree: “The library opens at 9”")


def test_a_failed_reading_is_an_error_with_its_reason_and_never_a_pass() -> None:
    reader = ChatReader(ScriptedChat([LLMUnavailable("model 'm' cannot be reached")], repeat=True))
    report = scorer_with(reader).verify("The library opens at 9.")
    claim = one(report)
    assert (claim.status, claim.verdict, report.decision) == (Status.ERROR, None, Decision.REJECTED)
    assert claim.reason == "the reader gave no usable answer: model 'm' cannot be reached"


class Short(Reader):
    """A plugin that gives fewer readings than cases."""

    traits = Traits(quotes=False, probabilities=False, multilingual=False, kind="chat")
    identity = "short"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        return [Reading(State.SETTLED, Answer.SUPPORTED) for _ in cases[1:]]


class Raising(Short):
    """A plugin that raises what is not ours."""

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        raise KeyError("oops")


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        (Short(), "the reader gave 0 readings for 1 claims"),
        (Raising(), "the reader failed: KeyError: 'oops'"),
    ],
)
def test_a_plugin_that_breaks_its_contract_is_an_error_of_its_claims(reader: Reader, told: str) -> None:
    claim = one(scorer_with(reader).verify("The library opens at 9."))
    assert (claim.status, claim.reason) == (Status.ERROR, f"could not be checked: {told}")


class Missing(Short):
    """A reader whose package is not there."""

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        raise MissingExtra("typesafe-sdk", "systemone")


def test_a_package_that_is_missing_is_told_once_and_not_for_each_claim() -> None:
    with pytest.raises(MissingExtra, match="typesafe-sdk is not installed"):
        scorer_with(Missing()).verify("The library opens at 9.")


def test_passages_that_other_claims_brought_along_are_not_left_out() -> None:
    report = scorer_with(ChatReader(reading_model())).verify(
        "The library opens at 9. The tower is 40 m high."
    )
    assert [claim.reader.left_out for claim in report.claims] == [0, 0]
    assert not any("did not fit" in note for note in report.notes)


class Abstaining(Short):
    """A plugin that never answers."""

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        return [Reading(State.ABSTAINED, note="not my field") for _ in cases]


def test_a_reader_that_abstains_leaves_the_claim_to_the_signals() -> None:
    signals = [TraceabilitySignal(), NumberSignal(), EntitySignal(), NegationSignal()]
    alone = one(VerifiedScorer(SOURCE, signals).verify("The library opens at 9.", suggest_fixes=False))
    claim = one(scorer_with(Abstaining()).verify("The library opens at 9."))
    assert (claim.verdict, claim.confidence) == (alone.verdict, alone.confidence)
    assert (claim.reader.state, claim.reader.note) == ("abstained", "not my field")


class Weighing(Short):
    """A decision model: probabilities, and no quotations."""

    traits = Traits(quotes=False, probabilities=True, multilingual=True, kind="decision")

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        chances = {Answer.SUPPORTED: 0.9, Answer.CONTRADICTED: 0.06, Answer.NOT_FOUND: 0.04}
        return [Reading(State.SETTLED, Answer.SUPPORTED, probabilities=chances) for _ in cases]


def test_a_reader_without_quotations_shows_the_nearest_place_and_says_so() -> None:
    report = scorer_with(Weighing()).verify("The library opens at 9.")
    claim = one(report)
    assert claim.verdict is Verdict.SUPPORTED
    assert claim.reader.quotations == ()
    assert claim.evidence
    assert any("does not quote" in note for note in report.notes)


def test_a_claim_in_another_language_is_read_where_the_reader_knows_languages() -> None:
    german = "Die Bibliothek hat vierundzwanzig Leseplätze."
    read = one(scorer_with(judged("supported", "hat vierundzwanzig Leseplätze")).verify(german))
    assert read.verdict is Verdict.SUPPORTED
    unread = one(VerifiedScorer(SOURCE, [TraceabilitySignal()]).verify(german))
    assert (unread.verdict, unread.decided_by) == (Verdict.UNVERIFIABLE, "language")


def test_only_what_the_signals_leave_open_is_sent() -> None:
    model = reading_model()
    own = ChatReader(model).identity
    sure = replace(Fusion.of_kind("chat"), reader=own, settled_at={verdict.value: 0.0 for verdict in Verdict})
    report = scorer_with(ChatReader(model), fusion=sure, read="open").verify("The library opens at 9.")
    assert model.requests == []
    assert report.reader is not None
    assert (report.reader.claims, report.reader.read, report.reader.calls) == (1, 0, 0)
    never = replace(sure, settled_at={})
    scorer_with(ChatReader(model), fusion=never, read="open").verify("The library opens at 9.")
    assert len(model.requests) == 1


def test_weights_of_another_reader_are_refused_before_anything_is_checked() -> None:
    other = replace(Fusion.of_kind("chat"), reader="chat:another asked as x")
    with pytest.raises(
        ConfigError, match="were learnt with chat:another asked as x, and this is chat:scripted"
    ):
        scorer_with(ChatReader(reading_model()), fusion=other).verify("The library opens at 9.")


def test_the_report_counts_a_shared_call_once_and_survives_its_json_form() -> None:
    report = scorer_with(ChatReader(reading_model())).verify(
        "The library opens at 9. The tower is 40 m high."
    )
    assert report.reader is not None
    assert (report.reader.claims, report.reader.read, report.reader.calls) == (2, 2, 1)
    assert report.reader.input_tokens is not None
    again = from_json(to_json(report))
    assert to_json(again) == to_json(report)


def test_kept_readings_give_the_same_report_byte_for_byte_and_ask_nothing() -> None:
    model = reading_model()
    reader = CachedReader(ChatReader(model), ScoreCache(READINGS, max_size=100, ttl=60))
    scorer = scorer_with(reader)
    first, second = (
        to_json(scorer.verify("The library opens at 9. The tower is 50 m high.")) for _ in range(2)
    )
    assert first == second
    asked = len(model.requests)
    scorer.verify("The tower is 50 m high. The library opens at 9.")
    assert len(model.requests) == asked


def test_failures_are_not_kept() -> None:
    chat = ScriptedChat([LLMUnavailable("busy"), *[_whole_reply] * 2])
    reader = CachedReader(ChatReader(chat), ScoreCache(READINGS, max_size=100, ttl=60))
    case = Case("The library opens at 9.", ())
    assert reader.read([case])[0].state is State.SETTLED  # nothing to read: nobody was asked
    assert chat.requests == []


_whole_reply = '{"readings": []}'


def test_evidence_may_be_windows_passages_or_whole_documents() -> None:
    sent: dict[str, int] = {}
    for kind in ("windows", "passages", "source"):
        model = reading_model()
        scorer_with(ChatReader(model), evidence=kind).verify("The library opens at 9.")
        pieces, _, _ = asked_of(model.requests[0])
        sent[kind] = sum(map(len, pieces.values()))
        assert any("The library opens at 9." in text for text in pieces.values())
    assert sent["windows"] < sent["passages"] <= sent["source"]


def test_passages_that_do_not_fit_are_counted() -> None:
    long = GivenTexts.of(
        "The library opens at 9.", *(f"Hall {n} of the library opens late. " * 30 for n in range(9))
    )
    signals = [TraceabilitySignal(), NumberSignal(), EntitySignal(), NegationSignal()]
    consultant = Consultant(ChatReader(reading_model()), ReadingRules(read="all", evidence_tokens=300))
    report = VerifiedScorer(long, signals, consultant=consultant).verify("The library opens at 9.")
    assert one(report).reader.left_out > 0
    assert any("did not fit" in note for note in report.notes)
