"""Write the mix of one run, ``train.jsonl`` and ``held_back.jsonl``, with the counts of its sets."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.bank import bank_pairs
from training.data import (
    HELD_BACK_PERCENT,
    Pair,
    assemble,
    held_out_claims,
    held_out_texts,
    is_held_back,
    narrowed,
    read_rows,
    read_training,
)
from training.distractors import joined_pairs
from training.relations import relation_pairs
from training.relevance import with_relevance, without_relevance
from training.synth import synthesise
from training.twins import twin_pairs
from training.written import read_written, written_pairs

__all__ = ["read_mix", "shortened", "store_mix", "thinned", "write_mix"]


def write_mix(
    data: Path,
    folder: Path,
    seed: int,
    *,
    synthetic: int,
    joined: int,
    sheets: int,
    irrelevant: int,
    relations: int,
    written: int,
    twins: int,
    genres: Sequence[str] | None = None,
    others: int | None = None,
    longest: int | None = None,
) -> dict[str, int]:
    """Write the mix of all used sets, and about so many pairs of each other kind.

    Held-back pairs are 2 in 100 premises, 12 in 100 facts and 10 in 100 written passages. Synthetic and joined pairs
    are made from the others, so that none leaks. ``genres`` names the files of written claims that are drawn from.
    ``others`` is about how many of all but the written, joined and twin pairs stay, drawn by chance; by default all.
    Of these and of the held-back ones, pairs of over ``longest`` words are then left out; none by default.
    Answers the rows of each source before that, which is what the mix was drawn from.
    """
    held_out, texts = held_out_claims(data), held_out_texts(data)
    pairs = assemble(map(with_relevance, read_training(data, seed)), held_out, texts)
    back = [pair for pair in pairs if is_held_back(pair.premise, HELD_BACK_PERCENT)]
    rest = [pair for pair in pairs if not is_held_back(pair.premise, HELD_BACK_PERCENT)]
    told, told_back = bank_pairs(sheets, seed)
    by_hand, by_hand_back = written_pairs(written, seed, read_written(genres=genres))
    made = [
        *synthesise(rest, synthetic, seed),
        *joined_pairs(rest, joined, seed),
        *without_relevance(rest, rest, irrelevant, seed),
        *told,
        *by_hand,
        *twin_pairs([*rest, *by_hand], twins, seed),
        *relation_pairs(relations, seed),
    ]
    mix = assemble([*map(narrowed, rest), *made], held_out, texts)
    back = [
        *map(narrowed, back),
        *without_relevance(back, pairs, irrelevant * len(back) // max(len(rest), 1), seed),
        *told_back,
        *by_hand_back,
    ]
    counts = dict(sorted(Counter(pair.source for pair in mix).items()))
    random.Random(seed).shuffle(mix)
    random.Random(seed).shuffle(back)
    mix = mix if others is None else thinned(mix, others, seed)
    if longest is not None:
        mix, back = shortened(mix, longest), shortened(back, longest)
    store_mix(folder, mix, back, counts)
    return counts


def store_mix(
    folder: Path, mix: Sequence[Pair], held_back: Sequence[Pair], counts: Mapping[str, int]
) -> None:
    """Write ``train.jsonl``, ``held_back.jsonl`` and ``counts.json``, what :func:`read_mix` and the card read."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("train", mix), ("held_back", held_back)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(pair._asdict(), ensure_ascii=False) + "\n" for pair in rows)
    (folder / "counts.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


def thinned(mix: list[Pair], others: int, seed: int) -> list[Pair]:
    """The written, joined and twin pairs of a mix and about ``others`` other ones, in the same order.

    Whole premises are drawn, not pairs: what is said of one text stays together, and is cheap to train on.
    """
    sizes = Counter(pair.premise for pair in mix if not _is_kept(pair))
    order = list(sizes)
    random.Random(seed).shuffle(order)
    kept: set[str] = set()
    for premise in order:
        if others <= 0:
            break
        kept.add(premise)
        others -= sizes[premise]
    return [pair for pair in mix if _is_kept(pair) or pair.premise in kept]


def shortened(pairs: list[Pair], longest: int) -> list[Pair]:
    """The written, joined and twin pairs, and those others whose premise and hypothesis have at most so many words."""
    return [
        pair
        for pair in pairs
        if _is_kept(pair) or len(pair.premise.split()) + len(pair.hypothesis.split()) <= longest
    ]


def _is_kept(pair: Pair) -> bool:
    return pair.source.startswith(("written/", "synthetic/distractors joined", "synthetic/twin "))


def read_mix(folder: Path, name: str) -> list[Pair]:
    """The rows of ``train`` or ``held_back``."""
    return [Pair(**row) for row in read_rows(folder / f"{name}.jsonl")]
