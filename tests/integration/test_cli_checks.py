"""``verifier checks``: listed, shown, switched off by configuration, and found in a report."""

from __future__ import annotations

import json
from pathlib import Path

from verifier_signals.checks import CHECKS

from tests.support import inside

OFF = '[signals.number]\ndisable = ["units", "number.reckoned"]\n[signals]\nnli = false\n'


def test_every_check_is_listed_with_what_the_configuration_leaves_on(tmp_path: Path) -> None:
    (tmp_path / "verifier.toml").write_text(OFF)
    listed = json.loads(inside.run("checks", "list", "--json", cwd=tmp_path).stdout)
    assert [one["id"] for one in listed] == list(CHECKS)
    off = {one["id"] for one in listed if not one["on"]}
    assert off == {"number.reckoned", *(name for name, one in CHECKS.items() if one.family == "units")}
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


def test_a_check_that_does_not_exist_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "verifier.toml").write_text('[signals.number]\ndisable = ["unit"]\n')
    (tmp_path / "note.txt").write_text("It was built in 1931.")
    for command in (("checks", "list"), ("verify", "--text", "It is old.", "--source", "note.txt")):
        done = inside.run(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert "signals.number.disable: there is no check or family 'unit'" in done.stderr
