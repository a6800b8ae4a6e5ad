"""A sentence in; what it states in plain words out, where it states it by way of an exception or a denial."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier_signals.syntax import read

from verifier.verification.statements.plain_exceptions import Excepted, excepted
from verifier.verification.statements.plain_frames import denied_again, unframed
from verifier.verification.statements.plain_grammar import Parts, capital, denies, edited, negated
from verifier.verification.statements.types import Piece

__all__ = ["TURN", "affirmed", "plainly", "said_again", "without_frame"]

_LONGEST = 400
"""Code points of the longest sentence that is read for such a turn; a longer one says too much beside it."""
_SEVERAL = re.compile(r"\n|[.!?]\s+[^\W\d_a-z]")
"""Where one sentence ends and another begins, for those that are not parted."""
_NO_LONGER = re.compile(r"\bno longer ", re.IGNORECASE)
TURN = re.compile(
    r"\b(?:except\w*|but|apart|aside|other than|save|bar(?:ring)?|excluding|out|signs?|traces?|evidence|indications?"
    r"|hints?|symptoms?|neither|only)\b",
    re.IGNORECASE,
)
"""A word of each turn that is said again: fast to look for."""


@lru_cache(maxsize=4096)
def plainly(sentence: str) -> tuple[Piece, ...]:
    """The pieces of a sentence that calls something untrue: they deny it. Their offsets count in the sentence.

    None where it does no such thing.

    >>> "".join(piece.text for piece in plainly("It is not true that the ferry was sold."))
    'The ferry was not sold.'
    """
    edits = unframed(sentence) if _is_one(sentence) else []
    return tuple(edited(sentence, 0, len(sentence), edits)) if edits else ()


def without_frame(sentence: str) -> str:
    """The sentence without words that call it untrue, denied in their place; itself where it has none.

    >>> without_frame("The rumour that the mill closed is false.")
    'The mill did not close.'
    """
    return "".join(piece.text for piece in plainly(sentence)) or sentence


@lru_cache(maxsize=4096)
def affirmed(sentence: str) -> str:
    """What a sentence says of its things, whether it denies or excepts some of it or not: who denies asserts as well.

    A sentence of several clauses stands as it is but for its frame and its exception: what is denied in it may be that
    somebody said so.

    >>> affirmed("It is not true that the ferry was sold."), affirmed("All rooms but the attic are heated.")
    ('The ferry was sold.', 'All rooms are heated.')
    """
    plain = without_frame(sentence)
    if not _is_one(plain):
        return plain
    found = said_again(plain)
    if found is not None:
        plain = found.general if isinstance(found, Excepted) else "".join(text for text, _ in found)
    plain = _NO_LONGER.sub("", plain)
    reading = read(plain)
    if sum(bool(clause.verbs) for clause in reading.clauses) != 1 or not denies(plain):
        return plain
    edits = negated(plain, 0, len(plain))
    return (
        plain if edits is None else capital("".join(text for text, _ in edited(plain, 0, len(plain), edits)))
    )


@lru_cache(maxsize=4096)
def said_again(sentence: str) -> Excepted | Parts | None:
    """What a sentence excepts, or, as words to be put behind it, what it rules out, shows no sign of, says of neither.

    >>> "".join(text for text, _ in said_again("Tests ruled out lead in the water."))
    'There is no lead in the water.'
    """
    if TURN.search(sentence) is None or not _is_one(sentence):
        return None
    return excepted(sentence) or denied_again(sentence) or None


def _is_one(sentence: str) -> bool:
    return len(sentence) <= _LONGEST and _SEVERAL.search(sentence.strip()) is None
