"""A statement's factuality and a claim in; whether the statement may bear the claim out, out."""

from __future__ import annotations

from functools import lru_cache

from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, read
from verifier_signals.syntax.verbs import VerbGroup

from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier.verification.statements.factual import factuality_of, parts_of
from verifier.verification.statements.types import Factuality, Framed

__all__ = ["bar_of"]

_DENYING = lexicon("not never no nobody nothing none neither nor cannot without")
_FUTURE = lexicon("will shall won't")
_PAST_BE = lexicon("was were wasn't weren't had hadn't did didn't")
_WITHIN = 0.9
"""Share of a claim's words that stand in one clause from which it is that clause that the claim repeats."""
_LONGEST = 600
"""Code points of a premise whose clauses are read; longer ones are several sentences joined."""


def bar_of(factuality: Factuality, premise: str, claim: str) -> Factuality | None:
    """What keeps a statement of that factuality from bearing the claim out, ``None`` for nothing.

    It may where it is asserted, and where the claim asserts no more than it does (``The fee was 5 EUR until 2019.`` of
    a fee that ended). What is asserted as a whole bears out nothing that stands in a clause of it that is not, such as
    its condition.

    Args:
        factuality: of the statement, as its document has it.
        premise: its words.
        claim: what is to be borne out.
    """
    if factuality is Factuality.ASSERTED:
        return _unasserted_clause(premise, claim)
    return None if factuality is _of_claim(claim) or _says_no_more(factuality, claim) else factuality


def _says_no_more(factuality: Factuality, claim: str) -> bool:
    """Whether the claim's own words tell that it says what such a statement does."""
    lows = set(read(claim).lows)
    match factuality:
        case Factuality.DENIED:
            return bool(lows & _DENYING) or any(low.endswith(("n't", "n’t")) for low in lows)
        case Factuality.PLANNED:
            return bool(lows & _FUTURE)
        case Factuality.ENDED:
            return _in_past(claim)
        case _:
            return False


@lru_cache(maxsize=4096)
def _of_claim(claim: str) -> Factuality:
    return factuality_of([Framed(claim)])[0]


def _in_past(claim: str) -> bool:
    """Whether all that a claim says is told in the past."""
    reading = read(claim)
    verbs = [group for clause in reading.clauses for group in clause.verbs]
    return bool(verbs) and all(_is_past(reading, group) for group in verbs)


def _is_past(reading: Reading, group: VerbGroup) -> bool:
    first, main = reading.tokens[group.first].word, reading.tokens[group.main].word
    if group.first != group.main or first.low in _PAST_BE:
        return first.low in _PAST_BE
    return main.verb is not None and main.verb.form == "past"


@lru_cache(maxsize=4096)
def _unasserted_clause(premise: str, claim: str) -> Factuality | None:
    """What the clause is that has nearly all words of a claim, in a sentence that says more than that clause."""
    wanted = {word.key for word in content_words(claim)}
    if not wanted or len(premise) > _LONGEST:
        return None
    for start, end in sentence_spans(premise):
        sentence = premise[start:end]
        if len(read(sentence).clauses) < 2 or not _covers(sentence, wanted):
            continue
        for span, kind in parts_of(Framed(sentence)):
            if kind is not Factuality.ASSERTED and _covers(sentence[slice(*span)], wanted):
                return kind if _of_claim(claim) is Factuality.ASSERTED else None
    return None


def _covers(text: str, wanted: set[str]) -> bool:
    found = {word.key for word in content_words(text)}
    return len(wanted & found) >= _WITHIN * len(wanted)
