"""Encoders make unit vectors of texts: the contract, and those that need only the base install."""

from verifier_backends.encoders.embedded import EmbeddedEncoder
from verifier_backends.encoders.hashing import HashingEncoder
from verifier_backends.encoders.protocol import Encoder
from verifier_backends.encoders.static import StaticEncoder

__all__ = ["EmbeddedEncoder", "Encoder", "HashingEncoder", "StaticEncoder"]
