"""A response and the prompt it answers in; the response's claims out, made whole with what the prompt asks."""

from __future__ import annotations

from dataclasses import replace

from verifier.core.text import sentence_spans
from verifier.verification.claims.types import ClaimExtractor, ExtractedResponse

__all__ = ["extract_answer"]

_MARKUP = "#>|`~*-+ "


def extract_answer(response: str, prompt: str, extract: ClaimExtractor) -> ExtractedResponse:
    """Take a response apart as the answer to a prompt: ``In 1990.`` alone says nothing, after its question it does.

    The prompt is read as one paragraph before the response, up to its last question, and nothing of it is checked; a
    prompt that asks without a question mark (``Name the capital``) is given one. All spans are those of
    the response alone.
    """
    question = _as_question(" ".join(prompt.replace("<", " ").split()).strip(_MARKUP))
    if not question:
        return extract(response)
    shift = len(question) + 2
    whole = extract(f"{question}\n\n{response}")
    return ExtractedResponse(
        claims=tuple(
            replace(claim, start=claim.start - shift, end=claim.end - shift)
            for claim in whole.claims
            if claim.start >= shift
        ),
        skipped=tuple(
            replace(span, start=span.start - shift, end=span.end - shift)
            for span in whole.skipped
            if span.start >= shift
        ),
        notes=whole.notes,
    )


def _as_question(prompt: str) -> str:
    """The prompt as a text that ends with a question."""
    asked = [end for _, end in sentence_spans(prompt) if prompt[:end].endswith(("?", "？", "؟"))]
    if asked:
        return prompt[: asked[-1]]
    bare = prompt.rstrip(".!:;,…。 ")
    return f"{bare}?" if bare else ""
