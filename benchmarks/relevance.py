"""Compare relevance by meaning with relevance by keywords, over labelled texts with their context.

    python -m benchmarks.relevance [--encoders hashing,minilm]

``corpora/relevance/cases.jsonl`` holds texts written for ten problems before anything was scored: ``paraphrase`` and
``plain`` ones bear on the problem, with few or with many of its words; ``stuffing`` repeats its words and says nothing,
``near_miss`` speaks of the same place and another matter, ``off_topic`` of neither. Nothing is fitted to them.

The keyword baseline is the share of an item's content words that the text has, the best item counting.
``auroc`` is over all cases; the other columns set two kinds against each other.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verifier_backends.index.tokens import Analyzer

from verifier.core.registry import ENCODERS
from verifier.guard.relevance import ContextItem, ContextRelevance, context_items
from verifier.measure.metrics import auroc

DATA = Path("corpora/relevance/cases.jsonl")
CONTRASTS = (
    ("paraphrase", "near_miss"),
    ("paraphrase", "stuffing"),
    ("plain", "stuffing"),
    ("plain", "off_topic"),
)

Case = Mapping[str, Any]
Rate = Callable[[str, Sequence[ContextItem]], float]


def by_keywords() -> Rate:
    """The baseline that embedding replaces."""
    analyzer = Analyzer("english", stop_words=True)

    def rate(text: str, items: Sequence[ContextItem]) -> float:
        has = set(analyzer.terms(text))
        wanted = [set(analyzer.terms(item.text)) for item in items]
        return max(len(words & has) / len(words) if words else 0.0 for words in wanted)

    return rate


def by_meaning(encoder: str) -> Rate:
    """Relevance with an installed encoder."""
    relevance = ContextRelevance(ENCODERS.load(encoder)())

    def rate(text: str, items: Sequence[ContextItem]) -> float:
        score = relevance.rate(text, items).score
        assert score is not None
        return score

    return rate


def figures(cases: Sequence[Case], rate: Rate) -> dict[str, float]:
    """AUROC over all cases and for each contrast."""
    scores = [
        rate(case["text"], context_items(case["scope"], case["constraints"], case["assumptions"]))
        for case in cases
    ]
    found = {"auroc": auroc([case["relevant"] for case in cases], scores)}
    for kinds in CONTRASTS:
        pairs = [
            (case["kind"] == kinds[0], score)
            for case, score in zip(cases, scores, strict=True)
            if case["kind"] in kinds
        ]
        found[" / ".join(kinds)] = auroc([label for label, _ in pairs], [score for _, score in pairs])
    return {name: value for name, value in found.items() if value is not None}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--encoders", default=",".join(n for n in ENCODERS.names() if n != "sentence-transformers")
    )
    arguments = parser.parse_args()
    cases = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    rates = {"keywords": by_keywords(), **{name: by_meaning(name) for name in arguments.encoders.split(",")}}
    table = {name: figures(cases, rate) for name, rate in rates.items()}
    columns = list(next(iter(table.values())))
    width = max(map(len, columns)) + 2
    print(f"{'':12}" + "".join(f"{column:>{width}}" for column in columns))
    for name, row in table.items():
        print(f"{name:12}" + "".join(f"{row[column]:>{width}.3f}" for column in columns))


if __name__ == "__main__":
    main()
