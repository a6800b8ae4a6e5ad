"""Checking: responses claim by claim, alone or many at a time; reviews for coherence; search."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from verifier.core.errors import VerifierError
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.routes.common import ERRORS, Caller, Checker
from verifier.interfaces.server.schemas import BatchRequest, ReviewRequest, SearchRequest, VerifyRequest
from verifier.interfaces.server.work import Busy
from verifier.types import Report
from verifier.verification.report import to_json

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["checks"], responses=ERRORS)


@router.post("/verify")
async def verify(body: VerifyRequest, caller: Checker) -> dict[str, Any]:
    """Check a response claim by claim. The report is the one that `verifier verify --json` prints."""
    return to_json(await _report(body, caller))


@router.post("/verify/batch")
async def verify_batch(body: BatchRequest, caller: Checker) -> dict[str, Any]:
    """Check several responses. One that fails has an `error` in the place of its `report`; the others go on."""

    async def one(item: VerifyRequest) -> dict[str, Any]:
        try:
            return {"report": to_json(await _report(item, caller))}
        except (VerifierError, Problem, Busy, TimeoutError) as error:
            problem = problem_of(error)
            return {"error": {"code": problem.code, "message": problem.message}}

    for item in body.items:
        caller.namespace(item.namespace)
    return {"results": await asyncio.gather(*(one(item) for item in body.items))}


@router.post("/review")
async def review(body: ReviewRequest, caller: Checker) -> dict[str, Any]:
    """Review a response for coherence: with its prompt, with itself, and with the knowledge base."""
    namespace = caller.namespace(body.namespace)
    scorer = caller.engine.coherence(namespace)
    found = await caller.engine.do(
        lambda: scorer.review(body.prompt, body.response), weight=len(body.response)
    )
    return dict(found.to_dict())


@router.post("/search")
async def search(body: SearchRequest, caller: Checker) -> dict[str, Any]:
    """The passages that a claim like the query would be checked against, best first."""
    namespace = caller.namespace(body.namespace)
    engine = caller.engine

    def find() -> list[dict[str, Any]]:
        engine.known(namespace)
        [found] = engine.store.retrieve([body.query], top_k=body.top_k, namespace=namespace)
        return [asdict(item) for item in found]

    return {"results": await engine.do(find, weight=len(body.query))}


async def _report(body: VerifyRequest, caller: Caller) -> Report:
    engine, options = caller.engine, body.options.as_options()
    if body.source is not None:
        report = await engine.verify_against(body.response, body.prompt, body.source, options)
    else:
        namespace = caller.namespace(body.namespace)
        engine.known(namespace)
        report = await engine.verify(body.response, body.prompt, namespace, options)
    caller.metrics.count(report)
    return report
