"""Phoenix: write a report as an annotation of a span.

Needs the extra ``phoenix``; the client is the caller's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.integrations.checking import summary, why
from verifier.types import Report

if TYPE_CHECKING:
    from phoenix.client import Client

__all__ = ["annotate_span"]


def annotate_span(
    client: Client, report: Report, span_id: str, *, name: str = "groundedness", words: bool = True
) -> None:
    """Annotate a span: the decision as label, groundedness as score, what failed as explanation. It is sent at once.

    Args:
        client: of Phoenix.
        report: what to send.
        span_id: 16 hexadecimal digits, as ``format_span_id`` of OpenTelemetry writes them.
        name: of the annotation; another report under the same name replaces it.
        words: whether the explanation says why, and the metadata name each claim. They quote the answer and the
            evidence.

    Raises:
        httpx.HTTPError: Phoenix does not take it.
    """
    client.spans.add_span_annotation(
        span_id=span_id,
        annotation_name=name,
        annotator_kind="CODE",
        label=report.decision.value,
        score=report.groundedness,
        explanation=why(report) if words else None,
        metadata=summary(report) if words else None,
        identifier="verifier",
        sync=True,
    )
