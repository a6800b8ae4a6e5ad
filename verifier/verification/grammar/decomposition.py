"""Decomposition of a sentence into statements: its clauses, then their asides.

Of the asides only those are split off that certainly tell of the words before them: a relative clause or an apposition
between commas. A clause that narrows down (``members who pay``), limits, or may tell of the whole event stays where it
is.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from verifier_signals.lexicon import nominal_verb, verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.clauses import SplitClause, split_clauses
from verifier.verification.grammar.scope import ANAPHORIC_WORDS
from verifier.verification.grammar.verbs import (
    WordToken,
    is_certain,
    is_finite,
    is_name,
    main_verb,
    reports,
    tense,
    tokens_of,
)
from verifier.verification.grammar.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVE_PRONOUNS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
)

__all__ = ["APPOSITION", "RELATIVE_CLAUSE", "decompose"]

APPOSITION = "claims.split-apposition"
RELATIVE_CLAUSE = "claims.split-relative-clause"

# -- asides ----------------------------------------------------------------------------------------------------

_REFUSED_BEFORE = (
    SUBORDINATORS
    | PREPOSITIONS - {"of"}
    | lexicon(
        "no nobody none neither few only nothing hardly not and or but if any there it he she they we you i"
    )
)
_LIMITS = lexicon(
    "if unless except when until provided only including excluding like namely but respectively such"
)
_AGENT_ENDS = ("er", "or", "ist", "ian", "ant", "ent", "man", "woman", "yst", "eer")
_LONGEST_SUBJECT = 8


def _split_asides(clause: str, off: Set[str] = frozenset()) -> list[SplitClause]:
    """Take the relative clause or apposition out of a clause; ``off`` are the ids of checks that are switched off.

    >>> text = "Ada Dahl, who founded Acme in 1990, lives in Bonn."
    >>> [part.read(text) for part in _split_asides(text)]
    ['Ada Dahl founded Acme in 1990', 'Ada Dahl lives in Bonn.']
    """
    tokens = tokens_of(clause)
    forms = [form for _, _, form in tokens]
    if "," not in forms or _has_quotes(clause) or {"(", ";", ":"} & set(forms[:-1]):
        return [SplitClause(0, 0, len(clause))]
    commas = [index for index, form in enumerate(forms) if form == ","]
    if not ANAPHORIC_WORDS.isdisjoint(forms[commas[0] :]):
        return [SplitClause(0, 0, len(clause))]
    for opening, split in ((commas[0], _in_the_middle), (commas[-1], _at_the_end)):
        check = _kind_of_aside(forms, opening)
        found = split(clause, tokens, commas) if check not in off else []
        if found:
            return [found[0], *(replace(part, check=check) for part in found[1:])]
    return [SplitClause(0, 0, len(clause))]


def _kind_of_aside(forms: list[str], comma: int) -> str:
    """The id of the check that takes out what stands behind a comma."""
    return APPOSITION if RELATIVE_PRONOUNS.isdisjoint(forms[comma + 1 : comma + 2]) else RELATIVE_CLAUSE


def _has_quotes(clause: str) -> bool:
    return any(mark in clause for mark in '"“”«»')


def _in_the_middle(clause: str, tokens: list[WordToken], commas: list[int]) -> list[SplitClause]:
    """``Subject, aside, verb ...``."""
    if len(commas) < 2:
        return []
    first, second = commas[:2]
    subject, aside = tokens[:first], tokens[first + 1 : second]
    if not _is_subject(clause, tokens, first) or not aside or second + 2 >= len(tokens):
        return []
    if not _main_verb_follows(clause, tokens, second + 1) or reports(tokens, second + 1):
        return []
    name = clause[subject[0][0] : subject[-1][1]]
    edits = _aside_edits(clause, tokens, first, second, subject)
    if edits is None:
        return []
    stop = tokens[second][0]
    rest = tokens[second + 1][0]
    return [
        SplitClause(0, 0, stop + 1, "", (*edits, (stop, stop + 1, ""))),
        SplitClause(rest, rest, len(clause), name),
    ]


def _main_verb_follows(clause: str, tokens: list[WordToken], index: int) -> bool:
    """Whether the verb of the subject follows the second comma; ``and has`` would be a list."""
    form = tokens[index][2]
    if form in AUXILIARIES:
        return True
    verb = verb_of(form)
    if verb is None or verb.form == "ing" or clause[tokens[index][0]].isupper():
        return False
    return verb.form == "past" or verb.share >= 0.3


def _is_subject(clause: str, tokens: list[WordToken], end: int) -> bool:
    """Whether the tokens before the first comma are a subject in particular and nothing else."""
    forms = [form for _, _, form in tokens[:end]]
    if not 0 < end <= _LONGEST_SUBJECT or not _REFUSED_BEFORE.isdisjoint(forms):
        return False
    if any(is_finite(clause, tokens, index) for index in range(1, end)):
        return False
    return forms[0] in DETERMINERS or is_name(clause, tokens[:end])


def _aside_edits(
    clause: str, tokens: list[WordToken], first: int, last: int, subject: list[WordToken]
) -> tuple[tuple[int, int, str], ...] | None:
    """What makes a sentence of ``subject, aside``: its comma goes, with ``who``, or becomes ``is``."""
    aside = tokens[first + 1 : last]
    forms = [form for _, _, form in aside]
    if not _LIMITS.isdisjoint(forms) or not aside:
        return None
    comma = tokens[first][0]
    if forms[0] in RELATIVE_PRONOUNS:
        return _relative_edit(clause, tokens, first, last)
    if any(form in SUBORDINATORS for form in forms) or main_verb(clause, tokens, first + 1, last) is not None:
        return None
    plural = subject[-1][2].endswith("s") and not is_name(clause, subject)
    if not plural and _is_apposition(forms):
        return ((comma, comma + 1, " is"),)
    return None


def _relative_edit(
    clause: str, tokens: list[WordToken], first: int, last: int
) -> tuple[tuple[int, int, str], ...] | None:
    """``, who`` goes; ``, whose boats`` becomes ``'s boats``; the relative must be the subject of its verb."""
    comma, opener, relative = tokens[first][0], tokens[first + 1], tokens[first + 1][2]
    if any(form in SUBORDINATORS for _, _, form in tokens[first + 2 : last]):
        return None
    if relative == "whose":
        return ((comma, opener[1], "'s"),)
    verb = tokens[first + 2] if first + 2 < last else None
    if verb is None or not (verb[2] in AUXILIARIES or verb_of(verb[2]) is not None):
        return None
    if verb[2] in SUBJECT_PRONOUNS | DETERMINERS or clause[verb[0]].isupper():
        return None
    return ((comma, opener[1], ""),)


def _is_apposition(forms: list[str]) -> bool:
    """``a tea trader in Bonn``, ``the former capital``, ``chief executive of Acme``; no list, no event."""
    if "and" in forms or "or" in forms:
        return False
    head = next((n for n, form in enumerate(forms) if form in PREPOSITIONS), len(forms)) - 1
    if head < 0 or forms[0] in ("this", "that", "these", "those", "some", "any", "no", "both", "all"):
        return False
    return forms[0] in DETERMINERS or (head + 1 < len(forms) and _names_a_person(forms[head]))


def _names_a_person(noun: str) -> bool:
    """Whether a noun is for someone who does something, by its ending: ``developer``, ``cardiologist``."""
    return noun.endswith(_AGENT_ENDS) or noun in (
        "executive",
        "chief",
        "head",
        "chair",
        "mayor",
        "captain",
        "widow",
    )


def _names_an_event(noun: str) -> bool:
    """``a rise of 5 percent`` and ``a decision that`` tell of what happened, not of the name before them."""
    verb = verb_of(noun)
    derived = nominal_verb(noun) is not None or (verb is not None and verb.share > 0.15)
    return (derived and not _names_a_person(noun)) or noun in (
        "first",
        "record",
        "feat",
        "setback",
        "success",
    )


def _at_the_end(clause: str, tokens: list[WordToken], commas: list[int]) -> list[SplitClause]:
    """``... Name, who ...`` and ``... Name, a cardiologist from Oslo``, up to the end of the clause."""
    first = commas[-1]
    verb = main_verb(clause, tokens, 0, first)
    if verb is None or first + 2 >= len(tokens) or reports(tokens, verb) or not tokens[:first]:
        return []
    forms = {form for _, _, form in tokens[:first]}
    if forms & (
        _LIMITS | lexicon("not no never that who which whose than nobody none neither either nor both")
    ):
        return []
    name = _name_before(clause, tokens, first)
    if not name or name[0] <= tokens[verb][0]:
        return []
    antecedent = clause[name[0] : name[1]]
    checks: tuple[Callable[..., str | None], ...] = (_final_relative, _final_apposition)
    for check in checks:
        opening = check(clause, tokens, verb, first)
        if opening is not None:
            return _two_parts(clause, tokens, first, antecedent + opening)
    return []


def _two_parts(clause: str, tokens: list[WordToken], comma: int, subject: str) -> list[SplitClause]:
    """The clause up to the comma, and what follows with its own subject; ``'s`` and ``is`` are part of that."""
    stop = tokens[comma][0]
    begin = tokens[comma + 1][0]
    content = tokens[comma + 2][0] if tokens[comma + 1][2] in RELATIVE_PRONOUNS else begin
    return [
        SplitClause(0, 0, stop + 1, "", ((stop, stop + 1, ""),)),
        SplitClause(begin, content, len(clause), subject),
    ]


def _name_before(clause: str, tokens: list[WordToken], end: int) -> tuple[int, int] | None:
    """The proper name that ends right before token ``end``, unless it may belong to a longer phrase."""
    first = end
    while first and clause[tokens[first - 1][0]].isupper():
        first -= 1
    if first == end or first == 0 or not is_name(clause, tokens[first:end]):
        return None
    before = tokens[first - 1][2]
    if before in ("the", "a", "an", "and", "or", ",", "of") or before in SUBJECT_PRONOUNS:
        return None
    return tokens[first][0], tokens[end - 1][1]


def _final_relative(clause: str, tokens: list[WordToken], verb: int, comma: int) -> str | None:
    """What to put between the name and the rest. ``which`` may mean the whole event, unless the tense tells."""
    relative = tokens[comma + 1][2]
    if relative not in RELATIVE_PRONOUNS or _relative_edit(clause, tokens, comma, len(tokens)) is None:
        return None
    if relative == "whose":
        return "'s"
    inner = tense(tokens, comma + 2)
    apart = {inner, tense(tokens, verb)} == {"past", "present"}
    object_follows = comma + 3 < len(tokens) and tokens[comma + 3][2] == "it"
    if relative == "which" and (not apart or object_follows):
        return None
    return ""


def _final_apposition(clause: str, tokens: list[WordToken], verb: int, comma: int) -> str | None:
    forms = [form for _, _, form in tokens[comma + 1 :]]
    if (
        forms[0] not in ("a", "an", "the")
        or not is_certain(clause, tokens, verb)
        or not _is_apposition(forms)
    ):
        return None
    if any(form in SUBORDINATORS or form in _LIMITS for form in forms):
        return None
    if main_verb(clause, tokens, comma + 1, len(tokens)) is not None:
        return None
    head = next((n for n, form in enumerate(forms) if form in PREPOSITIONS), len(forms)) - 1
    return None if _names_an_event(forms[head]) else " is"


# -- all stages ------------------------------------------------------------------------------------------------


def decompose(sentence: str, off: Set[str] = frozenset()) -> list[SplitClause]:
    """Take a sentence apart as far as each part says by itself what it says in the whole.

    Args:
        sentence: one sentence without markup.
        off: the ids of checks that are switched off; what they would part stays whole.

    Returns:
        Parts in order; together they cover the sentence but for white space between them.

    >>> text = "Ada Dahl, a chemist, founded Acme; it sells tea."
    >>> [part.read(text) for part in decompose(text)]
    ['Ada Dahl is a chemist', 'Ada Dahl founded Acme;', 'it sells tea.']
    """
    return [inner for part in split_clauses(sentence, off) for inner in _without_asides(sentence, part, off)]


def _without_asides(sentence: str, part: SplitClause, off: Set[str]) -> list[SplitClause]:
    """Take a part apart that is a sentence as it stands; the first of its own parts keeps what joins it on."""
    if part.subject or part.edits:
        return [part]
    at = part.content
    found = _split_asides(sentence[at : part.end], off)
    if len(found) == 1:
        return [part]
    return [
        SplitClause(
            part.start if number == 0 else inner.start + at,
            inner.content + at,
            inner.end + at,
            inner.subject,
            tuple((start + at, end + at, new) for start, end, new in inner.edits),
            inner.check if number else part.check,
        )
        for number, inner in enumerate(found)
    ]
