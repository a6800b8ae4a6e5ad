"""Make the generator, the components and the gate that the settings describe."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from verifier.config import Settings
from verifier.core.chat import ChatModel
from verifier.core.errors import ConfigError
from verifier.factory import SharedSignals, build_chat, build_encoder
from verifier.guard.consistency.configured import build_self_consistency, cross_checker
from verifier.guard.gate.components import Coherence, Component, Groundedness, LLMRating, Relevance, Rules
from verifier.guard.gate.confidence import normalised
from verifier.guard.gate.evaluator import Ensemble, LLMEvaluator
from verifier.guard.gate.gate import DEFAULT_FALLBACK, ConfidenceGate, GatePolicy, Rater
from verifier.guard.gate.generators import ChatGenerator, ConsistentGenerator
from verifier.guard.gate.history import GateHistory
from verifier.guard.gate.types import Generator
from verifier.guard.rating import LocalCoherenceRater, rater_from_environment
from verifier.guard.relevance import ContextRelevance
from verifier.types import Report

__all__ = [
    "Verifies",
    "build_components",
    "build_gate",
    "build_generator",
    "build_history",
    "build_policy",
    "build_rater",
]


class Verifies(Protocol):
    """Checks a response; a ``VerifiedScorer`` does."""

    def verify(self, response: str, *, prompt: str | None = None) -> Report:
        """The report on ``response`` as an answer to ``prompt``."""


def build_policy(settings: Settings) -> GatePolicy:
    """The numbers of ``[gate]``."""
    own = settings.gate
    return GatePolicy(
        weights=own.weights.model_dump(),
        threshold=own.threshold,
        thresholds=own.thresholds,
        max_attempts=own.max_attempts,
        fallback=own.fallback or DEFAULT_FALLBACK,
        neutral=own.neutral.model_dump(),
        previous_chars=own.previous_chars,
        shadow_threshold=own.shadow_threshold,
    )


def build_generator(
    settings: Settings, chat: ChatModel, *, prompt: str = "", shared: SharedSignals | None = None
) -> Generator:
    """One answer a call, or the best of several where ``[consistency]`` says so; ``shared`` are signals of others."""
    own = settings.gate
    if settings.consistency.use_self_consistency:
        system = build_self_consistency(settings, chat, prompt=prompt, shared=shared)
        return ConsistentGenerator(system, max_tokens=own.max_tokens)
    return ChatGenerator(chat, temperature=own.temperature, max_tokens=own.max_tokens)


def build_components(
    settings: Settings,
    chat: ChatModel | None,
    scorer: Verifies | None,
    shared: SharedSignals | None = None,
) -> list[Component]:
    """A component for every weight above 0.

    Args:
        settings: the whole configuration.
        chat: evaluates where no ``[[gate.evaluators]]`` are named.
        scorer: measures groundedness; needed where that has a weight.
        shared: signals that others use too.

    Raises:
        ConfigError: a weight above 0 lacks what measures it.
    """
    weighed = normalised(settings.gate.weights.model_dump())
    return [_component(name, settings, chat, scorer, shared) for name in weighed]


def _component(
    name: str,
    settings: Settings,
    chat: ChatModel | None,
    scorer: Verifies | None,
    shared: SharedSignals | None,
) -> Component:
    own = settings.gate
    if name == "rules":
        return Rules(refusals=own.refusals, full_scale=own.rules_full_scale)
    if name == "relevance":
        return Relevance(ContextRelevance(build_encoder(settings.relevance.encoder)))
    if name == "coherence":
        if own.coherence == "llm":
            return Coherence(rater_from_environment())
        return Coherence(LocalCoherenceRater(cross_checker(settings, shared)))
    if name == "groundedness":
        if scorer is None:
            raise ConfigError("gate.weights.groundedness needs a knowledge base: name one with --kb")
        return Groundedness(lambda prompt, response: scorer.verify(response, prompt=prompt))
    chats: list[ChatModel] = [build_chat(settings.llm.chosen(**table)) for table in own.evaluators]
    if not chats and chat is not None:
        chats = [chat]
    if not chats:
        raise ConfigError(
            "gate.weights.llm is above 0, and no model is named: set llm.model or gate.evaluators"
        )
    evaluators = [LLMEvaluator(one) for one in chats]
    return LLMRating(evaluators[0] if len(evaluators) == 1 else Ensemble(evaluators))


def build_gate(
    settings: Settings,
    chat: ChatModel,
    *,
    scorer: Verifies | None = None,
    generator: Generator | None = None,
    shared: SharedSignals | None = None,
) -> ConfidenceGate:
    """The gate over ``chat``; ``generator`` replaces the one that the settings describe, ``shared`` the signals."""
    return ConfidenceGate(
        generator or build_generator(settings, chat, shared=shared),
        build_components(settings, chat, scorer, shared),
        build_policy(settings),
    )


def build_rater(
    settings: Settings,
    chat: ChatModel | None,
    scorer: Verifies | None,
    shared: SharedSignals | None = None,
) -> Rater:
    """What rates answers that are already there, by the parts that have a weight; ``shared`` are signals of others."""
    return Rater(build_components(settings, chat, scorer, shared), build_policy(settings))


def build_history(settings: Settings) -> GateHistory | None:
    """Where decisions are recorded, if anywhere."""
    return GateHistory(Path(settings.gate.history)) if settings.gate.history else None
