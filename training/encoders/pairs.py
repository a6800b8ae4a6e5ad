"""Pairs of claim and evidence to learn retrieval from, and a pool to choose by.

How the evidence begins decides to which of the two a pair belongs, so that two cuts of one page never go to different
ones. The pool is for choices: dimensions, rates, which encoder is shipped. The four sets of ``retrieval/`` are for
reporting.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from training.data import Pair, assemble, claim_hash, held_out_claims, is_held_back, read_set

__all__ = ["SETS", "Pool", "development_pool", "in_development", "opening", "retrieval_pairs"]

SETS = {
    "boolq_qa.val": 1,
    "cb.train": 1,
    "entailmentbank.train": 1,
    "evidence_inference.train": 3,
    "fever_nli.dev": 4,
    "fever_symmetric.dev": 2,
    "fever_symmetric.v01": 2,
    "infotabs.train": 2,
    "lingnli.train": 2,
    "multirc_qa.train": 12,
    "nli4ct.train": 2,
    "redocred_claims.dev": 8,
    "redocred_claims.test": 8,
    "rte.train": 1,
    "scifact_rte.train": 3,
    "semiauto_sim_wiki.train": 1,
    "semiauto_translate_wiki.train": 1,
    "tabfact_pairs.train": 1,
}
"""Sets whose claims name what they speak of, and at most how many claims of one premise are used."""

ABOUT = frozenset({"entailment", "contradiction"})
"""Evidence is relevant to a claim that it confirms and to one that it denies."""

DEVELOPMENT_PERCENT = 15
OPENING_WORDS = 6


@dataclass(frozen=True)
class Pool:
    """Passages, claims by their set, and for each claim the passages that bear on it."""

    passages: list[str]
    claims: dict[str, list[str]]
    relevant: dict[str, list[int]]


def in_development(premise: str) -> bool:
    """Whether evidence that begins like this is kept for choices; the same for all that begins with the same words."""
    return is_held_back(opening(premise), DEVELOPMENT_PERCENT)


def opening(premise: str) -> str:
    """The words that evidence begins with: two cuts of one page have the same."""
    return " ".join(re.findall(r"\w+", premise.casefold())[:OPENING_WORDS])


def retrieval_pairs(data: Path, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Pairs to learn from, and pairs of the development pool; no claim and no evidence is in both.

    None has a claim of ``eval/`` or a query of ``retrieval/``.
    """
    held_out = held_out_claims(data)
    pairs = [
        pair
        for name, most in SETS.items()
        for pair in _few_a_premise(read_set(data / "train", name), most, seed)
    ]
    kept = assemble(pairs, held_out)
    development = [pair for pair in kept if in_development(pair.premise)]
    asked = {claim_hash(pair.hypothesis) for pair in development}
    learnt = [
        pair for pair in kept if not in_development(pair.premise) and claim_hash(pair.hypothesis) not in asked
    ]
    return learnt, development


def _few_a_premise(pairs: Iterable[Pair], most: int, seed: int) -> Iterable[Pair]:
    """At most so many relevant pairs of each premise, entailments first: their wording is the evidence's own."""
    by_premise: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if pair.label in ABOUT:
            by_premise[pair.premise].append(pair)
    for premise, own in by_premise.items():
        random.Random(f"{seed}/{premise}").shuffle(own)
        yield from sorted(own, key=lambda pair: pair.label != "entailment")[:most]


def development_pool(pairs: Iterable[Pair], claims_a_set: int, seed: int) -> Pool:
    """The pool that the development pairs make: all their passages, and at most so many claims of each set."""
    places: dict[str, int] = {}
    relevant: dict[str, list[int]] = defaultdict(list)
    by_set: dict[str, dict[str, None]] = defaultdict(dict)
    for pair in pairs:
        place = places.setdefault(pair.premise, len(places))
        if place not in relevant[pair.hypothesis]:
            relevant[pair.hypothesis].append(place)
        by_set[pair.source][pair.hypothesis] = None
    claims = {}
    for name, own in sorted(by_set.items()):
        asked = sorted(own)
        random.Random(f"{seed}/{name}").shuffle(asked)
        claims[name] = asked[:claims_a_set]
    return Pool(list(places), claims, dict(relevant))
