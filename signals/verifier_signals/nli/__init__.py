"""Entailment, neutral and contradiction of pairs, by any ONNX or Hugging Face sequence classifier."""

from __future__ import annotations

from verifier_signals.nli.signal import NLIScorer, NLISignal

__all__ = ["NLIScorer", "NLISignal"]
