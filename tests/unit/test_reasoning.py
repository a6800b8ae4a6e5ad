"""Blocks in which a model thinks aloud: found in every common form, skipped as such, never read as the answer."""

from __future__ import annotations

import pytest

from verifier.core.chat.reply import json_object
from verifier.core.reasoning import OPEN_REASONING, asides_in, without_asides
from verifier.types import Claim, Decision
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.claims.responses import (
    OPEN_REASONING_NOTE,
    ExtractedResponse,
    extract_beside_reasoning,
)
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

ANSWER = "The west gate is green."


@pytest.mark.parametrize(
    "thoughts",
    [
        "<think>Red? No.</think>",
        "<thinking>\nRed?\n\nNo.\n</thinking>\n\n",
        "<reasoning>Red?</reasoning>",
        "<scratchpad>Red?</scratchpad> ",
        "<reflection>Red? <think>No.</think> Green.</reflection>",
        "[THINK]Red?[/THINK]",
        "◁think▷Red?◁/think▷",
        "<|begin_of_thought|>Red?<|end_of_thought|>",
        "<|START_THINKING|>Red?<|END_THINKING|>",
        "<|channel|>analysis<|message|>Red?<|end|><|start|>assistant<|channel|>final<|message|>",
        "analysisIs it red?assistantfinal",
        "It may be red.\n</think>\n",
    ],
)
def test_reasoning_is_skipped_and_the_answer_is_read(thoughts: str) -> None:
    response = thoughts + ANSWER
    assert without_asides(response) == ANSWER
    for found in (
        extract_claims(response),
        extract_answer(response, "What colour is the gate?", extract_claims),
    ):
        assert [claim.hypothesis for claim in found.claims] == [ANSWER]
        assert [span.reason for span in found.skipped] == ["reasoning"]
        assert all(response[span.start : span.end] == span.text for span in found.skipped)


@pytest.mark.parametrize(
    "response", ["Use `<think>` to think.", "```\n<think>\n```\n\nIt is green.", "An <think> here is odd."]
)
def test_marks_in_code_and_in_the_midst_of_a_sentence_are_text(response: str) -> None:
    assert asides_in(response) == []


def test_marks_of_turns_are_markup() -> None:
    found = extract_claims(f"<|im_start|>{ANSWER}<|im_end|>")
    assert [span.reason for span in found.skipped] == ["markup", "markup"]


def test_nothing_is_approved_by_a_block_that_is_never_closed() -> None:
    scorer = VerifiedScorer(GivenTexts.of(ANSWER), suggest_fixes=False)
    alone = scorer.verify(f"<think>{ANSWER}")
    assert (alone.decision, alone.coverage) == (Decision.NOTHING_TO_CHECK, 1.0)
    assert [claim.reason for claim in alone.claims] == [OPEN_REASONING]
    assert OPEN_REASONING_NOTE in alone.notes
    beside = scorer.verify(f"{ANSWER}\n<think>And the east gate is gold.")
    assert beside.decision is Decision.REJECTED
    assert "not closed" in beside.rule


def test_a_claim_of_a_model_that_reaches_over_a_block_quotes_the_response() -> None:
    response = "The gate <think>red?</think> is green."
    found = extract_beside_reasoning(
        response, lambda text: ExtractedResponse((Claim(text, 0, len(text)),), ())
    )
    assert found.claims[0].text == response
    assert found.claims[0].hypothesis.split() == ["The", "gate", "is", "green."]


def test_a_mark_in_the_prompt_governs_nothing_of_the_answer() -> None:
    found = extract_answer(ANSWER, "[THINK] <think> What colour is it?", extract_claims)
    assert [claim.text for claim in found.claims] == [ANSWER]


def test_a_judge_that_thinks_aloud_is_read_behind_its_thoughts() -> None:
    assert json_object('<think>{"a": 1}?</think>\n```json\n{"a": 2}\n```') == {"a": 2}
    assert json_object('{"why": "it says <think> and no more"}') == {"why": "it says <think> and no more"}
    with pytest.raises(ValueError, match="Expecting"):
        json_object('<think>{"a": 1}')
