"""Generated answers: rated, compared with each other and with their context, or asked for and checked at once."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from verifier.guard.ask import answer
from verifier.guard.consistency import Choice, rate_candidates
from verifier.guard.consistency.configured import build_similarity
from verifier.guard.gate.components import Question
from verifier.guard.gate.configured import build_rater
from verifier.guard.rating import LocalCoherenceRater, rater_from_environment
from verifier.guard.relevance import context_items
from verifier.interfaces.server.engine import Options
from verifier.interfaces.server.problems import Problem
from verifier.interfaces.server.routes.common import ERRORS, Asker, Checker
from verifier.interfaces.server.schemas import (
    AskRequest,
    CoherenceRequest,
    ConfidenceRequest,
    ConsistencyRequest,
    RelevanceRequest,
)

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["confidence"], responses=ERRORS)


@router.post("/confidence")
async def confidence(body: ConfidenceRequest, caller: Asker) -> dict[str, Any]:
    """Rate an answer by the parts that `[gate.weights]` names; what was not measured is flagged."""
    engine, settings = caller.engine, caller.engine.settings
    namespace = caller.namespace(body.namespace)
    weights = settings.gate.weights
    items = context_items(**body.context.model_dump()) if body.context else []
    asks_model = weights.llm > 0 and not settings.gate.evaluators
    scorer = engine.scorer(namespace) if weights.groundedness > 0 else None
    rater = build_rater(settings, engine.chat if asks_model else None, scorer)
    rated = await engine.do(
        lambda: rater.rate(Question(body.prompt, tuple(items)), body.response), weight=len(body.response)
    )
    return dict(rated.to_dict())


@router.post("/relevance")
async def relevance(body: RelevanceRequest, caller: Checker) -> dict[str, Any]:
    """How near a text is to its context, by meaning; which item is nearest."""
    engine = caller.engine
    steps = engine.settings.relevance.previous_steps if body.previous_steps is None else body.previous_steps
    items = context_items(**body.context.model_dump(), previous_steps=steps)
    found = await engine.do(lambda: engine.relevance.rate(body.text, items), weight=len(body.text))
    return dict(found.to_dict())


@router.post("/coherence")
async def coherence(body: CoherenceRequest, caller: Asker) -> dict[str, Any]:
    """How coherent a text is, by a language model or by its own claims; `measured` says whether it was measured."""
    engine = caller.engine
    by = body.by or engine.settings.gate.coherence
    if by == "llm":
        found = await engine.within(rater_from_environment().arate(body.text))
    else:
        local = LocalCoherenceRater(engine.scorer(engine.settings.kb.namespace))
        found = await engine.do(lambda: local.rate(body.text), weight=len(body.text))
    return {"value": found.value, "measured": found.measured, "rating": found.rating, "reason": found.reason}


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
async def ask(body: AskRequest, caller: Asker) -> dict[str, Any]:
    """Let the configured model answer; with `grounded` from the knowledge base, and checked against it."""
    engine = caller.engine
    namespace = caller.namespace(body.namespace)
    if body.grounded:
        engine.known(namespace)
    settings = Options().applied(engine.settings, namespace)
    given = {
        "use_self_consistency": body.self_consistency,
        "sc_num_samples": body.num_samples,
        "sc_temperature": body.sc_temperature,
    }
    changed = settings.consistency.model_copy(update={k: v for k, v in given.items() if v is not None})
    settings = settings.model_copy(update={"consistency": changed})
    asked = await engine.do(
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
    return dict(asked.to_dict())
