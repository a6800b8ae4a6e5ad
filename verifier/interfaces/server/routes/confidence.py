"""Generated answers: rated, compared with each other and with their context, or asked for and checked at once."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from verifier.guard.ask import answer
from verifier.guard.consistency import Choice, rate_candidates
from verifier.guard.consistency.configured import build_similarity
from verifier.guard.gate.components import Question
from verifier.guard.gate.configured import build_rater
from verifier.guard.rating import LocalCoherenceRater
from verifier.guard.relevance import context_items
from verifier.interfaces.server.keys import Right
from verifier.interfaces.server.options import AS_CONFIGURED
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Asker, Checker
from verifier.interfaces.server.schemas import (
    AskRequest,
    CoherenceRequest,
    ConfidenceRequest,
    ConsistencyRequest,
    RelevanceRequest,
)
from verifier.interfaces.server.shown import shown_rating, shown_report

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["confidence"], responses=ERRORS)


@router.post("/confidence")
async def confidence(body: ConfidenceRequest, caller: Checker, request: Request) -> dict[str, Any]:
    """Rate an answer by the parts that `[gate.weights]` names; what was not measured is flagged.

    Where a language model is among these parts, the key needs the right to ask it.
    """
    engine, own = caller.engine, caller.engine.settings.gate
    weights = own.weights
    asks_model = weights.llm > 0
    if asks_model or (weights.coherence > 0 and own.coherence == "llm"):
        caller.asking.must(Right.ASK)
    grounded = weights.groundedness > 0
    namespace = await caller.known(body.namespace) if grounded else caller.namespace(body.namespace)
    items = context_items(**body.context.model_dump()) if body.context else []
    scorer = engine.scorer(namespace) if grounded else None
    chat = engine.chat if asks_model and not own.evaluators else None
    rater = build_rater(engine.settings, chat, scorer, engine.shared)
    run = engine.ask if asks_model else engine.do
    rated = await run(
        lambda: rater.rate(Question(body.prompt, tuple(items)), body.response), weight=len(body.response)
    )
    return shown_rating(rated, request.state.request_id)


@router.post("/relevance")
async def relevance(body: RelevanceRequest, caller: Checker) -> dict[str, Any]:
    """How near a text is to its context, by meaning; which item is nearest."""
    engine = caller.engine
    steps = engine.settings.relevance.previous_steps if body.previous_steps is None else body.previous_steps
    items = context_items(**body.context.model_dump(), previous_steps=steps)
    found = await engine.do(lambda: engine.relevance.rate(body.text, items), weight=len(body.text))
    return dict(found.to_dict())


@router.post("/coherence")
async def coherence(body: CoherenceRequest, caller: Checker) -> dict[str, Any]:
    """How coherent a text is, by a language model or by its own claims; `measured` says whether it was measured.

    For a language model the key needs the right to ask it.
    """
    engine = caller.engine
    if (body.by or engine.settings.gate.coherence) == "llm":
        caller.asking.must(Right.ASK)
        found = await engine.ask(lambda: engine.rater.rate(body.text), weight=len(body.text))
    else:
        # Claims are read against each other; the knowledge base of the scorer is not asked.
        local = LocalCoherenceRater(engine.scorer(engine.settings.kb.namespace))
        found = await engine.do(lambda: local.rate(body.text), weight=len(body.text))
    reason = found.reason if found.measured else "it could not be measured"
    return {"value": found.value, "measured": found.measured, "rating": found.rating, "reason": reason}


@router.post("/consistency")
async def consistency(body: ConsistencyRequest, caller: Checker) -> dict[str, Any]:
    """Which of several answers to take, and how far they agree."""
    engine, own = caller.engine, caller.engine.settings.consistency
    if not any(text.strip() for text in body.candidates):
        raise Problem(422, "invalid", "candidates: none has any text")
    scorer = engine.scorer(engine.settings.kb.namespace) if body.claims else None

    def rate() -> dict[str, Any]:
        similarity = build_similarity(engine.settings, context=body.prompt, shared=engine.shared)
        found = rate_candidates(
            body.candidates, similarity, among=Choice(own.choose), scorer=scorer, prompt=body.prompt
        )
        return dict(found.to_dict())

    return await engine.do(rate, weight=sum(map(len, body.candidates)))


@router.post("/ask")
async def ask(body: AskRequest, caller: Asker, request: Request) -> dict[str, Any]:
    """Let the configured model answer; with `grounded` from the knowledge base, and checked against it."""
    engine = caller.engine
    namespace = await caller.known(body.namespace) if body.grounded else caller.namespace(body.namespace)
    settings = AS_CONFIGURED.applied(engine.settings, namespace)
    given = {
        "use_self_consistency": body.self_consistency,
        "sc_num_samples": body.num_samples,
        "sc_temperature": body.sc_temperature,
    }
    changed = settings.consistency.model_copy(update={k: v for k, v in given.items() if v is not None})
    settings = settings.model_copy(update={"consistency": changed})
    asked = await engine.ask(
        lambda: answer(
            settings,
            body.prompt,
            engine.store if body.grounded else None,
            gate=body.gate,
            chat=engine.chat,
            shared=engine.shared,
        ),
        weight=len(body.prompt),
    )
    report = shown_report(asked.report, request.state.request_id) if asked.report else None
    return {**asked.to_dict(), "report": report}
