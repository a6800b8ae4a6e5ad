"""Find what is missing, wrong or not found in a knowledge base, given what must be in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from benchmarks.trust.lives import Expected, Texts, opened, word_of
from verifier.core.errors import KnowledgeBaseNotFound
from verifier.knowledge.store import GroundTruthStore

__all__ = ["found_wrong", "look", "stored"]


def look(kb: Path, kind: str, wanted: Expected, *, tidy: bool) -> tuple[list[str], Texts]:
    """What is wrong with a knowledge base after a life, and what is stored in it now.

    Args:
        kb: the knowledge base.
        kind: of the backend.
        wanted: what must be there.
        tidy: also remove what is not needed, and look again.
    """
    try:
        with opened(kb, kind) as store:
            texts = stored(store)
            wrong = _stored_wrong(texts, wanted) + found_wrong(store, texts)
            if store.passage_count() != len(texts):
                wrong.append(f"{store.passage_count()} passages are counted of {len(texts)} documents")
            if tidy:
                store.gc()
                wrong += found_wrong(store, texts)
                wrong += [f"{left} was not swept" for left in kb.rglob(".unfinished-*")]
            return wrong, texts
    except KnowledgeBaseNotFound:  # it was killed before there was one
        return _stored_wrong({}, wanted), {}


def stored(store: GroundTruthStore) -> Texts:
    """The text of each document by its name."""
    return {one["sources"][0]["source"]: one["text"] for one in store.export()}


def _stored_wrong(texts: Texts, wanted: Expected) -> list[str]:
    names = {*texts, *wanted.certain, *wanted.doubtful}
    return [
        f"{name} is {texts.get(name)!r}; it must be {wanted.doubtful.get(name) or wanted.certain.get(name)!r}"
        for name in sorted(names)
        if not wanted.allows(name, texts.get(name))
    ]


def found_wrong(store: GroundTruthStore, texts: Mapping[str, str]) -> list[str]:
    """The documents that a search for the word which only they say does not bring up by the index, and first."""
    answers = store.retrieve([word_of(text) for text in texts.values()], top_k=1)
    firsts = [(hits[0].source, hits[0].retrieved_by) if hits else None for hits in answers]
    return [
        f"{name} is not found, but {first}"
        for name, first in zip(texts, firsts, strict=True)
        if first != (name, "vector")
    ]
