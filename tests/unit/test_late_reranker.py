"""What the late reranker promises beside its formula: purity, whole texts, what is remembered, threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.rerankers import LateReranker

from verifier.core.errors import ConfigError
from verifier.core.onnx import PairTokenizer

QUERY = "The museum opened in 1932."
TEXTS = [f"In hall {n} stands a loom. The museum was opened in {1900 + n}." for n in range(20)]
FILLER = "The committee met again and heard the report of its secretary on the state of the paths. "


@pytest.fixture(scope="module")
def reranker() -> LateReranker:
    return LateReranker(threads=1)


def test_a_batch_gives_what_single_texts_give(reranker: LateReranker) -> None:
    together = reranker.score_many([(QUERY, TEXTS), (TEXTS[3], TEXTS[:5])])
    alone = LateReranker(threads=2, kept_tokens=0)
    assert together[0].tolist() == pytest.approx([alone.score(QUERY, [t])[0] for t in TEXTS], abs=1e-5)
    assert together[1].tolist() == pytest.approx([alone.score(TEXTS[3], [t])[0] for t in TEXTS[:5]], abs=1e-5)


def test_the_same_text_scores_highest_and_nothing_scores_zero(reranker: LateReranker) -> None:
    scores = reranker.score(QUERY, [QUERY, *TEXTS, " ", "\u0301"])
    assert scores.argmax() == 0
    assert scores[0] == pytest.approx(1.0, abs=1e-3)
    assert scores[-2] == 0.0
    assert ((scores >= 0) & (scores <= 1)).all()
    assert reranker.score(" ", TEXTS[:2]).tolist() == [0.0, 0.0]
    assert reranker.score(QUERY, []).shape == (0,)


@pytest.mark.parametrize("before", [0, 60, 120])
def test_a_long_text_is_read_to_its_end(reranker: LateReranker, before: int) -> None:
    [without, with_it] = reranker.score(
        QUERY, [FILLER * 120, FILLER * before + QUERY + " " + FILLER * (120 - before)]
    )
    assert with_it > without + 0.2


def test_a_long_query_is_read_to_its_end(reranker: LateReranker) -> None:
    query = FILLER * 40 + QUERY
    [one, other] = reranker.score(query, ["The museum opened in 1932.", "Cheese ripens in caves."])
    assert one > other


def test_a_repeated_text_is_tokenised_and_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    encode = PairTokenizer.encode

    def counted(tokenizer: PairTokenizer, texts: list[str]) -> list[Any]:
        read.extend(texts)
        return encode(tokenizer, texts)

    monkeypatch.setattr(PairTokenizer, "encode", counted)
    reranker = LateReranker(threads=1)
    first = reranker.score(QUERY, [*TEXTS[:3], TEXTS[0]])
    assert read == [QUERY, *TEXTS[:3]]
    assert first[0] == first[3]
    again = reranker.score(QUERY, TEXTS[:4])
    assert read[4:] == [QUERY, TEXTS[3]]
    assert again[:3].tolist() == first[:3].tolist()


def test_what_is_remembered_is_bounded() -> None:
    tight = LateReranker(threads=1, kept_tokens=30)
    scores = tight.score(QUERY, TEXTS)
    assert 0 < len(tight._kept) < 3
    assert scores.tolist() == LateReranker(threads=1).score(QUERY, TEXTS).tolist()
    with pytest.raises(ConfigError, match="kept_tokens"):
        LateReranker(kept_tokens=-1)


def test_threads_share_one_reranker(reranker: LateReranker) -> None:
    alone = [LateReranker(threads=1).score(text, TEXTS).tolist() for text in TEXTS[:4]]
    shared = LateReranker(threads=1, kept_tokens=200)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: shared.score(text, TEXTS).tolist(), TEXTS[:4] * 3))
    assert found == alone * 3


def test_the_identity_names_the_encoder() -> None:
    assert LateReranker().identity == LateReranker(threads=1, kept_tokens=0).identity
    assert EmbeddedEncoder().identity in LateReranker().identity


def test_a_missing_folder_is_refused_on_use() -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        LateReranker("nowhere").score(QUERY, TEXTS)
