"""A server whose claims are read by a chat model: a real process, the vendor's client, a local server for the model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.llm_server import LLMServer, Request, llm_server, status
from tests.support.reader_faults import DESKS, LIBRARY, SOURCE, honest
from tests.support.reading_model import asked_of
from tests.support.server import Server, serving
from verifier.core.chat import ChatRequest


@pytest.fixture
def model() -> Iterator[LLMServer]:
    with llm_server() as running:
        running.answers = honest
        yield running


@pytest.fixture
def server(model: LLMServer, tmp_path: Path) -> Iterator[Server]:
    settings = {
        "reader.type": "chat",
        "reader.read": "all",
        "llm.model": "m-1",
        "llm.base_url": model.openai_url,
        "llm.max_retries": 0,
        "server.workers": 1,
    }
    with serving(tmp_path, settings, documents={"default": {"library.md": SOURCE}}) as running:
        yield running


def test_a_report_over_http_carries_what_the_reader_quotes(server: Server, model: LLMServer) -> None:
    assert model.requests == []  # getting ready asks nobody
    with server.client() as client:
        report = client.post("/v1/verify", json={"response": f"{LIBRARY} The library opens at 8."}).json()
        again = client.post("/v1/verify", json={"response": f"{LIBRARY} The library opens at 8."}).json()
    assert [claim["verdict"] for claim in report["claims"]] == ["supported", "contradicted"]
    assert report["claims"][0]["reader"]["quotations"][0]["text"] == LIBRARY.rstrip(".")
    assert (report["reader"]["read"], report["reader"]["calls"]) == (2, 1)
    assert again == report
    assert len(model.requests) == 1


def test_claims_of_requests_that_wait_together_share_questions(server: Server, model: LLMServer) -> None:
    busy, go_on = threading.Event(), threading.Event()

    def slow(request: Request) -> object:
        busy.set()
        go_on.wait(30)
        return honest(request)

    model.answers = slow
    with server.client() as client, ThreadPoolExecutor(4) as pool:

        def check(text: str) -> str:
            return str(client.post("/v1/verify", json={"response": text}).json()["claims"][0]["verdict"])

        first = pool.submit(check, LIBRARY)
        assert busy.wait(30)
        waiting = [
            pool.submit(check, text) for text in (DESKS, "The library opens at 8.", "The fee is 5 EUR.")
        ]
        threading.Event().wait(0.5)
        go_on.set()
        assert first.result() == "supported"
        assert [one.result() for one in waiting][:2] == ["supported", "contradicted"]
    asked = [asked_of(ChatRequest(request.instructions, request.text))[1] for request in model.requests]
    assert len(asked) < 4
    assert sum(map(len, asked)) == 4


def test_a_model_that_is_down_is_an_error_of_the_claims_and_not_of_the_server(
    server: Server, model: LLMServer
) -> None:
    model.answers = (status(500),)
    with server.client() as client:
        answer = client.post("/v1/verify", json={"response": LIBRARY})
        assert answer.status_code == 200
        report = answer.json()
        model.answers = honest
        later = client.post("/v1/verify", json={"response": LIBRARY}).json()
    assert report["decision"] == "rejected"
    assert report["claims"][0]["status"] == "error"
    assert "127.0.0.1" not in answer.text  # where the model is is nobody's business
    assert len(model.requests) == 2  # once in vain, and not once more alone
    assert later["claims"][0]["verdict"] == "supported"
