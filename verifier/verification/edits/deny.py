"""Edits that negate a claim, or take its negation back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import BE, Clause, Reading, Token, VerbGroup, read
from verifier_signals.types import Finding

from verifier.types import Span
from verifier.verification.edits.forms import article_for, inflected
from verifier.verification.edits.proposal import Proposal, dropped, replaced

__all__ = ["affirmed", "denied"]

_DO = {"do": "base", "does": "s", "did": "past"}
_MODALS = frozenset({"will", "would", "can", "could", "may", "might", "must", "shall", "should"})
_HAVE = frozenset({"has", "have", "had"})
_CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}
_NONE = {
    "nobody": ("everybody", "somebody"),
    "none": ("all", "some"),
    "neither": ("both",),
    "nothing": ("everything", "something"),
    "nowhere": ("everywhere",),
    "without": ("with",),
    "unable": ("able",),
}
_FAILING = {
    "fail": "base",
    "fails": "s",
    "failed": "past",
    "refuse": "base",
    "refuses": "s",
    "refused": "past",
}
_SOME = re.compile(r"\b(?:all|some|both|each|one|many|most|several)\b(?= of\b)", re.IGNORECASE)
_NEAR = 4
"""An auxiliary and its verb are shown together while they are at most so many tokens apart."""


def affirmed(claim: str, finding: Finding) -> Iterator[Proposal]:
    """Every negation near the conflict taken out, the nearest first."""
    reading = read(claim)
    found = [(at, list(_without(reading, at))) for at in range(len(reading.tokens))]
    near = finding.claim_span[0]
    for _, proposals in sorted(found, key=lambda item: abs(reading.tokens[item[0]].start - near)):
        yield from proposals


def denied(claim: str, finding: Finding) -> Iterator[Proposal]:
    """Each verb of the claim denied, those of the clause with the conflict first; ``some of`` becomes ``none of``."""
    reading = read(claim)
    clauses = sorted(reading.clauses, key=lambda clause: not _holds(reading, clause, finding.claim_span))
    for clause in clauses:
        for group in clause.verbs:
            yield from _negated(reading, group, leads=group is clause.verbs[0])
    for match in _SOME.finditer(claim):
        yield from replaced(claim, match.span(), "none")


def _holds(reading: Reading, clause: Clause, span: Span) -> bool:
    tokens = reading.tokens[clause.first : clause.last]
    return any(token.start < span[1] and span[0] < token.end for token in tokens)


def _without(reading: Reading, at: int) -> Iterator[Proposal]:
    """The claim without the negation at this token, if there is one."""
    tokens, claim = reading.tokens, reading.text
    token, low = tokens[at], tokens[at].word.low
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if low == "not" or low.endswith(("n't", "n’t")) or low == "cannot":
        yield from _without_not(reading, at)
    elif low == "never":
        yield from dropped(claim, (token.start, token.end))
    elif low == "no" and following is not None:
        if following.word.low == "longer":
            yield from dropped(claim, (token.start, following.end))
        elif following.word.low == "one":
            yield from replaced(claim, (token.start, following.end), "somebody")
        else:
            yield from _with_article(claim, token, following)
    elif low in _FAILING and following is not None and following.word.low == "to" and at + 2 < len(tokens):
        verb = inflected(tokens[at + 2].word.low, _FAILING[low])
        if verb is not None:
            yield from replaced(claim, (token.start, tokens[at + 2].end), verb)
    for instead in _NONE.get(low, ()):
        yield from replaced(claim, (token.start, token.end), instead)


def _with_article(claim: str, no: Token, noun: Token) -> Iterator[Proposal]:
    """``No coins were`` becomes ``Coins were``, ``no permit is`` becomes ``a permit is``."""
    if noun.word.low.endswith("s"):
        yield from dropped(claim, (no.start, no.end))
    else:
        yield from replaced(claim, (no.start, no.end), article_for("a", claim[noun.start : noun.end]))


def _without_not(reading: Reading, at: int) -> Iterator[Proposal]:
    """``is not required``, ``isn't``, ``cannot``, ``does not apply`` without the negation, the verb in its form."""
    tokens, claim = reading.tokens, reading.text
    low = tokens[at].word.low.replace("’", "'")
    first = at - 1 if low == "not" and at else at
    auxiliary = tokens[first].word.low if low == "not" else _CONTRACTED.get(low, low.removesuffix("n't"))
    main = tokens[at + 1] if at + 1 < len(tokens) else None
    verb = verb_of(main.word.low) if main is not None else None
    if auxiliary in _DO and main is not None and verb is not None:
        form = inflected(verb.lemma, _DO[auxiliary])
        after = form or f"{auxiliary} {main.word.low}"
        yield from replaced(claim, (tokens[first].start, main.end), after)
        return
    span = _shown(reading, first, at)
    rest = claim[tokens[at].end : span[1]]
    if low != "not" or auxiliary in BE | _MODALS | _HAVE:
        kept = claim[tokens[first].start : tokens[first].end] if low == "not" else auxiliary
        yield from replaced(claim, span, f"{kept}{rest}")
    else:
        yield from dropped(claim, (tokens[at].start, tokens[at].end))


def _shown(reading: Reading, first: int, at: int) -> Span:
    """From the auxiliary to its verb where that is near, so that the change reads ``is not required``."""
    for clause in reading.clauses:
        for group in clause.verbs:
            if group.first <= at <= group.main <= at + _NEAR:
                return reading.tokens[first].start, reading.tokens[group.main].end
    return reading.tokens[first].start, reading.tokens[at].end


def _negated(reading: Reading, group: VerbGroup, *, leads: bool) -> Iterator[Proposal]:
    """``not`` behind the auxiliary, or ``do not`` before the verb that ``leads`` its clause and so is finite."""
    tokens, claim = reading.tokens, reading.text
    first, main = tokens[group.first], tokens[group.main]
    low = first.word.low
    words = [token.word.low for token in tokens[group.first : group.main + 1]]
    if "not" in words or low.endswith("n't"):
        return
    helped = group.first < group.main or low in BE
    if helped and low in BE | _MODALS | _HAVE | set(_DO):
        end = main.end if group.main - group.first <= _NEAR else first.end
        not_ = "cannot" if low == "can" else f"{claim[first.start : first.end]} not"
        yield from replaced(claim, (first.start, end), f"{not_}{claim[first.end : end]}")
    elif leads and main.word.verb is not None and (auxiliary := _do_for(reading, group)):
        yield from replaced(claim, (main.start, main.end), f"{auxiliary} {main.word.verb.lemma}")


def _is_subject(reading: Reading, group: VerbGroup) -> bool:
    """Whether a word taken for a verb is the noun before one: ``The costs are refunded``."""
    following = reading.tokens[group.main + 1 : group.main + 2]
    return any(token.word.low in BE | _MODALS | _HAVE for token in following)


def _do_for(reading: Reading, group: VerbGroup) -> str:
    verb = reading.tokens[group.main].word.verb
    before = reading.tokens[group.main - 1].word.low if group.main else ""
    if verb is None or verb.form == "ing" or group.passive or _is_subject(reading, group):
        return ""
    if before == "to":
        return "not"
    return {"s": "does not", "past": "did not", "base": "do not"}[verb.form]
