"""Opinion detection: whether a sentence without figures only voices a judgement, a taste or a wish.

A judgement is told by its shape, not by a word of praise: the *main* verb must be one that judges, its subject must
be bare, and nothing may follow that says more. ``The beautiful bridge was sold`` is a claim.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.verification.claims import opinion_patterns as shape
from verifier.verification.grammar.verbs import finite_verb, is_verb_form, tokens_of
from verifier.verification.grammar.words import SUBORDINATORS

__all__ = ["TURNS", "is_opinion"]

TURNS = re.compile(r"\b(?:but|however|though|although|because|since|except|only|instead)\b|;", re.IGNORECASE)
"""Words that turn a sentence towards something else: what follows them may be a fact."""

_RANKS = re.compile(
    r"\bthe\s(?:single\s|very\s)?(?:most|least|(?!best|honest|modest)[a-z]{3,}est)\b", re.IGNORECASE
)
"""A superlative ranks: documents may say who holds the first place, so without the mark of an opinion it is a claim."""

_COMPARING = lexicon("than as so")
_IMAGINING = _COMPARING | lexicon("if before once what how who when")
_ADDING = lexicon("and with by named called")
_SAYING = lexicon("""
    assert assume believe call claim conclude deny describe hold imply infer pretend say speak state
    suggest suppose think
    """)
_DEFINITE = lexicon("the this that these those our their my its his her")
_ANYBODY = lexicon("you one we people everyone everybody anyone")
_AFTER_A_TASTE = lexicon("is are were have be do")
_LONGEST_SUBJECT = 12


def is_opinion(bare: str) -> bool:
    """Whether a sentence without figures is a matter of taste and says nothing else.

    Behind a mark (``I think``, ``in my view``) any word that judges will do as predicate; without one it must be
    a word that nobody uses of facts.

    >>> is_opinion("The design is beautiful"), is_opinion("I think the shop closes on holidays")
    (True, False)
    >>> is_opinion("The crossing is well worth getting up for"), is_opinion("The beautiful bridge was sold")
    (True, False)
    """
    core, own = _without(bare, shape.OWN)
    core, hedged = _without(core, shape.HEDGE)
    if hedged and not own:
        core, own = _without(core, shape.OWN)
    core = core.removeprefix("that ")
    if not own and not hedged and _RANKS.search(core):
        return False
    if not own and not hedged and shape.TRIGGERS.isdisjoint(form for _, _, form in tokens_of(core)):
        return False
    return _voices(core, marked=own or hedged)


def _voices(core: str, *, marked: bool) -> bool:
    """Whether a statement without the mark of an opinion is one; ``marked``: it had such a mark."""
    if shape.WHOLE.fullmatch(core):
        return _says_no_more(core.replace(" with ", " "), allowed=_IMAGINING)
    if TURNS.search(core):
        return False
    if taste := shape.TASTE_OF_MINE.match(core):
        rest = core[taste.end() :]
        return _says_no_more(rest, allowed=_COMPARING) and _verbs_in(rest) <= _AFTER_A_TASTE
    return _judges(core, marked=marked)


def _without(text: str, mark: re.Pattern[str]) -> tuple[str, bool]:
    """The text without the mark of an opinion at its beginning, and whether there was one."""
    match = mark.match(text)
    return (text, False) if match is None else (text[match.end() :].strip(" ,"), True)


def _judges(text: str, *, marked: bool) -> bool:
    """Whether the sentence is a bare subject, a linking or feeling verb and a judgement, up to its end."""
    tokens = tokens_of(text)
    main = finite_verb(text, tokens)
    last = _LONGEST_SUBJECT if main is None else min(main, _LONGEST_SUBJECT)
    for number, (start, _, form) in enumerate(tokens[: last + 1]):
        at = start + form.find("'s") if form.endswith("'s") else start
        if at > 0 and (number > 0 or at > start) and _judges_from(text, at, marked=marked):
            return _is_bare_subject(text[:at])
    return False


def _judges_from(text: str, at: int, *, marked: bool) -> bool:
    """Whether the predicate that begins at ``at`` judges, and no more."""
    if match := shape.FEELING.fullmatch(text, at - 1):
        wish = shape.WISH.search(match[0])
        return _ends_there(match) and not (wish and _is_advice(text[:at]))
    verb = shape.LINKING.match(text, at)
    if verb is None:
        return False
    match = shape.PREDICATE.fullmatch(text, verb.end())
    if match is None and marked:
        match = shape.LENIENT.fullmatch(text, verb.end())
    return match is not None and _ends_there(match)


def _ends_there(match: re.Match[str]) -> bool:
    """Whether what follows the judgement only says in what respect."""
    tail = match["tail"] or ""
    return not _verbs_in(tail) and _says_no_more(tail, allowed=_COMPARING)


def _says_no_more(text: str, *, allowed: frozenset[str]) -> bool:
    """Whether words hold no clause, addition or report that could be right or wrong by itself."""
    refused = (SUBORDINATORS - allowed) | _ADDING | _SAYING
    return all(form not in refused for _, _, form in tokens_of(text))


def _verbs_in(text: str) -> set[str]:
    return {form for _, _, form in tokens_of(text) if is_verb_form(form)}


def _is_bare_subject(text: str) -> bool:
    """Whether a subject only names something: no clause, and no participle that says what became of it."""
    forms = [form for _, _, form in tokens_of(text)]
    if not forms or forms[0] == "according":
        return False
    told = any(form in SUBORDINATORS or form in _ADDING - {"and"} or form in ",;:()" for form in forms[1:])
    done = any(is_verb_form(form) or (form.endswith("ed") and len(form) > 4) for form in forms)
    return not told and not done


def _is_advice(subject: str) -> bool:
    """Whether a subject is a kind of people (``Patients``), not someone in particular."""
    forms = [form for _, _, form in tokens_of(subject)]
    plural = forms[-1].endswith("s") and not forms[-1].endswith("ss")
    return forms[-1] in _ANYBODY or (forms[0] not in _DEFINITE and plural)
