"""The colbert backend's own rules: options, projections, codecs learnt on the way, texts longer than a window."""

import json
from itertools import pairwise

import numpy as np
import pytest

from backends.colbert import ColBERTBackend
from backends.late.codecs import ResidualCodec
from backends.late.embedded import ProjectedTokens, Projection, embedded_projection
from backends.late.engine import TokenEngine
from backends.late.index import LateIndex
from backends.late.pieces import pieces
from backends.late.tokens import LateEncoder, TokenEncoder
from backends.types import Item
from tests.support.late import WordVectors
from training.late_interaction import Evidence, learn
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
        (
            {"engine": "sentence-transformers", "model": "m", "projection": False},
            "projection = False does not",
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
    assert isinstance(ProjectedTokens(ENCODER, projected=False), LateEncoder)


def test_engines_do_not_open_each_others_indexes(tmp_path):
    def backend(compression):
        made = ColBERTBackend()
        encoder = ProjectedTokens(ENCODER, projected=False)
        made._engine = TokenEngine(encoder, compression=compression, candidates=9, exact_tokens=9)
        return made

    backend("int8").save(tmp_path / "index")
    with pytest.raises(BackendRejected, match="build it anew"):
        backend("float32").load(tmp_path / "index")


def test_centroids_are_learnt_once_and_later_texts_are_packed_with_them(monkeypatch, tmp_path):
    monkeypatch.setattr("backends.late.index._FIT_TOKENS", 200)
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


def test_a_projection_is_bound_to_its_encoder_and_its_numbers(tmp_path, monkeypatch):
    folder = tmp_path / "models" / "late"
    projection = Projection(np.eye(16, 8, dtype=np.float32), np.zeros(16, np.float32), 0.5, "word-vectors")
    monkeypatch.setattr("backends.late.embedded.files", lambda package: tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        embedded_projection("word-vectors")
    projection.save(folder)
    assert embedded_projection("word-vectors").matrix.shape == (16, 8)
    with pytest.raises(
        ConfigError, match=r"learnt on .* word-vectors, not of other.*training\.late_interaction"
    ):
        embedded_projection("other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "digest": "0"}))
    with pytest.raises(ConfigError, match="damaged"):
        embedded_projection("word-vectors")


def test_query_vectors_are_as_long_as_their_tokens_are_heavy(tmp_path, monkeypatch):
    weigher = np.random.default_rng(0).normal(size=16).astype(np.float32)
    monkeypatch.setattr("backends.late.embedded.files", lambda package: tmp_path)
    Projection(np.eye(16, 8, dtype=np.float32), weigher, 0.5, "word-vectors").save(
        tmp_path / "models" / "late"
    )
    tokens = ProjectedTokens(ENCODER)
    (own,) = ENCODER.token_vectors(["the glacier lost ice"])
    (query,), (document,) = (
        read(["the glacier lost ice"]) for read in (tokens.query_vectors, tokens.document_vectors)
    )
    assert np.linalg.norm(document, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    expected = np.log1p(np.exp(own @ weigher.astype(np.float16).astype(np.float32) + 0.5))
    assert np.linalg.norm(query, axis=1) == pytest.approx(expected, rel=1e-4)
    assert tokens.dimension == 8


def test_a_projection_can_be_learnt_from_claims_and_their_evidence():
    names = ["glacier", "invoice", "violin", "kernel", "orchid", "harbour", "bridge", "lantern"]
    pairs = [
        Evidence(f"the {name} is {i}", f"of all there is the {name} alone is {i}")
        for i, name in enumerate(names)
    ]
    start = learn(pairs, ENCODER, dimension=8, epochs=0, batch=4)
    learnt = learn(pairs, ENCODER, dimension=8, epochs=3, batch=4)
    assert start.encoder == learnt.encoder == "word-vectors"
    assert start.matrix.T @ start.matrix == pytest.approx(np.eye(8), abs=1e-4)
    assert not np.allclose(start.matrix, learnt.matrix)
    heavy, light = ENCODER.token_vectors(["glacier", "the"])
    assert learnt.weights(heavy)[0, 0] > learnt.weights(light)[0, 0], (
        "a word that all claims share says little"
    )
