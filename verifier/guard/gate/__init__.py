"""Decisions about generated answers: how confident one may be, whether to try again, and what to show."""

from verifier.guard.gate.application import Application, Shown
from verifier.guard.gate.components import Coherence, Groundedness, LLMRating, Question, Relevance, Rules
from verifier.guard.gate.confidence import Band, Part, combine
from verifier.guard.gate.evaluator import Ensemble, Evaluation, LLMEvaluator
from verifier.guard.gate.gate import ConfidenceGate, GatePolicy
from verifier.guard.gate.generators import ChatGenerator, ConsistentGenerator
from verifier.guard.gate.rules import rule_score
from verifier.guard.gate.types import Attempt, GateResult, Generated, Rated, Status

__all__ = [
    "Application",
    "Attempt",
    "Band",
    "ChatGenerator",
    "Coherence",
    "ConfidenceGate",
    "ConsistentGenerator",
    "Ensemble",
    "Evaluation",
    "GatePolicy",
    "GateResult",
    "Generated",
    "Groundedness",
    "LLMEvaluator",
    "LLMRating",
    "Part",
    "Question",
    "Rated",
    "Relevance",
    "Rules",
    "Shown",
    "Status",
    "combine",
    "rule_score",
]
