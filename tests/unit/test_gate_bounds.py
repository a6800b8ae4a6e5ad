"""The edges of the confidence gate: bounds of its numbers, what reaches its components, times, and a retry's words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from verifier.core.chat import ScriptedChat
from verifier.core.errors import ConfigError, LLMUnavailable
from verifier.guard.gate import ChatGenerator, ConfidenceGate, GatePolicy, Question
from verifier.guard.gate.components import Measured
from verifier.guard.gate.gate import retry_instructions
from verifier.guard.gate.types import Attempt, Rated, Status
from verifier.guard.relevance import context_items

ANSWER = "Refunds are paid within 30 days of the return."
CONTEXT = tuple(context_items("Write of refunds."))


@dataclass
class Told:
    """A component that gives what it is told to, and notes what it is asked."""

    values: Sequence[float | None]
    highest: float = 1.0
    name: str = "relevance"
    asked: list[tuple[Question, str]] = field(default_factory=list)

    def measure(self, question: Question, response: str) -> Measured:
        self.asked.append((question, response))
        value = self.values[min(len(self.asked), len(self.values)) - 1]
        return Measured(value, f"told {value}", feedback=("name the fee",), failed=value is None)


def policy(**values: object) -> GatePolicy:
    given: dict[str, object] = {"weights": {"relevance": 1.0}, "threshold": 0.75, "max_attempts": 3}
    return GatePolicy(**{**given, **values})  # type: ignore[arg-type]


def ticks() -> Iterator[float]:
    """A clock that goes on by 2, 3, 4 ... seconds."""
    now, step = 10.0, 2.0
    while True:
        yield now
        now, step = now + step, step + 1


def gate_of(component: Told, answers: Sequence[object] = (ANSWER,) * 5, **values: object) -> ConfidenceGate:
    clock = ticks()
    chat = ScriptedChat([*answers])  # type: ignore[list-item]
    options = {"clock": lambda: next(clock), "new_id": lambda: "id-1"}
    return ConfidenceGate(ChatGenerator(chat), [component], policy(**values), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("attempts", [1, 20])
def test_as_many_attempts_as_the_bounds_say_are_taken(attempts: int) -> None:
    assert policy(max_attempts=attempts).max_attempts == attempts


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"max_attempts": 0}, "^max_attempts = 0: expected 1 to 20$"),
        ({"max_attempts": 21}, "^max_attempts = 21: expected 1 to 20$"),
        ({"fallback": " \n"}, "^the fallback text is blank$"),
        ({"threshold": -0.1}, "^threshold = -0.1: expected 0 to 1$"),
        ({"threshold": 1.1}, "^threshold = 1.1: expected 0 to 1$"),
        ({"threshold": float("nan")}, "^threshold = nan: expected 0 to 1$"),
        ({"thresholds": {"emotional": 2.0}}, "^threshold of emotional = 2.0: expected 0 to 1$"),
    ],
)
def test_numbers_beyond_their_bounds_are_refused_by_name(values: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        policy(**values)


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_may_stand_at_either_end(threshold: float) -> None:
    result = gate_of(Told([threshold]), threshold=threshold).run("When?")
    assert (result.status, result.confidence) == (Status.ACCEPTED, threshold)


def test_a_confidence_at_the_threshold_is_accepted_and_one_right_below_is_not() -> None:
    assert gate_of(Told([0.75])).run("When?").success
    below = gate_of(Told([0.7499])).run("When?")
    assert (below.success, below.status) == (False, Status.FALLBACK)
    assert len(below.attempts) == 3


def test_a_confidence_that_is_no_number_is_never_accepted() -> None:
    assert not gate_of(Told([float("nan")])).run("When?").success


def test_a_threshold_that_is_just_reachable_is_allowed_and_more_is_refused_with_the_remedy() -> None:
    assert gate_of(Told([0.5], highest=0.75)).policy.threshold == 0.75
    with pytest.raises(
        ConfigError, match=r"more than 0\.740; lower it, give the rules less weight, or set gate"
    ):
        gate_of(Told([0.5], highest=0.74))


def test_prompt_and_context_reach_the_components() -> None:
    part = Told([0.2, 0.9])
    gate = gate_of(part)
    gate.run("When?", context=CONTEXT)
    rated = gate.rate("And how?", "So.", context=CONTEXT)
    assert [question for question, _ in part.asked] == [Question("When?", CONTEXT)] * 2 + [
        Question("And how?", CONTEXT)
    ]
    assert part.asked[-1][1] == "So."
    assert rated.parts[0].reason == "told 0.9"
    gate.run("When?")
    assert part.asked[-1][0] == Question("When?", ())


def test_a_result_says_its_number_threshold_and_times() -> None:
    result = gate_of(Told([0.2, 0.9]), [ANSWER, ANSWER]).run("When?", kind="informational")
    assert (result.execution_id, result.threshold, result.kind) == ("id-1", 0.75, "informational")
    # Ticks: 10 start, 12 and 15 the first attempt, 19 and 24 the second, 30 the end.
    assert [attempt.duration_seconds for attempt in result.attempts] == [3.0, 5.0]
    assert result.duration_seconds == 20.0


def test_the_time_of_an_attempt_without_an_answer_is_told() -> None:
    result = gate_of(Told([0.9]), [LLMUnavailable("busy"), ANSWER]).run("When?")
    assert [attempt.duration_seconds for attempt in result.attempts] == [3.0, 5.0]
    assert result.attempts[0].errors == ("no answer: busy",)


def test_the_event_loop_gets_the_same() -> None:
    part = Told([0.9])
    gate = gate_of(part)
    options = {"instructions": "Be brief.", "context": CONTEXT, "kind": "unclear"}
    result = asyncio.run(gate.arun("When?", **options))  # type: ignore[arg-type]
    assert (result.content, result.kind) == (ANSWER, "unclear")
    assert part.asked == [(Question("When?", CONTEXT), ANSWER)]
    assert gate._generator._chat.requests[0].instructions == "Be brief."  # type: ignore[attr-defined]


def test_without_instructions_none_are_sent() -> None:
    gate = gate_of(Told([0.9]))
    gate.run("When?")
    asyncio.run(gate.arun("When?"))
    assert [one.instructions for one in gate._generator._chat.requests] == ["", ""]  # type: ignore[attr-defined]


def test_the_shadow_counts_the_first_attempt_that_reaches_it() -> None:
    assert gate_of(Told([0.2, 0.5, 0.9]), shadow_threshold=0.5).run("When?").shadow.accepted_on == 2  # type: ignore[union-attr]
    none = gate_of(Told([None, 0.2, 0.3]), shadow_threshold=0.5).run("When?").shadow
    assert none is not None
    assert none.accepted_on is None


def test_the_best_attempt_is_the_earliest_of_equals() -> None:
    best = gate_of(Told([0.0, 0.0, 0.0])).run("When?").best
    assert best is not None
    assert best.number == 1


def attempt(response: str | None, feedback: tuple[str, ...] = ()) -> Attempt:
    return Attempt(1, response, Rated(0.2, (), feedback), False, 0.0)


def test_a_retry_names_the_blocks_and_what_to_mend() -> None:
    said = retry_instructions("Be brief.", attempt(f" {ANSWER}\n", ("name the fee", "say when")), len(ANSWER))
    parts = said.split("\n\n")
    assert parts[0] == "Be brief."
    assert parts[1].startswith(
        "A previous answer of yours was not good enough. It follows. The material stands"
    )
    assert "<<<PREVIOUS ANSWER " in parts[2]
    assert f'"{ANSWER}"' in parts[2]
    assert "<<<WHAT TO MEND " in parts[2]
    assert r'"- name the fee\n- say when"' in parts[2]
    assert parts[3:] == ["Answer the question anew, and better. Do not mention the previous answer."]


def test_a_retry_says_where_the_previous_answer_was_cut_and_leaves_out_what_there_is_not() -> None:
    said = retry_instructions("", attempt(ANSWER), len(ANSWER) - 1)
    assert f"It follows, cut to its first {len(ANSWER) - 1} characters. The material" in said
    assert said.startswith("A previous answer")
    assert "WHAT TO MEND" not in said
    assert '>>>\n""\n<<<' in retry_instructions("", attempt(None), 100)
