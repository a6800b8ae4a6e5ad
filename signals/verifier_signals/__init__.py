"""Signals score pairs of premise and hypothesis, and know nothing of retrieval."""
