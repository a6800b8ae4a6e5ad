"""The pytest plugin, as pytest finds it by its entry point, in runs of its own: what passes, fails, and is loaded."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import JUnitXml

import verifier

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
_WITHOUT = [f"-pno:{name}" for name in ("cacheprovider", "schemathesis", "hypothesispytest")]
"""Plugins of others that are not asked: they take as long to load as the tests."""

GUIDE = (ROOT / "docs" / "guides" / "python.md").read_text(encoding="utf-8")
[IN_THE_GUIDE] = [
    code for code in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "def test_" in code
]
[SHOWN] = re.findall(r"<!-- failure -->\n```\n(.*?)```", GUIDE, re.DOTALL)

USED = """
from verifier import assert_grounded


def test_grounded(grounded):
    assert grounded("Refunds are paid within 30 days of purchase.", contexts=CONTEXTS).approved


def test_wrong_by_the_function():
    assert_grounded("The shop stands in Bergen.", CONTEXTS)


def test_strict(grounded):
    grounded("The shop stands in Oslo. The shop is blue.", contexts=CONTEXTS, strict=True)


def test_against_a_knowledge_base(grounded):
    report = grounded("Parking costs 5 EUR a day.", kb="base")
    assert report.claims[0].evidence[0].source == "parking.md"
    grounded("Parking costs 9 EUR a day.", kb="base")
"""

UNUSED = """
import sys


def test_nothing_is_loaded(pytestconfig):
    assert pytestconfig.pluginmanager.get_plugin("verifier") is not None
    loaded = {"pydantic", "numpy", "onnxruntime", "verifier.interfaces.asserting", "verifier.verification"}
    assert not loaded & sys.modules.keys()
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], pytest.RunResult]:
    """Runs pytest over one file of tests, in a process that finds the plugin as it is installed."""
    described = pytester.mkdir("installed") / "plugin-0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 0\n")
    lines = [f"{name} = {place}\n" for name, place in ENTRY_POINTS["pytest11"].items()]
    (described / "entry_points.txt").write_text("[pytest11]\n" + "".join(lines))
    places = (ROOT, ROOT / "backends", ROOT / "signals", described.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, places)))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("VERIFIER_BACKEND__TYPE", "bm25")

    def run(test: str) -> pytest.RunResult:
        pytester.makepyfile(test_answers=test)
        return pytester.runpytest_subprocess("-Werror", *_WITHOUT, "--junitxml=junit.xml", "test_answers.py")

    return run


def _without_shares(text: str) -> str:
    """Probabilities differ a little between processors."""
    return re.sub(r"\d+ %", "%", text)


def test_a_failing_test_shows_claim_evidence_and_difference(
    pytester: pytest.Pytester, run: Callable[[str], pytest.RunResult]
) -> None:
    settings = verifier.load(
        overrides={"kb.path": str(pytester.path / "base"), "backend.type": "bm25"}
    ).settings
    with verifier.open_store(settings, create=True) as store:
        store.add("parking.md", "Parking costs 5 EUR a day.")
    done = run(IN_THE_GUIDE + USED)
    done.assert_outcomes(passed=1, failed=4)
    printed = _without_shares("\n".join(done.outlines))
    assert _without_shares(SHOWN) in printed
    done.stdout.fnmatch_lines(
        [
            "*): The shop stands in Bergen.",
            "*): The shop is blue.",
            "E*evidence says: 5 EUR (parking.md, line 1)",
        ]
    )
    done.stdout.no_fnmatch_line("*asserting.py:*")
    [suite] = JUnitXml.fromfile(str(pytester.path / "junit.xml"))
    failures = {case.name: case.result[0] for case in suite if case.result}
    assert len(failures) == 4
    told = failures["test_against_a_knowledge_base"]
    assert told.message.startswith("verifier.verification.grounded.NotGrounded: rejected: 1 contradicted")
    for line in (
        "): Parking costs 9 EUR a day.",
        "claim says:    9 EUR",
        "evidence says: 5 EUR (parking.md, line 1)",
        "evidence: “Parking costs 5 EUR a day.” (parking.md, line 1)",
    ):
        assert line in told.text


def test_the_plugin_loads_nothing_where_no_test_uses_it(run: Callable[[str], pytest.RunResult]) -> None:
    run(UNUSED).assert_outcomes(passed=1)
