"""Edits that put the evidence's words in the place of the claim's, where both are aligned around a gap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verifier_signals.lexicon import verb_of
from verifier_signals.stems import word_key
from verifier_signals.types import Finding, Relation

from verifier.verification.edits.forms import like
from verifier.verification.edits.proposal import Proposal, replaced

__all__ = ["filled_gaps"]

_MAX_WORDS = 3
_VERB = 0.5
"""A form is taken for a verb when its lemma is one in at least this share of its uses."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_STOP = re.compile(r"[.;:!?|\n]")


def filled_gaps(claim: str, premise: str, findings: Sequence[Finding]) -> Iterator[Proposal]:
    """Where the words on both sides of a missing word are found, what the evidence has between them takes its place.

    ``painted red in 2004`` against ``painted blue in 2004`` gives ``red -> blue``. ``findings`` are traceability's,
    in the claim's order.
    """
    for at, finding in enumerate(findings):
        if finding.relation is not Relation.ABSENT or not at:
            continue
        before = findings[at - 1].evidence_span
        behind = next((item.evidence_span for item in findings[at + 1 : at + 2]), None)
        if before is None:
            continue
        between = _between(premise, before[1], behind[0] if behind else None)
        if between:
            fitted = like(between, finding.claim_value) if _alike(between, finding.claim_value) else None
            if fitted is not None:
                yield from replaced(claim, finding.claim_span, fitted)


def _between(premise: str, start: int, end: int | None) -> str | None:
    """The one content word between two places of the evidence, or the next where nothing follows in the claim."""
    if end is not None and end <= start:
        return None
    if end is None:
        stop = _STOP.search(premise, start)
        words = _WORD.findall(premise[start : stop.start() if stop else len(premise)])[:_MAX_WORDS]
    elif _STOP.search(premise, start, end):
        return None
    else:
        words = _WORD.findall(premise[start:end])
    content = [word for word in words if word_key(word)]
    one = len(content) == 1 or (content and end is None)
    return content[0] if one and len(words) <= _MAX_WORDS else None


def _alike(one: str, other: str) -> bool:
    """Whether both are verbs, or neither is; and both names, or neither."""
    return one[0].isupper() == other[0].isupper() and _is_verb(one) == _is_verb(other)


def _is_verb(word: str) -> bool:
    reading = verb_of(word.lower())
    return reading is not None and reading.share >= _VERB
