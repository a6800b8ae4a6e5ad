"""Count the training rows that share their premise with what is judged or searched.

``python -m training.overlap [--data DIR] [--output FILE]`` counts them among the rows that a mix draws before anything
is excluded. Mixes that were drawn before premises were compared held as many; today's mixes hold none.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from training.data import claim_hash, data_folder, held_out_texts, read_rows, read_training, set_names

__all__ = ["shared_premises"]

SEED = 13
OUTPUT = Path(__file__).parent / "results" / "shared_premises.json"


def shared_premises(data: Path, seed: int = SEED) -> dict[str, Any]:
    """Rows drawn with this seed, those of them that share a premise, and the sets on both sides, most first.

    ``train``: set -> rows whose premise is one of ``eval/`` or a passage of ``retrieval/``. ``eval``: set -> rows
    whose premise is among those drawn, and rows in all.
    """
    digest = cache(claim_hash)
    judged = held_out_texts(data)
    drawn = [(pair.source, digest(pair.premise)) for pair in read_training(data, seed)]
    train = Counter(source for source, premise in drawn if premise in judged)
    learnt = {premise for _, premise in drawn}
    sets = {}
    for name in set_names(data / "eval"):
        rows = [digest(row["premise"]) in learnt for row in read_rows(data / "eval" / f"{name}.jsonl.xz")]
        if any(rows):
            sets[name] = (sum(rows), len(rows))
    return {
        "seed": seed,
        "rows": len(drawn),
        "shared": train.total(),
        "train": dict(train.most_common()),
        "eval": dict(sorted(sets.items(), key=lambda item: -item[1][0] / item[1][1])),
    }


def main() -> None:
    """Parse arguments, count, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    found = shared_premises(data_folder(arguments.data))
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{found['shared']:,} of {found['rows']:,} rows: {arguments.output}")


if __name__ == "__main__":
    main()
