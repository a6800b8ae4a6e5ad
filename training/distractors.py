"""Put short labelled premises among sentences that have nothing to do with their claims.

A model must find what one sentence entails although other sentences stand around it. Nothing else in the mix teaches
this for claims about a single sentence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from training.data import Pair
from training.synth import Neighbours, documents, short_pairs

__all__ = ["joined_pairs", "with_distractors"]

MOST_DISTRACTORS = 7
"""Sentences around a premise; one is the fewest. A window of the model's input holds about so many."""


def with_distractors(premise: str, distractors: Sequence[str], rng: random.Random) -> str:
    """The premise at a place of chance among the distractors, which keep their order."""
    before = rng.randrange(len(distractors) + 1)
    ended = premise.rstrip()
    ended = ended if ended.endswith((".", "!", "?", '"')) else ended + "."
    return " ".join([*distractors[:before], ended, *distractors[before:]])


def joined_pairs(pairs: Sequence[Pair], rows: int, seed: int) -> list[Pair]:
    """About ``rows`` of the labelled pairs, all claims of a premise together, among one to seven other sentences.

    Half the time the premise closest in words is among the others, unless a claim is not entailed: what a close
    premise says may contradict what was contradicted, too, but hardly what was entailed or left open.
    """
    rng = random.Random(seed)
    claims: dict[str, list[Pair]] = {}
    for pair in short_pairs(pairs):
        claims.setdefault(pair.premise, []).append(pair)
    premises = sorted(claims)
    short = [premise for premise in premises if premise.endswith(".")]
    short += [sentence for text in documents(pairs) for sentence in text]
    short = [sentence for sentence in short if len(sentence.split()) <= 22]
    return list(islice(_joined(claims, premises, short, rng), rows)) if short else []


def _joined(
    claims: dict[str, list[Pair]], premises: list[str], sentences: list[str], rng: random.Random
) -> Iterator[Pair]:
    nearest = Neighbours(premises)
    for index in rng.sample(range(len(premises)), len(premises)):
        own = claims[premises[index]]
        others = rng.choices(sentences, k=rng.randint(1, MOST_DISTRACTORS))
        if rng.random() < 0.5 and all(pair.label in ("entailment", "neutral") for pair in own):
            close = nearest.close_to(index, rng)
            others[0] = others[0] if close is None else premises[close]
            rng.shuffle(others)
        text = with_distractors(premises[index], others, rng)
        for pair in own:
            yield Pair(text, pair.hypothesis, pair.label, "synthetic/distractors joined")
