"""Options -> rows of a knowledge base in PostgreSQL: processor time of client and server, and disk, a passage."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import answer
from benchmarks.databases import PostgresServer, missing, server_for
from benchmarks.fleet.fits import line
from benchmarks.fleet.growth import OF_AN_ANSWER, ingested, sentences, verified
from benchmarks.fleet.rows import Options, Row, not_run
from verifier.config import load
from verifier.factory import open_store

__all__ = ["CLAIM", "CLIENT", "DISK", "INGEST", "PASSAGES", "SERVER", "rows"]

BASES = (1_000, 2_000, 4_000)
ANSWERS = 6

INGEST = "base in PostgreSQL, processor time of ingest, a passage"
CLAIM = "base in PostgreSQL, processor time of a claim"
CLIENT, SERVER = "ours, in the client", "ours, in PostgreSQL"
PASSAGES = "base in PostgreSQL, passages"
DISK = "base in PostgreSQL, disk of a passage"


def rows(options: Options) -> Iterator[Row]:
    """The figures, or why there are none."""
    if options.data is None:
        yield not_run(CLAIM, "ours", "needs the evaluation data (--data or VERIFIER_DATA)")
        return
    if why := missing("pgvector-half"):
        yield not_run(CLAIM, "ours", why)
        return
    with server_for("pgvector-half") as server:
        assert server
        yield from _measured(options.data / "retrieval", server, options.passages)


def _measured(folder: Path, server: PostgresServer, most: int) -> Iterator[Row]:
    bases = [count for count in BASES if count <= most] or [most]
    settings = {"kb.path": server.url, "backend": {"type": "pgvector", "precision": "half"}}
    documents = answer.documents(folder, bases[-1])
    conditions = f"{bases[-1]:,} passages; pgvector, HNSW, half precision; minilm, all signals"
    disk, here, there = [], 0.0, server.cpu_seconds()
    for before, count in zip([0, *bases], bases, strict=False):
        with open_store(load(overrides=settings).settings, create=True) as store:
            here += ingested(store, documents[before:count])
        disk.append((float(count), server.disk_mib()))
    spent = server.cpu_seconds() - there
    yield Row(PASSAGES, "ours", float(bases[-1]), "", conditions)
    yield Row(INGEST, CLIENT, 1000 * here / bases[-1], "ms", conditions)
    yield Row(INGEST, SERVER, 1000 * spent / bases[-1], "ms", conditions)
    if len(disk) > 2:
        fit = line(disk)
        yield Row(DISK, "ours", 1024 * fit.slope, "KiB", conditions, error=1024 * fit.error)
    yield from _claims(folder, settings, server, conditions)


def _claims(folder: Path, settings: dict[str, Any], server: PostgresServer, conditions: str) -> Iterator[Row]:
    left, before = sentences(folder), server.cpu_seconds()
    found, _ = verified(settings, [" ".join(islice(left, OF_AN_ANSWER)) for _ in range(ANSWERS)])
    claims = max(1, sum(one.claims for one in found))
    yield Row(CLAIM, CLIENT, 1000 * sum(one.cpu_s for one in found) / claims, "ms", conditions)
    yield Row(CLAIM, SERVER, 1000 * (server.cpu_seconds() - before) / claims, "ms", conditions)
