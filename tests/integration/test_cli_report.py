"""``verifier report`` as a person runs it: where the page goes, what the exit code says, what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from pypdf import PdfWriter

from tests.support.cli import run
from tests.support.inside import inside
from verifier.core.errors import ConfigError
from verifier.interfaces.cli.ingest import ingest
from verifier.interfaces.cli.report import report
from verifier.interfaces.html import page, view_of
from verifier.verification.report import DecisionRule, build_report

DEMO = Path(__file__).parents[2] / "corpora" / "demo" / "kb"
BY_RULES = {"VERIFIER_SIGNALS__NLI": "false"}
SOURCE = "# Fees\n\nThe parking fee is EUR 5 a day. Dogs are free of charge.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a source, and with a draft that is borne out by it word for word."""
    monkeypatch.chdir(tmp_path)
    for name, value in BY_RULES.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "fees.md").write_text(SOURCE)
    (tmp_path / "draft.md").write_text("The parking fee is EUR 5 a day.")
    return tmp_path


def reported(*arguments: Path | list[Path], **options: Any) -> int:
    """The exit code of the command, run in this process."""
    with pytest.raises(typer.Exit) as left:
        report(*arguments, **options)  # type: ignore[arg-type]
    return left.value.exit_code


def shown(text: str) -> dict[str, Any]:
    """What the page shows of its one draft."""
    data = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert data is not None
    view: dict[str, Any] = json.loads(data[1])["views"][0]
    return view


def test_an_approved_draft_is_exit_0_and_opened_where_asked(folder: Path) -> None:
    browser = folder / "browser.sh"
    browser.write_text('#!/bin/sh\necho "$1" > opened\n')
    browser.chmod(0o755)
    made = run("report", "draft.md", "sources", "--open", cwd=folder, BROWSER=f"{browser} %s", **BY_RULES)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("draft.md.html: approved: 1 supported; ")
    written = folder / "draft.md.html"
    assert (folder / "opened").read_text() == f"{written.as_uri()}\n"
    view = shown(written.read_text())
    assert view["checked_against"] == "1 document in sources"
    assert view["claims"][0]["evidence"][0]["lines"] == [3, 3]
    assert view["unread"] == []


def test_a_rejected_word_file_against_a_knowledge_base_is_exit_1(
    folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    docx = pytest.importorskip("docx")
    word = docx.Document()
    word.add_heading("Fees", 1)
    word.add_paragraph("The parking fee is EUR 9 a day.")
    word.save(folder / "draft.docx")
    with pytest.raises(typer.Exit):
        ingest(["sources"], kb=Path("base"))
    capsysbinary.readouterr()
    assert reported(Path("draft.docx"), kb=Path("base"), output=Path("-"), quiet=True) == 1
    printed = capsysbinary.readouterr()
    assert printed.err == b""
    view = shown(printed.out.decode())
    assert view["draft"]["blocks"][0]["kind"] == "heading"
    assert view["claims"][0]["label"] == "contradicted"
    assert view["claims"][0]["difference"] == {"claim": "EUR 9", "evidence": "EUR 5", "note": ""}
    assert view["checked_against"] == "1 document in base"


def test_neither_the_draft_nor_an_older_report_bears_the_draft_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "draft.md").write_text("Cats cost EUR 3 in Oslo.")
    (folder / "draft.md.html").write_text(page(view_of(build_report("", [], rule=DecisionRule()), "")))
    assert reported(Path("draft.md"), [Path(".")]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "ignored: draft.md: the text to check itself",
        "ignored: draft.md.html: a page of a report",
    ]
    assert shown((folder / "draft.md.html").read_text())["checked_against"] == "1 document in ."


def test_verify_leaves_a_text_out_of_the_sources_that_it_lies_among(folder: Path) -> None:
    (folder / "draft.md").write_text("Cats cost EUR 3 in Oslo.")
    done = inside(folder, "verify", "draft.md", "--source", ".")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == ["ignored draft.md: the text to check itself"]
    alone = inside(folder, "verify", "draft.md", "--source", "draft.md")
    assert str(alone.exception) == "the sources hold no text to check against"


def test_verify_shows_in_its_page_what_report_shows(folder: Path) -> None:
    asked = ("--source", "sources", "--format", "html", "--output", "verify.html")
    assert inside(folder, "verify", "draft.md", *asked).exit_code == 0
    assert reported(Path("draft.md"), [Path("sources")]) == 0
    [one], [other] = (
        shown((folder / name).read_text())["claims"] for name in ("verify.html", "draft.md.html")
    )
    assert one["evidence"] == other["evidence"]
    assert one["evidence"][0]["lines"] == [3, 3]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"kb": Path("base")}, "it does not go with --kb"),
        ({"output": Path("-"), "open_": True}, "--open needs a file"),
        ({"output": Path("sources/fees.md")}, "would overwrite what is read from it"),
        ({"draft": Path("nowhere.md")}, "no such file: nowhere.md"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    folder: Path, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        report(**{"draft": Path("draft.md"), "sources": [Path("sources")], **options})
    assert not list(folder.glob("*.html"))
    assert (folder / "sources" / "fees.md").read_text() == SOURCE


def test_pages_without_text_are_told_in_the_page_and_change_no_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = PdfWriter()
    writer.append(DEMO / "recall-notice.pdf")
    writer.add_blank_page(600, 800)
    writer.write(folder / "sources" / "notice.pdf")
    assert reported(Path("draft.md"), [Path("sources")]) == 0
    assert "warning: notice.pdf: no text on page 3" in capsys.readouterr().err
    unread = shown((folder / "draft.md.html").read_text())["unread"]
    assert unread == [{"source": "notice.pdf", "why": "no text on page 3 (scanned?)"}]
