"""A random life of a knowledge base: ingests, prunes, deletions, reindexes and gcs, each told as it happens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from verifier_backends.base import VectorBackend
from verifier_backends.bm25 import BM25Backend
from verifier_backends.chroma import ChromaBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend

from benchmarks.trust.forks import Tell
from verifier.knowledge import intake, live
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

__all__ = ["BACKENDS", "Texts", "document", "expected", "live_on", "opened", "small_steps", "uri", "word_of"]

BACKENDS = ("memory", "hybrid", "chroma")
"""The local backends: mapped into memory, the default, and Chroma in this process."""

Texts = dict[str, str]
"""The text of each document by its name."""

_NAMES, _GROUPS = 60, 4
_AT_ONCE = 16
_OPERATIONS = ("ingest", "ingest", "ingest", "delete", "prune", "reindex", "gc")


def small_steps(documents: int) -> None:
    """Commit so few documents at a time, and save the index after each: as many moments to be killed in as can be."""
    intake._BATCH_DOCUMENTS = documents
    live._SAVE_EVERY, live._SAVE_SHARE = 0.0, 1  # type: ignore[misc]


def backend(kind: str) -> VectorBackend:
    """An empty backend over an encoder that needs no model."""
    encoder = HashingEncoder()
    if kind == "chroma":
        return ChromaBackend(encoder)
    memory = InMemoryBackend(encoder)
    return HybridBackend(memory, BM25Backend()) if kind == "hybrid" else memory


def opened(kb: Path, kind: str, **options: Any) -> GroundTruthStore:
    """The knowledge base over a backend of that kind."""
    return GroundTruthStore(backend(kind), kb, remake=lambda: backend(kind), **options)


def word_of(text: str) -> str:
    """The word that stands in this text of ``document`` alone."""
    return text.removesuffix(".").rpartition(" ")[2]


def document(name: str, version: int) -> Document:
    """A version of the document of that name; each says a word that no other says."""
    word = hashlib.sha256(f"{name}/{version}".encode()).hexdigest()[:10]
    return Document(name, uri(name), f"The note {name} tells of the item q{word}.")


def uri(name: str) -> str:
    """Where it was found: one of some folders."""
    return f"/group-{int(name) % _GROUPS}/{name}"


@dataclass
class Expected:
    """What a life leaves: what is certain, and what each document that was being worked on may be."""

    certain: Texts
    doubtful: dict[str, set[str | None]] = field(default_factory=dict)

    def allows(self, name: str, text: str | None) -> bool:
        """Whether that may be stored under that name; ``None`` is nothing."""
        return text in self.doubtful.get(name, {self.certain.get(name)})


def expected(before: Mapping[str, str], told: Iterable[Any]) -> Expected:
    """What must be there after a life of which this was told."""
    certain, pending = dict(before), {}
    for line in told:
        if "begin" in line:
            pending = line["begin"]
        done = list(pending)[: line["done"]] if "done" in line else list(pending) if "end" in line else []
        for name in done:
            _settle(certain, name, pending[name])
        pending = {} if "end" in line else pending
    doubtful = {name: {certain.get(name), text} for name, text in pending.items()}
    return Expected(certain, doubtful)


def _settle(certain: Texts, name: str, text: str | None) -> None:
    if text is None:
        certain.pop(name, None)
    else:
        certain[name] = text


def live_on(kb: Path, kind: str, seed: int, known: Texts, tell: Tell) -> None:
    """Work on the knowledge base until killed, telling before each operation what it will do, and after it that.

    Args:
        kb: made if there is none.
        kind: of ``BACKENDS``.
        seed: decides the operations.
        known: what is stored.
        tell: is given ``{"begin": {name: text or None}}``, ``{"done": documents}`` and ``{"end": operation}``.
    """
    small_steps(4)
    random, texts = Random(seed), dict(known)
    with opened(
        kb, kind, create=True, progress=lambda stage, n, _: tell({"done": n}) if stage == "ingest" else None
    ) as store:
        while True:
            operation = random.choice(_OPERATIONS)
            change = _planned(operation, random, texts)
            tell({"begin": {name: None if doc is None else doc.text for name, doc in change.items()}})
            _done(store, operation, change, texts)
            for name, doc in change.items():
                _settle(texts, name, None if doc is None else doc.text)
            tell({"end": operation})


def _planned(operation: str, random: Random, texts: Texts) -> dict[str, Document | None]:
    """The documents that the operation stores, and those that it removes."""
    if operation == "ingest":
        names = random.sample(range(_NAMES), random.randint(1, _AT_ONCE))
        return {str(name): document(str(name), random.getrandbits(32)) for name in names}
    if operation == "delete" and texts:
        return {random.choice(sorted(texts)): None}
    if operation == "prune":
        group = random.randrange(_GROUPS)
        return {
            name: None for name in sorted(texts) if int(name) % _GROUPS == group and random.random() < 0.5
        }
    return {}


def _done(
    store: GroundTruthStore, operation: str, change: Mapping[str, Document | None], texts: Texts
) -> None:
    if operation == "ingest":
        store.ingest([doc for doc in change.values() if doc is not None])
    elif operation == "reindex":
        store.reindex()
    elif operation == "gc":
        store.gc()
    elif operation == "delete":
        for name in change:
            store.delete(name)
    elif change:
        folder = uri(next(iter(change))).rpartition("/")[0]
        store.prune([folder], [uri(name) for name in texts if name not in change])
