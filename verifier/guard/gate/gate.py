"""The confidence gate: ask again until an answer is good enough, or give the fallback."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from verifier.core.chat.enclose import Enclosure
from verifier.core.errors import ConfigError, LLMError, LLMRejected, SignalError
from verifier.guard.gate.components import Component, Measured, Question
from verifier.guard.gate.confidence import Part, combine, normalised
from verifier.guard.gate.kinds import Classify, kind_of
from verifier.guard.gate.types import Attempt, GateResult, Generated, Generator, Rated, Shadow, Status
from verifier.guard.rating import NEUTRAL
from verifier.guard.relevance import ContextItem

__all__ = ["DEFAULT_FALLBACK", "ConfidenceGate", "GatePolicy", "Rater"]

DEFAULT_FALLBACK = (
    "I could not find an answer that I am confident in. Please rephrase the question, or ask a person."
)

DEFAULT_WEIGHTS: Mapping[str, float] = {"rules": 0.3, "llm": 0.7}
"""The design's."""

_ROUNDING = 1e-9

DEFAULT_NEUTRAL: Mapping[str, float] = {"relevance": 0.5, "coherence": NEUTRAL, "groundedness": 0.0}
"""What stands for a component that does not apply. An answer without a checkable claim is not thereby grounded."""


@dataclass(frozen=True)
class GatePolicy:
    """The numbers of the gate.

    Args:
        weights: of the components; they are divided by their sum.
        threshold: confidence from which an answer is accepted.
        thresholds: others for kinds of message.
        max_attempts: how often an answer is generated at most.
        fallback: what stands for an answer that was not accepted.
        neutral: what stands for a component that was not measured.
        previous_chars: how much of the previous answer a retry is shown, in code points.
        shadow_threshold: another threshold that is only watched.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    threshold: float = 0.75
    thresholds: Mapping[str, float] = field(default_factory=dict)
    max_attempts: int = 5
    fallback: str = DEFAULT_FALLBACK
    neutral: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_NEUTRAL))
    previous_chars: int = 500
    shadow_threshold: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.max_attempts <= 20:
            raise ConfigError(f"max_attempts = {self.max_attempts}: expected 1 to 20")
        if not self.fallback.strip():
            raise ConfigError("the fallback text is blank")
        normalised(self.weights)
        for where, threshold in self.all_thresholds:
            if not 0 <= threshold <= 1:
                raise ConfigError(f"{where} = {threshold}: expected 0 to 1")

    @property
    def all_thresholds(self) -> tuple[tuple[str, float], ...]:
        """Every threshold, with what it is for."""
        return (
            ("threshold", self.threshold),
            *(("threshold of " + k, v) for k, v in self.thresholds.items()),
        )


class ConfidenceGate:
    """Generates, rates and retries until an answer is good enough.

    Args:
        generator: writes the answers.
        components: what a confidence is made of; one for every weight above 0.
        policy: weights, thresholds, attempts.
        classify: tells the kind of a message where the caller does not.
        clock, new_id: time in seconds and execution ids; replaced in tests.
    """

    def __init__(
        self,
        generator: Generator,
        components: Sequence[Component],
        policy: GatePolicy = GatePolicy(),
        *,
        classify: Classify = kind_of,
        clock: Callable[[], float] = time.monotonic,
        new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self._generator, self.policy, self._classify = generator, policy, classify
        self._rater = Rater(components, policy)
        self._clock, self._new_id = clock, new_id

    def run(
        self,
        prompt: str,
        *,
        instructions: str = "",
        context: Sequence[ContextItem] = (),
        kind: str | None = None,
    ) -> GateResult:
        """Answer ``prompt``.

        A provider that fails for good ends the attempts; one that may recover costs an attempt. Whatever happens, the
        attempts so far stand in the result, and the best of them is kept.

        Args:
            prompt: the question.
            instructions: the system's part; a retry adds what to mend.
            context: what relevance is measured against; the prompt itself where there is none.
            kind: of the message; told from the prompt by default.
        """
        started = self._clock()
        question = Question(prompt, tuple(context))
        kind = kind or self._classify(prompt)
        threshold = self.policy.thresholds.get(kind, self.policy.threshold)
        attempts: list[Attempt] = []
        told = instructions
        while len(attempts) < self.policy.max_attempts:
            attempt, final = self._attempt(len(attempts) + 1, question, told, threshold)
            attempts.append(attempt)
            if attempt.accepted or final:
                break
            if attempt.response is not None:
                told = retry_instructions(instructions, attempt, self.policy.previous_chars)
        best = _best(attempts)
        accepted = attempts[-1].accepted
        content = attempts[-1].response if accepted else None
        return GateResult(
            success=accepted,
            content=self.policy.fallback if content is None else content,
            confidence=best.confidence if best else None,
            execution_id=self._new_id(),
            status=Status.ACCEPTED if accepted else Status.FALLBACK if best else Status.FAILED,
            kind=kind,
            threshold=threshold,
            attempts=tuple(attempts),
            best=best,
            duration_seconds=self._clock() - started,
            shadow=_shadow(attempts, self.policy.shadow_threshold),
        )

    async def arun(
        self,
        prompt: str,
        *,
        instructions: str = "",
        context: Sequence[ContextItem] = (),
        kind: str | None = None,
    ) -> GateResult:
        """The same as :meth:`run`, off the event loop."""
        return await asyncio.to_thread(
            self.run, prompt, instructions=instructions, context=context, kind=kind
        )

    def rate(self, prompt: str, response: str, *, context: Sequence[ContextItem] = ()) -> Rated:
        """The confidence in an answer that is already there."""
        return self._rater.rate(Question(prompt, tuple(context)), response)

    def _attempt(
        self, number: int, question: Question, instructions: str, threshold: float
    ) -> tuple[Attempt, bool]:
        """One turn, and whether it must be the last."""
        started = self._clock()
        try:
            made = self._generator.generate(question.prompt, instructions)
        except (LLMError, SignalError) as error:
            nothing = Rated(None, ())
            taken = self._clock() - started
            final = isinstance(error, LLMRejected)
            return Attempt(number, None, nothing, False, taken, (f"no answer: {error}",)), final
        rated = self._rater.rate(question, made.content)
        return self._rated(number, made, rated, threshold, self._clock() - started), False

    @staticmethod
    def _rated(number: int, made: Generated, rated: Rated, threshold: float, taken: float) -> Attempt:
        return Attempt(
            number=number,
            response=made.content,
            rated=rated,
            accepted=rated.confidence is not None and rated.confidence >= threshold,
            duration_seconds=taken,
            errors=(*rated.errors, *made.notes),
            sc_confidence=made.sc_confidence,
            sc_num_samples=made.sc_num_samples,
        )


class Rater:
    """Rates an answer by its components.

    Raises:
        ConfigError: a weight above 0 has no component to measure it, or no answer could reach a threshold.
    """

    def __init__(self, components: Sequence[Component], policy: GatePolicy) -> None:
        self._weights = normalised(policy.weights)
        self._neutral = policy.neutral
        by_name = {component.name: component for component in components}
        missing = [name for name in self._weights if name not in by_name]
        if missing:
            raise ConfigError(f"gate.weights.{missing[0]} is above 0, and nothing measures it")
        self._components = [by_name[name] for name in self._weights]
        reachable = combine({one.name: one.highest for one in self._components}, self._weights)
        for where, threshold in policy.all_thresholds:
            if threshold > reachable + _ROUNDING:
                raise ConfigError(
                    f"{where} = {threshold}: with these weights no answer can have more than {reachable:.3f}; "
                    "lower it, give the rules less weight, or set gate.rules_full_scale"
                )

    def rate(self, question: Question, response: str) -> Rated:
        """Measure every component that has a weight; one that fails leaves no confidence."""
        found = [(component.name, component.measure(question, response)) for component in self._components]
        parts = tuple(self._part(name, measured) for name, measured in found if not measured.failed)
        errors = tuple(f"{name}: {measured.reason}" for name, measured in found if measured.failed)
        feedback = tuple(line for _, measured in found for line in measured.feedback)
        values = {part.name: part.value for part in parts}
        confidence = None if errors else combine(values, self._weights)
        return Rated(confidence, parts, feedback, errors)

    def _part(self, name: str, measured: Measured) -> Part:
        value = self._neutral[name] if measured.value is None else measured.value
        return Part(name, value, self._weights[name], measured.value is not None, measured.reason)


def retry_instructions(instructions: str, attempt: Attempt, previous_chars: int) -> str:
    """The system's part of a retry: the previous answer, cut to a bound that is stated, and what to mend."""
    previous = (attempt.response or "").strip()
    cut = f", cut to its first {previous_chars} characters" if len(previous) > previous_chars else ""
    mend = "\n".join(f"- {line}" for line in attempt.rated.feedback)
    blocks = [("PREVIOUS ANSWER", previous[:previous_chars]), *([("WHAT TO MEND", mend)] if mend else [])]
    enclosure = Enclosure(blocks)
    said = [
        *([instructions] if instructions else []),
        f"A previous answer of yours was not good enough. It follows{cut}. {enclosure.explanation()}",
        enclosure.text(),
        "Answer the question anew, and better. Do not mention the previous answer.",
    ]
    return "\n\n".join(said)


def _best(attempts: Sequence[Attempt]) -> Attempt | None:
    """The attempt with the highest confidence, the earliest of equals; one that could not be rated never is."""
    rated = [attempt for attempt in attempts if attempt.confidence is not None]
    return max(rated, key=lambda attempt: (attempt.confidence or 0.0, -attempt.number), default=None)


def _shadow(attempts: Sequence[Attempt], threshold: float | None) -> Shadow | None:
    if threshold is None:
        return None
    passed = (one.number for one in attempts if one.confidence is not None and one.confidence >= threshold)
    return Shadow(threshold, next(passed, None))
