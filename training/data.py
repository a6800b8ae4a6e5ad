"""The training mix: which sets it has, how many rows of each, and at what weight.

A row of the mix is a :class:`Pair`. Nothing whose claim occurs in ``eval/`` or among the queries of ``retrieval/``
enters it, nor any premise of ``eval/`` or passage of ``retrieval/``: :func:`held_out_claims` and :func:`held_out_texts`
give their hashes, :func:`assemble` drops what matches.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import random
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from verifier.core.text import sentence_spans

__all__ = [
    "CAPS",
    "HELD_BACK_PERCENT",
    "LEFT_OUT",
    "Pair",
    "assemble",
    "claim_hash",
    "data_folder",
    "held_out_claims",
    "held_out_texts",
    "is_held_back",
    "narrowed",
    "read_rows",
    "read_set",
    "read_training",
    "set_names",
    "weight_of",
]


class Pair(NamedTuple):
    """One training or evaluation row."""

    premise: str
    hypothesis: str
    label: str
    """``entailment``, ``neutral``, ``contradiction`` or ``not_entailment`` (one of the last two, unknown which)."""
    source: str
    """Name of the set, or ``synthetic/<rule>``."""
    relevant: bool | None = None
    """Whether the premise is evidence for or against the hypothesis; ``None`` where that is not known."""
    taught: tuple[float, float, float] | None = None
    """What a teacher says: probabilities of entailment, neutral and contradiction (:mod:`training.teacher`)."""


@dataclass(frozen=True)
class Cap:
    """How much of a set is used. ``weight`` multiplies its rows' loss; ``reason`` goes into the model card."""

    rows: int
    weight: float
    reason: str


CAPS = {
    "hans_generated.train": Cap(4000, 1.0, "templated syntax"),
    "breaking_nli.test": Cap(2500, 0.7, "templated, 87% contradiction"),
    "semantic_fragments.train": Cap(5000, 0.7, "templated logic"),
    "redocred_claims.dev": Cap(6000, 1.0, "templated claims"),
    "redocred_claims.test": Cap(6000, 1.0, "templated claims"),
    "snli.dev": Cap(7000, 0.8, "captions, hypothesis artefacts"),
    "snli.test": Cap(7000, 0.8, "captions, hypothesis artefacts"),
    "infotabs.train": Cap(5000, 0.7, "tables, hypothesis artefacts"),
    "tabfact_pairs.train": Cap(2000, 0.5, "tables: arithmetic beyond this model"),
    "help_conj.train": Cap(2500, 0.7, "templated monotonicity"),
    "med.test": Cap(3000, 0.7, "monotonicity"),
    "entailmentbank.train": Cap(6000, 0.8, "neutral rows are made by dropping a premise"),
    "boolq_qa.val": Cap(6540, 0.7, "templated question and answer"),
    "multirc_qa.train": Cap(24000, 0.7, "templated question and answer"),
    "evidence_inference.train": Cap(5700, 0.8, "templated claims"),
    "nli4ct.train": Cap(600, 0.5, "section-level premises"),
    "dnc_factuality.dev": Cap(800, 0.5, "recast, hypothesis artefacts"),
    "dnc_factuality.test": Cap(800, 0.5, "recast, hypothesis artefacts"),
    "dnc_sentiment.train": Cap(800, 0.5, "recast"),
    "dnc_sentiment.dev": Cap(200, 0.5, "recast"),
    "dnc_puns.dev": Cap(300, 0.3, "recast, hypothesis artefacts"),
    "dnc_puns.test": Cap(300, 0.3, "recast, hypothesis artefacts"),
    "dnc_kg_relations.dev": Cap(1200, 0.5, "recast"),
    "dnc_verbnet.train": Cap(500, 0.5, "recast, hypothesis artefacts"),
}
"""Sets of which only a part is used. Every other set is used whole, at weight 1."""

LEFT_OUT = {
    "tabfact_lemma.val": "hypotheses are lemmatised",
    "tabfact_lemma.test": "hypotheses are lemmatised",
    "joci.all": "weak ordinal labels",
}
"""Sets that are not used, and why."""

IRRELEVANT_WEIGHT = 0.5
"""Of passages that are no evidence, as NLI pairs: they are easy, and a few of the close ones may be evidence."""

HELD_BACK_PERCENT = 2
"""Premises of the data sets that are kept for development, with all their pairs."""


def data_folder(given: Path | None = None) -> Path:
    """The folder with ``train/``, ``eval/`` and ``retrieval/``: ``given``, else the variable ``VERIFIER_DATA``.

    Raises:
        FileNotFoundError: neither is set, or the folder has no ``train/``.
    """
    named = given or (Path(os.environ["VERIFIER_DATA"]) if os.environ.get("VERIFIER_DATA") else None)
    if named is None:
        raise FileNotFoundError("name the data folder: --data DIR, or the environment variable VERIFIER_DATA")
    if not (named / "train").is_dir():
        raise FileNotFoundError(f"{named} has no folder train/")
    return named


def set_names(folder: Path) -> list[str]:
    """Names (``<set>.<split>``) of the sets in one folder, sorted."""
    return sorted(path.name.removesuffix(".jsonl.xz") for path in folder.glob("*.jsonl.xz"))


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a ``.jsonl`` or ``.jsonl.xz`` file."""
    with (
        lzma.open(path, "rt", encoding="utf-8")
        if path.suffix == ".xz"
        else path.open(encoding="utf-8") as lines
    ):
        for line in lines:
            yield json.loads(line)


def read_set(folder: Path, name: str) -> list[Pair]:
    """All pairs of one set, in file order."""
    rows = read_rows(folder / f"{name}.jsonl.xz")
    return [Pair(row["premise"], row["hypothesis"], row["label"], name) for row in rows]


def claim_hash(claim: str) -> str:
    """The same for two claims that differ only in case, spacing, punctuation or Unicode form."""
    plain = unicodedata.normalize("NFKC", claim).casefold()
    return hashlib.sha256(" ".join(re.findall(r"\w+", plain)).encode()).hexdigest()[:24]


def held_out_claims(data: Path) -> frozenset[str]:
    """Hashes of every claim in ``eval/`` and every query in ``retrieval/``."""
    claims = [
        row["hypothesis"]
        for name in set_names(data / "eval")
        for row in read_rows(data / "eval" / f"{name}.jsonl.xz")
    ]
    for path in sorted((data / "retrieval").glob("*/queries.jsonl*")):
        claims.extend(row["text"] for row in read_rows(path))
    return frozenset(map(claim_hash, claims))


def held_out_texts(data: Path) -> frozenset[str]:
    """Hashes of every premise in ``eval/`` and every passage in ``retrieval/``, with its title and without."""
    texts = [
        row["premise"]
        for name in set_names(data / "eval")
        for row in read_rows(data / "eval" / f"{name}.jsonl.xz")
    ]
    for path in sorted((data / "retrieval").glob("*/corpus.jsonl*")):
        for row in read_rows(path):
            texts += [row["text"], f"{row['title']} {row['text']}"]
    return frozenset(map(claim_hash, texts))


def is_held_back(text: str, percent: int) -> bool:
    """Whether what bears this text is among the ``percent`` in [0, 100] of its kind that are kept for development.

    Decided by :func:`claim_hash`, so that it never changes.
    """
    return int(claim_hash(text), 16) % 100 < percent


def read_training(data: Path, seed: int) -> Iterator[Pair]:
    """Rows of every used set: at most its cap, evenly over its labels, the same rows for the same seed."""
    for name in set_names(data / "train"):
        if name in LEFT_OUT:
            continue
        pairs = read_set(data / "train", name)
        random.Random(f"{seed}/{name}").shuffle(pairs)
        yield from _even(pairs, CAPS[name].rows) if name in CAPS else pairs


def _even(pairs: list[Pair], limit: int) -> list[Pair]:
    """The first ``limit`` pairs, the labels as even as the set allows."""
    by_label: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_label.setdefault(pair.label, []).append(pair)
    taken: list[Pair] = []
    for left, group in zip(range(len(by_label), 0, -1), sorted(by_label.values(), key=len), strict=True):
        taken.extend(group[: (limit - len(taken)) // left])
    return taken


def narrowed(pair: Pair) -> Pair:
    """The pair with a long premise cut down to the sentences that share most words with the hypothesis, in order.

    To 90 words, one time in five to 200: most windows are short, but long ones must be read, too. Running text only:
    the rows of a table mean nothing without each other.
    """
    most_words = 200 if int(claim_hash(pair.premise + pair.hypothesis), 16) % 5 == 0 else 90
    if len(pair.premise.split()) <= most_words or "\n" in pair.premise:
        return pair
    wanted = set(re.findall(r"\w{3,}", pair.hypothesis.casefold()))
    sentences = [pair.premise[start:end] for start, end in sentence_spans(pair.premise)]
    shared = [len(wanted & set(re.findall(r"\w{3,}", sentence.casefold()))) for sentence in sentences]
    kept: set[int] = set()
    room = most_words
    for index in sorted(range(len(sentences)), key=lambda index: (-shared[index], index)):
        if len(sentences[index].split()) <= room:
            kept.add(index)
            room -= len(sentences[index].split())
    return pair._replace(premise=" ".join(sentences[index] for index in sorted(kept)))


def weight_of(source: str) -> float:
    """The loss weight of a row from this set."""
    if source.startswith("irrelevant/"):
        return IRRELEVANT_WEIGHT
    return CAPS[source].weight if source in CAPS else 1.0


def assemble(
    pairs: Iterable[Pair], held_out: Collection[str], held_out_premises: Collection[str] = frozenset()
) -> list[Pair]:
    """``pairs`` without empty texts, repetitions, held-out claims and held-out premises, in order."""
    seen: set[tuple[str, str]] = set()
    kept: list[Pair] = []
    for pair in pairs:
        claim = claim_hash(pair.hypothesis)
        key = (claim_hash(pair.premise), claim)
        if claim in held_out or key[0] in held_out_premises or key in seen:
            continue
        if not pair.premise.strip() or not pair.hypothesis.strip():
            continue
        seen.add(key)
        kept.append(pair)
    return kept
