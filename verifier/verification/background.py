"""How common a word is in general English: the share of passages that hold it, by a fixed table.

``background.tsv`` is made by ``python -m verifier.verification.background WORDNET``, from the folder of WordNet 3.0.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from verifier_signals.stems import lemma

from verifier.core.lexicon import table_rows

__all__ = ["passage_share"]

CONTENT_WORDS = 60
"""Content words of a passage, about 120 words in all: half of the words of running English are content words."""

_TABLE = "background.tsv"
_STAND_FOR_NAMES = ("person%1:03:00::", "group%1:03:00::", "location%1:03:00::")
"""Senses that every proper name was tagged with."""
_LEAST = 2
"""A word counted once tells nothing of how common it is."""


def passage_share(word: str) -> float:
    """The share of general English passages that hold a folded word, in [0, 1); 0 for one that the table lacks.

    ``1 - exp(-CONTENT_WORDS * count / total)``: occurrences fall where they like (Poisson). All inflections count as
    one word.

    >>> passage_share("people") > passage_share("bridges") > passage_share("kilowatthour") == 0
    True
    """
    counts, total = _counts()
    count = max(counts.get(word, 0), counts.get(lemma(word), 0))
    return 1.0 - math.exp(-CONTENT_WORDS * count / total)


@cache
def _counts() -> tuple[Mapping[str, int], int]:
    (total, _), *rows = table_rows("verifier.verification", _TABLE)
    return {word: int(count) for count, word in rows}, int(total)


def _table_of(wordnet: Path) -> Iterator[str]:
    """The lines of the table: the total of tagged words, then each word of small letters with its count."""
    counts: Counter[str] = Counter()
    for line in (wordnet / "cntlist.rev").read_text("utf-8").splitlines():
        sense, _, tagged = line.split()
        if sense not in _STAND_FOR_NAMES:
            counts[sense.partition("%")[0]] += int(tagged)
    yield "# How often each lemma was tagged in the texts behind WordNet 3.0: all senses and parts of speech together."
    yield "# Copyright 2006 by Princeton University; its licence is signals/verifier_signals/lexicon/LICENSE.wordnet."
    yield "# Made by: python -m verifier.verification.background WORDNET"
    yield f"{counts.total()}\t"
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if word.isalpha() and count >= _LEAST:
            yield f"{count}\t{word}"


if __name__ == "__main__":
    Path(__file__).with_name(_TABLE).write_text("\n".join(_table_of(Path(sys.argv[1]))) + "\n", "utf-8")
