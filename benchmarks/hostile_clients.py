"""Times of honest clients at a real server, with hostile clients beside them and without, and all wrong answers.

``python -m benchmarks.hostile_clients [--clients 100] [--hostile 30] [--seconds 30] [--workers 2] [--no-nli] [--json]``

The honest clients send short answers from ``corpora/streams`` and wait as long as ``Retry-After`` says. In the second
run ``--hostile`` of the ``--clients`` are hostile: they send lists of numbers that the rules compare each with each,
against the knowledge base and against themselves, texts that grow as they are read, bodies that are too large or nested
too deep, queries without an end; a third of them are sockets that say nothing, or half a head, and come again when they
are cut. Exit 1 where an honest client gets another status than 200 and 503, where a hostile one gets an error of the
server (500, 502), or where workers go on after all clients have gone.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from benchmarks.server import CORPUS, Load, print_rows, responses, timed
from tests.support.server import Server, serving

REQUEST_SECONDS = 20.0
"""The bound of the server in these runs, so that they need not be long."""

INSIDE = frozenset({"500", "502"})
"""Statuses that nobody should be able to bring about."""


@dataclass
class Run:
    """What came of one run."""

    honest: Load
    hostile: Counter[str] = field(default_factory=Counter)
    left_working: float = 0.0

    @property
    def unexpected(self) -> int:
        """Answers that should not come back."""
        told = sum(count for status, count in self.honest.statuses.items() if status not in {"200", "503"})
        return told + sum(count for status, count in self.hostile.items() if status in INSIDE)

    def row(self) -> dict[str, Any]:
        """The figures."""
        figures = self.honest.row()
        return {
            **{key: figures[key] for key in ("run", "statuses", "per_second", "p50_ms", "p95_ms")},
            "hostile": dict(self.hostile),
            "unexpected": self.unexpected,
            "workers_left_working": self.left_working,
        }


def numbers(count: int, of: int) -> str:
    """A list of figures."""
    return f"The daily counts in {of} were " + ", ".join(str(n * of % 997) for n in range(count)) + "."


def attacks() -> Iterator[tuple[str, Any]]:
    """Routes with the bodies that are sent to them, over and over, no text twice."""
    for turn in itertools.count(1900):
        lists = [numbers(150, turn + n) for n in range(3)]
        yield "/v1/verify", {"response": lists[0]}
        yield "/v1/verify", {"response": " ".join(lists), "source": lists}
        yield "/v1/verify", {"response": f"Is it {turn}? Because it is. " * 2_000}
        yield "/v1/verify", {"response": "[a](" * 5_000, "source": ["<b>" * 50_000]}
        yield "/v1/search", {"query": "fee " * 100_000}
        yield "/v1/verify", {"response": "x" * 3_000_000}
        yield "/v1/verify", b'{"response": ' + b"[" * 100_000


async def attacking(server: Server, found: Run, given: Iterator[tuple[str, Any]], end: float) -> None:
    """A client that sends these until the end."""
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        while time.perf_counter() < end:
            route, body = next(given)
            sent: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
            try:
                answer = await client.post(route, headers={"Content-Type": "application/json"}, **sent)
            except httpx.HTTPError as error:
                found.hostile[type(error).__name__] += 1
                continue
            found.hostile[str(answer.status_code)] += 1
            if answer.status_code == 503:
                await asyncio.sleep(0.2)


async def idling(server: Server, found: Run, said: bytes, end: float) -> None:
    """A socket that says no more than this, until it is cut; then the next, until the end."""
    where = urlsplit(server.url)
    while time.perf_counter() < end:
        try:
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(said)
            async with asyncio.timeout(max(0.1, end - time.perf_counter())):
                await reader.read()
            found.hostile["cut"] += 1
            writer.close()
        except OSError as error:  # also the end
            found.hostile[type(error).__name__] += 1


async def asking(server: Server, found: Run, texts: Sequence[str], number: int, end: float) -> None:
    """An honest client: the next text when it has its answer, and patience where it is asked for it."""
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        for text in itertools.islice(itertools.cycle(texts), number, None):
            if time.perf_counter() > end:
                return
            try:
                answer = await timed(client, text, found.honest)
            except httpx.HTTPError as error:
                found.honest.statuses[type(error).__name__] += 1
                continue
            if answer.status_code != 200:
                await asyncio.sleep(min(float(answer.headers.get("retry-after", 1)), 5))


async def run(server: Server, name: str, honest: int, hostile: int, seconds: float) -> Run:
    """All of them at once for so many seconds, and what is left of their work a little later."""
    found, texts, given = Run(Load(name)), responses(), attacks()
    started = time.perf_counter()
    end = started + seconds
    clients = [asking(server, found, texts, number, end) for number in range(honest)]
    idle = [idling(server, found, said, end) for said in itertools.islice(_half_said(), hostile // 3)]
    busy = [attacking(server, found, given, end) for _ in range(hostile - len(idle))]
    await asyncio.gather(*clients, *idle, *busy)
    found.honest.seconds = time.perf_counter() - started
    await asyncio.sleep(REQUEST_SECONDS + 1)
    found.left_working = await _working(server)
    return found


def _half_said() -> Iterator[bytes]:
    return itertools.cycle((b"", b"POST /v1/verify HTTP/1.1\r\nHost: localhost\r\n"))


async def _working(server: Server) -> float:
    async with httpx.AsyncClient(base_url=server.url, timeout=120) as client:
        lines = (await client.get("/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("verifier_running{"))


def measured(arguments: argparse.Namespace) -> list[Run]:
    """Honest clients alone, and with the hostile ones in the place of some."""
    documents = {path.name: path.read_text(encoding="utf-8") for path in sorted((CORPUS / "kb").glob("*.md"))}
    settings = {
        "server.workers": arguments.workers,
        "server.request_seconds": REQUEST_SECONDS,
        "server.header_seconds": 2.0,
        "signals.nli": arguments.nli,
        "backend.type": "hybrid",
    }
    own = arguments.clients - arguments.hostile
    plans: list[Callable[[Server], Any]] = [
        lambda server: run(server, f"{own} honest", own, 0, arguments.seconds),
        lambda server: run(
            server, f"and {arguments.hostile} hostile", own, arguments.hostile, arguments.seconds
        ),
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), settings, documents={"default": documents}) as server,
    ):
        return [asyncio.run(plan(server)) for plan in plans]


def main() -> int:
    """Print the table; 1 where something came back that should not, or a worker is not given back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--hostile", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--nli", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    runs = measured(arguments)
    print_rows([one.row() for one in runs], as_json=arguments.json)
    return int(any(one.unexpected or one.left_working for one in runs))


if __name__ == "__main__":
    sys.exit(main())
