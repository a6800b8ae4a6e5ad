"""The hashing encoder: deterministic, of unit length, blind to its neighbours, kind to word forms."""

import subprocess
import sys

import numpy as np
import pytest
from verifier_backends.encoders import Encoder, HashingEncoder

from verifier.core.errors import ConfigError


def similarity(one, other, encoder=None):
    first, second = (encoder or HashingEncoder()).encode([one, other])
    return float(first @ second)


def test_it_is_an_encoder():
    assert isinstance(HashingEncoder(), Encoder)


def test_rows_have_unit_length_and_the_stated_shape():
    encoder = HashingEncoder(256)
    rows = encoder.encode(["one text", "another text, 3.5 %", "東京都", "x"])
    assert rows.shape == (4, encoder.dimension) == (4, 256)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(4), abs=1e-6)


@pytest.mark.parametrize("text", ["", " ", "!!! ...", "\n"])
def test_a_text_without_features_is_a_zero_row(text):
    assert not HashingEncoder().encode([text, "word"])[0].any()
    assert not HashingEncoder().encode([text]).any()


def test_no_texts_give_no_rows():
    assert HashingEncoder().encode([]).shape == (0, 1024)


def test_a_row_does_not_depend_on_the_other_texts():
    encoder = HashingEncoder()
    texts = [f"text number {i} about {'bells' if i % 2 else 'spoons'}" for i in range(1100)]
    alone = np.concatenate([encoder.encode([text]) for text in texts[::100]])
    assert encoder.encode(texts)[::100] == pytest.approx(alone, abs=1e-6)


def test_another_process_computes_the_same_vectors():
    text = "The café paid 1,250.50 EUR."
    code = (
        "import sys; from verifier_backends.encoders import HashingEncoder;"
        f"sys.stdout.buffer.write(HashingEncoder().encode([{text!r}]).tobytes())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": "99"}
    )
    assert np.array_equal(np.frombuffer(run.stdout, np.float32), HashingEncoder().encode([text])[0])


def test_word_forms_and_misspellings_are_nearer_than_other_words():
    assert similarity("the refund was paid", "refunds are paid") > 0.5
    assert similarity("committee", "comittee") > 0.2 > similarity("committee", "glacier")


def test_case_diacritics_and_typography_do_not_matter():
    assert similarity("DVOŘÁK\u2019s New World", "dvorak's new world") == pytest.approx(1, abs=1e-6)


def test_identity_names_every_parameter():
    variants = [
        HashingEncoder(),
        HashingEncoder(512),
        HashingEncoder(language=None),
        HashingEncoder(ngrams=(3,)),
        HashingEncoder(ngram_weight=2.0),
        HashingEncoder(stop_weight=0.0),
    ]
    assert len({encoder.identity for encoder in variants}) == len(variants)
    assert HashingEncoder().identity == HashingEncoder().identity


def test_without_ngrams_only_whole_words_and_stems_count():
    assert similarity("committee", "comittee", HashingEncoder(ngrams=())) == pytest.approx(0, abs=1e-6)


def test_one_word_of_a_million_characters_is_encoded():
    assert HashingEncoder().encode(["x" * 1_000_000]).any()


def test_an_unknown_language_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match=r"no stemmer for language 'klingon'; known: .*english"):
        HashingEncoder(language="klingon").encode(["text"])
