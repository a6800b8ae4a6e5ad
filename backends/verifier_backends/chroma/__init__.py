"""Texts in, rankings out by Chroma's HNSW index: embedded in this process, or on a Chroma server (extra ``chroma``)."""

from verifier_backends.chroma.backend import ChromaBackend
from verifier_backends.chroma.encoder import ChromaEncoder

__all__ = ["ChromaBackend", "ChromaEncoder"]
