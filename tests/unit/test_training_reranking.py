"""How much a reranker counts beside the search is chosen by what it does to held-back claims."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
from verifier_backends.bm25 import BM25Backend

from tests.support.shared_words import SharedWords
from training.data import HELD_BACK_PERCENT, Pair, is_held_back
from training.relevance import with_relevance
from training.reranking import Candidates, _development_set, candidates, weighed, write_temperature


def found(reader: list[float]) -> dict[str, list[Candidates]]:
    """One query whose evidence the search has in third place."""
    first = np.array([1.0, 0.6, 0.5, 0.0])
    return {"set": [Candidates(["a", "b", "c", "d"], {"c": 1}, first, {"reader": np.array(reader)})]}


def test_a_reader_that_knows_better_counts() -> None:
    best = weighed(found([0.1, 0.2, 0.9, 0.3]), "reader")
    assert best.weight > 0
    assert (best.search, best.alone, best.blended) == (0.5, 1.0, 1.0)


def test_a_reader_that_knows_less_does_not() -> None:
    best = weighed(found([0.9, 0.8, 0.1, 0.95]), "reader")
    assert best.weight == 0.0
    assert best.blended == best.search == 0.5


def pairs() -> list[Pair]:
    places = ("bridge", "castle", "harbour", "library", "museum", "orchard", "tower", "villa")
    made = [
        Pair(f"The {place} number {n} is old.", f"{place} {n} is old.", "entailment", "fever_nli.dev")
        for place in places
        for n in range(40)
    ]
    return [with_relevance(pair) for pair in made]


def test_only_held_back_claims_are_asked_and_their_evidence_is_among_the_passages() -> None:
    own = pairs()
    back = {pair.hypothesis for pair in own if is_held_back(pair.premise, HELD_BACK_PERCENT)}
    made = _development_set("fever_nli.dev", own, random.Random(1), claims=4, passages=50)
    assert back
    assert set(made.queries.values()) <= back
    assert len(made.items) == 50
    assert {doc_id for grades in made.relevance.values() for doc_id in grades} <= {
        item.doc_id for item in made.items
    }
    read = candidates(BM25Backend(), made, {"words": SharedWords()}, top_n=5)
    assert len(read) == len(made.queries)
    assert all(len(one.ids) == len(one.first) == len(one.read["words"]) <= 5 for one in read)


def test_the_temperature_is_written_on_top_of_the_one_there_is(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"labels": ["entailment"]}')
    write_temperature(tmp_path, 4.0)
    write_temperature(tmp_path, 0.5)
    config = json.loads((tmp_path / "config.json").read_text())
    assert config == {"labels": ["entailment"], "relevance_temperature": 2.0}
