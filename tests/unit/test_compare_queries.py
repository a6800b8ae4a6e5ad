"""The queries that backends are compared by: JSONL rows, BEIR folders, and a clear line for each that is not right."""

import gzip
import json
import lzma
import re

import pytest

from verifier.core.errors import ConfigError
from verifier.measure.queries import read_queries


@pytest.fixture
def beir(tmp_path):
    """A BEIR folder with three queries, of which two are judged in the test split."""
    rows = [{"_id": f"q{n}", "text": f"question {n}"} for n in range(3)]
    with gzip.open(tmp_path / "queries.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq2\td9\t1\n")
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq0\td3\t1\n"
    )
    return tmp_path


def test_rows_have_a_query_or_a_claim_and_names_with_or_without_grades(tmp_path) -> None:
    file = tmp_path / "queries.jsonl.xz"
    rows = [
        {"query": "how long?", "relevant": ["a.md", "some words"], "note": "kept out"},
        {"claim": "It takes 3 days.", "relevant": {"a.md": 2, "b.md": 0}},
        {"claim": "It is free.", "verdict": "supported"},
    ]
    with lzma.open(file, "wt") as lines:
        lines.writelines(json.dumps(row) + "\n\n" for row in rows)
    found = read_queries(file)
    assert [query.relevant for query in found.queries] == [
        (("a.md", 1), ("some words", 1)),
        (("a.md", 2),),
        (),
    ]
    assert [query.place for query in found.queries][1] == "queries.jsonl.xz, line 3"


def test_of_a_beir_folder_the_judged_queries_are_taken_and_the_others_are_told(beir) -> None:
    found = read_queries(beir)
    assert {query.text: query.relevant for query in found.queries} == {
        "question 1": (("#d1", 2),),
        "question 0": (("#d3", 1),),
    }
    [note] = found.notes
    assert note == f"1 queries of {beir.name} have no relevant document in test.tsv: left out"


def test_a_limit_takes_queries_evenly_and_says_so(tmp_path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text("".join(json.dumps({"query": f"question {n}"}) + "\n" for n in range(10)))
    found = read_queries(file).limited(3)
    assert [query.text for query in found.queries] == ["question 0", "question 3", "question 6"]
    assert found.notes == ("3 of 10 queries, evenly spread",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not valid JSON"),
        ("[]", "line 1: not a JSON object"),
        ('{"text": "x"}', "line 1: expected one of the fields 'query' and 'claim'; found: text"),
        ('{"query": "x", "claim": "y"}', "expected one of the fields"),
        ('{"query": " "}', "line 1: 'query' is not a text"),
        ('{"claim": 3}', "line 1: 'claim' is not a text"),
        ('{"query": "x", "relevant": "a.md"}', "line 1: 'relevant' must be a list of names"),
        ('{"query": "x", "relevant": [""]}', "line 1: 'relevant' must be a list of names"),
        ('{"query": "x", "relevant": {"a.md": -1}}', "the grade of 'a.md' is -1"),
        ('{"query": "x", "relevant": {"a.md": true}}', "the grade of 'a.md' is True"),
        ("", "q.jsonl holds no query"),
    ],
)
def test_a_row_that_is_not_as_it_should_be_stops_with_its_line(tmp_path, line, message) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(line)
    with pytest.raises(ConfigError, match=re.escape(message)) as refused:
        read_queries(file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q0\td1\t1\n", "the first line must name the columns query-id, corpus-id, score"),
        ("query-id\tcorpus-id\tscore\nq0 d1 1\n", "test.tsv, line 2: expected two ids and a whole number"),
        (
            "query-id\tcorpus-id\tscore\nq0\td1\t0.5\n",
            "test.tsv, line 2: expected two ids and a whole number",
        ),
        (
            "query-id\tcorpus-id\tscore\nq7\td1\t1\n",
            "judges query 'q7', which queries.jsonl.gz does not have",
        ),
        ("query-id\tcorpus-id\tscore\nq0\td1\t0\n", "finds nothing relevant to any query"),
    ],
)
def test_judgements_that_are_not_as_they_should_be_are_refused(beir, content, message) -> None:
    (beir / "qrels" / "test.tsv").write_text(content)
    with pytest.raises(ConfigError, match=re.escape(message)):
        read_queries(beir)


def test_several_judgements_without_a_test_split_are_refused(beir) -> None:
    (beir / "qrels" / "test.tsv").rename(beir / "qrels" / "dev.tsv")
    with pytest.raises(ConfigError, match=r"several judgements and no test\.tsv: dev\.tsv, train\.tsv"):
        read_queries(beir)


def test_a_folder_without_queries_and_a_file_that_is_not_there_are_refused(tmp_path) -> None:
    with pytest.raises(ConfigError, match="is no BEIR folder"):
        read_queries(tmp_path)
    with pytest.raises(ConfigError, match=r"cannot read .*gone\.jsonl: No such file"):
        read_queries(tmp_path / "gone.jsonl")


def test_a_file_that_is_cut_off_is_refused(tmp_path) -> None:
    file = tmp_path / "q.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps({"query": "how long is it"}).encode())[:-9])
    with pytest.raises(ConfigError, match="is not text in UTF-8"):
        read_queries(file)
