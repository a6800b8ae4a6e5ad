"""Write ``CARD.md`` of an encoder from its folder, the pairs that it learnt from and the stored figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.card import escaped, licences
from training.data import Pair

__all__ = ["write_card"]

INTRODUCTIONS = {
    "minilm": """# The embedded sentence encoder

Turns a text into a vector of its meaning, for search, relevance and self-consistency; its token vectors serve late
interaction. English. The weights are those of
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) (Apache-2.0), not trained further.

**Shape.** Six BERT layers of width 384. `input_ids` (1, tokens) in, token vectors (1, tokens, 384) out; the mean over
the tokens, at length 1, is the text's vector, as in sentence-transformers. Matrices are in dynamic int8, one scale an
output channel; word vectors in 4 bits, one scale for 32 values; positions in half precision.
""",
    "static": """# The embedded static encoder

Turns a text into a vector of its meaning by a table alone: the sum of its word pieces' vectors, at length 1. English.

**Shape.** One row a word piece, in 4 bits with one scale for 64 values. Each piece went through
[all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2) (Apache-2.0) by itself; the vectors
were reduced by principal components and weighed by rarity, a / (a + p) with a = 0.0001 (Arora et al. 2017). Then the
table was taught by gradient, with two losses: whole texts shall get the vector that MiniLM gives them (as Model2Vec's
successors do, Minish Lab 2024), and a claim shall be nearer to its evidence than to that of the other claims of its
batch and to what BM25 ranks high for it.
""",
}

FAILINGS = {
    "minilm": """## Where it fails

- Names, numbers and codes: two texts that differ in one figure are nearly the same to it. Search with it in a hybrid.
- Other languages than English; characters that its vocabulary lacks are read as one unknown token.
- A text longer than 256 tokens is read in windows, whose tokens' mean blurs what only one sentence says.
""",
    "static": """## Where it fails

- The order of words: "A sued B" and "B sued A" have one vector. So has a sentence and its denial, but for one word.
- A word has one vector, whatever it means where it stands.
- Words that neither MiniLM's vocabulary nor the training texts hold whole are the sum of their pieces.
- Other languages than English. A text without one known piece has no vector, and is found by keywords only.
- The mean of a long text blurs what only one sentence says.
""",
}


def write_card(folder: Path, pairs: Sequence[Pair], data: Path, results: Path) -> None:
    """Write ``CARD.md`` into an encoder's folder; ``pairs`` are those it learnt from, none if it was not trained."""
    name = folder.name
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    facts = ", ".join(f"{key} {value}" for key, value in config.items() if key != "fingerprint")
    parts = [INTRODUCTIONS[name], f"**This file.** {facts}.\n"]
    commands = (results / "commands.sh").read_text(encoding="utf-8").strip()
    parts += [f"## Made by\n\n```\n{commands}\n```\n", *_precision(name, results), *_judged(results)]
    parts += [*_data(pairs, data), FAILINGS[name]]
    (folder / "CARD.md").write_text("\n".join(parts), encoding="utf-8")


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _precision(name: str, results: Path) -> Iterator[str]:
    path = results / "precision.json"
    if name != "minilm" or not path.is_file():
        return
    stored = _read(path)
    yield "## What the precision costs\n"
    yield f"Against float32, on {stored['texts']} texts of the development pool, 100 of them asked for the others.\n"
    yield "| precision | size in MB | mean cosine | lowest cosine | first ten shared | same first |"
    yield "|---|---|---|---|---|---|"
    for row in stored["rows"]:
        cells = " | ".join(f"{value:.4f}" for key, value in row.items() if key not in ("precision", "size"))
        yield f"| {row['precision']} | {row['size'] / 1e6:.1f} | {cells} |"
    yield ""


def _judged(results: Path) -> Iterator[str]:
    path = results / "judge.json"
    if not path.is_file():
        return
    stored = _read(path)
    yield "## Figures on the development pool\n"
    yield f"{stored['passages']:,} passages that begin like none trained on, {stored['claims']:,} claims, each set"
    yield "counting alike. Hybrid: with BM25, by reciprocal ranks. The pool is of the sets that `static` was taught"
    yield "on, and flatters it: on the retrieval sets (`make evaluate`), which are of other kinds,"
    yield "it stays behind `minilm`.\n"
    yield "| encoder | recall@20 | nDCG@10 | hybrid recall@20 | hybrid nDCG@10 |\n|---|---|---|---|---|"
    for row in stored["rows"]:
        cells = " | ".join(
            f"{row[key]:.3f}"
            for key in ("recall_at_20", "ndcg_at_10", "hybrid_recall_at_20", "hybrid_ndcg_at_10")
        )
        yield f"| {row['encoder']} | {cells} |"
    yield ""


def _data(pairs: Sequence[Pair], data: Path) -> Iterator[str]:
    yield "## Trained on\n"
    if not pairs:
        yield "Nothing beyond what its source was trained on.\n"
        return
    counts = Counter(pair.source for pair in pairs)
    known = licences(data, sorted(counts))
    yield "P: permissive or share-alike, stated. U: unstated in the copy at hand. No text of them is packaged.\n"
    yield "| set | pairs | licence | origin |\n|---|---|---|---|"
    for name, (licence, origin) in known.items():
        yield f"| {name} | {counts[name]:,} | {licence} | {escaped(origin)} |"
    yield "\nNo claim of the evaluation sets or of the retrieval queries is among them (a test proves it by hash).\n"
