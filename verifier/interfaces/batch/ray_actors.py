"""Run on the nodes of a Ray cluster: the task that reads rows in chunks, and the actors that check chunks.

Reading is the same each time, so a chunk that goes with its machine is made anew. Each actor holds a worker process as
the local engine has them: a row that ends it is an error of this row, and the actor goes on.
"""

from __future__ import annotations

import json
import os
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from verifier import __version__
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.registry import require
from verifier.interfaces.batch.checking import error_record
from verifier.interfaces.batch.engine import Outcome
from verifier.interfaces.batch.pool import Pool
from verifier.interfaces.batch.rows import Refused, Row
from verifier.interfaces.batch.source import Source
from verifier.interfaces.processes import error_of

__all__ = ["CheckingActor", "Found", "TryCounter", "chunks", "found_in", "read_chunks"]

_ROWS = 32
"""Rows of a chunk, at most. The first ones are smaller, so that a short input has chunks for all actors."""

_GROWTH = 16
"""After so many rows, chunks have one row more."""

_CHARACTERS = 1_000_000
"""Of a chunk; a row that has more is a chunk of its own."""

_DEATHS = 3
"""So often a row may be tried again whose actor has died."""

Found = tuple[int, str, Outcome]
"""Number and digest of a row, and its outcome."""


def read_chunks(batch: dict[str, Any], source: Source) -> Iterator[Any]:
    """The rows from a number on, in tables of one cell, each a chunk."""
    arrow = require("pyarrow", extra="ray")
    try:
        for chunk in chunks(source, int(batch["item"][0])):
            yield arrow.table({"rows": [json.dumps({"rows": chunk}, default=str)]})
    except VerifierError as error:
        yield arrow.table({"rows": [json.dumps(_stop(error))]})


def chunks(source: Source, first: int) -> Iterator[list[Any]]:
    """Rows that can be checked, from the number ``first`` on, each with its digest."""
    chunk: list[Any] = []
    weight = 0
    for row in source.rows():
        if isinstance(row, Refused) or row.number < first:
            continue
        most = min(_ROWS, (row.number - first) // _GROWTH + 1)
        if chunk and (len(chunk) >= most or weight + row.weight > _CHARACTERS):
            yield chunk
            chunk, weight = [], 0
        chunk.append([asdict(row), row.digest("")])
        weight += row.weight
    if chunk:
        yield chunk


class TryCounter:
    """Counts how often the checking of something began and did not end, whichever actor it died with."""

    def __init__(self) -> None:
        self._begun: Counter[str] = Counter()

    def begin(self, what: str) -> int:
        """How often it began by now."""
        self._begun[what] += 1
        return self._begun[what]

    def end(self, what: str) -> None:
        """It is checked."""
        self._begun.pop(what, None)


class CheckingActor:
    """Checks chunks of rows with a worker process of its own.

    Args:
        tries: the actor that counts tries.
        settings, has_base, command: as the pool has them.
        folder: from where relative paths of the settings are meant; where the node has it.
        version: of the package that started the run.
    """

    def __init__(
        self,
        tries: Any,
        settings: dict[str, Any],
        has_base: bool,
        command: Sequence[str] | None,
        folder: str,
        version: str,
    ) -> None:
        self._tries, self._version = tries, version
        if Path(folder).is_dir():
            os.chdir(folder)
        self._pool = Pool(settings, workers=1, threads=1, has_base=has_base, command=command)

    def __call__(self, chunk: dict[str, Any]) -> dict[str, str]:
        """What is found of a chunk; an error that no other row would fare better with is told, not raised."""
        try:
            if self._version != __version__:
                raise ConfigError(
                    f"version {__version__} is installed there, and {self._version} started the run"
                )
            told: dict[str, Any] = {"rows": self._checked(json.loads(chunk["rows"]))}
        except VerifierError as error:
            told = _stop(error, f" (on {socket.gethostname()})")
        return {"found": json.dumps(told)}

    def _checked(self, told: dict[str, Any]) -> list[Found]:
        """The rows of a chunk; of one that an actor has died with, each row is watched by itself."""
        if "stop" in told:
            raise error_of(**told["stop"])
        rows = [(Row(**row), digest) for row, digest in told["rows"]]
        chunk = f"chunk {rows[0][0].number}"
        check = self._outcome if self._count("begin", chunk) == 1 else self._watched
        found = [(row.number, digest, check(row)) for row, digest in rows]
        self._count("end", chunk)
        return found

    def _outcome(self, row: Row) -> Outcome:
        return self._pool.submit(row).result()

    def _watched(self, row: Row) -> Outcome:
        name = f"row {row.number}"
        if self._count("begin", name) > _DEATHS:
            outcome = error_record("worker", f"the actor that checked it was ended, {_DEATHS + 1} times")
        else:
            outcome = self._outcome(row)
        self._count("end", name)
        return outcome

    def _count(self, method: str, what: str) -> Any:
        return require("ray", extra="ray").get(getattr(self._tries, method).remote(what))


def found_in(chunk: str) -> Iterator[Found]:
    """What an actor has found of a chunk.

    Raises:
        VerifierError: what it, or the reading, says no other row would fare better with.
    """
    told = json.loads(chunk)
    if "stop" in told:
        raise error_of(**told["stop"])
    yield from told["rows"]


def _stop(error: VerifierError, where: str = "") -> dict[str, Any]:
    return {"rows": [], "stop": {"kind": type(error).__name__, "message": f"{error}{where}"}}
