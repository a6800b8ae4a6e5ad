"""One machine with several workers: processor time a request, and memory of each worker, its own and shared.

``python -m benchmarks.node [--workers 1,2,4] [--requests 400] [--clients 8] [--no-nli] [--json]``: the short answers of
``corpora/streams`` against its knowledge base, each request a connection of its own. Processor time is that of all
processes of the server, so that other programs on the machine count for little; answers a second are by the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from benchmarks.server import CORPUS, print_rows, responses
from tests.support.processes import children, processor_seconds
from tests.support.server import Server, serving

_ALONE = httpx.Limits(max_keepalive_connections=0)


def node(workers: int, *, requests: int, clients: int, nli: bool) -> dict[str, Any]:
    """The figures of a server with so many workers."""
    documents = {path.name: path.read_text(encoding="utf-8") for path in sorted((CORPUS / "kb").glob("*.md"))}
    settings = {
        "server.processes": workers,
        "signals.nli": nli,
        "backend.type": "hybrid",
        "server.max_batch": 1,
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), settings, documents={"default": documents}) as server,
    ):
        wait_for_all(server, workers)
        texts = responses()
        asyncio.run(asked(server, texts, workers * len(texts), clients))  # every worker has seen every text
        busy = children(server.process) if workers > 1 else [server.process.pid]
        before, started = [processor_seconds(pid) for pid in busy], time.perf_counter()
        asyncio.run(asked(server, texts, requests, clients))
        seconds = time.perf_counter() - started
        spent = [processor_seconds(pid) - then for pid, then in zip(busy, before, strict=True)]
        return {
            "workers": workers,
            "cpu_ms_a_request": round(1000 * sum(spent) / requests, 1),
            "least_and_most_busy_s": f"{min(spent):.1f} {max(spent):.1f}",
            "own_mb_a_worker": mean_mb(busy, "Private_"),
            "shared_mb_a_worker": mean_mb(busy, "Shared_"),
            "parent_own_mb": mean_mb([server.process.pid], "Private_") if workers > 1 else 0,
            "answers_a_second": round(requests / seconds, 1),
        }


def wait_for_all(server: Server, workers: int) -> None:
    """Until every worker is ready."""
    told = f'verifier_workers{{state="ready"}} {workers}.0'
    while told not in httpx.get(f"{server.url}/metrics", timeout=60).text:
        time.sleep(0.5)


async def asked(server: Server, texts: Sequence[str], requests: int, clients: int) -> None:
    """So many requests, by so many clients at a time.

    Raises:
        HTTPStatusError: one was refused.
    """
    waiting = itertools.islice(itertools.cycle(texts), requests)

    async def ask(client: httpx.AsyncClient) -> None:
        for text in waiting:
            (await client.post("/v1/verify", json={"response": text})).raise_for_status()

    async with httpx.AsyncClient(base_url=server.url, timeout=300, limits=_ALONE) as client:
        await asyncio.gather(*(ask(client) for _ in range(clients)))


def mean_mb(processes: Sequence[int], kind: str) -> int:
    """Memory of a kind of Linux's ``smaps_rollup``, clean and dirty, in MB."""
    total = 0
    for process in processes:
        rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        total += sum(int(row.split()[1]) for row in rows if row.startswith(kind) and "Hugetlb" not in row)
    return round(total * 1024 / 1e6 / len(processes))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--nli", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    counts = [int(count) for count in given.workers.split(",")]
    rows = [node(count, requests=given.requests, clients=given.clients, nli=given.nli) for count in counts]
    print_rows(rows, as_json=given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
