"""Make a coherence scorer or a streaming kernel from a configuration, wired to judge, cache and knowledge base."""

from __future__ import annotations

from verifier.config import Settings
from verifier.core.cache import Codec, ScoreCache
from verifier.core.chat import ChatModel
from verifier.core.release import RELEASE
from verifier.core.state import place_of
from verifier.factory import SharedSignals, build_chat, build_extractor, build_scorer
from verifier.guard.coherence import CoherenceScorer, JudgeRule
from verifier.guard.judge import LLMJudge
from verifier.guard.review import Review
from verifier.guard.streaming import StreamingKernel
from verifier.guard.streaming.scores import ClaimScore
from verifier.verification.retrieve import GivenTexts, KnowledgeSource

__all__ = ["build_coherence_scorer", "build_review_cache", "build_streaming_kernel"]

_NOT_OF_A_REVIEW = {"cache", "stream", "gate", "consistency", "relevance", "server"}
"""The tables that no review depends on: an edit of them does not empty the cache."""


def build_coherence_scorer(
    settings: Settings,
    source: KnowledgeSource | None,
    *,
    chat: ChatModel | None = None,
    shared: SharedSignals | None = None,
    cache: ScoreCache[Review] | None = None,
) -> CoherenceScorer:
    """The coherence scorer that the settings describe, over a knowledge base or none.

    ``chat`` is asked by the judge, where ``[judge]`` wants one, in the place of the model of ``[llm]``; ``shared`` are
    signals, and ``cache`` a cache, that other scorers use too.
    """
    table, rule = settings.coherence, settings.judge
    judge = LLMJudge(chat or build_chat(settings.llm)) if rule.mode != "off" else None
    return CoherenceScorer(
        build_scorer(settings, source or GivenTexts.of(), shared),
        source,
        namespace=settings.kb.namespace,
        threshold=table.threshold,
        w_logic=table.w_logic,
        w_fact=table.w_fact,
        factual=table.factual,
        unknown=table.unknown,
        fail_on=settings.decision.fail_on,
        veto=table.veto,
        max_pairs=table.max_pairs,
        max_chars=table.max_chars,
        extractor=build_extractor(settings),
        judge=judge,
        judge_rule=JudgeRule(
            always=rule.mode == "always", margin=rule.margin, weight=rule.weight, yes=rule.yes, no=rule.no
        ),
        cache=build_review_cache(settings) if cache is None else cache,
        configuration={
            "release": RELEASE,
            "settings": settings.model_dump(mode="json", exclude=_NOT_OF_A_REVIEW),
        },
    )


def build_review_cache(settings: Settings) -> ScoreCache[Review]:
    """The cache of reviews that ``[cache]`` describes."""
    table = settings.cache
    return ScoreCache(
        Codec(Review.to_dict, Review.from_dict),
        max_size=table.size,
        ttl=table.ttl,
        path=place_of(table.path) if table.path else None,
    )


def build_streaming_kernel(
    settings: Settings, source: KnowledgeSource, *, prompt: str = "", shared: SharedSignals | None = None
) -> StreamingKernel:
    """A kernel for streams that answer ``prompt``, each sentence checked against the knowledge base."""
    table = settings.stream
    score = ClaimScore(
        build_scorer(settings, source, shared),
        source,
        kind=table.score,
        prompt=prompt,
        extractor=build_extractor(settings),
        w_logic=settings.coherence.w_logic,
        w_fact=settings.coherence.w_fact,
        max_pairs=settings.coherence.max_pairs,
    )
    return StreamingKernel(
        score, allow_hidden=settings.decision.hidden == "allow", **table.model_dump(exclude={"score"})
    )
