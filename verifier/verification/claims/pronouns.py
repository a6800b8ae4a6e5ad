"""A sentence in; the pronoun behind its opening that points out of it, and names that one may point to, out."""

from __future__ import annotations

from signals.syntax import is_common
from verifier.core.lexicon import lexicon
from verifier.verification.claims.grammar import DETERMINERS, PREPOSITIONS, is_finite, main_verb
from verifier.verification.claims.verbs import AUXILIARIES, Token

__all__ = ["looks_like_a_person", "names_in", "object_pronoun", "subject_behind_adjunct"]

_SUBJECTS = lexicon("it he she they")
_OBJECTS = lexicon("it him her them")
_ADJUNCTS = PREPOSITIONS | lexicon(
    "however moreover today later then afterwards since meanwhile also furthermore"
)
_TITLES = lexicon("dr mr mrs ms prof professor sir dame")
_CALENDAR = lexicon("""
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday
    """)
_LONGEST_ADJUNCT = 8


def subject_behind_adjunct(text: str, tokens: list[Token]) -> int | None:
    """Index of the pronoun that is the subject behind ``In 1995,`` or ``Since 1995``; no name may stand before it."""
    if not tokens or tokens[0][2] not in _ADJUNCTS:
        return None
    for index in range(1, min(len(tokens) - 1, _LONGEST_ADJUNCT)):
        start, _, form = tokens[index]
        if form in _SUBJECTS:
            follows = is_finite(text, tokens, index + 1) or tokens[index + 1][2] in AUXILIARIES
            return index if follows and tokens[index - 1][2] not in PREPOSITIONS else None
        if (text[start].isupper() and form not in _CALENDAR) or is_finite(text, tokens, index):
            return None
    return None


def object_pronoun(text: str, tokens: list[Token]) -> int | None:
    """Index of the pronoun right behind the main verb (``The hospital hired her in 1995``), where it is an object."""
    verb = main_verb(text, tokens, 0, len(tokens))
    if verb is None or any(form in _OBJECTS | _SUBJECTS for _, _, form in tokens[: verb + 1]):
        return None
    index = verb + 1
    while (
        index < len(tokens) - 1 and tokens[index - 1][2] in AUXILIARIES and tokens[index][2] not in _OBJECTS
    ):
        index += 1
    if index >= len(tokens) or tokens[index][2] not in _OBJECTS or tokens[index - 1][2] in AUXILIARIES:
        return None
    ends = index + 1 == len(tokens) or tokens[index + 1][2] in PREPOSITIONS
    return index if ends and _is_alone(tokens, index) else None


def _is_alone(tokens: list[Token], index: int) -> bool:
    """Whether no second pronoun stands in the sentence."""
    return not any(form in _OBJECTS | _SUBJECTS for n, (_, _, form) in enumerate(tokens) if n != index)


def names_in(text: str, tokens: list[Token]) -> list[str]:
    """The proper names of a sentence in order, with ``the`` and common words between capitals (``the Gold plan``)."""
    names: list[str] = []
    index = 0
    while index < len(tokens):
        start, _, form = tokens[index]
        if (
            not text[start].isupper()
            or form in _CALENDAR
            or (index == 0 and (is_common(form) or form in DETERMINERS | _ADJUNCTS))
        ):
            index += 1
            continue
        last = index
        while last + 1 < len(tokens) and text[tokens[last + 1][0]].isupper():
            last += 1
        name = text[start : tokens[last][1]]
        if name not in names:
            names.append(name)
        index = last + 1
    return names


def looks_like_a_person(name: str, *, surely: bool = False) -> bool:
    """Whether a name has a title, or two words or more that are not all words of the language.

    Args:
        name: a proper name.
        surely: its last word must be none, so that ``Birch Foods`` and ``Norfell Bridge`` are no persons.

    >>> [looks_like_a_person(name) for name in ("Maria Lund", "Birch Foods", "Larkdesk")]
    [True, False, False]
    """
    words = name.replace(".", "").lower().split()
    if words and words[0] in _TITLES:
        return True
    if len(words) < 2 or words[0] == "the":
        return False
    return not is_common(words[-1]) or (not surely and not is_common(words[0]))
