"""``--dry-run`` of every command that has it: what would be read and asked is told, and nothing is made or written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.inside import inside

SAID = "Fees are paid within 30 days."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts, labelled rows with and without a premise, a knowledge base, and a configuration with a chat reader."""
    place = tmp_path_factory.mktemp("dry")
    (place / "docs").mkdir()
    (place / "docs" / "fees.md").write_text(SAID)
    (place / "docs" / "logo.svg").write_bytes(b"x")
    rows = [
        {"premise": SAID, "hypothesis": SAID, "label": "entailment"},
        {"claim": SAID, "verdict": "supported"},
    ]
    (place / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows) + "{bad\n")
    (place / "chat.toml").write_text(
        '[reader]\ntype = "chat"\nread = "all"\n\n[llm]\nprovider = "scripted"\nmodel = "m"\nscript = "replies.jsonl"\n'
    )
    (place / "replies.jsonl").write_text("")
    assert inside(place, "ingest", "docs").exit_code == 0
    return place


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file with its size and when it was written, but for what SQLite keeps beside a base that is read."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite3-shm")
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["ingest", "docs", "--kb", "new"], ["  fees.md (markdown)", "into: new, namespace default"]),
        (
            ["verify", "docs", "--format", "junit", "--output", "v.xml"],
            [
                "would ask no reader beside the signals",
                "  v.xml",
                "against: 1 passage of kb, namespace default",
            ],
        ),
        (
            ["verify", "docs", "--config", "chat.toml"],
            ["  docs/fees.md", "chat model m", "would ask about 1 of 1 claims in 1 request"],
        ),
        (
            ["evaluate", "rows.jsonl", "--rows", "r.csv", "--output", "f.md"],
            ["  rows.jsonl: 2, and 1 not usable", "  r.csv", "1 against kb (1 passage)"],
        ),
        (
            ["evaluate", "rows.jsonl", "--config", "chat.toml"],
            ["would ask about 2 of 2 claims in 2 requests"],
        ),
        (
            ["compare", "--backends", "bm25,memory", "--plot", "p.svg"],
            ["passages: 1 of kb", "  memory: memory (encoder minilm", "  p.svg"],
        ),
        (
            ["calibrate", "rows.jsonl", "--only-threshold", "--output", "f.json"],
            ["would learn: the threshold", "  f.json"],
        ),
    ],
)
def test_nothing_is_written_and_the_plan_is_told(folder: Path, command: list[str], told: list[str]) -> None:
    before = _state(folder)
    done = inside(folder, *command, "--dry-run")
    assert done.exit_code == 0, done.output
    for line in told:
        assert line in done.output
    assert _state(folder) == before


def test_a_plan_is_json_on_demand(folder: Path) -> None:
    plan = json.loads(inside(folder, "ingest", "docs", "--dry-run", "--json").stdout)
    assert plan["files"] == ["fees.md (markdown)"]
    assert plan["ignored"] == ["logo.svg: unknown format .svg"]


def test_what_is_not_there_is_an_error_in_a_dry_run_too(folder: Path) -> None:
    for command in (
        ["verify", "docs", "--kb", "nowhere"],
        ["compare", "--backends=bm25,ann", "--kb=nowhere"],
    ):
        assert "no knowledge base at" in str(inside(folder, *command, "--dry-run").exception)
