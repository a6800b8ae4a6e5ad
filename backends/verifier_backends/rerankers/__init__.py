"""Rerankers say how well texts answer a query: the contract, and three of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.lazy import names_from

if TYPE_CHECKING:
    from verifier_backends.rerankers.cross_encoder import CrossEncoderReranker
    from verifier_backends.rerankers.embedded import EmbeddedReranker
    from verifier_backends.rerankers.late import LateReranker
    from verifier_backends.rerankers.protocol import Reranker, stretched

__all__ = ["CrossEncoderReranker", "EmbeddedReranker", "LateReranker", "Reranker", "stretched"]

__getattr__ = names_from(
    __name__,
    {
        "CrossEncoderReranker": f"{__name__}.cross_encoder",
        "EmbeddedReranker": f"{__name__}.embedded",
        "LateReranker": f"{__name__}.late",
        "Reranker": f"{__name__}.protocol",
        "stretched": f"{__name__}.protocol",
    },
)
