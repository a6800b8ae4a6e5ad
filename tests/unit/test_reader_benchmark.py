"""The desk, stored readings, and the thresholds below which a reader is asked."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.readers.desk import desk
from benchmarks.readers.measure import figures
from benchmarks.readers.sets import CORPORA, claims_of, language_sets, verdict_sets
from benchmarks.readers.stored import StoredReader, load, save
from tests.support.reading_model import replying, said
from verifier.core.chat import OpenAIChat
from verifier.core.errors import ConfigError
from verifier.measure.cascade import Trial, settled_at
from verifier.readers import Answer, Case, Piece, Reading, State
from verifier.readers.chat import ChatReader
from verifier.types import ClaimVerdict, Status, Verdict

PIECES = (Piece("The library opens at 9.", "library.md"), Piece("The tower is high.", "tower.md"))
LINE = {
    "id": "x1",
    "claim": "The library opens at 9.",
    "answer": "supported",
    "note": "so",
    "quotations": ["opens at 9"],
}


def read_at(url: str) -> Reading:
    chat = OpenAIChat("desk", base_url=url)
    return ChatReader(chat).read([Case("The library opens at 9.", PIECES)])[0]


def test_a_request_becomes_a_file_and_the_file_beside_it_is_the_reply(tmp_path: Path) -> None:
    with desk(tmp_path) as url:
        assert read_at(url).state is State.FAILED
        [request] = tmp_path.glob("[0-9]*.txt")
        assert "The tower is high." in request.read_text()
        [rules] = tmp_path.glob("rules-*.txt")
        assert rules.read_text().startswith("You check claims against evidence.")
        request.with_suffix(".json").write_text(replying(said("c1", "supported", (1, "opens at 9"))))
        reading = read_at(url)
    assert reading.answer is Answer.SUPPORTED
    assert len(list(tmp_path.glob("[0-9]*.txt"))) == 1
    assert reading.calls[0].input_tokens is not None


def test_stored_readings_are_repeated_and_a_claim_that_nobody_read_fails(tmp_path: Path) -> None:
    save(tmp_path / "x.jsonl", [LINE])
    reader = StoredReader(load(tmp_path / "x.jsonl"))
    known, unknown = reader.read([Case(LINE["claim"], PIECES), Case("Who?", PIECES)])
    assert (known.answer, known.quotations[0].piece) == (Answer.SUPPORTED, 1)
    assert unknown.state is State.FAILED


def test_with_an_objection_the_second_answer_is_given() -> None:
    line = {**LINE, "answer": "contradicted", "first": {k: LINE[k] for k in ("answer", "note", "quotations")}}
    reader = StoredReader([line])
    answers = [
        reader.read([Case(LINE["claim"], PIECES, objection)])[0].answer for objection in ("", "But no.")
    ]
    assert answers == [Answer.SUPPORTED, Answer.CONTRADICTED]


@pytest.mark.parametrize("text", ["{", '["a"'])
def test_what_is_no_file_of_readings_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(text)
    with pytest.raises(ConfigError, match="holds no readings"):
        load(tmp_path / "x.jsonl")


def test_readings_that_teach_are_of_sets_that_may_teach_and_of_claims_that_are_there() -> None:
    files = sorted((CORPORA / "readings" / "chat").glob("*.jsonl"))
    assert sum(len(load(file)) for file in files) >= 2000
    for file in files:
        assert file.stem != "untouched"
        assert {line["claim"] for line in load(file)} <= {row.claim for row in claims_of(file.stem)}


def test_each_language_has_its_thirty_claims_and_their_readings() -> None:
    assert set(language_sets()) == {"ar", "de", "es", "fr", "zh"}
    for name in language_sets():
        assert len(claims_of(name)) == 30
        assert len(load(CORPORA / "readings" / "measured" / f"{name}.jsonl")) == 30
    assert "untouched" in verdict_sets()


def decided(verdict: Verdict, confidence: float) -> Any:
    return SimpleNamespace(verdict=verdict, confidence=confidence, conflict=False)


def sample(verdict: Verdict) -> Any:
    return SimpleNamespace(verdict=verdict, supported=verdict is Verdict.SUPPORTED)


def test_signals_settle_what_costs_nothing_and_leave_open_what_they_get_wrong() -> None:
    right, wrong = Verdict.CONTRADICTED, Verdict.UNVERIFIABLE
    samples = [sample(right)] * 150 + [sample(wrong)] * 50
    alone = [decided(right, 0.9)] * 150 + [decided(right, 0.6)] * 50
    read = [decided(right, 1.0)] * 150 + [decided(wrong, 1.0)] * 50
    found = settled_at(Trial(samples, alone, read))
    assert 0.6 < found["contradicted"] <= 0.9


def test_false_support_is_never_bought_with_questions_saved() -> None:
    samples = [sample(Verdict.FABRICATED)] * 10 + [sample(Verdict.SUPPORTED)] * 990
    alone = [decided(Verdict.SUPPORTED, 0.99)] * 1000
    read = [decided(one.verdict, 1.0) for one in samples]
    assert "supported" not in settled_at(Trial(samples, alone, read))


def test_figures_count_an_error_as_wrong_and_never_as_support() -> None:
    def verdict(said: Verdict | None) -> ClaimVerdict:
        status = Status.CHECKED if said else Status.ERROR
        return ClaimVerdict("x", 0, 1, status, said, "", confidence=0.9 if said else None)

    pairs = [
        (Verdict.SUPPORTED, verdict(Verdict.SUPPORTED)),
        (Verdict.SUPPORTED, verdict(Verdict.CONTRADICTED)),
        (Verdict.FABRICATED, verdict(None)),
        (Verdict.CONTRADICTED, verdict(Verdict.SUPPORTED)),
    ]
    found = figures(pairs)
    assert (found["accuracy"], found["false_support"], found["supported_denied"]) == (0.25, 0.5, 0.5)
    assert (found["errors"], found["sent"]) == (1, 0.0)
    assert json.dumps(found)
