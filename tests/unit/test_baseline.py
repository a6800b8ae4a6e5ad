"""A run against an earlier one: what got worse fails it, what failed before does not, and what is better is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.inside import inside
from verifier.core.errors import ConfigError
from verifier.interfaces.cli.baseline import against, read_baseline
from verifier.interfaces.cli.exits import of_run
from verifier.interfaces.formats import FORMATS
from verifier.interfaces.formats.base import Checked, Run
from verifier.interfaces.formats.findings import State, findings
from verifier.types import ClaimVerdict, HiddenText, Status, Verdict
from verifier.verification.report import DecisionRule, build_report

CODES = {
    "s": Verdict.SUPPORTED,
    "c": Verdict.CONTRADICTED,
    "f": Verdict.FABRICATED,
    "u": Verdict.UNVERIFIABLE,
    "e": None,
}


def _run(*claims: str, strict: bool = False, hidden: str = "", several: bool = False) -> Run:
    """A run of one text, whose claims are given as ``name:verdict``."""
    text = " ".join(f"{claim.partition(':')[0]} is so." for claim in claims)
    judged, at = [], 0
    for claim in claims:
        name, _, code = claim.partition(":")
        said = f"{name} is so."
        verdict = CODES[code]
        status = Status.CHECKED if verdict else Status.ERROR
        judged.append(ClaimVerdict(said, at, at + len(said), status, verdict, "because"))
        at += len(said) + 1
    config = {
        "decision": {
            "fail_on": ["contradicted", "fabricated"],
            "min_groundedness": 0.5,
            "strict": strict,
            "hidden": "reject",
        }
    }
    unseen = [HiddenText(hidden, 0, 1, "a comment")] if hidden else []
    report = build_report(text, judged, rule=DecisionRule(strict=strict), hidden=unseen, config=config)
    return Run((Checked("a.md", text, report, "a.md"),), several=several)


def _since(before: Run, now: Run, folder: Path) -> Run:
    (folder / "before.json").write_text(FORMATS.load("json")().render(before))
    return against(now, read_baseline(folder / "before.json"))


@pytest.mark.parametrize(
    ("before", "now", "code", "reason"),
    [
        (["A:s", "B:c"], ["A:s", "B:c"], 0, ""),
        (["A:s", "B:c"], ["A:s", "B:f"], 0, ""),
        (["A:s", "B:c"], ["A:s", "B:s"], 0, ""),
        (["A:s", "B:c"], ["B:c", "A:s", "C:s"], 0, ""),
        (["A:s", "B:c"], ["A:s", "B:c", "C:u"], 1, "1 new claim fails"),
        (["A:s", "B:s"], ["A:s", "B:s", "C:u"], 0, ""),
        (["A:s", "B:c"], ["A:s", "B:c", "C:f"], 1, "1 new claim fails"),
        (["A:s", "B:c", "B:c"], ["A:s", "B:c", "B:c", "B:c"], 1, "1 new claim fails"),
        (["A:s", "B:c"], ["A:c", "B:c"], 1, "1 claim got worse"),
        (["A:s", "B:s"], ["A:s", "B:u"], 1, "1 claim got worse"),
        (["A:s", "B:u"], ["B:u"], 1, "it is rejected; the baseline has it approved"),
        (["A:s", "B:e"], ["A:s", "B:e"], 3, ""),
        (["A:s"], [], 3, "it is without anything to check"),
        ([], [], 0, ""),
    ],
)
def test_a_run_fails_on_what_got_worse_alone(
    tmp_path: Path, before: list[str], now: list[str], code: int, reason: str
) -> None:
    run = _since(_run(*before), _run(*now), tmp_path)
    assert of_run(run) == code
    [text] = run.checked
    assert text.changes is not None
    assert reason in "; ".join(text.changes.reasons)
    if not reason:
        assert not text.changes.reasons
    stopping = [one for one in findings(text) if one.state in (State.FAILS, State.ERROR)]
    assert bool(stopping) is (code != 0)


def test_of_two_claims_with_the_same_text_the_nearer_is_the_same(tmp_path: Path) -> None:
    before = _run("A:c", "Some other thing that takes room:s", "A:s")
    run = _since(before, _run("Some other thing that takes room:s", "A:s"), tmp_path)
    assert [one.kind for one in findings(run.checked[0])] == ["same", "same"]


def test_a_stricter_rule_makes_no_old_claim_worse_and_no_new_one_pass(tmp_path: Path) -> None:
    before = _run("A:s", "B:u", strict=True)
    assert of_run(_since(before, _run("A:s", "B:u", strict=True), tmp_path)) == 0
    assert of_run(_since(before, _run("A:s", "B:u", "C:u", strict=True), tmp_path)) == 1


def test_a_sentence_that_is_newly_hidden_fails(tmp_path: Path) -> None:
    known = _run("A:s", hidden="The fee is 5 EUR.")
    assert of_run(_since(known, known, tmp_path)) == 0
    run = _since(known, _run("A:s", hidden="The fee is 6 EUR."), tmp_path)
    assert of_run(run) == 1
    assert run.checked[0].changes.reasons == ("something new is said in hidden text",)


def test_a_text_that_the_baseline_does_not_have_is_judged_by_the_rule(tmp_path: Path) -> None:
    before = _run("A:s", several=True)
    other = Run(tuple(Checked("b.md", one.text, one.report) for one in _run("B:c").checked), several=True)
    assert of_run(_since(before, other, tmp_path)) == 1
    good = Run(tuple(Checked("b.md", one.text, one.report) for one in _run("B:s").checked), several=True)
    assert of_run(_since(before, good, tmp_path)) == 0


def test_every_format_tells_worse_from_known_and_better(tmp_path: Path) -> None:
    run = _since(_run("A:s", "B:c", "C:f"), _run("A:c", "B:c", "C:s"), tmp_path)
    written = {name: FORMATS.load(name)().render(run) for name in FORMATS.names()}
    for name in ("text", "markdown", "github"):
        assert "baseline: 1 claim got worse; 1 fails as before" in written[name]
        assert "worse: “A is so.” contradicted: because; supported in the baseline" in written[name]
        assert "better: “C is so.” supported: because; fabricated in the baseline" in written[name]
    assert written["github"].count("::error ") == written["github"].count("::notice ") == 1
    assert 'failures="1" errors="0" skipped="1"' in written["junit"]
    states = [one["baselineState"] for one in json.loads(written["sarif"])["runs"][0]["results"]]
    assert states == ["updated", "unchanged"]
    changed = json.loads(written["json"])["baseline"]["changed"]
    assert [(one["kind"], one["was"], one["is"]) for one in changed] == [
        ("worse", "supported", "contradicted"),
        ("better", "fabricated", "supported"),
    ]


@pytest.mark.parametrize("content", ["{}", "[1]", "nonsense", '{"texts": [{"name": "a"}]}'])
def test_what_is_no_report_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ConfigError, match=r"x\.json: not a report that verify --json has written"):
        read_baseline(tmp_path / "x.json")


def test_a_baseline_of_one_text_does_not_go_with_several(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is the report of one text"):
        _since(_run("A:s"), _run("A:s", several=True), tmp_path)


def test_the_command_reads_a_baseline_and_never_writes_over_it(tmp_path: Path) -> None:
    (tmp_path / "terms.md").write_text("Fees are paid within 30 days.\n")
    (tmp_path / "a.md").write_text("Fees are paid within 60 days.\n")
    against_ = ("--source", "terms.md", "--json")
    first = inside(tmp_path, "verify", "a.md", *against_, "--output", "before.json")
    second = inside(tmp_path, "verify", "a.md", *against_, "--baseline", "before.json")
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert json.loads(second.stdout)["baseline"] == {"changed": [], "passes": True, "reasons": []}
    over = inside(tmp_path, "verify", "a.md", *against_, "--baseline=before.json", "--output=before.json")
    assert "would overwrite" in str(over.exception)
