"""colbert-ai's own Indexer and Searcher behind the backend, with a real checkpoint; run by ``make test-colbert``."""

import gc
import random

import numpy as np
import pytest
from verifier_backends.colbert import ColBERTBackend
from verifier_backends.maxsim import maxsim
from verifier_backends.testing import BackendContract
from verifier_backends.testing.cases import ITEMS, QUERY, TEXTS
from verifier_backends.types import Item

from verifier.core.errors import ConfigError

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning", "ignore::ResourceWarning"
)


class TestColBERTAI(BackendContract):
    column = "colbert (colbert-ai)"
    long_text_sentences = 250  # 1,750 tokens, 7 windows; as a query 60

    @pytest.fixture(autouse=True)
    def _checkpoint(self, checkpoint):
        self.model = checkpoint

    def make_backend(self):
        return ColBERTBackend("colbert-ai", self.model)


def corpus(n, seed=3):
    """Texts of words that the checkpoint knows."""
    words = sorted({word for text in TEXTS.values() for word in text.rstrip(".").lower().split()})
    draw = random.Random(seed)
    return [Item(f"doc-{i:03}", " ".join(draw.choices(words, k=draw.randint(3, 20)))) for i in range(n)]


def brute_force(backend, query):
    """MaxSim over the vectors that the index itself holds, unpacked by the library."""
    engine = backend._engine
    built = engine._built(engine._state)
    ranker = built.index.searcher.ranker
    ends = ranker.doclens.cumsum(0).numpy()
    # Behind the last token the library leaves room that it never fills.
    packed = ranker.embeddings
    packed = type(packed)(packed.codes[: ends[-1]], packed.residuals[: ends[-1]])
    vectors = ranker.codec.decompress(packed).numpy()
    asked = built.index.query({query: 1}, 32)[0].numpy()
    scores = {}
    for slot, start, end in zip(built.slots, ends - ranker.doclens.numpy(), ends, strict=False):
        doc_id = engine._state.records._ids[slot]
        scores[doc_id] = max(scores.get(doc_id, -np.inf), maxsim(asked, vectors[start:end]))
    return scores


@pytest.mark.parametrize("n", [3, 300])
def test_scores_are_maxsim_over_the_librarys_own_vectors(checkpoint, n):
    backend = ColBERTBackend("colbert-ai", checkpoint)
    backend.add_many(corpus(n))
    expected = brute_force(backend, QUERY)
    hits = backend.query(QUERY, 10)
    assert len(hits) == min(10, n)
    assert [hit["score"] for hit in hits] == pytest.approx(
        sorted(expected.values(), reverse=True)[:10], abs=1e-3
    )
    assert all(hit["score"] == pytest.approx(expected[hit["id"]], abs=1e-3) for hit in hits)


def test_the_librarys_own_scores_are_ours_but_for_the_maxima_it_starts_at_zero(checkpoint):
    backend = ColBERTBackend("colbert-ai", checkpoint)
    backend.add_many(corpus(40))
    hits = {hit["id"]: hit["score"] for hit in backend.query(QUERY, 40)}
    index = backend._engine._built(backend._engine._state).index
    query = index.query({QUERY: 1}, 32)
    pids, _, scores = index.searcher.dense_search(query, k=40, pids=list(range(40)))
    asked = query[0].numpy()
    for pid, score in zip(pids, scores, strict=True):
        own = index.vectors(np.array([pid]))
        best = (asked @ own.T).max(axis=1)
        assert score == pytest.approx(np.maximum(best, 0).sum(), abs=1e-3)
        assert hits[f"doc-{pid:03}"] == pytest.approx(best.sum(), abs=1e-3)


def test_plaid_candidates_hold_most_of_what_brute_force_finds(checkpoint):
    backend = ColBERTBackend("colbert-ai", checkpoint, exact_tokens=0)
    backend.add_many(corpus(300))
    for text in ("the glacier lost ice", "ships enter the harbour", "an invoice must be paid"):
        expected = brute_force(backend, text)
        hits = backend.query(text, 10)
        assert all(hit["score"] == pytest.approx(expected[hit["id"]], abs=1e-3) for hit in hits)
        best = sorted(expected, key=lambda doc_id: -expected[doc_id])[:10]
        assert len({hit["id"] for hit in hits} & set(best)) >= 8


def test_what_is_longer_than_the_checkpoints_window_is_found_by_its_last_words(checkpoint):
    backend = ColBERTBackend("colbert-ai", checkpoint)
    backend.add_many(ITEMS)
    filler = " ".join([TEXTS["violin"]] * 40)
    backend.add("long", f"{filler} {TEXTS['harbour']}")
    assert {hit["id"] for hit in backend.query(TEXTS["harbour"], 2)} == {"harbour", "long"}


def test_a_write_builds_the_index_anew_and_the_old_one_leaves_the_disk(checkpoint):
    backend = ColBERTBackend("colbert-ai", checkpoint)
    backend.add_many(ITEMS)
    backend.query(QUERY)
    folder = backend._engine._state.built[0].index.folder
    assert folder.is_dir()
    backend.delete(["invoice"])
    assert not backend._engine._state.built
    assert "invoice" not in [hit["id"] for hit in backend.query(QUERY, 10)]
    gc.collect()
    assert not folder.exists()


def test_nothing_is_printed(checkpoint, capfd):
    backend = ColBERTBackend("colbert-ai", checkpoint)
    backend.add_many(ITEMS)
    capfd.readouterr()
    backend.query(QUERY)
    assert capfd.readouterr().out == ""


def test_a_folder_without_a_checkpoint_or_with_code_of_its_own_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no ColBERT checkpoint"):
        ColBERTBackend("colbert-ai", str(tmp_path)).add("x", "text")
    (tmp_path / "config.json").write_text('{"auto_map": {"AutoModel": "evil.Model"}}')
    with pytest.raises(ConfigError, match="code of its own"):
        ColBERTBackend("colbert-ai", str(tmp_path)).add("x", "text")
