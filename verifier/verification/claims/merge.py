"""A model's claims and the rules' reading of one response go in; one reading that loses nothing of either comes out."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from verifier.types import Claim, SkippedSpan, Substitution
from verifier.verification.claims.abstain import ABSTENTION
from verifier.verification.claims.types import ExtractedResponse
from verifier.verification.claims.verbs import tokens_of

__all__ = ["Told", "merge"]

_JOINS = frozenset({"and", "but", "or", "while", "whereas", ",", ";", ":", "—", "–", "(", ")"})

_LEAST_RETOLD = 0.6
"""Share of the words of a piece that a model's claims must take up, or the piece is checked beside them."""
_LONGEST_COMPARED = 2000
"""Code points; a longer quote is read as its claim without a look at what they share."""


class Told(NamedTuple):
    """A claim as a model tells it: ``response[start:end]`` is what it quotes, ``text`` what it makes of it."""

    start: int
    end: int
    text: str


def merge(response: str, told: Sequence[Told], ruled: ExtractedResponse) -> ExtractedResponse:
    """Put a model's claims in the place of the rules' ones.

    A piece of the rules that no quote touches stays, and so does one that says that something is not told.
    Another that quotes touch is widened with them to one span, which
    all their claims share; if words of the piece are outside of all quotes, its own claim is checked as well.
    """
    pieces: list[Claim | SkippedSpan] = sorted([*ruled.claims, *ruled.skipped], key=lambda piece: piece.start)
    told = [item for item in told if not _abstains(item, ruled.skipped)]
    claims: list[Claim] = []
    skipped: list[SkippedSpan] = []
    for start, end in _clusters(told, pieces):
        quoted = [item for item in told if start <= item.start < end]
        inside = [piece for piece in pieces if start <= piece.start < end]
        if not quoted:
            claims += [piece for piece in inside if isinstance(piece, Claim)]
            skipped += [piece for piece in inside if isinstance(piece, SkippedSpan)]
            continue
        texts = [item.text for item in quoted]
        texts += [
            piece.hypothesis for piece in inside if isinstance(piece, Claim) and _leaves_out(piece, quoted)
        ]
        claims += [_quoting(response, start, end, text) for text in dict.fromkeys(texts)]
    return ExtractedResponse(tuple(claims), tuple(skipped), ruled.notes)


def _abstains(item: Told, skipped: Sequence[SkippedSpan]) -> bool:
    """Whether a quote lies in a span that says that something is not told, which no evidence can confirm or deny."""
    return any(
        span.reason == ABSTENTION and span.start <= item.start and item.end <= span.end for span in skipped
    )


def _clusters(told: Sequence[Told], pieces: Sequence[Claim | SkippedSpan]) -> list[tuple[int, int]]:
    """The spans of quotes and pieces, those that overlap made one, in order."""
    spans = sorted([(item.start, item.end) for item in told] + [(piece.start, piece.end) for piece in pieces])
    clusters: list[tuple[int, int]] = []
    for start, end in spans:
        if clusters and start < clusters[-1][1]:
            clusters[-1] = (clusters[-1][0], max(end, clusters[-1][1]))
        else:
            clusters.append((start, end))
    return clusters


def _leaves_out(piece: Claim, quoted: Sequence[Told]) -> bool:
    """Whether words of a piece that say something are in no quote, or too many of them in no claim."""
    retold: set[str] = set()
    for item in quoted:
        if item.start < piece.end and piece.start < item.end:
            retold.update(form for _, _, form in tokens_of(item.text))
    words = [token for token in tokens_of(piece.text) if token[2] not in _JOINS]
    outside = any(
        not any(item.start <= piece.start + start and piece.start + end <= item.end for item in quoted)
        for start, end, _ in words
    )
    return outside or sum(form in retold for _, _, form in words) < _LEAST_RETOLD * len(words)


def _quoting(response: str, start: int, end: int, text: str) -> Claim:
    """A claim that quotes a span and reads ``text``; what both have in common leads back to the quote."""
    quote = response[start:end]
    if len(quote) > _LONGEST_COMPARED:
        return Claim(quote, start, end, (Substitution(0, len(quote), text),))
    mine, theirs = _words(quote), _words(text)
    matcher = SequenceMatcher(
        None, [quote[a:b] for a, b in mine], [text[a:b] for a, b in theirs], autojunk=False
    )
    substitutions: list[Substitution] = []
    at = new_at = 0
    for block in matcher.get_matching_blocks():
        first = mine[block.a][0] if block.size else len(quote)
        new_first = theirs[block.b][0] if block.size else len(text)
        if quote[at:first] != text[new_at:new_first]:
            substitutions.append(Substitution(at, first, text[new_at:new_first]))
        if block.size:
            at, new_at = mine[block.a + block.size - 1][1], theirs[block.b + block.size - 1][1]
            inner = zip(_gaps(mine, block.a, block.size), _gaps(theirs, block.b, block.size), strict=True)
            substitutions += [
                Substitution(*gap, text[slice(*new)])
                for gap, new in inner
                if quote[slice(*gap)] != text[slice(*new)]
            ]
    return Claim(quote, start, end, tuple(substitutions))


def _words(text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end, _ in tokens_of(text)]


def _gaps(words: list[tuple[int, int]], first: int, size: int) -> list[tuple[int, int]]:
    """What lies between the words of a run."""
    run = words[first : first + size]
    return [(left[1], right[0]) for left, right in pairwise(run)]
