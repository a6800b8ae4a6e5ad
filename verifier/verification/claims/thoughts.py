"""A response and what takes one apart go in; claims and skipped spans come out, reasoning skipped as such."""

from __future__ import annotations

from dataclasses import replace

from verifier.core.reasoning import OPEN_REASONING, Aside, asides_in
from verifier.core.text import blanked
from verifier.types import Claim, SkippedSpan, Substitution
from verifier.verification.claims.types import ClaimExtractor, ExtractedResponse

__all__ = ["OPEN_NOTE", "beside_thoughts"]

OPEN_NOTE = "a block of reasoning is opened and never closed: what follows it was not checked"


def beside_thoughts(response: str, extract: ClaimExtractor) -> ExtractedResponse:
    """What ``extract`` makes of the response without its blocks of reasoning, and these as skipped spans.

    The blocks are blanked for it, so that every offset stays.
    """
    asides = asides_in(response)
    if not asides:
        return extract(response)
    found = extract(blanked(response, ((one.start, one.end) for one in asides)))
    claims = tuple(_quoting(response, claim, asides) for claim in found.claims)
    taken = [(claim.start, claim.end) for claim in claims]
    spans = [SkippedSpan(response[one.start : one.end], one.start, one.end, one.reason) for one in asides]
    spans = [span for span in spans if not any(a < span.end and span.start < b for a, b in taken)]
    notes = (OPEN_NOTE,) if any(one.reason == OPEN_REASONING for one in asides) else ()
    skipped = sorted([*found.skipped, *spans], key=lambda span: span.start)
    return ExtractedResponse(claims, tuple(skipped), (*found.notes, *notes))


def _quoting(response: str, claim: Claim, asides: list[Aside]) -> Claim:
    """The claim as the response writes it; one that reaches over a block reads a space in its place."""
    inside = [one for one in asides if claim.start <= one.start and one.end <= claim.end]
    if not inside:
        return claim
    made = [
        item
        for item in claim.substitutions
        if not any(
            item.start < one.end - claim.start and one.start - claim.start < item.end for one in inside
        )
    ]
    made += [Substitution(one.start - claim.start, one.end - claim.start, " ") for one in inside]
    made.sort(key=lambda item: (item.start, item.end))
    return replace(claim, text=response[claim.start : claim.end], substitutions=tuple(made))
