"""Rate candidate answers: the one that the others support best, and how far all agree."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.guard.consistency.disagreements import with_disagreements
from verifier.guard.consistency.result import ConsistencyResult, Failure
from verifier.guard.consistency.select import (
    Choice,
    agglomerate,
    average_similarities,
    choose,
    consistency,
    semantic_entropy,
    unanimous,
)
from verifier.guard.consistency.similarity import Similarity
from verifier.verification.scorer import VerifiedScorer

__all__ = ["rate_candidates"]

BLANK = "the candidate is blank"


def rate_candidates(
    candidates: Sequence[str],
    similarity: Similarity,
    *,
    among: Choice = Choice.ALL,
    scorer: VerifiedScorer | None = None,
    prompt: str = "",
    failures: Sequence[Failure] = (),
) -> ConsistencyResult:
    """Compare candidates for the same answer.

    Args:
        candidates: the answers. A blank one is no answer: it is left out and listed among the failures.
        similarity: how alike two answers are.
        among: where the best is sought: among all, in the largest cluster or in the most coherent one.
        scorer: where given, the claims of the best are checked against the other candidates.
        prompt: the question, which completes short answers when their claims are checked.
        failures: samples that gave no candidate; they are carried into the result.

    Raises:
        ValueError: no candidate has any text.
        SignalError: the similarity could not be had.
    """
    blank = [Failure(index, BLANK) for index, text in enumerate(candidates) if not text.strip()]
    texts = tuple(text for text in candidates if text.strip())
    if not texts:
        raise ValueError("no candidate has any text")
    matrix = similarity.matrix(texts)
    clusters = agglomerate(matrix, similarity.same_at)
    best = choose(matrix, clusters, among)
    alone = len(texts) == 1
    result = ConsistencyResult(
        best_candidate=texts[best],
        best_candidate_index=best,
        confidence_score=consistency(matrix),
        all_candidates=texts,
        similarity_matrix=tuple(tuple(map(float, row)) for row in matrix),
        average_similarities=(None,) if alone else tuple(map(float, average_similarities(matrix))),
        is_unanimous=unanimous(matrix, similarity.same_at),
        similarity=similarity.name,
        clusters=tuple(clusters),
        semantic_entropy=semantic_entropy(clusters),
        reason="one candidate agrees with nobody: no confidence can be measured" if alone else "",
        failures=tuple(sorted([*failures, *blank], key=lambda failure: failure.sample)),
    )
    return result if scorer is None else with_disagreements(result, scorer, prompt)
