"""Leaf helpers over text, with code-point offsets: its sentences, its words, its folded form, its script."""

from __future__ import annotations

from verifier.core.sentences import MAX_SENTENCE, sentence_spans

__all__ = ["MAX_SENTENCE", "sentence_spans"]
