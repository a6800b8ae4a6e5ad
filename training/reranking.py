"""Choose how much each reranker counts beside the search, by held-back claims.

A development set has the premises of one training set as passages and held-back claims as queries; a claim's evidence
is the premises that entail or contradict it. Nothing of ``eval/`` or ``retrieval/`` is in them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from verifier_backends.base import VectorBackend
from verifier_backends.evaluation import ndcg_at
from verifier_backends.fusion import min_max
from verifier_backends.rerankers import Reranker, stretched
from verifier_backends.types import Item
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from training.data import (
    HELD_BACK_PERCENT,
    Pair,
    assemble,
    claim_hash,
    held_out_claims,
    held_out_texts,
    is_held_back,
    read_training,
)
from training.relevance import with_relevance

__all__ = [
    "Candidates",
    "DevelopmentSet",
    "NLIReranker",
    "Weighed",
    "candidates",
    "development_sets",
    "weighed",
    "write_temperature",
]

SETS = (
    "fever_nli.dev",
    "redocred_claims.dev",
    "multirc_qa.train",
    "boolq_qa.val",
    "evidence_inference.train",
    "scifact_rte.train",
    "semiauto_sim_wiki.train",
    "lingnli.dev",
)
WEIGHTS = tuple(round(0.05 * step, 2) for step in range(21))
TEMPERATURES = (1.0, 2.0, 4.0)


@dataclass(frozen=True)
class DevelopmentSet:
    """Passages, claims, and which passages are evidence for or against which claim."""

    name: str
    items: list[Item]
    queries: dict[str, str]
    relevance: dict[str, dict[str, int]]


def development_sets(data: Path, seed: int, claims: int, passages: int) -> Iterator[DevelopmentSet]:
    """A set for each of :data:`SETS`, of at most so many claims and about so many passages."""
    pairs = assemble(
        map(with_relevance, read_training(data, seed)), held_out_claims(data), held_out_texts(data)
    )
    for name in SETS:
        own = [pair for pair in pairs if pair.source == name]
        if own:
            yield _development_set(name, own, random.Random(f"{seed}/{name}"), claims, passages)


def _development_set(
    name: str, pairs: Sequence[Pair], rng: random.Random, claims: int, passages: int
) -> DevelopmentSet:
    evidence: dict[str, dict[str, int]] = {}
    for pair in pairs:
        if pair.relevant:
            evidence.setdefault(pair.hypothesis, {})[claim_hash(pair.premise)] = 1
    back = sorted(
        {pair.hypothesis for pair in pairs if pair.relevant and is_held_back(pair.premise, HELD_BACK_PERCENT)}
    )
    asked = rng.sample(back, min(claims, len(back)))
    texts = {claim_hash(pair.premise): pair.premise for pair in pairs}
    needed = {doc_id for claim in asked for doc_id in evidence[claim]}
    others = sorted(set(texts) - needed)
    kept = needed | set(rng.sample(others, min(max(passages - len(needed), 0), len(others))))
    return DevelopmentSet(
        name,
        [Item(doc_id, texts[doc_id]) for doc_id in sorted(kept)],
        dict(_numbered(asked)),
        {query: evidence[claim] for query, claim in _numbered(asked)},
    )


def _numbered(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((f"q{at}", text) for at, text in enumerate(texts))


class NLIReranker(Reranker):
    """How likely the NLI model does not call the pair neutral."""

    def __init__(self, model: str | None) -> None:
        self.signal = NLISignal(model, cache_size=0)

    @property
    def identity(self) -> str:
        """The model's."""
        return f"not-neutral:{self.signal.fingerprint}"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """``1 - P(neutral)``."""
        scores = self.signal.score([TextPair(text, query) for text in texts])
        return np.array([1.0 - score.features["neutral"] for score in scores])


@dataclass(frozen=True)
class Candidates:
    """What a search found for one query, best first, with its own scores and each reranker's."""

    ids: list[str]
    grades: Mapping[str, int]
    first: NDArray[np.float64]
    read: Mapping[str, NDArray[np.float64]]

    def ndcg(self, weight: float, reranker: str, temperature: float) -> float:
        """nDCG@10 of the blend that the ``reranked`` backend makes."""
        share = np.clip(self.read[reranker], 1e-7, 1 - 1e-7)
        softened = 1.0 / (1.0 + (1.0 / share - 1.0) ** (1.0 / temperature))
        blend = weight * np.array(stretched(softened.tolist())) + (1.0 - weight) * self.first
        order = sorted(range(len(self.ids)), key=lambda at: (-blend[at], self.ids[at]))
        return ndcg_at(10, [self.ids[at] for at in order], dict(self.grades))


def candidates(
    backend: VectorBackend,
    data: DevelopmentSet,
    rerankers: Mapping[str, Reranker],
    top_n: int,
) -> list[Candidates]:
    """Each query's first ``top_n`` hits, read by every reranker."""
    backend.add_many(data.items)
    found = []
    for query, hits in zip(data.queries, backend.query_many(list(data.queries.values()), top_n), strict=True):
        ids, texts = [hit["id"] for hit in hits], [hit["text"] for hit in hits]
        normal = min_max({hit["id"]: hit["score"] for hit in hits})
        read = {name: reranker.score(data.queries[query], texts) for name, reranker in rerankers.items()}
        found.append(
            Candidates(ids, data.relevance[query], np.array([normal[doc_id] for doc_id in ids]), read)
        )
    return found


@dataclass(frozen=True)
class Weighed:
    """The best blend of one reranker with the search, over all sets."""

    reranker: str
    weight: float
    temperature: float
    search: float
    """nDCG@10 of the search alone, the mean of the sets."""
    alone: float
    """Of the reranker alone, over the same candidates."""
    blended: float


def weighed(found: Mapping[str, Sequence[Candidates]], reranker: str) -> Weighed:
    """The weight and temperature with the highest mean nDCG@10; of equal ones, the least weight."""

    def mean(weight: float, temperature: float) -> float:
        sets = [[one.ndcg(weight, reranker, temperature) for one in own] for own in found.values() if own]
        return float(np.mean([np.mean(own) for own in sets]))

    tried = {(weight, t): mean(weight, t) for t in TEMPERATURES for weight in WEIGHTS}
    weight, temperature = max(tried, key=lambda at: (round(tried[at], 4), -at[0]))
    return Weighed(
        reranker, weight, temperature, tried[0.0, 1.0], tried[1.0, 1.0], tried[weight, temperature]
    )


def write_temperature(folder: Path, found: float) -> None:
    """Soften the relevance of a model folder by the temperature found on top of the one it has."""
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    config["relevance_temperature"] = float(config.get("relevance_temperature", 1.0)) * found
    path.write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
