"""Readers: models that say whether pieces of evidence support a claim, contradict it or say nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.lazy import names_from

if TYPE_CHECKING:
    from verifier.readers.base import Reader, Traits
    from verifier.readers.types import Answer, Call, Case, Foretold, Piece, Quotation, Reading, State

__all__ = ["Answer", "Call", "Case", "Foretold", "Piece", "Quotation", "Reader", "Reading", "State", "Traits"]

_HOMES = {
    "base": "Reader Traits",
    "types": "Answer Call Case Foretold Piece Quotation Reading State",
}
"""The names that live in each module."""

__getattr__ = names_from(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names.split()}
)
