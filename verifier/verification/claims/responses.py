"""What extraction returns, what an extractor is, and how a response is handed to one.

A response is read without the blocks of reasoning in it, which are skipped as such, and as the answer to its prompt,
which completes what the answer leaves out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Protocol

from verifier.core.reasoning import OPEN_REASONING, Aside, asides_in
from verifier.core.text import blanked, sentence_spans
from verifier.types import Claim, SkippedSpan, Substitution
from verifier.verification.claims.abstention import ABSTENTION

__all__ = [
    "OPEN_REASONING_NOTE",
    "ClaimExtractor",
    "ExtractedResponse",
    "extract_answer",
    "extract_beside_reasoning",
    "name_of",
]


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


def name_of(extractor: ClaimExtractor) -> str:
    """What an extractor is called: its own ``identity`` where it has one, else the function's or the class's name."""
    named = extractor if hasattr(extractor, "__qualname__") else type(extractor)
    return str(getattr(extractor, "identity", f"{named.__module__}.{named.__qualname__}"))


# -- reasoning -------------------------------------------------------------------------------------------------

OPEN_REASONING_NOTE = "a block of reasoning is opened and never closed: what follows it was not checked"


def extract_beside_reasoning(response: str, extract: ClaimExtractor) -> ExtractedResponse:
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
    notes = (OPEN_REASONING_NOTE,) if any(one.reason == OPEN_REASONING for one in asides) else ()
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


# -- the prompt ------------------------------------------------------------------------------------------------

_MARKUP = "#>|`~*-+ "
_OPENERS = str.maketrans("<[◁", "   ")
"""What a tag of a block begins with: one in the prompt must not govern the answer."""
_WORD = re.compile(r"\w+")
_ASKED = ("?", "？", "؟")
_ASKS = re.compile(
    r"(?:how|who|whom|whose|when|where|why|what|which|is|are|was|were|do|does|did|can|has|have)\b",
    re.IGNORECASE,
)


def extract_answer(response: str, prompt: str, extract: ClaimExtractor) -> ExtractedResponse:
    """Take a response apart as the answer to a prompt: ``In 1990.`` alone says nothing, after its question it does.

    The prompt is read as one paragraph before the response, up to its last question, and nothing of it is checked; a
    prompt that asks without a question mark (``Name the capital``) is given one. All spans are those of
    the response alone.
    """
    return extract_beside_reasoning(response, lambda answer: _extract_answer(answer, prompt, extract))


def _extract_answer(response: str, prompt: str, extract: ClaimExtractor) -> ExtractedResponse:
    question = _as_question(" ".join(prompt.translate(_OPENERS).split()).strip(_MARKUP))
    if not question:
        return extract(response)
    asks = question if prompt.rstrip().endswith(_ASKED) or _ASKS.match(question) else ""
    shift = len(question) + 2
    of_prompt = _words(question) - _words(response)
    whole = extract(f"{question}\n\n{response}")
    return ExtractedResponse(
        claims=tuple(
            replace(claim, start=claim.start - shift, end=claim.end - shift, asked=_asked(claim, of_prompt))
            for claim in whole.claims
            if claim.start >= shift
        ),
        skipped=tuple(
            replace(
                span,
                start=span.start - shift,
                end=span.end - shift,
                topic=span.topic or _open_topic(span, asks),
            )
            for span in whole.skipped
            if span.start >= shift
        ),
        notes=whole.notes,
    )


def _asked(claim: Claim, of_prompt: frozenset[str]) -> frozenset[str]:
    """The words of the prompt that complete a claim."""
    return of_prompt & _words(" ".join(made.replacement for made in claim.substitutions))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _open_topic(span: SkippedSpan, question: str) -> str:
    """What an abstention that names nothing leaves open."""
    return question if span.reason == ABSTENTION else ""


def _as_question(prompt: str) -> str:
    """The prompt as a text that ends with a question."""
    asked = [end for _, end in sentence_spans(prompt) if prompt[:end].endswith(_ASKED)]
    if asked:
        return prompt[: asked[-1]]
    bare = prompt.rstrip(".!:;,…。 ")
    return f"{bare}?" if bare else ""
