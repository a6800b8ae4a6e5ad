"""Read passages with claims written by hand as labelled pairs, alone and among other passages.

One passage a line of ``training/written/*.jsonl``: ``{"premise": ..., "claims": [[label, kind, claim], ...]}``.
Passages are held back whole, so that none of their claims is trained on.

``python -m training.written`` validates the files and counts their claims.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.data import Pair, is_held_back
from training.errors import StepError
from verifier.core.lexicon import lexicon

__all__ = ["KINDS", "LABELS", "Passage", "WrittenError", "read_written", "written_pairs"]

WRITTEN = Path(__file__).parent / "written"

LABELS = ("entailment", "neutral", "contradiction")
KINDS = lexicon("""
    exact paraphrase_near paraphrase_far number number_form unit date range entity role negation double_negation antonym
    quantifier dropped_condition temporal_order comparison superlative causal_overreach two_sentences list_membership
    table_lookup hedge added_detail left_out topical
    """)
"""What a claim tests; ``training/written/README.md`` says what each means."""

HELD_BACK_PERCENT = 10
"""Passages that are kept for development."""

ORDERS = ((1, 0), (0, 1), (1, 1), (0, 2))
"""How many other passages stand before and after one, drawn from these."""


class WrittenError(StepError):
    """A line breaks the format; the message says where and how."""


@dataclass(frozen=True)
class Passage:
    """A premise with its claims: (label, kind, text)."""

    premise: str
    claims: tuple[tuple[str, str, str], ...]

    @property
    def held_back(self) -> bool:
        """Whether the passage is kept for development: decided by its text."""
        return is_held_back(self.premise, HELD_BACK_PERCENT)

    def pairs(self, premise: str = "") -> Iterator[Pair]:
        """Its pairs, with ``premise`` in the place of its own where given."""
        for label, kind, claim in self.claims:
            yield Pair(premise or self.premise, claim, label, f"written/{kind}")


def read_written(folder: Path = WRITTEN, genres: Sequence[str] | None = None) -> list[Passage]:
    """Every passage of a folder, or of its files with these names, file by file in order of name.

    Raises:
        WrittenError: a line breaks the format, or there is no such file.
    """
    files = {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
    if unknown := set(genres or ()) - files.keys():
        raise WrittenError(f"no {', '.join(sorted(unknown))} in {folder.name}; known: {', '.join(files)}")
    return [
        passage for name, path in files.items() if not genres or name in genres for passage in _read(path)
    ]


def written_pairs(
    rows: int, seed: int, passages: Sequence[Passage] | None = None
) -> tuple[list[Pair], list[Pair]]:
    """About ``rows`` pairs to train on, and those of the held-back passages, both in an order of chance.

    Where more are asked for than there are, the passages come again, among others of which their claims say nothing.
    """
    passages = read_written() if passages is None else passages
    rng = random.Random(seed)
    own = [passage for passage in passages if not passage.held_back]
    train = [pair for passage in own for pair in passage.pairs()]
    while len(own) > 2 and len(train) < rows:
        train += [pair for passage in own for pair in passage.pairs(_among(passage, own, rng))]
    back = [pair for passage in passages if passage.held_back for pair in passage.pairs()]
    rng.shuffle(train)
    rng.shuffle(back)
    return train[:rows], back if rows else []


def _among(passage: Passage, others: Sequence[Passage], rng: random.Random) -> str:
    before, after = rng.choice(ORDERS)
    around = rng.sample([other.premise for other in others if other is not passage], before + after)
    return " ".join([*around[:before], passage.premise, *around[before:]])


def _read(path: Path) -> Iterator[Passage]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            claims = tuple((str(label), str(kind), str(text)) for label, kind, text in row["claims"])
            premise = str(row["premise"])
        except (ValueError, KeyError, TypeError) as error:
            raise WrittenError(f"{path.name}:{number}: no passage with claims: {error}") from error
        for label, kind, text in claims:
            if label not in LABELS or kind not in KINDS or not text.strip():
                raise WrittenError(
                    f"{path.name}:{number}: [{label!r}, {kind!r}, {text!r}] is no labelled claim"
                )
        yield Passage(premise, claims)


if __name__ == "__main__":
    read = read_written()
    counted = Counter((kind, label) for passage in read for label, kind, _ in passage.claims)
    print(
        f"{len(read)} passages, {counted.total()} claims, {sum(p.held_back for p in read)} passages held back"
    )
    for kind in sorted(KINDS):
        print(f"{kind:20s}", *(f"{label} {counted[kind, label]:4d}" for label in LABELS))
