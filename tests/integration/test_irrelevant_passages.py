"""Ten passages about foreign topics, added to a knowledge base, leave the support of its claims where it was."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.variants.corpus import CORPORA, FOLDER, Corpus
from benchmarks.variants.shelves import irrelevant_passages, irrelevant_to
from benchmarks.variants.types import as_it_stands

MOVE = 0.02
"""Most by which ten irrelevant passages may move a claim's support, as the issue has it."""

MOVED = {
    # Another document's window that speaks of a third of it is a dispute, as long as it is among those that are read.
    ("tuning", "with NLI"): {"The season at Saddle Hut starts in mid-June."},
    # Nothing in the knowledge base says it in like words; the search finds the new passages in the place of a table's
    # rows. Of the fund, other passages than before are among the three that the NLI model reads.
    ("extra_v", "with NLI"): {
        "Not one of the ten phones still has a headphone jack.",
        "Rowan Small Caps has been shut to newcomers since the start of the second half of 2023.",
    },
}
"""Claims known to be moved; the test fails too when one is moved no more."""


@pytest.mark.parametrize(("signals", "limit"), [("rules", 90), ("with NLI", 60)])
@pytest.mark.parametrize("name", CORPORA)
def test_ten_irrelevant_passages_move_no_support(name: str, signals: str, limit: int) -> None:
    corpus = Corpus(name, rules=signals == "rules", limit=limit)
    added = irrelevant_passages(FOLDER / "irrelevant.txt", 10, Random(name))
    bases = [base for base in corpus.claims() if irrelevant_to(base.text, added)]
    assert len(bases) > limit // 2
    after = corpus.outcomes(list(map(as_it_stands, bases)), corpus.scorer([*corpus.documents, *added]))
    moved = {
        base.text: (base.support, outcome.support)
        for base, outcome in zip(bases, after, strict=True)
        if abs(outcome.support - base.support) >= MOVE
    }
    assert moved.keys() == MOVED.get((name, signals), set()), moved


def test_a_knowledge_base_of_one_document_is_not_moved_either() -> None:
    corpus = Corpus("extra_w", rules=True)
    own = [document for document in corpus.documents if document.source == "w_inventor.md"]
    added = irrelevant_passages(FOLDER / "irrelevant.txt", 10, Random(0))
    bases = [
        base for base in corpus.claims() if own[0].text in base.deciding and irrelevant_to(base.text, added)
    ]
    variants = list(map(as_it_stands, bases))
    alone = corpus.outcomes(variants, corpus.scorer(own))
    among = corpus.outcomes(variants, corpus.scorer([*own, *added]))
    assert len(bases) > 10
    for base, before, after in zip(bases, alone, among, strict=True):
        assert after.support == pytest.approx(before.support, abs=MOVE), base.text
