"""The cache of reviews, with the real scorer: whatever is edited, a cached review equals a fresh one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from verifier_backends.bm25 import BM25Backend

from verifier.core.cache import Codec, ScoreCache
from verifier.core.errors import ConfigError
from verifier.guard.coherence import CoherenceScorer
from verifier.guard.review import Review
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

PROMPTS = ("", "How are refunds made?")
RESPONSES = (
    "Refunds take 30 days.",
    "Refunds take 60 days. Fees are never refunded.",
    "Thank you!",
)
TEXTS = (
    "Refunds take 30 days.",
    "Refunds take 60 days.",
    "Fees are never refunded. Refunds take 30 days.",
    "The office is in Bergen.",
)
FILES = ("a.md", "b.md")
edits = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(FILES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(FILES)),
    st.tuples(st.just("threshold"), st.sampled_from([0.3, 0.5, 0.9])),
    st.tuples(st.just("policy"), st.sampled_from(["reject", "abstain", "logical_only"])),
    st.tuples(st.just("review"), st.sampled_from(PROMPTS), st.sampled_from(RESPONSES)),
)


@pytest.fixture(scope="module")
def rules() -> VerifiedScorer:
    """The scorer without its model, so that many reviews are quick."""
    every = VerifiedScorer(GivenTexts.of()).signals
    signals = [signal for name, signal in every.items() if name != "nli"]
    return VerifiedScorer(GivenTexts.of(), signals, suggest_fixes=False)


def review_cache(path: Path | None = None, size: int = 1024) -> ScoreCache[Review]:
    return ScoreCache(Codec(Review.to_dict, Review.from_dict), path=path, max_size=size)


def as_fresh(review: Review) -> Review:
    return replace(review, cached=False)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(edits, min_size=4, max_size=14), on_disk=st.booleans())
def test_a_cached_review_always_equals_a_fresh_one(
    rules: VerifiedScorer,
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, ...]],
    on_disk: bool,
) -> None:
    cache = review_cache(tmp_path_factory.mktemp("cache") / "reviews" if on_disk else None)
    chosen: dict[str, object] = {"threshold": 0.5, "unknown": "reject"}
    written: set[str] = set()
    with GroundTruthStore(BM25Backend(), create=True) as store:
        for what, *given_ in [
            *steps,
            *(("review", prompt, text) for prompt in PROMPTS for text in RESPONSES),
        ]:
            if what == "write":
                store.ingest([Document(given_[0], given_[0], given_[1])])
                written.add(given_[0])
            elif what == "delete" and given_[0] in written:
                store.delete(given_[0])
                written.remove(given_[0])
            elif what in ("threshold", "policy"):
                chosen["threshold" if what == "threshold" else "unknown"] = given_[0]
            elif what == "review":
                kept = CoherenceScorer(rules, store, cache=cache, configuration={}, **chosen)  # type: ignore[arg-type]
                fresh = CoherenceScorer(rules, store, **chosen)  # type: ignore[arg-type]
                first, again = kept.review(*given_), kept.review(*given_)
                assert as_fresh(first) == as_fresh(again) == fresh.review(*given_)
    cache.close()


@pytest.fixture
def store() -> Iterator[GroundTruthStore]:
    with GroundTruthStore(BM25Backend(), create=True) as opened:
        opened.ingest([Document("a.md", "a.md", TEXTS[0])])
        yield opened


def test_a_second_call_is_cached_and_the_rate_is_told(rules: VerifiedScorer, store: GroundTruthStore) -> None:
    scorer = CoherenceScorer(rules, store, cache=review_cache(), configuration={})
    assert [scorer.review("", RESPONSES[0]).cached for _ in range(4)] == [False, True, True, True]
    assert scorer.cache is not None
    assert scorer.cache.stats.hit_rate == 0.75


def test_a_document_under_another_name_is_another_state(
    rules: VerifiedScorer, store: GroundTruthStore
) -> None:
    scorer = CoherenceScorer(rules, store, cache=review_cache(), configuration={})
    assert scorer.review("", RESPONSES[0]).evidence[0].source == "a.md"
    store.delete("a.md")
    store.ingest([Document("z.md", "z.md", TEXTS[0])])
    assert scorer.review("", RESPONSES[0]).evidence[0].source == "z.md"


def test_another_configuration_is_another_review(rules: VerifiedScorer, store: GroundTruthStore) -> None:
    cache = review_cache()
    for configuration in ({"top_k": 3}, {"top_k": 6}):
        scorer = CoherenceScorer(rules, store, cache=cache, configuration=configuration)
        assert not scorer.review("", RESPONSES[0]).cached
    assert cache.stats.misses == 2


def test_a_cache_needs_to_know_the_configuration(rules: VerifiedScorer, store: GroundTruthStore) -> None:
    with pytest.raises(ConfigError, match="configuration"):
        CoherenceScorer(rules, store, cache=review_cache())


def test_a_review_with_an_error_is_not_kept(rules: VerifiedScorer, store: GroundTruthStore) -> None:
    scorer = CoherenceScorer(rules, store, cache=review_cache(), configuration={}, max_chars=5)
    assert [scorer.review("", RESPONSES[0]).cached for _ in range(2)] == [False, False]


def test_a_review_during_which_the_documents_changed_is_not_kept(
    rules: VerifiedScorer, store: GroundTruthStore
) -> None:
    class Changing:
        """Writes a document in the middle of a review."""

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

        def retrieve(self, *args: object, **options: object) -> object:
            store.ingest([Document("b.md", "b.md", TEXTS[1])])
            return store.retrieve(*args, **options)  # type: ignore[arg-type]

    cache = review_cache()
    scorer = CoherenceScorer(rules, Changing(), cache=cache, configuration={})  # type: ignore[arg-type]
    scorer.review("", RESPONSES[0])
    assert cache.stats.not_kept == 1


def test_equal_reviews_at_the_same_time_are_made_once(rules: VerifiedScorer, store: GroundTruthStore) -> None:
    made: list[str] = []
    begun = threading.Event()

    class Counting(CoherenceScorer):
        """Counts the reviews that are really made."""

        def _review(self, prompt: str, response: str) -> Review:
            made.append(response)
            begun.wait(0.2)
            return super()._review(prompt, response)

    scorer = Counting(rules, store, cache=review_cache(), configuration={})
    with ThreadPoolExecutor(4) as pool:
        reviews = list(pool.map(lambda _: scorer.review("", RESPONSES[0]), range(4)))
    assert len(made) == 1
    assert len({review.coherence for review in reviews}) == 1
