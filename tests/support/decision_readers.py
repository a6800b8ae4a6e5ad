"""Cases, and readers over the local server of decision models that do not wait, for the tests of both protocols."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.decision_server import DecisionServer, decision_server
from verifier.readers.decision import DecisionReader
from verifier.readers.decisions import DecisionsReader
from verifier.readers.systemone import SystemOneReader
from verifier.readers.types import Answer, Case, Piece, Reading, State

__all__ = [
    "CASES",
    "DENIED",
    "DESKS",
    "FOREIGN",
    "KEY",
    "KINDS",
    "PLANS",
    "SAID",
    "SPOKEN",
    "both",
    "both_ways",
    "read",
    "reader_of",
    "served",
    "states",
]

KEY = "sk-never-to-be-seen"
KINDS = {"systemone": SystemOneReader, "decisions": DecisionsReader}
PLANS = Piece("An annual plan is refunded in full within 30 days.", "refunds.md > Annual plans")
DESKS = Piece("The library opens at nine and has 24 desks.", "library.md")
SPOKEN = Case("The library opens at nine.", (DESKS, PLANS))
DENIED = Case("An annual plan is refunded within 60 days.", (PLANS,))
FOREIGN = Case("Ada Kessel painted 1,250 pictures.", (PLANS, DESKS))
CASES = [SPOKEN, DENIED, FOREIGN]
SAID = [Answer.SUPPORTED, Answer.CONTRADICTED, Answer.NOT_FOUND]

both = pytest.mark.parametrize("kind", KINDS)
both_ways = pytest.mark.parametrize("how", ["sync", "async"])


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[DecisionServer]:
    """A running server, and a key in the variables of both vendors."""
    for name in ("OPENAI_BASE_URL", "TYPESAFE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_API_KEY", "TYPESAFE_API_KEY"):
        monkeypatch.setenv(name, KEY)
    with decision_server() as running:
        yield running


def reader_of(
    kind: str, server: DecisionServer, waited: list[float] | None = None, **options: Any
) -> DecisionReader:
    """A reader that does not wait before it tries again, and writes down for how long it would have."""
    reader = KINDS[kind](**{"model": "d-1", "base_url": server.url, **options})
    times = [] if waited is None else waited

    async def async_sleep(seconds: float) -> None:
        times.append(seconds)

    reader._chat._sleep, reader._chat._async_sleep = times.append, async_sleep
    reader._chat._jitter = lambda: 1.0
    return reader


def read(reader: DecisionReader, cases: Sequence[Case], how: str = "sync") -> list[Reading]:
    """What the reader says, in a thread or in an event loop."""
    return reader.read(cases) if how == "sync" else asyncio.run(reader.aread(cases))


def states(readings: Sequence[Reading]) -> list[State]:
    """The state of each reading."""
    return [reading.state for reading in readings]
