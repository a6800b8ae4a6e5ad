"""The ``chroma`` backend: Chroma's HNSW index, embedded in this process or on a server (extra ``chroma``)."""

from verifier_backends.chroma.backend import ChromaBackend
from verifier_backends.chroma.encoder import ChromaEncoder

__all__ = ["ChromaBackend", "ChromaEncoder"]
