"""The components of a confidence: each gives one value for a question, its context and an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from verifier.core.errors import VerifierError
from verifier.guard.gate.evaluator import Evaluator
from verifier.guard.gate.rules import HIGHEST, Refusals, rule_score
from verifier.guard.rating import CoherenceRater
from verifier.guard.relevance import ContextItem, ContextRelevance
from verifier.types import Report, Status, Verdict

__all__ = [
    "Coherence",
    "Component",
    "Groundedness",
    "LLMRating",
    "Measured",
    "Question",
    "Relevance",
    "Rules",
]


@dataclass(frozen=True, slots=True)
class Question:
    """What an answer is wanted for: the prompt, and the context that relevance is measured against, if any."""

    prompt: str
    context: tuple[ContextItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What one component says of one answer.

    ``value`` is in [0, 1], ``None`` where it could not be measured; ``reason`` tells how it came about, or why there
    is none. ``feedback`` is what a retry should mend. ``failed`` marks an error, after which the answer must not
    pass, as opposed to a part that does not apply.
    """

    value: float | None
    reason: str
    feedback: tuple[str, ...] = ()
    failed: bool = False


class Component(Protocol):
    """One part of a confidence."""

    @property
    def name(self) -> str:
        """Its name in ``[gate.weights]``."""

    @property
    def highest(self) -> float:
        """The highest value that it can have."""

    def measure(self, question: Question, response: str) -> Measured:
        """Its value for ``response``; failures are in the result and never raised."""


class Rules:
    """What the form of the answer says; see :func:`~verifier.guard.gate.rules.rule_score`."""

    name: ClassVar[str] = "rules"

    def __init__(self, *, refusals: Refusals = "anywhere", full_scale: bool = False) -> None:
        self._refusals: Refusals = refusals
        self._full_scale = full_scale
        self.highest = 1.0 if full_scale else HIGHEST

    def measure(self, question: Question, response: str) -> Measured:
        """Always has a value."""
        del question
        found = rule_score(response, refusals=self._refusals, full_scale=self._full_scale)
        return Measured(found.value, found.reason)


class LLMRating:
    """What an evaluator says. Where it fails, the attempt has no confidence: there is no neutral value for it."""

    name: ClassVar[str] = "llm"
    highest: ClassVar[float] = 1.0

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def measure(self, question: Question, response: str) -> Measured:
        """One rating."""
        found = self._evaluator.evaluate(question.prompt, response)
        if found.score is None:
            return Measured(None, found.error, failed=True)
        return Measured(
            found.score, found.reasoning or "rated", (found.reasoning,) if found.reasoning else ()
        )


class Relevance:
    """Nearness by meaning to the context of the question, or to the prompt itself where no context is given."""

    name: ClassVar[str] = "relevance"
    highest: ClassVar[float] = 1.0

    def __init__(self, relevance: ContextRelevance) -> None:
        self._relevance = relevance

    def measure(self, question: Question, response: str) -> Measured:
        """The similarity of the nearest item."""
        items = question.context or (ContextItem("prompt", question.prompt),)
        try:
            found = self._relevance.rate(response, items)
        except VerifierError as error:
            return Measured(None, str(error), failed=True)
        if found.score is None or found.best is None:
            return Measured(None, found.reason)
        return Measured(found.score, f"nearest to the {found.best.kind}")


class Coherence:
    """How coherent the answer is, by a language model or by its own claims; not measured where the rater fails."""

    name: ClassVar[str] = "coherence"
    highest: ClassVar[float] = 1.0

    def __init__(self, rater: CoherenceRater) -> None:
        self._rater = rater

    def measure(self, question: Question, response: str) -> Measured:
        """One rating. A failure does not fail the attempt: the design takes the neutral value, and the flag says so."""
        del question
        found = self._rater.rate(response)
        reason = found.reason if found.rating is None else f"rated {found.rating} of 5"
        return Measured(found.value if found.measured else None, reason)


class Groundedness:
    """The share of the answer's checked claims that the knowledge base supports.

    Args:
        verify: checks a response that was given to a prompt, for example ``lambda prompt, response:
            scorer.verify(response, prompt=prompt)``.
    """

    name: ClassVar[str] = "groundedness"
    highest: ClassVar[float] = 1.0

    def __init__(self, verify: Callable[[str, str], Report]) -> None:
        self._verify = verify

    def measure(self, question: Question, response: str) -> Measured:
        """An answer with a claim that could not be checked has failed; one without any claim is not measured."""
        try:
            report = self._verify(question.prompt, response)
        except VerifierError as error:
            return Measured(None, str(error), failed=True)
        errors = [claim.reason for claim in report.claims if claim.status is Status.ERROR]
        if errors:
            return Measured(None, errors[0], failed=True)
        if report.groundedness is None:
            return Measured(None, "it makes no claim that could be checked")
        checked = [claim for claim in report.claims if claim.status is Status.CHECKED]
        failing = [claim for claim in checked if claim.verdict is not Verdict.SUPPORTED]
        reason = f"{len(checked) - len(failing)} of {len(checked)} claims supported"
        feedback = tuple(f'"{claim.text}" is {_said(claim.verdict)}: {claim.reason}' for claim in failing)
        return Measured(report.groundedness, reason, feedback)


def _said(verdict: Verdict | None) -> str:
    return verdict.value if verdict else "not checked"
