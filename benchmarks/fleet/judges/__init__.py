"""Checkers of answers that ask a chat model, ours and others', over the same answers and the same local chat server."""
