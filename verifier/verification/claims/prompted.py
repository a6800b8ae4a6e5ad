"""A response and the prompt it answers in; the response's claims out, made whole with what the prompt asks."""

from __future__ import annotations

import re
from dataclasses import replace

from verifier.core.text import sentence_spans
from verifier.types import Claim, SkippedSpan
from verifier.verification.claims.abstain import ABSTENTION
from verifier.verification.claims.thoughts import beside_thoughts
from verifier.verification.claims.types import ClaimExtractor, ExtractedResponse

__all__ = ["extract_answer"]

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
    return beside_thoughts(response, lambda answer: _extract_answer(answer, prompt, extract))


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
                span, start=span.start - shift, end=span.end - shift, topic=span.topic or _open(span, asks)
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


def _open(span: SkippedSpan, question: str) -> str:
    """What an abstention that names nothing leaves open."""
    return question if span.reason == ABSTENTION else ""


def _as_question(prompt: str) -> str:
    """The prompt as a text that ends with a question."""
    asked = [end for _, end in sentence_spans(prompt) if prompt[:end].endswith(_ASKED)]
    if asked:
        return prompt[: asked[-1]]
    bare = prompt.rstrip(".!:;,…。 ")
    return f"{bare}?" if bare else ""
