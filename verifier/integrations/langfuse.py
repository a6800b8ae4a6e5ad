"""Langfuse: write a report as scores of a trace or an observation.

Needs the extra ``langfuse``; the client is the caller's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verifier.core.errors import ConfigError
from verifier.integrations.checking import summary, why
from verifier.types import Report

if TYPE_CHECKING:
    from langfuse import Langfuse

__all__ = ["score_report"]


def score_report(
    client: Langfuse,
    report: Report,
    *,
    trace_id: str | None = None,
    observation_id: str | None = None,
    words: bool = True,
) -> None:
    """Score a trace: ``grounded`` (the decision, as a boolean), ``decision`` and, where claims were checked,
    ``groundedness``.

    Langfuse sends scores later, in the background; ``client.flush()`` waits for that.

    Args:
        client: of Langfuse.
        report: what to send.
        trace_id: the trace; by default the current one.
        observation_id: an observation of it.
        words: whether the comment says why, and the metadata name each claim. They quote the answer and the evidence.

    Raises:
        ConfigError: there is no current trace, and none is given.
    """
    trace = trace_id or client.get_current_trace_id()
    if trace is None:
        raise ConfigError("there is no current trace: give trace_id, or call this within a span of Langfuse")
    shared: dict[str, Any] = {"trace_id": trace, "observation_id": observation_id}
    told: dict[str, Any] = {"comment": why(report), "metadata": summary(report)} if words else {}
    client.create_score(name="grounded", value=float(report.approved), data_type="BOOLEAN", **told, **shared)
    client.create_score(name="decision", value=report.decision.value, data_type="CATEGORICAL", **shared)
    if report.groundedness is not None:
        client.create_score(name="groundedness", value=report.groundedness, data_type="NUMERIC", **shared)
