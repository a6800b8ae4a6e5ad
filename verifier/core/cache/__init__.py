"""Scores that were computed once, kept under all that they depend on: memory, an SQLite file, one computation a key."""

from verifier.core.cache.scores import ScoreCache
from verifier.core.cache.types import Cached, CacheKey, CacheStats, Codec

__all__ = ["CacheKey", "CacheStats", "Cached", "Codec", "ScoreCache"]
