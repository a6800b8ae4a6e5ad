"""Compare backends on the same queries: recall, nDCG, times, sizes, and the claims whose verdict flips."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.factory import SharedSignals, build_extractor, build_scorer
from verifier.knowledge.places import database_at
from verifier.knowledge.reader import KnowledgeReader
from verifier.knowledge.records import Progress
from verifier.measure.comparison import Comparison, Flip, Measured
from verifier.measure.judgements import Wanted, ndcg, recall, resolve
from verifier.measure.queries import QuerySet, sampled_queries
from verifier.measure.ready import ReadySignals
from verifier.measure.trial import NDCG_DEPTH, Asked, Candidate, Trial
from verifier.types import Claim
from verifier.verification.claims import extract_answer
from verifier.verification.retrieve import GivenTexts

__all__ = ["SAMPLED", "compare"]

SAMPLED = 50
"""Sentences that are looked for where no queries are given."""

_EXACT = ("memory", "dense")
"""Backends that compare a query with every vector: what one of these finds, others are held against."""


def compare(
    settings: Settings,
    candidates: Sequence[Candidate],
    queries: QuerySet | None = None,
    *,
    k: int = 5,
    responses: Sequence[str] | None = None,
    verdicts: bool = True,
    progress: Progress | None = None,
    shared: SharedSignals | None = None,
) -> Comparison:
    """Index the stored passages with each backend, ask each the same, and judge the same claims over each.

    Everything happens in a copy of the knowledge base in a temporary folder, which is one state of it for all
    backends. A backend is built, asked and taken away before the next. One that fails is a row with its error.

    Args:
        settings: of the knowledge base and of the verdicts; its own ``[backend]`` plays no part.
        candidates: at least two, with different names.
        queries: sentences of the stored passages by default.
        k: how many passages count for recall.
        responses: texts whose claims are judged, instead of the queries read as claims.
        verdicts: whether claims are judged at all.
        progress: told of the stages of each backend.
        shared: the signals; those that the settings describe by default.

    Raises:
        ConfigError: fewer than two candidates, or a query names something that the knowledge base does not hold.
        KnowledgeBaseError: there is no knowledge base, or nothing in its namespace.
    """
    names = [candidate.name for candidate in candidates]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ConfigError(f"a comparison needs at least two different backends; given: {', '.join(names)}")
    with tempfile.TemporaryDirectory(prefix="verifier-compare-") as folder:
        copy = Path(folder) / "kb"
        with closing(database_at(settings.kb.place)) as database:
            KnowledgeReader(database).snapshot(copy)
        with closing(database_at(copy)) as database:
            reader = KnowledgeReader(database)
            reader.refuse_empty(settings.kb.namespace)
            queries = queries or sampled_queries(reader, settings.kb.namespace, SAMPLED)
            if not queries.queries:
                raise ConfigError("no passage has a sentence long enough to be looked for: give queries")
            wanted = resolve(queries.queries, reader, settings.kb.namespace)
            passages = reader.passage_count(settings.kb.namespace)
            content = reader.content_hash(settings.kb.namespace)
        texts = [query.text for query in queries.queries]
        extractor = build_extractor(settings)
        found = [extract_answer(text, "", extractor) for text in (responses or texts)] if verdicts else []
        claims = [claim for part in found for claim in part.claims]
        shared = shared or ReadySignals.of(settings)
        notes = [*queries.notes, *(note for part in found for note in part.notes)]
        if claims:
            judge = build_scorer(settings, GivenTexts.of(), shared)
            _ = judge.fusion  # what is wrong with it is no backend's error
            notes += judge.verify("").notes
        run = Trial(settings, copy, texts, claims, k, progress, shared)
        asked = [run.ask(candidate) for candidate in candidates]
    against, measured = _rated(asked, wanted, k)
    return Comparison(
        namespace=settings.kb.namespace,
        content_hash=content,
        passages=passages,
        k=k,
        queries=len(texts),
        origin=queries.origin,
        labelled=sum(map(bool, wanted)),
        recall_against=against,
        claims=len(claims) if verdicts else None,
        skipped=sum(not part.claims for part in found),
        backends=tuple(measured),
        flips=_flips(claims, asked),
        notes=tuple(dict.fromkeys(notes)),
    )


def _rated(asked: Sequence[Asked], wanted: Sequence[Wanted], k: int) -> tuple[str, list[Measured]]:
    """What recall is held against, in words, and the backends with their recall, and nDCG where there are labels."""
    answered = [one for one in asked if one.rankings]
    if any(wanted):
        against, ndcg_too = "labels", True
    elif (
        exact := next((one for one in answered if one.candidate.config.get("type") in _EXACT), None)
    ) is not None:
        against, ndcg_too = f"exact search of {exact.candidate.name}", False
        wanted = [_found(ranking[:k]) for ranking in exact.rankings]
    else:
        against, ndcg_too = "what any of them found", False
        together = zip(*(one.rankings for one in answered), strict=True)
        wanted = [_found([name for ranking in rankings for name in ranking[:k]]) for rankings in together]
    rated = []
    for one in asked:
        pairs = [(ranking, want) for ranking, want in zip(one.rankings, wanted, strict=False) if want]
        recalls = [recall(k, ranking, want) for ranking, want in pairs]
        gains = [ndcg(NDCG_DEPTH, ranking, want) for ranking, want in pairs] if ndcg_too else []
        rated.append(replace(one.measured, recall=_mean(recalls), ndcg_at_10=_mean(gains)))
    return against, rated


def _found(passages: Sequence[str]) -> Wanted:
    return {frozenset([passage]): 1 for passage in passages}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _flips(claims: Sequence[Claim], asked: Sequence[Asked]) -> tuple[Flip, ...]:
    """The claims on which the backends that judged them do not agree, in the order of the claims."""
    judged = {one.candidate.name: one.outcomes for one in asked if one.outcomes}
    flips = []
    for number, claim in enumerate(claims):
        outcomes = {name: found[number] for name, found in judged.items()}
        if len({outcome.verdict for outcome in outcomes.values()}) > 1:
            flips.append(Flip(claim.hypothesis, outcomes))
    return tuple(flips)
