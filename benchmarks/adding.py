"""Ingest a base, add a little to it, search it: processor time and peak memory, a process for each.

``python -m benchmarks.adding [--sizes 10000,20000,40000] [--more 200] [--times 1] [--dimension 1024] [--copies 1]``:
``hybrid`` over the ``hashing`` encoder, which is almost free, so that what is not the encoder shows. Documents have
four paragraphs of made-up words, Zipf-distributed, and give two passages each. ``add s`` and ``search s`` are the
processor's time of a whole process, its imports included: to open the base and ingest ``--more`` passages, or to open
it and ask once. With ``--times``, so many such processes follow each other, and the row has the median and the longest.

With ``--copies``, the base is first made so many times as large, without encoding: each document again under other ids,
in a part of the index of its own, all of which are then merged into one (``merge s``, ``merge MiB``). The copies are
not in the full-text search of the database, which an addition does not read.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.index.items import StoredItems, hashed, line_of, write_items
from verifier_backends.index.parts import PARTS, open_parts
from verifier_backends.index.records import Records
from verifier_backends.index.storage import writing
from verifier_backends.memory import InMemoryBackend

from benchmarks.memory import peak_mib
from verifier.knowledge.index import folder_bytes, indexes
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

_PARAGRAPHS, _WORDS, _VOCABULARY = 4, 60, 300_000
_PASSAGES = 2
"""What nearly every document of so many paragraphs and words is cut into."""


def documents(first: int, number: int) -> Iterator[Document]:
    """So many documents, the same for the same numbers."""
    for place in range(first, first + number):
        drawn = np.minimum(np.random.default_rng(place).zipf(1.3, size=(_PARAGRAPHS, _WORDS)), _VOCABULARY)
        paragraphs = [" ".join(f"w{word:05d}" for word in row) + f" d{place}." for row in drawn]
        yield Document(f"{place}.md", f"/base/{place}.md", "\n\n".join(paragraphs))


def opened(kb: Path, dimension: int) -> GroundTruthStore:
    """The base, made where there is none."""
    return GroundTruthStore(backend_of(dimension), kb, create=True)


def backend_of(dimension: int) -> HybridBackend:
    """An empty backend."""
    return HybridBackend(InMemoryBackend(HashingEncoder(dimension=dimension)), BM25Backend())


def ingested(kb: Path, dimension: int, first: int, number: int) -> dict[str, Any]:
    """Ingest so many documents, and say how many passages that were."""
    with opened(kb, dimension) as store:
        return {"passages": store.ingest(documents(first, number)).passages_added}


def searched(kb: Path, dimension: int, first: int, number: int) -> dict[str, Any]:
    """Ask for a word of one document; true where it is found first."""
    with opened(kb, dimension) as store:
        found = store.retrieve_context(f"d{first + number - 1}", top_k=1)
        return {"found": found[0].source == f"{first + number - 1}.md"}


def multiplied(kb: Path, dimension: int, first: int, number: int) -> dict[str, Any]:
    """Make the base ``number`` times as large, ``first`` being its documents."""
    with closing(sqlite3.connect(kb / "knowledge.sqlite3")) as connection, connection:
        for copy in range(1, number):
            for statement in _COPIED:
                connection.execute(statement, {"copy": f"-{copy}", "rows": copy * 2 * _PASSAGES * first})
    (files,) = indexes(kb)
    generation = files.generation()
    stamp = files.stamp(generation) if generation is not None else None
    if generation is None or stamp is None:
        raise SystemExit("the base has no index")
    backend = backend_of(dimension)
    with tempfile.TemporaryDirectory(dir=kb) as folder:
        whole = Path(folder, "data")
        with writing(whole, backend.identity):
            for name, part in backend.parts.items():
                with writing(whole / name, part.identity):
                    copied(generation / "data" / name, whole / name, number)
        backend.attach(whole)
        files.save(backend, replace(stamp, count=backend.count()))
    return {"passages": backend.count()}


def copied(old: Path, new: Path, copies: int) -> None:
    """Write the parts of an index several times, under other ids; what is searched in them is the same."""
    listed = []
    for copy in range(copies):
        for part in open_parts(old)[0]:
            folder = new / f"{len(listed) + 1:06d}"
            folder.mkdir()
            lines = [
                line_of(
                    item.doc_id.replace(":", f"-{copy}:") if copy else item.doc_id, item.text, item.metadata
                )
                for item in Records.of_parts([StoredItems.open(part.folder)]).items()
            ]
            hashes = [hashed(json.loads(line)[0]) for line in lines]
            lengths = np.array([len(line) for line in lines])
            write_items(folder, lines, lengths, np.array(hashes, dtype=np.uint64))
            for path in part.folder.iterdir():
                if not (folder / path.name).exists():
                    os.link(path, folder / path.name)
            listed.append((folder.name, part.size))
    (new / PARTS).write_text(json.dumps(listed), encoding="ascii")


_COPIED = (
    """INSERT INTO documents SELECT id + :rows, doc_id || :copy, namespace, content_hash, chunking, media_type, title,
    pages, metadata, characters, text FROM documents WHERE doc_id NOT LIKE '%-%'""",
    """INSERT INTO sources SELECT namespace, uri || :copy, source || :copy, document + :rows FROM sources
    WHERE uri NOT LIKE '%-%'""",
    """INSERT INTO passages SELECT id + :rows, replace(passage_id, ':', :copy || ':'), document + :rows, revision,
    start_at, end_at, page, headings, context, text FROM passages WHERE passage_id NOT LIKE '%-%:%'""",
)

_WORK = {"ingest": ingested, "search": searched, "multiply": multiplied}


def alone(work: str, kb: Path, dimension: int, first: int, number: int) -> dict[str, Any]:
    """What a process of its own says of a piece of work."""
    command = [sys.executable, "-m", "benchmarks.adding", "--work", work, "--kb", str(kb)]
    command += ["--dimension", str(dimension), "--first", str(first), "--number", str(number)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    row: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return row


def measured(size: int, args: argparse.Namespace, kb: Path) -> dict[str, Any]:
    """The row of a base of so many passages."""
    dimension, times = args.dimension, args.times
    number, extra = size // _PASSAGES, args.more // _PASSAGES
    built = alone("ingest", kb, dimension, 0, number)
    merged = {}
    if args.copies > 1:
        whole = alone("multiply", kb, dimension, number, args.copies)
        merged = {"passages": whole["passages"], "merge_s": whole["cpu_s"], "merge_MiB": whole["peak_MiB"]}
    added = [alone("ingest", kb, dimension, number + turn * extra, extra) for turn in range(times)]
    asked = alone("search", kb, dimension, 0, number + times * extra)
    if not asked["found"] or any(row["passages"] < extra for row in added):
        raise SystemExit("the base does not hold what was ingested")
    return {
        "passages": built["passages"],
        "ingest_ms_a_passage": 1000 * built["cpu_s"] / built["passages"],
        "ingest_MiB": built["peak_MiB"],
        **merged,
        "add_s": median(row["cpu_s"] for row in added),
        "longest_add_s": max(row["cpu_s"] for row in added),
        "add_MiB": max(row["peak_MiB"] for row in added),
        "search_s": asked["cpu_s"],
        "search_MiB": asked["peak_MiB"],
        "index_MiB": folder_bytes(kb / "index") / 2**20,
    }


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,20000,40000", help="numbers of passages")
    parser.add_argument("--more", type=int, default=200, help="passages that are added")
    parser.add_argument("--times", type=int, default=1, help="how often they are")
    parser.add_argument("--dimension", type=int, default=1024, help="of the vectors")
    parser.add_argument("--copies", type=int, default=1, help="how often the base is written")
    parser.add_argument("--work", choices=_WORK, help=argparse.SUPPRESS)
    for inner, kind in (("--kb", Path), ("--first", int), ("--number", int)):
        parser.add_argument(inner, type=kind, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        row = _WORK[args.work](args.kb, args.dimension, args.first, args.number)
        print(json.dumps({**row, "cpu_s": time.process_time(), "peak_MiB": peak_mib()}))
        return
    for size in map(int, args.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            row = measured(size, args, Path(folder, "kb"))
        print(" ".join(f"{key}={value:.4g}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
