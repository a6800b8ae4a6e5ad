"""Pydantic Evals: an evaluator that asserts that an output is grounded, with the reason where it is not.

Needs the extra ``pydantic-evals``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Unchecked, said
from verifier.verification.contexts import Context

with needing("pydantic_evals", extra="pydantic-evals"):
    from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

__all__ = ["Grounded"]


@dataclass(repr=False)
class Grounded(Evaluator[Any, Any, Any]):
    """Asserts ``grounded``, the gate's decision, with its reason, and gives ``groundedness`` where claims were checked.

    The output is a text, or a mapping with ``answer``. Its contexts are looked for under ``contexts``: in that mapping,
    in the attributes that the task has set (``set_eval_attribute``), the case's metadata, and its inputs.

    Args:
        kb: the folder of a knowledge base, which takes the place of the contexts.
        strict: whether every claim must be supported; by default as the configuration has it.
        nothing_to_check: what becomes of an output without a claim: ``block`` or ``pass``.
        answer, contexts, question: the names of these keys.
    """

    kb: str | None = None
    strict: bool | None = None
    nothing_to_check: Unchecked = "block"
    answer: str = "answer"
    contexts: str = "contexts"
    question: str = "question"

    def __post_init__(self) -> None:
        """Take the arguments; nothing is opened yet."""
        if self.strict is None:
            self._check = Check(self.kb, nothing_to_check=self.nothing_to_check)
        else:
            self._check = Check(self.kb, nothing_to_check=self.nothing_to_check, strict=self.strict)

    async def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, Any]:
        """The assertion and the score of one output.

        Raises:
            TypeError: the output is no text and has none under ``answer``.
        """
        output = ctx.output
        given = output.get(self.answer) if isinstance(output, Mapping) else output
        question = ctx.inputs.get(self.question) if isinstance(ctx.inputs, Mapping) else ctx.inputs
        outcome = await self._check.aoutcome(
            said(given, "the output"), self._contexts(ctx), question if isinstance(question, str) else None
        )
        results: dict[str, Any] = {"grounded": EvaluationReason(outcome.passed, outcome.why)}
        if outcome.report is not None and outcome.report.groundedness is not None:
            results["groundedness"] = outcome.score
        return results

    def _contexts(self, ctx: EvaluatorContext[Any, Any, Any]) -> list[Context]:
        for place in (ctx.output, ctx.attributes, ctx.metadata, ctx.inputs):
            if isinstance(place, Mapping) and (found := place.get(self.contexts)):
                return [found] if isinstance(found, str | Mapping) else list(found)
        return []
