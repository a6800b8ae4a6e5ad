"""``--engine ray`` on a cluster of two nodes: the local engine's output, whatever is killed; by ``make test-ray``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.ray_data.conftest import WORKER
from verifier.config import Settings
from verifier.core.errors import ConfigError, KnowledgeBaseNotFound
from verifier.interfaces.batch import ray_data
from verifier.interfaces.batch.local import LocalEngine
from verifier.interfaces.batch.ray_data import RayEngine
from verifier.interfaces.batch.run import run_batch
from verifier.interfaces.batch.source import Source
from verifier.interfaces.batch.summary import Summary

ROWS = [f"row {n}" for n in range(1, 301)]
RUN = """
import sys
from pathlib import Path
from verifier.config import Settings
from verifier.interfaces.batch.ray_data import RayEngine
from verifier.interfaces.batch.run import run_batch
from verifier.interfaces.batch.source import Source
folder, address, *command = sys.argv[1:]
source = Source(Path(folder, "in.jsonl"))
engine = RayEngine(Settings(), source, has_base=True, workers=2, address=address, command=command)
run_batch(Settings(), source, Path(folder, "out.jsonl"), engine=engine, resume=True)
"""


def given(folder: Path, *responses: str) -> Source:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"response": text}) + "\n" for text in responses))
    return Source(path)


def command(folder: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(WORKER), str(folder)]


def done(source: Source, address: str, *, resume: bool = False, progress=None) -> Summary:
    folder, settings = source.path.parent, Settings()
    engine = RayEngine(settings, source, has_base=True, workers=2, address=address, command=command(folder))
    return run_batch(settings, source, folder / "out.jsonl", engine=engine, resume=resume, progress=progress)


def written(path: Path) -> list[dict]:
    """Its records, without the time that each took."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in one.items() if key != "seconds"} for one in found]


def local(source: Source) -> list[dict]:
    """What the local engine writes."""
    folder, settings = source.path.parent, Settings()
    engine = LocalEngine(settings, has_base=True, workers=2, command=command(folder))
    run_batch(settings, source, folder / "local.jsonl", engine=engine)
    return written(folder / "local.jsonl")


def processes(name: str) -> list[psutil.Process]:
    """Those of Ray whose name begins so."""
    every = psutil.process_iter(["cmdline"])
    return [one for one in every if (one.info["cmdline"] or [""])[0].startswith(name)]


@pytest.mark.parametrize("victim", ["actor", "node"])
def test_whatever_dies_in_the_middle_no_row_is_lost_and_the_order_is_kept(
    cluster, tmp_path: Path, victim: str
) -> None:
    source = given(tmp_path, *ROWS)
    with source.path.open("a") as file:
        file.write('{"reply": "no response"}\n')
    ended: list[int] = []

    def strike(_stage: str, rows: int, _total: int | None) -> None:
        if rows < 40 or ended:
            return
        if victim == "actor":
            [first, *_] = processes("ray::MapWorker")
            os.kill(first.pid, signal.SIGKILL)
            ended.append(first.pid)
        else:
            node = next(iter(cluster.worker_nodes))
            cluster.remove_node(node, allow_graceful=False)
            ended.append(1)

    summary = done(source, cluster.address, progress=strike)
    if victim == "node":
        cluster.add_node(num_cpus=1)
    assert ended
    assert (summary.rows, summary.errors) == (301, {"row": 1})
    assert written(tmp_path / "out.jsonl") == local(source)


def test_a_killed_driver_is_gone_on_with(cluster, tmp_path: Path) -> None:
    """It is started with relative paths, which the actors and their workers take as it does: ``died`` is there."""
    source = given(tmp_path, "die once", *ROWS[1:])
    (tmp_path / "died").touch()
    out = tmp_path / "out.jsonl"
    call = [sys.executable, "-c", RUN, ".", cluster.address, *command(Path())]
    with subprocess.Popen(call, cwd=tmp_path) as process:
        while not out.exists() or out.read_bytes().count(b"\n") < 64:
            time.sleep(0.01)
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    before = out.read_bytes().count(b"\n")
    assert 64 <= before < len(ROWS)
    summary = done(source, cluster.address, resume=True)
    assert (summary.rows, summary.resumed) == (len(ROWS), before)
    assert written(out) == local(source)


def test_a_row_that_ends_its_worker_is_the_error_that_it_is_locally(cluster, tmp_path: Path) -> None:
    source = given(tmp_path, *ROWS[:5], "die", *ROWS[5:10])
    assert done(source, cluster.address).errors == {"worker": 1}
    assert written(tmp_path / "out.jsonl") == local(source)


def test_a_row_that_ends_its_actor_is_given_up_and_those_beside_it_are_checked(
    cluster, tmp_path: Path
) -> None:
    source = given(tmp_path, *ROWS[:200], "die with parent", *ROWS[200:])
    assert done(source, cluster.address).errors == {"worker": 1}
    records = written(tmp_path / "out.jsonl")
    assert [one["row"] for one in records] == list(range(1, 302))
    assert records[200]["error"]["message"] == "the actor that checked it was ended, 4 times"


def test_what_no_row_could_be_checked_with_stops_the_run_until_either_engine_goes_on(
    cluster, tmp_path: Path
) -> None:
    source = given(tmp_path, *ROWS[:40], "stop", *ROWS[40:50])
    (tmp_path / "gone").touch()
    with pytest.raises(KnowledgeBaseNotFound, match=r"it is gone \(on "):
        done(source, cluster.address)
    (tmp_path / "gone").unlink()
    engine = LocalEngine(Settings(), has_base=True, workers=2, command=command(tmp_path))
    summary = run_batch(Settings(), source, tmp_path / "out.jsonl", engine=engine, resume=True)
    assert summary.rows == 51
    assert 32 <= summary.resumed <= 40
    assert written(tmp_path / "out.jsonl") == local(source)


def test_reading_waits_for_what_is_written(cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_data, "_STORED", 8_000_000)
    source = given(tmp_path, *(f"{n} {'x' * 600_000}" for n in range(100)))
    positions: list[int] = []

    def look(_stage: str, rows: int, _total: int | None) -> None:
        if rows == 1:
            time.sleep(5)  # far longer than all of it takes to read
            [reader] = processes("ray::MapBatches")
            positions.extend(file.position for file in reader.open_files() if file.path == str(source.path))

    assert done(source, cluster.address, progress=look).rows == 100
    assert 0 < positions[0] < 30_000_000


def test_a_cluster_that_is_not_there_is_one_error(tmp_path: Path) -> None:
    source = given(tmp_path, "one")
    with pytest.raises(ConfigError, match="Ray's client"):
        done(source, "ray://head:10001")
    with pytest.raises(ConfigError, match=r"the Ray cluster at 127\.0\.0\.1:9 cannot be reached"):
        done(source, "127.0.0.1:9")
