"""A batch as a whole, over workers that do what they are told: killed, stopped, out of room, and gone on with."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from verifier.config import Settings
from verifier.core.errors import ConfigError, KnowledgeBaseNotFound, VerifierError
from verifier.interfaces.batch.engine import setup_of
from verifier.interfaces.batch.local import LocalEngine, in_order
from verifier.interfaces.batch.output import Output, opened_output
from verifier.interfaces.batch.pool import Pool
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.batch.run import run_batch
from verifier.interfaces.batch.source import Source
from verifier.interfaces.batch.summary import Summary

WORKER = Path(__file__).resolve().parents[1] / "support" / "batch_worker.py"


def given(folder: Path, *responses: str) -> Path:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"response": text}) + "\n" for text in responses))
    return path


def command(folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(WORKER), str(folder)]


def done(folder: Path, *, resume: bool = False, settings: Settings | None = None) -> Summary:
    settings = settings or Settings()
    engine = LocalEngine(settings, has_base=True, workers=2, command=command(folder))
    source = Source(folder / "in.jsonl")
    return run_batch(settings, source, folder / "out.jsonl", engine=engine, resume=resume)


def written(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


ROWS = [f"row {n}" for n in range(1, 121)]
RUN = """
import sys
from pathlib import Path
from verifier.config import Settings
from verifier.interfaces.batch.local import LocalEngine
from verifier.interfaces.batch.run import run_batch
from verifier.interfaces.batch.source import Source
folder, *command = sys.argv[1:]
engine = LocalEngine(Settings(), has_base=True, workers=2, command=command)
run_batch(Settings(), Source(Path(folder, "in.jsonl")), Path(folder, "out.jsonl"), engine=engine, resume=True)
"""


def started(folder: Path, **options: object) -> subprocess.Popen[bytes]:
    """A run in a process of its own that can be killed."""
    call = [sys.executable, "-c", RUN, str(folder), *command(folder)]
    return subprocess.Popen(call, stderr=subprocess.PIPE, **options)


def test_a_killed_run_is_gone_on_with_and_no_row_is_lost_or_doubled(tmp_path: Path) -> None:
    given(tmp_path, *ROWS)
    out = tmp_path / "out.jsonl"
    with started(tmp_path) as process:
        while not out.exists() or out.read_bytes().count(b"\n") < 40:
            time.sleep(0.001)
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    before = out.read_bytes().count(b"\n")
    assert 40 <= before < len(ROWS)
    summary = done(tmp_path, resume=True)
    assert (summary.rows, summary.resumed) == (len(ROWS), before)
    assert [(one["row"], one["report"]["said"]) for one in written(tmp_path)] == list(enumerate(ROWS, 1))


def test_a_line_that_was_cut_short_is_written_anew(tmp_path: Path) -> None:
    given(tmp_path, *ROWS[:4])
    done(tmp_path)
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(whole[:-20])
    assert done(tmp_path, resume=True).resumed == 3
    assert out.read_bytes() == whole


def test_a_full_disk_leaves_whole_rows_and_one_error(tmp_path: Path) -> None:
    given(tmp_path, *ROWS)
    limit = (5_000, 5_000)
    with started(tmp_path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit)) as process:
        assert process.stderr is not None
        said = process.stderr.read().decode()
    assert "cannot write" in said
    assert "File too large; make room, and go on with --resume" in said
    kept = written(tmp_path)
    assert 10 < len(kept) < len(ROWS)
    assert done(tmp_path, resume=True).resumed == len(kept)
    assert [one["row"] for one in written(tmp_path)] == list(range(1, len(ROWS) + 1))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_disk_without_room_is_one_error_with_the_remedy() -> None:
    with open("/dev/full", "r+b", buffering=0) as file, pytest.raises(ConfigError) as raised:
        Output(file, Path("out.jsonl")).append({"row": 1})
    assert str(raised.value) == (
        "cannot write out.jsonl: No space left on device; make room, and go on with --resume"
    )


def test_a_row_that_kills_its_worker_is_an_error_after_one_more_try(tmp_path: Path) -> None:
    given(tmp_path, "one", "die once", "two", "die", "three")
    summary = done(tmp_path)
    assert summary.errors == {"worker": 1}
    assert [one.get("decision") for one in written(tmp_path)] == ["approved"] * 3 + [None, "approved"]
    assert written(tmp_path)[3]["error"]["message"] == (
        "its worker was ended by SIGKILL, as the system does where memory runs out, twice"
    )


def test_what_no_row_could_be_checked_with_stops_the_run_until_it_is_mended(tmp_path: Path) -> None:
    given(tmp_path, *ROWS[:5], "stop", *ROWS[5:10])
    (tmp_path / "gone").touch()
    with pytest.raises(KnowledgeBaseNotFound, match="it is gone"):
        done(tmp_path)
    assert [one["row"] for one in written(tmp_path)] == [1, 2, 3, 4, 5]
    (tmp_path / "gone").unlink()
    assert done(tmp_path, resume=True).resumed == 5
    assert [one["row"] for one in written(tmp_path)] == list(range(1, 12))


def test_the_summary_is_of_all_runs_and_names_what_went_wrong(tmp_path: Path) -> None:
    given(tmp_path, "one", "die", "two")
    done(tmp_path)
    said = done(tmp_path, resume=True).as_text().splitlines()
    assert said[:3] == [
        "rows       3, 3 of them by an earlier run",
        "decisions  2 approved",
        "verdicts   2 supported",
    ]
    assert said[3].startswith("errors     1 worker, the first: row 2: its worker was ended by SIGKILL")
    assert said[4].startswith("slowest    row 1 (1) 0.00 s, row 3 (3)")


def test_workers_that_cannot_be_started_are_one_error(tmp_path: Path) -> None:
    given(tmp_path, "one", "two")
    (tmp_path / "broken").touch()
    with pytest.raises(VerifierError, match="no worker can be started: its worker ended with exit code 3"):
        done(tmp_path)
    assert written(tmp_path) == []


def test_an_output_that_exists_is_never_written_over(tmp_path: Path) -> None:
    given(tmp_path, "one")
    (tmp_path / "out.jsonl").write_text("mine\n")
    with pytest.raises(ConfigError, match="exists: go on with it by --resume"):
        done(tmp_path)
    with pytest.raises(ConfigError, match=r"line 1 of .* was not written by a batch"):
        done(tmp_path, resume=True)
    assert (tmp_path / "out.jsonl").read_text() == "mine\n"


def test_two_runs_do_not_write_one_output(tmp_path: Path) -> None:
    given(tmp_path, "one")
    with opened_output(tmp_path / "out.jsonl", resume=False), pytest.raises(ConfigError, match="another run"):
        done(tmp_path, resume=True)
    assert done(tmp_path, resume=True).rows == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_other_rows_and_another_configuration_are_not_gone_on_with(tmp_path: Path) -> None:
    given(tmp_path, "one", "two")
    done(tmp_path)
    strict = Settings.model_validate({"decision": {"strict": True}})
    with pytest.raises(ConfigError, match="row 1 is not the one that the output has"):
        done(tmp_path, resume=True, settings=strict)
    given(tmp_path, "one", "another")
    with pytest.raises(ConfigError, match="row 2 is not the one that the output has"):
        done(tmp_path, resume=True)
    given(tmp_path, "one")
    with pytest.raises(ConfigError, match="more rows than the input"):
        done(tmp_path, resume=True)


def test_an_input_that_was_cut_short_is_gone_on_with_when_it_is_whole(tmp_path: Path) -> None:
    path = given(tmp_path, "one", "two", "three")
    whole = path.read_text()
    path.write_text(whole[: whole.index("two")])
    assert done(tmp_path).errors == {"row": 1}
    path.write_text(whole)
    summary = done(tmp_path, resume=True)
    assert (summary.rows, summary.resumed, summary.errors) == (3, 1, {})
    assert [one["report"]["said"] for one in written(tmp_path)] == ["one", "two", "three"]


def test_only_so_many_rows_are_held_behind_a_slow_one(tmp_path: Path) -> None:
    taken = threading.local()
    taken.rows = 0

    def rows():
        for number in range(1, 200):
            taken.rows = number
            yield Row(number, str(number), f"row {number}"), "digest"

    with Pool({}, workers=1, threads=1, has_base=False, command=command(tmp_path)) as pool:
        ahead = [taken.rows - row.number for (row, _digest), _outcome in in_order(rows(), pool, most=6)]
    assert max(ahead) == 5


def test_what_bounds_the_requests_of_a_job_is_shared_by_its_workers() -> None:
    llm = {
        "model": "m",
        "requests_per_minute": 61,
        "price_per_million_input": 1,
        "price_per_million_output": 2,
    }
    reader = {"type": "chat", "workers": 8, "max_requests": 10, "max_cost": 1.0}
    settings = Settings.model_validate({"llm": llm, "reader": reader})
    told = setup_of(settings, 4)
    assert (told["llm"]["requests_per_minute"], told["llm"]["tokens_per_minute"]) == (15, None)
    assert told["reader"] == {"type": "chat", "workers": 2, "max_requests": 2, "max_cost": 0.25}
    with pytest.raises(
        ConfigError, match=r"reader\.workers is 8, which 9 workers cannot share: take --workers 8"
    ):
        setup_of(Settings.model_validate({"reader": {"type": "chat", "workers": 8}}), 9)
