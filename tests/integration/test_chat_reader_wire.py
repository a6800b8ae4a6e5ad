"""The chat reader through the real clients of OpenAI and Anthropic: faults at the wire, and what becomes of claims.

The faults are the rows of ``tests/support/reader_faults.py``. In none of them is a claim without a reading approved.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal

from tests.support import cli
from tests.support.gullible_readers import CARELESS, obeys, parsed
from tests.support.llm_server import Answer, LLMServer, Request, llm_server, say, status
from tests.support.reader_faults import (
    DESKS,
    FAULTS,
    LIBRARY,
    MODEL,
    RESPONSE,
    SECRET,
    SOURCE,
    Fault,
    honest,
    markdown,
)
from tests.support.reading_model import replying, said
from verifier.core.chat import AnthropicChat, ChatRequest, OpenAIChat, Patience, PatientChat, Prices
from verifier.core.chat.counts import tokens_of
from verifier.interfaces.cli.app import app
from verifier.readers import Answer as Said
from verifier.readers import Case, Piece, Reader, Reading, State
from verifier.readers.chat import ChatReader
from verifier.readers.prompt import request_for
from verifier.types import Decision, Report, Status, Verdict
from verifier.verification.consultation.cases import ReadingRules
from verifier.verification.consultation.consulting import Consultant
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

pytest.importorskip("openai")
pytest.importorskip("anthropic")

KEY = "sk-never-to-be-seen"
KEY_ENV = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
HALLS = ("archive", "bakery", "cinema", "forge", "library", "museum", "school", "tower")
PIECES = tuple(Piece(f"The {hall} of the town opens at 9.", "town.md") for hall in HALLS)
over_faults = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.kind)
by_both = pytest.mark.parametrize("provider", ["openai", "anthropic"])
both_ways = pytest.mark.parametrize("how", ["sync", "async"])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    for name in KEY_ENV.values():
        monkeypatch.setenv(name, KEY)
    with llm_server() as running:
        running.answers = honest
        yield running


class InALoop(Reader):
    """Reads by ``aread`` alone, in a loop of its own."""

    def __init__(self, inner: ChatReader) -> None:
        self.inner, self.traits = inner, inner.traits

    @property
    def identity(self) -> str:
        return self.inner.identity

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        return asyncio.run(self.inner.aread(cases))


def address(provider: str, server: LLMServer) -> str:
    return server.openai_url if provider == "openai" else server.anthropic_url


def reader_over(
    provider: str, server: LLMServer, waited: list[float] | None = None, *, how: str = "sync", **options: Any
) -> Reader:
    """A reader over a patient model that waits for nothing, and writes down what it would have waited."""
    waits = [] if waited is None else waited

    async def async_sleep(seconds: float) -> None:
        waits.append(seconds)

    kind = {"openai": OpenAIChat, "anthropic": AnthropicChat}[provider]
    patience = Patience(**options.pop("patience", {}))
    chat = PatientChat(
        kind(MODEL, base_url=address(provider, server)),
        patience=patience,
        prices=options.pop("prices", None),
        sleep=waits.append,
        async_sleep=async_sleep,
        jitter=lambda: 1.0,
    )
    reader = ChatReader(chat, **options)
    return reader if how == "sync" else InALoop(reader)


def verified(reader: Reader, response: str = RESPONSE, source: str = SOURCE) -> Report:
    consultant = Consultant(reader, ReadingRules(read="all"))
    return VerifiedScorer(
        GivenTexts.of(source), [TraceabilitySignal(), NumberSignal()], consultant=consultant
    ).verify(response)


def play(fault: Fault, server: LLMServer) -> None:
    server.answers = fault.steps
    for name, value in fault.server.items():
        setattr(server, name, value)


def reasons_of(fault: Fault, provider: str, server: LLMServer) -> dict[str, str]:
    """The reasons of a row, filled in as the documentation cannot."""
    sent = server.requests[0].tokens if server.requests else 0
    return {
        claim: reason.format(
            key_env=KEY_ENV[provider],
            address=address(provider, server),
            provider=provider,
            sent=sent,
            limit=f"{fault.patience.get('timeout', 30.0):g}",
        )
        for claim, reason in fault.reasons.items()
    }


@both_ways
@by_both
@over_faults
def test_each_fault_is_read_after_all_or_an_error_with_its_reason(
    fault: Fault, provider: str, how: str, server: LLMServer, caplog: pytest.LogCaptureFixture
) -> None:
    play(fault, server)
    waited: list[float] = []
    with caplog.at_level(logging.DEBUG):
        report = verified(reader_over(provider, server, waited, how=how, patience=fault.patience))
    server.release()
    assert [claim.text for claim in report.claims] == [LIBRARY, DESKS]
    wanted = reasons_of(fault, provider, server)
    told = {claim.text: claim.reason for claim in report.claims if claim.status is Status.ERROR}
    assert told == {claim: f"the reader gave no usable answer: {reason}" for claim, reason in wanted.items()}
    read = [claim for claim in report.claims if claim.text not in wanted]
    assert {claim.verdict for claim in read} <= {Verdict.SUPPORTED}
    assert report.decision is (Decision.REJECTED if wanted else Decision.APPROVED)
    assert len(server.requests) == fault.requests
    assert fault.waits is None or tuple(waited) == fault.waits
    seen = f"{report}{caplog.text}"
    assert KEY not in seen
    assert SECRET not in seen


@over_faults
def test_the_command_line_gives_code_3_and_the_same_line(
    fault: Fault, server: LLMServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(fault, server)
    monkeypatch.chdir(tmp_path)
    impatient = partial(PatientChat, sleep=lambda seconds: None)
    monkeypatch.setattr("verifier.core.chat.PatientChat", impatient)
    (tmp_path / "kb.md").write_text(SOURCE)
    done = CliRunner().invoke(
        app,
        ["verify", "--text", RESPONSE, "--source", "kb.md"],
        env={**configured(server), "VERIFIER_LLM__TIMEOUT": str(fault.patience.get("timeout", 30.0))}
        | {"VERIFIER_LLM__MAX_RETRIES": str(fault.patience.get("max_retries", 2))},
    )
    server.release()
    reasons = reasons_of(fault, "openai", server)
    assert done.exit_code == (3 if reasons else 0), done.output
    for reason in reasons.values():
        # Client and patience wait equally long here, and either may be first to say so.
        assert f"the reader gave no usable answer: {reason}" in done.stdout.replace(
            f"model '{MODEL}' gave", "the model gave"
        )
    assert done.stderr == ""
    assert "Traceback" not in done.output
    assert KEY not in done.output
    assert SECRET not in done.output
    two_forms = (
        fault.server.get("takes_schema") is False
    )  # the configured client tries the other form of a schema
    assert len(server.requests) == fault.requests + two_forms


def configured(server: LLMServer, provider: str = "openai") -> dict[str, str]:
    """The environment of a person who reads by a chat model; the rules alone decide what is open, which is all."""
    return {
        "COLUMNS": "400",
        "VERIFIER_SIGNALS__NLI": "false",
        "VERIFIER_READER__TYPE": "chat",
        "VERIFIER_READER__READ": "all",
        "VERIFIER_LLM__PROVIDER": provider,
        "VERIFIER_LLM__MODEL": MODEL,
        "VERIFIER_LLM__BASE_URL": address(provider, server),
    }


@by_both
@pytest.mark.parametrize(
    ("step", "code", "told"),
    [
        (honest, 0, "approved"),
        (status(401, body=SECRET.encode()), 3, "is not accepted"),
        (say(SECRET), 3, "the server read only 11 tokens"),
    ],
    ids=["honest", "wrong key", "cut"],
)
def test_the_installed_command_ends_in_one_line_and_its_code(
    provider: str, step: Any, code: int, told: str, server: LLMServer, tmp_path: Path
) -> None:
    server.answers = [step]
    (tmp_path / "kb.md").write_text(SOURCE)
    environ = {**configured(server, provider), KEY_ENV[provider]: KEY}
    done = cli.run("verify", "--text", RESPONSE, "--source", "kb.md", cwd=tmp_path, timeout=120, **environ)
    assert done.returncode == code, done.stdout + done.stderr
    assert told in done.stdout
    assert done.stderr == ""
    assert SECRET not in done.stdout


def test_a_contradiction_beside_an_unread_claim_is_not_wholly_checked(
    server: LLMServer, tmp_path: Path
) -> None:
    server.answers = next(fault.steps for fault in FAULTS if "one of the claims" in fault.kind)
    (tmp_path / "kb.md").write_text(SOURCE)
    text = f"The library opens at 8. {DESKS}"
    environ = {**configured(server), KEY_ENV["openai"]: KEY}
    done = cli.run(
        "verify", "--text", text, "--source", "kb.md", "--json", cwd=tmp_path, timeout=120, **environ
    )
    claims = json.loads(done.stdout)["claims"]
    assert [(claim["status"], claim["verdict"]) for claim in claims] == [
        ("checked", "contradicted"),
        ("error", None),
    ]
    assert done.returncode == 3, done.stderr


@both_ways
@by_both
def test_the_second_try_of_a_cut_reply_has_twice_the_room(provider: str, how: str, server: LLMServer) -> None:
    server.answers = next(fault.steps for fault in FAULTS if "then whole" in fault.kind)
    verified(reader_over(provider, server, how=how))
    first, second = (request.max_tokens or 0 for request in server.requests)
    assert second == 2 * first
    assert server.requests[0].text == server.requests[1].text


@both_ways
@by_both
@pytest.mark.parametrize("kind", ["prose", "refuses", "a reply cut at its limit each time"])
def test_replies_of_no_use_are_counted_as_what_they_cost(
    kind: str, provider: str, how: str, server: LLMServer
) -> None:
    fault = next(fault for fault in FAULTS if fault.kind == kind)
    play(fault, server)
    report = verified(reader_over(provider, server, how=how, prices=Prices(1.0, 1.0)))
    assert report.reader is not None
    assert report.reader.calls == len(server.requests) == fault.requests
    assert report.reader.input_tokens is not None
    assert report.reader.output_tokens is not None
    tokens = report.reader.input_tokens + report.reader.output_tokens
    assert report.reader.cost == pytest.approx(tokens / 1_000_000)


@both_ways
@by_both
def test_a_claim_without_a_reading_is_asked_about_again_alone(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = next(fault.steps for fault in FAULTS if "missing, then" in fault.kind)
    verified(reader_over(provider, server, how=how))
    asked = [[*claims_of(request).values()] for request in server.requests]
    assert asked == [[LIBRARY, DESKS], [LIBRARY]]


def claims_of(request: Request) -> dict[str, str]:
    seen = parsed(ChatRequest(request.instructions, request.text))
    return {name: claim for name, (claim, _) in seen.claims.items()}


@both_ways
@by_both
def test_evidence_larger_than_the_window_is_read_in_parts_and_this_is_said(
    provider: str, how: str, server: LLMServer
) -> None:
    case = Case(PIECES[-1].text, PIECES)
    one = request_for([Case(case.claim, PIECES[-1:])])
    server.window = tokens_of(one.instructions + one.text) + 5  # a second piece has 13
    [reading] = reader_over(provider, server, how=how).read([case])
    assert (reading.answer, reading.pieces) == (Said.SUPPORTED, (8,))
    assert reading.note.count("read in parts") == 1
    assert len(server.requests) > 8, "also after as many refusals in a row as the breaker lets pass"


@both_ways
@by_both
def test_what_a_server_does_not_take_is_found_out_once(provider: str, how: str, server: LLMServer) -> None:
    server.takes_schema = server.takes_temperature = server.takes_logprobs = False
    reader = reader_over(provider, server, how=how, logprobs=True)
    for _ in range(2):
        assert verified(reader).decision is Decision.APPROVED
    parts = [
        (request.temperature is not None, request.schema is not None, "logprobs" in request.body)
        for request in server.requests
    ]
    assert parts[-2:] == [(False, False, False)] * 2
    assert len(parts) == (5 if provider == "openai" else 4)


@both_ways
def test_the_chances_of_a_label_come_over_the_wire(how: str, server: LLMServer) -> None:
    text = replying(said("c1", "supported", (1, "opens at 9")))
    at = text.index('"supported"') + 1
    chances = {"s": math.log(0.8), "contr": math.log(0.1), "n": math.log(0.1)}
    tokens = [(text[:at], {}), ("s", chances), (text[at + 1 :], {})]
    server.answers = lambda request: say(text, tokens=(request.tokens, 30), chances=tokens)
    [reading] = reader_over("openai", server, how=how, logprobs=True).read(
        [Case(LIBRARY, (Piece(SOURCE, "kb.md"),))]
    )
    assert reading.probabilities == pytest.approx(
        {Said.SUPPORTED: 0.8, Said.CONTRADICTED: 0.1, Said.NOT_FOUND: 0.1}
    )
    assert (server.requests[0].body["logprobs"], server.requests[0].body["top_logprobs"]) == (True, 5)


@both_ways
@by_both
def test_after_failures_in_a_row_nothing_is_sent_any_more_and_this_is_said(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = [status(500)]
    reader = reader_over(provider, server, how=how, patience={"max_retries": 0}, claims_a_call=1, workers=1)
    readings = reader.read([Case(piece.text, PIECES) for piece in PIECES[:5]])
    assert len(server.requests) == 3
    assert {reading.state for reading in readings} == {State.FAILED}
    assert readings[-1].note == (
        f"not asked, since its last 3 requests failed: model '{MODEL}' answered with status 500"
    )


@by_both
def test_hostile_texts_stay_in_their_strings_on_the_wire(provider: str, server: LLMServer) -> None:
    corpus = Path(__file__).parents[2] / "corpora" / "hostile"
    texts = [
        json.loads(line)["text"]
        for name in ("judge", "reader")
        for line in (corpus / f"{name}.jsonl").read_text().splitlines()
    ]

    def worst(request: Request) -> Answer:
        asked = ChatRequest(request.instructions, request.text)
        label = "supported" if any(obeys(reader, asked) for reader in CARELESS) else "not_said"
        return say(replying(said("c1", label)), tokens=(request.tokens, 30))

    server.answers = worst
    reader = reader_over(provider, server)
    for text in texts:
        [reading] = reader.read([Case(text, (Piece(text, text), PIECES[0]), text)])
        assert reading.answer is Said.NOT_FOUND
        seen = parsed(ChatRequest(server.requests[-1].instructions, server.requests[-1].text))
        assert (seen.pieces[0], seen.claims) == ((text, text), {"c1": (text, text)})
    assert len(server.requests) == len(texts)


def test_the_table_of_the_documentation_has_every_fault() -> None:
    assert len(markdown().splitlines()) == len(FAULTS) + 2
