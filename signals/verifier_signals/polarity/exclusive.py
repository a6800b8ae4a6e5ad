"""A claim and a premise go in, where one of them says of one place or party only what the other does not, comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.core.lexicon import lexicon
from verifier_signals.names import Name, comparable, is_alias, names_in
from verifier_signals.polarity.clash import Clash, Span, span_of
from verifier_signals.polarity.condition import sentence_around
from verifier_signals.polarity.membership import items_of, keys_in
from verifier_signals.polarity.statements import statements_in
from verifier_signals.polarity.ties import Ties
from verifier_signals.syntax import Reading, read

__all__ = ["exclusive_clashes", "others_admitted"]

_ONLY_AT = re.compile(
    r"\bonly\s+(?:at|in|on|from)\s+|\b(?:at|in|on|from)\s+(?=[^.;,]{2,40}\sonly\b)", re.IGNORECASE
)
_VERBS = r"(?:may|can|must|is|are|was|were|has|have|had|will|gets?|receives?)\b"
_ONLY_WHO = re.compile(
    rf"\bonly (?P<who>(?!{_VERBS})[\w'’-]+(?: (?!{_VERBS})[\w'’-]+){{0,5}}) {_VERBS}(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    rf"(?P<who>[^.;:?!\n]*?\b(?:or|and|as well as)\b[^.;:?!\n,]*?) {_VERBS}(?P<rest>[^.;:?!\n]*)",
    re.IGNORECASE,
)
_SAME = 0.6
"""Share of what the claim says of the only one that the premise says of several."""
_JOINT = re.compile(r"\b(?:and|but|while|whereas)\b", re.IGNORECASE)
_PLACING = lexicon("at in on from near")
_STRENGTH = 1.0


def exclusive_clashes(claim: str, premise: str, ties: Ties) -> Iterator[Clash]:
    """``You can rent a tandem at Old Market, too`` against ``Tandems are rented out only at Lake Street``.

    The claim must affirm of a place of its own what the premise's sentence says, and leave the only place out. A place
    is a name behind ``at``, ``in``, ``on`` or ``from``, or one that has the noun of the only place (``the Hill Pool``
    against ``the Harbour Pool``).
    """
    if "only" not in premise.casefold() or _ONLY_AT.search(premise) is None:
        return
    if any(one.denied for one in statements_in(claim)):
        return
    mine, other = read(claim), read(premise)
    theirs = names_in(premise)
    ours = names_in(claim)
    for match in _ONLY_AT.finditer(premise):
        at = next(
            (n for n, token in enumerate(other.tokens) if token.start >= match.end()), len(other.tokens)
        )
        place = next((name for name in theirs if at <= name.first <= at + 1), None)
        if place is None or any(is_alias(name, place) for name in ours):
            continue
        rival = next((name for name in ours if _is_such_place(mine, name, other, place)), None)
        if rival is None or not _says_the_same(mine, other, rival, match.start(), ties):
            continue
        spans = span_of(mine, rival.first, rival.last), span_of(other, place.first, place.last)
        yield Clash("negation.only-there", "condition", _STRENGTH, *spans, "the evidence has it only there")


def others_admitted(claim: str, premise: str) -> Iterator[Clash]:
    """``Only the owner can cancel`` against ``The owner or an administrator can cancel``."""
    mine = _ONLY_WHO.search(claim)
    if mine is None or any(one.denied for one in statements_in(claim)):
        return
    who, rest = keys_in(claim, mine.span("who")), keys_in(claim, mine.span("rest"))
    for match in _SEVERAL.finditer(premise) if who and rest else ():
        parties = items_of(premise, match.span("who"))
        named = [one for one in parties if one & who]
        others = [one for one in parties if not one & (who | rest)]
        told = keys_in(premise, match.span("rest"))
        if named and others and len(rest & told) >= _SAME * len(rest):
            yield Clash(
                "negation.others-admitted",
                "condition",
                _STRENGTH,
                mine.span("who"),
                match.span("who"),
                "the evidence admits others",
            )
            return


def _is_such_place(mine: Reading, name: Name, other: Reading, place: Name) -> bool:
    """Whether a name of the claim stands for a place as the premise's ``only at`` does."""
    if not comparable(name, place):
        return False
    before = [token.word.low for token in mine.tokens[max(0, name.first - 2) : name.first]]
    same_noun = name.words[-1:] == place.words[-1:] or _behind(mine, name) == _behind(other, place) != ""
    return same_noun or not _PLACING.isdisjoint(before)


def _behind(reading: Reading, name: Name) -> str:
    """The noun behind a name (``the Stowe branch``), as far as its form tells, else ``""``."""
    following = [token.word for token in reading.tokens[name.last : name.last + 1]]
    return next((word.low for word in following if not (word.punct or word.function)), "")


def _says_the_same(mine: Reading, other: Reading, rival: Name, only: int, ties: Ties) -> bool:
    """Whether the part of the premise with ``only`` has what the claim says of its place, and no other part that names
    the place has as much of it."""
    said = frozenset(
        token.word.stem
        for at, token in enumerate(mine.tokens)
        if not (token.word.punct or token.word.function or token.word.number)
        and not rival.first <= at < rival.last
    )
    shared = len(said & _told(other, _part_around(other.text, only)))
    elsewhere = (name for name in names_in(other.text) if is_alias(rival, name))
    if any(len(said & _told(other, _part_around(other.text, name.start))) >= shared for name in elsewhere):
        return False
    return bool(said) and shared >= ties.condition_about * len(said)


def _part_around(text: str, at: int) -> Span:
    """The part of a sentence around a place, between conjunctions."""
    begin, end = sentence_around(text, at)
    joints = [joint.span() for joint in _JOINT.finditer(text, begin, end)]
    return max([begin, *(last for _, last in joints if last <= at)]), min(
        [end, *(first for first, _ in joints if first >= at)]
    )


def _told(reading: Reading, part: Span) -> frozenset[str]:
    """The stems of a part of a text."""
    return frozenset(token.word.stem for token in reading.tokens if part[0] <= token.start < part[1])
