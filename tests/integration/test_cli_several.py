"""Several texts in one run of the command: read as ingest reads, judged alike, told in every format, one exit code."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import run
from tests.support.inside import LIGHT, inside

FORMATS = {"json": "r.json", "jsonl": "r.jsonl", "markdown": "r.md", "junit": "r.xml", "sarif": "r.sarif"}
SOURCE = ("--source", "terms.md")
TRUE, FALSE = "Monthly plans cannot be refunded.", "An annual plan is refunded within 60 days."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers, some of which cannot be read, and what they are checked against."""
    place = tmp_path_factory.mktemp("several")
    (place / "terms.md").write_text(f"An annual plan is refunded within 30 days. {TRUE}\n")
    (place / "answers" / "deep").mkdir(parents=True)
    (place / "answers" / "deep" / "bad.md").write_text(f"# Plans\n\n{FALSE}\n")
    (place / "answers" / "rows.jsonl").write_text(json.dumps({"id": "a7", "text": TRUE}) + "\n")
    (place / "answers" / "scan.pdf").write_bytes(b"%PDF-1.7\nnonsense")
    (place / "answers" / "notes.xyz").write_text("x")
    (place / "good.md").write_text(f"{TRUE}\n")
    (place / "none").mkdir()
    return place


@pytest.fixture(scope="module")
def mixed(folder: Path) -> subprocess.CompletedProcess[Any]:
    also = [f"--also={name}={file}" for name, file in FORMATS.items()]
    paths = ("good.md", "answers", "good.md")
    return run("verify", *paths, "--source", "terms.md", *also, cwd=folder, **LIGHT)


def test_a_heading_a_text_a_total_and_one_exit_code(mixed: subprocess.CompletedProcess[Any]) -> None:
    assert mixed.returncode == 3
    lines = mixed.stdout.splitlines()
    names = [line for line in lines if line in ("good.md", "answers/deep/bad.md", "answers/rows.jsonl#a7")]
    assert names == ["good.md", "answers/deep/bad.md", "answers/rows.jsonl#a7"]
    assert sum(line.startswith("rule: ") for line in lines) == 3
    assert lines[-2].startswith("could not be read: answers/scan.pdf: ")
    assert lines[-1] == "3 texts: 2 approved, 1 rejected; 1 could not be read"
    assert "ignored answers/notes.xyz: unknown format .xyz" in mixed.stderr


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_has_what_failed_and_what_could_not_be_read(
    folder: Path, mixed: subprocess.CompletedProcess[Any], name: str
) -> None:
    written = (folder / FORMATS[name]).read_text(encoding="utf-8")
    assert "answers/deep/bad.md" in written
    assert "60 days" in written
    assert "answers/scan.pdf" in written


def test_the_json_has_a_report_a_text_the_same_as_alone(
    folder: Path, mixed: subprocess.CompletedProcess[Any]
) -> None:
    whole = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert whole["approved"] is False
    assert [one["name"] for one in whole["unread"]] == ["answers/scan.pdf"]
    reports = {one["name"]: one["report"] for one in whole["texts"]}
    assert reports["answers/deep/bad.md"]["decision"] == "rejected"
    alone = inside(folder, "verify", "answers/deep/bad.md", *SOURCE, "--json")
    assert alone.exit_code == 1
    assert json.loads(alone.stdout)["claims"] == reports["answers/deep/bad.md"]["claims"]


def test_the_worst_of_the_texts_is_the_exit_code_and_stdin_is_one_of_them(folder: Path) -> None:
    done = inside(folder, "verify", "-", "good.md", *SOURCE, stdin=FALSE)
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0] == "stdin"
    assert done.stdout.splitlines()[-1] == "2 texts: 1 approved, 1 rejected"


def test_a_folder_with_nothing_to_read_is_no_pass(folder: Path) -> None:
    done = inside(folder, "verify", "none", "good.md", *SOURCE, "--format", "github")
    assert done.exit_code == 3
    assert "could not be read: none: nothing to read in it" in done.stdout


def test_explain_takes_the_report_of_one_of_them(
    folder: Path, mixed: subprocess.CompletedProcess[Any]
) -> None:
    told = inside(folder, "explain", "r.json", "1", "--of", "answers/deep/bad.md", "--quiet").stdout
    assert told.startswith("1. contradicted")
    for options in ([], ["--of", "absent.md"]):
        done = inside(folder, "explain", "r.json", *options)
        assert "give --of, one of good.md, answers/deep/bad.md" in str(done.exception)
