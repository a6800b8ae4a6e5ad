"""Hit rate and correctness of the review cache, under random questions and random edits.

    python -m benchmarks.cache [--calls 400] [--edits 0.02] [--seed 0] [--nli]

The knowledge base, prompts and answers are those of ``corpora/streams``; a question comes the more often the lower
its rank (1 / rank, as popular questions do). Before a call, with the chance ``--edits``, one thing is changed: a
document is rewritten, deleted or restored, or the threshold, the policy, the veto or the passages retrieved are set.
Every answer is reviewed through the cache and again without it, and the two must be equal. Without ``--nli`` the rules
alone read, so that many calls are quick; the cache is the same.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from random import Random

from benchmarks.streaming import BOTH, CORPUS, Stream, streams
from verifier.config import load
from verifier.core.cache import Codec, ScoreCache
from verifier.factory import build_scorer, temporary_store
from verifier.guard.coherence import CoherenceScorer
from verifier.guard.review import Review
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document

CHOICES: dict[str, tuple[object, ...]] = {
    "threshold": (0.3, 0.5, 0.9),
    "unknown": ("reject", "abstain", "logical_only"),
    "veto": (True, False),
    "top_k": (3, 10),
}
"""What may be edited beside the documents, with its values."""


def edit(
    store: GroundTruthStore, documents: list[Document], chosen: dict[str, object], random: Random
) -> None:
    """Change one thing, in place."""
    what = random.choice(["document", *CHOICES])
    if what != "document":
        chosen[what] = random.choice(CHOICES[what])
        return
    document = random.choice(documents)
    manner = random.choice(["rewrite", "delete", "restore"])
    if manner == "delete":
        store.delete(document.source)
    else:
        text = document.text if manner == "restore" else document.text.replace("30", "60") + "\n\nIt is so."
        store.ingest([replace(document, text=text)])


def run(calls: int, edits: float, seed: int, *, nli: bool) -> dict[str, float]:
    """Calls, edits, hits and mismatches of one run."""
    random = Random(seed)
    rows: list[Stream] = streams(BOTH)
    random.shuffle(rows)
    weights = [1.0 / rank for rank in range(1, len(rows) + 1)]
    settings = load(overrides={"signals.nli": nli, "verdict.suggest_fixes": False}, environ={}).settings
    cache: ScoreCache[Review] = ScoreCache(Codec(Review.to_dict, Review.from_dict))
    chosen: dict[str, object] = {name: values[0] for name, values in CHOICES.items()}
    edited = mismatches = 0
    with temporary_store(settings) as store:
        files = discover([CORPUS / "kb"])
        documents = [document for file in files for document in read_documents(file, ReadOptions())]
        store.ingest(documents)
        for row in random.choices(rows, weights, k=calls):
            if random.random() < edits:
                edit(store, documents, chosen, random)
                edited += 1
            options = {name: value for name, value in chosen.items() if name != "top_k"}
            depth = settings.retrieval.model_copy(update={"top_k": chosen["top_k"]})
            scorer = build_scorer(settings.model_copy(update={"retrieval": depth}), store)
            kept = CoherenceScorer(scorer, store, cache=cache, configuration={}, **options)  # type: ignore[arg-type]
            fresh = CoherenceScorer(scorer, store, **options)  # type: ignore[arg-type]
            found = kept.review(row.prompt, row.text)
            mismatches += replace(found, cached=False) != fresh.review(row.prompt, row.text)
    return {
        "calls": calls,
        "edits": edited,
        "hits": cache.stats.hits,
        "hit_rate": cache.stats.hit_rate,
        "mismatches": mismatches,
    }


def main() -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--edits", type=float, default=0.02, help="chance of an edit before a call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nli", action="store_true", help="with the NLI model")
    given = parser.parse_args()
    found = run(given.calls, given.edits, given.seed, nli=given.nli)
    print(", ".join(f"{name} {value:g}" for name, value in found.items()))


if __name__ == "__main__":
    main()
