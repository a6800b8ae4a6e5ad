"""What the local Pinecone server holds and how it fails: indexes with writes seen late, a clock, scripted faults."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Clock", "Fault", "Index", "Namespace", "broken", "drop", "slow", "status"]


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass(frozen=True)
class Fault:
    """What happens to one request whose route ends with ``route``; made by :func:`status` and its neighbours."""

    route: str = ""
    code: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    dropped: bool = False
    done: bool = False


def status(code: int, route: str = "", *, retry_after: str | None = None) -> Fault:
    """An error status. The words around it are those of the service: ``errors.exceptions:ApiError``."""
    said = {"error": {"code": "SOME_CODE", "message": "words of the service"}, "status": code}
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Fault(route, code, headers, json.dumps(said).encode())


def drop(route: str = "", *, done: bool = False) -> Fault:
    """A connection that is closed without an answer; ``done`` where the request was carried out before."""
    return Fault(route, dropped=True, done=done)


def slow(seconds: float, route: str = "") -> Fault:
    """An answer that comes late."""
    return Fault(route, delay=seconds)


def broken(route: str = "") -> Fault:
    """Status 200, and no JSON."""
    return Fault(route, 200, {}, b'{"broken')


@dataclass
class _Write:
    lsn: int
    at: float
    apply: Callable[[dict[str, Any]], None]
    reads: Counter[str] = field(default_factory=Counter)


class Namespace:
    """A log of writes, and three views of it that catch up each by itself: query, fetch and stats."""

    def __init__(self) -> None:
        self.log: list[_Write] = []
        self.truth: dict[str, Any] = {}
        self.seen = {"query": 0, "fetch": 0, "stats": 0}
        self.views: dict[str, dict[str, Any]] = {name: {} for name in self.seen}

    def write(self, now: float, apply: Callable[[dict[str, Any]], None]) -> int:
        self.log.append(_Write(len(self.log) + 1, now, apply))
        apply(self.truth)
        return len(self.log)

    def read(self, view: str, now: float, lag: int, delay: float) -> dict[str, Any]:
        for write in self.log[self.seen[view] :]:
            write.reads[view] += 1
            if write.reads[view] <= lag or now < write.at + delay:
                break
            write.apply(self.views[view])
            self.seen[view] = write.lsn
        return self.views[view]


@dataclass
class Index:
    body: Mapping[str, Any]
    describes: int = 0
    namespaces: dict[str, Namespace] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        return int(next(iter(self.body["schema"]["fields"].values()))["dimension"])

    @property
    def on_pods(self) -> bool:
        return bool(self.body["deployment"]["deployment_type"] == "pod")
