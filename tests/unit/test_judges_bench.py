"""Checkers beside each other: the server counts what they ask, and what they say or fail at stands in the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.fleet.across import across
from benchmarks.fleet.judges.answers import Judged, judged_answers
from benchmarks.fleet.judges.counter import (
    INSTANT,
    MODEL,
    Counter,
    Counts,
    Pace,
    counting_server,
    passed_on,
    scripted,
)
from benchmarks.fleet.judges.measure import (
    SYSTEMS,
    Driver,
    DriverFailed,
    Outcome,
    System,
    Taken,
    figures,
    rows,
    taken_by,
)
from benchmarks.fleet.judges.script import Script, UnknownRequest
from benchmarks.fleet.rows import Options
from verifier.types import Verdict

LIBRARY = Judged(
    "l-01",
    "What should I know about the library?",
    "The library opens at nine. It has 60 reading desks. The café sells waffles.",
    "Library",
    "The library opens at nine. It has 24 reading desks.",
    (
        ("The library opens at nine.", Verdict.SUPPORTED),
        ("It has 60 reading desks.", Verdict.CONTRADICTED),
        ("The café sells waffles.", Verdict.FABRICATED),
    ),
)


SENTENCES = [sentence for sentence, _ in LIBRARY.claims]


@pytest.fixture
def script() -> Script:
    return Script([LIBRARY])


def test_half_of_the_answers_are_faithful_and_each_holds_its_claims_and_no_others() -> None:
    answers = judged_answers(24)
    assert sum(answer.faithful for answer in answers) == 12
    wrong = [
        verdict for answer in answers for _, verdict in answer.claims if verdict is not Verdict.SUPPORTED
    ]
    assert sorted(wrong) == [Verdict.CONTRADICTED] * 6 + [Verdict.FABRICATED] * 6
    for answer in answers:
        assert len(answer.claims) >= 3
        assert all(answer.answer.count(sentence) == 1 for sentence, _ in answer.claims)
        assert answer.title in answer.context
        assert "\n-\n" not in answer.answer
    with pytest.raises(ValueError, match="not 1000"):
        judged_answers(1000)


def words(asked: str) -> str:
    """A reply of two tokens, or none where nothing is asked for."""
    if "word" not in asked:
        raise UnknownRequest("no word")
    return f"{asked.count('word')} words"


@pytest.fixture
def counter() -> Iterator[Counter]:
    with counting_server(scripted(words)) as running:
        yield running


def test_the_server_counts_calls_and_tokens_of_each_client(counter: Counter) -> None:
    openai = pytest.importorskip("openai")
    for client, times in (("one", 2), ("other", 1)):
        with openai.OpenAI(base_url=counter.url(client), api_key="none", max_retries=0) as asking:
            for _ in range(times):
                messages = [{"role": "system", "content": "word"}, {"role": "user", "content": "word word"}]
                told = asking.chat.completions.create(model=MODEL, messages=messages)
                assert told.choices[0].message.content == "3 words"
                assert (told.usage.prompt_tokens, told.usage.completion_tokens) == (3, 2)
    assert counter.of("one") == Counts(2, 6, 4)
    assert counter.of("other") == Counts(1, 3, 2)
    assert counter.of("nobody") == Counts()


def test_what_the_server_does_not_do_is_refused_and_not_counted(counter: Counter) -> None:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(base_url=counter.url("one"), api_key="none", max_retries=0) as asking:
        with pytest.raises(openai.NotFoundError, match="no such service"):
            asking.models.list()
        with pytest.raises(openai.NotFoundError):
            asking.chat.completions.create(model=MODEL, messages=[], stream=True)
    assert counter.of("one") == Counts()


def test_what_the_script_does_not_know_is_refused_and_counted_as_a_call(counter: Counter) -> None:
    openai = pytest.importorskip("openai")
    with (
        openai.OpenAI(base_url=counter.url("one"), api_key="none", max_retries=0) as asking,
        pytest.raises(openai.BadRequestError, match="no word"),
    ):
        asking.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "hello"}])
    assert counter.of("one") == Counts(1)


def test_a_server_that_passes_on_takes_over_replies_counts_and_failures(counter: Counter) -> None:
    openai = pytest.importorskip("openai")
    with (
        counting_server(passed_on(counter.url("real"), "real-model")) as before,
        openai.OpenAI(base_url=before.url("mine"), api_key="none", max_retries=0) as asking,
    ):
        told = asking.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "a word"}])
        assert told.choices[0].message.content == "1 words"
        with pytest.raises(openai.BadRequestError, match="400"):
            asking.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "hello"}])
        assert before.of("mine") == counter.of("real") == Counts(2, 2, 2)


def test_a_reply_takes_as_long_as_its_tokens() -> None:
    assert Pace(20_000, 600).seconds(2_000, 300) == pytest.approx(0.6)
    assert INSTANT.seconds(10**6, 10**6) == 0


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            f'StatementGeneratorOutput\n"answer": {json.dumps(LIBRARY.answer)}',
            {"statements": SENTENCES},
        ),
        (
            "NLIStatementOutput\ninput: "
            + json.dumps({"context": LIBRARY.context, "statements": ["It has 60 reading desks."]})
            + "\nOutput: ",
            {
                "statements": [
                    {
                        "statement": "It has 60 reading desks.",
                        "reason": "The context says: It has 24 reading desks.",
                        "verdict": 0,
                    }
                ]
            },
        ),
        (
            f'with the "truths" key as a list\nText:\n{LIBRARY.context}',
            {"truths": ["The library opens at nine.", "It has 24 reading desks."]},
        ),
        (
            f'with the "claims" key as a list\nAI Output:\n{LIBRARY.answer}',
            {"claims": SENTENCES},
        ),
        (
            f"with the 'verdicts' key\nRetrieval Contexts:\n{LIBRARY.context}\n\nClaims:\n{SENTENCES}\n\nJSON:",
            {
                "verdicts": [
                    {"verdict": "yes"},
                    {"verdict": "no", "reason": "The context says: It has 24 reading desks."},
                    {"verdict": "borderline", "reason": "The context says: The library opens at nine."},
                ]
            },
        ),
        (
            "with the 'reason' key\nFaithfulness Score:\n0.67\n\nContradictions:\n['It has 24.']\n\nJSON:",
            {"reason": "The score is 0.67 because of these contradictions: ['It has 24.']"},
        ),
        (
            f'verdict must be "YES" or "NO" {json.dumps(LIBRARY.answer)}',
            {"verdict": "NO", "confidence": 95},
        ),
    ],
)
def test_each_checker_is_replied_to_in_its_own_form(script: Script, asked: str, told: object) -> None:
    assert json.loads(script.reply(asked)) == told


@pytest.mark.parametrize("asked", ["What is the weather?", '"claims" key about another answer', "YES or NO?"])
def test_a_request_of_no_known_kind_is_an_error(script: Script, asked: str) -> None:
    with pytest.raises(UnknownRequest):
        script.reply(asked)


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ('{"wall": 1.5, "cpu": 0.5, "approved": true}', (True, True)),
        ('{"wall": 1, "cpu": 0.5, "approved": false}', (False, False)),
        ('{"wall": 1, "cpu": 0.5, "score": 0.8}', (True, False)),
        ('{"wall": 1, "cpu": 0.5, "score": 1.0}', (True, True)),
        ('{"wall": 1, "cpu": 0.5, "error": "ValidationError: no JSON"}', (False, False)),
    ],
)
def test_a_driver_s_line_is_a_decision_a_score_or_an_error(line: str, passes: tuple[bool, bool]) -> None:
    outcome = Outcome.read(line)
    assert (outcome.passes(0.5), outcome.passes(1.0)) == passes


@pytest.mark.parametrize(
    "line", ["", "hello", "[1]", '{"wall": 1}', '{"wall": 1, "cpu": 1}', '{"wall": 1, "cpu": 1, "speed": 2}']
)
def test_any_other_line_is_a_failure_of_the_driver(line: str) -> None:
    with pytest.raises(DriverFailed):
        Outcome.read(line)


def test_scores_are_told_at_two_thresholds_and_errors_let_nothing_through() -> None:
    outcomes = [Outcome(1.0, 0.5, score=1.0), Outcome(3.0, 0.5, score=0.8), Outcome(2.0, 0.5, error="broken")]
    taken = Taken("1.2", outcomes, [Counts(2, 100, 10), Counts(2, 200, 20), Counts(5, 600, 0)])
    found = {row.what: row for row in figures("theirs", taken, [True, False, True], "3 answers")}
    assert {what: row.figure for what, row in found.items()} == {
        "calls": 3.0,
        "prompt tokens": 300.0,
        "completion tokens": 10.0,
        "an answer by the clock, median": 2.0,
        "processor, an answer": 0.5,
        "faithful answers let through": 50.0,
        "unfaithful answers let through": 100.0,
        "faithful answers let through, only at score 1": 50.0,
        "unfaithful answers let through, only at score 1": 0.0,
        "answers not judged": pytest.approx(100 / 3),
    }
    assert {row.system for row in found.values()} == {"theirs 1.2"}
    decided = list(figures("ours", Taken("1", [Outcome(1, 1, True)], [Counts()]), [True], ""))
    assert not any("score" in row.what for row in decided)


def test_a_peer_that_is_not_installed_has_a_row_with_the_command(counter: Counter, tmp_path: Path) -> None:
    systems = {"ragas": System("Ragas", "ragas")}
    taken = taken_by(systems, [LIBRARY], counter, tmp_path, peers=tmp_path / "none")
    [row] = figures("Ragas", taken["ragas"], [False], "")
    assert row.figure is None
    assert row.not_run == "needs `make build/peers/ragas`"
    assert list(across([row]))[2] == "| Ragas | not run: needs `make build/peers/ragas` |"


def test_a_driver_that_fails_says_why_and_the_others_go_on(counter: Counter, tmp_path: Path) -> None:
    with pytest.raises(DriverFailed, match=r"failed: it ended with code 1: KeyError: 'nothing'"):
        Driver(Path(sys.executable), "nothing", counter.url("nothing"), tmp_path / "log")
    systems = {"nothing": System("none"), "ours-alone": System("ours")}
    taken = taken_by(systems, [LIBRARY, LIBRARY], counter, tmp_path)
    assert taken["nothing"].failed.startswith("failed: it ended with code 1")
    assert [outcome.approved for outcome in taken["ours-alone"].outcomes] == [False]
    assert taken["ours-alone"].counts == [Counts()]


def test_ours_asks_the_scripted_server_and_every_peer_has_rows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setattr("benchmarks.fleet.judges.measure.PEERS", tmp_path)
    chosen = {name: system for name, system in SYSTEMS.items() if system.peer or name == "ours-all"}
    monkeypatch.setattr("benchmarks.fleet.judges.measure.SYSTEMS", chosen)
    for name in ("JUDGE_URL", "JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    found = list(rows(Options(None, tmp_path, answers=2)))
    figure = {(row.system, row.what): row.figure for row in found}
    ours = "ours, chat reader for every claim"
    assert figure[ours, "calls"] >= 1
    assert figure[ours, "prompt tokens"] > 1000
    assert figure[ours, "answers not judged"] == 0
    assert figure[ours, "faithful answers let through"] == 100
    assert figure[ours, "unfaithful answers let through"] == 0
    assert len([row for row in found if row.figure is None]) == 3


def test_a_real_server_needs_its_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUDGE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.delenv("JUDGE_MODEL", raising=False)
    with pytest.raises(ValueError, match="JUDGE_URL and JUDGE_MODEL go together"):
        list(rows(Options(None, tmp_path, answers=2)))
