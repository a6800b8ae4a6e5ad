"""What stands behind a joint in; whether it says by itself what it says in the whole sentence out."""

from __future__ import annotations

from itertools import pairwise

from verifier.core.lexicon import lexicon
from verifier.verification.claims.adjuncts import CALENDAR, OPENERS
from verifier.verification.claims.grammar import PREPOSITIONS, main_verb
from verifier.verification.claims.verbs import AUXILIARIES, SUBORDINATORS, Token

__all__ = [
    "JOINERS",
    "NARROWING",
    "NOT_FIRST",
    "POINTS_BACK",
    "is_free",
    "is_provided",
    "names_another",
    "points_back",
    "stands_for_others",
]

JOINERS = lexicon("and but while whereas")
NARROWING = lexicon("who which that")
NOT_FIRST = lexicon("""
    then later afterwards subsequently thus therefore hence otherwise else instead however only not vice to also
    eventually finally
    """)
_BINDING = lexicon("if unless when until except provided only whenever respectively both")
POINTS_BACK = lexicon("""
    it its they them their he him his she her such one ones latter former same other others another rest remainder
    """)
_ELLIPTICAL = lexicon(
    "one none neither some most few many all each both several another half two three four five six"
)
"""What may stand for things that only the clause before names."""
_PARTICLES = lexicon("up out off down over")
_OF_TODAY = lexicon("day week month year season century of")
_DEMONSTRATIVES = lexicon("this that these those")
_OF_MANY = lexicon("each any no every all most many several few one than")


def is_free(sentence: str, tokens: list[Token], index: int, opening: int, *, another: bool) -> bool:
    """Whether what follows the joint carries no condition that may hold for both, and no word that points back.

    ``another`` says that it tells of another thing by name, so that a condition behind it is its own: ``Ada rows, and
    the Kern hut is shut when it snows``.
    """
    if opening >= len(tokens) or tokens[opening][2] in NOT_FIRST | OPENERS:
        return False
    opener = tokens[opening][2]
    if opener in SUBORDINATORS and opener != "that":
        return False
    forms = [form for _, _, form in tokens[opening:]]
    forms = forms[: forms.index(";")] if ";" in forms else forms
    if not forms:
        return False
    binds = (
        tokens[index][2] != ";"
        and not another
        and any(form in _BINDING and not is_provided(form, before) for before, form in pairwise(["", *forms]))
    )
    forms = forms[: _clause_length(forms)]
    if stands_for_others(tokens, opening) or _is_elliptical(forms) or _points_to_what_was_said(forms):
        return False
    later = 2 if forms[:2] == ["the", "latter"] else 1
    return not binds and not any(
        form in POINTS_BACK and not _stays_inside(sentence, tokens, opening, opening + at)
        for at, form in enumerate(forms[later:], later)
    )


def stands_for_others(tokens: list[Token], opening: int) -> bool:
    """Whether what opens there stands for things that only the part before names: ``two are free``."""
    forms = [form for _, _, form in tokens[opening : opening + 2]]
    return forms[0] in _ELLIPTICAL and (forms[0] == "none" or not _counts(forms))


def points_back(adjunct: list[Token]) -> bool:
    """Whether the phrase before a subject tells by another part alone of what it is (``in the other years``)."""
    return not (POINTS_BACK | _DEMONSTRATIVES).isdisjoint(form for _, _, form in adjunct)


def _points_to_what_was_said(forms: list[str]) -> bool:
    """``on that account``, ``against this``, ``of those``; not ``this year``."""
    return any(
        forms[at] in (PREPOSITIONS - _PARTICLES if form != "those" else ("of",))
        and following not in _OF_TODAY
        for at, (form, following) in enumerate(pairwise([*forms[1:], ""]))
        if form in _DEMONSTRATIVES
    )


def names_another(sentence: str, tokens: list[Token], index: int, opening: int, verb: int) -> bool:
    """Whether the subject ``tokens[opening:verb]`` bears a name that nothing before the joint at ``index`` does."""
    before = {_unpossessed(form) for _, _, form in tokens[:index]}
    subject = tokens[opening:verb]
    commas = (at for at, (_, _, form) in enumerate(subject) if form == ",")
    return any(
        sentence[start].isupper()
        and not sentence[start:end].isupper()
        and form not in CALENDAR
        and _unpossessed(form) not in before
        for start, end, form in subject[: next(commas, len(subject))]
    )


def _unpossessed(form: str) -> str:
    return form.removesuffix("'s")


def is_provided(form: str, before: str) -> bool:
    """Whether a word is ``provided`` as a verb (``who provided it``), which opens no condition."""
    return form == "provided" and before in NARROWING | AUXILIARIES


def _clause_length(forms: list[str]) -> int:
    """How many words there are up to the next ``, and`` or ``, while``."""
    joints = (at for at in range(1, len(forms) - 1) if forms[at] == "," and forms[at + 1] in JOINERS)
    return next(joints, len(forms))


def _counts(forms: list[str]) -> bool:
    """Whether a number or quantity stands before its noun."""
    return len(forms) > 1 and forms[1] not in PREPOSITIONS - {"of"} | AUXILIARIES | NARROWING | {"", ",", ";"}


def _is_elliptical(forms: list[str]) -> bool:
    """Whether a clause leaves its predicate to the one before: ``the second one is not``."""
    last = forms[:-1] if forms[-1] in ("not", "too", "either") else forms
    if forms[-1] in ("none", "any"):
        return True
    in_may = last[-2:-1] and last[-2] in PREPOSITIONS and last[-1] == "may"
    return bool(last) and last[-1] in AUXILIARIES and not in_may


def _stays_inside(sentence: str, tokens: list[Token], opening: int, at: int) -> bool:
    """Whether a word that may point back does not: ``each other``, ``one day``, ``the staff dug before they built``."""
    form, before = tokens[at][2], tokens[at - 1][2]
    following = tokens[at + 1][2] if at + 1 < len(tokens) else ""
    if form in ("its", "their", "his") and _is_in_aside(tokens, opening, at):
        return True
    if form in ("its", "their") and before == "than":
        return True
    if form in ("one", "ones") and before == "the" and tokens[at - 2][2] == "than":
        return True
    if form in ("other", "others", "another"):
        return before in _OF_MANY or (before == "the" and tokens[at - 2][2] in _OF_MANY)
    if form == "one":
        return _counts([form, following]) and before != "the"
    if form == "such":
        return following == "as"
    if form in ("it", "they", "he", "she") and before in SUBORDINATORS:
        verb = main_verb(sentence, tokens, opening, at)
        subject = tokens[opening:verb] if verb else []
        several = any(word.endswith("s") or word in ("people", "children") for _, _, word in subject)
        return bool(subject) and (form == "they") == several
    return False


def _is_in_aside(tokens: list[Token], opening: int, at: int) -> bool:
    """Whether a word stands in a relative clause between commas, which tells of the subject."""
    comma = next((n for n in range(at - 1, opening, -1) if tokens[n][2] == ","), None)
    return comma is not None and tokens[comma + 1][2] in ("who", "which", "whose")
