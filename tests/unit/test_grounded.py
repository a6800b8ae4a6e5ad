"""A report asserts itself: it is given back where it is approved, else an error shows each claim that failed."""

from __future__ import annotations

import pickle
import re

import pytest

from verifier.core.errors import ConfigError
from verifier.types import Decision, Report
from verifier.verification.grounded import NotGrounded
from verifier.verification.report import from_json, to_json
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
OPEN = "The shop is blue."


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(GivenTexts.of(f"{TRUE} The shop stands in Oslo."))


def _failure(report: Report, **rule: float) -> str:
    with pytest.raises(AssertionError) as caught:
        report.assert_grounded(**rule)  # type: ignore[arg-type]
    assert isinstance(caught.value, NotGrounded)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    return str(caught.value)


def test_an_approved_report_is_given_back(scorer: VerifiedScorer) -> None:
    report = scorer.verify(TRUE)
    assert report.assert_grounded() is report
    assert report.assert_grounded(strict=True, min_groundedness=1.0).approved


def test_the_error_shows_the_claim_its_verdict_both_values_and_the_evidence(scorer: VerifiedScorer) -> None:
    told = _failure(scorer.verify(f"{TRUE} {FALSE}"))
    assert told.startswith("rejected: 1 supported, 1 contradicted")
    assert f"sure): {FALSE}" in told
    assert f"sure): {TRUE}" not in told
    assert "claim says:    within 60 days" in told
    assert "evidence says: within 30 days (source 1, line 1)" in told
    assert f"evidence: “{TRUE}" in told


def test_strict_and_the_least_groundedness_replace_those_of_the_rule(scorer: VerifiedScorer) -> None:
    report = scorer.verify(f"{TRUE} {OPEN}")
    assert report.assert_grounded().approved
    for told in (_failure(report, strict=True), _failure(report, min_groundedness=0.9)):
        assert re.search(rf"^unverifiable \(\d+ % sure\): {OPEN}$", told, re.MULTILINE)
        assert "reason: nothing found confirms or contradicts it" in told
    loose = scorer.verify(OPEN)
    assert _failure(loose).startswith("rejected")
    judged = loose.assert_grounded(min_groundedness=0.0)
    assert (judged.decision, loose.decision) == (Decision.APPROVED, Decision.REJECTED)
    assert judged.rule.endswith("groundedness is at least 0")


def test_the_rest_of_the_rule_is_the_reports_own() -> None:
    decision = {"fail_on": [], "min_groundedness": 0.5, "strict": False, "hidden": "allow"}
    scorer = VerifiedScorer(GivenTexts.of(TRUE), fail_on=(), allow_hidden=True, config={"decision": decision})
    report = scorer.verify(f"{TRUE} {FALSE}<!-- {TRUE} -->")
    assert report.hidden
    assert from_json(_bare(report)).assert_grounded(min_groundedness=0.4).approved
    assert "contradicted" in _failure(report, strict=True)


def _bare(report: Report) -> dict[str, object]:
    return {key: value for key, value in to_json(report).items() if key != "approved"}


def test_nothing_to_check_is_no_pass_and_says_what_was_skipped(scorer: VerifiedScorer) -> None:
    told = _failure(scorer.verify("Hello! How are you?"), min_groundedness=0.0)
    assert told.startswith("nothing to check")
    assert "skipped: " in told


def test_a_claim_in_error_fails_and_shows_why() -> None:
    told = _failure(VerifiedScorer(GivenTexts.of()).verify(TRUE), min_groundedness=0.0)
    assert f"error: {TRUE}" in told
    assert "reason: " in told


def test_hidden_sentences_are_shown(scorer: VerifiedScorer) -> None:
    assert f"hidden: “{FALSE}” in a comment" in _failure(scorer.verify(f"{TRUE}<!-- {FALSE} -->"))


def test_a_share_outside_of_0_to_1_is_refused(scorer: VerifiedScorer) -> None:
    with pytest.raises(ConfigError, match="min_groundedness is 2"):
        scorer.verify(TRUE).assert_grounded(min_groundedness=2)
