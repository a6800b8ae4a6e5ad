"""Decisions about generated text, on top of verification."""
