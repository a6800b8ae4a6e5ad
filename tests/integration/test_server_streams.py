"""Streams of a real server, as server-sent events and over WebSockets; slow senders; rates."""

import asyncio
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from tests.support.server import serving

GOOD = "Refunds are paid within 14 days of the return. "
BAD = "Refunds are paid within 60 days of the return. "
ANSWER = f"{BAD}The handling fee is 5 EUR. Hello!"
MANY = " ".join(f"Item {n} is refunded within {n % 50} days of the return." for n in range(1_000))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    settings = {
        "server.streams": 2,
        "server.stream_idle_seconds": 2.0,
        "server.body_seconds": 2.0,
        "server.workers": 1,
        "server.quick_seconds": 0.05,
    }
    texts = {"default": {"refunds.md": GOOD + "The handling fee is 5 EUR."}}
    with serving(tmp_path_factory.mktemp("streams"), settings, documents=texts) as running:
        yield running


@pytest.fixture
def client(server):
    with server.client() as made:
        yield made


def events(text):
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def joined(server, **options):
    return connect(f"{server.url.replace('http', 'ws')}/v1/stream", **options)


def talk(server, *messages, start=None):
    """All that comes back when a WebSocket says this."""
    with joined(server) as one:
        one.send(json.dumps(start or {}))
        for message in messages:
            one.send(message if isinstance(message, bytes | str) else json.dumps(message))
        return [json.loads(said) for said in one]


def test_sentences_are_released_and_a_bad_one_halts_the_events(client):
    answer = client.post("/v1/stream", content=(GOOD + BAD + GOOD).encode())
    assert answer.headers["content-type"].startswith("text/event-stream")
    *released, halt = events(answer.text)
    assert "".join(event["text"] for event in released).strip() == GOOD.strip()
    assert halt["event"] == "halt"
    assert "60 days" in halt["text"]
    assert halt["claims"][0]["evidence"]


def test_a_hidden_sentence_halts_the_events(client):
    content = f"{GOOD}<!-- {BAD.strip()} -->\n\n{GOOD}"
    *released, halt = events(client.post("/v1/stream", content=content.encode()).text)
    assert "".join(event["text"] for event in released) == GOOD
    assert (halt["event"], halt["kind"], halt["claims"]) == ("halt", "hidden", [])
    assert "in a comment" in halt["reason"]


def test_a_good_stream_ends_with_all_of_it_released(client):
    *released, end = events(client.post("/v1/stream", content=GOOD.encode()).text)
    assert end["event"] == "end"
    assert "".join(event["text"] for event in released) == GOOD


def test_a_body_that_comes_in_pieces_is_read_to_its_end(client):
    def pieces():
        for char in GOOD * 3:
            yield char.encode()

    *released, end = events(client.post("/v1/stream", content=pieces()).text)
    assert end["event"] == "end"
    assert "".join(event["text"] for event in released) == GOOD * 3


def test_events_come_while_the_body_still_does(server):
    async def both():
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(
            f"POST /v1/stream HTTP/1.1\r\nHost: {host}:{port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        piece = (GOOD + "The handling").encode()
        writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        await writer.drain()
        seen = b""
        while b"released" not in seen:
            seen += await asyncio.wait_for(reader.read(4096), 60)
        for piece in (b" fee is 5", b" EUR. "):
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
            await asyncio.sleep(0.05)
        writer.write(b"0\r\n\r\n")
        while b"event: end" not in seen and b"event: halt" not in seen:
            more = await asyncio.wait_for(reader.read(4096), 60)
            assert more, seen
            seen += more
        writer.close()
        return seen.decode()

    found = events("\n".join(line for line in asyncio.run(both()).splitlines() if line.startswith("data: ")))
    assert [event["event"] for event in found][-1] == "end"
    assert "5 EUR" in "".join(event.get("text", "") for event in found)


def test_a_stream_that_is_no_text_is_refused(client):
    for content in (b"\xff\xfe", b"NUL \x00."):
        answer = client.post("/v1/stream", content=content)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "invalid"
    assert client.post("/v1/stream", params={"namespace": "nowhere"}, content=b"x").status_code == 404


def test_a_websocket_releases_and_halts(server):
    *released, halt = talk(server, {"token": GOOD}, {"token": BAD}, {"token": GOOD}, {"end": True})
    assert "".join(event["text"] for event in released).strip() == GOOD.strip()
    assert halt["event"] == "halt"
    *_, end = talk(server, *({"token": char} for char in GOOD), {"end": True})
    assert end == {"event": "end", "characters": len(GOOD)}


@pytest.mark.parametrize(
    ("messages", "code"),
    [
        (["no json"], "malformed"),
        ([b"bytes"], "malformed"),
        (["[" * 100_000], "malformed"),
        ([[1]], "invalid"),
        ([{"token": 5}], "invalid"),
        ([{}], "invalid"),
        (['{"token": "\\ud800"}'], "invalid"),
        (['{"token": "\\u0000"}'], "invalid"),
    ],
)
def test_a_bad_message_closes_a_websocket_with_the_reason(server, messages, code):
    with pytest.raises(ConnectionClosedError) as closed:
        talk(server, *messages)
    assert closed.value.rcvd.code == 1008
    with joined(server) as one:
        one.send("{}")
        one.send(messages[0] if isinstance(messages[0], bytes | str) else json.dumps(messages[0]))
        assert json.loads(one.recv())["code"] == code


@pytest.mark.parametrize("start", [{"prompt": 5}, {"other": 1}, {"namespace": "nowhere"}, {"prompt": "\x00"}])
def test_a_bad_start_closes_a_websocket_with_the_reason(server, start):
    with joined(server) as one:
        one.send(json.dumps(start))
        assert json.loads(one.recv())["event"] == "error"


def test_no_web_page_of_another_origin_opens_a_websocket(server):
    with pytest.raises(InvalidStatus) as refused:
        joined(server, origin="https://example.org").close()
    assert refused.value.response.status_code == 403


def test_a_stream_that_brings_nothing_is_ended_and_frees_its_place(server):
    with joined(server) as one, joined(server) as two:
        for each in (one, two):
            each.send("{}")
            each.send(json.dumps({"token": "Refunds "}))
        until = time.monotonic() + 60
        with server.client() as client:
            while client.post("/v1/stream", content=GOOD.encode()).status_code != 503:
                assert time.monotonic() < until
        assert json.loads(one.recv(timeout=60))["code"] == "too_slow"
        assert json.loads(two.recv(timeout=60))["code"] == "too_slow"
    with server.client() as client:
        assert client.post("/v1/stream", content=GOOD.encode()).status_code == 200


def test_a_client_that_leaves_frees_its_place(server):
    for _ in range(5):
        with joined(server) as one:
            one.send("{}")
            one.send(json.dumps({"token": GOOD}))
    until = time.monotonic() + 60
    with server.client() as client:
        while client.post("/v1/stream", content=GOOD.encode()).status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.05)


# Slow and huge ones


def test_a_body_that_comes_too_slowly_is_given_up_and_starves_nobody(server, client):
    host, port = server.url.removeprefix("http://").split(":")
    slow = []
    for _ in range(30):
        one = socket.create_connection((host, int(port)))
        one.sendall(
            f"POST /v1/verify HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            'Content-Length: 100\r\n\r\n{"resp'.encode()
        )
        slow.append(one)
    assert client.post("/v1/verify", json={"response": "The handling fee is 5 EUR."}).status_code == 200
    for one in slow:
        one.settimeout(60)
        assert b"408" in one.recv(200)
        one.close()


def test_short_responses_pass_a_huge_one(server):
    huge = " ".join(f"Item {n} is paid within {n % 50} days of the return." for n in range(18_000))

    async def both():
        async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
            long = asyncio.ensure_future(client.post("/v1/verify", json={"response": huge}))
            await asyncio.sleep(0.5)
            short = [
                await client.post("/v1/verify", json={"response": "The handling fee is 5 EUR."})
                for _ in range(5)
            ]
            passed = not long.done()
            long.cancel()
            return passed, [answer.status_code for answer in short]

    assert asyncio.run(both()) == (True, [200] * 5)


def test_a_client_that_left_is_in_the_log_and_its_work_is_given_up(server):
    host, port = server.url.removeprefix("http://").split(":")
    huge = " ".join(f"Item {n} is paid within {n % 50} days of the return." for n in range(5_000))
    body = json.dumps({"response": huge}).encode()
    with socket.create_connection((host, int(port)), timeout=60) as one:
        head = f"POST /v1/verify HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        one.sendall(f"{head}X-Request-Id: left\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        time.sleep(0.5)
    line = server.record_of("left")
    assert (line["status"], line["error"]) == (499, "client_gone")
    until = time.monotonic() + 100
    with server.client() as client:
        while 'verifier_running{line="large"} 0.0' not in client.get("/metrics").text:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_bytes_and_requests_are_bounded_and_who_is_refused_is_told_when_to_come_back(tmp_path):
    settings = {
        "server.requests_per_minute": 8,
        "server.max_held": 500_000,
        "server.max_upload": 400_000,
    }
    texts = {"default": {"refunds.md": GOOD}}
    with serving(tmp_path, settings, documents=texts) as server, server.client() as client:
        assert 503 in held_uploads(server, 3)
        assert held_uploads(server, 1) == [422]  # no form: taken in whole, for then there is room again
        answers = [client.get("/v1/documents") for _ in range(8)]
        assert [answer.status_code for answer in answers[:4]] == [200] * 4
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        with pytest.raises(InvalidStatus) as refused:
            joined(server).close()
        assert refused.value.response.status_code == 429
        assert client.get("/healthz").status_code == 200


def held_uploads(server, count):
    """The statuses of as many uploads that are under way together; the last byte of each comes at the end."""
    host, port = server.url.removeprefix("http://").split(":")
    held = []
    for _ in range(count):
        one = socket.create_connection((host, int(port)), timeout=60)
        one.sendall(
            f"POST /v1/documents/upload HTTP/1.1\r\nHost: {host}\r\nContent-Length: 300001\r\n\r\n".encode()
            + b"x" * 300_000
        )
        held.append(one)
    statuses = []
    for one in reversed(held):  # the first was taken in, and waits for its end
        if one is held[0]:
            one.sendall(b"x")
        said = one.recv(4000)
        assert b" 503 " not in said or b"retry-after" in said.lower()
        statuses.append(int(said.split()[1]))
        one.close()
    return statuses


# Checks that are watched


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
        ({"response": "x" * 2_500_000}, 413, "too_large"),
    ):
        answer = client.post("/v1/verify/stream", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


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
