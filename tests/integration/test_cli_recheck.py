"""``verifier recheck`` over the files that ``verify`` and ``batch`` write: what it prints, writes and refuses."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from verifier.config import Settings, load
from verifier.core.errors import ConfigError
from verifier.factory import open_store
from verifier.interfaces.batch.checking import Checker
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.checks import explain as explain_checks
from verifier.interfaces.cli.explain import explain
from verifier.interfaces.cli.ingest import ingest
from verifier.interfaces.cli.recheck import recheck
from verifier.interfaces.cli.verify import verify
from verifier.types import Document

FEES = "The parking fee is EUR 5 a day. Dogs are free of charge."
CONFIGURATION = '[backend]\ntype = "bm25"\n\n[signals]\nnli = false\n'


def stored(settings: Settings, text: str) -> None:
    with open_store(settings, create=True) as store:
        store.ingest([Document("fees.md", "fees.md", text)])


def checked(command: Any, *arguments: Any, **options: Any) -> int:
    with pytest.raises(typer.Exit) as left:
        command(*arguments, **options)
    return left.value.exit_code


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report, one of two texts, and the records of a batch, made before the fee went up."""
    folder = tmp_path_factory.mktemp("saved")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("verifier.toml").write_text(CONFIGURATION)
        settings = load().settings
        stored(settings, FEES)
        Path("a.md").write_text("The parking fee is EUR 5 a day.")
        Path("b.md").write_text("Dogs are free of charge.")
        assert checked(verify, [Path("a.md")], json_=True, output=Path("one.json")) == exits.OK
        assert checked(verify, [Path("a.md"), Path("b.md")], json_=True, output=Path("two.json")) == exits.OK
        checker = Checker(settings, has_base=True)
        rows = [
            Row(1, "r1", "The parking fee is EUR 5 a day."),
            Row(2, "r2", "Tea is free.", ("Tea is free.",)),
        ]
        records = [{"row": row.number, "id": row.id, "digest": "d", **checker.record(row)} for row in rows]
        records.append({"row": 3, "id": "r3", "digest": "d", "error": {"kind": "row", "message": "no"}})
        checker.close()
        Path("out.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
        stored(settings, FEES.replace("EUR 5", "EUR 8"))
    return folder


@pytest.fixture
def here(saved: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(saved)
    return saved


def test_a_flip_is_printed_with_what_changed_and_rejects(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = (here / "one.json").read_bytes()
    assert checked(recheck, [Path("one.json")]) == exits.REJECTED
    lines = capfdbinary.readouterr().out.decode().splitlines()
    assert lines[0] == "one.json: supported -> contradicted: The parking fee is EUR 5 a day."
    assert lines[1].startswith("    fees.md, from character 0: changed")
    assert lines[2] == "one.json: now rejected, was approved"
    assert lines[3] == "1 report: 1 of 1 claim (100%) verified again, 1 verdict flipped"
    assert (here / "one.json").read_bytes() == before


def test_a_renewed_report_is_current_and_those_of_several_texts_stay_together(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert checked(recheck, [Path("two.json")], output=Path("new.json"), json_=True) == exits.REJECTED
    told = json.loads(capfdbinary.readouterr().out)
    assert [(one["name"], one["before"], one["after"]) for one in told["flips"]] == [
        ("a.md", "supported", "contradicted")
    ]
    assert told["flips"][0]["causes"][0] == {"what": "changed", "where": "fees.md, from character 0"}
    renewed = json.loads((here / "new.json").read_text())
    assert (renewed["approved"], [one["report"]["approved"] for one in renewed["texts"]]) == (
        False,
        [False, True],
    )
    assert checked(recheck, [Path("new.json")], json_=True) == exits.REJECTED
    again = json.loads(capfdbinary.readouterr().out)
    assert (again["reports"], again["claims"], again["verified"], again["flips"]) == (2, 2, 0, [])


def test_records_of_a_batch_are_renewed_in_place_and_what_is_not_of_the_base_is_left(
    here: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    before = [json.loads(line) for line in (here / "out.jsonl").read_text().splitlines()]
    assert checked(recheck, [Path("out.jsonl")], write=True, json_=True) == exits.INCOMPLETE
    told = json.loads(capfdbinary.readouterr().out)
    assert [one["name"] for one in told["flips"]] == ["row 1"]
    assert [one["name"] for one in told["left"]] == ["row 2", "row 3"]
    after = [json.loads(line) for line in (here / "out.jsonl").read_text().splitlines()]
    assert after[0]["decision"] == "rejected"
    assert (after[0]["id"], after[0]["digest"]) == ("r1", "d")
    assert after[1:] == before[1:]
    assert not [path for path in here.iterdir() if path.name.startswith(".out")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("text.json", "no JSON", "is not JSON"),
        ("other.json", '{"a": 1}', "not a report"),
        ("list.json", "[]", "holds no report"),
        ("lines.jsonl", '{"type": "claim"}\n', "was not written by a batch"),
        ("cut.jsonl", '{"row": 1, "dig', "cut short"),
    ],
)
def test_a_file_that_holds_no_reports_is_refused_and_left(
    here: Path, name: str, content: str, said: str
) -> None:
    (here / name).write_text(content)
    with pytest.raises(ConfigError, match=said):
        recheck([Path(name)], write=True)
    assert (here / name).read_text() == content


def test_explain_reads_one_row_of_a_batch(here: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    explain(Path("out.jsonl"), 1, id_="r1", quiet=True)
    assert "The parking fee is EUR 5 a day." in capfdbinary.readouterr().out.decode()
    explain_checks(Path("out.jsonl"), id_="r2")
    assert "Tea is free." in capfdbinary.readouterr().out.decode()
    Path("single.jsonl").write_text(Path("out.jsonl").read_text().splitlines(keepends=True)[0])
    explain(Path("single.jsonl"), quiet=True)
    assert "EUR 5" in capfdbinary.readouterr().out.decode()


@pytest.mark.parametrize(
    ("file", "options", "said"),
    [
        ("out.jsonl", {}, "out.jsonl has several rows: give the id of one by --id, as r1"),
        ("out.jsonl", {"id_": "r9"}, "no row with the id 'r9'"),
        ("out.jsonl", {"id_": "r3"}, "row 3 of out.jsonl has no report, but an error: no"),
        ("out.jsonl", {"of": "a.md"}, "give --id in the place of --of"),
        ("one.json", {"id_": "r1"}, "leave out --id"),
        ("gone.jsonl", {"id_": "r1"}, "cannot read gone.jsonl: No such file"),
    ],
)
def test_a_row_that_is_not_there_is_said_to_explain(
    here: Path, file: str, options: dict[str, str], said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        explain(Path(file), **options)


def test_one_output_is_for_one_report(here: Path) -> None:
    with pytest.raises(ConfigError, match="--output is for one REPORT"):
        recheck([Path("one.json"), Path("two.json")], output=Path("new.json"))
    with pytest.raises(ConfigError, match="no such file"):
        recheck([Path("none.json")])
    with pytest.raises(ConfigError, match="would overwrite"):
        recheck([Path("one.json")], output=Path("one.json"))


def test_files_that_were_edited_and_not_ingested_are_told_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("verifier.toml").write_text(CONFIGURATION)
    Path("docs").mkdir()
    Path("docs", "fees.md").write_text(FEES)
    Path("docs", "rows.csv").write_text("id,text\n1,Tea is free.\n2,Cake is free.\n")
    assert checked(ingest, ["docs"], namespace="town") == exits.OK
    monkeypatch.setenv("VERIFIER_KB__NAMESPACE", "town")
    Path("a.md").write_text("The parking fee is EUR 5 a day.")
    assert checked(verify, [Path("a.md")], json_=True, output=Path("one.json")) == exits.OK

    later = Path("kb", "knowledge.sqlite3").stat().st_mtime + 10
    for name in ("fees.md", "rows.csv"):
        os.utime(Path("docs", name), (later, later))
    capfdbinary.readouterr()
    assert checked(recheck, [Path("one.json")]) == exits.OK
    assert capfdbinary.readouterr().err == b"", "touched, and the same"

    Path("docs", "fees.md").write_text(FEES.replace("EUR 5", "EUR 8"))
    Path("docs", "rows.csv").write_text("id,text\n1,Tea is free.\n")
    for name in ("fees.md", "rows.csv"):
        os.utime(Path("docs", name), (later, later))
    assert checked(recheck, [Path("one.json")]) == exits.OK
    [told] = capfdbinary.readouterr().err.decode().splitlines()
    assert told.startswith("edited since they were stored, and here judged by what is stored: docs/")
    command = shlex.split(told.rpartition("first run: verifier ingest ")[2])
    assert sorted(command[:2]) == ["docs/fees.md", "docs/rows.csv"]
    assert command[2:] == ["--kb", "kb", "--namespace", "town"]
    assert checked(ingest, command[:2], kb=Path("kb"), prune=True, namespace="town") == exits.OK
    os.utime(Path("kb", "knowledge.sqlite3"), (later - 5, later - 5))
    capfdbinary.readouterr()
    assert checked(recheck, [Path("one.json")]) == exits.REJECTED
    assert capfdbinary.readouterr().err == b""
