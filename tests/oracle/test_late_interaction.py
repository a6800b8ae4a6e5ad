"""Late interaction against brute force: MaxSim over each engine's own vectors, whatever the storage."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.codecs import FloatCodec, Int8Codec, ResidualCodec
from verifier_backends.late.embedded import EmbeddedTokens
from verifier_backends.late.index import LateIndex
from verifier_backends.late.multi_vector import MultiVectorTokens
from verifier_backends.maxsim import maxsim, maxsim_padded, maxsim_ragged
from verifier_backends.testing.cases import ITEMS, QUERY, TEXTS
from verifier_backends.types import Item

from tests.support.late import write_stanford_checkpoint


def plain_maxsim(query, document):
    """Equation 3 of the paper, written out."""
    return sum(max(float(np.dot(q, d)) for d in document) for q in query)


def unit_rows(rng, n, dimension=16):
    rows = rng.normal(size=(n, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), lengths=st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_three_ways_of_writing_maxsim_agree_with_the_paper(seed, lengths):
    rng = np.random.default_rng(seed)
    query = unit_rows(rng, 4)
    texts = [unit_rows(rng, n) for n in lengths]
    expected = [plain_maxsim(query, text) if len(text) else -np.inf for text in texts]
    assert [maxsim(query, text) for text in texts] == pytest.approx(expected, abs=1e-5)
    flat = np.concatenate(texts)
    assert maxsim_ragged(query, flat, np.array(lengths)).tolist() == pytest.approx(expected, abs=1e-5)
    width = max(lengths) + 2
    padded = np.zeros((len(texts), width, 16), dtype=np.float32)
    for row, text in zip(padded, texts, strict=True):
        row[: len(text)] = text
    mask = np.arange(width) < np.array(lengths)[:, None]
    assert maxsim_padded(query, padded, mask).tolist() == pytest.approx(expected, abs=1e-5)


def test_padding_never_beats_negative_similarities():
    query = np.array([[1.0, 0.0]], dtype=np.float32)
    text = np.array([[[-0.9, 0.1], [0.0, 0.0], [0.0, 0.0]]], dtype=np.float32)
    masked = maxsim_padded(query, text, np.array([[True, False, False]]))
    assert masked.tolist() == pytest.approx([-0.9])
    assert maxsim_ragged(query, text[0, :1], np.array([1])).tolist() == pytest.approx([-0.9])


def test_a_query_longer_than_a_block_is_added_up_whole(monkeypatch):
    monkeypatch.setattr("verifier_backends.maxsim._PRODUCTS", 8)
    rng = np.random.default_rng(0)
    query, text = unit_rows(rng, 50), unit_rows(rng, 7)
    found = maxsim_ragged(query, np.concatenate([text, text[:3]]), np.array([7, 3]))
    assert found.tolist() == pytest.approx(
        [plain_maxsim(query, text), plain_maxsim(query, text[:3])], abs=1e-4
    )


def filled_index(texts, **options):
    given_options = {"compression": "int8", "candidates": 512, "exact_tokens": 1 << 30, **options}
    index = LateIndex(texts[0].shape[1], **given_options)
    index.upsert([Item(f"{i:04}", f"text {i}") for i in range(len(texts))], texts)
    return index


@pytest.mark.parametrize("compression", ["float32", "int8", "residual2"])
def test_scores_are_maxsim_over_the_stored_vectors(compression, monkeypatch):
    monkeypatch.setattr("verifier_backends.late.index._FIT_TOKENS", 500)
    rng = np.random.default_rng(5)
    texts = [unit_rows(rng, int(n)) for n in rng.integers(1, 12, 120)]
    index = filled_index(texts, compression=compression)
    assert index.codec.name == compression
    store = index._state.store
    query = unit_rows(rng, 5) * rng.uniform(0.2, 2, (5, 1)).astype(np.float32)
    expected = {f"{i:04}": plain_maxsim(query, store.vectors(np.array([i]))) for i in range(len(texts))}
    (hits,) = index.search([query], 20)
    best = sorted(expected, key=lambda doc_id: (-round(expected[doc_id], 5), doc_id))[:20]
    assert [hit["id"] for hit in hits] == best
    assert [hit["score"] for hit in hits] == pytest.approx([expected[doc_id] for doc_id in best], abs=2e-5)


def test_candidates_have_exact_scores_and_a_filter_that_leaves_few_is_searched_whole():
    rng = np.random.default_rng(6)
    texts = [unit_rows(rng, 5) for _ in range(200)]
    index = LateIndex(16, compression="float32", candidates=20, exact_tokens=100)
    index.upsert([Item(f"{i:04}", "text", {"part": i % 20}) for i in range(200)], texts)
    query = unit_rows(rng, 4)
    expected = {f"{i:04}": plain_maxsim(query, text) for i, text in enumerate(texts)}
    (hits,) = index.search([query], 10)
    assert [hit["score"] for hit in hits] == pytest.approx([expected[hit["id"]] for hit in hits], abs=2e-5)
    (few,) = index.search([query], 3, {"part": 7})
    inside = sorted((doc_id for doc_id in expected if int(doc_id) % 20 == 7), key=lambda d: -expected[d])
    assert [hit["id"] for hit in few] == inside[:3]


def test_a_vector_that_repeats_itself_is_stored_once_and_asked_once():
    rng = np.random.default_rng(7)
    text, query = unit_rows(rng, 4), unit_rows(rng, 3)
    once, often = filled_index([text]), filled_index([np.tile(text, (50, 1))])
    assert often._state.store.tokens == once._state.store.tokens == 4
    repeated = np.concatenate([query, query[:1], query[:1]])
    (hit,) = often.search([repeated], 1)[0]
    assert hit["score"] == pytest.approx(
        plain_maxsim(repeated, often._state.store.vectors(np.array([0]))), abs=2e-5
    )


@pytest.mark.parametrize(
    ("codec", "cosine"),
    [
        (FloatCodec(16), 1.0),
        (Int8Codec(16), 0.9999),
        (ResidualCodec.fit(unit_rows(np.random.default_rng(1), 4000), 64), 0.93),
    ],
)
def test_what_is_unpacked_points_where_the_vector_did(codec, cosine):
    vectors = unit_rows(np.random.default_rng(2), 300)
    rows = codec.pack(vectors)
    assert rows.shape == (300, codec.width)
    assert np.array_equal(codec.pack(vectors[7:8])[0], rows[7]), "a row must depend on its own vector alone"
    unpacked = codec.unpack(rows)
    assert (unpacked * vectors).sum(axis=1).mean() >= cosine
    assert codec.unpack(codec.pack(vectors[:0])).shape == (0, 16)


def test_a_residual_is_packed_as_the_quarter_it_lies_in():
    codec = ResidualCodec(
        np.array([[1, 0, 0, 0]], np.float32),
        np.array([-0.1, 0, 0.1], np.float32),
        np.array([-2, -1, 1, 2], np.float32),
    )
    rows = codec.pack(np.array([[0.5, -0.05, 0.05, 0.5]], np.float32))
    assert rows.tolist() == [[0, 0, 0 | 1 << 2 | 2 << 4 | 3 << 6]]
    expected = np.array([1 - 2, -1, 1, 2]) / np.linalg.norm([1 - 2, -1, 1, 2])
    assert codec.unpack(rows)[0].tolist() == pytest.approx(expected.tolist(), abs=1e-6)


@cache
def checkpoint():
    import torch

    torch.set_num_threads(1)
    folder = TemporaryDirectory()
    write_stanford_checkpoint(Path(folder.name) / "model", [*TEXTS.values(), QUERY])
    return folder


ENGINES = [
    pytest.param(lambda: EmbeddedTokens(EmbeddedEncoder(threads=1)), id="embedded"),
    pytest.param(
        lambda: MultiVectorTokens(str(Path(checkpoint().name) / "model"), device="cpu"),
        id="sentence-transformers",
        marks=[
            pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs the extra 'st'"),
            pytest.mark.filterwarnings("ignore::DeprecationWarning"),
        ],
    ),
]


@pytest.mark.parametrize("make", ENGINES)
def test_an_engine_ranks_as_brute_force_over_its_own_vectors(make):
    encoder = make()
    index = LateIndex(encoder.dimension, compression="float32", candidates=512, exact_tokens=1 << 20)
    vectors = encoder.document_vectors([item.text for item in ITEMS])
    index.upsert(ITEMS, vectors)
    (query,) = encoder.query_vectors([QUERY])
    expected = {item.doc_id: plain_maxsim(query, own) for item, own in zip(ITEMS, vectors, strict=True)}
    (hits,) = index.search([query], 6)
    assert [hit["id"] for hit in hits] == sorted(expected, key=lambda doc_id: -expected[doc_id])
    assert all(hit["score"] == pytest.approx(expected[hit["id"]], abs=1e-4) for hit in hits)


@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs the extra 'st'")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_librarys_own_maxsim_agrees_with_ours():
    encoder = MultiVectorTokens(str(Path(checkpoint().name) / "model"), device="cpu")
    model = encoder._checkpoint.model()
    ours = [
        maxsim(encoder.query_vectors([QUERY])[0], own)
        for own in encoder.document_vectors(list(TEXTS.values()))
    ]
    theirs = model.similarity(model.encode_query([QUERY]), model.encode_document(list(TEXTS.values())))
    assert ours == pytest.approx(theirs[0].tolist(), abs=1e-4)


@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs the extra 'st'")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_queries_and_documents_that_are_read_at_once_are_cut_and_padded_each_in_its_own_way():
    encoder = MultiVectorTokens(str(Path(checkpoint().name) / "model"), device="cpu")
    long = " ".join(TEXTS.values())
    alone = {read: read([long])[0] for read in (encoder.query_vectors, encoder.document_vectors)}
    with ThreadPoolExecutor(4) as threads:
        found = [(read, threads.submit(read, [long])) for _ in range(30) for read in alone]
    for read, vectors in found:
        assert vectors.result()[0] == pytest.approx(alone[read], abs=1e-5)
