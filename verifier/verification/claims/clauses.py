"""One sentence in; the spans of the statements that it joins come out, where they can be told apart safely.

Left whole: anything with a condition, a subordinate or relative clause, an introductory phrase, an ordering
in time or a paired conjunction, because a part of it says something else than the whole does.
"""

from __future__ import annotations

from dataclasses import dataclass

from signals.lexicon import verb_of
from verifier.core.lexicon import lexicon
from verifier.verification.claims.grammar import (
    is_certain,
    is_finite,
    is_predicate,
    main_verb,
    reports,
    tense,
)
from verifier.verification.claims.verbs import (
    AUXILIARIES,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
    Token,
    finite_verb,
    tokens_of,
)

__all__ = ["POINTS_BACK", "Clause", "split_clauses"]


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


_JOINERS = lexicon("and but while whereas")
_BARE_JOINERS = lexicon("and but")
_HOLDS_TOGETHER = SUBORDINATORS | lexicon("either neither both nor between or only whichever whatever then")
_NOT_FIRST = lexicon("""
    then later afterwards subsequently thus therefore hence otherwise else instead however only not vice to also
    eventually finally
    """)
_BINDING = lexicon("if unless when until except provided only whenever respectively both")
POINTS_BACK = lexicon("""
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
_MODALS = lexicon("will would can could may might must shall should")
_CLAUSE_MARKS = lexicon("; – —")
_CONTRACTED = lexicon("it's they're he's she's there's we're")
_RELATIVES = lexicon("who whom whose which where")
_ALSO_PREPOSITIONS = lexicon("than after before since until as")
"""Subordinators that may also stand before a mere noun."""
_LONGEST_SUBJECT = 7
"""Words of a subject that the clause behind a joint may share."""
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
    first = 0
    start = content = 0
    subject = ""
    for index in range(len(tokens)):
        cut = _cut_at(sentence, tokens, first, index, subject)
        if cut is None:
            continue
        end, opening, shared = cut
        clauses.append(Clause(start, content, end, subject))
        first, start, content = opening, _skip_space(sentence, end), tokens[opening][0]
        subject = shared
    return [*clauses, Clause(start, content, len(sentence), subject)]


def _cut_at(
    sentence: str, tokens: list[Token], first: int, index: int, subject: str
) -> tuple[int, int, str] | None:
    """The cut at token ``index``: end of the left part, token that opens the right one, subject of that.

    ``subject`` is what the left part itself shares with the one before it.
    """
    joint = _joint_at(sentence, tokens, first, index)
    if joint is None:
        return None
    cut, opening = joint
    if tokens[index][2] == ";" and _are_sentences(sentence, tokens, first, index, subject):
        return None if _hangs_on_a_name(sentence, tokens, first, index, opening) else (cut, opening, "")
    verb = first if subject else main_verb(sentence, tokens, first, index)
    if verb is None or not _left_stands(sentence, tokens, first, index, verb):
        return None
    if not _right_is_free(tokens, index, opening):
        return None
    form = tokens[index][2]
    if _own_subject(sentence, tokens, verb, index, opening):
        if _hangs_on_a_name(sentence, tokens, first, index, opening):
            return None
        return cut, opening, ""
    if form in _CLAUSE_MARKS:
        return None
    if subject:
        shares = _shared_up_to(sentence, tokens, verb, index, opening) == verb - 1
        return (cut, opening, subject) if shares and opening + 1 < len(tokens) else None
    shared = _shared_subject(sentence, tokens, first, verb, index, opening)
    return (cut, opening, shared) if shared else None


def _joint_at(sentence: str, tokens: list[Token], first: int, index: int) -> tuple[int, int] | None:
    """Where the left part would end, and the token that would open the right one."""
    start, end, form = tokens[index]
    following = tokens[index + 1][2] if index + 1 < len(tokens) else ""
    if form in _CLAUSE_MARKS:
        return end, index + 1 + (following in _JOINERS)
    if form == "," and following in _JOINERS:
        return end, index + 2
    if form == "," and any(later == "and" for _, _, later in tokens[index + 1 :]):
        return end, index + 1
    if form in _BARE_JOINERS and index > first and tokens[index - 1][2] not in {",", *_CLAUSE_MARKS}:
        return _rstrip(sentence, start), index + 1
    return None


def _hangs_on_a_name(sentence: str, tokens: list[Token], first: int, index: int, opening: int) -> bool:
    """Whether the right part speaks of ``the owner``, and only the left one tells by name of what."""
    verb = main_verb(sentence, tokens, opening, len(tokens))
    if verb is None or tokens[opening][2] != "the":
        return False
    named = any(sentence[start].isupper() for start, _, _ in tokens[opening:verb])
    head = tokens[first + 1 if tokens[first][2] in _DETERMINERS else first : index]
    return not named and any(sentence[start].isupper() for start, _, _ in head[0 if first else 1 :])


def _left_stands(sentence: str, tokens: list[Token], first: int, index: int, verb: int) -> bool:
    """Whether the part before the joint is a plain main clause that governs nothing behind the joint."""
    left = tokens[first:index]
    if left[0][2] in _OPENS_ADJUNCT or (verb + 1 == index and tokens[index][2] not in _CLAUSE_MARKS):
        return False
    forms = [form for _, _, form in left]
    if "," in forms[: verb - first] or ":" in forms[verb - first :]:
        return False
    if any(
        form in _HOLDS_TOGETHER and not _governs_no_more(sentence, tokens, at, verb, index)
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
    if form in _ALSO_PREPOSITIONS:
        ends = (later for later in range(at + 1, index) if tokens[later][2] in _RELATIVES)
        return not any(is_finite(sentence, tokens, later) for later in range(at + 1, next(ends, index)))
    return form in _RELATIVES and tokens[index][2] == ","


def _are_sentences(sentence: str, tokens: list[Token], first: int, index: int, subject: str) -> bool:
    """Whether what a semicolon parts could as well stand on both sides of a full stop."""
    left = tokens[first:index]
    if {":", "either", "(", ")"} & {form for _, _, form in left} or any(mark in sentence for mark in '"“”'):
        return False
    opening = index + 1 + (index + 1 < len(tokens) and tokens[index + 1][2] in _JOINERS)
    if opening >= len(tokens) or tokens[opening][2] in _NOT_FIRST:
        return False
    stands = bool(subject) or _has_verb(sentence, tokens, first, index)
    end = next((at for at in range(opening, len(tokens)) if tokens[at][2] == ";"), len(tokens))
    return stands and _has_verb(sentence, tokens, opening, end)


def _has_verb(sentence: str, tokens: list[Token], first: int, last: int) -> bool:
    return (
        main_verb(sentence, tokens, first, last) is not None
        or finite_verb(sentence, tokens[first:last]) is not None
    )


def _right_is_free(tokens: list[Token], index: int, opening: int) -> bool:
    """Whether what follows the joint carries no condition that may hold for both, and no word that points back."""
    if opening >= len(tokens) or tokens[opening][2] in _NOT_FIRST | _OPENS_ADJUNCT:
        return False
    opener = tokens[opening][2]
    if opener in SUBORDINATORS and opener != "that":
        return False
    forms = [form for _, _, form in tokens[opening:]]
    forms = forms[: forms.index(";")] if ";" in forms else forms
    later = forms[2:] if forms[:2] == ["the", "latter"] else forms[1:]
    binds = tokens[index][2] != ";" and not _BINDING.isdisjoint(forms)
    return not binds and POINTS_BACK.isdisjoint(later)


def _own_subject(sentence: str, tokens: list[Token], left: int, index: int, opening: int) -> bool:
    """Whether the right part opens with a subject and its finite verb; ``left`` is the left part's verb."""
    joint = tokens[index][2]
    verb = main_verb(sentence, tokens, opening, min(len(tokens), opening + _LONGEST_OWN_SUBJECT + 1))
    if verb is None:
        return joint != "," and tokens[opening][2] in _CONTRACTED
    if tokens[opening][2] in AUXILIARIES:  # ``must be changed`` has no subject
        return False
    forms = [form for _, _, form in tokens[opening : verb + 1]]
    if any(form in _JOINERS or form in ",;:()—–" or form in SUBORDINATORS - {"that"} for form in forms[:-1]):
        return False
    if forms[0] in SUBJECT_PRONOUNS and verb == opening + 1:
        return joint != "," or opening > index + 1
    if opening == index + 1 and joint == ",":
        return False
    if joint not in _BARE_JOINERS:
        return joint != "–" or is_certain(sentence, tokens, verb)
    if forms[-2].endswith("ing") and forms[-1] not in AUXILIARIES:
        return False
    return is_certain(sentence, tokens, verb) and is_certain(sentence, tokens, left)


def _shared_subject(
    sentence: str, tokens: list[Token], first: int, verb: int, index: int, opening: int
) -> str:
    """What a bare predicate behind the joint shares with the one before it (``costs 5 EUR and includes parking``).

    The subject, with its auxiliary where the verb needs it (``was sold in 1990 and rebuilt in 2001``).
    """
    if not first < verb <= first + _LONGEST_SUBJECT or opening + 1 >= len(tokens):
        return ""
    subject = tokens[first:verb]
    if any(part in _DENYING or part in _JOINERS or part in ",;:()—–" for _, _, part in subject):
        return ""
    through = _shared_up_to(sentence, tokens, verb, index, opening)
    return sentence[subject[0][0] : tokens[through][1]] if through is not None else ""


def _shared_up_to(sentence: str, tokens: list[Token], verb: int, index: int, opening: int) -> int | None:
    """The last token before the left part's verb that the right part shares; ``None`` where it is no predicate."""
    form, governing = tokens[opening][2], tokens[verb][2]
    listed = tokens[index][2] == "," and opening == index + 1
    if form in AUXILIARIES and not listed:
        return None if form in ("do", "does", "did", "'s") else verb - 1
    if listed and not (
        is_certain(sentence, tokens, opening) and _predicate_follows(sentence, tokens, opening)
    ):
        return None
    if is_predicate(sentence, tokens, opening, "s"):
        singular = verb_of(governing)
        agrees = governing in ("is", "was", "has") or (singular is not None and singular.form == "s")
        return verb - 1 if agrees else None
    if is_predicate(sentence, tokens, opening, "past"):
        if governing not in AUXILIARIES:
            told = tense(tokens, verb) == "past" or not _is_participle(tokens, verb, index, opening)
            return verb - 1 if told else None
        if governing in ("was", "were") and _is_passive(tokens, verb):
            if is_certain(sentence, tokens, opening):
                return verb - 1
            return verb if tokens[opening + 1][2] == "by" else None
        return None
    base = is_predicate(sentence, tokens, opening, "base")
    if governing in _MODALS:
        return verb if base and tokens[verb + 1][2] not in ("not", "never", "only") else None
    same = verb_of(governing)
    return (
        verb - 1
        if base and same is not None and same.form == "base" and governing not in AUXILIARIES
        else None
    )


def _is_participle(tokens: list[Token], verb: int, index: int, opening: int) -> bool:
    """Whether a past form behind a verb in the present may belong to a noun: ``makes cheese sold here and shipped``."""
    between = (verb_of(form) for _, _, form in tokens[verb + 1 : index])
    return tokens[opening + 1][2] == "by" or any(one is not None and one.form == "past" for one in between)


def _predicate_follows(sentence: str, tokens: list[Token], opening: int) -> bool:
    """Whether the list that begins here ends with ``and`` and another predicate of the same form."""
    verb = verb_of(tokens[opening][2])
    last = max((n for n, token in enumerate(tokens) if token[2] == "and"), default=0)
    return verb is not None and last > opening and is_predicate(sentence, tokens, last + 1, verb.form)


def _is_passive(tokens: list[Token], verb: int) -> bool:
    participle = verb_of(tokens[verb + 1][2]) if verb + 1 < len(tokens) else None
    return participle is not None and participle.form == "past"


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _rstrip(text: str, end: int) -> int:
    return len(text[:end].rstrip())
