"""Encoders make unit vectors of texts: the contract, and those that need only the base install."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.lazy import names_from

if TYPE_CHECKING:
    from verifier_backends.encoders.embedded import EmbeddedEncoder
    from verifier_backends.encoders.hashing import HashingEncoder
    from verifier_backends.encoders.protocol import Encoder
    from verifier_backends.encoders.static import StaticEncoder

__all__ = ["EmbeddedEncoder", "Encoder", "HashingEncoder", "StaticEncoder"]

__getattr__ = names_from(
    __name__,
    {
        "EmbeddedEncoder": f"{__name__}.embedded",
        "Encoder": f"{__name__}.protocol",
        "HashingEncoder": f"{__name__}.hashing",
        "StaticEncoder": f"{__name__}.static",
    },
)
