"""A chat reader on the command line: what is asked before it is asked, the report, the ledger, and clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.inside import run
from tests.support.reading_model import replying, said

SOURCE = "The library opens at nine. The reading room has 24 desks.\n"
TEXT = "The reading room holds two dozen desks. The library opens at noon."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with a source and a configured reader that replies by a script."""
    (tmp_path / "library.md").write_text(SOURCE)
    (tmp_path / "verifier.toml").write_text(
        '[reader]\ntype = "chat"\nread = "all"\n\n[llm]\nprovider = "scripted"\nmodel = "m"\nscript = "replies.jsonl"\n'
        "price_per_million_input = 1.0\nprice_per_million_output = 4.0\n"
    )
    first = said("c1", "supported", (1, "The reading room has 24 desks"))
    second = said("c2", "contradicted", (1, "The library opens at nine"), note="nine, not noon")
    (tmp_path / "replies.jsonl").write_text(json.dumps(replying(first, second)) + "\n")
    return tmp_path


def test_a_dry_run_says_what_would_be_asked_and_asks_nothing(folder: Path) -> None:
    (folder / "replies.jsonl").write_text("")
    done = run("verify", "--text", TEXT, "--source", "library.md", "--dry-run", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.startswith("would ask about 2 of 2 claims in 1 request with about ")
    assert "at most" in done.stdout
    told = json.loads(
        run("verify", "--text", TEXT, "--source", "library.md", "--dry-run", "--json", cwd=folder).stdout
    )
    assert (told["cases"], told["claims"], told["requests"]) == (2, 2, 1)
    assert 0 < told["cost"] < 0.01


def test_a_dry_run_without_a_reader_says_that_none_is_asked(folder: Path) -> None:
    (folder / "verifier.toml").write_text("")
    done = run("verify", "--text", TEXT, "--source", "library.md", "--dry-run", cwd=folder)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "would ask no reader beside the signals")


def test_the_report_shows_what_the_reader_quotes_and_took(folder: Path) -> None:
    done = run("verify", "--text", TEXT, "--source", "library.md", cwd=folder)
    assert done.returncode == 1
    assert "reader: asked about 2 of 2 claims, 1 reply" in done.stdout
    assert "calibrated on the answers of another large model" in " ".join(done.stdout.split())
    report = folder / "report.json"
    run("verify", "--text", TEXT, "--source", "library.md", "--json", "--output", str(report), cwd=folder)
    first, second = json.loads(report.read_text())["claims"]
    assert (first["verdict"], second["verdict"]) == ("supported", "contradicted")
    assert first["reader"]["quotations"][0]["text"] == "The reading room has 24 desks"
    explained = run("explain", str(report), "2", cwd=folder).stdout
    assert "reader: contradicted: nine, not noon" in explained
    assert "quotes: The library opens at nine (library.md, line 1)" in explained


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('type = "chatt"', "unknown reader 'chatt'; known: "),
        ('type = "chat"\nread = "some"', "reader.read = 'some'"),
        ('type = "chat"\nmodel = "m"\nclaim_a_call = 3', "unknown key reader.claim_a_call for reader 'chat'"),
        ('type = "chat"', "no chat model is named"),
        ('type = "chat"\nmodel = "m"\nevidence = "pages"', "reader.evidence = 'pages'"),
        (
            'type = "decisions"\nmodel = "m"\nquotations = "required"',
            "reader.quotations = 'required', and a reader of type 'decisions' quotes nothing",
        ),
        ('type = "embedded"\nfusion = "x.json"', "for 'embedded' set verdict.fusion"),
    ],
)
def test_a_wrong_table_is_one_clear_line(folder: Path, table: str, told: str) -> None:
    (folder / "verifier.toml").write_text(f"[reader]\n{table}\n")
    done = run("verify", "--text", TEXT, "--source", "library.md", cwd=folder)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_no_key_is_an_error_of_each_claim_that_names_the_variable(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (folder / "verifier.toml").write_text('[reader]\ntype = "chat"\nmodel = "m"\nread = "all"\n')
    done = run("verify", "--text", TEXT, "--source", "library.md", "--json", cwd=folder)
    assert done.returncode == 3
    claims = json.loads(done.stdout)["claims"]
    assert {claim["status"] for claim in claims} == {"error"}
    assert all("no key for the model: set OPENAI_API_KEY" in claim["reason"] for claim in claims)
