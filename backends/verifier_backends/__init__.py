"""Retrieval: passages in, rankings out. Knows nothing of claims."""
