"""Run a batch: every row checked once by an engine, in order, and a summary."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.interfaces.batch.engine import Engine, Pending
from verifier.interfaces.batch.output import Output, opened_output
from verifier.interfaces.batch.rows import Refused, Row
from verifier.interfaces.batch.source import Source
from verifier.interfaces.batch.summary import Summary
from verifier.knowledge.records import Progress

__all__ = ["base_of", "run_batch"]

_OF_NO_VERDICT: Any = {"kb": {"path", "shared"}, "server": True, "gate": True, "stream": True, "cache": True}

_Record = dict[str, Any]


def run_batch(
    settings: Settings,
    source: Source,
    output: Path,
    *,
    engine: Engine,
    resume: bool = False,
    progress: Progress | None = None,
    total: int | None = None,
    ignored: Callable[[str, str], None] = lambda _name, _reason: None,
) -> Summary:
    """Check every row of ``source`` and write a record of each to ``output``, in order, as JSON lines.

    Whenever it ends, also by a kill, the output holds whole records of the first rows. A row that cannot be checked is
    a record with its error; what no row could be checked with is raised, and nothing is written of those rows.

    Args:
        settings: the whole configuration.
        source: the rows.
        output: made; or where ``resume`` is set and it is there, gone on with.
        engine: what has the rows checked.
        resume: go on behind what is there.
        progress: told of rows that are written, stage ``rows``.
        total: how many rows there are, for ``progress``.
        ignored: told of files of a folder that are left out.

    Raises:
        ConfigError: the input or the output cannot be used, or what is there was made from other rows.
        VerifierError: the configuration or the knowledge base cannot be used.
    """
    rows = source.rows(ignored)  # what it is not read from is told before an output is made
    summary = Summary()
    with opened_output(output, resume=resume) as out:
        pending = _remaining(rows, out, summary, base_of(settings))
        with closing(engine.outcomes(pending)) as outcomes:
            for (row, digest), outcome in outcomes:
                record = {"row": row.number, "id": row.id, "digest": digest, **outcome}
                out.append(record)
                summary.add(record)
                if progress is not None:
                    progress("rows", summary.rows, total)
    return summary


def base_of(settings: Settings) -> str:
    """Names a configuration by what records depend on."""
    return hashlib.sha256(settings.model_dump_json(exclude=_OF_NO_VERDICT).encode()).hexdigest()


def _remaining(rows: Iterable[Row | Refused], out: Output, summary: Summary, base: str) -> Iterator[Pending]:
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

    def __init__(self, records: Iterator[_Record]) -> None:
        self._records = records
        self._next = next(records, None)

    @property
    def ended(self) -> bool:
        return self._next is None

    def take(self) -> _Record | None:
        taken, self._next = self._next, None if self._next is None else next(self._records, None)
        return taken
