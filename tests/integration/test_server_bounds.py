"""Hostile clients at a real server: expensive texts, idle sockets, half requests, answers that nobody takes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from tests.support.server import Server, serving

REFUNDS = "Refunds are paid within 14 days of the return. The handling fee is 5 EUR."
HEAD = b"POST /v1/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
REQUEST_SECONDS, HEADER_SECONDS, BODY_SECONDS = 2.0, 1.0, 1.5
SLACK = 1.5
"""Seconds beyond a bound on a busy machine."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {
        "server.request_seconds": REQUEST_SECONDS,
        "server.header_seconds": HEADER_SECONDS,
        "server.keep_alive_seconds": HEADER_SECONDS,
        "server.body_seconds": BODY_SECONDS,
        "server.connections": 60,
        "server.max_body": 5_000_000,
        "server.max_query": 9_000,
    }
    documents = {"default": {"refunds.md": REFUNDS}}
    with serving(tmp_path_factory.mktemp("bounds"), settings, documents=documents) as running:
        yield running


def connected(server: Server, sent: bytes = b"") -> socket.socket:
    where = urlsplit(server.url)
    made = socket.create_connection((where.hostname, where.port), timeout=30)
    made.sendall(sent)
    return made


def heard(client: socket.socket) -> bytes:
    """All that the server says until it hangs up."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def trickling(client: socket.socket, *, until: float) -> None:
    """A byte ten times a second, as long as the server takes them."""
    end = time.monotonic() + until
    while time.monotonic() < end:
        try:
            client.sendall(b"x")
        except OSError:
            return
        time.sleep(0.1)


def numbers(count: int, of: int) -> str:
    """A list of figures that the rules compare each with each."""
    return f"The daily counts in {of} were " + ", ".join(str(n * of % 997) for n in range(count)) + "."


def asks(server: Server) -> float:
    """Seconds that an honest request takes."""
    with server.client() as client:
        began = time.monotonic()
        answer = client.post("/v1/verify", json={"response": "Refunds are paid within 60 days."})
        assert answer.status_code == 200, answer.text
        return time.monotonic() - began


def working(server: Server) -> float:
    """Workers that are at work."""
    with server.client() as client:
        lines = client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("verifier_running{"))


def test_dear_requests_end_with_their_time_and_give_their_workers_back(server: Server) -> None:
    def source() -> dict[str, object]:
        text = " ".join(numbers(300, year) for year in range(1990, 2020))
        return {"response": text, "source": [text]}

    def stored() -> dict[str, object]:
        return {"response": " ".join(numbers(60, year) for year in range(1900, 1930))}

    took: list[float] = []

    def hostile(body: dict[str, object]) -> None:
        with server.client() as client:
            began = time.monotonic()
            answer = client.post("/v1/verify", json=body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (504, "timeout")
            took.append(time.monotonic() - began)

    bodies = [source(), source(), source(), *(stored() for _ in range(4))]
    threads = [threading.Thread(target=hostile, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(took) == len(bodies)
    assert max(took) < REQUEST_SECONDS + SLACK
    end = time.monotonic() + SLACK
    while working(server):
        assert time.monotonic() < end, "a worker goes on with what nobody waits for"
    assert asks(server) < 1.0


@pytest.mark.parametrize(
    ("sent", "told"),
    [(b"", b""), (HEAD, b"HTTP/1.1 408 "), (b"GET /healthz", b"HTTP/1.1 408 ")],
    ids=["nothing", "a head without an end", "half a line"],
)
def test_fifty_connections_that_bring_no_request_are_cut(server: Server, sent: bytes, told: bytes) -> None:
    with ExitStack() as stack:
        began = time.monotonic()
        held = [stack.enter_context(connected(server, sent)) for _ in range(50)]
        assert asks(server) < 1.0
        answers = [heard(client) for client in held]
        assert time.monotonic() - began < HEADER_SECONDS + SLACK
        assert all(answer.startswith(told) and bool(answer) == bool(told) for answer in answers)


@pytest.mark.parametrize(
    ("sent", "within"),
    [
        (HEAD + b"X-Slow: ", HEADER_SECONDS),
        (HEAD + b"Content-Length: 1000\r\n\r\n", BODY_SECONDS),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", HEADER_SECONDS),
    ],
    ids=["head", "body", "behind an answer"],
)
def test_bytes_that_trickle_buy_no_time(server: Server, sent: bytes, within: float) -> None:
    with connected(server, sent) as client:
        began = time.monotonic()
        trickle = threading.Thread(target=trickling, args=(client,), kwargs={"until": 20.0})
        trickle.start()
        heard(client)
        assert time.monotonic() - began < 2 * within + SLACK
        trickle.join(30)


def test_a_connection_serves_several_requests(server: Server) -> None:
    with server.client() as client:
        for _ in range(3):
            assert client.get("/healthz").status_code == 200
            time.sleep(0.3 * HEADER_SECONDS)
        time.sleep(2 * HEADER_SECONDS)
        assert client.get("/healthz").status_code == 200


def test_where_there_are_too_many_the_one_that_waits_longest_makes_room(server: Server) -> None:
    with ExitStack() as stack:
        began = time.monotonic()
        held = [stack.enter_context(connected(server)) for _ in range(70)]
        assert asks(server) < 0.8 * HEADER_SECONDS
        assert heard(held[0]) == b""
        assert time.monotonic() - began < HEADER_SECONDS, "it was cut before its time"


def test_an_answer_that_nobody_takes_holds_no_connection(server: Server) -> None:
    text = "The handling fee of this line is 5 EUR. " * 20_000
    with server.client() as client:
        stored = client.post("/v1/documents", json={"source": "long.txt", "text": text, "namespace": "long"})
        name = stored.json()["documents"][0]["doc_id"]
    where = urlsplit(server.url)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.connect((where.hostname, where.port))
        client.settimeout(30)
        head = f"GET /v1/documents/{name}?namespace=long HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.sendall(head.encode() * 12)  # more than the buffers of the system hold
        time.sleep(BODY_SECONDS + SLACK)
        assert 0 < len(heard(client)) < 12 * len(text)


LONG = "fee " * 100_000
TAKEN = {"max_text": 1_000_000, "max_prompt": 100_000, "max_query": 9_000}
"""The last is configured, the others are the defaults."""
DOCUMENT = {"source": "long.txt", "text": "The fee is 5 EUR."}


@pytest.mark.parametrize(
    ("route", "body", "field", "bound"),
    [
        ("search", {"query": LONG}, "query", "max_query"),
        ("documents", {**DOCUMENT, "metadata": {"note": LONG}}, "metadata.note", "max_query"),
        ("documents", {**DOCUMENT, "text": 3 * LONG}, "text", "max_text"),
        ("verify", {"response": 3 * LONG}, "response", "max_text"),
        ("verify", {"response": "5 EUR.", "source": ["5 EUR.", 3 * LONG]}, "source.1.text", "max_text"),
        ("verify", {"response": "5 EUR.", "prompt": LONG}, "prompt", "max_prompt"),
        ("review", {"response": "5 EUR.", "prompt": LONG}, "prompt", "max_prompt"),
        ("confidence", {"response": "5 EUR.", "prompt": LONG}, "prompt", "max_prompt"),
        ("ask", {"prompt": LONG}, "prompt", "max_prompt"),
        ("consistency", {"candidates": ["5 EUR.", 3 * LONG]}, "candidates.1", "max_text"),
        ("consistency", {"candidates": ["5 EUR."], "prompt": LONG}, "prompt", "max_prompt"),
        ("relevance", {"text": "5 EUR.", "context": {"scope": LONG}}, "context.scope", "max_prompt"),
        ("relevance", {"text": "5 EUR.", "context": {"steps": [LONG]}}, "context.steps.0", "max_prompt"),
        ("relevance", {"text": 3 * LONG, "context": {}}, "text", "max_text"),
        ("coherence", {"text": 3 * LONG}, "text", "max_text"),
    ],
)
def test_a_text_that_is_too_long_is_refused_by_its_name(
    server: Server, route: str, body: dict[str, object], field: str, bound: str
) -> None:
    with server.client() as client:
        began = time.monotonic()
        answer = client.post(f"/v1/{route}", json=body)
        assert time.monotonic() - began < SLACK
    told = answer.json()["error"]
    assert (answer.status_code, told["code"]) == (422, "invalid")
    assert told["message"].startswith(f"{field}: "), told
    assert str(TAKEN[bound]) in told["message"]
