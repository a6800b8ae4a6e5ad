"""``verifier batch --reader-batch``: the vendors' real clients against a local server with their batch endpoints.

Whatever happens there, each row is written once and in order, no request is answered twice, and no claim without a
reading is approved.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tests.support.batch_server import BatchServer, batch_server
from tests.support.llm_forms import Answer
from tests.support.llm_server import broken, say, status
from tests.support.reader_faults import SECRET, honest
from verifier.config import Settings
from verifier.core.chat import ChatRequest
from verifier.core.errors import ConfigError, LLMRejected, LLMUnavailable
from verifier.interfaces.batch import by_batches
from verifier.interfaces.batch.by_batches import BatchedEngine, box_of, cancel_batches
from verifier.interfaces.batch.checking import Checker
from verifier.interfaces.batch.engine import Outcomes, Pending, refusal
from verifier.interfaces.batch.posting import PostOffice
from verifier.interfaces.batch.rows import Refused
from verifier.interfaces.batch.run import run_batch
from verifier.interfaces.batch.source import Source
from verifier.interfaces.batch.summary import Summary
from verifier.interfaces.cli.app import app

pytest.importorskip("openai")
pytest.importorskip("anthropic")

by_both = pytest.mark.parametrize("provider", ["openai", "anthropic"])
FAILED = "1 of 1 claims: the reader gave no usable answer: "
HALLS = ("archive", "bakery", "cinema", "forge", "library", "museum")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-never-to-be-seen")


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with batch_server() as running:
        yield running


class InProcess:
    """The rows checked one after the other in this process, as a worker checks them."""

    def __init__(self, settings: Settings, *, has_base: bool, workers: int | None, box: Path) -> None:
        self._make = lambda: Checker(settings, has_base=has_base, box=box)

    def outcomes(self, pending: Iterable[Pending]) -> Outcomes:
        with closing(self._make()) as checker:
            for row, digest in pending:
                yield (row, digest), refusal(row) if isinstance(row, Refused) else checker.record(row)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with rows; each has a claim that its source bears out, and every second one that it denies."""
    monkeypatch.setattr(by_batches, "LocalEngine", InProcess)
    rows = [row(hall, 9 if n % 2 else 10) for n, hall in enumerate(HALLS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    return tmp_path


def row(hall: str, opens: int) -> dict[str, Any]:
    return {"id": hall, "response": f"The {hall} opens at {opens}.", "source": f"The {hall} opens at 9."}


def configured(server: BatchServer, provider: str, **reader: Any) -> Settings:
    url = server.openai_url if provider == "openai" else server.anthropic_url
    table = {
        "type": "chat",
        "read": "all",
        "provider": provider,
        "model": "m-1",
        "base_url": url,
        "max_retries": 0,
    }
    signals = {**Settings().signals, "nli": False}
    return Settings.model_validate({"signals": signals, "reader": {**table, **reader}})


def done(folder: Path, settings: Settings, *, resume: bool = False, told: list[str] | None = None) -> Summary:
    engine = BatchedEngine(
        settings,
        folder / "out.jsonl",
        resume=resume,
        has_base=False,
        poll=0.01,
        tell=(told if told is not None else []).append,
    )
    return run_batch(
        settings, Source(folder / "in.jsonl"), folder / "out.jsonl", engine=engine, resume=resume
    )


def written(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def decisions(folder: Path) -> list[str]:
    """What was decided of each row; of one with a claim in error, why."""
    return [one["error"]["message"] if "error" in one else one["decision"] for one in written(folder)]


def ensure_whole(folder: Path, server: BatchServer) -> None:
    """Each row once and in order, nothing paid for twice, no word of the vendor's, and nothing left behind."""
    assert [one["id"] for one in written(folder)] == list(HALLS)
    assert [one["decision"] for one in written(folder) if "error" in one] == ["rejected"] * sum(
        "error" in one for one in written(folder)
    )
    assert not [request for request, times in server.answered.items() if times > 1]
    assert SECRET not in (folder / "out.jsonl").read_text()
    assert not list(folder.glob("*.requests*"))


RIGHT = ["rejected", "approved"] * 3


@by_both
def test_rows_get_the_reports_that_they_get_when_the_model_is_asked_directly(
    folder: Path, server: BatchServer, provider: str
) -> None:
    settings = configured(server, provider)
    done(folder, settings)
    assert decisions(folder) == RIGHT
    ensure_whole(folder, server)
    assert [len(one.requests) for one in server.batches] == [5]  # and one that tried the model out
    assert len(server.requests) == 1
    checker = Checker(settings, has_base=False)
    for one, record in zip(Source(folder / "in.jsonl").rows(), written(folder), strict=True):
        direct = checker.record(one)["report"]
        assert {**direct, "claims": shown(direct)} == {**record["report"], "claims": shown(record["report"])}


def shown(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**claim, "reader": {**claim["reader"], "calls": None}} for claim in report["claims"]]


@by_both
def test_a_batch_has_no_more_than_the_vendor_takes(
    folder: Path, server: BatchServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = configured(server, provider)
    engine = by_batches.build_batch_model(settings)[0]
    monkeypatch.setattr(type(engine), "most_requests", 2)
    done(folder, settings)
    assert decisions(folder) == RIGHT
    assert [len(one.requests) for one in server.batches] == [2, 2, 1]
    ensure_whole(folder, server)


@by_both
def test_a_request_larger_than_any_batch_fails_and_the_others_do_not(
    folder: Path, server: BatchServer, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = configured(server, provider)
    model = by_batches.build_batch_model(settings)[0]
    monkeypatch.setattr(type(model), "most_bytes", 12_000)
    rows = [row(hall, 9) for hall in HALLS]
    rows[3]["source"] += " It is old." * 1000
    (folder / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    done(folder, configured(server, provider, evidence_tokens=8000))
    found = decisions(folder)
    assert found[:3] + found[4:] == ["approved"] * 5
    assert "too large for a batch" in found[3] or found[3] == "approved"  # read in parts
    ensure_whole(folder, server)


def failure(code: int, kind: str) -> Answer:
    """An error in Anthropic's form; OpenAI's has its own, of which only the status counts."""
    error = {"type": "error", "error": {"type": kind, "message": "VENDOR-WORDS"}}
    return status(code, body=json.dumps(error).encode())


@by_both
@pytest.mark.parametrize(
    ("fate", "reason"),
    [
        ("expired", "the vendor's batch expired before the model answered"),
        ("canceled", "the vendor's batch was cancelled before the model answered"),
        (failure(500, "api_error"), "model 'm-1' answered with status 500"),
        (failure(400, "invalid_request_error"), "model 'm-1' answered with status 400"),
        (status(404, body=b"[]"), "model 'm-1' "),
        (say(None, refusal="VENDOR-WORDS"), "the model refused"),
        ("left out", "the vendor's results lack it"),
    ],
    ids=["expired", "cancelled", "failed", "rejected", "garbled", "refused", "left out"],
)
def test_what_the_vendor_did_not_answer_is_an_error_of_its_row(
    folder: Path, server: BatchServer, provider: str, fate: Any, reason: str
) -> None:
    server.fate = lambda number, request: fate if number == 2 else honest(request)
    summary = done(folder, configured(server, provider))
    found = decisions(folder)
    assert found[:3] + found[4:] == RIGHT[:3] + RIGHT[4:]
    assert found[3].startswith(f"{FAILED}{reason}")
    assert summary.errors == {"claims": 1}
    ensure_whole(folder, server)


@by_both
def test_a_batch_that_the_vendor_ends_early_keeps_what_was_answered(
    folder: Path, server: BatchServer, provider: str
) -> None:
    server.ending = lambda _number: ("expired", "")
    server.fate = lambda number, request: honest(request) if number < 2 else "expired"
    done(folder, configured(server, provider))
    assert decisions(folder)[:3] == RIGHT[:3]
    assert set(decisions(folder)[3:]) == {f"{FAILED}the vendor's batch expired before the model answered"}
    ensure_whole(folder, server)


def shuffled(content: bytes) -> bytes:
    return b"".join(reversed(content.splitlines(keepends=True)))


def doubled(content: bytes) -> bytes:
    first, *rest = content.splitlines(keepends=True)
    return b"".join([first, *rest, first.replace(b"supported", b"disputed")])


@by_both
def test_results_may_come_in_any_order(folder: Path, server: BatchServer, provider: str) -> None:
    server.spoil = shuffled
    done(folder, configured(server, provider))
    assert decisions(folder) == RIGHT
    ensure_whole(folder, server)


@by_both
def test_two_results_for_one_request_are_none(folder: Path, server: BatchServer, provider: str) -> None:
    server.spoil = doubled
    done(folder, configured(server, provider))
    assert decisions(folder)[1] == f"{FAILED}the vendor's results name it twice"
    assert decisions(folder)[:1] + decisions(folder)[2:] == RIGHT[:1] + RIGHT[2:]
    ensure_whole(folder, server)


@by_both
@pytest.mark.parametrize("where", ["in a line", "behind a line"])
def test_results_that_are_cut_short_are_read_again_and_then_fail_what_is_missing(
    folder: Path, server: BatchServer, provider: str, where: str
) -> None:
    kept = 3 if where == "behind a line" else 2

    def cut(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        return b"".join(lines[:kept]) + (lines[kept][:40] if where == "in a line" else b"")

    server.spoil = cut
    done(folder, configured(server, provider))
    assert decisions(folder)[: kept + 1] == RIGHT[: kept + 1]
    assert set(decisions(folder)[kept + 1 :]) == {f"{FAILED}the vendor's results lack it"}
    ensure_whole(folder, server)


@by_both
def test_a_vendor_that_is_away_for_a_while_is_waited_for(
    folder: Path, server: BatchServer, provider: str
) -> None:
    server.looks, told = 3, []
    server.away = 2
    done(folder, configured(server, provider), told=told)
    assert decisions(folder) == RIGHT
    assert "model 'm-1' answered with status 503; it is asked again every 0.01 s" in told
    ensure_whole(folder, server)


@by_both
def test_a_second_question_goes_off_with_a_second_batch(
    folder: Path, server: BatchServer, provider: str
) -> None:
    asked: set[str] = set()

    def fate(_number: int, request: Any) -> Answer:
        rules = request.instructions
        first = "Your last reply" not in rules and rules not in asked
        return say("prose", tokens=(request.tokens, 2)) if first else honest(request)

    server.fate = fate
    done(folder, configured(server, provider))
    assert decisions(folder) == RIGHT
    assert [len(one.requests) for one in server.batches] == [5, 5]
    ensure_whole(folder, server)


@by_both
@pytest.mark.parametrize(
    ("bounds", "read", "reason"),
    [
        ({"max_requests": 4}, 4, "its allowance of requests (4) is used up"),
        ({"max_tokens": 10}, 0, "its allowance of tokens (10) has no room for another"),
    ],
    ids=["requests", "tokens"],
)
def test_what_the_job_may_take_is_never_gone_beyond(
    folder: Path, server: BatchServer, provider: str, bounds: dict[str, int], read: int, reason: str
) -> None:
    done(folder, configured(server, provider, **bounds))
    assert decisions(folder)[:read] == RIGHT[:read]
    assert all(f"not asked, since {reason}" in one for one in decisions(folder)[read:])
    assert server.answered.total() + len(server.requests) == read
    ensure_whole(folder, server)


@by_both
def test_what_replies_leave_of_the_tokens_is_used_by_the_rows_that_waited(
    folder: Path, server: BatchServer, provider: str
) -> None:
    """A request sets aside its longest reply; when the replies are shorter, there is room for the others."""
    done(folder, configured(server, provider, max_tokens=6300))
    assert decisions(folder) == RIGHT
    assert len(server.batches) > 1
    ensure_whole(folder, server)


@by_both
@pytest.mark.parametrize("fault", ["key", "model", "protocol", "endpoint", "gone"])
def test_what_cannot_work_at_all_stops_the_run_before_anything_is_paid_for(
    folder: Path, server: BatchServer, provider: str, fault: str
) -> None:
    settings = configured(server, provider)
    if fault == "key":
        server.key = "another"
    elif fault == "model":
        server.models = frozenset({"m-2"})
    elif fault == "protocol":
        server.answers = [broken()]
    elif fault == "endpoint":
        server.has_batches = False
    else:
        settings = configured(server, provider, base_url="http://127.0.0.1:9/v1")
    with pytest.raises((LLMRejected, LLMUnavailable)) as raised:
        done(folder, settings)
    assert {
        "key": "answered with status 401",
        "model": "answered with status 404: no such model",
        "protocol": "no batch was sent: go on with --resume",
        "endpoint": "no batch was taken: model 'm-1' answered with status 404",
        "gone": "no batch was sent: go on with --resume",
    }[fault] in str(raised.value)
    assert written(folder) == []
    assert server.answered.total() == 0
    server.key, server.models, server.answers, server.has_batches = None, None, honest, True
    if fault != "gone":
        done(folder, configured(server, provider), resume=True)
        assert decisions(folder) == RIGHT
        ensure_whole(folder, server)


@by_both
def test_what_a_server_does_not_take_is_left_out_of_the_batch(
    folder: Path, server: BatchServer, provider: str
) -> None:
    server.takes_temperature = False
    done(folder, configured(server, provider))
    assert decisions(folder) == RIGHT
    assert {request.temperature for batch in server.batches for _, request in batch.requests} == {None}
    ensure_whole(folder, server)


def test_a_full_queue_gets_smaller_batches(
    folder: Path, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, told = configured(server, "openai"), []
    monkeypatch.setattr(type(by_batches.build_batch_model(settings)[0]), "most_requests", 5)
    server.ending = lambda number: ("failed", "token_limit_exceeded") if number == 0 else ("completed", "")
    done(folder, settings, told=told)
    assert [len(one.requests) for one in server.batches] == [5, 2, 2, 1]
    assert "batch batch_0: the vendor's queue is full; at most 2 requests are sent at a time" in told
    assert decisions(folder) == RIGHT
    ensure_whole(folder, server)


def test_a_batch_that_the_vendor_refuses_fails_its_rows(folder: Path, server: BatchServer) -> None:
    server.ending = lambda _number: ("failed", "invalid_json_line")
    done(folder, configured(server, "openai"))
    assert decisions(folder) == ["rejected"] + [f"{FAILED}the vendor did not take the batch"] * 5
    ensure_whole(folder, server)


@by_both
def test_cancelled_batches_give_what_was_answered_and_send_nothing_more(
    folder: Path, server: BatchServer, provider: str
) -> None:
    settings = configured(server, provider)
    server.looks = 10**9
    breaking_off(folder, settings)
    assert cancel_batches(settings, folder / "out.jsonl") == 1
    done(folder, settings, resume=True)
    assert decisions(folder)[0] == RIGHT[0]
    assert set(decisions(folder)[1:]) == {
        f"{FAILED}the vendor's batch was cancelled before the model answered"
    }
    assert len(server.batches) == 1
    ensure_whole(folder, server)


def breaking_off(folder: Path, settings: Settings) -> None:
    """A run that ends with its first look at a batch, as by Ctrl-C."""

    class Ctrl(Exception):
        pass

    def sleep(_seconds: float) -> None:
        raise Ctrl

    engine = BatchedEngine(settings, folder / "out.jsonl", resume=False, has_base=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PostOffice.__init__.__kwdefaults__, "sleep", sleep)
        with pytest.raises(Ctrl):
            run_batch(settings, Source(folder / "in.jsonl"), folder / "out.jsonl", engine=engine)


@by_both
def test_a_run_that_broke_off_is_gone_on_with_and_with_no_other_model(
    folder: Path, server: BatchServer, provider: str
) -> None:
    settings = configured(server, provider)
    server.looks = 2
    breaking_off(folder, settings)
    with pytest.raises(ConfigError, match=r"is left of another run"):
        BatchedEngine(settings, folder / "out.jsonl", resume=False, has_base=False)
    with pytest.raises(ConfigError, match=r"holds requests to .*: choose another output"):
        done(folder, configured(server, provider, model="m-2"), resume=True)
    done(folder, settings, resume=True)
    assert decisions(folder) == RIGHT
    assert len(server.batches) == 1
    ensure_whole(folder, server)


def test_readers_without_a_batch_endpoint_name_those_that_have_one(tmp_path: Path) -> None:
    for table in (
        {"type": "embedded"},
        {"type": "chat", "provider": "scripted", "script": "s", "model": "m"},
    ):
        with pytest.raises(
            ConfigError, match=r"has no batch endpoint; 'chat' has one with llm.provider 'openai' or"
        ):
            BatchedEngine(
                Settings.model_validate({"reader": table}),
                tmp_path / "out.jsonl",
                resume=False,
                has_base=False,
            )


# --- the command, killed ----------------------------------------------------------------------------------------------

TOML = """
[signals]
nli = false

[reader]
type = "chat"
read = "all"
provider = "{provider}"
model = "m-1"
base_url = "{url}"
max_retries = 0
"""


def command(folder: Path) -> subprocess.Popen[str]:
    call = [sys.executable, "-m", "verifier", "batch", "in.jsonl", "out.jsonl", "--workers", "1"]
    call += ["--reader-batch", "--poll", "0.05"]
    return subprocess.Popen(
        call, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )


@pytest.mark.parametrize(
    ("provider", "step"),
    [("openai", "upload"), ("openai", "create"), ("anthropic", "create"), ("anthropic", "look")],
)
def test_a_run_that_is_killed_between_two_steps_pays_for_nothing_twice(
    folder: Path, server: BatchServer, provider: str, step: str
) -> None:
    settings = configured(server, provider)
    (folder / "verifier.toml").write_text(TOML.format(provider=provider, url=settings.reader["base_url"]))
    server.held, server.looks = step, 3
    with command(folder) as process:
        while not server.reached.wait(0.05):
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    server.let_go.set()
    assert box_of(folder / "out.jsonl").exists()
    done(folder, settings, resume=True)
    assert decisions(folder) == RIGHT
    assert len(server.batches) == 1
    ensure_whole(folder, server)


def called(folder: Path, *options: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return CliRunner().invoke(app, ["batch", "in.jsonl", "out.jsonl", "--poll", "0.01", *options])


def test_the_command_says_what_is_under_way_and_how_to_go_on(
    folder: Path, server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "verifier.toml").write_text(TOML.format(provider="openai", url=server.openai_url))
    server.looks = 10**9
    with monkeypatch.context() as patch:
        patch.setitem(PostOffice.__init__.__kwdefaults__, "sleep", interrupted)
        broken_off = called(folder, "--reader-batch")
    assert isinstance(broken_off.exception, KeyboardInterrupt | SystemExit)
    assert "batch batch_0: 5 requests sent, to be answered within 24 hours" in broken_off.stderr
    assert (
        "still under way at the vendor: 1 of its batches; go on with --resume --reader-batch"
        in broken_off.stderr
    )
    directly = called(folder, "--resume").exception
    assert isinstance(directly, ConfigError)
    assert str(directly).endswith("go on with --resume --reader-batch")
    assert "cancelled: 1 of its batches" in called(folder, "--cancel-batches").stderr
    assert called(folder, "--resume", "--reader-batch").exit_code == 3
    assert decisions(folder)[0] == "rejected"
    ensure_whole(folder, server)
    assert str(called(folder, "--cancel-batches").exception).startswith("out.jsonl has no batches")


def interrupted(_seconds: float) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("options", "more", "reason"),
    [
        (["--engine", "ray"], "", "--reader-batch goes with --engine local alone"),
        (
            [],
            '[claims]\ndecomposer = "llm"\nmodel = "m-1"\n',
            "--reader-batch goes with claims.decomposer = 'rules' alone",
        ),
        ([], '[llm]\nbudget = "b.sqlite"\nbudget_name = "n"\n', "leave llm.budget_name out"),
    ],
)
def test_what_would_be_paid_for_twice_is_refused(
    folder: Path, server: BatchServer, options: list[str], more: str, reason: str
) -> None:
    (folder / "verifier.toml").write_text(TOML.format(provider="openai", url=server.openai_url) + more)
    found = called(folder, "--reader-batch", *options).exception
    assert isinstance(found, ConfigError)
    assert reason in str(found)
    assert not (folder / "out.jsonl").exists()


def test_a_batch_of_another_run_is_not_taken_for_the_one_that_was_lost(
    folder: Path, server: BatchServer
) -> None:
    """Anthropic's batches carry no name: one of the same size that proves to be another's is passed over."""
    settings = configured(server, "anthropic")
    model, _ = by_batches.build_batch_model(settings)
    lines = folder / "lines"
    lines.write_text(
        "".join(model.line(f"other-{n}", ChatRequest("", f"CODE x\n{n}")) + "\n" for n in range(5))
    )
    model.submit("other", lines)
    server.fate = lambda _number, request: say("{}") if request.text.startswith("CODE x") else honest(request)
    server.away = 1  # the first try to send a batch
    done(folder, settings)
    assert decisions(folder) == RIGHT
    assert len(server.batches) == 2
    ensure_whole(folder, server)


def test_a_batch_whose_answer_was_lost_is_found_by_its_results(folder: Path, server: BatchServer) -> None:
    server.lost = 1
    done(folder, configured(server, "anthropic"))
    assert decisions(folder) == RIGHT
    assert len(server.batches) == 1
    ensure_whole(folder, server)
