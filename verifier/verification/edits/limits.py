"""Edits that give a claim about all cases the evidence's own limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from verifier_signals.polarity.cues import cues_in
from verifier_signals.syntax import read
from verifier_signals.types import Finding, Relation

from verifier.core.lexicon import lexicon
from verifier.types import Span
from verifier.verification.edits.proposal import Proposal, dropped, replaced

__all__ = ["conditioned", "other_modal", "other_quantity", "unlike_cues"]

_ADVERBS = lexicon("always usually often sometimes rarely seldom never generally mostly mainly automatically")
_PERSONS = {"all": "everybody", "some": "somebody", "none": "nobody", "notall": "not everybody"}
_PERSON_WORDS = lexicon("everyone everybody someone somebody nobody")
_ADVERB_OF = {
    "all": "always",
    "most": "usually",
    "many": "often",
    "some": "sometimes",
    "few": "rarely",
    "notall": "not always",
}
_PLURAL_OF = {
    "all": "all",
    "most": "most",
    "many": "many",
    "some": "some",
    "few": "few",
    "none": "no",
    "notall": "not all",
}
_SINGULAR_OF = {"none": "no", "notall": "not every", "all": "every"}
_VERBAL = lexicon("may can must shall should cannot")
_VERBAL_OF = {
    ("permit", False): "may",
    ("permit", True): "may not",
    ("must", False): "must",
    ("must", True): "must not",
    ("oblige", False): "must",
    ("oblige", True): "need not",
    ("recommend", False): "should",
    ("recommend", True): "should not",
}
_ADJECTIVE_OF = {
    ("permit", False): "allowed",
    ("permit", True): "forbidden",
    ("must", False): "required",
    ("must", True): "forbidden",
    ("oblige", False): "required",
    ("oblige", True): "optional",
    ("recommend", False): "recommended",
    ("recommend", True): "discouraged",
}
"""(what the evidence's modal says, whether it is denied) -> how the claim says it in its own construction."""

_ALONE = re.compile(
    r"always|automatically|unconditionally|in (?:all|any|every) cases?|without exception"
    r"|under any circumstances?|in any event|at any time",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r",|[.;:!?](?=\s|$)")
_SENTENCE_END = re.compile(r"\s*[.!?]?\s*\Z")
_DENIED = re.compile(r"\b(?:not|never|no|cannot)\b|n['’]t\b", re.IGNORECASE)
_NOT_BEFORE = re.compile(r"\b(?:(?:do|does|did)(?:n['’]t| not)|not)\s+\Z", re.IGNORECASE)
_EXCEPTING = re.compile(
    r"(?:unless|except|excluding|other than|apart from|but not|provided)\b", re.IGNORECASE
)


class _Cue(NamedTuple):
    """What a quantifier or a modal says, and its span."""

    value: str
    span: Span


def other_quantity(claim: str, premise: str, finding: Finding) -> Iterator[Proposal]:
    """The evidence's quantifier in the claim's construction; an adverb (``always``) may go altogether."""
    low = finding.claim_value.casefold()
    evidence = _cue_at(premise, finding.evidence_span, "quantifier")
    ours = _cue_at(claim, finding.claim_span, "quantifier")
    of = claim[finding.claim_span[1] :].startswith(" of ")
    if evidence is not None and ours is not None and (instead := _quantifier(low, evidence.value, of=of)):
        yield from replaced(claim, finding.claim_span, instead)
    if low in _ADVERBS:
        yield from dropped(claim, finding.claim_span)
    elif low == "only some" and evidence is not None:
        yield from replaced(claim, finding.claim_span, "all")


def other_modal(claim: str, premise: str, finding: Finding) -> Iterator[Proposal]:
    """``may`` for ``must``, ``optional`` for ``required``: what the evidence's modal says, in the claim's own words."""
    ours = _cue_at(claim, finding.claim_span, "modal")
    theirs = _cue_at(premise, finding.evidence_span, "modal")
    if ours is None:
        return
    words = claim[slice(*ours.span)].casefold().split()
    meaning = ("oblige", True) if theirs is None else _meaning(premise, theirs.value, finding)
    table = _VERBAL_OF if words[0] in _VERBAL or words[-1] == "to" else _ADJECTIVE_OF
    if meaning in table:
        yield from replaced(claim, _with_not(claim, ours.span), table[meaning])


def conditioned(claim: str, finding: Finding) -> Iterator[Proposal]:
    """Without what claims all cases (``always``, ``whatever its type``), or with the evidence's condition added."""
    condition = " ".join((finding.evidence_value or "").split())
    whole = finding.claim_value == claim.strip()
    if not whole and _ALONE.fullmatch(finding.claim_value):
        yield from dropped(claim, finding.claim_span)
        yield from _instead(claim, finding.claim_span, condition)
        return
    if not whole and read(finding.claim_value).tokens:
        start = finding.claim_span[0]
        stop = _CLAUSE_END.search(claim, finding.claim_span[1])
        span = (start, stop.start() if stop else len(claim))
        if start and condition:
            yield from replaced(claim, span, condition)
        if start:
            yield from dropped(claim, span)
    if condition:
        end = _SENTENCE_END.search(claim)
        at = end.start() if end else len(claim)
        comma = "," if _EXCEPTING.match(condition) else ""
        yield Proposal(at, at, f"{comma} {condition[0].lower()}{condition[1:]}", len(condition.split()))


def _instead(claim: str, span: Span, condition: str) -> Iterator[Proposal]:
    """``always be refunded`` becomes ``be refunded only if ...``: the limit instead of the claim of all cases."""
    end = _SENTENCE_END.search(claim)
    stop = end.start() if end else len(claim)
    rest = claim[span[1] : stop].strip()
    if condition and rest:
        yield from replaced(claim, (span[0], stop), f"{rest} {condition}")


def unlike_cues(claim: str, premise: str) -> Iterator[Finding]:
    """Each modal and quantifier of the claim beside the first of the evidence that says something else."""
    theirs = _cues(premise)
    for kind, (value, span) in _cues(claim):
        other = next((cue for name, cue in theirs if name == kind and cue.value != value), None)
        if other is not None:
            quoted = premise[slice(*other.span)]
            name = "modality" if kind == "modal" else kind
            yield Finding(name, Relation.CONFLICT, claim[slice(*span)], span, quoted, other.span)


def _quantifier(low: str, value: str, *, of: bool) -> str | None:
    table: Mapping[str, str] = _PLURAL_OF
    if low in _ADVERBS:
        table = _ADVERB_OF
    elif low in _PERSON_WORDS:
        table = _PERSONS
    elif low in ("every", "each"):
        table = _SINGULAR_OF
    return "none" if of and value == "none" else table.get(value)


def _cue_at(text: str, span: Span | None, kind: str) -> _Cue | None:
    """The first cue of a kind that overlaps a span."""
    if span is None:
        return None
    cues = (cue for name, cue in _cues(text) if name == kind)
    return next((cue for cue in cues if cue.span[0] < span[1] and span[0] < cue.span[1]), None)


def _cues(text: str) -> list[tuple[str, _Cue]]:
    """The modals and quantifiers of a text, each after its kind."""
    tokens = read(text).tokens
    return [
        (cue.kind, _Cue(cue.value, (tokens[cue.first].start, tokens[cue.last - 1].end)))
        for cue in cues_in(read(text))
        if cue.kind in ("modal", "quantifier")
    ]


def _meaning(premise: str, value: str, finding: Finding) -> tuple[str, bool]:
    """What a modal of the evidence says; a denial beside it turns it round."""
    quoted = premise[slice(*finding.evidence_span)] if finding.evidence_span else ""
    return value.removeprefix("-"), bool(_DENIED.search(quoted)) != value.startswith("-")


def _with_not(claim: str, span: Span) -> Span:
    """The modal with a ``not``, or ``do not``, right before or behind it."""
    before = _NOT_BEFORE.search(claim[: span[0]])
    behind = re.match(r"\s+not\b", claim[span[1] :], re.IGNORECASE)
    return (before.start() if before else span[0], span[1] + (behind.end() if behind else 0))
