"""Change one word or turn in entailed claims, so that the label of the result is known.

Claims of people are worded otherwise than their premise, so that the edit does not stand out against a copied
sentence. Each gives one false twin and, half the time, a true one beside it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from training.data import Pair
from training.edits import BREAKING, KEEPING, Rule, names_in, swap_name
from training.synth import TEMPLATED, in_chance_order

__all__ = ["twin_pairs"]

_FEWEST, _MOST = 5, 45
"""Words of a claim that is edited."""

_REWORDING = {
    name: rule for name, rule in KEEPING.items() if name not in ("unchanged", "spoken", "clause dropped")
}
"""Of a rule's wording a clause left out may be the condition under which it holds."""


def twin_pairs(pairs: Sequence[Pair], rows: int, seed: int) -> list[Pair]:
    """At most ``rows`` edited claims of the entailed pairs, from the written ones first, the same for the same seed."""
    rng = random.Random(seed)
    asked = [pair for pair in pairs if _may_be_edited(pair)]
    rng.shuffle(asked)
    asked.sort(key=lambda pair: not pair.source.startswith("written/"))
    made: list[Pair] = []
    for pair in asked:
        if len(made) >= rows:
            break
        made.extend(_of(pair, rng))
    return made[:rows]


def _may_be_edited(pair: Pair) -> bool:
    return (
        pair.label == "entailment"
        and not pair.source.startswith((*TEMPLATED, "irrelevant/", "synthetic/"))
        and _FEWEST <= len(pair.hypothesis.split()) <= _MOST
    )


def _of(pair: Pair, rng: random.Random) -> Iterator[Pair]:
    """The false twin of an entailed pair, and half the time a true one; nothing where no rule fits."""
    other_names = [name for name in names_in(pair.premise) if name not in pair.hypothesis]
    swapped = swap_name(pair.hypothesis, other_names, rng)
    false = swapped and ("name swapped", swapped)
    if false is None or rng.random() < 0.5:
        false = _first(BREAKING, pair.hypothesis, rng) or false
    if not false:
        return
    yield Pair(pair.premise, false[1], "contradiction", f"synthetic/twin {false[0]}")
    true = _first(_REWORDING, pair.hypothesis, rng) if rng.random() < 0.5 else None
    if true is not None:
        yield Pair(pair.premise, true[1], "entailment", f"synthetic/twin {true[0]}")


def _first(rules: Mapping[str, Rule], claim: str, rng: random.Random) -> tuple[str, str] | None:
    """The first rule that fits, and what it makes of the claim."""
    made = ((name, rule(claim, rng)) for name, rule in in_chance_order(rules, rng))
    return next(((name, text) for name, text in made if text and text != claim), None)
