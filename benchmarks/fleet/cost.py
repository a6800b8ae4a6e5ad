"""What a fleet would cost: the figures of a run and named assumptions -> cores, memory, disks and servers.

    python -m benchmarks.fleet.cost build/bench.json [--passages 1e9] [--answers 1e6] [--claims 8] ...

The passages lie in PostgreSQL with pgvector, in shards by namespace, each in the memory of a server; workers verify
against them. Every line of the table says what it is made of, so that a reader can put other figures in.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from benchmarks.fleet import database, growth
from benchmarks.fleet.rows import Run

__all__ = ["Assumed", "Estimate", "Measured", "estimate", "main", "measured", "table"]

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures of a run. Processor times in seconds, sizes in bytes.

    Attributes:
        answer: time of an answer beside its claims, with a knowledge base in a folder.
        claim: time of a claim there.
        scan: time of a claim for each passage that an exact local index compares.
        memory_of_folder: of a process, for each passage of such an index.
        claim_in_client: time of a claim, its share of the answer included, with a knowledge base in PostgreSQL.
        claim_in_server: the same in PostgreSQL.
        ingest: time of a passage, in the client and in PostgreSQL.
        disk: of a passage in PostgreSQL, with its index.
        database_passages: in the database whose claims were measured.
    """

    answer: float
    claim: float
    scan: float
    memory_of_folder: float
    claim_in_client: float
    claim_in_server: float
    ingest: float
    disk: float
    database_passages: float


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is not measured here, each with a value that can be given instead."""

    passages: float = 1e9
    answers: float = 1e6
    claims: float = 8
    peak: float = 3
    load: float = 0.6
    cores: float = 32
    memory_gib: float = 256
    kept: float = 0.7
    copies: float = 2
    worker_mib: float = 600
    changed: float = 0.001


TOLD = {
    "passages": "passages in all",
    "answers": "answers a day",
    "claims": "claims an answer",
    "peak": "the busiest hour, times the mean",
    "load": "share of a core's time that is used then",
    "cores": "cores of a server",
    "memory_gib": "GiB of memory of a server",
    "kept": "share of a database server's memory for tables and graph, which lie in it whole",
    "copies": "copies of each shard, which share its readers",
    "worker_mib": "MiB of a worker of its own",
    "changed": "share of the passages that changes in a day",
}
"""Assumption -> what it is."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the fleet needs; sizes in bytes.

    Attributes:
        rate: answers a second in the busiest hour.
        stored: all passages once.
        shard: passages of one.
        search_growth: how many times longer the graph of a shard is searched than the measured one.
        scan: seconds of one claim over all passages by the exact local index.
    """

    rate: float
    verify_cores: float
    verify_servers: int
    stored: float
    shard: float
    shards: int
    search_growth: float
    search_cores: float
    database_servers: int
    disk: float
    first_ingest_core_days: float
    daily_ingest_cores: float
    scan: float


def measured(run: Run) -> Measured:
    """The figures that the estimate needs.

    Raises:
        ValueError: one of them is not in the run; the message names it.
    """
    client, server = (
        _figure(run, database.CLAIM, system) / 1000 for system in (database.CLIENT, database.SERVER)
    )
    ingest = sum(_figure(run, database.INGEST, system) for system in (database.CLIENT, database.SERVER))
    return Measured(
        answer=max(0.0, _figure(run, growth.WITHOUT_CLAIMS, "ours") / 1000),
        claim=_figure(run, growth.PER_CLAIM, "ours") / 1000,
        claim_in_client=client,
        claim_in_server=server,
        ingest=ingest / 1000,
        disk=_figure(run, database.DISK, "ours") * 1024,
        memory_of_folder=_figure(run, growth.MEMORY, "ours") * 1024,
        scan=max(0.0, _figure(run, growth.PASSAGES, "ours")) / 1000 / 100_000,
        database_passages=_figure(run, database.PASSAGES, "ours"),
    )


def _figure(run: Run, what: str, system: str) -> float:
    found = [row.figure for row in run.rows if (row.what, row.system) == (what, system) and row.at is None]
    if not found or found[0] is None:
        raise ValueError(f"the run has no figure of {what!r} ({system}): run the part again")
    return found[0]


def estimate(figures: Measured, given: Assumed) -> Estimate:
    """The fleet for what is assumed."""
    rate = given.answers / _DAY * given.peak
    verify_cores = rate * given.claims * figures.claim_in_client / given.load
    room = given.memory_gib * 2**30 * given.kept
    shard = min(given.passages, room / figures.disk)
    shards = math.ceil(given.passages / shard)
    # A search in a graph of n nodes visits about log n of them (Malkov and Yashunin, arXiv 1603.09320, section 4.2.1).
    growing = max(1.0, math.log(shard) / math.log(figures.database_passages))
    search_cores = rate * given.claims * figures.claim_in_server * growing / given.load
    stored = given.passages * figures.disk
    return Estimate(
        rate=rate,
        verify_cores=verify_cores,
        verify_servers=math.ceil(max(verify_cores / given.cores, _by_memory(verify_cores, given))),
        stored=stored,
        shard=shard,
        shards=shards,
        search_growth=growing,
        search_cores=search_cores,
        database_servers=max(math.ceil(search_cores / given.cores), math.ceil(shards * given.copies)),
        disk=stored * given.copies,
        first_ingest_core_days=given.passages * figures.ingest / _DAY,
        daily_ingest_cores=given.passages * given.changed * figures.ingest / _DAY / given.load,
        scan=figures.scan * given.passages,
    )


def _by_memory(workers: float, given: Assumed) -> float:
    """Servers that hold a worker for each core in use."""
    return math.ceil(workers) * given.worker_mib / 1024 / given.memory_gib


def table(figures: Measured, given: Assumed, found: Estimate) -> str:
    """The estimate as a table of Markdown: what, how it is made, how much."""
    lines = ["| | from | |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in _rows(figures, given, found)]
    return "\n".join(lines)


def _rows(figures: Measured, given: Assumed, found: Estimate) -> Iterator[tuple[str, str, str]]:
    yield from _measured_rows(figures, given)
    for one in fields(given):
        yield TOLD[one.name], "assumed", _plain(getattr(given, one.name))
    yield "answers a second in the busiest hour", "answers / 86,400 s × peak", _plain(found.rate)
    yield (
        "**cores to verify**",
        "rate × claims × a claim in the client / load",
        f"**{found.verify_cores:,.0f}**",
    )
    yield (
        "**servers to verify**",
        "by cores, or by the memory of their workers",
        f"**{found.verify_servers:,}**",
    )
    yield "stored once", "passages × disk of a passage", _size(found.stored)
    yield "passages of a shard", "memory of a server × share / disk of a passage", _plain(found.shard)
    yield "shards", "passages / passages of a shard, rounded up", f"{found.shards:,}"
    yield "a search takes longer by", "log(shard) / log(passages measured)", f"{found.search_growth:.2f}"
    yield (
        "**cores to search**",
        "rate × claims × a claim in the server × longer / load; each claim asks one shard",
        f"**{found.search_cores:,.0f}**",
    )
    yield "**database servers**", "shards × copies, or by cores", f"**{found.database_servers:,}**"
    yield (
        "**memory of these**",
        "servers × memory",
        f"**{_size(found.database_servers * given.memory_gib * 2**30)}**",
    )
    yield "**disks**", "stored once × copies, without logs and backups", f"**{_size(found.disk)}**"
    yield "first ingest, core days", "passages × ingest", f"{found.first_ingest_core_days:,.0f}"
    yield (
        "cores for what changes",
        "passages × share × ingest / 86,400 s / load",
        _plain(found.daily_ingest_cores),
    )
    yield (
        "without shards and graph: one claim over all passages, by the exact local index",
        "passages × scan of a passage",
        f"{found.scan:,.0f} s, and {_size(given.passages * figures.memory_of_folder)} of memory",
    )


def _measured_rows(figures: Measured, given: Assumed) -> Iterator[tuple[str, str, str]]:
    one_worker = 1 / (figures.answer + given.claims * figures.claim)
    yield "processor time of an answer, beside its claims", "measured", f"{1000 * figures.answer:.3g} ms"
    yield "of a claim, knowledge base in a folder", "measured", f"{1000 * figures.claim:.3g} ms"
    yield f"answers of {given.claims:g} claims a second of a core, folder", "from these", _plain(one_worker)
    yield "of a claim, in a client of PostgreSQL", "measured", f"{1000 * figures.claim_in_client:.3g} ms"
    yield "of a claim, in PostgreSQL", "measured", f"{1000 * figures.claim_in_server:.3g} ms"
    yield "of ingest, a passage, client and PostgreSQL", "measured", f"{1000 * figures.ingest:.3g} ms"
    yield "disk of a passage in PostgreSQL", "measured", f"{figures.disk:,.0f} bytes"


def _plain(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def _size(size: float) -> str:
    """Bytes in TB or GB.

    >>> _size(2.5e12), _size(3e9)
    ('2.5 TB', '3 GB')
    """
    return f"{size / 1e12:,.3g} TB" if size >= 1e12 else f"{size / 1e9:,.3g} GB"


def main(given: Sequence[str] | None = None) -> int:
    """Print the estimate; 2 where the file has no such figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fleet.cost",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="figures of python -m benchmarks.fleet")
    for one in fields(Assumed):
        parser.add_argument(f"--{one.name}", type=float, default=one.default, help=TOLD[one.name])
    asked = parser.parse_args(given)
    assumed = Assumed(**{one.name: getattr(asked, one.name) for one in fields(Assumed)})
    if low := [one.name for one in fields(Assumed) if not getattr(assumed, one.name) > 0]:
        parser.error(f"--{low[0]} must be above 0")
    try:
        figures = measured(Run.read(asked.file))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(table(figures, assumed, estimate(figures, assumed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
