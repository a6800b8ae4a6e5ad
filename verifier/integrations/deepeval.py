"""DeepEval: a metric by the gate's decision, without any language model, for ``evaluate`` and ``assert_test``.

Needs the extra ``deepeval``.
"""

from __future__ import annotations

from typing import Any, Unpack

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Outcome, Unchecked
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase

with needing("deepeval", extra="deepeval"):
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase, SingleTurnParams

__all__ = ["GroundedMetric"]


class GroundedMetric(BaseMetric):
    """A metric of DeepEval: 1 for an output that the gate approves, 0 for any other, with the reason.

    ``score_breakdown`` has the groundedness where claims were checked.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, an output is checked against
            the test case's ``retrieval_context``, or else its ``context``.
        search: another retriever in its place: a function from a claim to contexts.
        check: all of that in one, shared by several metrics.
        nothing_to_check, options: as for :class:`Check`.
    """

    _required_params = (SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT)
    include_reason = True

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        check: Check | None = None,
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        self.threshold = 1.0
        self.strict_mode = True
        # DeepEval copies a metric for each test case, with those of its arguments that it has as attributes.
        self.check = check or Check(kb, search=search, nothing_to_check=nothing_to_check, **options)

    @property
    def __name__(self) -> str:
        """What DeepEval's tables call it."""
        return "Grounded"

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """Check the output of a test case.

        Raises:
            TypeError: it has none.
        """
        return self._kept(self.check.outcome(*_given(test_case)))

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """:meth:`measure` in a thread."""
        return self._kept(await self.check.aoutcome(*_given(test_case)))

    def _kept(self, outcome: Outcome) -> float:
        """The score, with all that DeepEval reads from a metric."""
        self.error = None
        self.score, self.success, self.reason = float(outcome.passed), outcome.passed, outcome.why
        checked = outcome.report is not None and outcome.report.groundedness is not None
        self.score_breakdown = {"groundedness": outcome.score} if checked else None
        return self.score


def _given(case: LLMTestCase) -> tuple[str, list[str], str | None]:
    return case.actual_output, case.retrieval_context or case.context or [], case.input
