"""DSPy: a metric by the gate's decision, for evaluation, for bootstrapping and, with feedback, for GEPA.

Needs the extra ``dspy``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Unchecked, said
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase
from verifier.verification.contexts import Context

with needing("dspy", extra="dspy"):
    from dspy import Prediction
    from dspy.retrievers import Retrieve

__all__ = ["GroundedMetric", "search_of"]


class GroundedMetric:
    """A metric: 1 for an answer that passes the gate, 0 for any other. An optimizer that asks for words gets them.

    Called with ``trace``, as bootstrapping does, it gives ``True`` or ``False``; with ``pred_name``, as GEPA does, a
    ``dspy.Prediction`` with ``score`` and ``feedback``, which shows each claim that failed.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, an answer is checked against
            the field ``context`` of the prediction, or else of the example.
        search: a retriever in its place (:func:`search_of`).
        answer, context, question: the names of these fields.
        nothing_to_check, options: as for :class:`Check`.
    """

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        answer: str = "answer",
        context: str = "context",
        question: str = "question",
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)
        self._answer, self._context, self._question = answer, context, question

    def __call__(
        self,
        example: Any,
        pred: Any,
        trace: Any = None,
        pred_name: str | None = None,
        pred_trace: Any = None,  # noqa: ARG002 - GEPA gives it
    ) -> Any:
        """The metric of one prediction.

        Raises:
            AttributeError: the prediction has no field of the answer's name.
        """
        answer = said(getattr(pred, self._answer), f"the field {self._answer!r}")
        outcome = self._check.outcome(answer, self._contexts(example, pred), example.get(self._question))
        if pred_name is not None:
            return Prediction(score=float(outcome.passed), feedback=outcome.why)
        return outcome.passed if trace is not None else float(outcome.passed)

    def _contexts(self, example: Any, pred: Any) -> list[Context]:
        found = pred.get(self._context) or example.get(self._context) or []
        return [found] if isinstance(found, str | Mapping) else list(found)


def search_of(retriever: Retrieve) -> Search:
    """A DSPy retriever as what claims are checked against: it is asked for each claim of an answer."""
    return lambda query: list(retriever(query).passages)
