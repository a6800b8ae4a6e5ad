"""The example package with a signal, a check and a reader: found by entry points, whole, able to move a verdict."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.examples import ROOT, installed_in

EXAMPLE = ROOT / "docs" / "example-plugins"

SUITE = """
from dataclasses import replace

import pytest

from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.testing import RuleContract, SignalContract, SkipContract
from verifier_signals.traceability import TraceabilitySignal
from verifier.config import load
from verifier.core.errors import ConfigError
from verifier.core.registry import CHECKS, SIGNALS
from verifier.factory import build_consultant, build_extractor, build_reader
from verifier.readers.testing import ReaderContract
from verifier.types import Status, Verdict
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.decision.verdict import Fusion

SOURCE = GivenTexts.of("The stove with the code LK-402 weighs 395 g.")
OWN = [TraceabilitySignal(), NumberSignal(), EntitySignal(), NegationSignal()]
SETTINGS = load(overrides={"reader.type": "verbatim", "reader.read": "all"}, environ={}).settings


class TestCodes(SignalContract):
    def make_signal(self):
        return SIGNALS.load("codes")()


class TestNetAndGross(RuleContract):
    def make_rule(self):
        return CHECKS.load("net-and-gross")()


class TestDisclaimer(SkipContract):
    def make_skip(self):
        return CHECKS.load("disclaimer")()


def test_the_skip_skips_is_named_and_can_be_switched_off():
    text = "This is not legal advice."
    told = {}
    for off in ((), ("claims.skip-disclaimer",), ("house",)):
        extractor = build_extractor(load(overrides={"claims.disable": off}, environ={}).settings)
        [claim] = VerifiedScorer(SOURCE, OWN, extractor=extractor).verify(text).claims
        told[off] = (claim.status, claim.reason if off == () else "", claim.checks)
    assert told[()] == (Status.SKIPPED, "disclaimer", ("claims.skip-disclaimer",))
    assert told[("claims.skip-disclaimer",)] == told[("house",)] == (Status.CHECKED, "", ())


def test_the_check_contradicts_a_claim_is_named_and_can_be_switched_off():
    source = GivenTexts.of("The pump costs 90 euros net.")
    told = {}
    for off in ((), ("negation.net-and-gross",)):
        signals = [TraceabilitySignal(), NumberSignal(), EntitySignal(), NegationSignal(disable=off)]
        [claim] = VerifiedScorer(source, signals).verify("The pump costs 90 euros gross.").claims
        found = {item.check for item in claim.signals["negation"].findings}
        told[off] = (claim.verdict, "negation.net-and-gross" in found)
    assert told[()] == (Verdict.CONTRADICTED, True)
    assert told[("negation.net-and-gross",)] != told[()]


class TestVerbatim(ReaderContract):
    def make_reader(self):
        return build_reader(SETTINGS)


def chances(fusion, signals):
    scorer = VerifiedScorer(SOURCE, signals, fusion=fusion)
    [claim] = scorer.verify("The stove with the code LK-999 weighs 395 g.", suggest_fixes=False).claims
    return claim


def test_the_signal_moves_a_verdict_by_its_own_weight():
    plain = Fusion.embedded("none")
    weights = {verdict: dict(row) for verdict, row in plain.weights.items()}
    weights["fabricated"]["codes.missing"] = 20.0
    fusion = replace(plain, weights=weights)
    before, after = chances(plain, [*OWN, SIGNALS.load("codes")()]), chances(fusion, [*OWN, SIGNALS.load("codes")()])
    assert before.verdict is not Verdict.FABRICATED
    assert (after.verdict, after.decided_by) == (Verdict.FABRICATED, "codes")


def test_weights_that_ask_for_a_signal_that_is_off_are_refused():
    plain = Fusion.embedded("none")
    weights = {verdict: {**row, "codes.missing": 1.0} for verdict, row in plain.weights.items()}
    with pytest.raises(ConfigError, match="signals that are not switched on: codes"):
        chances(replace(plain, weights=weights), OWN)


def test_the_reader_settles_what_it_can_and_leaves_the_rest_to_the_signals():
    scorer = VerifiedScorer(SOURCE, OWN, consultant=build_consultant(SETTINGS))
    report = scorer.verify("The stove with the code LK-402 weighs 395 g. It is made of gold.")
    first, second = report.claims
    assert (first.verdict, first.decided_by) == (Verdict.SUPPORTED, "reader")
    assert second.decided_by != "reader"
    assert second.reader.state == "abstained"
    assert any("abstained on 1 claim" in note for note in report.notes)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment in which the example is installed, in a folder of its own."""
    return installed_in(tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("source"), EXAMPLE)


def test_the_example_passes_both_suites_and_moves_verdicts(installed, tmp_path) -> None:
    (tmp_path / "test_plugins.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        env=installed,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


def test_one_line_of_configuration_puts_the_reader_to_work(installed, tmp_path) -> None:
    (tmp_path / "note.txt").write_text("The spare key lies behind the fuse box.")
    (tmp_path / "verifier.toml").write_text('[reader]\ntype = "verbatim"\nread = "all"\n')
    verifier = str(Path(sys.executable).with_name("verifier"))
    command = [
        verifier,
        "verify",
        "--text",
        "The spare key lies behind the fuse box.",
        "--source",
        "note.txt",
    ]
    done = subprocess.run(command, env=installed, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "reader: asked about 1 of 1 claims" in done.stdout
