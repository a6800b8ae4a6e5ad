"""Two tenants of one server work at the same time, at random; nothing of one may reach the other.

python -m benchmarks.trust.isolation [--operations 200] [--seeds 1,2] [--backends hybrid,memory]

The real application of the server, with keys, over each local backend. Every document holds a mark, a word that is
nowhere else. An answer, a search hit, a cached review, a metric or a line of the log that holds a mark of the other
tenant, or of a document that was deleted or replaced, is a leak; so is an answer to a question about the other's mark
that differs from the answer to the same question about a word that nobody ever stored. Half way the server is closed
and opened again over its files. Ends with ``isolation: N operations over B backends, 0 leaks``.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx

from benchmarks.trust.outcomes import application, engine_of
from verifier.interfaces.server.keys import KeyRing, Right
from verifier.interfaces.server.logs import _Lines

__all__ = ["BACKENDS", "Leak", "Walk", "main", "walked"]

BACKENDS: Mapping[str, Mapping[str, Any]] = {
    "hybrid": {"type": "hybrid"},
    "memory": {"type": "memory", "encoder": "static"},
    "bm25": {"type": "bm25"},
    "ann": {"type": "ann"},
    "chroma": {"type": "chroma", "encoder": "static"},
}
"""The default with its own encoder; the others with the fastest one."""

TENANTS = ("northwind", "southgate")
_NAMES = 5
"""Documents of a tenant at most."""
_SYLLABLES = [consonant + vowel for consonant in "bdfglmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Leak:
    """What went wrong, in which operation of whom."""

    tenant: str
    operation: str
    what: str


@dataclass
class _Tenant:
    """One of the two: its client, and what it has stored."""

    name: str
    live: dict[str, str] = field(default_factory=dict)
    """The mark of each document, by its name."""
    ids: dict[str, str] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    """All that it ever stored."""
    connected: httpx.AsyncClient | None = None

    @property
    def client(self) -> httpx.AsyncClient:
        """Its client, while the server is open."""
        assert self.connected is not None
        return self.connected


def _sentence(mark: str, price: int) -> str:
    return f"The {mark} costs {price} EUR a year and is paid in advance."


class Walk:
    """A random walk of both tenants over one server.

    Args:
        place: an empty folder.
        backend: the table of the backend.
        seed: of all choices.
    """

    def __init__(self, place: Path, backend: Mapping[str, Any], seed: int) -> None:
        self.place, self.backend, self.rng = place, backend, Random(seed)
        self.leaks: list[Leak] = []
        self.done = 0
        self._fresh: set[str] = set()
        ring, self._secrets = KeyRing(), {}
        for name in TENANTS:
            ring, self._secrets[name] = ring.with_new(name, [name], [Right.CHECK, Right.WRITE])
        ring, self._secrets["ops"] = ring.with_new("ops", ["*"], [Right.METRICS])
        ring.save(place / "keys.json")

    def run(self, operations: int) -> None:
        """So many operations of each tenant, half of them before the server is opened anew."""
        with _log() as lines:
            kept = [_Tenant(name) for name in TENANTS]
            for part in (operations // 2, operations - operations // 2):
                asyncio.run(self._opened(kept, part))
            self._search("log", "log", "\n".join(lines), {mark for one in kept for mark in one.marks})

    async def _opened(self, tenants: Sequence[_Tenant], operations: int) -> None:
        app = application(
            self.place,
            backend=dict(self.backend),
            server__keys=str(self.place / "keys.json"),
            server__requests_per_minute=1_000_000,
            cache__path=str(self.place / "cache.sqlite"),
            gate__weights={"rules": 0.3, "llm": 0.0, "groundedness": 0.7},
        )
        transport = httpx.ASGITransport(app)
        try:
            for tenant in tenants:
                tenant.connected = self._client(transport, tenant.name)
            for _ in range(operations):
                await asyncio.gather(*(self._step(one, other) for one, other in (tenants, tenants[::-1])))
            async with self._client(transport, "ops") as ops:
                told = (await ops.get("/metrics")).text
            self._search("ops", "metrics", told, {mark for one in tenants for mark in one.marks})
            for tenant in tenants:
                await tenant.client.aclose()
        finally:
            engine_of(app).close()

    def _client(self, transport: httpx.ASGITransport, name: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self._secrets[name]}"}
        return httpx.AsyncClient(
            transport=transport, base_url="http://localhost", headers=headers, timeout=120
        )

    async def _step(self, mine: _Tenant, other: _Tenant) -> None:
        """One operation of a tenant, and everything that must not stand in what comes of it."""
        operations = [self._add] * 3 + [self._delete, self._probe, self._probe, self._reach, self._reach]
        operations += [self._ask] * 4 + ([self._upload] if self.rng.random() < 0.2 else [])
        operation = self.rng.choice(operations if mine.live else [self._add])
        self.done += 1
        await operation(mine, other)

    # -- what a tenant does on its own things -----------------------------------------------------------

    async def _add(self, mine: _Tenant, other: _Tenant) -> None:
        """Store a document, or replace one; sometimes the same text that the other has."""
        name, mark = f"{self.rng.randrange(_NAMES)}.md", self._mark()
        body = {"source": name, "text": f"# {mark}\n\n{_sentence(mark, self.rng.randrange(100, 999))}"}
        got = await mine.client.post("/v1/documents", json=body)
        self._stored(mine, name, mark, got)
        self._check(mine, other, "add", got)

    async def _upload(self, mine: _Tenant, other: _Tenant) -> None:
        name, mark = f"{self.rng.randrange(_NAMES)}.md", self._mark()
        got = await mine.client.post(
            "/v1/documents/upload", files={"file": (name, _sentence(mark, 120).encode())}
        )
        self._stored(mine, name, mark, got)
        self._check(mine, other, "upload", got)

    def _stored(self, mine: _Tenant, name: str, mark: str, got: httpx.Response) -> None:
        if got.status_code != 201:
            raise RuntimeError(f"{name} was not stored: {got.status_code} {got.text}")
        mine.marks.add(mark)
        mine.live[name] = mark
        mine.ids[name] = got.json()["documents"][0]["doc_id"]

    async def _delete(self, mine: _Tenant, other: _Tenant) -> None:
        name = self.rng.choice(sorted(mine.live))
        got = await mine.client.delete(f"/v1/documents/{mine.ids.pop(name)}")
        del mine.live[name]
        self._check(mine, other, "delete", got)

    async def _ask(self, mine: _Tenant, other: _Tenant) -> None:
        """Any of the routes that read, about a document of its own, sometimes a false thing."""
        name = self.rng.choice(sorted(mine.live))
        text = _sentence(mine.live[name], self.rng.randrange(100, 999))
        route = self.rng.choice([*_ROUTES, "list", "document", "metrics"])
        if route in _ROUTES:
            got = await _sent(mine.client, route, text, mine.name if self.rng.random() < 0.5 else None)
        else:
            got = await mine.client.get(
                {"list": "/v1/documents", "document": f"/v1/documents/{mine.ids[name]}"}.get(
                    route, "/metrics"
                )
            )
        self._check(mine, other, route, got)

    # -- what it does to learn of the other's -----------------------------------------------------------

    async def _probe(self, mine: _Tenant, other: _Tenant) -> None:
        """Ask about the other's mark, and about a word that nobody stored: what comes must be the same."""
        if not other.marks:
            return
        route = self.rng.choice(sorted(_ROUTES))
        price = self.rng.randrange(100, 999)
        shapes = []
        for word in (self.rng.choice(sorted(other.marks)), self._mark()):
            got = await _sent(mine.client, route, _sentence(word, price), None)
            told = got.text.replace(word, "")
            self._search(mine.name, f"probe {route}", told, other.marks | self._gone(mine))
            shapes.append((got.status_code, _shape(got)))
        if shapes[0] != shapes[1]:
            self.leaks.append(Leak(mine.name, f"probe {route}", f"{shapes[0]} is not {shapes[1]}"))

    async def _reach(self, mine: _Tenant, other: _Tenant) -> None:
        """Name the other's namespace, or an id of its documents: refused as if there were none."""
        ids = sorted(other.ids.values())
        if ids and self.rng.random() < 0.5:
            path = f"/v1/documents/{self.rng.choice(ids)}"
            got = await (mine.client.get if self.rng.random() < 0.5 else mine.client.delete)(path)
            wanted = 404
        else:
            route = self.rng.choice(sorted(_ROUTES))
            got = await _sent(mine.client, route, _sentence("fee", 100), other.name)
            wanted = 403
        if got.status_code != wanted:
            self.leaks.append(Leak(mine.name, "reach", f"{got.status_code} for {got.request.url.path}"))
        self._check(mine, other, "reach", got)

    # -- what must not come -----------------------------------------------------------------------------

    def _check(self, mine: _Tenant, other: _Tenant, operation: str, got: httpx.Response) -> None:
        if got.status_code >= 500:
            self.leaks.append(Leak(mine.name, operation, f"status {got.status_code}: {got.text[:200]}"))
        forbidden = other.marks | self._gone(mine) | set(other.ids.values())
        self._search(mine.name, operation, got.text, forbidden)

    def _search(self, tenant: str, operation: str, text: str, forbidden: set[str]) -> None:
        self.leaks += [Leak(tenant, operation, word) for word in sorted(forbidden) if word in text]

    def _gone(self, mine: _Tenant) -> set[str]:
        """Marks of documents that were deleted or replaced."""
        return mine.marks - set(mine.live.values())

    def _mark(self) -> str:
        while (mark := "".join(self.rng.choices(_SYLLABLES, k=6)).capitalize()) in self._fresh:
            pass
        self._fresh.add(mark)
        return mark


_ROUTES = frozenset({"verify", "verify/batch", "search", "review", "stream", "confidence"})


async def _sent(client: httpx.AsyncClient, route: str, text: str, namespace: str | None) -> httpx.Response:
    """A text to one of the routes that read."""
    named = {"namespace": namespace} if namespace else {}
    if route == "stream":
        return await client.post("/v1/stream", params=named, content=text.encode())
    body: dict[str, Any] = {
        "verify": {"response": text, **named},
        "verify/batch": {"items": [{"response": text, **named}, {"response": text, **named}]},
        "search": {"query": text, "top_k": 50, **named},
        "review": {"prompt": "What does it cost?", "response": text, **named},
        "confidence": {"prompt": "What does it cost?", "response": text, **named},
    }[route]
    return await client.post(f"/v1/{route}", json=body)


def _shape(got: httpx.Response) -> object:
    """What an answer tells of what is known: verdicts and decisions, how much was found, whether it was cached."""
    if not got.headers["content-type"].startswith("application/json"):
        return sorted(line for line in got.text.splitlines() if line.startswith("event:"))
    return sorted(_told(got.json()))


def _told(values: object) -> Iterator[str]:
    if isinstance(values, dict):
        for name, value in values.items():
            if name in {"verdict", "decision", "cached", "status", "code"}:
                yield f"{name}={value}"
            elif name in {"results", "claims"} and isinstance(value, list):
                yield f"{name}: {len(value)}"
            yield from _told(value)
    elif isinstance(values, list):
        for value in values:
            yield from _told(value)


@contextmanager
def _log() -> Iterator[list[str]]:
    """What the server would write to stderr meanwhile."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(_Lines().format(record))

    handler, log = Kept(), logging.getLogger("verifier")
    level, propagates = log.level, log.propagate
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield lines
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagates


def walked(backend: str, seed: int, operations: int) -> Walk:
    """A walk in a folder of its own."""
    with tempfile.TemporaryDirectory() as place:
        walk = Walk(Path(place), BACKENDS[backend], seed)
        walk.run(operations)
        return walk


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, tell; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--operations", type=int, default=200, help="of each tenant, for each seed and backend"
    )
    parser.add_argument("--seeds", default="1,2,3", help="comma-separated")
    parser.add_argument("--backends", default=",".join(BACKENDS), help="comma-separated; all by default")
    given = parser.parse_args(arguments)
    done, leaks = 0, []
    for backend in given.backends.split(","):
        for seed in map(int, given.seeds.split(",")):
            walk = walked(backend, seed, given.operations)
            done += walk.done
            leaks += walk.leaks
            print(f"{backend}, seed {seed}: {walk.done} operations, {len(walk.leaks)} leaks", flush=True)
            for leak in walk.leaks[:20]:
                print(f"  {leak.tenant}, {leak.operation}: {leak.what}")
    print(f"isolation: {done} operations over {len(given.backends.split(','))} backends, {len(leaks)} leaks")
    return 1 if leaks or not done else 0


if __name__ == "__main__":
    sys.exit(main())
