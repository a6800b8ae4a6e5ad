"""Forms of one value and of two, held against each other: what no careful reader would say is rarer than 1 in 100.

Some hundred pairs, evenly spread over the kinds of values; ``python -m benchmarks.properties.values`` judges all of
them, and prints the rates by kind.
"""

from __future__ import annotations

import pytest

from benchmarks.properties.value_forms import FORMS
from benchmarks.properties.value_kinds import KINDS
from benchmarks.properties.values import Judged, Said, judged, pairs, sample, violations
from benchmarks.readers.sets import settings_of
from verifier.factory import SharedSignals, build_scorer
from verifier.verification.retrieve import GivenTexts

MOST_WRONG = 0.01
"""Share of pairs that may be violations, as issue 29 has it."""
LEAST_FOUND = 0.95
"""Share of equal pairs that are supported, at least: to leave everything open is no way to be right."""


@pytest.fixture(scope="module")
def found() -> list[Judged]:
    return list(judged(sample(list(pairs()), 24)))


def test_equal_values_are_not_denied_and_unequal_ones_not_supported(found: list[Judged]) -> None:
    wrong = violations(found)
    assert len(wrong) <= MOST_WRONG * len(found), [(one.pair.evidence, one.pair.claim) for one in wrong]


def test_equal_values_are_found(found: list[Judged]) -> None:
    plain = [one for one in found if one.pair.equal and not one.pair.kind.startswith("derived")]
    open_ = [(one.pair.evidence, one.pair.claim) for one in plain if one.said is not Said.SUPPORTED]
    assert len(open_) <= (1 - LEAST_FOUND) * len(plain), open_


def test_unequal_values_are_denied(found: list[Judged]) -> None:
    unequal = [one for one in found if not one.pair.equal]
    left = [(one.pair.evidence, one.pair.claim) for one in unequal if one.said is not Said.DENIED]
    assert len(left) <= (1 - LEAST_FOUND) * len(unequal), left


def test_findings_of_a_report_quote_the_claim_as_it_stands() -> None:
    settings = settings_of({"verdict.suggest_fixes": False})
    scorer = build_scorer(settings, GivenTexts.of(""), SharedSignals.of(settings))
    for pair in sample([pair for pair in pairs() if pair.equal], 2):
        report = scorer.verify(pair.claim, source=GivenTexts.of(pair.evidence))
        for claim in report.claims:
            for score in claim.signals.values():
                for finding in score.findings:
                    quoted = (claim.hypothesis or claim.text)[slice(*finding.claim_span)]
                    assert quoted.casefold() == finding.claim_value.casefold()


def test_pairs_are_many_the_same_each_time_and_of_every_kind() -> None:
    some = list(pairs())
    assert some == list(pairs())
    assert len(some) > 2000
    assert {pair.kind for pair in some} == {kind.name for kind in KINDS} == set(FORMS)
    assert sum(len(kind.templates) for kind in KINDS) >= 25
    assert len({pair.claim for pair in some}) == len(some)


@pytest.mark.parametrize(("kind", "forms"), [("date", 12), ("time", 8), ("sum of money", 8), ("millions", 8)])
def test_values_have_many_forms(kind: str, forms: int) -> None:
    assert len(FORMS[kind][0]) >= forms
