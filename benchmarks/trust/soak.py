"""Run a real server for long under a mixed load with hostile requests; its memory must not grow, nothing may break.

python -m benchmarks.trust.soak [--minutes 30] [--clients 4] [--seed 1] [--rules]

The load is responses, batches, streams, reviews, searches and documents, and among them bodies that are too large, too
deep or no text, files that unpack to 300 MB or break off, and clients that leave. For each kind of request some
statuses are expected. All texts are drawn from a small pool, so that the caches, each of which is bounded, hold all of
it by the middle of the run, and what grows from then on is a leak. (With texts that are always new they fill for
hours.) The server's resident memory is sampled once a second; to the second half of the samples a line is fitted by
least squares. ``--rules`` leaves the NLI model out, for a short run. Ends with ``soak: M minutes, N requests, slope X
MB/h, 0 unexpected 5xx``.

Fails where the slope is above ``LIMIT`` by more than twice its standard error, which counts samples ten seconds apart
as one. 48 MB an hour is a gigabyte a day, which a weekly restart of a machine with 8 GB outlives; one report that is
leaked each second (15 kB) comes to 54 MB an hour. Five minutes are too short to tell: such a run found 94 MB an hour,
since the allocator settled for four of them, and its last half minute grew by less than 1 MB.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import numpy as np

from tests.support.server import Server, serving

__all__ = ["LIMIT", "Soak", "main", "slope"]

LIMIT = 48.0
"""MB an hour."""
_APART = 10
"""Samples of one second that count as one for the standard error: memory does not move at random each second."""
_PATIENCE = 120.0

_THINGS = (
    "library",
    "museum",
    "harbour",
    "depot",
    "clinic",
    "orchard",
    "archive",
    "stadium",
    "ferry",
    "workshop",
)
_SENTENCES = (
    "The {thing} {n} opens at {one} and closes at 19.",
    "A ticket for the {thing} {n} costs {two} EUR for each visitor.",
    "The {thing} {n} has {three} places and was rebuilt in 19{four}.",
)


def _text(rng: Random, sentences: int) -> str:
    """Sentences like those of the documents; one in seven is wrong."""
    made = []
    for _ in range(sentences):
        n, off = rng.randrange(8), int(rng.random() < 0.15)
        values = {"one": 6 + n % 5 + off, "two": 5 + n % 30 + off, "three": 40 + n % 50, "four": 60 + n % 39}
        made.append(rng.choice(_SENTENCES).format(thing=rng.choice(_THINGS), n=n, **values))
    return " ".join(made)


def _pool(texts: int, sentences: int) -> tuple[str, ...]:
    """Texts of up to so many sentences, always the same."""
    rng = Random(f"{texts} {sentences}")
    return tuple(_text(rng, rng.randrange(1, sentences + 1)) for _ in range(texts))


_RESPONSES, _DOCUMENTS = _pool(30, 3), _pool(30, 6)


def _bomb() -> bytes:
    """A Word file of 300 MB in 300 kB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w>" + b"a" * 300_000_000)
    return packed.getvalue()


@dataclass
class Soak:
    """A run: what came of each kind of request, and the samples of memory as (seconds, MB)."""

    rng: Random
    came: Counter[tuple[str, str]] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    bomb: bytes = field(default_factory=_bomb)

    @property
    def requests(self) -> int:
        """How many there were."""
        return sum(self.came.values())

    async def run(self, server: Server, seconds: float, clients: int) -> None:
        """Load from so many clients at once."""
        end = time.monotonic() + seconds
        watching = asyncio.create_task(self._watch(server))
        async with httpx.AsyncClient(base_url=server.url, timeout=_PATIENCE) as client:
            await asyncio.gather(*(self._client(client, end) for _ in range(clients)))
        watching.cancel()

    async def _client(self, client: httpx.AsyncClient, end: float) -> None:
        while time.monotonic() < end:
            kind = self.rng.choices(list(_KINDS), [one.weight for one in _KINDS.values()])[0]
            try:
                status = await _KINDS[kind].send(self, client)
            except httpx.HTTPError as error:
                status = type(error).__name__
            self.came[kind, str(status)] += 1
            if status == 503:
                await asyncio.sleep(1)
            elif status not in _KINDS[kind].expected:
                self.unexpected.append(f"{kind}: {status}")

    async def _watch(self, server: Server) -> None:
        began = time.monotonic()
        while True:
            self.memory.append((time.monotonic() - began, _resident(server.process.pid)))
            await asyncio.sleep(1)


def _resident(pid: int) -> float:
    """Resident memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def slope(samples: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Slope of the line of least squares through (seconds, MB), and its standard error, both in MB an hour.

    >>> found, error = slope([(n, 100 + n / 3600) for n in range(100)])
    >>> round(found, 6), round(error, 6)
    (1.0, 0.0)
    """
    seconds, memory = np.asarray(samples, dtype=np.float64).T
    hours = (seconds - seconds.mean()) / 3600
    found = float(hours @ memory / (hours @ hours))
    left = memory - memory.mean() - found * hours
    independent = max(3.0, len(left) / _APART)
    spread = float(left @ left) / len(left) / (independent - 2)
    return found, (spread / (float(hours @ hours) / len(left))) ** 0.5


@dataclass(frozen=True)
class _Kind:
    """A kind of request: how often it comes, and the statuses that may come of it, beside 503, which asks to wait."""

    weight: float
    expected: frozenset[int]
    send: Callable[[Soak, httpx.AsyncClient], Awaitable[int]]


async def _verify(soak: Soak, client: httpx.AsyncClient) -> int:
    body = {"response": soak.rng.choice(_RESPONSES)}
    return (await client.post("/v1/verify", json=body)).status_code


async def _against(soak: Soak, client: httpx.AsyncClient) -> int:
    body = {"response": _RESPONSES[0], "source": [soak.rng.choice(_DOCUMENTS)]}
    return (await client.post("/v1/verify", json=body)).status_code


async def _batch(soak: Soak, client: httpx.AsyncClient) -> int:
    items = [{"response": soak.rng.choice(_RESPONSES)} for _ in range(soak.rng.randrange(2, 6))]
    return (await client.post("/v1/verify/batch", json={"items": items})).status_code


async def _review(soak: Soak, client: httpx.AsyncClient) -> int:
    body = {"prompt": "When does it open?", "response": soak.rng.choice(_RESPONSES)}
    return (await client.post("/v1/review", json=body)).status_code


async def _search(soak: Soak, client: httpx.AsyncClient) -> int:
    return (
        await client.post("/v1/search", json={"query": soak.rng.choice(_RESPONSES), "top_k": 20})
    ).status_code


async def _stream(soak: Soak, client: httpx.AsyncClient) -> int:
    return (await client.post("/v1/stream", content=soak.rng.choice(_RESPONSES).encode())).status_code


async def _metrics(_: Soak, client: httpx.AsyncClient) -> int:
    return (await client.get("/metrics")).status_code


async def _add(soak: Soak, client: httpx.AsyncClient) -> int:
    number = soak.rng.randrange(len(_DOCUMENTS))
    body = {"source": f"{number}.md", "text": _DOCUMENTS[number]}
    return (await client.post("/v1/documents", json=body)).status_code


async def _delete(soak: Soak, client: httpx.AsyncClient) -> int:
    listed = (await client.get("/v1/documents", params={"limit": 1000})).json()["documents"]
    if len(listed) < len(_DOCUMENTS) // 2:
        return 200
    return (await client.delete(f"/v1/documents/{soak.rng.choice(listed)['doc_id']}")).status_code


async def _upload(soak: Soak, client: httpx.AsyncClient) -> int:
    number = soak.rng.randrange(len(_DOCUMENTS))
    files = {"file": (f"{number}.md", _DOCUMENTS[number].encode())}
    return (await client.post("/v1/documents/upload", files=files)).status_code


async def _zip_bomb(soak: Soak, client: httpx.AsyncClient) -> int:
    return (await client.post("/v1/documents/upload", files={"file": ("b.docx", soak.bomb)})).status_code


async def _broken_file(soak: Soak, client: httpx.AsyncClient) -> int:
    files = {"file": ("cut.pdf", b"%PDF-1.7\n" + soak.rng.randbytes(3000))}
    return (await client.post("/v1/documents/upload", files=files)).status_code


async def _too_large(_: Soak, client: httpx.AsyncClient) -> int:
    with suppress(httpx.ReadError, httpx.WriteError):  # it may be refused before all of it was sent
        return (await client.post("/v1/verify", json={"response": "a" * 3_000_000})).status_code
    return 413


async def _too_deep(_: Soak, client: httpx.AsyncClient) -> int:
    headers = {"content-type": "application/json"}
    return (await client.post("/v1/verify", content=b"[" * 200_000, headers=headers)).status_code


async def _no_text(soak: Soak, client: httpx.AsyncClient) -> int:
    headers = {"content-type": "application/json"}
    return (await client.post("/v1/verify", content=soak.rng.randbytes(500), headers=headers)).status_code


async def _long(soak: Soak, client: httpx.AsyncClient) -> int:
    """One sentence without an end, and many marks that open something."""
    response = soak.rng.choice(["word " * 4000, "(" * 8000, "<think>" * 800, "a" * 20_000, "| - " * 3000])
    return (await client.post("/v1/verify", json={"response": response})).status_code


async def _leaving(soak: Soak, client: httpx.AsyncClient) -> int:
    """A client that is gone before its answer."""
    with suppress(httpx.TimeoutException):
        await client.post("/v1/verify", json={"response": soak.rng.choice(_RESPONSES)}, timeout=0.02)
    return 200


_KINDS: Mapping[str, _Kind] = {
    "verify": _Kind(40, frozenset({200}), _verify),
    "verify against": _Kind(10, frozenset({200}), _against),
    "batch": _Kind(8, frozenset({200}), _batch),
    "review": _Kind(8, frozenset({200}), _review),
    "search": _Kind(10, frozenset({200}), _search),
    "stream": _Kind(6, frozenset({200}), _stream),
    "metrics": _Kind(2, frozenset({200}), _metrics),
    "add": _Kind(4, frozenset({201}), _add),
    "delete": _Kind(2, frozenset({200, 404}), _delete),
    "upload": _Kind(1, frozenset({201}), _upload),
    "zip bomb": _Kind(0.3, frozenset({422}), _zip_bomb),
    "broken file": _Kind(0.5, frozenset({422}), _broken_file),
    "too large": _Kind(1, frozenset({413}), _too_large),
    "too deep": _Kind(1, frozenset({400}), _too_deep),
    "no text": _Kind(1, frozenset({400}), _no_text),
    "long": _Kind(1, frozenset({200}), _long),
    "leaving": _Kind(3, frozenset({200}), _leaving),
}


def soaked(minutes: float, clients: int, seed: int, *, rules: bool = False) -> Soak:
    """A run over a new server, with the NLI model or by the rules alone."""
    rng = Random(seed)
    soak = Soak(rng)
    documents = {"default": {f"{n}.md": text for n, text in enumerate(_DOCUMENTS)}}
    settings = {
        "signals.nli": not rules,
        "backend.type": "hybrid",
        "verdict.suggest_fixes": False,
        "cache.size": 16,
    }
    with (
        tempfile.TemporaryDirectory() as place,
        serving(Path(place), settings, documents=documents) as server,
    ):
        asyncio.run(soak.run(server, minutes * 60, clients))
    return soak


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, tell; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", action="store_true", help="without the NLI model and its caches")
    given = parser.parse_args(arguments)
    soak = soaked(given.minutes, given.clients, given.seed, rules=given.rules)
    for kind in _KINDS:
        statuses = {status: n for (name, status), n in sorted(soak.came.items()) if name == kind}
        print(f"{kind}: {', '.join(f'{n} x {status}' for status, n in statuses.items()) or 'none'}")
    print(
        "unexpected: "
        + ("; ".join(f"{n} x {what}" for what, n in Counter(soak.unexpected).items()) or "none")
    )
    warm = [(at, size) for at, size in soak.memory if at >= soak.memory[-1][0] / 2]
    for at, size in soak.memory[:: max(1, len(soak.memory) // 10)]:
        print(f"  {at / 60:5.1f} min {size:6.0f} MB")
    found, error = slope(warm)
    broken = sum(what.rpartition(" ")[2].startswith("5") for what in soak.unexpected)
    print(
        f"slope after {warm[0][0] / 60:.1f} minutes: {found:.1f} MB/h, standard error {error:.1f}, limit {LIMIT:g}"
    )
    print(
        f"soak: {given.minutes:g} minutes, {soak.requests} requests, slope {found:.1f} MB/h, {broken} unexpected 5xx"
    )
    return 1 if soak.unexpected or found - 2 * error > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
