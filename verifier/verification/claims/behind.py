"""What stands behind a joint in; whether it says by itself what it says in the whole sentence out."""

from __future__ import annotations

from verifier.core.lexicon import lexicon
from verifier.verification.claims.adjuncts import OPENERS
from verifier.verification.claims.grammar import PREPOSITIONS, main_verb
from verifier.verification.claims.verbs import AUXILIARIES, SUBORDINATORS, Token

__all__ = ["JOINERS", "NARROWING", "NOT_FIRST", "POINTS_BACK", "is_free"]

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
_OF_MANY = lexicon("each any no every all most many several few one than")


def is_free(sentence: str, tokens: list[Token], index: int, opening: int) -> bool:
    """Whether what follows the joint carries no condition that may hold for both, and no word that points back."""
    if opening >= len(tokens) or tokens[opening][2] in NOT_FIRST | OPENERS:
        return False
    opener = tokens[opening][2]
    if opener in SUBORDINATORS and opener != "that":
        return False
    forms = [form for _, _, form in tokens[opening:]]
    forms = forms[: forms.index(";")] if ";" in forms else forms
    binds = (
        tokens[index][2] != ";"
        and not _BINDING.isdisjoint(forms)
        and not _is_about_another(sentence, tokens, index, opening)
    )
    forms = forms[: _clause_length(forms)]
    if (opener in _ELLIPTICAL and not _counts(forms)) or _is_elliptical(forms):
        return False
    later = 2 if forms[:2] == ["the", "latter"] else 1
    return not binds and not any(
        form in POINTS_BACK and not _stays_inside(sentence, tokens, opening, opening + at)
        for at, form in enumerate(forms[later:], later)
    )


def _is_about_another(sentence: str, tokens: list[Token], index: int, opening: int) -> bool:
    """Whether what follows a comma and a joiner begins with a name that the part before it does not have, so that a
    condition behind it is its own: ``Ada rows, and the Kern hut is shut when it snows``."""
    if tokens[index][2] != "," or tokens[index + 1][2] not in JOINERS:
        return False
    verb = main_verb(sentence, tokens, opening, len(tokens))
    before = {form for _, _, form in tokens[:index]}
    subject = tokens[opening : verb or opening]
    return any(sentence[start].isupper() and form not in before for start, _, form in subject)


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
    in_may = last[-2:-1] and last[-2] in PREPOSITIONS and last[-1] == "may"
    return bool(last) and last[-1] in AUXILIARIES and not in_may


def _stays_inside(sentence: str, tokens: list[Token], opening: int, at: int) -> bool:
    """Whether a word that may point back does not: ``each other``, ``one day``, ``the staff dug before they built``."""
    form, before = tokens[at][2], tokens[at - 1][2]
    following = tokens[at + 1][2] if at + 1 < len(tokens) else ""
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
