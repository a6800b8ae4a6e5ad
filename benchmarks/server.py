"""Many clients at a real server on loopback: statuses, times, memory, and whether load changed an answer.

``python -m benchmarks.server [--clients 200] [--seconds 120] [--workers 2] [--no-nli] [--json]``: short answers from
``corpora/streams`` are sent one by one first, then by all clients together, with responses checked up to eight together
(``server.max_batch = 8``) and each alone (``1``). Only 503 may come beside 200; a client that gets one waits as long as
``Retry-After`` says. Every report under load is compared with that of the same response sent alone.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from tests.support.server import Server, serving
from training.data import read_rows

CORPUS = Path(__file__).resolve().parents[1] / "corpora" / "streams"


@dataclass
class Load:
    """What came of one run. Times are of answers with status 200, in milliseconds; memory in MB."""

    name: str
    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    changed: int = 0

    def row(self) -> dict[str, Any]:
        """The figures."""
        times = sorted(self.milliseconds) or [float("nan")]
        quarter = max(1, len(self.memory) // 4)
        return {
            "run": self.name,
            "statuses": dict(self.statuses),
            "per_second": round(len(self.milliseconds) / self.seconds, 1),
            "p50_ms": round(times[len(times) // 2], 1),
            "p95_ms": round(times[int(len(times) * 0.95)], 1),
            "memory_second_quarter_mb": round(statistics.median(self.memory[quarter : 2 * quarter] or [0])),
            "memory_last_quarter_mb": round(statistics.median(self.memory[-quarter:] or [0])),
            "memory_most_mb": round(max(self.memory or [0])),
            "changed_answers": self.changed,
        }


def responses() -> list[str]:
    """Short answers: the first sentences of the streams."""
    texts = [" ".join(str(row["text"]).split(". ")[:2]) for row in read_rows(CORPUS / "tuning.jsonl")]
    return list(dict.fromkeys(text[:400] for text in texts))[:40]


def gist(answer: httpx.Response) -> list[tuple[Any, ...]]:
    """What a report says, but for the digits of its numbers."""
    return [(claim["text"], claim["status"], claim["verdict"]) for claim in answer.json()["claims"]]


async def one_by_one(server: Server, texts: Sequence[str], seconds: float) -> tuple[Load, dict[str, Any]]:
    """Each response alone, over and over; and what the report of each says."""
    load, said = Load("one by one"), {}
    async with httpx.AsyncClient(base_url=server.url, timeout=300) as client:
        started = time.perf_counter()
        for number, text in enumerate(itertools.cycle(texts)):
            if number >= len(texts) and time.perf_counter() - started > seconds:
                break
            said[text] = gist(await timed(client, text, load))
        load.seconds = time.perf_counter() - started
    return load, said


async def together(
    server: Server, texts: Sequence[str], clients: int, seconds: float, expected: dict[str, Any], name: str
) -> Load:
    """All clients at once, each sending the next response when it has its answer."""
    load = Load(name)
    end = time.perf_counter() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)

    async def client_number(number: int, client: httpx.AsyncClient) -> None:
        for text in itertools.islice(itertools.cycle(texts), number, None):
            if time.perf_counter() > end:
                return
            try:
                answer = await timed(client, text, load)
            except httpx.HTTPError as error:
                load.statuses[type(error).__name__] += 1
                continue
            if answer.status_code == 200:
                load.changed += gist(answer) != expected[text]
            else:
                await asyncio.sleep(min(float(answer.headers.get("retry-after", 1)), 5))

    async def watch_memory() -> None:
        while True:
            load.memory.append(resident(server.process.pid))
            await asyncio.sleep(seconds / 60)

    async with httpx.AsyncClient(base_url=server.url, timeout=300, limits=limits) as client:
        started = time.perf_counter()
        watching = asyncio.create_task(watch_memory())
        await asyncio.gather(*(client_number(number, client) for number in range(clients)))
        watching.cancel()
        load.seconds = time.perf_counter() - started
    return load


async def timed(client: httpx.AsyncClient, text: str, load: Load) -> httpx.Response:
    """One request, counted."""
    started = time.perf_counter()
    answer = await client.post("/v1/verify", json={"response": text})
    load.statuses[str(answer.status_code)] += 1
    if answer.status_code == 200:
        load.milliseconds.append(1000 * (time.perf_counter() - started))
    return answer


def resident(pid: int) -> float:
    """Resident memory of a process in MB, from Linux's ``/proc``."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000


def measured(arguments: argparse.Namespace) -> list[Load]:
    """One by one, then with batches, then without."""
    texts = responses()
    documents = {path.name: path.read_text(encoding="utf-8") for path in sorted((CORPUS / "kb").glob("*.md"))}
    loads: list[Load] = []
    expected: dict[str, Any] = {}
    for most in (8, 1):
        settings = {"server.max_batch": most, "server.workers": arguments.workers, "backend.type": "hybrid"}
        settings["signals.nli"] = arguments.nli
        with (
            tempfile.TemporaryDirectory() as folder,
            serving(Path(folder), settings, documents={"default": documents}) as server,
        ):
            if not expected:
                load, expected = asyncio.run(one_by_one(server, texts, arguments.seconds / 4))
                loads.append(load)
            name = f"{arguments.clients} clients, max_batch {most}"
            loads.append(
                asyncio.run(together(server, texts, arguments.clients, arguments.seconds, expected, name))
            )
    return loads


def print_rows(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print rows with the same keys, as JSON or as a table."""
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
        return
    table = Table(*rows[0])
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    Console().print(table)


def main() -> int:
    """Print the table; 1 where anything but 200 and 503 came back, or an answer changed under load."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--nli", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    loads = measured(arguments)
    print_rows([load.row() for load in loads], as_json=arguments.json)
    return int(any(load.changed or set(load.statuses) - {"200", "503"} for load in loads))


if __name__ == "__main__":
    sys.exit(main())
