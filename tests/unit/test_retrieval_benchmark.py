"""The retrieval table's rows and figures, over a set of four passages."""

import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.reranked import RerankedBackend

from benchmarks.retrieval import KeptEncoder, figures, load_set, reranking, rows
from verifier.core.errors import ConfigError
from verifier.factory import build_backend

PASSAGES = {
    "a": "The lighthouse was built in 1932.",
    "b": "Refunds take five days.",
    "c": "Ann Lee leads the museum.",
    "d": "The harbour freezes in winter.",
}
QUERIES = {"1": "When was the lighthouse built?", "2": "Who leads the museum?", "3": "asked of nothing"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, texts in (("corpus", PASSAGES), ("queries", QUERIES)):
        lines = [json.dumps({"_id": key, "title": "", "text": text}) for key, text in texts.items()]
        with lzma.open(tmp_path / f"{name}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n2\tc\t1\n3\tb\t0\n")
    return tmp_path


def test_a_set_is_read_without_queries_that_nothing_answers(folder: Path) -> None:
    data = load_set(folder)
    assert {item.doc_id: item.text for item in data.items} == PASSAGES
    assert set(data.queries) == set(data.relevance) == {"1", "2"}
    assert len(load_set(folder, 1).queries) == 1
    assert load_set(folder, 1) == load_set(folder, 1)


@pytest.mark.parametrize("row", ["bm25", "hashing", "hybrid hashing"])
def test_a_row_finds_what_shares_its_words(folder: Path, row: str) -> None:
    found = figures(build_backend(rows()[row]), load_set(folder), folder / "kept")
    assert found == {"recall@5": 1.0, "recall@20": 1.0, "nDCG@10": 1.0}


def test_what_an_encoder_made_is_not_made_again(folder: Path) -> None:
    class Counting(HashingEncoder):
        asked = 0

        def encode(self, texts):
            type(self).asked += len(texts)
            return super().encode(texts)

    first = KeptEncoder(Counting(), folder)
    rows_of = first.encode(["one", "two"])
    first.keep()
    assert np.array_equal(KeptEncoder(Counting(), folder).encode(["two", "one"]), rows_of[::-1])
    assert Counting.asked == 2


def test_the_reranked_row_is_the_default_hybrid_under_the_default_reranker() -> None:
    backend = build_backend(rows()["reranked"])
    assert isinstance(backend, RerankedBackend)
    assert backend.inner.identity == build_backend(rows()["hybrid minilm"]).identity
    assert backend.reranker.identity == RerankedBackend(backend.inner).reranker.identity


def test_a_reranker_adds_a_row_over_the_default_hybrid() -> None:
    assert "reranked by folder" not in rows()
    table = rows(reranking("some/folder,weight=0.8,top_n=20"))["reranked by folder"]
    backend = build_backend(table)
    assert isinstance(backend, RerankedBackend)
    assert backend.inner.identity == build_backend(rows()["hybrid minilm"]).identity
    assert (table["reranker"]["model"], table["weight"], table["top_n"]) == ("some/folder", 0.8, 20)
    with pytest.raises(ConfigError, match=r"unknown key backend\.depth"):
        build_backend(rows(reranking("some/folder,depth=3"))["reranked by folder"])
    with pytest.raises(ValueError, match="Expecting value"):
        reranking("some/folder,weight=much")
