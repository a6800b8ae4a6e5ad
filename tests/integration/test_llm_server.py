"""The decomposer over the real ``openai`` client and a local server: good replies, and every fault there may be."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.llm_server import Answer, LLMServer, broken, llm_server, say, silence, status
from verifier.config import load
from verifier.config.llm import LLMSettings
from verifier.core.chat import ChatRequest, OpenAIChat, Patience, PatientChat
from verifier.core.errors import ConfigError, LLMUnavailable
from verifier.factory import build_chat, build_extractor, build_scorer, temporary_store
from verifier.verification.claims import extract_claims
from verifier.verification.claims.llm import REPLY_SCHEMA, LLMExtractor

pytest.importorskip("openai")

KEY = "sk-never-to-be-seen"
RESPONSE = "The Basic plan costs 5 EUR. It includes parking."
CLAIMS = {
    "claims": [
        {"quote": "The Basic plan costs 5 EUR.", "claim": "The Basic plan costs 5 EUR."},
        {"quote": "It includes parking.", "claim": "The Basic plan includes parking."},
    ]
}


GOOD = say(json.dumps(CLAIMS))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with llm_server() as running:
        yield running


def extractor(server: LLMServer, *, timeout: float = 20.0) -> LLMExtractor:
    chat = OpenAIChat("m", base_url=server.openai_url, timeout=timeout)
    patience = Patience(timeout=timeout)
    return LLMExtractor(PatientChat(chat, patience=patience, sleep=lambda seconds: None))


def test_the_client_asks_for_the_schema_and_its_reply_becomes_claims(server: LLMServer) -> None:
    server.answers = [GOOD]
    found = extractor(server)(RESPONSE)
    assert [claim.hypothesis for claim in found.claims] == [item["claim"] for item in CLAIMS["claims"]]
    assert found.notes == ()
    (request,) = server.requests
    assert request.schema == REPLY_SCHEMA
    assert request.body["response_format"]["json_schema"]["strict"] is True
    assert RESPONSE in request.text
    assert RESPONSE not in request.instructions
    assert request.key == KEY


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([status(429), status(500), GOOD], 3),
        ([status(503, body=b"<html>busy</html>"), GOOD], 2),
        ([broken(), GOOD], 2),
        ([say("Here you are: none."), GOOD], 2),
        ([say(""), say(None), GOOD], 3),
        ([broken(b'{"choices": []}'), GOOD], 2),
    ],
)
def test_a_passing_fault_is_survived(server: LLMServer, answers: list[Answer], asked: int) -> None:
    server.answers = answers
    found = extractor(server)(RESPONSE)
    assert found.notes == ()
    assert len(found.claims) == 2
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("answer", "asked", "reason"),
    [
        (status(429), 3, "status 429"),
        (status(500), 3, "status 500"),
        (status(401, body=b'{"error": {"message": "bad key sk-never-to-be-seen"}}'), 1, "status 401"),
        (status(404), 1, "status 404"),
        (status(400, body=b'{"error": {"message": "no response_format here"}}'), 1, "status 400"),
        (broken(b""), 3, ""),
        (broken(), 3, ""),
        (say("Sorry, but no."), 3, "not the JSON"),
        (say(""), 3, "not the JSON"),
        (say(None, refusal="I will not."), 1, "refused"),
        (say('{"claims": [', finish="length"), 1, "cut off"),
        (say(None, finish="content_filter"), 1, "refused"),
        (silence(), 3, "no answer in 0.2 s"),
    ],
)
def test_a_lasting_fault_leaves_the_rules_with_a_note(
    server: LLMServer,
    answer: Answer,
    asked: int,
    reason: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.answers = [answer]
    with caplog.at_level(logging.DEBUG):
        found = extractor(server, timeout=0.2 if answer == silence() else 20.0)(RESPONSE)
    assert found.claims == extract_claims(RESPONSE).claims
    assert len(found.notes) == 1
    assert reason in found.notes[0]
    assert len(server.requests) == asked
    assert KEY not in found.notes[0]
    assert KEY not in caplog.text


def test_a_server_that_is_not_there_leaves_the_rules_with_a_note() -> None:
    chat = OpenAIChat("m", base_url="http://127.0.0.1:9/v1", timeout=2.0)
    found = LLMExtractor(chat)(RESPONSE)
    assert found.claims
    assert "cannot be reached" in found.notes[0]


def test_the_configuration_wires_the_model_into_the_scorer_and_the_report_says_when_it_failed(
    server: LLMServer,
) -> None:
    server.answers = [GOOD, status(401)]
    overrides = {
        "claims.decomposer": "llm",
        "claims.model": "m",
        "claims.base_url": server.openai_url,
        "signals": {"nli": False, "entity": False, "negation": False},
        "backend": {"type": "bm25"},
    }
    settings = load(overrides=overrides, environ={}).settings
    store = temporary_store(settings)
    store.add("plans.md", "The Basic plan costs 5 EUR and includes parking.")
    scorer = build_scorer(settings, store)
    good, failed = scorer.verify(RESPONSE), scorer.verify(RESPONSE)
    assert [claim.hypothesis for claim in good.claims] == [item["claim"] for item in CLAIMS["claims"]]
    assert not any("language model" in note for note in good.notes)
    assert any("status 401" in note for note in failed.notes)
    assert KEY not in str(good.config)
    assert good.config["llm"].keys() == {"provider", "model", "base_url"}


def test_without_a_table_the_rules_take_responses_apart() -> None:
    assert build_extractor(load(environ={}).settings) is extract_claims


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"claims.decomposer": "llm"}, "needs a model"),
        ({"claims.decomposer": "oracle"}, "claims.decomposer"),
        ({"claims.base_url": "https://user:secret@host/v1"}, "without user, password and query"),
        ({"claims.base_url": "host:8000"}, "expected http"),
        ({"claims.timeout": 0}, "claims.timeout"),
        ({"claims.retries": 3}, "known: base_url, decomposer, disable, model, timeout"),
        ({"llm.base_url": "https://host/v1?key=secret"}, "without user, password and query"),
        ({"llm.key_env": "sk-secret"}, "name of an environment variable"),
        ({"llm.provider": "oracle"}, "llm.provider"),
        ({"llm.provider": "scripted"}, "go together"),
        ({"llm.price_per_million_input": 3}, "go together"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as raised:
        load(overrides=overrides, environ={})
    assert "secret" not in str(raised.value)


def test_the_llm_table_serves_where_the_claims_table_says_nothing(server: LLMServer) -> None:
    server.answers = [GOOD]
    overrides = {
        "claims.decomposer": "llm",
        "llm": {"model": "m", "base_url": server.openai_url, "send_temperature": False},
    }
    assert build_extractor(load(overrides=overrides, environ={}).settings)(RESPONSE).notes == ()
    assert server.requests[0].temperature is None


def test_the_table_builds_each_provider_with_its_patience_budget_and_prices(
    server: LLMServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server.answers = [say("Yes.")]
    monkeypatch.setenv("MY_KEY", "sk-mine")
    table = LLMSettings(
        provider="anthropic",
        model="m",
        base_url=server.anthropic_url,
        key_env="MY_KEY",
        price_per_million_input=1_000_000,
        price_per_million_output=2_000_000,
    )
    chat = build_chat(table)
    assert chat.complete(ChatRequest("Answer.", "?")).cost == 11 + 2 * 7
    assert chat.usage.cost == 25
    assert server.requests[0].key == "sk-mine"
    (tmp_path / "script.jsonl").write_text('"Yes."\n{"rating": 3}\n')
    scripted = build_chat(LLMSettings(provider="scripted", script=str(tmp_path / "script.jsonl")))
    assert [scripted.complete(ChatRequest("", "")).text for _ in range(2)] == ["Yes.", '{"rating": 3}']
    with pytest.raises(ConfigError, match=r"set model under \[llm\]"):
        build_chat(LLMSettings())
    hurried = build_chat(table.chosen(requests_per_minute=1))
    hurried.patience = Patience(longest_pause=0)
    hurried.complete(ChatRequest("Answer.", "?"))
    with pytest.raises(LLMUnavailable, match="budget"):
        hurried.complete(ChatRequest("Answer.", "?"))
