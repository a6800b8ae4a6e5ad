"""Ragas: a metric by the gate's decision, without any language model.

Needs the extra ``ragas``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Unchecked
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase

with needing("ragas", extra="ragas"):
    from ragas.metrics.collections.base import BaseMetric
    from ragas.metrics.result import MetricResult

__all__ = ["Grounded"]


class Grounded(BaseMetric):
    """A metric of Ragas: 1 for a response that the gate approves, 0 for any other, with the reason.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, a response is checked against
            ``retrieved_contexts``.
        search: another retriever in its place: a function from a claim to contexts.
        name: of the metric.
        nothing_to_check, options: as for :class:`Check`.
    """

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        name: str = "grounded",
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        super().__init__(name=name)
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)

    async def ascore(
        self,
        response: str,
        retrieved_contexts: Sequence[str] = (),
        user_input: str | None = None,
        **_: Any,
    ) -> MetricResult:
        """The result for one response; its reason shows each claim that failed."""
        outcome = await self._check.aoutcome(response, retrieved_contexts, user_input)
        return MetricResult(value=float(outcome.passed), reason=outcome.why)
