"""A claim and a premise go in; a clash comes out where the claim repeats a sentence and one word turns it round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from verifier_signals.likeness import are_opposed
from verifier_signals.polarity.clash import Clash, Span
from verifier_signals.polarity.items import without_prefix
from verifier_signals.polarity.statements import statements_in
from verifier_signals.repeated import Gap, gaps_in, stems_of
from verifier_signals.syntax import Token, read

__all__ = ["turned"]

_TURNING = frozenset(
    frozenset(pair)
    for pair in (
        ("before", "after"),
        ("above", "below"),
        ("over", "under"),
        ("with", "without"),
        ("from", "until"),
        ("since", "until"),
        ("inside", "outside"),
        ("up", "down"),
        ("including", "except"),
        ("including", "excluding"),
        ("if", "unless"),
        ("when", "unless"),
        ("more", "less"),
        ("more", "fewer"),
        ("most", "least"),
        ("most", "fewest"),
        ("into", "from"),
    )
)
"""Function words that say the contrary in the same place; other opposites are in the word tables."""


def turned(claim: str, premise: str) -> list[Clash]:
    """Whether one text denies or turns round, in an odd number of places, what the other says in the same words.

    Not where the claim has another word that the premise lacks: it may then tell of another thing.

    >>> [one.feature for one in turned("Dogs may not enter the park at night.", "Dogs may enter the park at night.")]
    ['polarity']
    >>> [one.feature for one in turned("It shuts an hour after the last bus.", "It shuts an hour before the last bus.")]
    ['antonym']
    """
    signs: list[Clash] = []
    for gap in gaps_in(claim, premise):
        contrary = [(one, other) for one in gap.ours for other in gap.theirs if _are_contrary(one, other)]
        said = stems_of([token for token in gap.ours if token not in {one for one, _ in contrary}])
        if not said <= read(premise).stems:
            return []
        signs += _signs(gap, contrary[:1], claim, premise)
    return signs[:1] if len(signs) % 2 == 1 else []


def _signs(gap: Gap, contrary: Sequence[tuple[Token, Token]], claim: str, premise: str) -> Iterator[Clash]:
    for one, other in contrary:
        yield Clash("negation.word-turned", "antonym", 1.0, _span([one]), _span([other]))
    denials = [*_denials(claim, gap.ours), *_denials(premise, gap.theirs)]
    ours, theirs = ([*gap.ours], [*gap.theirs]) if gap.ahead is None else _with(gap, gap.ahead)
    yield from (Clash("negation.denial-turned", "polarity", 1.0, _span(ours), _span(theirs)) for _ in denials)


def _with(gap: Gap, ahead: tuple[Token, Token]) -> tuple[list[Token], list[Token]]:
    """Both sides with the word behind them, which the denial is of: ``not sold``, ``sold``."""
    return [*gap.ours, ahead[0]], [*gap.theirs, ahead[1]]


def _are_contrary(one: Token, other: Token) -> bool:
    first, second = one.word.low, other.word.low
    if one.word.function or other.word.function:
        return frozenset((first, second)) in _TURNING
    return are_opposed(first, second) or without_prefix(first) == second or without_prefix(second) == first


def _denials(text: str, tokens: Sequence[Token]) -> list[Span]:
    starts = {token.start for token in tokens}
    return [span for span in _denying(text) if span[0] in starts]


@lru_cache(maxsize=1024)
def _denying(text: str) -> tuple[Span, ...]:
    tokens = read(text).tokens
    cues = {cue for one in statements_in(text) for cue in one.cues if cue.kind == "negation"}
    return tuple(sorted(_span(tokens[cue.first : cue.last]) for cue in cues))


def _span(tokens: Sequence[Token]) -> Span:
    return (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
