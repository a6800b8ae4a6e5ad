"""Splitting a clause that says the same of several things (``A costs 5, B 6 and C 7 dollars``, ``both A and B``).

Each statement takes from the others what it leaves out: subject, verb, preposition or unit. A clause where that is not
certain stays whole.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.clauses import SplitClause
from verifier.verification.grammar.verbs import (
    WordToken,
    is_figure,
    is_finite,
    is_predicate,
    main_verb,
    plural_verb,
    tokens_of,
)
from verifier.verification.grammar.words import AUXILIARIES, PREPOSITIONS, SUBORDINATORS

__all__ = ["BOTH", "RESPECTIVELY", "SERIES", "parted_by", "split_coordination"]

BOTH = "claims.split-both"
RESPECTIVELY = "claims.split-respectively"
SERIES = "claims.split-series"

_MEASURES = lexicon("""
    second seconds minute minutes hour hours day days week weeks month months year years inch inches foot feet yard
    yards pound pounds ounce ounces pence penny shilling shillings dollar dollars cent cents euro euros metre metres
    meter meters centimetre centimetres mm cm m km kg g kilos grams stone degrees percent
    """)
"""Units of which two make one amount (``5 hours and 20 minutes``)."""
_REFUSED = SUBORDINATORS | lexicon(
    "between from either neither nor or total together combined than not no never"
)
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_LONGEST = 60
"""Tokens; a longer clause is left whole."""
_MOST_IN_NAME = 5


class _Part(NamedTuple):
    """A piece of a series: its tokens are ``first`` up to ``last`` (not included), ``figure`` is where it counts."""

    first: int
    last: int
    figure: int


def split_coordination(clause: str, off: Set[str] = frozenset()) -> list[SplitClause]:
    """Take a clause apart that says the same of several things; ``off`` are the ids of checks that are switched off.

    >>> text = "The Basic plan costs 5 euros, the Plus plan 9 and the Pro plan 15."
    >>> [part.read(text) for part in split_coordination(text)]
    ['The Basic plan costs 5 euros', 'the Plus plan costs 9 euros', 'the Pro plan costs 15 euros.']
    """
    tokens = tokens_of(clause)
    whole = [SplitClause(0, 0, len(clause))]
    if not 4 < len(tokens) <= _LONGEST or any(mark in clause for mark in '"“()'):
        return whole
    forms = [form for _, _, form in tokens]
    for paired, split, check in (("respectively", _respectively, RESPECTIVELY), ("both", _both, BOTH)):
        if paired in forms:
            return parted_by(check, split(clause, tokens), off) or whole
    if not _REFUSED.isdisjoint(forms) or "and" not in forms:
        return whole
    return parted_by(SERIES, _figures(clause, tokens), off) or whole


def parted_by(check: str, parts: Sequence[SplitClause], off: Set[str]) -> list[SplitClause]:
    """The parts as those of a check, none where it is switched off."""
    if check in off:
        return []
    return [replace(part, check=check) if number else part for number, part in enumerate(parts)]


# -- A costs 5, B 6 and C 7 dollars -----------------------------------------------------------------------------


def _figures(clause: str, tokens: list[WordToken]) -> list[SplitClause]:
    """Several figures behind one verb, each with a subject or a tail of its own."""
    verb = main_verb(clause, tokens, 0, len(tokens))
    if verb is None or "," in [form for _, _, form in tokens[:verb]]:
        return []
    figure = verb + 1
    if figure < len(tokens) and tokens[figure][2] in ("about", "only", "some", "nearly", "over", "around"):
        figure += 1
    if figure >= len(tokens) or not is_figure(tokens[figure][2]):
        return []
    parts = _parts(tokens, figure)
    if len(parts) < 2:
        return []
    named = all(_is_subject(clause, tokens, part) for part in parts[1:])
    bare = all(part.figure == part.first for part in parts[1:])
    if named:
        return _with_subjects(clause, tokens, verb, parts)
    return _with_tails(clause, tokens, parts) if bare else []


def _parts(tokens: list[WordToken], figure: int) -> list[_Part]:
    """The pieces between commas and ``and``, where each one holds a single figure; else none."""
    cuts = [n for n in range(figure + 1, len(tokens)) if tokens[n][2] in (",", "and")]
    cuts = [n for n in cuts if not (tokens[n][2] == "," and n + 1 in cuts)]
    if not cuts or tokens[cuts[-1]][2] != "and" or any(tokens[n][2] != "," for n in cuts[:-1]):
        return []
    parts: list[_Part] = []
    for first, last in zip([figure, *(n + 1 for n in cuts)], [*cuts, len(tokens)], strict=True):
        end = last - 1 if tokens[last - 1][2] == "," else last
        figures = [n for n in range(first, end) if is_figure(tokens[n][2])]
        if not figures or (len(figures) > 1 and figures[0] != first):
            return []
        parts.append(_Part(first, end, figures[0]))
    return parts


def _is_subject(clause: str, tokens: list[WordToken], part: _Part) -> bool:
    """Whether a piece opens with what its figure is of: a short noun phrase."""
    words = tokens[part.first : part.figure]
    named = bool(words) and (
        clause[words[0][0]].isupper() or words[0][2] in ("the", "a", "an") or words[-1][2].endswith("s")
    )
    if words and len(words) > 1 and _has_its_verb(clause, tokens, part.figure - 1):
        return False
    return named and len(words) <= _MOST_IN_NAME and all(form not in PREPOSITIONS for _, _, form in words)


def _has_its_verb(clause: str, tokens: list[WordToken], index: int) -> bool:
    """``the other costs 9``; a noun as ``the Plus plan 9`` may be a verb's base form only."""
    verb = verb_of(tokens[index][2])
    based = verb is not None and verb.form == "base" and tokens[index][2] not in AUXILIARIES
    return not based and is_finite(clause, tokens, index)


def _with_subjects(clause: str, tokens: list[WordToken], verb: int, parts: list[_Part]) -> list[SplitClause]:
    """``A costs 5, B 6 and C 7 dollars``: the verb is the first one's, the unit that of the first or the last."""
    tails = [_tail(clause, tokens, part) for part in parts]
    unit = tails[0] or tails[-1]
    if any(tail and _shape(tail) != _shape(unit) for tail in tails):
        return []
    verbs = clause[tokens[verb][0] : tokens[parts[0].figure - 1][1]] + " "
    clauses = []
    for number, (part, tail) in enumerate(zip(parts, tails, strict=True)):
        start, end = _span(clause, tokens, parts, number)
        at = tokens[part.figure][0]
        edits = [(at, at, verbs)] if number else []
        if not tail:
            edits.append((tokens[part.figure][1], tokens[part.figure][1], unit))
        content = tokens[part.first][0] if number else 0
        clauses.append(
            _closed(clause, SplitClause(start, content, end, "", tuple(edits)), last=number == len(parts) - 1)
        )
    return clauses


def _with_tails(clause: str, tokens: list[WordToken], parts: list[_Part]) -> list[SplitClause]:
    """``costs 5 euros for adults and 3 euros for children``: what stands before the first figure holds for all."""
    tails = [_tail(clause, tokens, part) for part in parts]
    if not all(tails) or len({_shape(tail)[1:] for tail in tails}) > 1:
        return []
    if all(tail.split()[-1].strip(".,").lower() in _MEASURES for tail in tails):
        return []
    if len({len(tail.split()) == 1 for tail in tails}) > 1:
        return []
    opening = clause[: tokens[parts[0].first][0]].rstrip()
    clauses = []
    for number, part in enumerate(parts):
        start, end = _span(clause, tokens, parts, number)
        content = tokens[part.first][0] if number else 0
        subject = opening if number else ""
        clauses.append(
            _closed(clause, SplitClause(start, content, end, subject), last=number == len(parts) - 1)
        )
    return clauses


def _tail(clause: str, tokens: list[WordToken], part: _Part) -> str:
    """What stands behind the figure of a piece, with the space before it."""
    return clause[tokens[part.figure][1] : tokens[part.last - 1][1]]


def _shape(tail: str) -> tuple[str, ...]:
    """What must be alike in the tails of a series: how they are put together, not what they say."""
    forms = [form for _, _, form in tokens_of(tail)]
    first = forms[0] if forms and forms[0] in _MEASURES else ""
    return (first, *(form for form in forms if form in PREPOSITIONS))


def _span(clause: str, tokens: list[WordToken], parts: list[_Part], number: int) -> tuple[int, int]:
    """What a piece quotes: from behind the one before it to its own last word and comma."""

    def end_of(part: _Part) -> int:
        end = tokens[part.last - 1][1]
        return end + 1 if clause[end : end + 1] == "," else end

    start = end_of(parts[number - 1]) if number else 0
    start += len(clause[start:]) - len(clause[start:].lstrip())
    return start, len(clause) if number == len(parts) - 1 else end_of(parts[number])


def _closed(clause: str, part: SplitClause, *, last: bool) -> SplitClause:
    """The part without the comma at its end."""
    if last or clause[part.end - 1] != ",":
        return part
    return SplitClause(
        part.start, part.content, part.end, part.subject, (*part.edits, (part.end - 1, part.end, ""))
    )


# -- paired words -----------------------------------------------------------------------------------------------


def _both(clause: str, tokens: list[WordToken]) -> list[SplitClause]:
    """``Both A and B are open``; ``covers both A and B``."""
    forms = [form for _, _, form in tokens]
    if forms.count("both") != 1 or forms.count("and") != 1 or "," in forms or not _plain(forms):
        return []
    both, joint = forms.index("both"), forms.index("and")
    verb = main_verb(clause, tokens, 0, len(tokens)) or _base_verb(clause, tokens, joint)
    if verb is None or not both + 1 < joint:
        return []
    if both == 0 and verb > joint + 1:
        return _both_subjects(clause, tokens, verb, joint)
    left, right = forms[both + 1 : joint], forms[joint + 1 :]
    same = [form for form in left if form in PREPOSITIONS] == [form for form in right if form in PREPOSITIONS]
    if verb > both or not right or not same or any(form in AUXILIARIES for form in right):
        return []
    opening = clause[: tokens[both][0]].rstrip()
    end = tokens[joint - 1][1]
    after = tokens[both + 1][0]
    return [
        SplitClause(0, 0, end, "", ((tokens[both][0], after, ""),)),
        SplitClause(tokens[joint][0], tokens[joint + 1][0], len(clause), opening),
    ]


def _both_subjects(clause: str, tokens: list[WordToken], verb: int, joint: int) -> list[SplitClause]:
    start, end, form = tokens[verb]
    single = _SINGULAR.get(form) or (form + "s" if plural_verb(form) else form)
    predicate = " " + single + clause[end:].rstrip(". ")
    first_end = tokens[joint - 1][1]
    return [
        SplitClause(0, tokens[1][0], first_end, "", ((first_end, first_end, predicate),)),
        SplitClause(tokens[joint][0], tokens[joint + 1][0], len(clause), "", ((start, end, single),)),
    ]


def _respectively(clause: str, tokens: list[WordToken]) -> list[SplitClause]:
    """``A and B joined in 2010 and 2012 respectively``."""
    forms = [form for _, _, form in tokens]
    if forms[-1] != "respectively" or forms.count("and") != 2 or not _plain(forms):
        return []
    first, second = (n for n, form in enumerate(forms) if form == "and")
    verb = main_verb(clause, tokens, 0, len(tokens)) or _base_verb(clause, tokens, first)
    inner = forms[:-2] if forms[-2] == "," else forms[:-1]
    if verb is None or not first < verb < second or "," in inner or second + 1 >= len(inner):
        return []
    prefix = _before_value(forms, verb, second)
    value_end = tokens[len(inner) - 1][1]
    single = _SINGULAR.get(forms[verb]) or (forms[verb] + "s" if plural_verb(forms[verb]) else forms[verb])
    shared = " " + single + clause[tokens[verb][1] : tokens[prefix][0]]
    left_end, right = tokens[second - 1][1], tokens[second + 1][0]
    unit = clause[tokens[second + 1][1] : value_end] if second - prefix == 1 else ""
    name = clause[tokens[first + 1][0] : tokens[verb - 1][1]]
    return [
        SplitClause(
            0,
            0,
            left_end,
            "",
            (
                (tokens[first - 1][1], tokens[verb - 1][1], ""),
                (tokens[verb][0], tokens[verb][1], single),
                (left_end, left_end, unit),
            ),
        ),
        SplitClause(
            tokens[second][0], right, len(clause), (name + shared).rstrip(), ((value_end, tokens[-1][1], ""),)
        ),
    ]


def _before_value(forms: list[str], verb: int, second: int) -> int:
    """Where the first value begins: behind the last preposition, or the verb group."""
    for index in range(second - 1, verb, -1):
        if forms[index] in PREPOSITIONS:
            return index + 1
    figures = [index for index in range(verb + 1, second) if is_figure(forms[index])]
    return figures[0] if figures else verb + 1


def _base_verb(clause: str, tokens: list[WordToken], joint: int) -> int | None:
    """The verb of two subjects (``the sauna and the pool close at nine``), which has the form of a plural."""
    behind = range(joint + 2, min(len(tokens) - 1, joint + 2 + _MOST_IN_NAME))
    return next((index for index in behind if is_predicate(clause, tokens, index, "base")), None)


def _plain(forms: list[str]) -> bool:
    return SUBORDINATORS.isdisjoint(forms) and not {"not", "or", ";", ":"} & set(forms)
