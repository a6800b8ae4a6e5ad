"""Two names go in, whether they can name one thing comes out: acronyms, surnames, initials, slips."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from signals.names.find import Name, Sort
from signals.syntax import Reading, is_common

__all__ = ["comparable", "is_alias", "stands_in"]

_SLIP_LETTERS = 8
"""From this length on one wrong letter is a slip; ``Smith`` and ``Smyth`` are two names."""


def is_alias(claim: Name, evidence: Name) -> bool:
    """Whether the claim's name can name what the evidence's name does.

    A part of the evidence's name is enough (``Haddad`` for ``Noor Haddad``), and a bare surname in the evidence;
    else what the claim adds must be ordinary words (``Thane Bridge`` for ``Thane``) or initials, for ``Mary
    Smith`` is not ``John Smith`` and ``Velluto C4`` not ``Velluto C2``.
    """
    if claim.words == evidence.words or claim.letters == evidence.letters:
        return True
    if claim.acronym or evidence.acronym:
        short, long = (claim, evidence) if claim.acronym else (evidence, claim)
        if len(short.words[0]) > 1 and short.words[0] in _initials(long):
            return True
    ours, theirs = claim.words, list(evidence.words)
    left = [word for word in ours if not _take(word, theirs)]
    if len(left) == len(ours):
        return False
    if left and theirs:
        return all(_initial_of(word, theirs) for word in left) or all(len(word) == 1 for word in left)
    if not theirs and evidence.words == claim.words[-1:]:
        return all(word.isalpha() for word in left)
    return all(is_common(word) for word in left)


def _initials(name: Name) -> tuple[str, ...]:
    return name.initials, "".join(word[0] for word in name.words)


def _take(word: str, theirs: list[str]) -> bool:
    for other in theirs:
        if _same_word(word, other):
            theirs.remove(other)
            return True
    return False


def _initial_of(word: str, theirs: list[str]) -> bool:
    return any((len(word) == 1 or len(other) == 1) and word[0] == other[0] for other in theirs)


def _same_word(first: str, second: str) -> bool:
    if first == second or first.rstrip("s") == second.rstrip("s"):
        return True
    if min(len(first), len(second)) < _SLIP_LETTERS or not (first.isalpha() and second.isalpha()):
        return first.replace("-", "").replace(".", "") == second.replace("-", "").replace(".", "")
    return first[0] == second[0] and OSA.distance(first, second, score_cutoff=1) <= 1


def stands_in(name: Name, reading: Reading) -> tuple[int, int] | None:
    """The span at which the words of a name stand together in a text, whatever its capitals.

    Args:
        name: the name looked for.
        reading: the text looked into.
    """
    for at in reading.places.get(name.words[0], ()):
        place = at
        for word in name.words[1:]:
            place = next((near for near in reading.places.get(word, ()) if place < near <= place + 3), -1)
            if place < 0:
                break
        if place >= 0:
            return reading.tokens[at].start, reading.tokens[place].end
    return None


_FITTING = {
    Sort.CODE: {Sort.CODE},
    Sort.TITLE: {Sort.TITLE, Sort.OTHER},
    Sort.PERSON: {Sort.PERSON, Sort.OTHER},
    Sort.ORGANISATION: {Sort.ORGANISATION, Sort.OTHER},
    Sort.PLACE: {Sort.PLACE, Sort.OTHER},
    Sort.OTHER: {Sort.PERSON, Sort.ORGANISATION, Sort.PLACE, Sort.TITLE, Sort.OTHER},
}


def comparable(first: Name, second: Name) -> bool:
    """Whether two names can be of one sort, so that one can stand where the other is expected."""
    return second.sort in _FITTING[first.sort]
