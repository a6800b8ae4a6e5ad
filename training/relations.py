"""Make random labelled pairs about relations: who did it to whom, which is more, what came first, and why.

A *situation* is one state of affairs: ways to state it, what follows, what it rules out, what it leaves open. Each kind
uses the same wordings on all three sides, with the parts in another order or over another premise, so that no wording
gives its label away. The wordings and words are in ``relations.toml``.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from training.data import Pair
from training.values import draw

__all__ = ["KINDS", "Situation", "relation_pairs", "situation"]

WORDS = Path(__file__).with_name("relations.toml")
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Situation:
    """Rendered sentences; any of ``says`` may be the premise, the others of them follow from it."""

    kind: str
    says: list[str]
    wider: list[str]
    against: list[str]
    open: list[str]


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))


def _kinds() -> tuple[str, ...]:
    return tuple(_tables()["kind"])


KINDS = _kinds()
"""Names of the kinds of situations."""


def situation(kind: str, rng: random.Random) -> Situation:
    """One situation of a kind, its parts drawn by chance."""
    table = _tables()
    given = table["kind"][kind]
    values = _values(given, table["lists"], rng)
    frame = rng.choice(given["frames"])

    def rendered(name: str) -> list[str]:
        return [_sentence(text, values) for text in frame.get(name, [])]

    return Situation(kind, rendered("says"), rendered("wider"), rendered("against"), rendered("open"))


def _values(given: Mapping[str, Any], lists: Mapping[str, Any], rng: random.Random) -> dict[str, str]:
    """A value for each slot: distinct ones of a list, the parts of one row of a table, or drawn names."""
    values: dict[str, str] = {}
    for slots, source in given["slots"].items():
        names = slots.split()
        if source in lists and isinstance(lists[source][0], list):
            values |= dict(zip(names, rng.choice(lists[source]), strict=True))
        elif source in lists:
            values |= dict(zip(names, rng.sample(lists[source], len(names)), strict=True))
        else:
            found: list[str] = []
            while len(found) < len(names):
                text = draw(source, rng).text(rng)
                found += [text] if text not in found else []
            values |= dict(zip(names, found, strict=True))
    for low, high in given.get("less", []):
        values[low], values[high] = sorted((values[low], values[high]), key=lambda text: (len(text), text))
    return values


def _sentence(text: str, values: Mapping[str, str]) -> str:
    filled = SLOT.sub(lambda match: values[match[1]], text)
    return filled[:1].upper() + filled[1:]


def relation_pairs(rows: int, seed: int) -> list[Pair]:
    """``rows`` pairs, the kinds in turn, each premise alone or among other situations."""
    rng = random.Random(seed)
    made: list[Pair] = []
    while len(made) < rows:
        for kind in KINDS:
            made.extend(_pairs(situation(kind, rng), rng))
    rng.shuffle(made)
    return made[:rows]


def _pairs(own: Situation, rng: random.Random) -> Iterator[Pair]:
    stated = rng.choice(own.says)
    # Two situations of like kinds could speak of the same thing.
    others = [kind for kind in KINDS if kind.split()[0] != own.kind.split()[0]]
    around = [rng.choice(situation(rng.choice(others), rng).says) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
    at = rng.randrange(len(around) + 1)
    premise = " ".join([*around[:at], stated, *around[at:]])
    follows = [text for text in own.says if text != stated] + own.wider
    for claims, label in ((follows, "entailment"), (own.against, "contradiction"), (own.open, "neutral")):
        if claims:
            yield Pair(premise, rng.choice(claims), label, f"relation/{own.kind}")
