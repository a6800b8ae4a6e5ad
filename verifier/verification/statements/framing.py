"""A passage's sentences in; each with what frames it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verifier.types import Span
from verifier.verification.statements.types import Framed

__all__ = ["framed_sentences"]

NEIGHBOURS = 2
"""Sentences before and after one that may tell whether it is asserted."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
"""Years in headings are left out: ``Refund policy 2023`` plans nothing, and ends nothing."""
_UNTICKED = re.compile(r"\s*(?:[-*+•]\s+)?(?:\[ ?\]|☐)\s")


def framed_sentences(text: str, sentences: Sequence[Span], above: Sequence[tuple[str, ...]]) -> list[Framed]:
    """Each sentence with the headings and stems ``above`` it and its neighbours.

    Args:
        text: the passage.
        sentences: their spans in it, in order.
        above: for each, what governs it, outermost first.
    """
    told = [text[start:end] for start, end in sentences]
    return [
        Framed(
            one,
            tuple(_YEAR.sub("", heading) for heading in above[at]),
            tuple(told[max(at - NEIGHBOURS, 0) : at]),
            tuple(told[at + 1 : at + 1 + NEIGHBOURS]),
            _UNTICKED.match(one) is not None,
        )
        for at, one in enumerate(told)
    ]
