"""One sentence in; the spans of the statements that it joins come out, where they can be told apart safely.

Left whole: anything with a condition, a subordinate or relative clause, an introductory phrase, an ordering
in time or a paired conjunction, because a part of it says something else than the whole does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.verification.claims.adjuncts import OPENERS, adjunct_end, is_dated
from verifier.verification.claims.behind import JOINERS, NARROWING, NOT_FIRST, POINTS_BACK, is_free
from verifier.verification.claims.grammar import (
    is_certain,
    is_figure,
    is_finite,
    main_verb,
    reports,
    tense,
)
from verifier.verification.claims.shared import MODALS, shared_subject, shared_up_to
from verifier.verification.claims.verbs import (
    AUXILIARIES,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
    Token,
    finite_verb,
    tokens_of,
)

__all__ = ["Clause", "split_clauses"]


Edit = tuple[int, int, str]
"""Start and end in the sentence, and what is read there instead."""


@dataclass(frozen=True, slots=True)
class Clause:
    """``sentence[start:end]`` is a statement; ``sentence[start:content]`` only joins it to the one before.

    ``subject`` is what a clause without a subject of its own shares with the one before. ``edits`` make its words a
    sentence (``Ada Dahl, who founded Acme`` is read without ``, who``), in order, not overlapping.
    """

    start: int
    content: int
    end: int
    subject: str = ""
    edits: tuple[Edit, ...] = ()

    def read(self, sentence: str) -> str:
        """The clause as it is read."""
        out, at = [self.subject + " " if self.subject else ""], self.content
        for start, end, new in self.edits:
            out += [sentence[at:start], new]
            at = end
        return "".join([*out, sentence[at : self.end]])


_BARE_JOINERS = lexicon("and but whereas")
_HOLDS_TOGETHER = SUBORDINATORS | lexicon("either neither both nor between or only whichever whatever then")
_DETERMINERS = lexicon("""
    the a an its their his her our all each every no this these those both some most many your
    """)
_CLAUSE_MARKS = lexicon("; – —")
_CONTRACTED = lexicon("it's they're he's she's there's we're")
_RELATIVES = lexicon("who whom whose which where")
_FACTIVE = lexicon("because although though")
_FACTIVE_IN_THE_PAST = lexicon("after before when where")
"""What opens a clause that is as true as the one before it, so that neither holds only on the other's account."""
_CONNECTIVES = lexicon(
    "moreover furthermore additionally likewise similarly meanwhile nevertheless nonetheless however also"
)
_ALSO_PREPOSITIONS = lexicon("than after before since until as")
"""Subordinators that may also stand before a mere noun."""
_LONGEST_OWN_SUBJECT = 14
"""Words of the subject that it may have itself."""
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
    first = adjunct_end(sentence, tokens, 0)
    scope = _scope(sentence, tokens[:first], tokens[first][0]) if first else ""
    start = content = 0
    shared = prefix = ""
    for index in range(len(tokens)):
        cut = _cut_at(sentence, tokens, first, index, shared, scope)
        if cut is None:
            continue
        clauses.append(Clause(start, content, cut.end, prefix))
        start, content = _skip_space(sentence, cut.end), tokens[cut.opening][0]
        first, shared, scope = cut.first, cut.shared, cut.scope
        prefix = shared or scope
    return [*clauses, Clause(start, content, len(sentence), prefix)]


def _scope(sentence: str, adjunct: list[Token], end: int) -> str:
    """The phrase that a sentence opens with, as it may stand before each of its clauses; ``""`` if only before one."""
    if not POINTS_BACK.isdisjoint(form for _, _, form in adjunct):
        return ""
    return sentence[adjunct[0][0] : end].rstrip(" ,") + ","


class _Cut(NamedTuple):
    """Where a left part ends and which token opens the right one; ``first`` is that behind an adjunct of its own.

    ``shared`` is the subject that the right part takes from the left one, ``scope`` what it opens with instead.
    """

    end: int
    opening: int
    first: int
    shared: str = ""
    scope: str = ""


def _cut_at(
    sentence: str, tokens: list[Token], first: int, index: int, subject: str, scope: str
) -> _Cut | None:
    """The cut at token ``index``; ``subject`` is what the left part itself shares, ``scope`` what holds for it."""
    joint = _joint_at(sentence, tokens, first, index) if index > first else None
    if joint is None:
        return None
    end, opening = joint
    body = adjunct_end(sentence, tokens, opening)
    if tokens[index][2] == ";" and _are_sentences(sentence, tokens, first, index, subject):
        hangs = _hangs_on_a_name(sentence, tokens, first, index, opening)
        return None if hangs else _Cut(end, opening, body)
    verb = first if subject else _clause_verb(sentence, tokens, first, index)
    if verb is None or not _left_stands(sentence, tokens, first, index, verb):
        return None
    bare = tokens[index][2] == "," and opening == index + 1
    if not is_free(sentence, tokens, index, body) or (body > opening and bare):
        return None
    if _own_subject(sentence, tokens, verb, index, body, adjunct=body > opening):
        if _hangs_on_a_name(sentence, tokens, first, index, opening):
            return None
        if scope and body == opening and is_dated(tokens[opening:]):
            return None
        return _Cut(end, opening, body, "", scope if body == opening else "")
    if tokens[index][2] in _CLAUSE_MARKS or scope:
        return None
    if subject:
        shares = shared_up_to(sentence, tokens, verb, index, body) == verb - 1
        return _Cut(end, opening, body, subject) if shares and body + 1 < len(tokens) else None
    shared = shared_subject(sentence, tokens, first, verb, index, body)
    return _Cut(end, opening, body, shared) if shared else None


def _clause_verb(sentence: str, tokens: list[Token], first: int, last: int) -> int | None:
    """The main verb, behind a relative clause that narrows the subject down (``A guest who leaves early pays``)."""
    verb = main_verb(sentence, tokens, first, last)
    if verb is None or verb - 1 <= first or tokens[verb - 1][2] not in NARROWING:
        return verb
    joined = False
    for index in range(verb + 2, last):
        form = tokens[index][2]
        if form in ",;:":
            return None
        joined = joined or form in _BARE_JOINERS
        if is_finite(sentence, tokens, index) and tokens[index - 1][2] not in NARROWING:
            if joined:
                return _next_modal(tokens, index, last)
            return index if is_certain(sentence, tokens, index) else None
    return None


def _next_modal(tokens: list[Token], first: int, last: int) -> int | None:
    """Behind a relative clause of two verbs only a modal is surely the main one (``who ate but feels well may``)."""
    marks = (index for index in range(first, last) if tokens[index][2] in ",;:")
    return next((index for index in range(first, next(marks, last)) if tokens[index][2] in MODALS), None)


def _joint_at(sentence: str, tokens: list[Token], first: int, index: int) -> tuple[int, int] | None:
    """Where the left part would end, and the token that would open the right one."""
    start, end, form = tokens[index]
    following = tokens[index + 1][2] if index + 1 < len(tokens) else ""
    if form in _CLAUSE_MARKS:
        return end, _behind_connective(tokens, index + 1 + (following in JOINERS))
    if form == "," and following in JOINERS:
        return end, _behind_connective(tokens, index + 2)
    if form == "," and any(later == "and" for _, _, later in tokens[index + 1 :]):
        return end, index + 1
    if form in _BARE_JOINERS and index > first and tokens[index - 1][2] not in {",", *_CLAUSE_MARKS}:
        return _rstrip(sentence, start), index + 1
    return None


def _behind_connective(tokens: list[Token], opening: int) -> int:
    """Skip ``moreover,``, which says nothing of its own."""
    if opening + 2 >= len(tokens) or tokens[opening][2] not in _CONNECTIVES:
        return opening
    if tokens[opening + 1][2] == ",":
        return opening + 2
    return opening + (tokens[opening][2] in ("moreover", "furthermore", "additionally"))


def _hangs_on_a_name(sentence: str, tokens: list[Token], first: int, index: int, opening: int) -> bool:
    """Whether the right part speaks of ``the owner``, and only the left one tells by name of what."""
    verb = main_verb(sentence, tokens, opening, len(tokens))
    if verb is None or tokens[opening][2] != "the":
        return False
    named = any(sentence[start].isupper() for start, _, _ in tokens[opening:verb])
    head = tokens[first + 1 if tokens[first][2] in _DETERMINERS else first : index]
    topic = head[0 if first else 1 :]
    return not named and any(
        sentence[start].isupper() and not (at and (topic[at - 1][2] == "by" or is_figure(topic[at - 1][2])))
        for at, (start, _, _) in enumerate(topic)
        if not (at > 1 and topic[at - 2][2] == "by" and sentence[topic[at - 1][0]].isupper())
    )


def _left_stands(sentence: str, tokens: list[Token], first: int, index: int, verb: int) -> bool:
    """Whether the part before the joint is a plain main clause that governs nothing behind the joint."""
    left = tokens[first:index]
    if left[0][2] in OPENERS or (verb + 1 == index and tokens[index][2] not in _CLAUSE_MARKS):
        return False
    forms = [form for _, _, form in left]
    if "," in forms[: verb - first] or ":" in forms[verb - first :]:
        return False
    if any(
        form in _HOLDS_TOGETHER
        and not (form in NARROWING and first < at < verb)
        and not _governs_no_more(sentence, tokens, at, verb, index)
        for at, form in enumerate(forms, first)
    ):
        return False
    says = reports(tokens, verb) and tokens[index][2] not in _CLAUSE_MARKS
    if says and any(is_finite(sentence, tokens, later) for later in range(verb + 2, index)):
        return False
    piece = sentence[left[0][0] : tokens[index][0]]
    return (
        piece.count("(") == piece.count(")")
        and piece.count('"') % 2 == 0
        and piece.count("“") == piece.count("”")
    )


def _governs_no_more(sentence: str, tokens: list[Token], at: int, verb: int, index: int) -> bool:
    """Whether a subordinator of the left part ends there: a preposition, or before a comma a relative clause."""
    form = tokens[at][2]
    if at < verb:
        return False
    apart = tokens[index][2] == "," and tokens[index + 1][2] in JOINERS
    if apart and (form in _FACTIVE or (form in _FACTIVE_IN_THE_PAST and tense(tokens, verb) == "past")):
        return True
    if apart and form == "or":
        return True
    if apart and form == "that" and at - 1 > verb and at + 1 < index:
        return is_finite(sentence, tokens, at + 1)
    if form in _ALSO_PREPOSITIONS:
        ends = (later for later in range(at + 1, index) if tokens[later][2] in _RELATIVES)
        return not any(is_finite(sentence, tokens, later) for later in range(at + 1, next(ends, index)))
    return form in _RELATIVES and tokens[index][2] == ","


def _are_sentences(sentence: str, tokens: list[Token], first: int, index: int, subject: str) -> bool:
    """Whether what a semicolon parts could as well stand on both sides of a full stop."""
    left = tokens[first:index]
    if {":", "either", "(", ")"} & {form for _, _, form in left} or any(mark in sentence for mark in '"“”'):
        return False
    opening = index + 1 + (index + 1 < len(tokens) and tokens[index + 1][2] in JOINERS)
    if opening >= len(tokens) or tokens[opening][2] in NOT_FIRST:
        return False
    stands = bool(subject) or _has_verb(sentence, tokens, first, index)
    end = next((at for at in range(opening, len(tokens)) if tokens[at][2] == ";"), len(tokens))
    return stands and _has_verb(sentence, tokens, opening, end)


def _has_verb(sentence: str, tokens: list[Token], first: int, last: int) -> bool:
    return (
        main_verb(sentence, tokens, first, last) is not None
        or finite_verb(sentence, tokens[first:last]) is not None
    )


def _own_subject(
    sentence: str, tokens: list[Token], left: int, index: int, opening: int, *, adjunct: bool = False
) -> bool:
    """Whether the right part opens with a subject and its finite verb; ``left`` is the left part's verb."""
    joint = tokens[index][2]
    verb = _clause_verb(sentence, tokens, opening, min(len(tokens), opening + _LONGEST_OWN_SUBJECT + 1))
    if verb is None:
        return joint != "," and tokens[opening][2] in _CONTRACTED
    if tokens[opening][2] in AUXILIARIES:  # ``must be changed`` has no subject
        return False
    forms = [form for _, _, form in tokens[opening : verb + 1]]
    if any(form in JOINERS or form in ",;:()—–" or form in SUBORDINATORS - NARROWING for form in forms[:-1]):
        return False
    if forms[0] in SUBJECT_PRONOUNS and verb == opening + 1:
        return joint != "," or opening > index + 1
    if adjunct and len(forms) == 1:
        return False
    if opening == index + 1 and joint == ",":
        return _listed_clause(sentence, tokens, left, verb)
    if joint not in _BARE_JOINERS:
        return joint != "–" or is_certain(sentence, tokens, verb)
    if forms[-2].endswith("ing") and forms[-1] not in AUXILIARIES:
        return False
    return is_certain(sentence, tokens, verb) and is_certain(sentence, tokens, left)


def _listed_clause(sentence: str, tokens: list[Token], left: int, verb: int) -> bool:
    """Whether what a bare comma opens is a clause among several: ``adults pay 9 EUR, children pay 5 EUR, and ...``."""
    last = next(
        (n for n in range(verb, len(tokens) - 1) if tokens[n][2] == "," and tokens[n + 1][2] == "and"), None
    )
    if last is None or not (is_certain(sentence, tokens, left) and is_certain(sentence, tokens, verb)):
        return False
    final = main_verb(sentence, tokens, last + 2, len(tokens))
    return final is not None and final > last + 2


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _rstrip(text: str, end: int) -> int:
    return len(text[:end].rstrip())
