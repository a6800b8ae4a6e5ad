"""The colbert backend's own rules: options, identities, codecs learnt on the way, texts longer than a window."""

from itertools import pairwise

import numpy as np
import pytest
from verifier_backends.colbert import ColBERTBackend
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.codecs import ResidualCodec
from verifier_backends.late.embedded import EmbeddedTokens
from verifier_backends.late.engine import TokenEngine
from verifier_backends.late.index import LateIndex
from verifier_backends.late.pieces import pieces
from verifier_backends.late.tokens import LateEncoder, TokenEncoder
from verifier_backends.types import Item

from tests.support.late import WordVectors
from verifier.core.errors import BackendRejected, ConfigError
from verifier.factory import build_backend

ENCODER = WordVectors(16)


def encoded(n, seed=4, dimension=16):
    rng = np.random.default_rng(seed)
    texts = [rng.normal(size=(int(k), dimension)).astype(np.float32) for k in rng.integers(2, 9, n)]
    return [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in texts]


def items(n, first=0):
    return [Item(f"{i:04}", f"text {i}", {"half": i % 2}) for i in range(first, first + n)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "plaid"}, "known: colbert-ai, embedded, sentence-transformers"),
        ({"compression": "int4"}, "known: float32, int8, residual2"),
        ({"candidates": 0}, "at least 1"),
        ({"engine": "sentence-transformers"}, "needs a model"),
        ({"engine": "embedded", "device": "cuda"}, "device = 'cuda' does not belong to engine 'embedded'"),
        (
            {"engine": "colbert-ai", "model": "m", "compression": "int8"},
            "compression = 'int8' does not belong",
        ),
    ],
)
def test_an_option_that_would_not_be_looked_at_is_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        ColBERTBackend(**options)


def test_it_is_chosen_by_its_name_in_the_configuration():
    backend = build_backend({"type": "colbert", "compression": "residual2", "candidates": 64})
    assert isinstance(backend, ColBERTBackend)
    assert backend.count() == 0
    with pytest.raises(ConfigError, match=r"unknown key backend\.bits .* known: candidates, compression"):
        build_backend({"type": "colbert", "bits": 2})


def test_the_protocols_are_met():
    assert isinstance(ENCODER, TokenEncoder)
    assert isinstance(EmbeddedTokens(ENCODER), LateEncoder)


def test_engines_do_not_open_each_others_indexes(tmp_path):
    def backend(compression):
        made = ColBERTBackend()
        encoder = EmbeddedTokens(ENCODER)
        made._engine = TokenEngine(encoder, compression=compression, candidates=9, exact_tokens=9)
        return made

    backend("int8").save(tmp_path / "index")
    with pytest.raises(BackendRejected, match="build it anew"):
        backend("float32").load(tmp_path / "index")


def test_centroids_are_learnt_once_and_later_texts_are_packed_with_them(monkeypatch, tmp_path):
    monkeypatch.setattr("verifier_backends.late.index._FIT_TOKENS", 200)
    index = LateIndex(16, compression="residual2", candidates=512, exact_tokens=1 << 20)
    texts = encoded(120)
    index.upsert(items(10), texts[:10])
    assert index.codec.name == "int8"
    index.upsert(items(90, 10), texts[10:100])
    learnt = index.codec
    assert isinstance(learnt, ResidualCodec)
    index.upsert(items(20, 100), texts[100:])
    index.delete(["0003"])
    assert index.codec is learnt
    (tmp_path / "index").mkdir()
    index.save(tmp_path / "index")
    loaded = LateIndex(16, compression="residual2", candidates=512, exact_tokens=1 << 20)
    loaded.load(tmp_path / "index")
    assert loaded.search(texts[:3], 5) == index.search(texts[:3], 5)
    other = LateIndex(16, compression="int8", candidates=512, exact_tokens=1 << 20)
    with pytest.raises(BackendRejected, match="'residual2'"):
        other.load(tmp_path / "index")


def test_replaced_and_deleted_texts_free_their_room():
    index = LateIndex(16, compression="int8", candidates=512, exact_tokens=1 << 20)
    texts = encoded(600)
    index.upsert(items(600), texts)
    index.delete([f"{i:04}" for i in range(400)])
    assert index._state.store.size == index.count() == 200
    (hits,) = index.search([texts[500]], 1)
    assert hits[0]["id"] == "0500"


def test_a_text_without_tokens_is_kept_and_never_found():
    index = LateIndex(16, compression="int8", candidates=512, exact_tokens=1 << 20)
    nothing = np.zeros((0, 16), np.float32)
    index.upsert(items(2), [nothing, encoded(1)[0]])
    assert index.count() == 2
    assert [hit["id"] for hit in index.search([encoded(1)[0]], 5)[0]] == ["0001"]
    assert index.search([nothing], 5) == [[]]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([np.zeros((2, 8), np.float32)], r"shape \(2, 8\); expected \(tokens, 16\)"),
        ([np.full((2, 16), np.nan, np.float32)], "not finite"),
        ([], "of 0 texts for 1"),
    ],
)
def test_vectors_that_are_no_vectors_are_refused(vectors, message):
    index = LateIndex(16, compression="int8", candidates=512, exact_tokens=1 << 20)
    with pytest.raises(BackendRejected, match=message):
        index.upsert(items(1), vectors)
    assert index.count() == 0


@pytest.mark.parametrize("text", ["one two three four five six seven eight nine", "x" * 40, "a b " * 30])
def test_pieces_fit_and_joined_give_the_text_again(text):
    starts = [i for i in range(len(text)) if not text[i].isspace()][::2]
    found = pieces(text, starts, 8)
    assert "".join(found) == text
    bounds = np.cumsum([0, *map(len, found)])
    held = [sum(low <= start < high for start in starts) for low, high in pairwise(bounds)]
    assert max(held) <= 8


def test_vectors_are_taken_whole_at_length_one():
    tokens = EmbeddedTokens(ENCODER)
    (own,) = ENCODER.token_vectors(["the glacier lost ice"])
    (query,), (document,) = (
        read(["the glacier lost ice"]) for read in (tokens.query_vectors, tokens.document_vectors)
    )
    assert query == pytest.approx(own / np.linalg.norm(own, axis=1, keepdims=True), abs=1e-6)
    assert np.array_equal(query, document)
    assert tokens.dimension == 16


@pytest.mark.parametrize("before", ["none", "c0bd3c44311c154c"])
def test_an_index_from_when_vectors_were_projected_is_refused(tmp_path, monkeypatch, before):
    backend = build_backend({"type": "colbert"})
    backend.add("a", "The glacier lost ice.")
    with monkeypatch.context() as patch:
        identity = EmbeddedEncoder().identity
        patch.setattr(EmbeddedTokens, "identity", f"{identity}:projection={before}")
        backend.save(tmp_path / "index")
    with pytest.raises(BackendRejected, match="build it anew"):
        backend.load(tmp_path / "index")
    assert backend.count() == 1
