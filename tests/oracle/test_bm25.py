"""BM25 against a brute force of its formula, against bm25s and against rank_bm25, while texts come and go."""

import math
import random

import bm25s
import pytest
from rank_bm25 import BM25Okapi
from verifier_backends.bm25 import BM25Backend
from verifier_backends.index.tokens import Analyzer
from verifier_backends.types import Item

WORDS = [f"w{chr(97 + i)}{chr(97 + i // 3)}" for i in range(24)]


def brute_force(texts, query, k1, b):
    """Robertson and Zaragoza's formula, term by term, in Lucene's variant; only texts that share a term."""
    analyse = Analyzer().terms
    docs = {doc_id: analyse(text) for doc_id, text in texts.items()}
    avgdl = sum(map(len, docs.values())) / len(docs)
    scores = {}
    for doc_id, terms in docs.items():
        total = 0.0
        for term in analyse(query):
            tf, df = terms.count(term), sum(term in other for other in docs.values())
            if tf:
                idf = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
                total += idf * tf / (tf + k1 * (1 - b + b * len(terms) / avgdl))
        if total > 0:
            scores[doc_id] = round(total, 9)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def random_text(rng):
    # Squared, so that some words are common and some rare.
    return " ".join(WORDS[int(rng.random() ** 2 * len(WORDS))] for _ in range(rng.randint(1, 30)))


def assert_ranking(hits, expected):
    assert [hit["id"] for hit in hits] == [doc_id for doc_id, _ in expected]
    assert [hit["score"] for hit in hits] == pytest.approx([score for _, score in expected], abs=2e-9)


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.0, 0.0), (2.0, 1.0), (0.9, 0.0)])
def test_scores_are_those_of_the_formula_over_the_live_texts_after_every_write(k1, b):
    rng = random.Random(7)
    backend, texts = BM25Backend(k1=k1, b=b), {}
    for step in range(60):
        batch = [Item(f"d{rng.randrange(80):02}", random_text(rng)) for _ in range(rng.choice([1, 1, 2, 9]))]
        backend.add_many(batch)
        texts.update((item.doc_id, item.text) for item in batch)
        if step % 3 == 2:
            gone = rng.sample(sorted(texts), k=len(texts) // 4)
            assert backend.delete(gone) == len(gone)
            for doc_id in gone:
                del texts[doc_id]
        if texts:
            query = random_text(rng)
            assert_ranking(backend.query(query, len(texts)), brute_force(texts, query, k1, b))
    assert backend.count() == len(texts) > 5


def test_one_by_one_equals_all_at_once_to_the_last_bit():
    rng = random.Random(1)
    items = [Item(f"d{i:03}", random_text(rng)) for i in range(300)]
    at_once, one_by_one = BM25Backend(), BM25Backend()
    at_once.add_many(items)
    for item in items:
        one_by_one.add(*item)
    for _ in range(20):
        query = random_text(rng)
        assert one_by_one.query(query, 300) == at_once.query(query, 300)


def test_many_small_writes_leave_few_segments():
    backend = BM25Backend()
    for i in range(600):
        backend.add(f"d{i}", f"{WORDS[i % 24]} {WORDS[i % 7]}")
    assert len(backend._state.segments) <= 8


def test_the_index_forgets_replaced_texts():
    backend = BM25Backend()
    for i in range(3000):
        backend.add("same id", f"text number {i}")
    assert backend.count() == 1
    assert backend._state.records.size < 600
    assert [hit["text"] for hit in backend.query("number", 5)] == ["text number 2999"]


def test_scores_equal_those_of_bm25s():
    rng = random.Random(3)
    texts = [random_text(rng) for _ in range(200)]
    backend = BM25Backend(k1=1.5, b=0.6)
    backend.add_many(Item(f"{i:03}", text) for i, text in enumerate(texts))
    peer = bm25s.BM25(method="lucene", k1=1.5, b=0.6, dtype="float64")
    peer.index([Analyzer().terms(text) for text in texts], show_progress=False)
    for _ in range(20):
        query = random_text(rng)
        expected = peer.get_scores(Analyzer().terms(query))
        for hit in backend.query(query, 200):
            assert hit["score"] == pytest.approx(expected[int(hit["id"])], rel=1e-6)


def test_ties_at_the_cut_go_by_id():
    backend = BM25Backend()
    backend.add_many(Item(f"t{i:02}", "copper bell") for i in reversed(range(40)))
    backend.add("best", "copper bell tower")
    found = [hit["id"] for hit in backend.query("copper bell tower", 5)]
    assert found == ["best", "t00", "t01", "t02", "t03"]


def test_only_texts_that_share_a_term_are_hits():
    backend = BM25Backend()
    backend.add_many([Item("a", "copper bell"), Item("b", "silver spoon"), Item("c", "!!!")])
    assert [hit["id"] for hit in backend.query("bells of bronze", 3)] == ["a"]
    assert backend.query("granite", 3) == []
    assert backend.query("!!!", 3) == []


def test_a_filter_does_not_change_the_scores():
    backend = BM25Backend()
    backend.add_many(Item(f"d{i}", f"copper bell {i}", {"even": i % 2 == 0}) for i in range(10))
    alone = {hit["id"]: hit["score"] for hit in backend.query("copper bell 4", 10)}
    for hit in backend.query_many(["copper bell 4"], 10, {"even": True})[0]:
        assert hit["score"] == alone[hit["id"]]


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (2.0, 1.0), (0.9, 0.2)])
def test_scores_are_those_of_rank_bm25_given_our_idf(k1, b):
    """rank_bm25 multiplies every score by the constant ``k1 + 1``, and has Robertson's idf, ours Lucene's.

    Its idf is below 0 for a term of more than half the texts, where it puts a share of the mean idf instead.
    """
    rng = random.Random(5)
    texts = [random_text(rng) for _ in range(40)]
    backend = BM25Backend(k1=k1, b=b)
    backend.add_many(Item(f"d{i:02}", text) for i, text in enumerate(texts))
    analyse = Analyzer().terms
    theirs = BM25Okapi([analyse(text) for text in texts], k1=k1, b=b)
    robertson = dict(theirs.idf)
    count = {term: sum(term in analyse(text) for text in texts) for term in robertson}
    lucene = {term: math.log(1 + (len(texts) - df + 0.5) / (df + 0.5)) for term, df in count.items()}

    theirs.idf = lucene
    for query in [random_text(rng) for _ in range(20)]:
        expected = theirs.get_scores(analyse(query)) / (k1 + 1)
        ours = {hit["id"]: hit["score"] for hit in backend.query(query, 40)}
        assert [ours.get(f"d{i:02}", 0.0) for i in range(40)] == pytest.approx(list(expected), abs=2e-9)

    theirs.idf = robertson
    rare = [term for term in WORDS if 0 < count.get(analyse(term)[0], 0) < 20]
    assert rare
    for word in rare:
        (term,) = analyse(word)
        expected = theirs.get_scores([term]) * lucene[term] / robertson[term] / (k1 + 1)
        ours = {hit["id"]: hit["score"] for hit in backend.query(word, 40)}
        assert [ours.get(f"d{i:02}", 0.0) for i in range(40)] == pytest.approx(list(expected), abs=1e-8)
