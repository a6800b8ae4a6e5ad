"""OpenTelemetry: write a report as events ``gen_ai.evaluation.result`` beside the span that they are about.

Needs the extra ``otel``.
"""

from __future__ import annotations

from typing import Any

from verifier.core.registry import needing
from verifier.core.release import RELEASE
from verifier.integrations.checking import why
from verifier.types import ClaimVerdict, Report
from verifier.verification.render.summary import label, rows

with needing("opentelemetry", extra="otel", package="opentelemetry-sdk"):
    from opentelemetry._logs import LoggerProvider, LogRecord, SeverityNumber, get_logger
    from opentelemetry.context import Context

__all__ = ["emit_evaluation"]

EVENT = "gen_ai.evaluation.result"


def emit_evaluation(
    report: Report,
    *,
    name: str = "groundedness",
    claims: bool = False,
    words: bool = True,
    response_id: str | None = None,
    context: Context | None = None,
    logger_provider: LoggerProvider | None = None,
) -> None:
    """Send a report as an event of OpenTelemetry's conventions for generative AI.

    ``gen_ai.evaluation.score.label`` is the decision, which counts, ``score.value`` the groundedness where claims were
    checked. Call it while the span of the model's call is the current one, or give its ``context``.

    Args:
        report: what to send.
        name: of the evaluation.
        claims: whether each claim is an event of its own, ``<name>.claim``, its verdict the label, its support the
            value.
        words: whether ``gen_ai.evaluation.explanation`` says why. It quotes the answer and the evidence.
        response_id: the id that the model's provider gave the response.
        context: of the span; by default the current one.
        logger_provider: where events go; by default the program's own.
    """
    logger = get_logger("verifier", RELEASE, logger_provider)
    shared = {} if response_id is None else {"gen_ai.response.id": response_id}

    def emit(attributes: dict[str, Any]) -> None:
        logger.emit(
            LogRecord(
                event_name=EVENT,
                severity_number=SeverityNumber.INFO,
                context=context,
                attributes={**shared, **attributes},
            )
        )

    emit(_scored(name, report.groundedness, report.decision.value, why(report) if words else None))
    for claim in rows(report) if claims else ():
        emit(_of_claim(f"{name}.claim", claim, words=words))


def _of_claim(name: str, claim: ClaimVerdict, *, words: bool) -> dict[str, Any]:
    told = f"{' '.join(claim.text.split())}: {claim.reason}" if words else None
    return _scored(name, claim.support, label(claim), told)


def _scored(name: str, value: float | None, told: str, explanation: str | None) -> dict[str, Any]:
    """The attributes of an event; those that have no value are left out."""
    attributes = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.value": value,
        "gen_ai.evaluation.score.label": told,
        "gen_ai.evaluation.explanation": explanation,
    }
    return {key: item for key, item in attributes.items() if item is not None}
