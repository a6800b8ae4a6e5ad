"""Checking: responses claim by claim, alone or many at a time; reviews for coherence; search."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from verifier.core.errors import VerifierError
from verifier.interfaces.server.keys import Right
from verifier.interfaces.server.logs import log_failure
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker, rendered
from verifier.interfaces.server.schemas import BatchRequest, ReviewRequest, SearchRequest, VerifyRequest
from verifier.interfaces.server.shown import shown_report, shown_review
from verifier.interfaces.server.work import Busy
from verifier.types import Report

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["checks"], responses=ERRORS)

REPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report.",
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {
                    "decision": "rejected",
                    "approved": False,
                    "groundedness": 0.0,
                    "coverage": 1.0,
                    "claims": [
                        {
                            "text": "Refunds are paid within 30 days.",
                            "start": 0,
                            "end": 32,
                            "status": "checked",
                            "verdict": "contradicted",
                            "reason": "claim says 30 days, evidence says 14 days",
                        }
                    ],
                },
            }
        },
    }
}
"""``docs/report.schema.json`` has all of its fields."""


@router.post("/verify", responses=REPORT)
async def verify(body: VerifyRequest, caller: Checker, request: Request) -> Response:
    """Check a response claim by claim. The report is the one that `verifier verify --json` prints."""
    request_id = request.state.request_id
    report = await _report(body, caller)
    return await rendered(lambda: shown_report(report, request_id, body.options.detail))


@router.post("/verify/batch")
async def verify_batch(body: BatchRequest, caller: Checker, request: Request) -> Response:
    """Check several responses. One that fails has an `error` in the place of its `report`; the others go on.

    They count as so many requests, and share the time of one.
    """
    await caller.asking.charge(len(body.items) - 1)
    for item in body.items:
        if item.source is None:
            caller.namespace(item.namespace)
    own, request_id = caller.engine.settings.server, request.state.request_id
    end = asyncio.get_running_loop().time() + own.request_seconds
    # No more of one request stands in line at a time than is checked together, so that others find a place there.
    in_line = asyncio.Semaphore(own.max_batch)

    async def one(item: VerifyRequest) -> Report | Problem:
        try:
            async with asyncio.timeout_at(end), in_line:
                return await _report(item, caller)
        except (VerifierError, Problem, Busy, TimeoutError) as error:
            problem = problem_of(error)
            if isinstance(error, VerifierError) and problem.status >= 500:
                log_failure(error, problem.code, request_id)
            return problem

    found = await asyncio.gather(*(one(item) for item in body.items))

    def results() -> dict[str, Any]:
        return {
            "results": [
                {"error": {"code": item.code, "message": item.message}}
                if isinstance(item, Problem)
                else {"report": shown_report(item, request_id, asked.options.detail)}
                for asked, item in zip(body.items, found, strict=True)
            ]
        }

    return await rendered(results)


@router.post("/review")
async def review(body: ReviewRequest, caller: Checker, request: Request) -> Response:
    """Review a response for coherence: with its prompt, with itself, and with the knowledge base."""
    engine = caller.engine
    asks = engine.settings.judge.mode != "off"
    if asks:
        caller.asking.must(Right.ASK)
    namespace = await caller.known(body.namespace)
    scorer = engine.coherence(namespace)
    run = engine.ask if asks else engine.do
    found = await run(lambda: scorer.review(body.prompt, body.response), weight=len(body.response))
    return await rendered(lambda: shown_review(found, request.state.request_id))


@router.post("/search")
async def search(body: SearchRequest, caller: Checker) -> dict[str, Any]:
    """The passages that a claim like the query would be checked against, best first."""
    engine, namespace = caller.engine, await caller.known(body.namespace)

    def find() -> list[dict[str, Any]]:
        [found] = engine.store.retrieve([body.query], top_k=body.top_k, namespace=namespace)
        return [asdict(item) for item in found]

    return {"results": await engine.do(find, weight=len(body.query))}


async def _report(body: VerifyRequest, caller: Caller) -> Report:
    engine, options = caller.engine, body.options.as_options()
    documents = body.documents
    if documents is not None:
        report = await engine.verify_against(body.response, body.prompt, documents, options)
    else:
        namespace = await caller.known(body.namespace)
        report = await engine.verify(body.response, body.prompt, namespace, options)
    caller.metrics.count(report)
    return report
