"""A claim and a premise go in, where the premise gives the highest place, or a place in a list, to others comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Name, is_alias, names_in
from verifier_signals.polarity.clash import Clash, Span, span_of
from verifier_signals.polarity.complete import complete_list_clashes
from verifier_signals.polarity.membership import membership_clashes
from verifier_signals.polarity.ties import Ties
from verifier_signals.syntax import Reading, read

__all__ = ["rank_clashes"]

_SUPERLATIVES = lexicon("""
    largest biggest greatest smallest highest lowest longest shortest tallest deepest shallowest widest narrowest
    heaviest lightest oldest youngest newest fastest slowest quickest cheapest dearest earliest latest strongest
    weakest best worst busiest richest poorest hottest coldest warmest driest wettest steepest thickest thinnest
    """)
_RANKS = lexicon("second third fourth fifth sixth seventh eighth ninth tenth second-most third-most")
_AMONG = re.compile(r"\b(?:one of|among|included in|belongs? to|part of)\b", re.IGNORECASE)
_MEMBER = frozenset({"one", "among", "included", "belongs", "belong", "part"})
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "both": 2}


class Superlative(NamedTuple):
    """A superlative at a token, its rank (1 for the first place), who holds it, what else its sentence speaks of."""

    word: str
    rank: int
    holder: Name | None
    about: frozenset[str]
    span: Span


@lru_cache(maxsize=2048)
def superlatives_in(text: str) -> tuple[Superlative, ...]:
    """The superlatives of a text in reading order."""
    return tuple(_superlatives(read(text), names_in(text)))


def _superlatives(reading: Reading, names: Sequence[Name]) -> Iterator[Superlative]:
    for at, token in enumerate(reading.tokens):
        low = token.word.low
        hyphened = low.rpartition("-")
        base, prefix = (hyphened[2], hyphened[0]) if hyphened[2] in _SUPERLATIVES else (low, "")
        if base not in _SUPERLATIVES:
            continue
        before = reading.tokens[at - 1].word.low if at else ""
        ranked = before in _RANKS or prefix in _RANKS
        if not ranked and before not in ("the", "its", "their", "by", "far"):
            continue
        first = at - 1 if before in _RANKS else at
        yield Superlative(
            base,
            2 if ranked else 1,
            _holder(reading, names, at),
            _about(reading, at),
            span_of(reading, first, at + 1),
        )


def _holder(reading: Reading, names: Sequence[Name], at: int) -> Name | None:
    """``A is the largest``: the name before the verb; ``the largest of them is A``: the one behind it."""
    tokens = reading.tokens
    sentence = reading.sentences[at]
    for place in range(at - 1, max(at - 4, 0), -1):
        if tokens[place].word.low in ("is", "was", "became", "remains", "are", "were"):
            ends = [name for name in names if place - 2 <= name.last <= place]
            return ends[-1] if ends else None
    for place in range(at + 1, min(at + 14, len(tokens))):
        if reading.sentences[place] != sentence or tokens[place].word.low in (";", ":"):
            break
        if tokens[place].word.low in ("is", "was"):
            return next((name for name in names if place < name.first <= place + 2), None)
        verb = tokens[place].word.verb
        if verb is not None and verb.form == "past":
            break
    return None


def _about(reading: Reading, at: int) -> frozenset[str]:
    """The stems right behind a superlative: what it ranks."""
    found = []
    for place in range(at + 1, min(at + 9, len(reading.tokens))):
        word = reading.tokens[place].word
        if word.low in (".", ";", ",", ":", "is", "was"):
            break
        if not (word.punct or word.function or word.number):
            found.append(word.stem)
    return frozenset(found)


def rank_clashes(claim: Reading, premise: Reading, ties: Ties) -> list[Clash]:
    """Superlatives that the premise gives to another, or ranks lower; members that a counted list does not have."""
    return [
        *_superlative_clashes(claim, premise, ties),
        *_list_clashes(claim, premise),
        *membership_clashes(claim.text, premise.text),
        *complete_list_clashes(claim.text, premise.text),
    ]


def _superlative_clashes(claim: Reading, premise: Reading, ties: Ties) -> Iterator[Clash]:
    ranked = superlatives_in(claim.text)
    stems = _content(premise) if ranked else frozenset[str]()
    for ours in ranked:
        same = [theirs for theirs in superlatives_in(premise.text) if theirs.word == ours.word]
        mine = _content(claim)
        if not same or len(mine & stems) < ties.rank_same * len(mine):
            continue
        for theirs in same:
            if ours.about and theirs.about and not ours.about & theirs.about:
                continue
            if ours.holder is not None and theirs.holder is not None and theirs.rank == ours.rank:
                if not is_alias(ours.holder, theirs.holder) and not _shares(ours, same):
                    yield Clash(
                        "negation.superlative-of-another",
                        "antonym",
                        1.0,
                        ours.span,
                        theirs.span,
                        "the evidence names another one",
                    )
                    break
            elif theirs.rank != ours.rank and not any(other.rank == ours.rank for other in same):
                yield Clash(
                    "negation.other-rank",
                    "antonym",
                    1.0,
                    ours.span,
                    theirs.span,
                    "the evidence gives another rank",
                )
                break


def _shares(ours: Superlative, same: Sequence[Superlative]) -> bool:
    return any(
        ours.holder is not None and other.holder is not None and is_alias(ours.holder, other.holder)
        for other in same
    )


def _content(reading: Reading) -> frozenset[str]:
    return frozenset(
        token.word.stem
        for token in reading.tokens
        if not (token.word.punct or token.word.function or token.word.number)
    )


def _list_clashes(claim: Reading, premise: Reading) -> Iterator[Clash]:
    """``A is one of the two``, where the premise counts two and names both, and neither is A."""
    if not _speaks_of_members(claim.text):
        return
    lows = [token.word.low for token in claim.tokens]
    among = next((at for at, low in enumerate(lows) if low in _MEMBER), None)
    if among is None or not {"not", "never", "no"}.isdisjoint(lows):
        return
    member = next((name for name in names_in(claim.text) if name.last <= among), None)
    if member is None:
        return
    wanted = _content(claim) - {
        stem.stem for stem in (token.word for token in claim.tokens[member.first : member.last])
    }
    names = names_in(premise.text)
    if any(is_alias(member, name) for name in names):
        return
    for listed in _counted_lists(premise, names):
        sentence = premise.sentences[listed[0].first]
        around = {
            token.word.stem
            for at, token in enumerate(premise.tokens)
            if premise.sentences[at] in (sentence, 0)
        }
        if len(wanted & around) * 3 >= len(wanted):
            here, there = (member.start, member.end), (listed[0].start, listed[-1].end)
            yield Clash(
                "negation.not-listed", "polarity", 1.0, here, there, "the list is complete without it"
            )
            return


@lru_cache(maxsize=1024)
def _speaks_of_members(claim: str) -> bool:
    return _AMONG.search(claim) is not None


def _counted_lists(premise: Reading, names: Sequence[Name]) -> Iterator[list[Name]]:
    """Names in a row, joined by commas and ``and``, as many as the sentence counts before them."""
    run: list[Name] = []
    for name, following in zip(names, (*names[1:], None), strict=bool(names)):
        run.append(name)
        between = premise.tokens[name.last : following.first] if following is not None else []
        if following is not None and between and all(token.word.low in (",", "and") for token in between):
            continue
        count = next(
            (
                _COUNTS[premise.tokens[at].word.low]
                for at in range(run[0].first - 1, max(run[0].first - 12, -1), -1)
                if premise.tokens[at].word.low in _COUNTS
                and premise.sentences[at] == premise.sentences[run[0].first]
                and not (at and premise.tokens[at - 1].word.low in ("the", "of"))
            ),
            0,
        )
        if len(run) > 1 and count == len(run):
            yield run
        run = []
