"""Texts in, unit vectors out: what an encoder is, and those that need nothing but the base install."""

from backends.encoders.embedded import EmbeddedEncoder
from backends.encoders.hashing import HashingEncoder
from backends.encoders.protocol import Encoder
from backends.encoders.static import StaticEncoder

__all__ = ["EmbeddedEncoder", "Encoder", "HashingEncoder", "StaticEncoder"]
