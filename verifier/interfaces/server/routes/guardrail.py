"""LiteLLM's generic guardrail: whether what a model answers through LiteLLM's proxy may pass."""

from __future__ import annotations

from itertools import compress
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from verifier.interfaces.server.options import Options
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker
from verifier.interfaces.server.schemas import MAX_BATCH, RuleOptions
from verifier.interfaces.server.texts import Name, Sound, Text
from verifier.types import Decision, Report, Status, Verdict
from verifier.verification.contexts import documents_of
from verifier.verification.render.summary import end_line

__all__ = ["router"]

router = APIRouter(tags=["guardrail"], responses=ERRORS)


class GuardrailOptions(RuleOptions):
    """What ``additional_provider_specific_params`` may hold in LiteLLM's configuration."""

    namespace: Name | None = None
    contexts: list[Text] | None = Field(
        default=None, min_length=1, max_length=100, description="check against these texts and nothing else"
    )
    nothing_to_check: Literal["block", "pass"] = Field(
        default="block", description="what becomes of an answer without a single claim"
    )
    replacement: Text | None = Field(
        default=None, description="stands in the place of an answer that does not pass; else it is an error"
    )


class GuardrailRequest(BaseModel):
    """What LiteLLM sends; of its many fields these are read."""

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "input_type": "response",
                    "texts": ["Refunds are paid within 30 days."],
                    "additional_provider_specific_params": {"contexts": ["Refunds are paid within 14 days."]},
                }
            ]
        },
    )

    input_type: Literal["request", "response"]
    texts: list[Sound] | None = Field(default=None, max_length=MAX_BATCH)
    additional_provider_specific_params: GuardrailOptions | None = None


@router.post("/beta/litellm_basic_guardrail_api")
async def guardrail(body: GuardrailRequest, caller: Checker) -> dict[str, Any]:
    """Check what a model answered. `BLOCKED`, or replaced where a replacement is set, unless the gate approves it.

    A prompt is refused, since nothing of it is checked: LiteLLM's guardrail is to run in the mode `post_call`.
    """
    if body.input_type != "response":
        raise Problem(422, "invalid", "input_type: a prompt is not checked; set mode: post_call in LiteLLM")
    own = body.additional_provider_specific_params or GuardrailOptions()
    texts = body.texts or []
    await caller.asking.charge(max(0, len(texts) - 1))
    reports = [await _report(text, own, caller) if text.strip() else None for text in texts]
    refused = [report is not None and not _passes(report, own) for report in reports]
    if not any(refused):
        return {"action": "NONE"}
    if own.replacement is not None:
        shown = [own.replacement if bad else text for text, bad in zip(texts, refused, strict=True)]
        return {"action": "GUARDRAIL_INTERVENED", "texts": shown}
    return {"action": "BLOCKED", "blocked_reason": "\n".join(map(_reason, compress(reports, refused)))}


async def _report(text: str, own: GuardrailOptions, caller: Caller) -> Report:
    options: Options = own.as_options()
    if own.contexts is not None:
        report = await caller.engine.verify_against(text, None, documents_of(own.contexts), options)
    else:
        namespace = await caller.known(own.namespace)
        report = await caller.engine.verify(text, None, namespace, options)
    caller.metrics.count(report)
    return report


def _passes(report: Report, own: GuardrailOptions) -> bool:
    unchecked = report.decision is Decision.NOTHING_TO_CHECK and own.nothing_to_check == "pass"
    return report.approved or unchecked


def _reason(report: Report | None) -> str:
    """The end line, and the reasons of the claims that are not supported, without the evidence itself."""
    if report is None:
        return ""
    failed = [
        f"“{' '.join(claim.text.split())}”: {claim.reason}"
        for claim in report.claims
        if claim.status is Status.ERROR
        or (claim.status is Status.CHECKED and claim.verdict is not Verdict.SUPPORTED)
    ]
    return "\n".join([f"The answer was not approved. {end_line(report)}", *failed])
