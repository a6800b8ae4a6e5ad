"""Statements of a claim and a premise go in, what the claim says firmly and the premise only with reserve comes out."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from verifier_signals.polarity.align import Alignment, align
from verifier_signals.polarity.clash import Clash, main_span, span_of
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.statement import Statement
from verifier_signals.polarity.statements import contexts_in
from verifier_signals.polarity.ties import Ties
from verifier_signals.syntax import Reading, VerbGroup

__all__ = ["hedges_lost"]

_STRONG, _MAY = 0.9, 0.8
_ANY_RESERVE = re.compile(
    r"\b(?:may|might|could|can|possib\w+|perhaps|maybe|probabl\w+|(?:un)?likely|apparent\w*|seem\w*|appear\w*"
    r"|suggest\w*|potential\w*|presumabl\w+|reported\w*|alleged\w*|believ\w+|thought|consider\w*|plan\w*|propos\w+"
    r"|expect\w*|inten[dt]\w*|hop(?:es?|ed|ing)|aim(?:s|ed|ing)?|wants?|wanted|seek\w*|sought|unclear|uncertain|disput\w+|disagree\w*|permi(?:t|ss)\w*|allow\w*|entitled|welcome"
    r"|not (?:been )?(?:studied|known|tested|shown|proven|established))\b",
    re.IGNORECASE,
)
_BARE = frozenset({"be", "have", "do"})
"""Verbs that say nothing of their own."""


def hedges_lost(
    claim: Reading,
    ours: Sequence[Statement],
    premise: Reading,
    theirs: Sequence[Statement],
    whole: frozenset[str],
    ties: Ties,
) -> list[Clash]:
    """One item for each firm statement that the premise makes with reserve."""
    found: list[Clash] = []
    reserved = {other: cue for other in theirs if (cue := _reserve(premise, other)) is not None}
    if not reserved or _has_reserve(claim.text):
        return found
    around = contexts_in(premise.text)
    said = {group.lemma for clause in claim.clauses for group in clause.verbs}
    for mine in ours:
        aligned = [(align(mine, other, around[other.sentence], whole, ties), other) for other in theirs]
        firm = max((one.score for one, other in aligned if other not in reserved), default=0.0)
        for alignment, other in aligned:
            cue = reserved.get(other)
            if cue is None or mine.denied != other.denied or alignment.score <= firm:
                continue
            verb = _verb_of(premise, cue)
            if verb is not None and said and not _is_said(premise, verb, alignment, said):
                continue
            about = alignment.shared & (other.predicates | mine.predicates) or (
                verb is not None and verb.lemma in said - _BARE
            )
            if alignment.score >= (ties.hedge_same if about else ties.hedge_without_verb):
                strength = _MAY if premise.lows[cue.first] == "may" else _STRONG
                here = main_span(claim, mine, alignment.shared)
                found.append(
                    Clash(
                        "negation.reserve-lost",
                        "hedge",
                        strength,
                        here,
                        span_of(premise, cue.first, cue.last),
                    )
                )
    return found


@lru_cache(maxsize=1024)
def _has_reserve(claim: str) -> bool:
    return _ANY_RESERVE.search(claim) is not None


def _reserve(reading: Reading, statement: Statement) -> Cue | None:
    """The first hedge; ``may`` and ``could`` are none beside a denial, for then they forbid or tell."""
    if statement.cue("hedge") is None:
        return None
    denied = statement.cue("negation") is not None
    return next(
        (
            cue
            for cue in statement.cues
            if cue.kind == "hedge" and not (denied and reading.tokens[cue.first].word.low in ("may", "could"))
        ),
        None,
    )


def _verb_of(reading: Reading, cue: Cue) -> VerbGroup | None:
    """The verbs that a modal belongs to."""
    groups = (group for clause in reading.clauses for group in clause.verbs)
    return next((group for group in groups if group.first <= cue.first < group.main), None)


def _is_said(reading: Reading, verb: VerbGroup, alignment: Alignment, said: Set[str]) -> bool:
    """Whether a modal's own verb is among what the claim says too: ``may appeal`` leaves nothing else open.

    Args:
        said: the lemmas of the claim's verbs, those too light to count as shared words among them; not empty.
    """
    stem = reading.tokens[verb.main].word.stem
    return verb.lemma in _BARE | said or stem in alignment.shared | alignment.matched
