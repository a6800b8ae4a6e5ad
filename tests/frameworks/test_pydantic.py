"""Pydantic AI's agents and Pydantic Evals' datasets around our checks, with FunctionModel in a model's place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_evals import Case, Dataset, set_eval_attribute

from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier.integrations.pydantic_ai import GroundedOutput
from verifier.integrations.pydantic_evals import Grounded

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
LOOK = ToolCallPart("handbook", {"query": "refunds"})


class Turns:
    """Gives each part in turn, and keeps what the model was sent."""

    def __init__(self, *parts: Any) -> None:
        self.parts, self.sent = iter(parts), []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.sent.append(list(messages))
        return ModelResponse(parts=[next(self.parts)])


def agent(turns: Turns, validator: GroundedOutput, retries: int = 1, **own: Any) -> Agent:
    made = Agent(FunctionModel(turns), retries={"output": retries}, **own)

    @made.tool_plain
    def handbook(query: str) -> str:
        return REFUNDS

    made.output_validator(validator)
    return made


def test_false_output_is_sent_back_with_what_is_wrong(kb: Path) -> None:
    turns = Turns(TextPart(FALSE), TextPart(TRUE))
    assert agent(turns, GroundedOutput(kb)).run_sync("When are refunds paid?").output == TRUE
    assert "evidence says: within 30 days (refunds.md" in str(turns.sent[1][-1])


def test_output_that_stays_false_does_not_come_out(kb: Path) -> None:
    turns = Turns(*[TextPart(FALSE)] * 3, TextPart(TRUE))
    with pytest.raises(UnexpectedModelBehavior, match="retries"):
        agent(turns, GroundedOutput(kb), retries=2).run_sync("When are refunds paid?")
    assert len(turns.sent) == 3


def test_what_tools_returned_is_evidence_and_tools_that_are_not_named_are_none() -> None:
    assert agent(Turns(LOOK, TextPart(TRUE)), GroundedOutput()).run_sync("When?").output == TRUE
    with pytest.raises(UnexpectedModelBehavior):
        agent(Turns(LOOK, TextPart(TRUE), TextPart(TRUE)), GroundedOutput(tools=["search"])).run_sync("When?")


def test_structured_output_needs_a_text(kb: Path) -> None:
    class Period(BaseModel):
        days: int

    def turns() -> Turns:
        return Turns(*[ToolCallPart("final_result", {"days": days}) for days in (60, 30)])

    with pytest.raises(TypeError, match="Period: give text="):
        agent(turns(), GroundedOutput(kb), output_type=Period).run_sync("When?")
    validator = GroundedOutput(kb, text=lambda own: f"Refunds are paid within {own.days} days.")
    assert agent(turns(), validator, output_type=Period).run_sync("When?").output.days == 30


def evaluated(task: Any, evaluator: Grounded, **case: Any) -> Any:
    dataset = Dataset(name="d", cases=[Case(inputs="When are refunds paid?", **case)], evaluators=[evaluator])
    report = dataset.evaluate_sync(task, progress=False)
    assert not report.failures
    [result] = report.cases
    return result


def test_an_evaluation_asserts_the_decision_and_gives_the_share_beside_it() -> None:
    given = {"metadata": {"contexts": [REFUNDS]}}
    good = evaluated(lambda asked: TRUE, Grounded(), **given)
    assert (good.assertions["grounded"].value, good.scores["groundedness"].value) == (True, 1.0)
    mixed = evaluated(lambda asked: f"{FALSE} The return must be sent in its box.", Grounded(), **given)
    assert (mixed.assertions["grounded"].value, mixed.scores["groundedness"].value) == (False, 0.5)
    assert "evidence says: within 30 days" in mixed.assertions["grounded"].reason


def test_contexts_come_from_the_task_the_case_or_a_knowledge_base(kb: Path) -> None:
    def task(asked: str) -> str:
        set_eval_attribute("contexts", [REFUNDS])
        return TRUE

    assert evaluated(task, Grounded()).assertions["grounded"].value
    assert (
        evaluated(lambda asked: {"answer": TRUE, "contexts": [REFUNDS]}, Grounded())
        .assertions["grounded"]
        .value
    )
    assert evaluated(lambda asked: TRUE, Grounded(kb=str(kb), strict=True)).assertions["grounded"].value
    without = evaluated(lambda asked: TRUE, Grounded())
    assert (without.assertions["grounded"].value, without.scores) == (False, {})


def test_an_evaluator_is_written_down_in_a_dataset_and_read_again(kb: Path, tmp_path: Path) -> None:
    dataset = Dataset(name="d", cases=[Case(inputs="When?")], evaluators=[Grounded(kb=str(kb))])
    dataset.to_file(tmp_path / "d.yaml", custom_evaluator_types=[Grounded])
    loaded = Dataset.from_file(tmp_path / "d.yaml", custom_evaluator_types=[Grounded])
    [case] = loaded.evaluate_sync(lambda asked: TRUE, progress=False).cases
    assert case.assertions["grounded"].value


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/pydantic", monkeypatch)
