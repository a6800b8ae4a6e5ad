"""A query and texts in, how well each text answers the query out: what a reranker is, and three of them."""

from backends.rerankers.cross_encoder import CrossEncoderReranker
from backends.rerankers.embedded import EmbeddedReranker
from backends.rerankers.late import LateReranker
from backends.rerankers.protocol import Reranker, stretched

__all__ = ["CrossEncoderReranker", "EmbeddedReranker", "LateReranker", "Reranker", "stretched"]
