"""The result of reading a response, and the protocol of whatever can read one: claims and skipped spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from verifier.types import Claim, SkippedSpan

__all__ = ["ClaimExtractor", "ExtractedResponse"]


@dataclass(frozen=True, slots=True)
class ExtractedResponse:
    """A response taken apart; both tuples are in text order.

    The spans of claims and skipped spans together are ordered and cover every character of the response that is
    not white space. They do not overlap, but several claims may quote the very same span.
    """

    claims: tuple[Claim, ...]
    skipped: tuple[SkippedSpan, ...]
    notes: tuple[str, ...] = ()
    """What a reader of the report must know about how the response was taken apart."""


class ClaimExtractor(Protocol):
    """Anything that takes a response apart: the rules of this package, or a model of the user's choice.

    It must keep the promise of :class:`ExtractedResponse`, quote to the character
    (``response[claim.start : claim.end] == claim.text``), and skip nothing that may be a factual claim.
    """

    def __call__(self, response: str) -> ExtractedResponse:
        """Take ``response`` apart. Any string is accepted, the empty one included."""
        ...
