"""Grow a base from one end to the other, add a little to it, search it: processor time and memory, a process each.

``python -m benchmarks.adding [--sizes 10000,100000] [--more 100,200] [--times 1] [--folder DIR]``

The store, its database, chunking, index of words and the default index, ``hybrid``, are the real ones. The encoder is
not: it makes vectors of the shipped one's dimension and type at nearly no cost, so that everything else shows.
Documents have four paragraphs of sentences whose words are drawn by Zipf's law from the vocabulary of the shipped
encoder, and give two passages each. One base grows from size to size, and each row is of the process that brought it
there.

``own_ms`` is the processor's time for a passage, ``add_N_s`` and ``search_s`` that of a whole process, its imports
included, which opens the base and ingests so many passages, or asks once; all without the encoder and without making up
the documents. With ``--times``, as many processes add, and the row has the median and the longest. ``encoder_ms`` is
what the shipped encoder takes for a passage of these, in one thread, and ``share`` is its part of both, that is, the
throughput of an ingest as a share of the encoder's own. ``MiB`` is the peak of all memory, mapped files included;
``own_MiB`` is without pages of files, which the system can take back (looked at 20 times a second; Linux).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.encoders.folder import encoder_folder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend

from benchmarks.memory import peak_mib
from verifier.knowledge.chunk import chunk
from verifier.knowledge.index import folder_bytes
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

_DIMENSION = 384
"""Of the shipped encoder."""

_PARAGRAPHS, _SENTENCES, _WORDS, _VOCABULARY = 4, 5, 16, 300_000
_DIFFERENT = 100_000
"""Sentences of which the documents are made; a word of its own tells one document from the others."""

_PASSAGES = 2
"""What nearly every such document is cut into."""

_SAMPLE = 100
"""Documents whose passages the shipped encoder embeds."""

_EVERY = 0.05
"""Seconds between two looks at the memory."""


class StandIn:
    """Unit vectors at no cost: equal for texts that end in the same word, far from each other else."""

    identity = f"stand-in:{_DIMENSION}"
    dimension = _DIMENSION

    def __init__(self) -> None:
        self.seconds = 0.0
        drawn = np.random.default_rng(0).standard_normal((2, 4096, _DIMENSION), dtype=np.float32)
        self._drawn = drawn / np.float32(np.sqrt(2 * _DIMENSION))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, shape [n, dimension]."""
        started = time.process_time()
        codes = np.array(
            [zlib.crc32(text.split()[-1].strip(".").encode()) for text in texts], dtype=np.uint32
        )
        rows = self._drawn[0][codes % 4096] + self._drawn[1][codes // 4096 % 4096]
        vectors: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.seconds += time.process_time() - started
        return vectors


@cache
def vocabulary() -> Sequence[str]:
    """Words of the shipped encoder, the frequent ones first."""
    known = Tokenizer.from_file(str(encoder_folder("minilm", None).tokenizer)).get_vocab()
    return [
        word
        for word in sorted(known, key=known.__getitem__)
        if word.isascii() and word.isalpha() and word[1:]
    ]


def word(rank: int) -> str:
    """The word of that rank; beyond the vocabulary, two of them in one."""
    known = vocabulary()
    more, place = divmod(min(rank, _VOCABULARY), len(known))
    return known[place] + (known[more] if more else "")


@cache
def sentence(number: int) -> str:
    """One of the sentences."""
    ranks = np.random.default_rng(number).zipf(1.3, size=_WORDS).tolist()
    return " ".join(map(word, ranks)).capitalize() + "."


def documents(first: int, number: int) -> Iterator[Document]:
    """So many documents, the same for the same numbers."""
    for place in range(first, first + number):
        drawn = np.random.default_rng(place).integers(_DIFFERENT, size=(_PARAGRAPHS, _SENTENCES)).tolist()
        text = "\n\n".join(f"{' '.join(map(sentence, row))} This is d{place}." for row in drawn)
        yield Document(f"{place}.md", f"/base/{place}.md", text)


class Timed:
    """Documents and their encoder, with the seconds that both took, the vocabulary's reading included."""

    def __init__(self, first: int, number: int) -> None:
        started = time.process_time()
        vocabulary()
        self.encoder, self._made = StandIn(), documents(first, number)
        self._seconds = time.process_time() - started

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        started = time.process_time()
        try:
            return next(self._made)
        finally:
            self._seconds += time.process_time() - started

    @property
    def seconds(self) -> float:
        """So far."""
        return self._seconds + self.encoder.seconds


def opened(kb: Path, encoder: StandIn) -> GroundTruthStore:
    """The base, made where there is none."""
    return GroundTruthStore(HybridBackend(InMemoryBackend(encoder), BM25Backend()), kb, create=True)


def ingested(kb: Path, first: int, number: int) -> dict[str, Any]:
    """Ingest so many documents: how many passages that were, and the seconds that are not the store's."""
    made = Timed(first, number)
    with opened(kb, made.encoder) as store:
        passages = store.ingest(made).passages_added
    return {"passages": passages, "besides_s": made.seconds}


def searched(kb: Path, first: int, number: int) -> dict[str, Any]:
    """Ask for a word of one document; true where it is found first."""
    made = Timed(0, 0)
    with opened(kb, made.encoder) as store:
        found = store.retrieve_context(f"d{first + number - 1}", top_k=1)
        return {"found": found[0].source == f"{first + number - 1}.md", "besides_s": made.seconds}


def embedded(_: Path, first: int, number: int) -> dict[str, Any]:
    """What the shipped encoder takes for the passages of so many documents."""
    encoder = EmbeddedEncoder(threads=1)
    passages = [passage.text for one in documents(first, number) for passage in chunk(one)]
    encoder.encode(passages[:1])
    started = time.process_time()
    encoder.encode(passages)
    return {
        "encoder_ms": 1000 * (time.process_time() - started) / len(passages),
        "characters": sum(map(len, passages)) / len(passages),
        "besides_s": 0.0,
    }


_WORK = {"ingest": ingested, "search": searched, "embed": embedded}


def alone(work: str, kb: Path, first: int, number: int) -> dict[str, Any]:
    """What a process of its own says of a piece of work, and the most memory of its own that it had."""
    command = [sys.executable, "-m", "benchmarks.adding", "--work", work, "--kb", str(kb)]
    command += ["--first", str(first), "--number", str(number)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, _own_mib(process.pid))
        time.sleep(_EVERY)
    printed, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{work} ended with {process.returncode}")
    row: dict[str, Any] = {**json.loads(printed.splitlines()[-1]), "own_MiB": most}
    row["cpu_s"] -= row["besides_s"]
    print(work, row, file=sys.stderr, flush=True)
    return row


def _own_mib(pid: int) -> float:
    """MiB of a process that are no pages of files."""
    try:
        rows = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("RssAnon:")) / 1024
    except (OSError, StopIteration):  # it has just ended, or this is no Linux
        return 0.0


def measured(kb: Path, first: int, size: int, more: Sequence[int], times: int) -> tuple[dict[str, Any], int]:
    """The row of a base of so many passages, and how many documents it has in the end.

    Args:
        kb: where it lies.
        first: the number of documents that it has.
        size: passages that it is brought to.
        more: numbers of passages that are added.
        times: how often each is.
    """
    documents = max(size // _PASSAGES - first, 1)
    built = alone("ingest", kb, first, documents)
    embedding = alone("embed", kb, first, _SAMPLE)
    first += documents
    own = 1000 * built["cpu_s"] / built["passages"]
    row = {
        "passages": size,
        "ingested": built["passages"],
        "characters": embedding["characters"],
        "own_ms": own,
        "encoder_ms": embedding["encoder_ms"],
        "share": embedding["encoder_ms"] / (embedding["encoder_ms"] + own),
        **_memory("ingest", [built]),
        "database_MiB": sum(path.stat().st_size for path in kb.glob("knowledge.sqlite3*")) / 2**20,
        "index_MiB": folder_bytes(kb / "index") / 2**20,
    }
    for number in more:
        extra = number // _PASSAGES
        added = [alone("ingest", kb, first + turn * extra, extra) for turn in range(times)]
        first += times * extra
        if any(one["passages"] < extra for one in added):
            raise SystemExit("the base does not hold what was added")
        row |= {
            f"add_{number}_s": median(one["cpu_s"] for one in added),
            f"longest_add_{number}_s": max(one["cpu_s"] for one in added),
            **_memory(f"add_{number}", added),
        }
    asked = alone("search", kb, 0, first)
    if not asked["found"]:
        raise SystemExit("the base does not hold what was ingested")
    return {**row, "search_s": asked["cpu_s"], **_memory("search", [asked])}, first


def _memory(what: str, rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return {
        f"{what}_MiB": max(row["peak_MiB"] for row in rows),
        f"{what}_own_MiB": max(row["own_MiB"] for row in rows),
    }


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", default="10000,100000", help="numbers of passages that the base is brought to, ascending"
    )
    parser.add_argument("--more", default="100,200", help="passages that are added, each so often")
    parser.add_argument("--times", type=int, default=1, help="how often they are")
    parser.add_argument(
        "--folder", help="where the base is made and removed; the system's temporary one by default"
    )
    parser.add_argument("--work", choices=_WORK, help=argparse.SUPPRESS)
    for inner, kind in (("--kb", Path), ("--first", int), ("--number", int)):
        parser.add_argument(inner, type=kind, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        row = _WORK[args.work](args.kb, args.first, args.number)
        print(json.dumps({**row, "cpu_s": time.process_time(), "peak_MiB": peak_mib()}))
        return
    more, first = [int(number) for number in args.more.split(",")], 0
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        for size in map(int, args.sizes.split(",")):
            row, first = measured(Path(folder, "kb"), first, size, more, args.times)
            print(" ".join(f"{key}={value:.4g}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
