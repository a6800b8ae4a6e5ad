"""Scores that were computed once, kept under all that they depend on: memory, an SQLite file, one computation a key."""

from verifier.guard.cache.scores import ScoreCache
from verifier.guard.cache.types import Cached, CacheKey, CacheStats, Codec

__all__ = ["CacheKey", "CacheStats", "Cached", "Codec", "ScoreCache"]
