"""``verifier explain``: the whole ledger of a claim, from a report on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from verifier.core.errors import ConfigError
from verifier.interfaces.cli.app import app

RULES = "# Lending\n\nA loan lasts 30 days. Each reader may borrow 12 books.\n"
ANSWER = "A loan lasts 60 days. Each reader may borrow 12 books. Shall I go on?"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lending")
    (folder / "rules.md").write_text(RULES, encoding="utf-8")
    path = folder / "report.json"
    arguments = [
        "verify",
        "--text",
        ANSWER,
        "--source",
        str(folder / "rules.md"),
        "--json",
        "--detail",
        "full",
        "--output",
        str(path),
    ]
    CliRunner().invoke(app, arguments)
    return path


def _printed(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_whole_ledger_of_one_claim_is_printed(report: Path) -> None:
    text = _printed(str(report), "1")
    assert "claim:    60 days (response, line 1)" in text
    assert "evidence: 30 days (rules.md, line 3)" in text
    assert "fix: 60 days -> 30 days" in text
    assert "«30 days»" in text
    assert "[A loan lasts]" in text or "[loan lasts]" in text
    assert "number_conflict" in text
    assert "12 books" not in text.split("rules.md, line")[0]


def test_of_a_brief_report_no_empty_columns_are_printed(report: Path, tmp_path: Path) -> None:
    whole = json.loads(report.read_text(encoding="utf-8"))
    for claim in whole["claims"]:
        for signal in claim["signals"].values():
            signal["findings"] = []
    brief = tmp_path / "brief.json"
    brief.write_text(json.dumps(whole), encoding="utf-8")
    [head] = [line for line in _printed(str(brief), "1").splitlines() if line.startswith("   signal ")]
    assert head.split() == ["signal", "outcome", "support"]


def test_the_smallest_edit_is_looked_for_in_what_the_report_quotes(report: Path) -> None:
    [claim, *_] = json.loads(report.read_text(encoding="utf-8"))["claims"]
    assert (claim["ledger"]["fix"], claim["ledger"]["fix_sought"]) == (None, False)
    assert "        reads: A loan lasts 30 days." in _printed(str(report), "1")


def test_probabilities_are_told_before_and_after_the_rules(report: Path) -> None:
    [claim, *_] = json.loads(report.read_text(encoding="utf-8"))["claims"]
    weighed, sure = claim["ledger"]["probabilities"]["contradicted"], claim["confidence"]
    text = _printed(str(report), "1")
    assert f"probabilities as weighed: contradicted {weighed:.3f}" in text
    moved = f"after the rules: contradicted {sure:.3f}, which is how sure it is"
    assert (moved in text) == (abs(weighed - sure) >= 0.0005)


@pytest.mark.parametrize(
    ("configured", "given", "sought"),
    [
        ("", [], False),
        ("", ["--fixes"], True),
        ("[verdict]\nsuggest_fixes = true\n", [], True),
        ("[verdict]\nsuggest_fixes = true\n", ["--no-fixes"], False),
    ],
)
def test_verify_looks_for_edits_where_it_is_asked_to(
    tmp_path: Path, configured: str, given: list[str], sought: bool
) -> None:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    (tmp_path / "verifier.toml").write_text(configured, encoding="utf-8")
    place = ["--source", str(tmp_path / "rules.md"), "--config", str(tmp_path / "verifier.toml")]
    done = CliRunner().invoke(app, ["verify", "--text", "A loan lasts 60 days.", *place, *given])
    assert ("fix: 60 days -> 30 days" in done.stdout, "fixes: not looked for" in done.stdout) == (
        sought,
        not sought,
    )


def test_what_stands_once_is_shown_without_dots() -> None:
    help_ = CliRunner().invoke(app, ["verify", "--help"]).stdout
    assert "verify [OPTIONS] [PATH|-]...\n" in help_


def test_without_a_number_all_claims_are_printed(report: Path) -> None:
    text = _printed(str(report))
    assert text.startswith("1. contradicted")
    assert "\n2. supported" in text
    assert "go on" not in text


def test_the_logits_shown_are_those_of_the_report(report: Path) -> None:
    raw = json.loads(report.read_text(encoding="utf-8"))
    ledger = raw["claims"][0]["ledger"]
    line = next(line for line in _printed(str(report), "1").splitlines() if line.strip().startswith("logit"))
    for name in ledger["probabilities"]:
        assert f"{sum(item['logits'][name] for item in ledger['contributions']):+.2f}" in line


def test_a_claim_that_is_not_there_is_named(report: Path) -> None:
    with pytest.raises(ConfigError, match="has 2 claims; there is no claim 3"):
        CliRunner().invoke(app, ["explain", str(report), "3"], catch_exceptions=False)


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match="not a report"):
        CliRunner().invoke(app, ["explain", str(path)], catch_exceptions=False)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not JSON"):
        CliRunner().invoke(app, ["explain", str(path)], catch_exceptions=False)
