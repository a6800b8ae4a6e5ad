"""Several answers to one question: which to take, how far they agree, and which claims they do not share."""

from verifier.guard.consistency.rate import rate_candidates
from verifier.guard.consistency.result import Agreement, ConsistencyResult, Disagreement, Failure
from verifier.guard.consistency.sampling import SamplingPlan, SelfConsistency
from verifier.guard.consistency.select import Choice

__all__ = [
    "Agreement",
    "Choice",
    "ConsistencyResult",
    "Disagreement",
    "Failure",
    "SamplingPlan",
    "SelfConsistency",
    "rate_candidates",
]
