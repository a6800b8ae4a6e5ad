"""Retrieval quality: recall@5, recall@20 and nDCG@10 of each row's backend on each set in BEIR layout.

``VERIFIER_DATA=<data> python -m benchmarks.retrieval [--rows bm25,static,...] [--sets fm2_dev,...] [--output FILE]
[--reranker FOLDER[,weight=...,top_n=...]] [--queries N]``

A row is a ``[backend]`` table of the configuration (``rows``); to measure another backend, add its table.
``reranked`` is the hybrid of the default encoder, read again by the default reranker; ``--reranker`` adds the row
``reranked by <folder>``: the same, read again by the model in that folder.
What an encoder makes of a set is kept under ``build/retrieval``, by the encoder's identity, so that rows share it and
a second run asks the encoder nothing. Speed is measured elsewhere (``benchmarks.encoders``, ``benchmarks.search``).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from verifier_backends.base import VectorBackend
from verifier_backends.embedding import EmbeddingBackend
from verifier_backends.encoders import Encoder
from verifier_backends.evaluation import ndcg_at, recall_at
from verifier_backends.types import Item

from training.__main__ import encoder_folder
from training.data import read_rows
from verifier.factory import build_backend

DEPTH = 20
COLUMNS = ("recall@5", "recall@20", "nDCG@10")
KEPT = Path("build") / "retrieval"
KEPT_TOKENS = 1 << 21
"""Of passages read again: those of a whole set, so that none is read for each claim anew."""
SETS = ("fm2_dev", "healthver", "cranfield")
"""Those measured by default; wice_dev, of 38,563 passages, takes a transformer five to ten minutes on one core."""


def reranking(given: str) -> dict[str, Any]:
    """The table of the backend ``reranked``, without its ``inner``, from ``FOLDER[,OPTION=NUMBER...]``.

    Raises:
        ValueError: an option is no number.
    """
    folder, *options = given.split(",")
    numbers = {name: json.loads(value) for name, _, value in (option.partition("=") for option in options)}
    return {"type": "reranked", "reranker": {"type": "embedded", "model": folder}, **numbers}


def rows(by_folder: dict[str, Any] | None = None) -> dict[str, dict[str, Any]]:
    """Name of a row -> the ``[backend]`` table that it measures; ``by_folder`` (``reranking``) adds one more."""
    try:
        folder = str(encoder_folder(None))
    except FileNotFoundError:
        folder = "sentence-transformers/all-MiniLM-L6-v2"
    encoders: dict[str, Any] = {
        "hashing": "hashing",
        "static": "static",
        "minilm": "minilm",
        "published": {"type": "sentence-transformers", "model": folder},
    }
    alone = {name: {"type": "memory", "encoder": table} for name, table in encoders.items()}
    fused = {f"hybrid {name}": {"type": "hybrid", "dense": table} for name, table in alone.items()}
    late = {"type": "late", "kept_tokens": KEPT_TOKENS}
    reranked: dict[str, dict[str, Any]] = {"reranked": {"type": "reranked", "reranker": late}}
    if by_folder is not None:
        reranked[f"reranked by {Path(by_folder['reranker']['model']).name}"] = by_folder
    over = {name: {**table, "inner": fused["hybrid minilm"]} for name, table in reranked.items()}
    return {"bm25": {"type": "bm25"}, **alone, **fused, "colbert": {"type": "colbert"}, **over}


@dataclass(frozen=True)
class RetrievalSet:
    """Passages, queries, and which passages answer which query."""

    items: list[Item]
    queries: dict[str, str]
    relevance: dict[str, dict[str, int]]


def load_set(folder: Path, queries: int | None = None) -> RetrievalSet:
    """Read ``corpus.jsonl.xz``, ``queries.jsonl.xz`` and ``qrels.tsv``; a passage is its title and text.

    Args:
        folder: holds the set.
        queries: how many are asked, the same ones each time; all by default.
    """
    passages = read_rows(folder / "corpus.jsonl.xz")
    items = [
        Item(row["_id"], text)
        for row in passages
        if (text := (row["text"] if row["text"].startswith(row["title"]) else _titled(row)).strip())
    ]
    relevance: dict[str, dict[str, int]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            relevance.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    relevance = {query: grades for query, grades in relevance.items() if max(grades.values()) > 0}
    asked = sorted(relevance, key=lambda query: hashlib.sha256(query.encode()).digest())[:queries]
    relevance = {query: relevance[query] for query in asked}
    texts = {row["_id"]: row["text"] for row in read_rows(folder / "queries.jsonl.xz")}
    return RetrievalSet(items, {query: texts[query] for query in relevance}, relevance)


def _titled(row: dict[str, str]) -> str:
    return f"{row['title']}\n{row['text']}"


class KeptEncoder:
    """An encoder whose vectors are remembered in a file: what it once made of a text is not made again."""

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        self._encoder = encoder
        self._path = folder / f"{hashlib.sha256(encoder.identity.encode()).hexdigest()[:16]}.npz"
        self._vectors: dict[str, NDArray[np.float32]] = {}
        if self._path.is_file():
            with np.load(self._path, allow_pickle=False) as stored:
                self._vectors = dict(zip(stored["names"].tolist(), stored["vectors"], strict=True))

    @property
    def identity(self) -> str:
        """The encoder's own."""
        return self._encoder.identity

    @property
    def dimension(self) -> int:
        """The encoder's own."""
        return self._encoder.dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The encoder's rows, from memory where there are some."""
        names = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24] for text in texts]
        missing = {name: text for name, text in zip(names, texts, strict=True) if name not in self._vectors}
        if missing:
            made = self._encoder.encode(list(missing.values()))
            self._vectors.update(zip(missing, made, strict=True))
        return np.array([self._vectors[name] for name in names], dtype=np.float32)

    def keep(self) -> None:
        """Write all that is remembered to the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(
            self._path, names=np.array(list(self._vectors)), vectors=np.array(list(self._vectors.values()))
        )


def encoding_parts(backend: VectorBackend) -> Iterator[EmbeddingBackend]:
    """The backends with an encoder among ``backend`` and all that it is composed of."""
    if isinstance(backend, EmbeddingBackend):
        yield backend
    for value in vars(backend).values():
        inner = value.values() if isinstance(value, Mapping) else [value]
        for part in inner:
            if isinstance(part, VectorBackend):
                yield from encoding_parts(part)


def figures(backend: VectorBackend, data: RetrievalSet, folder: Path) -> dict[str, float]:
    """Index the passages, ask all queries, and say how well it went; vectors are kept in ``folder``."""
    kept: dict[str, KeptEncoder] = {}
    for part in encoding_parts(backend):
        encoder = kept.setdefault(part.encoder.identity, KeptEncoder(part.encoder, folder))
        # The one place where a benchmark reaches into a backend, so that every composition shares what is kept.
        part._encoder = encoder  # type: ignore[attr-defined]
    for start in range(0, len(data.items), 1024):
        backend.add_many(data.items[start : start + 1024])
        for encoder in kept.values():
            encoder.keep()
    found = backend.query_many(list(data.queries.values()), DEPTH)
    for encoder in kept.values():
        encoder.keep()
    rankings = [[hit["id"] for hit in hits] for hits in found]
    grades = [data.relevance[query] for query in data.queries]
    measures = ((recall_at, 5), (recall_at, DEPTH), (ndcg_at, 10))
    return {
        column: float(np.mean([measure(k, *pair) for pair in zip(rankings, grades, strict=True)]))
        for column, (measure, k) in zip(COLUMNS, measures, strict=True)
    }


def line(name: str, row: str, found: Mapping[str, float]) -> str:
    """One line of the table."""
    return f"{name:12}{row:20}" + "".join(f"{found[column]:12.3f}" for column in COLUMNS)


def main() -> int:
    """Print the table; 2 if there is no data."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", default=os.environ.get("VERIFIER_DATA"), help="holds retrieval/<set>/")
    parser.add_argument("--rows", help="comma-separated; all by default")
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated, or all")
    parser.add_argument("--queries", type=int, metavar="N", help="ask N queries of each set; all by default")
    parser.add_argument(
        "--reranker",
        type=reranking,
        metavar="FOLDER[,OPTION=NUMBER...]",
        help="add a row: a model folder with an output relevance, and options of the backend reranked",
    )
    parser.add_argument("--output", type=Path, help="write the figures there as JSON")
    args = parser.parse_args()
    if not args.data:
        print("no data: give --data or set VERIFIER_DATA", file=sys.stderr)
        return 2
    known = rows(args.reranker)
    asked = args.rows.split(",") if args.rows else list(known)
    if unknown := [row for row in asked if row not in known]:
        parser.error(f"unknown rows {', '.join(unknown)}; known: {', '.join(known)}")
    sets = (*SETS, "wice_dev") if args.sets == "all" else tuple(args.sets.split(","))
    print(f"{'set':12}{'backend':20}" + "".join(f"{column:>12}" for column in COLUMNS))
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name in sets:
        data = load_set(Path(args.data) / "retrieval" / name, args.queries)
        table[name] = {}
        for row in asked:
            table[name][row] = figures(build_backend(known[row]), data, KEPT / name)
            print(line(name, row, table[name][row]), flush=True)
    for row in asked:
        mean = {column: float(np.mean([table[name][row][column] for name in sets])) for column in COLUMNS}
        table.setdefault("mean", {})[row] = mean
        print(line("mean", row, mean))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
