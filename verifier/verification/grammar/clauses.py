"""Splitting a compound sentence into the clauses that it joins, where they can be separated safely.

A sentence is left whole where a condition, a report, a subordinate clause, an introductory phrase or an ordering in
time may hold for both parts, because a part of it then says something else than the whole does. A clause that is a mere
verb takes its subject from the one before (``costs 5 EUR and includes parking``).
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.scope import (
    ANAPHORIC_WORDS,
    CONJUNCTIONS,
    FRONTING_PREPOSITIONS,
    NOT_FIRST,
    RESTRICTIVE_PRONOUNS,
    RightPart,
    adjunct_end,
    differ_in_time,
    fronted_end,
    governs_right_part,
    has_new_named_subject,
    is_anaphoric_adjunct,
    is_dated,
    is_nominal_ellipsis,
    is_self_contained,
    is_verb_provided,
    time_reference,
)
from verifier.verification.grammar.verbs import (
    WordToken,
    finite_verb,
    is_certain,
    is_figure,
    is_finite,
    is_predicate,
    main_verb,
    tense,
    tokens_of,
    verb_behind_aside,
)
from verifier.verification.grammar.words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
)

__all__ = ["CLAUSES", "SHARED_SUBJECT", "Replacement", "SplitClause", "split_clauses"]

Replacement = tuple[int, int, str]
"""Start and end in the sentence, and what is read there instead."""


@dataclass(frozen=True, slots=True)
class SplitClause:
    """``sentence[start:end]`` is a statement; ``sentence[start:content]`` only joins it to the one before.

    ``subject`` is what a clause without a subject of its own shares with the one before. ``edits`` make its words a
    sentence (``Ada Dahl, who founded Acme`` is read without ``, who``), in order, not overlapping. ``check`` is the
    id of the check that parts it from the one before, empty for the first.
    """

    start: int
    content: int
    end: int
    subject: str = ""
    edits: tuple[Replacement, ...] = ()
    check: str = ""

    def read(self, sentence: str) -> str:
        """The clause as it is read."""
        out, at = [self.subject + " " if self.subject else ""], self.content
        for start, end, new in self.edits:
            out += [sentence[at:start], new]
            at = end
        return "".join([*out, sentence[at : self.end]])


CLAUSES = "claims.split-clauses"
SHARED_SUBJECT = "claims.split-shared-subject"

_BARE_JOINERS = lexicon("and but whereas")
_CLAUSE_MARKS = lexicon("; – —")
_CONTRACTED = lexicon("it's they're he's she's there's we're")
_CONNECTIVES = lexicon(
    "moreover furthermore additionally likewise similarly meanwhile nevertheless nonetheless however also"
)
_OFTEN = lexicon("daily weekly monthly quarterly yearly")
_LONGEST_OWN_SUBJECT = 20
"""Words of the subject that it may have itself."""
_LONGEST_SENTENCE = 800
"""Code points; a longer sentence is a list or a garble and stays whole."""


def split_clauses(sentence: str, off: Set[str] = frozenset()) -> list[SplitClause]:
    """Take a compound sentence apart; ``off`` are the ids of checks that are switched off.

    Returns:
        Clauses in order; together they cover the sentence but for white space between them.

    >>> text = "The pass costs 5 EUR, and it is valid for a day; children pay nothing."
    >>> [text[clause.content : clause.end] for clause in split_clauses(text)]
    ['The pass costs 5 EUR,', 'it is valid for a day;', 'children pay nothing.']
    """
    tokens = tokens_of(sentence) if len(sentence) <= _LONGEST_SENTENCE else []
    clauses: list[SplitClause] = []
    left = _opening_part(sentence, tokens)
    start = content = 0
    prefix = check = ""
    for index in range(len(tokens)):
        cut = _cut_at(sentence, tokens, left, index)
        if cut is None or cut.check in off:
            continue
        clauses.append(SplitClause(start, content, cut.end, prefix, check=check))
        check = cut.check
        start, content = _skip_space(sentence, cut.end), tokens[cut.opening][0]
        left = cut.right
        prefix = left.shared or left.scope
    return [*clauses, SplitClause(start, content, len(sentence), prefix, check=check)]


class _Part(NamedTuple):
    """What is read of a part when it begins: ``first`` is the token behind what it opens with.

    ``shared`` is the subject that it takes from the part before, ``scope`` what holds for the next one too.
    """

    first: int
    shared: str = ""
    scope: str = ""
    fronted: bool = False
    """Whether it opens with a clause or cause of its own, which holds for no part that tells of something else."""


class _Cut(NamedTuple):
    """Where a part ends, which token opens the next one, and how that is to be read."""

    end: int
    opening: int
    right: _Part

    @property
    def check(self) -> str:
        """The id of the check that cuts here."""
        return SHARED_SUBJECT if self.right.shared else CLAUSES


def _opening_part(sentence: str, tokens: list[WordToken]) -> _Part:
    first = adjunct_end(sentence, tokens, 0)
    if first:
        return _Part(first, scope=_scope(sentence, tokens[:first], tokens[first][0]))
    fronted = fronted_end(sentence, tokens)
    return _Part(fronted, fronted=fronted > 0)


def _scope(sentence: str, adjunct: list[WordToken], end: int) -> str:
    """The phrase that a sentence opens with, as it may stand before each of its clauses; ``""`` if only before one."""
    if not ANAPHORIC_WORDS.isdisjoint(form for _, _, form in adjunct):
        return ""
    return sentence[adjunct[0][0] : end].rstrip(" ,") + ","


def _cut_at(sentence: str, tokens: list[WordToken], left: _Part, index: int) -> _Cut | None:
    """The cut at token ``index`` of the part ``left``."""
    joint = _joint_at(sentence, tokens, left.first, index) if index > left.first else None
    if joint is None:
        return None
    end, opening = joint
    body = adjunct_end(sentence, tokens, opening)
    if tokens[index][2] == ";" and _are_sentences(sentence, tokens, left, index):
        hangs = _hangs_on_a_name(sentence, tokens, left.first, index, opening)
        return None if hangs else _Cut(end, opening, _Part(body))
    verb = left.first if left.shared else _clause_verb(sentence, tokens, left.first, index)
    if verb is None:
        return None
    own = _clause_verb(sentence, tokens, body, min(len(tokens), body + _LONGEST_OWN_SUBJECT + 1))
    behind = _behind(sentence, tokens, index, body, own)
    if not _left_stands(sentence, tokens, left, index, verb, behind):
        return None
    bare = tokens[index][2] == "," and opening == index + 1
    if is_anaphoric_adjunct(tokens[opening:body]):
        return None
    if not is_self_contained(sentence, tokens, index, body, another=behind.another) or (
        body > opening and bare
    ):
        return None
    if _own_subject(sentence, tokens, verb, index, body, own, adjunct=body > opening):
        hangs = _hangs_on_a_name(sentence, tokens, left.first, index, opening)
        scope = _scope_over(tokens, left, verb, opening, body, behind)
        return None if hangs or scope is None else _Cut(end, opening, _Part(body, scope=scope))
    shared = _shared(sentence, tokens, left, verb, index, body)
    return _Cut(end, opening, _Part(body, shared)) if shared else None


def _behind(sentence: str, tokens: list[WordToken], index: int, body: int, verb: int | None) -> RightPart:
    """What stands behind the joint at ``index``, with its subject at ``body`` and its verb."""
    following = tokens[index + 1][2] if index + 1 < len(tokens) else ""
    apart = tokens[index][2] in _CLAUSE_MARKS or (tokens[index][2] == "," and following in CONJUNCTIONS)
    if verb is None:
        return RightPart(apart, own=False, another=False, time="")
    opener = tokens[body][2].split("'")[0]
    own = opener not in AUXILIARIES | SUBJECT_PRONOUNS | ANAPHORIC_WORDS
    another = apart and has_new_named_subject(sentence, tokens, index, body, verb)
    return RightPart(apart, own, another, time_reference(tokens, verb))


def _scope_over(
    tokens: list[WordToken], left: _Part, verb: int, opening: int, body: int, behind: RightPart
) -> str | None:
    """What the left part opens with, as it holds for the right one; ``None`` where it may or may not."""
    if not left.scope or body > opening:
        return ""
    dated = is_dated(tokens[opening:])
    if behind.another and (dated or differ_in_time(time_reference(tokens, verb), behind.time)):
        return ""
    return None if dated else left.scope


def _shared(sentence: str, tokens: list[WordToken], left: _Part, verb: int, index: int, body: int) -> str:
    """The subject that a right part without one takes from the left part; ``""`` where that is not certain."""
    if left.scope or any(form in _CLAUSE_MARKS for _, _, form in tokens[left.first : index + 1]):
        return ""
    if left.shared:
        shares = _shared_up_to(sentence, tokens, verb, index, body) == verb - 1
        return left.shared if shares and body + 1 < len(tokens) else ""
    return _shared_subject(sentence, tokens, left.first, verb, index, body)


def _clause_verb(sentence: str, tokens: list[WordToken], first: int, last: int) -> int | None:
    """The main verb, behind a relative clause that narrows the subject down (``A guest who leaves early pays``)."""
    if (behind := verb_behind_aside(sentence, tokens, first, last)) is not None:
        return behind
    verb = main_verb(sentence, tokens, first, last)
    if verb is None or verb - 1 <= first or tokens[verb - 1][2] not in RESTRICTIVE_PRONOUNS:
        return verb
    joined = False
    for index in range(verb + 2, last):
        form = tokens[index][2]
        if form in ",;:":
            return None
        joined = joined or form in _BARE_JOINERS
        if is_finite(sentence, tokens, index) and tokens[index - 1][2] not in RESTRICTIVE_PRONOUNS:
            if joined:
                return _next_modal(tokens, index, last)
            return index if is_certain(sentence, tokens, index) else None
    return None


def _next_modal(tokens: list[WordToken], first: int, last: int) -> int | None:
    """Behind a relative clause of two verbs only a modal is surely the main one (``who ate but feels well may``)."""
    marks = (index for index in range(first, last) if tokens[index][2] in ",;:")
    return next((index for index in range(first, next(marks, last)) if tokens[index][2] in MODALS), None)


def _joint_at(sentence: str, tokens: list[WordToken], first: int, index: int) -> tuple[int, int] | None:
    """Where the left part would end, and the token that would open the right one."""
    start, end, form = tokens[index]
    following = tokens[index + 1][2] if index + 1 < len(tokens) else ""
    if form in _CLAUSE_MARKS:
        return end, _behind_connective(tokens, index + 1 + (following in CONJUNCTIONS))
    if form == "," and following in CONJUNCTIONS:
        return end, _behind_connective(tokens, index + 2)
    if form == "," and any(later == "and" for _, _, later in tokens[index + 1 :]):
        return end, index + 1
    if form in _BARE_JOINERS and index > first and tokens[index - 1][2] not in {",", *_CLAUSE_MARKS}:
        return _rstrip(sentence, start), index + 1
    return None


def _behind_connective(tokens: list[WordToken], opening: int) -> int:
    """Skip ``moreover,``, which says nothing of its own."""
    if opening + 2 >= len(tokens) or tokens[opening][2] not in _CONNECTIVES:
        return opening
    if tokens[opening + 1][2] == ",":
        return opening + 2
    return opening + (tokens[opening][2] in ("moreover", "furthermore", "additionally"))


def _hangs_on_a_name(sentence: str, tokens: list[WordToken], first: int, index: int, opening: int) -> bool:
    """Whether the right part speaks of ``the owner``, and only the left one tells by name of what."""
    if tokens[opening][2] != "the":
        return False
    verb = _clause_verb(sentence, tokens, opening, len(tokens)) or main_verb(
        sentence, tokens, opening, len(tokens)
    )
    if verb is None:
        return False
    named = any(sentence[start].isupper() for start, _, _ in tokens[opening:verb])
    head = tokens[first + 1 if tokens[first][2] in DETERMINERS else first : index]
    topic = head[0 if first else 1 :]
    return not named and any(
        sentence[start].isupper() and not (at and (topic[at - 1][2] == "by" or is_figure(topic[at - 1][2])))
        for at, (start, _, _) in enumerate(topic)
        if not (at > 1 and topic[at - 2][2] == "by" and sentence[topic[at - 1][0]].isupper())
    )


def _left_stands(
    sentence: str, tokens: list[WordToken], part: _Part, index: int, verb: int, behind: RightPart
) -> bool:
    """Whether the part before the joint is a plain main clause that governs nothing behind the joint."""
    first, marked = part.first, tokens[index][2] in _CLAUSE_MARKS
    opens = tokens[first][2] in FRONTING_PREPOSITIONS and not _counts(tokens, first)
    if opens or (verb + 1 == index and not marked):
        return False
    gone = time_reference(tokens, verb) == "past" and behind.time == "present"
    if part.fronted and not (behind.another or gone):
        return False
    forms = [form for _, _, form in tokens[first:index]]
    commas = "," in forms[: verb - first]
    if (commas and not _is_behind_aside(forms[: verb - first + 1])) or ":" in forms[verb - first :]:
        return False
    if governs_right_part(sentence, tokens, first, verb, index, behind, marked=marked):
        return False
    piece = sentence[tokens[first][0] : tokens[index][0]]
    return (
        piece.count("(") == piece.count(")")
        and piece.count('"') % 2 == 0
        and piece.count("“") == piece.count("”")
    )


def _counts(tokens: list[WordToken], first: int) -> bool:
    """``At least three``, ``over 300``: a preposition that begins a subject."""
    following = tokens[first + 1][2]
    return tokens[first][2] in ("at", "over", "under") and (
        following in ("least", "most") or is_figure(following)
    )


def _are_sentences(sentence: str, tokens: list[WordToken], part: _Part, index: int) -> bool:
    """Whether what a semicolon parts could as well stand on both sides of a full stop."""
    forms = [form for _, _, form in tokens[part.first : index]]
    if {":", "either", "(", ")"} & {*forms} or any(mark in sentence for mark in '"“”'):
        return False
    opening = index + 1 + (index + 1 < len(tokens) and tokens[index + 1][2] in CONJUNCTIONS)
    if opening >= len(tokens) or tokens[opening][2] in NOT_FIRST or is_nominal_ellipsis(tokens, opening):
        return False
    stands = bool(part.shared) or _has_verb(sentence, tokens, part.first, index)
    end = next((at for at in range(opening, len(tokens)) if tokens[at][2] == ";"), len(tokens))
    return stands and _has_verb(sentence, tokens, opening, end)


def _has_verb(sentence: str, tokens: list[WordToken], first: int, last: int) -> bool:
    return (
        main_verb(sentence, tokens, first, last) is not None
        or finite_verb(sentence, tokens[first:last]) is not None
    )


def _own_subject(
    sentence: str,
    tokens: list[WordToken],
    left: int,
    index: int,
    opening: int,
    verb: int | None,
    *,
    adjunct: bool,
) -> bool:
    """Whether the right part opens with a subject before its ``verb``; ``left`` is the left part's verb."""
    joint = tokens[index][2]
    if verb is None:
        return joint != "," and tokens[opening][2] in _CONTRACTED
    if tokens[opening][2] in AUXILIARIES or _is_predicate(sentence, tokens, opening, verb):
        return False
    forms = [form for _, _, form in tokens[opening : verb + 1]]
    if _is_behind_aside(forms):
        return joint == ";" or opening > index + 1
    if any(_ends_subject(forms, at) for at in range(len(forms) - 1)):
        return False
    if forms.count("(") != forms.count(")"):
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


def _ends_subject(forms: list[str], at: int) -> bool:
    """Whether a word cannot stand in a subject that is whole: a joiner, a mark, or what opens a clause."""
    form = forms[at]
    opens = form in SUBORDINATORS - RESTRICTIVE_PRONOUNS and not is_verb_provided(form, forms[at - 1])
    return opens or form in CONJUNCTIONS or form in ",;:—–"


def _is_predicate(sentence: str, tokens: list[WordToken], opening: int, verb: int) -> bool:
    """Whether there is no subject before the verb: ``said the hall was full``, ``already knows it``."""
    first = verb_of(tokens[opening][2])
    if first is not None and first.form == "past":
        behind = tokens[verb][2] not in AUXILIARIES and verb > opening + 1
        preposed = tokens[opening + 1][2] in PREPOSITIONS
        return behind or preposed or is_certain(sentence, tokens, opening)
    subject = tokens[opening:verb]
    return subject[0][2] != "there" and all(_is_adverb(sentence, token) for token in subject)


def _is_adverb(sentence: str, token: WordToken) -> bool:
    start, _, form = token
    lowered = sentence[start].islower() and verb_of(form) is None
    return form in ADVERBS or form == "first" or (form.endswith("ly") and lowered and form not in _OFTEN)


def _is_behind_aside(forms: list[str]) -> bool:
    """Whether an aside between commas stands right before a verb, the last of ``forms``, and no other mark does."""
    return forms[-2] == "," and forms.count(",") == 2 and not _CLAUSE_MARKS & {*forms} and ":" not in forms


def _listed_clause(sentence: str, tokens: list[WordToken], left: int, verb: int) -> bool:
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


# -- shared subjects -------------------------------------------------------------------------------------------

_DENYING = lexicon("no nobody none neither few only nothing hardly")
_LONGEST_SUBJECT = 7
"""Words of a subject that the clause behind a joint may share."""


def _shared_subject(
    sentence: str, tokens: list[WordToken], first: int, verb: int, index: int, opening: int
) -> str:
    """What a bare predicate behind the joint shares with the one before it (``costs 5 EUR and includes parking``).

    The subject, with its auxiliary where the verb needs it (``was sold in 1990 and rebuilt in 2001``).
    """
    if not first < verb <= first + _LONGEST_SUBJECT or opening + 1 >= len(tokens):
        return ""
    subject = tokens[first:verb]
    if any(part in _DENYING or part in CONJUNCTIONS or part in ",;:()—–" for _, _, part in subject):
        return ""
    through = _shared_up_to(sentence, tokens, verb, index, opening)
    return sentence[subject[0][0] : tokens[through][1]] if through is not None else ""


def _shared_up_to(sentence: str, tokens: list[WordToken], verb: int, index: int, opening: int) -> int | None:
    """The last token before the left part's verb that the right part shares; ``None`` where it is no predicate."""
    form, governing = tokens[opening][2], tokens[verb][2]
    listed = tokens[index][2] == "," and opening == index + 1
    if form in AUXILIARIES and not listed:
        return None if form in ("do", "does", "did", "'s") else verb - 1
    born = tokens[verb + 1][2] == "born" if verb + 1 < len(tokens) else False
    if born and is_predicate(sentence, tokens, opening, "past"):
        return verb - 1
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
    if governing in MODALS:
        return verb if base and tokens[verb + 1][2] not in ("not", "never", "only") else None
    same = verb_of(governing)
    return (
        verb - 1
        if base and same is not None and same.form == "base" and governing not in AUXILIARIES
        else None
    )


def _is_participle(tokens: list[WordToken], verb: int, index: int, opening: int) -> bool:
    """Whether a past form behind a verb in the present may belong to a noun: ``makes cheese sold here and shipped``."""
    between = (verb_of(form) for _, _, form in tokens[verb + 1 : index])
    return tokens[opening + 1][2] == "by" or any(one is not None and one.form == "past" for one in between)


def _predicate_follows(sentence: str, tokens: list[WordToken], opening: int) -> bool:
    """Whether the list that begins here ends with ``and`` and another predicate of the same form."""
    verb = verb_of(tokens[opening][2])
    last = max((n for n, token in enumerate(tokens) if token[2] == "and"), default=0)
    return verb is not None and last > opening and is_predicate(sentence, tokens, last + 1, verb.form)


def _is_passive(tokens: list[WordToken], verb: int) -> bool:
    participle = verb_of(tokens[verb + 1][2]) if verb + 1 < len(tokens) else None
    return participle is not None and participle.form == "past"
