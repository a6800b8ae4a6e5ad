"""Make the similarity and the sampling plan that the ``[consistency]`` settings name."""

from __future__ import annotations

from typing import Any

from verifier_signals.base import Signal

from verifier.config import Settings
from verifier.config.confidence import ConsistencySettings
from verifier.core.chat import ChatModel
from verifier.core.errors import ConfigError
from verifier.factory import SharedSignals, build_encoder, build_scorer
from verifier.guard.consistency.sampling import SamplingPlan, SelfConsistency
from verifier.guard.consistency.select import Choice
from verifier.guard.consistency.similarity import (
    CharacterSimilarity,
    CommandSimilarity,
    EmbeddingSimilarity,
    EntailmentSimilarity,
    Similarity,
    WordSimilarity,
)
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["build_self_consistency", "build_similarity", "cross_checker"]


def build_similarity(
    settings: Settings, *, context: str = "", shared: SharedSignals | None = None
) -> Similarity:
    """The measure that ``[consistency]`` names.

    Args:
        settings: the whole configuration; entailment is asked of the NLI model of ``[signals.nli]``.
        context: the question, put before each answer where entailment compares them.
        shared: signals that are loaded already.
    """
    own = settings.consistency
    bound: dict[str, Any] = {} if own.same_at is None else {"same_at": own.same_at}
    if own.similarity == "embedding":
        return EmbeddingSimilarity(build_encoder(own.encoder), **bound)
    if own.similarity == "entailment":
        return EntailmentSimilarity(_nli(shared or SharedSignals.of(settings)), context=context, **bound)
    if own.similarity == "command":
        return CommandSimilarity(own.command, **bound)
    return CharacterSimilarity(**bound) if own.similarity == "characters" else WordSimilarity(**bound)


def build_self_consistency(
    settings: Settings,
    chat: ChatModel,
    *,
    prompt: str = "",
    check_claims: bool = False,
    shared: SharedSignals | None = None,
) -> SelfConsistency:
    """The system that ``[consistency]`` describes, over ``chat``.

    Args:
        settings: the whole configuration.
        chat: writes the answers.
        prompt: put before each answer where entailment compares them.
        check_claims: check the claims of the best answer against the others.
        shared: signals that others use too.
    """
    return SelfConsistency(
        chat,
        build_similarity(settings, context=prompt, shared=shared),
        _plan(settings.consistency),
        among=Choice(settings.consistency.choose),
        scorer=cross_checker(settings, shared) if check_claims else None,
    )


def _plan(settings: ConsistencySettings) -> SamplingPlan:
    """How many answers are asked for, and how warm."""
    return SamplingPlan(
        num_samples=settings.sc_num_samples,
        temperature=settings.sc_temperature,
        adaptive=settings.adaptive,
        first=settings.first,
        most=settings.most,
        warmer_temperature=settings.warmer_temperature,
        parallel=settings.parallel,
    )


def cross_checker(settings: Settings, shared: SharedSignals | None = None) -> VerifiedScorer:
    """The scorer that checks an answer's claims against other answers; it has no knowledge base of its own."""
    return build_scorer(settings, GivenTexts(()), shared)


def _nli(shared: SharedSignals) -> Signal:
    built = {signal.name: signal for signal in shared.signals}
    if "nli" not in built:
        raise ConfigError("consistency.similarity 'entailment' needs signals.nli, which is switched off")
    return built["nli"]
