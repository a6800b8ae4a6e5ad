"""Our metrics in the real Ragas and DeepEval, with their telemetry off."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

os.environ |= {
    "RAGAS_DO_NOT_TRACK": "true",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
}

import pytest
from deepeval import assert_test, evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.test_case import LLMTestCase

from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier.integrations.deepeval import GroundedMetric
from verifier.integrations.ragas import Grounded

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
MIXED = f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day."


def test_ragas_scores_by_the_decision_with_the_reason(kb: Path) -> None:
    rows = [{"response": text, "retrieved_contexts": [REFUNDS]} for text in (TRUE, FALSE)]
    good, bad = asyncio.run(Grounded().abatch_score(rows))
    assert (good.value, bad.value) == (1.0, 0.0)
    assert "evidence says: within 30 days (context 1" in bad.reason
    assert Grounded(kb).score(response=MIXED).value == 0.0
    assert Grounded().score(response=TRUE, retrieved_contexts=[]).value == 0.0
    assert Grounded(kb, nothing_to_check="pass").score(response="Hello!", user_input="Hi").value == 1.0


def case(output: str, **given: object) -> LLMTestCase:
    return LLMTestCase(input="When are refunds paid?", actual_output=output, **given)


def test_deepeval_succeeds_by_the_decision_with_the_reason(kb: Path) -> None:
    metric = GroundedMetric()
    assert metric.measure(case(TRUE, retrieval_context=[REFUNDS])) == 1.0
    assert metric.is_successful()
    assert metric.measure(case(FALSE, context=[REFUNDS])) == 0.0
    assert not metric.is_successful()
    assert "evidence says: within 30 days (context 1" in metric.reason
    assert metric.measure(case(TRUE)) == 0.0
    mixed = GroundedMetric(kb)
    assert asyncio.run(mixed.a_measure(case(MIXED))) == 0.0
    assert mixed.score_breakdown == {"groundedness": pytest.approx(2 / 3)}


@pytest.mark.parametrize("concurrent", [True, False])
def test_deepevals_own_runner_takes_the_metric(kb: Path, concurrent: bool) -> None:
    result = evaluate(
        [case(TRUE), case(FALSE)],
        [GroundedMetric(kb)],
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        async_config=AsyncConfig(run_async=concurrent),
        cache_config=CacheConfig(write_cache=False),
    )
    told = {one.metrics_data[0].score: one.success for one in result.test_results}
    assert told == {1.0: True, 0.0: False}


def test_assert_test_fails_a_test(kb: Path) -> None:
    assert_test(case(TRUE), [GroundedMetric(kb)])
    with pytest.raises(AssertionError, match="Grounded"):
        assert_test(case(FALSE), [GroundedMetric(kb)])


@pytest.mark.parametrize("page", ["ragas", "deepeval"])
def test_the_pages_do_what_they_say(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(f"integrations/{page}", monkeypatch)
