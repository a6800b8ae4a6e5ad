"""A brief report has everything that decides and is quoted, and a third of the size."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from verifier.config import load
from verifier.factory import build_scorer
from verifier.interfaces.cli.app import app
from verifier.interfaces.formats.base import Checked, Run
from verifier.interfaces.formats.json import JsonFormat, JsonLinesFormat
from verifier.types import Detail, Report
from verifier.verification.report import from_json, in_detail, json_schema, to_json
from verifier.verification.retrieve import GivenTexts

SOURCE = "A loan lasts 30 days. Each reader may borrow 12 books. A lost card costs EUR 5."
ANSWER = "A loan lasts 60 days. Each reader may borrow 12 books. Shall I go on?"
KEPT = (
    "text",
    "start",
    "end",
    "status",
    "verdict",
    "confidence",
    "support",
    "reason",
    "evidence",
    "hypothesis",
)


@pytest.fixture(scope="module")
def report() -> Report:
    return build_scorer(load(None, {"signals.nli": False}).settings, GivenTexts.of(SOURCE)).verify(ANSWER)


def test_a_brief_report_keeps_what_decides_and_drops_what_was_weighed(report: Report) -> None:
    full, brief = to_json(report), to_json(in_detail(report, Detail.BRIEF))
    jsonschema.validate(brief, json_schema())
    assert {key: full[key] for key in full if key not in {"claims", "detail"}} == {
        key: brief[key] for key in brief if key not in {"claims", "detail"}
    }
    for whole, short in zip(full["claims"], brief["claims"], strict=True):
        assert {key: whole[key] for key in KEPT} == {key: short[key] for key in KEPT}
    first, shown = full["claims"][0], brief["claims"][0]
    assert first["ledger"]["contributions"]
    assert first["signals"]["number"]["findings"]
    assert shown["ledger"]["contributions"] == shown["signals"]["number"]["findings"] == []
    assert shown["ledger"]["pair"] == first["ledger"]["pair"]
    assert shown["ledger"]["probabilities"] == first["ledger"]["probabilities"]
    assert len(json.dumps(brief)) < 0.55 * len(json.dumps(full))


def test_it_is_read_back_as_brief_and_full_is_what_older_ones_are(report: Report) -> None:
    brief = in_detail(report, Detail.BRIEF)
    assert from_json(to_json(brief)).detail is Detail.BRIEF
    assert in_detail(brief, Detail.BRIEF) == brief
    assert (
        from_json({key: value for key, value in to_json(report).items() if key != "detail"}).detail
        is Detail.FULL
    )


def test_data_formats_write_the_detail_of_the_run(report: Report) -> None:
    run = Run((Checked("text", ANSWER, report),), detail=Detail.BRIEF)
    assert json.loads(JsonFormat().render(run)) == to_json(in_detail(report, Detail.BRIEF))
    lines = [json.loads(line) for line in JsonLinesFormat().render(run).splitlines()]
    assert lines[-1]["detail"] == "brief"
    assert lines[0]["ledger"]["contributions"] == []


def test_explain_says_what_a_brief_report_lacks(report: Report, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps(to_json(in_detail(report, Detail.BRIEF))), encoding="utf-8")
    done = CliRunner().invoke(app, ["explain", str(file), "1"])
    assert done.exit_code == 0
    assert "--detail full" in done.stderr
    assert "60 days" in done.stdout
    assert "number_conflict" not in done.stdout
