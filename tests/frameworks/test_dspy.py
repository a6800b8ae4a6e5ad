"""DSPy's Evaluate, BootstrapFewShot and GEPA's call form with our metric; the language model is DSPy's DummyLM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dspy
import pytest
from dspy.utils import DummyLM

from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier.integrations.dspy import GroundedMetric, search_of

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
ASKED = [dspy.Example(question=f"When are refunds paid? {n}").with_inputs("question") for n in (1, 2)]


def test_an_evaluation_counts_what_the_gate_approves(kb: Path) -> None:
    with dspy.context(lm=DummyLM([{"answer": TRUE}, {"answer": FALSE}])):
        result = dspy.Evaluate(devset=ASKED, metric=GroundedMetric(kb), num_threads=1)(
            dspy.Predict("question -> answer")
        )
    assert result.score == 50.0


def test_one_contradicted_claim_is_not_made_up_for(kb: Path) -> None:
    mixed = dspy.Prediction(
        answer=f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day."
    )
    assert GroundedMetric(kb)(ASKED[0], mixed) == 0.0


def test_bootstrapping_keeps_only_what_passes(kb: Path) -> None:
    with dspy.context(lm=DummyLM([{"answer": FALSE}, {"answer": TRUE}])):
        optimizer = dspy.BootstrapFewShot(metric=GroundedMetric(kb), max_labeled_demos=0, max_rounds=1)
        program = optimizer.compile(dspy.Predict("question -> answer"), trainset=ASKED)
    assert [demo.answer for demo in program.demos] == [TRUE]


def test_gepa_takes_the_metric_and_gets_words() -> None:
    metric = GroundedMetric()
    dspy.GEPA(metric=metric, max_metric_calls=1, reflection_lm=DummyLM([{}]))  # it binds the five arguments
    example = dspy.Example(question="When?", context=[REFUNDS])
    told: Any = metric(example, dspy.Prediction(answer=FALSE), None, "predict", None)
    assert (told.score, "within 30 days (context 1" in told.feedback) == (0.0, True)


def test_contexts_are_fields_and_a_retriever_is_asked_for_each_claim() -> None:
    metric = GroundedMetric(context="passages")
    assert metric(dspy.Example(question="When?"), dspy.Prediction(answer=TRUE, passages=REFUNDS)) == 1.0
    assert metric(dspy.Example(question="When?"), dspy.Prediction(answer=TRUE)) == 0.0
    searched = GroundedMetric(search=search_of(lambda query: dspy.Prediction(passages=[REFUNDS])))
    assert searched(ASKED[0], dspy.Prediction(answer=TRUE), trace=[]) is True
    with pytest.raises(TypeError, match="the field 'answer' is of type int"):
        metric(ASKED[0], dspy.Prediction(answer=3))


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/dspy", monkeypatch)
