"""The data folder goes in; ``train.jsonl`` and ``held_back.jsonl`` of one run come out, with their counts."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

from training.bank import bank_pairs
from training.data import Pair, assemble, held_out_claims, is_held_back, narrowed, read_rows, read_training
from training.synth import synthesise

__all__ = ["read_mix", "write_mix"]


def write_mix(data: Path, folder: Path, synthetic: int, sheets: int, seed: int) -> dict[str, int]:
    """Write the mix of all used sets, about ``synthetic`` synthetic pairs and ``sheets`` pairs from the fact sheets.

    Held-back pairs are 2 in 100 premises, and 12 in 100 facts. Synthetic pairs are made from the others, so that none
    leaks. Answers the rows of each source.
    """
    held_out = held_out_claims(data)
    pairs = assemble(read_training(data, seed), held_out)
    back = [narrowed(pair) for pair in pairs if is_held_back(pair.premise)]
    rest = [pair for pair in pairs if not is_held_back(pair.premise)]
    told, told_back = bank_pairs(sheets, seed)
    made = synthesise(rest, synthetic, seed)
    mix = assemble([*map(narrowed, rest), *made, *told], held_out)
    back += told_back
    random.Random(seed).shuffle(mix)
    random.Random(seed).shuffle(back)
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("train", mix), ("held_back", back)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(pair._asdict(), ensure_ascii=False) + "\n" for pair in rows)
    counts = dict(sorted(Counter(pair.source for pair in mix).items()))
    (folder / "counts.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    return counts


def read_mix(folder: Path, name: str) -> list[Pair]:
    """The rows of ``train`` or ``held_back``."""
    return [Pair(**row) for row in read_rows(folder / f"{name}.jsonl")]
