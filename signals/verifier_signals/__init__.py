"""Signals: (premise, hypothesis) pairs in, scores out. Knows nothing of retrieval."""
