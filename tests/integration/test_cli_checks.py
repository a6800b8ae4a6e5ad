"""``verifier checks``: listed, shown, switched off by configuration, and found in a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import inside
from verifier.verification.checks import CHECKS

OFF = (
    '[signals.number]\ndisable = ["units", "number.reckoned"]\n[signals]\nnli = false\n'
    '[claims]\ndisable = ["asides", "claims.skip-opinion"]\n[verdict]\ndisable = "feature.order"\n'
)


def test_every_check_is_listed_with_what_the_configuration_leaves_on(tmp_path: Path) -> None:
    (tmp_path / "verifier.toml").write_text(OFF)
    listed = json.loads(inside.run("checks", "list", "--json", cwd=tmp_path).stdout)
    assert [one["id"] for one in listed] == list(CHECKS)
    off = {one["id"] for one in listed if not one["on"]}
    families = {name for name, one in CHECKS.items() if one.family in ("units", "asides")}
    assert off == {"number.reckoned", "claims.skip-opinion", "feature.order", *families}
    table = inside.run("checks", "list", "--family", "units", cwd=tmp_path).stdout.splitlines()
    assert len(table) == 1 + sum(one.family == "units" for one in CHECKS.values())


def test_one_check_is_shown_with_its_examples(tmp_path: Path) -> None:
    shown = inside.run("checks", "show", "number.unit-mismatch", cwd=tmp_path).stdout
    check = CHECKS["number.unit-mismatch"]
    for text in (check.asserts, *(text for one in (*check.fires, *check.silent) for text in one)):
        assert text in shown
    unknown = inside.run("checks", "show", "number.unit-missmatch", cwd=tmp_path)
    assert unknown.returncode == 2
    assert "did you mean number.unit-mismatch" in unknown.stderr


def test_a_report_names_the_check_and_switching_it_off_changes_the_verdict(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The hall has a floor of 420 m2. It was built in 1931.")
    (tmp_path / "verifier.toml").write_text("[signals]\nnli = false\n")
    asked = ("verify", "--text", "The hall was built in 1947.", "--source", "note.txt", "--format", "json")
    report = inside.run(*asked, "--output", "report.json", cwd=tmp_path)
    assert report.returncode == 1, report.stderr
    explained = inside.run("checks", "explain", "report.json", cwd=tmp_path).stdout
    assert "number.other-date: 1947 | 1931" in explained
    assert 'to switch it off: [signals.number] disable = ["number.other-date"]' in explained
    (tmp_path / "verifier.toml").write_text(
        '[signals]\nnli = false\n[signals.number]\ndisable = ["number.other-date"]\n'
    )
    [claim] = json.loads(inside.run(*asked, cwd=tmp_path).stdout)["claims"]
    assert claim["verdict"] != "contradicted"


def test_checks_are_listed_by_what_they_report(tmp_path: Path) -> None:
    listed = json.loads(inside.run("checks", "list", "--relation", "split", "--json", cwd=tmp_path).stdout)
    assert {one["id"] for one in listed} == {name for name in CHECKS if name.startswith("claims.split-")}
    order = [
        line.split()[0].rstrip(",") for line in inside.run("checks", "list", cwd=tmp_path).stdout.splitlines()
    ]
    assert list(dict.fromkeys(order[1:])) == ["conflict", "absent", "match", "skip", "split", "feature"]
    unknown = inside.run("checks", "list", "--relation", "splits", cwd=tmp_path)
    assert unknown.returncode == 2
    assert "nothing reports 'splits'" in unknown.stderr


def test_a_report_names_the_skip_and_the_splits_and_switching_them_off_changes_the_claims(
    tmp_path: Path,
) -> None:
    (tmp_path / "note.txt").write_text("The hall is open. The pool is closed.")
    quick = "[signals]\nnli = false\n"
    (tmp_path / "verifier.toml").write_text(quick)
    text = "The hall is open, and the pool is closed. The design is beautiful."
    asked = ("verify", "--text", text, "--source", "note.txt", "--format", "json")
    inside.run(*asked, "--output", "report.json", cwd=tmp_path)
    found = json.loads((tmp_path / "report.json").read_text())["claims"]
    assert [(one["status"], one["checks"]) for one in found] == [
        ("checked", ["claims.split-clauses"]),
        ("checked", ["claims.split-clauses"]),
        ("skipped", ["claims.skip-opinion"]),
    ]
    explained = inside.run("checks", "explain", "report.json", cwd=tmp_path).stdout
    assert "-  skipped, opinion: The design is beautiful." in explained
    assert "split     claims.split-clauses" in explained
    assert 'to switch it off: [claims] disable = ["claims.skip-opinion"]; its family: "talk"' in explained
    (tmp_path / "verifier.toml").write_text(
        f'{quick}[claims]\ndisable = ["clauses", "claims.skip-opinion"]\n'
    )
    again = json.loads(inside.run(*asked, cwd=tmp_path).stdout)["claims"]
    assert [(one["status"], one["text"]) for one in again] == [
        ("checked", "The hall is open, and the pool is closed."),
        ("checked", "The design is beautiful."),
    ]


def test_a_feature_that_is_off_weighs_nothing_and_the_report_says_so(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The hall was built in 1931.")
    quick = "[signals]\nnli = false\n"
    asked = ("verify", "--text", "The hall was built in 1947.", "--source", "note.txt", "--format", "json")
    (tmp_path / "verifier.toml").write_text(quick)
    [before] = json.loads(inside.run(*asked, cwd=tmp_path).stdout)["claims"]
    (tmp_path / "verifier.toml").write_text(f'{quick}[verdict]\ndisable = ["feature.number-conflict"]\n')
    report = json.loads(inside.run(*asked, cwd=tmp_path).stdout)
    assert before["verdict"] == "contradicted"
    assert report["claims"][0]["verdict"] != "contradicted"
    assert "switched off, and fed to the weights as 0: feature.number-conflict" in report["notes"]


@pytest.mark.parametrize("table", ["claims", "verdict"])
def test_a_skip_or_feature_that_does_not_exist_is_one_error(tmp_path: Path, table: str) -> None:
    (tmp_path / "verifier.toml").write_text(f'[{table}]\ndisable = ["opinions"]\n')
    (tmp_path / "note.txt").write_text("It was built in 1931.")
    for command in (("checks", "list"), ("verify", "--text", "It is old.", "--source", "note.txt")):
        done = inside.run(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert f"{table}.disable: there is no check or family 'opinions'" in done.stderr


def test_a_check_that_does_not_exist_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "verifier.toml").write_text('[signals.number]\ndisable = ["unit"]\n')
    (tmp_path / "note.txt").write_text("It was built in 1931.")
    for command in (("checks", "list"), ("verify", "--text", "It is old.", "--source", "note.txt")):
        done = inside.run(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert "signals.number.disable: there is no check or family 'unit'" in done.stderr
