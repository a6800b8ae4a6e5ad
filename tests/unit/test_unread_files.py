"""Documents that could not be read: named with the remedy, kept in mind by the knowledge base, told by its reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.inside import run
from verifier.config import Settings, load
from verifier.factory import build_scorer, temporary_store
from verifier.knowledge.formats.unread import UNREAD
from verifier.knowledge.ingest import SUFFIXES, discover
from verifier.knowledge.records import FailedSource
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Decision, Document, Verdict
from verifier.verification.report import from_json

BAKERY = "The bakery opens at six. It sells rye bread and rolls."
OPERA = "The Zellin opera house burned down in 1963."
OLD = "old.xls: an old Excel file, which cannot be read; save it as .xlsx or .csv"
PLAIN = {"VERIFIER_SIGNALS__NLI": "false", "VERIFIER_BACKEND__TYPE": "bm25"}


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load(overrides={"signals.nli": False, "backend": {"type": "bm25"}}).settings


def folder(path: Path) -> Path:
    path.mkdir()
    (path / "bakery.md").write_text(BAKERY)
    (path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0" * 100)
    (path / "core.dump").write_bytes(b"\0" * 100)
    return path


def report_of(store: GroundTruthStore, settings: Settings, text: str) -> Any:
    return build_scorer(settings, store).verify(text)


def test_no_kind_is_both_read_and_not() -> None:
    assert not set(UNREAD) & set(SUFFIXES)


def test_documents_of_a_known_kind_are_told_and_others_left_out(tmp_path: Path) -> None:
    found = {file.source: file for file in discover([folder(tmp_path / "docs")], ["bak*"])}
    assert found["old.xls"].unreadable == OLD.removeprefix("old.xls: ")
    assert found["core.dump"].ignored == "unknown format .dump"
    assert found["bakery.md"].ignored == "left out by bak*"
    (named,) = discover([tmp_path / "docs/old.xls"])
    assert named.unreadable


def test_what_was_not_read_is_kept_in_mind_until_it_is_read_or_gone(settings: Settings) -> None:
    failed = FailedSource("fees.xls", "/kb/fees.xls", "an old file")
    with temporary_store(settings) as store:
        before = store.revision
        store.ingest([failed, FailedSource("b.csv", "/kb/b.csv#", "bad row")])
        assert store.unread() == [failed]
        assert store.stats()["unread"] == [
            {"namespace": "default", "source": "fees.xls", "reason": "an old file"}
        ]
        assert store.revision > before
        store.ingest([], told_under=["/elsewhere"])
        assert store.unread() == [failed]
        store.ingest([Document("fees.xls", "/kb/fees.xls#1", "The fee is EUR 5.")])
        assert store.unread() == []
        store.ingest([failed])
        store.ingest([], told_under=["/kb"])
        assert store.unread() == []


def test_a_claim_without_trace_is_not_fabricated_while_files_were_not_read(settings: Settings) -> None:
    with temporary_store(settings) as store:
        store.ingest([Document("bakery.md", "/bakery.md", BAKERY)])
        whole = report_of(store, settings, OPERA)
        store.ingest([FailedSource("old.xls", "/old.xls", "an old Excel file")])
        part = report_of(store, settings, f"The bakery opens at six. It sells rye bread and rolls. {OPERA}")
    assert whole.claims[0].verdict is Verdict.FABRICATED
    claim = part.claims[-1]
    assert (claim.verdict, claim.decided_by, claim.confidence) == (
        Verdict.UNVERIFIABLE,
        "unread_files",
        None,
    )
    assert claim.reason.startswith("not mentioned in what was read, but 1 file was not read; ")
    assert "1 file was not read: old.xls (an old Excel file)" in part.notes
    assert part.groundedness is not None
    assert part.groundedness > 0.5
    assert part.decision is Decision.REJECTED
    assert part.rule.endswith("rejects the text, too, while files were not read")


def test_the_command_line_tells_of_it_at_ingest_in_stats_and_in_the_report(tmp_path: Path) -> None:
    folder(tmp_path / "docs")
    done = run("ingest", "docs", cwd=tmp_path, **PLAIN)
    assert (done.returncode, done.stdout) == (3, "1 added, 1 failed, 1 ignored; 1 passage embedded\n")
    assert f"not read: {OLD}" in done.stderr
    stats = run("kb", "stats", cwd=tmp_path, **PLAIN)
    assert "old.xls" in stats.stdout
    done = run("verify", "--text", OPERA, "--json", cwd=tmp_path, **PLAIN)
    report = from_json(json.loads(done.stdout))
    assert done.returncode == 1
    assert report.claims[0].verdict is Verdict.UNVERIFIABLE
    assert any(note.startswith("1 file was not read: old.xls") for note in report.notes)
    done = run("ingest", "docs", "--ignore", "*.xls", cwd=tmp_path, **PLAIN)
    assert done.returncode == 0
    assert "old.xls" not in run("kb", "stats", cwd=tmp_path, **PLAIN).stdout


def test_sources_on_the_spot_are_checked_without_what_cannot_be_read(tmp_path: Path) -> None:
    folder(tmp_path / "docs")
    done = run(
        "verify", "--text", "The bakery opens at six.", "--source", "docs", "--json", cwd=tmp_path, **PLAIN
    )
    assert done.returncode == 3
    report = from_json(json.loads(done.stdout))
    assert report.approved
    assert any("old.xls" in note for note in report.notes)
    done = run("verify", "--text", OPERA, "--source", "docs/old.xls", cwd=tmp_path, **PLAIN)
    assert done.returncode == 3
    assert OLD in done.stderr


def test_a_draft_of_a_kind_that_cannot_be_read_is_told_with_what_mends_it(tmp_path: Path) -> None:
    (tmp_path / "draft.doc").write_bytes(b"\xd0\xcf\x11\xe0" * 100)
    done = run("verify", "draft.doc", cwd=tmp_path, **PLAIN)
    assert done.returncode == 3
    assert "draft.doc: an old Word file, which cannot be read; save it as .docx or .pdf" in done.stderr
