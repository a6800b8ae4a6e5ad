"""Checking while somebody watches, by a real server: claims first, each verdict as it comes, the report last."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.server import serving
from verifier.interfaces.server.routes.events import EventStream, event_line

REFUNDS = "Refunds are paid within 14 days of the return. The handling fee is 5 EUR."
ANSWER = "Refunds are paid within 60 days of the return. The handling fee is 5 EUR. Hello!"
MANY = " ".join(f"Item {n} is refunded within {n % 50} days of the return." for n in range(1_000))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = {
        "server.max_body": 200_000,
        "server.quick_seconds": 0.05,
        "server.large_chars": 100_000,
    }
    with serving(
        tmp_path_factory.mktemp("watching"), settings, documents={"default": {"refunds.md": REFUNDS}}
    ) as running:
        yield running


@pytest.fixture
def client(server):
    with server.client() as made:
        yield made


def events(text):
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def watch(client, **body):
    answer = client.post("/v1/verify/stream", json=body)
    assert answer.headers["content-type"].startswith("text/event-stream"), answer.text
    return events(answer.text)


def test_the_claims_come_first_then_each_verdict_then_the_report_of_verify(client):
    first, *claims, last = watch(client, response=ANSWER)
    assert [event["event"] for event in (first, *claims, last)] == ["claims", "claim", "claim", "report"]
    report = client.post("/v1/verify", json={"response": ANSWER}).json()
    assert last["report"] == report
    checked = [claim for claim in report["claims"] if claim["status"] == "checked"]
    assert [event["claim"] for event in sorted(claims, key=lambda event: event["number"])] == checked
    assert [ANSWER[claim["start"] : claim["end"]] for claim in first["claims"]] == [
        claim["text"] for claim in checked
    ]


def test_sources_that_come_with_the_request_are_named_and_paged_in_its_evidence(client):
    text = "Opening hours are 9 to 5. The handling fee is 9 EUR."
    source = {"source": "fees.pdf", "text": text, "pages": [{"number": 7, "start": 0, "end": len(text)}]}
    *_, last = watch(client, response="The handling fee is 9 EUR.", source=[source, "Unrelated words."])
    [claim] = last["report"]["claims"]
    evidence = claim["evidence"][0]
    assert (claim["verdict"], evidence["source"], evidence["page"]) == ("supported", "fees.pdf", 7)


def test_checks_that_prove_dear_while_others_wait_are_begun_anew_and_tell_nothing_twice(server):
    response = " ".join(f"Item {n} is refunded within {n} days of the return." for n in range(24))

    def numbers(_):
        with server.client() as client:
            return [
                event["number"] for event in watch(client, response=response) if event["event"] == "claim"
            ]

    with ThreadPoolExecutor(4) as several:
        assert all(sorted(told) == list(range(24)) for told in several.map(numbers, range(4)))


def test_what_cannot_begin_is_an_answer_with_its_status(client):
    for body, status, code in (
        ({"response": "x y z.", "namespace": "nowhere"}, 404, "unknown_namespace"),
        ({"response": " "}, 422, "invalid"),
        (
            {"response": "x", "source": [{"text": "y", "pages": [{"number": 1, "start": 0, "end": 5}]}]},
            422,
            "invalid",
        ),
        ({"response": "x" * 250_000}, 413, "too_large"),
    ):
        answer = client.post("/v1/verify/stream", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_what_goes_wrong_under_way_is_the_last_event():
    """The same parts without a server, since a check that takes too long takes long to test."""
    sent = []

    async def lines():
        yield event_line({"event": "claims", "claims": []})
        raise TimeoutError

    async def send(message):
        sent.append(message)

    async def run():
        answer = await EventStream.begun(lines(), "some-id")
        await answer({"type": "http", "state": {}}, None, send)

    asyncio.run(run())
    assert sent[0]["status"] == 200
    assert not sent[-1]["more_body"]
    first, last = events(b"".join(message.get("body", b"") for message in sent).decode())
    assert (first["event"], last["event"], last["code"]) == ("claims", "error", "timeout")


def test_who_leaves_ends_the_check(server, client):
    with client.stream(
        "POST", "/v1/verify/stream", json={"response": MANY}, headers={"X-Request-Id": "watcher-left"}
    ) as answer:
        for line in answer.iter_lines():
            if line == "event: claim":
                break
    assert server.record_of("watcher-left")["error"] == "client_gone"
    until = time.monotonic() + 60
    while True:
        gauges = client.get("/metrics").text
        if all(f'verifier_running{{line="{line}"}} 0.0' in gauges for line in ("tasks", "large")):
            return
        assert time.monotonic() < until
        time.sleep(0.02)


def test_what_the_page_shows_comes_with_the_events_and_has_what_stands_around_evidence(client):
    first, *claims, last = watch(client, response=ANSWER, view=True, name="draft.md")
    assert first["view"]["draft"]["name"] == "draft.md"
    assert first["view"]["checked_against"] == "1 document in default"
    assert [event["view"] for event in claims] == last["view"]["claims"]
    [found] = [one for one in last["view"]["claims"] if one["label"] == "contradicted"]
    assert found["evidence"][0]["after"].strip() == "The handling fee is 5 EUR."
    assert all("claim" not in event for event in claims)
    source = {"source": "fees.md", "text": "Hello there.\n\nThe handling fee is 5 EUR."}
    *_, last = watch(client, response=ANSWER, view=True, source=[source])
    [supported] = [one for one in last["view"]["claims"] if one["label"] == "supported"]
    assert (last["view"]["checked_against"], supported["evidence"][0]["lines"]) == ("fees.md", [1, 3])
