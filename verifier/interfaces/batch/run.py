"""Run a batch: every row checked once, in order, and a summary."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.core.onnx import available_cores
from verifier.interfaces.batch.inputs import raw_rows
from verifier.interfaces.batch.output import Output, opened_output
from verifier.interfaces.batch.pool import Pool, Record
from verifier.interfaces.batch.rows import Refused, Row, checked_rows
from verifier.interfaces.batch.summary import Summary
from verifier.interfaces.processes import threads_each
from verifier.knowledge.files import discover
from verifier.knowledge.records import Progress

__all__ = ["count_rows", "run_batch"]

_AHEAD = 8
"""Rows for each worker that may be under way or wait to be written behind a slow one."""

_WEIGHT = 40_000_000
"""Characters of all of these together."""

_OF_NO_VERDICT: Any = {"kb": {"path", "shared"}, "server": True, "gate": True, "stream": True, "cache": True}


def run_batch(
    settings: Settings,
    source: Path,
    output: Path,
    *,
    has_base: bool,
    workers: int | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    total: int | None = None,
    ignored: Callable[[str, str], None] = lambda _name, _reason: None,
    command: Sequence[str] | None = None,
) -> Summary:
    """Check every row of ``source`` and write a record of each to ``output``, in order, as JSON lines.

    Whenever it ends, also by a kill, the output holds whole records of the first rows. A row that cannot be checked is
    a record with its error; what no row could be checked with is raised, and nothing is written of those rows.

    Args:
        settings: the whole configuration.
        source: as :func:`raw_rows` reads it.
        output: made; or where ``resume`` is set and it is there, gone on with.
        has_base: whether there is a knowledge base for rows that bring no contexts.
        workers: processes; as many as there are cores by default, at most 8.
        resume: go on behind what is there.
        progress: told of rows that are written, stage ``rows``.
        total: how many rows there are, for ``progress``.
        ignored: told of files of a folder that are left out.
        command: how a worker is started.

    Raises:
        ConfigError: the input or the output cannot be used, or what is there was made from other rows.
        VerifierError: the configuration or the knowledge base cannot be used.
    """
    workers = workers or available_cores()
    raws = raw_rows(source, ignored)  # what it is not read from is told before an output is made
    summary = Summary()
    with opened_output(output, resume=resume) as out:
        rows = _remaining(checked_rows(raws), out, summary, base_of(settings))
        dumped = settings.whole()
        threads = threads_each(workers)
        with Pool(dumped, workers=workers, threads=threads, has_base=has_base, command=command) as pool:
            for record in _records(rows, pool, most=_AHEAD * workers):
                out.append(record)
                summary.add(record)
                if progress is not None:
                    progress("rows", summary.rows, total)
    return summary


def count_rows(source: Path) -> int:
    """How many rows there are, good and bad; reads all of a file, and counts the files of a folder."""
    if source.is_dir():
        return sum(not found.ignored for found in discover([source]))
    return sum(1 for _ in raw_rows(source))


def base_of(settings: Settings) -> str:
    """Names a configuration by what records depend on."""
    return hashlib.sha256(settings.model_dump_json(exclude=_OF_NO_VERDICT).encode()).hexdigest()


_Pending = tuple[Row | Refused, str]
"""A row with its digest."""


def _remaining(rows: Iterable[Row | Refused], out: Output, summary: Summary, base: str) -> Iterator[_Pending]:
    """The rows of which there is no record yet, behind those that have one.

    Raises:
        ConfigError: a record is of another row, or was made under another configuration.
    """
    kept = _Ahead(out.kept())
    for row in rows:
        digest = row.digest(base)
        record = kept.take()
        if record is not None and record["digest"] != digest:
            if not kept.ended or record.get("error", {}).get("kind") != "row":
                raise ConfigError(
                    f"row {row.number} is not the one that the output has: the input or the configuration has "
                    "changed; choose another output"
                )
            out.forget_last()  # the end of an input that was cut short then
            record = None
        if record is None:
            yield row, digest
            continue
        summary.add(record)
        summary.resumed += 1
    if not kept.ended:
        raise ConfigError(
            "the output has more rows than the input: the input has changed; choose another output"
        )


class _Ahead:
    """Records, of which it is known whether there is another one."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self._next = next(records, None)

    @property
    def ended(self) -> bool:
        return self._next is None

    def take(self) -> Record | None:
        taken, self._next = self._next, None if self._next is None else next(self._records, None)
        return taken


def _records(rows: Iterable[_Pending], pool: Pool, *, most: int) -> Iterator[Record]:
    """The records of the rows in order; only so many rows, and so many characters, are held at a time."""
    held: deque[tuple[_Pending, Future[Record]]] = deque()
    weight = 0
    for pending in rows:
        held.append((pending, _begun(pending[0], pool)))
        weight += pending[0].weight
        while len(held) >= most or (weight > _WEIGHT and held):
            weight -= held[0][0][0].weight
            yield _finished(*held.popleft())
    while held:
        yield _finished(*held.popleft())


def _begun(row: Row | Refused, pool: Pool) -> Future[Record]:
    if isinstance(row, Row):
        return pool.submit(row)
    settled: Future[Record] = Future()
    settled.set_result({"error": {"kind": "row", "message": row.reason}})
    return settled


def _finished(pending: _Pending, future: Future[Record]) -> dict[str, Any]:
    row, digest = pending
    return {"row": row.number, "id": row.id, "digest": digest, **future.result()}
