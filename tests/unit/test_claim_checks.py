"""Every check of claims and features fires on its examples, is silent on the others, and can be switched off."""

from __future__ import annotations

from functools import cache

import pytest
from verifier_signals.checks import Check, Example

from verifier.types import Claim
from verifier.verification.checks import CHECKS, setting_of
from verifier.verification.claim_checks import CLAIM_CHECKS, SKIPS, SPLITS, skip_check
from verifier.verification.claims import RuleExtractor, extract_answer, extract_claims
from verifier.verification.decision.feature_checks import FEATURE_CHECKS, features_of
from verifier.verification.decision.features import FEATURES, READER_FEATURES
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

NOTHING = GivenTexts.of("")


def applied(text: str, off: frozenset[str] = frozenset()) -> set[str]:
    """The checks that skip or split something of a text."""
    found = extract_claims(text, off)
    return {skip_check(span.reason) for span in found.skipped} | {
        check for claim in found.claims for check in claim.splits
    }


@cache
def _scorer(*off: str) -> VerifiedScorer:
    return VerifiedScorer(NOTHING, disable=frozenset(off))


def fed(check: Check, example: Example, *off: str) -> float:
    """What the weights are fed; each line of the evidence is a document."""
    claim = Claim(example.claim, 0, len(example.claim))
    [read] = _scorer(*off).examine([claim], GivenTexts.of(*example.evidence.split("\n")))
    [name] = features_of({check.id})
    return _scorer().fusion.case_of(read).features[name]


@pytest.mark.parametrize("check", CLAIM_CHECKS.values(), ids=lambda check: check.id)
def test_a_check_of_claims_applies_to_its_examples_alone(check: Check) -> None:
    for example in check.fires:
        assert check.id in applied(example.claim), f"{check.id} is silent on {example.claim!r}"
    for example in check.silent:
        assert check.id not in applied(example.claim), f"{check.id} fires on {example.claim!r}"


@pytest.mark.parametrize("check", SKIPS.values(), ids=lambda check: check.id)
def test_a_skip_that_is_off_makes_a_claim(check: Check) -> None:
    for example in check.fires:
        before = extract_claims(example.claim)
        after = extract_claims(example.claim, frozenset({check.id}))
        assert check.id not in {skip_check(span.reason) for span in after.skipped}
        assert len(after.claims) > len(before.claims)
        assert all(example.claim[one.start : one.end] == one.text for one in after.claims)


@pytest.mark.parametrize("check", SPLITS.values(), ids=lambda check: check.id)
def test_a_split_that_is_off_leaves_the_sentence_whole(check: Check) -> None:
    for example in check.fires:
        assert len(extract_claims(example.claim).claims) > 1
        [whole] = extract_claims(example.claim, frozenset({check.id})).claims
        assert (whole.text, whole.splits) == (example.claim, ())


@pytest.mark.parametrize("check", FEATURE_CHECKS.values(), ids=lambda check: check.id)
def test_a_feature_is_raised_by_its_examples_alone_and_0_where_it_is_off(check: Check) -> None:
    for example in check.fires:
        assert fed(check, example) > 0, f"{check.id} is silent on {example}"
        assert fed(check, example, check.id) == 0
    for example in check.silent:
        assert fed(check, example) == 0, f"{check.id} fires on {example}"


def test_each_feature_has_a_check_and_each_check_a_switch() -> None:
    assert features_of({*FEATURE_CHECKS}) == set(FEATURES) - set(READER_FEATURES)
    assert {setting_of(check) for check in CHECKS.values()} == {
        "claims",
        "verdict",
        "signals.entity",
        "signals.negation",
        "signals.number",
    }


def test_a_conflict_that_is_off_vetoes_nothing() -> None:
    example = FEATURE_CHECKS["feature.polarity"].fires[0]
    claim = Claim(example.claim, 0, len(example.claim))
    [on], [off] = (
        _scorer(*some).examine([claim], GivenTexts.of(example.evidence))
        for some in ((), ("feature.polarity",))
    )
    fusion = _scorer().fusion
    assert fusion.decide(fusion.case_of(on)).vetoed == "polarity"
    assert fusion.decide(fusion.case_of(off)).vetoed is None


def test_a_question_that_is_a_claim_still_completes_its_answer() -> None:
    off = frozenset({"claims.skip-question"})
    question, answer = extract_claims("How long does a refund take? 30 days.", off).claims
    assert question.hypothesis == "How long does a refund take?"
    assert answer.hypothesis == "How long does a refund take? 30 days."


def test_an_extractor_without_a_check_says_so_and_reads_an_answer_without_it() -> None:
    extractor = RuleExtractor({"claims.skip-opinion"})
    assert extractor.identity == "rules without claims.skip-opinion"
    assert extract_answer("The design is beautiful.", "Is it nice?", extractor).claims


def test_a_code_that_is_off_leaves_marks_without_words_out() -> None:
    found = extract_claims("```\n}\n```", frozenset({"claims.skip-code"}))
    assert found.claims == ()
