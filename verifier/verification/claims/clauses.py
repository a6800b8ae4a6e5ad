"""One sentence in; the spans of the statements that it joins come out, where they can be told apart safely.

Left whole: anything with a condition, a subordinate or relative clause, an introductory phrase, an ordering
in time or a paired conjunction, because a part of it says something else than the whole does.
"""

from __future__ import annotations

from dataclasses import dataclass

from verifier.core.lexicon import lexicon
from verifier.verification.claims.verbs import (
    AUXILIARIES,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
    Token,
    finite_verb,
    is_third_person,
    is_verb_form,
    tokens_of,
)

__all__ = ["Clause", "split_clauses"]


@dataclass(frozen=True, slots=True)
class Clause:
    """``sentence[start:end]`` is a statement; ``sentence[start:content]`` only joins it to the one before.

    ``subject`` is what a clause without a subject of its own shares with the one before.
    """

    start: int
    content: int
    end: int
    subject: str = ""


_JOINERS = lexicon("and but while whereas")
_BARE_JOINERS = lexicon("and but")
_HOLDS_TOGETHER = SUBORDINATORS | lexicon("either neither both nor between or only whichever whatever then")
_NOT_FIRST = lexicon("""
    then later afterwards subsequently thus therefore hence only not vice to also eventually finally
    """)
_BINDING = lexicon("if unless when until except provided only whenever respectively both")
_POINTS_BACK = lexicon("""
    it its they them their he him his she her such one ones latter former same other others another rest remainder
    """)
_OPENS_ADJUNCT = lexicon("""
    in on at for since during from by with under until after before as despite within without besides
    according over throughout per upon given following
    """)
_DETERMINERS = lexicon("""
    the a an its their his her our all each every no this these those both some most many your
    """)
_DENYING = lexicon("no nobody none neither few only nothing hardly")
_AFTER_A_NOUN = lexicon("of and or for to in at on from with by")
_LONGEST_SUBJECT = 7
_LONGEST_SENTENCE = 800
"""Code points; a longer sentence is a list or a garble and stays whole."""


def split_clauses(sentence: str) -> list[Clause]:
    """Take a compound sentence apart.

    Returns:
        Clauses in order; together they cover the sentence but for white space between them.

    >>> text = "The pass costs 5 EUR, and it is valid for a day; children pay nothing."
    >>> [text[clause.content : clause.end] for clause in split_clauses(text)]
    ['The pass costs 5 EUR,', 'it is valid for a day;', 'children pay nothing.']
    """
    tokens = tokens_of(sentence) if len(sentence) <= _LONGEST_SENTENCE else []
    clauses: list[Clause] = []
    first = 0
    start = content = 0
    subject = ""
    for index in range(len(tokens)):
        cut = _cut_at(sentence, tokens, first, index)
        if cut is None:
            continue
        end, opening, shared = cut
        clauses.append(Clause(start, content, end, subject))
        first, start, content = opening, _skip_space(sentence, end), tokens[opening][0]
        subject = shared
    return [*clauses, Clause(start, content, len(sentence), subject)]


def _cut_at(sentence: str, tokens: list[Token], first: int, index: int) -> tuple[int, int, str] | None:
    """The cut at token ``index``: end of the left part, token that opens the right one, subject of that."""
    start, end, form = tokens[index]
    if form == ";":
        cut, opening = end, index + 1
        if opening < len(tokens) and tokens[opening][2] in _JOINERS:
            opening += 1
    elif form == "," and index + 1 < len(tokens) and tokens[index + 1][2] in _JOINERS:
        cut, opening = end, index + 2
    elif form in _BARE_JOINERS and index > first and tokens[index - 1][2] not in (",", ";"):
        cut, opening = _rstrip(sentence, start), index + 1
    else:
        return None
    if not _left_stands(sentence, tokens, first, index) or not _right_is_free(tokens, opening):
        return None
    if _own_subject(sentence, tokens, opening, joint=form):
        if _hangs_on_a_name(sentence, tokens, first, index, opening):
            return None
        return cut, opening, ""
    shared = "" if form == ";" else _shared_subject(sentence, tokens, first, index, opening)
    return (cut, opening, shared) if shared else None


def _hangs_on_a_name(sentence: str, tokens: list[Token], first: int, index: int, opening: int) -> bool:
    """Whether the right part speaks of ``the owner``, and only the left one tells by name of what."""
    verb = finite_verb(sentence, tokens, opening)
    if verb is None or tokens[opening][2] != "the":
        return False
    named = any(sentence[start].isupper() for start, _, _ in tokens[opening:verb])
    head = tokens[first + 1 if tokens[first][2] in _DETERMINERS else first : index]
    return not named and any(sentence[start].isupper() for start, _, _ in head[0 if first else 1 :])


def _left_stands(sentence: str, tokens: list[Token], first: int, index: int) -> bool:
    """Whether the part before the joint is a plain main clause that governs nothing behind the joint."""
    left = tokens[first:index]
    verb = finite_verb(sentence, tokens[:index], first)
    if verb is None or verb + 1 >= index or not left or left[0][2] in _OPENS_ADJUNCT:
        return False
    forms = [form for _, _, form in left]
    if any(form in _HOLDS_TOGETHER for form in forms) or "," in forms[: verb - first]:
        return False
    piece = sentence[left[0][0] : tokens[index][0]]
    return (
        piece.count("(") == piece.count(")")
        and piece.count('"') % 2 == 0
        and piece.count("“") == piece.count("”")
    )


def _right_is_free(tokens: list[Token], opening: int) -> bool:
    """Whether what follows the joint carries no condition that may hold for both, and no word that points back."""
    if opening >= len(tokens) or tokens[opening][2] in _NOT_FIRST | _OPENS_ADJUNCT:
        return False
    opener = tokens[opening][2]
    if opener in SUBORDINATORS and opener != "that":
        return False
    if any(form in _BINDING for _, _, form in tokens[opening:]):
        return False
    return not any(form in _POINTS_BACK for _, _, form in tokens[opening + 1 :])


def _own_subject(sentence: str, tokens: list[Token], opening: int, *, joint: str) -> bool:
    """Whether the right part opens with a subject and its finite verb."""
    bare = joint in _BARE_JOINERS
    verb = finite_verb(sentence, tokens, opening)
    if verb is None or not opening < verb <= opening + _LONGEST_SUBJECT:
        return tokens[opening][2] in ("it's", "they're", "he's", "she's", "there's", "we're")
    forms = [form for _, _, form in tokens[opening : verb + 1]]
    if any(form in _JOINERS or form in ",;:()—–" or form in SUBORDINATORS - {"that"} for form in forms[:-1]):
        return False
    led = forms[0] in SUBJECT_PRONOUNS or forms[0] in _DETERMINERS
    if forms[-1] in AUXILIARIES:
        return led or not bare or sentence[tokens[opening][0]].isupper()
    if bare and not led:
        return False
    if forms[0] in SUBJECT_PRONOUNS and verb == opening + 1:
        return True
    following = tokens[verb + 1][2] if verb + 1 < len(tokens) else "of"
    named = led or joint == ";" or sentence[tokens[opening][0]].isupper()
    noun_like = forms[-2].endswith("ing") or following in _AFTER_A_NOUN
    return named and not noun_like and len(forms) <= (3 if bare else 5)


def _shared_subject(sentence: str, tokens: list[Token], first: int, index: int, opening: int) -> str:
    """The subject that a bare predicate behind ``and`` shares (``costs 5 EUR and includes parking``)."""
    verb = finite_verb(sentence, tokens[:index], first)
    form = tokens[opening][2]
    if verb is None or not first < verb <= first + _LONGEST_SUBJECT or not is_verb_form(form):
        return ""
    if opening + 1 >= len(tokens) or form in ("do", "does", "did", "'s"):
        return ""
    subject = tokens[first:verb]
    if any(part in _DENYING or part in _JOINERS or part in ",;:()—–" for _, _, part in subject):
        return ""
    governing = tokens[verb][2]
    if form not in AUXILIARIES:
        same_tense = is_third_person(form) and (
            is_third_person(governing) or governing in ("is", "was", "has")
        )
        if not same_tense or tokens[opening + 1][2] in _AFTER_A_NOUN:
            return ""
    return sentence[subject[0][0] : subject[-1][1]]


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _rstrip(text: str, end: int) -> int:
    return len(text[:end].rstrip())
