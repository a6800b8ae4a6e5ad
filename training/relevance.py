"""Label the relevance of premises, and pair claims with passages that are no evidence for them.

A premise that entails or contradicts a claim is evidence for it, whatever it says of it. Passages of *other* documents
are no evidence: close ones, by BM25 over the premises of the same set, and any others. A neutral premise of the claim's
own document counts as neither.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from verifier_backends.bm25 import BM25Backend
from verifier_backends.types import Item

from training.data import Pair, narrowed

__all__ = ["EVIDENCE_SETS", "with_relevance", "without_relevance"]

EVIDENCE_SETS: Mapping[str, float] = {
    "fever_nli.dev": 1.3,
    "fever_symmetric.dev": 1.0,
    "scifact_rte.train": 2.0,
    "evidence_inference.train": 0.7,
    "boolq_qa.val": 0.7,
    "multirc_qa.train": 0.7,
    "redocred_claims.dev": 0.7,
    "redocred_claims.test": 0.7,
    "rte.train": 1.0,
    "semiauto_base_wiki.train": 0.6,
    "semiauto_sim_wiki.train": 0.6,
    "semiauto_translate_wiki.train": 0.6,
    "lingnli.dev": 0.35,
    "lingnli.train": 0.35,
}
"""Sets whose premises are passages that a search could find, and how many irrelevant pairs are made for each of theirs.

Captions, facts of which several make one premise, and templates are left out: their close premises may be evidence.
"""

RANDOM_SHARE = 0.25
"""Of the irrelevant pairs, those with any passage; the others have one of the closest."""

DEPTH = 12
"""Of so many passages that BM25 finds for a claim, one is taken."""

MOST_SHARED = 0.4
"""A passage that shares more of its words with the claim's own premises tells of the same, and may be evidence."""


def with_relevance(pair: Pair) -> Pair:
    """The pair, marked relevant where its set and its label say so."""
    known = pair.source in EVIDENCE_SETS and pair.label in ("entailment", "contradiction")
    return pair._replace(relevant=True) if known else pair


def without_relevance(claims: Sequence[Pair], pool: Sequence[Pair], rows: int, seed: int) -> list[Pair]:
    """About ``rows`` pairs of a claim with a passage that is no evidence for it.

    Args:
        claims: whose hypotheses are asked.
        pool: whose premises are the passages, set by set.
        rows: how many, over all sets.
        seed: where chance comes from.
    """
    rng = random.Random(seed)
    wanted = [pair for pair in claims if pair.source in EVIDENCE_SETS]
    share = rows / max(sum(EVIDENCE_SETS[pair.source] for pair in wanted), 1.0)
    made: list[Pair] = []
    for name, weight in EVIDENCE_SETS.items():
        asked = [pair for pair in wanted if pair.source == name]
        asked = rng.sample(asked, min(len(asked), round(len(asked) * weight * share)))
        made.extend(_of_set(name, asked, [pair for pair in pool if pair.source == name], rng))
    return made


def _of_set(name: str, asked: Sequence[Pair], pool: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """One irrelevant passage for each claim, where the set has one."""
    texts = list(dict.fromkeys(pair.premise for pair in pool))
    own: dict[str, set[str]] = {}
    for pair in pool:
        own.setdefault(pair.hypothesis, set()).update(_words(pair.premise))
    index = BM25Backend()
    index.add_many([Item(str(at), text) for at, text in enumerate(texts)])
    for pair in asked:
        mine = own.get(pair.hypothesis, _words(pair.premise))
        near = rng.random() >= RANDOM_SHARE
        hits = [hit["text"] for hit in index.query(pair.hypothesis, DEPTH)] if near else rng.sample(texts, 3)
        fresh = [text for text in hits if _shared(_words(text), mine) <= MOST_SHARED]
        if fresh:
            # Close passages are only known not to be its evidence; any passage is sure to say nothing of it.
            label, kind = ("not_entailment", "close") if near else ("neutral", "any")
            made = Pair(rng.choice(fresh), pair.hypothesis, label, f"irrelevant/{kind} {name}", False)
            yield narrowed(made)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.casefold()))


def _shared(words: set[str], others: set[str]) -> float:
    return len(words & others) / max(len(words), 1)
