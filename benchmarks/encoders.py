"""Speed of encoders against ``SentenceTransformer.encode``, and the distance between int8 and float.

``python -m benchmarks.encoders [--lengths 16,64,256] [--threads 1] [--set healthver] [--output FILE]``

The peer has the published weights in float32 and the same number of threads. Rounds of all contestants alternate,
each on texts of its own, and the best round of each counts. With one thread the processor's time is measured, so that
other work on the machine does not count; with more, the clock. Agreement is measured on a retrieval set of
``$VERIFIER_DATA``, where there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer
from verifier_backends.encoders import EmbeddedEncoder, HashingEncoder, StaticEncoder

from benchmarks.retrieval import load_set
from training.__main__ import encoder_folder
from verifier.core.models import embedded_model

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
PEER = "SentenceTransformer.encode"
ROUNDS = 3
TOKENS_A_ROUND = {PEER: 8192, "minilm": 8192, "static": 262_144, "hashing": 65_536}


def contestants(threads: int) -> dict[str, Encode]:
    """Name -> a function that encodes texts."""
    torch.set_num_threads(threads)
    peer = SentenceTransformer(str(encoder_folder(None)), device="cpu")

    def published(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(peer.encode(list(texts), normalize_embeddings=True, show_progress_bar=False))

    return {
        PEER: published,
        "minilm": EmbeddedEncoder(threads=threads).encode,
        "static": StaticEncoder().encode,
        "hashing": HashingEncoder().encode,
    }


def texts_of(words: Sequence[str], length: int, count: int, seed: int) -> list[str]:
    """Texts of ``length`` tokens, special ones included, in words of one token each, the common ones more often."""
    rng = np.random.default_rng(seed)
    ranks = np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), size=(count, length - 2), p=(1 / ranks) / (1 / ranks).sum())
    return [" ".join(words[place] for place in row) for row in drawn]


def rates(
    running: Mapping[str, Encode], words: Sequence[str], length: int, clock: Callable[[], float]
) -> dict[str, float]:
    """Texts a second of each contestant, the best of alternating rounds, on fresh texts in each round."""
    best = dict.fromkeys(running, 0.0)
    for seed in range(ROUNDS + 1):
        for name, encode in running.items():
            texts = texts_of(words, length, TOKENS_A_ROUND[name] // length, seed)
            if seed == 0:
                encode(texts[:16])
                continue
            started = clock()
            encode(texts)
            best[name] = max(best[name], len(texts) / (clock() - started))
    return best


Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Of queries and of passages."""


def closeness(exact: Vectors, other: Vectors) -> dict[str, float]:
    """How near vectors and rankings are to exact ones: cosines, first ten shared, first place alike."""
    cosines = np.concatenate([(a * b).sum(axis=1) for a, b in zip(exact, other, strict=True)])
    tops = [np.argsort(-(queries @ passages.T), axis=1)[:, :10] for queries, passages in (exact, other)]
    shared = [len(set(a) & set(b)) / 10 for a, b in zip(*tops, strict=True)]
    return {
        "mean cosine": float(cosines.mean()),
        "lowest cosine": float(cosines.min()),
        "first ten shared": float(np.mean(shared)),
        "same first": float(np.mean(tops[0][:, 0] == tops[1][:, 0])),
    }


def _words() -> list[str]:
    """Words of one token each, in the vocabulary's order: about the commonest first."""
    folder = embedded_model("verifier_backends", "minilm")
    if folder is None:
        raise FileNotFoundError("this installation has no embedded encoder minilm")
    vocabulary = Tokenizer.from_file(str(folder.tokenizer)).get_vocab()
    return sorted(
        (word for word in vocabulary if word.isascii() and word.isalpha()), key=vocabulary.__getitem__
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lengths", default="16,64,256")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--data", default=os.environ.get("VERIFIER_DATA"), help="holds retrieval/<set>/")
    parser.add_argument("--set", default="healthver", help="set to measure the agreement on")
    parser.add_argument("--output", type=Path, help="write the figures there as JSON")
    given = parser.parse_args()
    running, words, console = contestants(given.threads), _words(), Console(width=110)
    clock = time.process_time if given.threads == 1 else time.perf_counter
    table = Table("tokens", title=f"texts a second, {given.threads} thread(s) (and times {PEER})")
    for name in running:
        table.add_column(name, justify="right")
    stored: dict[str, Any] = {"texts a second": {}}
    for length in map(int, given.lengths.split(",")):
        found = rates(running, words, length, clock)
        stored["texts a second"][length] = found
        table.add_row(str(length), *(f"{rate:,.0f} ({rate / found[PEER]:.2f})" for rate in found.values()))
    console.print(table)
    if given.data:
        data = load_set(Path(given.data) / "retrieval" / given.set)
        texts = [item.text for item in data.items[:600]]
        queries = list(data.queries.values())[:300]
        exact, own = ((running[name](queries), running[name](texts)) for name in (PEER, "minilm"))
        stored["agreement"] = closeness(exact, own)
        console.print(f"minilm (int8) against {PEER} (float) on {given.set}:")
        for name, value in stored["agreement"].items():
            console.print(f"  {name}: {value:.4f}")
    else:
        console.print("agreement not measured: give --data or set VERIFIER_DATA")
    if given.output:
        given.output.parent.mkdir(parents=True, exist_ok=True)
        given.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
