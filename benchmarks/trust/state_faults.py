"""Faults of what is kept on disk and of what decides on top of a report: stores, caches, weights, judges, gates."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from unittest.mock import patch

from verifier_backends.bm25 import BM25Backend

from benchmarks.trust.outcomes import (
    FACT,
    FALSE,
    TEXT,
    Came,
    Condition,
    answer,
    application,
    command,
    engine_of,
    run_command,
)

__all__ = ["CONDITIONS"]

_CLI = "tests/integration/test_cli.py"
_CACHE = "tests/unit/test_score_cache_file.py"
_HERE = "tests/integration/test_failclosed.py::test_every_condition_comes_out_as_expected"
_RULES = {"signals__nli": False, "backend__type": "bm25"}
_SCRIPT = {"llm__provider": "scripted", "llm__script": "script.jsonl"}
_RATING = {"reasoning": "", "relevance": 25, "helpfulness": 25, "accuracy": 25, "completeness": 25}


def _made(place: Path, text: str = TEXT) -> Path:
    """A knowledge base that holds one document; its file."""
    (place / "refunds.md").write_text(text)
    run_command(place, "ingest", "refunds.md", **_RULES)
    return place / "kb" / "knowledge.sqlite3"


def _checked(place: Path, response: str = FACT, *arguments: str, **settings: object) -> Came:
    return command(place, "verify", "--text", response, "--json", *arguments, **{**_RULES, **settings})


def _reviewed(place: Path, response: str = FACT, **settings: object) -> Came:
    return command(place, "review", "--response", response, "--json", **{**_RULES, **settings})


def _damaged(damage: Callable[[Path], object]) -> Callable[[Path], Came]:
    """A check against a knowledge base to whose file something was done."""

    def run(place: Path) -> Came:
        damage(_made(place))
        return _checked(place)

    return run


def _statement(statement: str) -> Callable[[Path], object]:
    def run(file: Path) -> None:
        with sqlite3.connect(file) as connection:
            connection.execute(statement)
        connection.close()

    return run


def _cut(file: Path) -> None:
    for beside in file.parent.glob(f"{file.name}-*"):
        beside.unlink()
    file.write_bytes(file.read_bytes()[:5000])


def _empty(place: Path) -> Came:
    (place / "docs").mkdir()
    run_command(place, "ingest", "docs", **_RULES)
    return _checked(place)


def _other_namespace(place: Path) -> Came:
    _made(place)
    return _checked(place, FACT, "--namespace", "absent")


def _server_namespace(place: Path) -> Came:
    app = application(place)
    engine_of(app).store.add("refunds.md", TEXT)
    return answer(app, "/v1/verify", json={"response": FACT, "namespace": "absent"})


def _judged(reply: str) -> Callable[[Path], Came]:
    def run(place: Path) -> Came:
        _made(place)
        (place / "script.jsonl").write_text("\n".join([json.dumps(reply)] * 4))
        return _reviewed(place, judge__mode="always", **_SCRIPT)

    return run


def _server_review(place: Path) -> Came:
    app = application(
        place, judge__mode="always", llm__model="m", llm__base_url="http://127.0.0.1:9/v1", llm__max_retries=0
    )
    engine_of(app).store.add("refunds.md", TEXT)
    return answer(app, "/v1/review", json={"prompt": "", "response": FACT})


def _reviewed_twice(place: Path, damage: Callable[[Path], object]) -> Came:
    """A false text, reviewed again after its review in the cache was turned into an approval, or the file broken."""
    _made(place)
    _reviewed(place, FALSE, cache__path="cache.sqlite")
    damage(place / "cache.sqlite")
    return _reviewed(place, FALSE, cache__path="cache.sqlite")


def _weights(content: str | None, **changes: object) -> Callable[[Path], Came]:
    """A check by a file of weights: this text, or the shipped one with changes; ``None``: no file."""

    def run(place: Path) -> Came:
        _made(place)
        if content is not None:
            (place / "weights.json").write_text(content)
        if changes:
            path = files("verifier.verification").joinpath("fusions/rules.json")
            (place / "weights.json").write_text(json.dumps({**json.loads(path.read_text()), **changes}))
        return _checked(place, verdict__fusion="weights.json")

    return run


def _asked(*replies: str, **settings: object) -> Callable[[Path], Came]:
    """An answer of a model that a gate is to rate; the first of the replies is the answer."""

    def run(place: Path) -> Came:
        (place / "script.jsonl").write_text("\n".join(map(json.dumps, replies)))
        (place / "history.sqlite").write_text("no database, but long enough to be looked at. " * 40)
        gate = {"gate__max_attempts": 1, "gate__rules_full_scale": True}
        return command(place, "ask", "When?", "--gate", **{**gate, **_SCRIPT, **settings})

    return run


def _streamed(place: Path) -> Came:
    """A stream whose check fails."""
    _made(place)
    with patch.object(BM25Backend, "query_many", side_effect=OSError("disk")):
        printed, noted, code = run_command(place, "stream", stdin=f"{FACT} {FACT}", **_RULES)
    return Came(f"exit {code}, released {len(printed)} characters", code == 0 or bool(printed), noted)


def _ungrounded(place: Path) -> Came:
    """A gate that no share of supported claims could fail."""
    _made(place)
    return _checked(place, FALSE, decision__min_groundedness="nan")


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "knowledge base is missing",
        "exit 2",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        _checked,
        "no knowledge base",
    ),
    Condition(
        "knowledge base is empty",
        "exit 3, rejected: error",
        f"{_CLI}::test_an_empty_knowledge_base_never_approves",
        _empty,
    ),
    Condition("namespace does not exist", "exit 2", _HERE, _other_namespace, "absent"),
    Condition("server: namespace does not exist", "404 unknown_namespace", _HERE, _server_namespace),
    Condition(
        "knowledge base of a newer version",
        "exit 2",
        "tests/unit/test_store_schema.py::test_a_newer_schema_is_refused_with_both_versions",
        _damaged(_statement("PRAGMA user_version = 999")),
        "999",
    ),
    Condition(
        "file of another program in its place",
        "exit 2",
        "tests/unit/test_store_schema.py::test_a_database_of_something_else_is_left_alone",
        _damaged(_statement("PRAGMA application_id = 7")),
        "not a knowledge base",
    ),
    Condition(
        "knowledge base is overwritten",
        "exit 2",
        "tests/unit/test_store_schema.py::test_a_damaged_database_is_said_plainly",
        _damaged(lambda file: file.write_bytes(b"not a database at all" * 999)),
    ),
    Condition(
        "knowledge base is cut off",
        "exit 2",
        "tests/unit/test_store_schema.py::test_a_damaged_database_is_said_plainly",
        _damaged(_cut),
    ),
    Condition(
        "weights of the verdicts are missing",
        "exit 2",
        f"{_CLI}::test_a_wrong_configuration_is_refused",
        _weights(None),
        "weights.json",
    ),
    Condition(
        "weights of the verdicts are cut off",
        "exit 2",
        "tests/unit/test_verdict.py::test_a_broken_fusion_file_is_refused",
        _weights('{"nli": "none", "weights": {'),
        "weights.json",
    ),
    Condition(
        "weights of the verdicts are for another model",
        "exit 2",
        "tests/unit/test_scorer.py::test_a_fusion_of_another_model_is_refused_with_the_command",
        _weights(None, nli="0123456789abcdef-01234567"),
        "learnt with",
    ),
    Condition(
        "a threshold of the verdicts is no number",
        "exit 2",
        "tests/unit/test_verdict.py::test_what_is_no_number_in_a_fusion_file_is_refused",
        _weights(None, supported_at=float("nan")),
        "must be a number",
    ),
    Condition("the rule of the gate is no number", "exit 2", _HERE, _ungrounded, "min_groundedness"),
    Condition(
        "judge of coherence answers rubbish",
        "exit 3, rejected: supported",
        "tests/unit/test_coherence.py::test_a_judge_that_fails_is_an_error_and_never_a_pass",
        _judged("I think it is fine."),
        "judge",
    ),
    Condition(
        "judge of coherence answers nothing",
        "exit 3, rejected: supported",
        "tests/unit/test_coherence.py::test_a_judge_that_fails_is_an_error_and_never_a_pass",
        _judged(""),
        "judge",
    ),
    Condition(
        "server: judge of coherence cannot be reached",
        "200, rejected: supported",
        _HERE,
        _server_review,
        "could not be checked",
    ),
    Condition(
        "a cached review was changed on disk",
        "exit 1, rejected: contradicted",
        f"{_CACHE}::test_a_text_that_changed_on_disk_is_not_served",
        lambda place: _reviewed_twice(
            place, _statement("UPDATE entries SET text = replace(text, 'rejected', 'approved')")
        ),
    ),
    Condition(
        "cache of reviews is damaged",
        "exit 1, rejected: contradicted",
        f"{_CACHE}::test_a_damaged_file_is_set_aside_and_begun_anew_with_a_note",
        lambda place: _reviewed_twice(place, _cut_cache),
    ),
    Condition(
        "cache of reviews is another file",
        "exit 2",
        f"{_CACHE}::test_a_file_that_is_something_else_is_refused_and_left_alone",
        lambda place: _reviewed_twice(place, _overwritten),
        "no cache of scores",
    ),
    Condition(
        "gate: history is damaged",
        "exit 2",
        _HERE,
        _asked("Refunds are paid.", json.dumps(_RATING), gate__history="history.sqlite"),
        "history.sqlite",
    ),
    Condition("gate: model gives no answer", "exit 3", _HERE, _asked(), "no answer"),
    Condition(
        "gate: model rates with rubbish",
        "exit 3",
        _HERE,
        _asked("Refunds are paid.", "Ten out of ten!", "Ten!"),
        "llm",
    ),
    Condition(
        "gate: model rates beyond its scale",
        "exit 3",
        _HERE,
        _asked("Refunds are paid.", *[json.dumps({**_RATING, "accuracy": 2500})] * 2),
        "llm",
    ),
    Condition(
        "stream: a check fails",
        "exit 3, released 0 characters",
        "tests/unit/test_stream_kernel.py::test_a_callback_that_raises_halts_with_what_it_said",
        _streamed,
    ),
)


def _overwritten(file: Path) -> None:
    for beside in file.parent.glob(f"{file.name}-*"):
        beside.unlink()
    file.write_text("x" * 9000)


def _cut_cache(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(file.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    file.write_bytes(content)
