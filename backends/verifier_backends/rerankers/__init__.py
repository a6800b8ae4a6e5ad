"""Rerankers say how well texts answer a query: the contract, and three of them."""

from verifier_backends.rerankers.cross_encoder import CrossEncoderReranker
from verifier_backends.rerankers.embedded import EmbeddedReranker
from verifier_backends.rerankers.late import LateReranker
from verifier_backends.rerankers.protocol import Reranker, stretched

__all__ = ["CrossEncoderReranker", "EmbeddedReranker", "LateReranker", "Reranker", "stretched"]
