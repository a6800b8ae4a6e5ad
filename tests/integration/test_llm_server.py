"""The decomposer over the real ``openai`` client and a local server: good replies, and every fault there may be."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from verifier.config import load
from verifier.core.chat import ChatRequest, OpenAIChat, Patience, PatientChat
from verifier.core.errors import ConfigError, LLMRejected
from verifier.factory import build_extractor, build_scorer, temporary_store
from verifier.verification.claims import extract_claims
from verifier.verification.claims.llm import REPLY_SCHEMA, LLMExtractor

pytest.importorskip("openai")

KEY = "sk-never-to-be-seen"
ASKED = ChatRequest("Do.", "Text.")
RESPONSE = "The Basic plan costs 5 EUR. It includes parking."
CLAIMS = {
    "claims": [
        {"quote": "The Basic plan costs 5 EUR.", "claim": "The Basic plan costs 5 EUR."},
        {"quote": "It includes parking.", "claim": "The Basic plan includes parking."},
    ]
}


def completion(content: str | None, *, finish: str = "stop", refusal: str | None = None) -> bytes:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "finish_reason": finish, "message": message}
    return json.dumps(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    ).encode()


GOOD = completion(json.dumps(CLAIMS))


class Server(ThreadingHTTPServer):
    """Gives each request the next of ``answers``: a status and a body, ``None`` for silence."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[tuple[int, bytes] | None] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.released = threading.Event()


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(json.loads(body))
        self.server.keys.append(self.headers["Authorization"])
        answer = self.server.answers[min(len(self.server.requests), len(self.server.answers)) - 1]
        if answer is None:
            self.server.released.wait(30)
            return
        status, content = answer
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.released.set()
        running.shutdown()
        thread.join()


def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/v1"


def extractor(server: Server, *, timeout: float = 20.0) -> LLMExtractor:
    chat = OpenAIChat("m", base_url=url(server), timeout=timeout)
    patience = Patience(timeout=timeout)
    return LLMExtractor(PatientChat(chat, patience=patience, sleep=lambda seconds: None))


def test_the_client_asks_for_the_schema_and_its_reply_becomes_claims(server: Server) -> None:
    server.answers = [(200, GOOD)]
    found = extractor(server)(RESPONSE)
    assert [claim.hypothesis for claim in found.claims] == [item["claim"] for item in CLAIMS["claims"]]
    assert found.notes == ()
    request = server.requests[0]
    assert request["response_format"]["json_schema"]["schema"] == REPLY_SCHEMA
    assert request["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert RESPONSE in request["messages"][1]["content"]
    assert RESPONSE not in request["messages"][0]["content"]
    assert server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([(429, b"{}"), (500, b"{}"), (200, GOOD)], 3),
        ([(503, b"<html>busy</html>"), (200, GOOD)], 2),
        ([(200, b"{broken"), (200, GOOD)], 2),
        ([(200, completion("Here you are: none.")), (200, GOOD)], 2),
        ([(200, completion("")), (200, completion(None)), (200, GOOD)], 3),
        ([(200, b'{"choices": []}'), (200, GOOD)], 2),
    ],
)
def test_a_passing_fault_is_survived(
    server: Server, answers: list[tuple[int, bytes] | None], asked: int
) -> None:
    server.answers = answers
    found = extractor(server)(RESPONSE)
    assert found.notes == ()
    assert len(found.claims) == 2
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    ("answer", "asked", "reason"),
    [
        ((429, b"{}"), 3, "status 429"),
        ((500, b"{}"), 3, "status 500"),
        ((401, b'{"error": {"message": "bad key sk-never-to-be-seen"}}'), 1, "status 401"),
        ((404, b"{}"), 1, "status 404"),
        ((400, b'{"error": {"message": "no response_format here"}}'), 1, "status 400"),
        ((200, b""), 3, ""),
        ((200, b"{broken"), 3, ""),
        ((200, completion("Sorry, but no.")), 3, "not the JSON"),
        ((200, completion("")), 3, "not the JSON"),
        ((200, completion(None, refusal="I will not.")), 1, "refused"),
        ((200, completion('{"claims": [', finish="length")), 1, "cut off"),
        ((200, completion(None, finish="content_filter")), 1, "refused"),
        (None, 3, "no answer in 0.2 s"),
    ],
)
def test_a_lasting_fault_leaves_the_rules_with_a_note(
    server: Server,
    answer: tuple[int, bytes] | None,
    asked: int,
    reason: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.answers = [answer]
    with caplog.at_level(logging.DEBUG):
        found = extractor(server, timeout=0.2 if answer is None else 20.0)(RESPONSE)
    assert found.claims == extract_claims(RESPONSE).claims
    assert len(found.notes) == 1
    assert reason in found.notes[0]
    assert len(server.requests) == asked
    assert KEY not in found.notes[0]
    assert KEY not in caplog.text


def test_a_server_that_is_not_there_leaves_the_rules_with_a_note(server: Server) -> None:
    chat = OpenAIChat("m", base_url="http://127.0.0.1:9/v1", timeout=2.0)
    found = LLMExtractor(chat)(RESPONSE)
    assert found.claims
    assert "cannot be reached" in found.notes[0]


def test_a_client_of_ones_own_is_used(server: Server) -> None:
    import openai

    server.answers = [(200, GOOD)]
    with openai.OpenAI(api_key="other", base_url=url(server), max_retries=0) as client:
        assert OpenAIChat("m", client=client).complete(ASKED).text == json.dumps(CLAIMS)
    assert server.keys == ["Bearer other"]
    assert "response_format" not in server.requests[0]


def test_no_key_is_needed_for_a_server_of_ones_own(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.answers = [(200, GOOD)]
    assert extractor(server)(RESPONSE).notes == ()
    with pytest.raises(LLMRejected, match="OPENAI_API_KEY"):
        OpenAIChat("m").complete(ASKED)


def test_the_configuration_wires_the_model_into_the_scorer_and_the_report_says_when_it_failed(
    server: Server,
) -> None:
    server.answers = [(200, GOOD), (401, b"{}")]
    overrides = {
        "claims.decomposer": "llm",
        "claims.model": "m",
        "claims.base_url": url(server),
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
        ({"claims.retries": 3}, "known: base_url, decomposer, model, timeout"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(overrides: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load(overrides=overrides, environ={})
