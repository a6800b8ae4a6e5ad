"""The frame of the benchmark: rows through processes, files, tables and a picture; nothing is dropped silently."""

from __future__ import annotations

import json
from contextlib import suppress
from io import StringIO
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from benchmarks.fleet import parts
from benchmarks.fleet.picture import draw, panels
from benchmarks.fleet.rows import (
    Options,
    Row,
    Run,
    about_table,
    console_table,
    markdown_table,
    not_run,
    of_part,
    shown,
)

ROWS = [
    Row("a query", "ours, exact", 1.25, "ms", "100 passages", aim="under 2", part="stores"),
    Row("memory", "ours, exact", 120.0, "MiB", "100 passages", part="stores"),
    Row("a query", "Chroma | HNSW", 2.5, "ms", "100 passages", part="stores"),
    Row("a query", "Qdrant", None, "", not_run="needs qdrant-client", part="stores"),
    *(Row("answer", "ours", 0.1 * n, "s", at=n, part="growth") for n in (1, 2, 4)),
]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return Options(None, tmp_path / "scratch", size=50)


def part(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> str:
    """A module with this code, which a process of a part finds."""
    (folder / "of_a_test.py").write_text(code, encoding="utf-8")
    paths = [str(folder), str(Path(parts.__file__).parents[2])]
    monkeypatch.setenv("PYTHONPATH", ":".join(paths), prepend=":")
    return "of_a_test"


def test_options_and_rows_pass_between_processes_as_they_are(options: Options) -> None:
    assert Options.of(options.json()) == options
    with_data = Options(Path("/data"), Path("build"))
    assert Options.of(with_data.json()) == with_data
    line = json.dumps({"what": "a", "system": "b", "figure": 1.5, "unit": "s"})
    assert list(of_part([line], "stores")) == [Row("a", "b", 1.5, "s", part="stores")]
    with pytest.raises(ValueError, match="stores printed what is no row"):
        list(of_part(['{"speed": 1}'], "stores"))


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = Run({"cores": 2}, ROWS)
    run.write(tmp_path / "deep" / "bench.json")
    assert Run.read(tmp_path / "deep" / "bench.json") == run
    (tmp_path / "other.json").write_text('{"rows": [{"speed": 1}]}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"other\.json holds no figures"):
        Run.read(tmp_path / "other.json")


def test_markdown_has_a_line_for_each_system_and_shows_what_was_not_run() -> None:
    assert markdown_table(ROWS[:4]).splitlines() == [
        "|  | a query, ms | memory, MiB |",
        "| --- | --- | --- |",
        "| ours, exact | 1.25 | 120 |",
        "| Chroma \\| HNSW | 2.5 |  |",
        "| Qdrant | not run: needs qdrant-client |  |",
        "| aim | under 2 |  |",
    ]


def test_a_sparse_table_has_a_line_for_each_figure() -> None:
    rows = [
        Row("power", "ours", 1.0, "", error=0.1, aim="at most 1"),
        Row("time", "ours", 2.0, "ms"),
        Row("time", "theirs", 3.0, "ms"),
        Row("memory", "x", 4.0, "MiB"),
        Row("left", "x", 4.0, "s", at=3),
    ]
    assert markdown_table(rows).splitlines() == [
        "|  |  |  | aim |",
        "| --- | --- | --- | --- |",
        "| power | ours | 1 ± 0.1 | at most 1 |",
        "| time | ours | 2 ms |  |",
        "|  | theirs | 3 ms |  |",
        "| memory | x | 4 MiB |  |",
    ]


def test_what_the_figures_depend_on_is_told_for_each_part() -> None:
    parts = {"stores": {"date": "today", "load_before": 0.5}}
    run = Run({"date": "today", "machine": "a | b", "cores": 2, "parts": parts}, ROWS)
    assert about_table(run).splitlines()[2:] == [
        "| stores | today | 0.5 | 100 passages |",
        "| machine | today |  | a \\| b, 2 cores |",
    ]


def test_the_console_s_table_keeps_systems_together_and_numbers_the_conditions() -> None:
    console = Console(width=100, file=StringIO())
    console.print(console_table(Run({"date": "today", "cores": 2}, ROWS)))
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in printed.splitlines() if "│" in line]
    assert lines[:3] == [
        ["stores", "", "", "", "", ""],
        ["a query", "ours, exact", "1.25", "ms", "under 2", "(1)"],
        ["", "Chroma | HNSW", "2.5", "ms", "", "(1)"],
    ]
    assert lines[3][:2] == ["", "Qdrant"]
    assert "not run" in lines[3][2]
    assert ["", "ours, at 2", "0.2", "s", "", ""] in lines
    assert "(1) 100 passages" in printed


def test_a_part_s_rows_come_as_json_whatever_it_prints_besides(
    tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = part(
        tmp_path,
        monkeypatch,
        "import os\nfrom benchmarks.fleet.rows import Row\n"
        "def rows(options):\n"
        "    print('noise'); os.system('echo more')\n"
        "    yield Row('size', 'ours', float(options.size), 'passages')\n",
    )
    kept = Run({"parts": {"old": {"seconds": 1}}}, [*ROWS[-1:], Row("gone", "x", 1, "s", part="mine")])
    run, failed = parts.run(["mine"], options, 60, tmp_path / "bench.json", kept, {"mine": module})
    assert not failed
    assert run.rows == [ROWS[-1], Row("size", "ours", 50.0, "passages", part="mine")]
    assert set(run.about["parts"]) == {"old", "mine"}
    assert run.about["parts"]["mine"]["sizes"]["size"] == 50
    assert (
        str(tmp_path) not in (tmp_path / "bench.json").read_text()
    )  # no folder of this machine is published
    assert Run.read(tmp_path / "bench.json").rows == run.rows


def test_a_part_that_fails_keeps_its_rows_and_says_why(
    tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = part(
        tmp_path,
        monkeypatch,
        "from benchmarks.fleet.rows import Row\n"
        "def rows(options):\n    yield Row('a', 'ours', 1.0, 's')\n    raise OSError('no disk')\n",
    )
    run, failed = parts.run(["mine"], options, 60, tmp_path / "bench.json", None, {"mine": module})
    assert failed
    assert [row.figure for row in run.rows] == [1.0, None]
    assert run.rows[1].not_run.startswith("failed: OSError: no disk")


def test_a_part_that_takes_too_long_is_ended_with_all_that_it_started(
    tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = part(
        tmp_path,
        monkeypatch,
        "import subprocess, time\nfrom pathlib import Path\nfrom benchmarks.fleet.rows import Row\n"
        "def rows(options):\n"
        "    process = subprocess.Popen(['sleep', '3600'])\n"
        "    yield Row('process', 'ours', float(process.pid), '')\n"
        "    try:\n        time.sleep(3600)\n"
        "    finally:\n        Path(options.scratch, 'stopped').touch()\n",
    )
    monkeypatch.setattr(parts, "_GRACE", 5.0)
    run, failed = parts.run(["mine"], options, 15, tmp_path / "bench.json", None, {"mine": module})
    assert failed
    assert run.rows[0].figure is not None
    assert "ended after 15 s" in run.rows[1].not_run
    assert (options.scratch / "stopped").exists()  # what a block of it would stop, as a server, was stopped
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(run.rows[0].figure)).wait(30)  # a killed process takes a moment to go


def test_the_picture_has_a_panel_for_what_several_were_measured_by(tmp_path: Path) -> None:
    assert [[row.what for row in some] for some in panels(ROWS)] == [["a query"] * 2, ["answer"] * 3]
    draw(Run({"machine": "one"}, ROWS), tmp_path / "bench.svg")
    drawn = (tmp_path / "bench.svg").read_text(encoding="utf-8")
    assert "stores: a query" in drawn
    assert "Chroma | HNSW" in drawn
    draw(Run({}, [not_run("a", "b", "needs c")]), tmp_path / "none.svg")
    assert not (tmp_path / "none.svg").exists()


def test_figures_have_three_digits_that_count() -> None:
    assert shown(Row("", "", 0.0, "")) == "0"
    assert shown(Row("", "", 99.96, "")) == "100"
    assert shown(Row("", "", 1.02, "power", error=0.013)) == "1.02 ± 0.013"
