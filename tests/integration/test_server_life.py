"""A real server's end, orderly and not; what it tells of errors inside; spans."""

import json
import logging
import signal
import threading
import time

import httpx
import pytest

from tests.support.server import serving
from verifier.config import load
from verifier.core.errors import ConfigError, KnowledgeBaseNotFound, StateUnavailable

REFUNDS = "Refunds are paid within 14 days of the return. The handling fee is 5 EUR."


# Ends


def test_an_orderly_end_finishes_what_was_accepted(tmp_path):
    long = " ".join(f"Item {n} is refunded within {n % 40} days of the return." for n in range(400))
    answers = []
    settings = {"server.workers": 1, "server.max_batch": 1, "server.large_chars": 1_000_000}
    with serving(tmp_path, settings, documents={"default": {"refunds.md": REFUNDS}}) as server:

        def ask(response):
            with server.client() as client:
                answers.append(client.post("/v1/verify", json={"response": response}))

        responses = [long, *(f"Item {n} costs {n} EUR." for n in range(5))]
        threads = [threading.Thread(target=ask, args=(response,)) for response in responses]
        with server.client() as client:
            threads[0].start()
            until = time.monotonic() + 60
            while server_says(client, "verifier_running") < 1:
                assert time.monotonic() < until
            for thread in threads[1:]:
                thread.start()
            while server_says(client, "verifier_waiting") < 5:
                assert time.monotonic() < until
                assert not answers, "the first was to be at work until the others stand in line"
        server.stop(signal.SIGTERM)
        for thread in threads:
            thread.join(60)
    assert [answer.status_code for answer in answers] == [200] * 6
    assert all(answer.json()["coverage"] == 1.0 for answer in answers)


def server_says(client, name):
    """A gauge of the line of checks."""
    lines = client.get("/metrics").text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f'{name}{{line="checks"}}'))


def test_a_killed_server_has_lost_nothing_that_it_acknowledged(tmp_path):
    acknowledged, lock = {}, threading.Lock()

    def upload(server, worker):
        with server.client() as client:
            for n in range(1000):
                name = f"w{worker}-{n}.md"
                text = f"Item {worker} of batch {n} costs {worker * 1000 + n} EUR. " * 20
                try:
                    if n % 3:
                        answer = client.post("/v1/documents", json={"source": name, "text": text})
                    else:
                        answer = client.post("/v1/documents/upload", files={"file": (name, text.encode())})
                except httpx.TransportError:
                    return
                if answer.status_code == 201:
                    with lock:
                        acknowledged[answer.json()["documents"][0]["doc_id"]] = name

    for _ in range(2):
        with serving(tmp_path) as server:
            before = len(acknowledged)
            threads = [threading.Thread(target=upload, args=(server, n + before)) for n in range(4)]
            for thread in threads:
                thread.start()
            until = time.monotonic() + 90
            while len(acknowledged) < before + 15:
                assert time.monotonic() < until
                time.sleep(0.01)
            server.stop(signal.SIGKILL)
            for thread in threads:
                thread.join(60)
    with serving(tmp_path) as server, server.client() as client:
        listed = client.get("/v1/documents", params={"limit": 1000}).json()
        found = {one["doc_id"] for one in listed["documents"]}
        assert set(acknowledged) <= found
        for doc_id, name in list(acknowledged.items())[:10]:
            text = client.get(f"/v1/documents/{doc_id}").json()["text"]
            hits = client.post("/v1/search", json={"query": text[:40], "top_k": 100}).json()["results"]
            assert name in {hit["source"] for hit in hits}


# Starts


def app(tmp_path, **settings):
    from verifier.interfaces.server.app import create_app

    given = {"signals.nli": False, "backend.type": "bm25", "kb.path": str(tmp_path / "kb")}
    configured = load(overrides=given | {key.replace("__", "."): value for key, value in settings.items()})
    return create_app(configured.settings, create=settings.get("server__host") is None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7"])
def test_an_address_that_others_reach_needs_keys(tmp_path, host):
    with pytest.raises(ConfigError, match="needs keys"):
        app(tmp_path, server__host=host)


def test_keys_that_cannot_be_read_stop_the_start(tmp_path):
    (tmp_path / "keys.json").write_text("{}")
    with pytest.raises(ConfigError, match="no file of API keys"):
        app(tmp_path, server__keys=str(tmp_path / "keys.json"))


def test_a_server_without_a_knowledge_base_does_not_start(tmp_path):
    with pytest.raises(KnowledgeBaseNotFound):
        app(tmp_path, server__host="localhost")


def test_a_shared_state_that_cannot_be_reached_stops_the_start(tmp_path):
    with pytest.raises(StateUnavailable, match="cannot be reached or refuses"):
        app(tmp_path, server__state="redis://127.0.0.1:1/0")


# Inside: the application in this process, since an error in it can only be made there


@pytest.fixture
def lines(monkeypatch):
    """What the server would write to stderr, as text."""
    from verifier.interfaces.server import logs

    kept = []

    class Kept(logging.Handler):
        def emit(self, record):
            kept.append(logs._Lines().format(record))

    handler = Kept()
    log = logging.getLogger("verifier")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield kept
    log.removeHandler(handler)
    log.setLevel(level)


def asked(application, method, path, **options):
    import asyncio

    async def once():
        transport = httpx.ASGITransport(application, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(once())


def broken(application, monkeypatch, error):
    """The application's engine, whose checks raise this."""
    from verifier.interfaces.server.engine import Engine

    def fail(*args, **more):
        raise error

    monkeypatch.setattr(Engine, "known", fail)
    return application


def test_an_error_inside_is_told_by_its_number_alone_and_the_log_quotes_nobody(tmp_path, monkeypatch, lines):
    secret = "Zanzibar-Quokka"
    inner = ValueError(f"cannot read {secret!r}")
    error = RuntimeError(f"/srv/kb/{secret}: no such thing")
    error.__cause__ = inner
    application = broken(app(tmp_path), monkeypatch, error)
    answer = asked(application, "POST", "/v1/verify", json={"response": secret})
    assert answer.status_code == 500
    told = answer.json()["error"]
    assert told["code"] == "internal"
    assert secret not in answer.text
    assert "/srv" not in answer.text
    [failure] = [json.loads(line) for line in lines if '"failed"' in line]
    assert failure["request_id"] == told["request_id"]
    assert "builtins.RuntimeError" in failure["trace"]
    assert "builtins.ValueError" in failure["trace"]
    assert secret not in "\n".join(lines)


def test_what_the_configuration_lacks_is_told_to_the_operator_and_not_to_the_client(
    tmp_path, monkeypatch, lines
):
    application = broken(app(tmp_path), monkeypatch, ConfigError("no chat model is named"))
    answer = asked(application, "POST", "/v1/verify", json={"response": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (501, "not_configured")
    assert "llm" not in answer.text
    assert any("no chat model is named" in line for line in lines)


def test_a_signal_that_fails_is_an_error_of_the_claim_and_its_words_stay_inside(tmp_path, monkeypatch, lines):
    from verifier_signals.number import NumberSignal

    def fail(self, pairs):
        raise KeyError("/srv/models/secret")

    monkeypatch.setattr(NumberSignal, "score", fail)
    body = {"response": "The fee is 5 EUR.", "source": ["The fee is 5 EUR."]}
    report = asked(app(tmp_path), "POST", "/v1/verify", json=body)
    assert report.json()["decision"] == "rejected"
    assert report.json()["claims"][0]["status"] == "error"
    assert "secret" not in report.text
    assert any("signal 'number' failed" in line for line in lines)
    assert not any("secret" in line for line in lines)


def test_spans_of_requests_go_to_the_programs_own_exporter_and_hold_no_text(tmp_path):
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    application = app(tmp_path, server__telemetry=True)
    asked(application, "POST", "/v1/verify", json={"response": "Zanzibar.", "source": ["Quokka."]})
    asked(application, "GET", "/v1/documents/zanzibar")
    first, second = exporter.get_finished_spans()
    assert (first.name, second.name) == ("POST /v1/verify", "GET /v1/documents/{doc_id}")
    assert first.attributes["http.response.status_code"] == 200
    assert second.attributes["http.response.status_code"] == 404
    assert "anzibar" not in first.to_json() + second.to_json()


def test_pages_may_call_from_the_origins_that_are_named_and_from_no_others(tmp_path):
    application = app(tmp_path, server__cors_origins=["https://pages.example"])
    body = {"response": "The fee is 5 EUR.", "source": ["The fee is 5 EUR."]}
    for origin, status in (("https://pages.example", 200), ("https://other.example", 403)):
        answer = asked(application, "POST", "/v1/verify", json=body, headers={"Origin": origin})
        assert answer.status_code == status
        assert (answer.headers.get("access-control-allow-origin") == origin) is (status == 200)


def test_without_being_asked_for_no_span_is_made(tmp_path):
    application = app(tmp_path)
    assert application._tracer is None


def test_a_batch_waits_for_no_more_than_the_time_of_one_request(tmp_path):
    application = app(tmp_path, server__request_seconds=0.001)
    items = [{"response": "The fee is 5 EUR.", "source": ["The fee is 5 EUR. " * 200]} for _ in range(3)]
    answer = asked(application, "POST", "/v1/verify/batch", json={"items": items})
    assert {item["error"]["code"] for item in answer.json()["results"]} == {"timeout"}
    answer = asked(application, "POST", "/v1/verify", json=items[0])
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "timeout")
