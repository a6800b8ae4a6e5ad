"""Conditions and exceptions that the premise states, and what the claim does to them.

A condition (``if``, ``unless``, ``except``, ``only with``) governs the rest of its sentence. A claim clashes where it
drops the condition, claims all cases, or states the excepted case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from verifier.core.patterns import compiled_later
from verifier_signals.lexicon.calendar import MONTHS
from verifier_signals.polarity.alignment import PolarityClash, Thresholds
from verifier_signals.polarity.cues import FORBIDDING, cues_in
from verifier_signals.polarity.statements import statements_in
from verifier_signals.polarity.terms import Term, terms_in, word_relations
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, read, stem
from verifier_signals.types import Span
from verifier_signals.values.extraction import parse
from verifier_signals.values.fields import field_at, fields_of
from verifier_signals.values.types import Form

__all__ = ["condition_clashes", "names_exception"]

_ONLY = (
    r"only (?:if|when|after|where|with|for|on|in|from|until|at|by|as long as)|provided(?: that)?|providing"
    r"|as long as|so long as|on (?:the )?condition that|subject to"
)
_IF = r"if|in the event"
_WHEN = r"when|where"
_EXCEPTED = (
    r"unless|(?:with the )?except(?:ion)?(?: of| for| in| when| if| on| at| during)?|excluding|other than"
    r"|apart from|(?:but|though) not(?: (?:at|on|for|in|during|to)(?= ))?"
)
_BARRING = r"(?<=nobody )but|(?<=no one )but|(?<=none )but|(?<=nothing )but|(?<=everyone )but|(?<=all )but"
_CONDITION = compiled_later(
    rf"(?<!even )\b(?:(?P<only>{_ONLY})|(?P<if>{_IF})|(?P<excepted>{_EXCEPTED}|{_BARRING})|(?P<when>{_WHEN}))\b",
    re.IGNORECASE,
)
_OPENERS = compiled_later(
    "only|provid|long as|condition|subject to|if|the event|unless|except|exclud|other than|apart from|but|though not"
    "|whe(?:n|re)"
)
"""Letters that every opener of a condition has, in lower case: fast to look for."""
_WITHOUT = compiled_later(r"(?<!even )(?<! or )\bwithout\b|^outside\b", re.IGNORECASE)
"""Openers of what a claim has as its condition: that a thing is lacking, or that one is elsewhere."""
_END = compiled_later(r"[.;:!?](?=\s|$)|\n")
_SENTENCE_END = compiled_later(r"[.:!?](?=\s|$)|\n")
_FRONT_END = compiled_later(r",|\bthen\b")
_BEFORE_NOUN = compiled_later(
    r"(?:except|excluding|other than|apart from|but$)(?!.*\b(?:when|if)\b)", re.IGNORECASE
)
"""Openers of exceptions that name things; they end at the verb: ``everyone except pupils pays``."""


class _ConditionPart(NamedTuple):
    """What a stretch of a text says: its content words by stem, whether it is denied, its figures, and the subject
    that it has from the sentence before."""

    terms: dict[str, Term]
    denied: bool
    numbers: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()

    @property
    def stems(self) -> frozenset[str]:
        """The content words."""
        return frozenset(self.terms)

    @property
    def content(self) -> frozenset[str]:
        """Words, figures and the subject from elsewhere."""
        return self.numbers.union(self.terms, self.subject)


class Condition(NamedTuple):
    """A condition and the statement that it governs.

    ``kind``: ``only`` (else not), ``if``, ``when`` or ``excepted``; ``main`` and ``asked`` are what is said and
    what it hangs on; ``in_cell``: it stands in a cell, for a claim need not repeat what a row remarks.
    """

    span: Span
    kind: str
    main: _ConditionPart
    asked: _ConditionPart
    in_cell: bool


@lru_cache(maxsize=2048)
def _conditions_in(text: str, with_lack: bool = False) -> tuple[Condition, ...]:
    """The conditions that a text states, in reading order.

    Args:
        with_lack: also read ``without X`` as the condition that X is lacking, as claims have it.
    """
    matches = list(_CONDITION.finditer(text)) if _OPENERS.search(text.casefold()) else []
    if with_lack and not any(match["when"] is None for match in matches):
        matches.extend(_WITHOUT.finditer(text))
    if not matches:
        return ()
    reading = read(text)
    found: list[Condition] = []
    for match in matches:
        lack = match.lastgroup is None  # found by _WITHOUT, which has no groups
        begin, end = _sentence_around(text, match.start())
        cell = field_at(fields_of(text), match.start())
        last = _condition_end(reading, match, begin, end)
        around = (begin, end) if cell is None else cell.row
        asked = _part_of(reading, [(match.end(), last)])
        main = _part_of(reading, [(around[0], match.start()), (last, around[1])])
        if asked.terms and main.terms:
            kind = "if" if lack else next(name for name, value in match.groupdict().items() if value)
            asked = _ConditionPart(asked.terms, not asked.denied) if lack else asked
            found.append(Condition((match.start(), last), kind, main, asked, cell is not None))
    return tuple(found)


def _condition_end(reading: Reading, match: re.Match[str], begin: int, end: int) -> int:
    """Where a condition ends: at the comma when it stands in front or behind one, at the verb when it names things."""
    before = reading.text[begin : match.start()].strip(" -*")
    if not before or before.endswith(","):  # in front, or between commas
        stop = _FRONT_END.search(reading.text, match.end(), end)
        return stop.start() if stop else end
    if _BEFORE_NOUN.match(match[0]):
        groups = (group for clause in reading.clauses for group in clause.verbs)
        starts = (reading.tokens[group.first].start for group in groups)
        return next((start for start in starts if match.end() < start < end), end)
    return end


def _sentence_around(text: str, at: int, *, parts: bool = True) -> Span:
    """The sentence around a place, or with ``parts`` the part of it between semicolons."""
    pattern = _END if parts else _SENTENCE_END
    begin = max((match.end() for match in pattern.finditer(text, 0, at)), default=0)
    end = pattern.search(text, at)
    return begin, end.start() if end else len(text)


def _part_of(reading: Reading, spans: list[Span]) -> _ConditionPart:
    """The content and the denial of stretches of a text."""
    terms: dict[str, Term] = {}
    denied = False
    numbers: set[str] = set()
    subject: set[str] = set()
    cues, statements = cues_in(reading), statements_in(reading.text)
    for begin, end in spans:
        inside = [at for at, token in enumerate(reading.tokens) if begin <= token.start < end]
        if not inside:
            continue
        first, last = inside[0], inside[-1] + 1
        terms.update((item.stem, item) for item in terms_in(reading, first, last))
        numbers.update(reading.tokens[at].word.low for at in inside if reading.tokens[at].word.number)
        for statement in statements:
            if first <= statement.first < last:
                subject |= statement.subjects
        for cue in cues:
            if first <= cue.first < last:
                denied ^= cue.kind == "negation" or cue.forbids
    return _ConditionPart(terms, denied, frozenset(numbers), frozenset(subject))


def _is_contrary_case(claim: _ConditionPart, condition: Condition) -> bool:
    """Whether a claim speaks of the case that a condition leaves out (``opened goods``, ``if they are unopened``)."""
    asked = condition.asked
    within = _ConditionPart(
        {stem: item for stem, item in claim.terms.items() if stem in asked.terms}, asked.denied
    )
    return bool(within.terms) and _are_contrary_parts(within, asked)


def _are_contrary_parts(one: _ConditionPart, other: _ConditionPart) -> bool:
    """Whether one part affirms what the other denies: by denial, a prefix, or opposites."""
    odd = one.denied ^ other.denied
    for shared in one.terms.keys() & other.terms.keys():
        odd ^= one.terms[shared].flipped is not other.terms[shared].flipped
    theirs = [
        term for key, term in other.terms.items() if key not in one.terms and term.low not in FORBIDDING
    ]
    for key, term in one.terms.items():
        if key not in other.terms and term.low not in FORBIDDING:
            opposites = word_relations(term.low).opposites
            odd ^= any(not opposites.isdisjoint(word_relations(rival.low).forms) for rival in theirs)
    return odd


_OVERRIDE = compiled_later(
    r"\b(?:however (?!the\b|an?\b|it\b|this\b|that\b|they\b|he\b|she\b|we\b|i\b)[^\W\d_]+(?= )|always|whatever"
    r"|whenever|whoever|wherever|whichever|in (?:all|any|every|each and every) cases?|regardless|irrespective"
    r"|whether or not|no matter|with or without|even (?:if|when|though|where|after|before|without|in|on|at|for"
    r"|during|with)|without exceptions?|under any circumstances?|in any event|automatically|unconditionally"
    r"|invariably|at any time|\w+ or (?:no \w+|not))\b|,[^,.;]*\bincluded(?=\W*$)",
    re.IGNORECASE,
)
_NEVER = compiled_later(
    r"\b(?:never|at no time|in no case|on no account|under no circumstances?)\b", re.IGNORECASE
)
"""What makes a denial hold in the excepted case, too."""
_ALL = compiled_later(
    r"(?<!\bof )\b(?:any|every(?! (?:\w+ )?(?:second|minute|hour|day|night|week|month|quarter|year|time|other)s?\b)|all"
    r"|everyone|everybody|everything|everywhere|anyone|anybody|anything|anywhere)\b",
    re.IGNORECASE,
)
"""``Every week`` says how often, and not of whom."""
_DENIED = compiled_later(r"(?:\b(?:not|no|never|without|nobody|none|cannot|nor)\b|n['’]t\b)", re.IGNORECASE)
_ONLY_BEFORE = compiled_later(
    r"\bonly ((?:[\w'’,-]+ ){1,8}?)(?:may|can|is|are|must|has|have|will|gets?|receives?)\b", re.IGNORECASE
)
_ONLY_BEHIND = compiled_later(r"((?:[\w'’-]+ ){0,2}[\w'’-]+) only(?=[.,;)]|$)", re.IGNORECASE)
_GRANTING = frozenset(map(stem, ("allow", "permit", "possible", "available", *MONTHS)))
"""Stems that say no more of a rule than that it allows, and when: they do not tell what it is about."""
_NAMED = 0.6
"""Share of an exception's content by which a claim names the excepted case."""
_BROKEN, _OVERRIDDEN, _OTHERS, _LIMITED, _MAYBE = 1.0, 0.9, 0.7, 0.7, 0.5
"""Strengths: the claim holds in the case that is excepted, or where the condition is not met; it claims all cases;
it claims for others what is granted only to some; it claims all cases, and the evidence has a limit in other words; it
is silent on a condition, or states the contrary one."""
_LIMIT = compiled_later(
    r"\b(?:except\w*|unless|(?:but|though) not|do(?:es)? not (?:apply|cover|include|extend)|other than|apart from"
    r"|exclud\w+|waived|exempt\w*|limited to|only (?:if|when|for|on|in|from|with|after|to))\b",
    re.IGNORECASE,
)
_ANY_MEASURE = compiled_later(
    r"\b(?:any|all|every|whatever|regardless of|irrespective of|no matter (?:the|their|its))(?: the| their| its)? "
    r"(?P<measure>age|size|length|height|width|weight|price|amount|income|duration|temperature)s?\b",
    re.IGNORECASE,
)
_MEASURED_IN: Mapping[str, frozenset[str]] = {
    "age": frozenset({"age", "time"}),
    "duration": frozenset({"time"}),
    "weight": frozenset({"mass"}),
    "temperature": frozenset({"temperature"}),
    **dict.fromkeys(("length", "height", "width", "size"), frozenset({"length"})),
}
"""The dimensions of the figures that limit a measure; others (prices) are sums of money."""
_MONEY = compiled_later(r"[A-Z]{3}")
_SHARE_OF_CLAIM = 0.34
"""Share of the claim's content that a sentence with such a limit must have."""


def condition_clashes(claim: str, premise: str, thresholds: Thresholds) -> list[PolarityClash]:
    """What the claim does to each condition of the premise that governs its own statement."""
    told = _conditions_in(premise)
    only = "only" in premise or "Only" in premise
    measure = None if _DENIED.search(claim) else _ANY_MEASURE.search(claim)
    if not told and not only and measure is None and _LIMIT.search(premise) is None:
        return []
    reading = read(claim)
    whole = _part_of(reading, [(0, len(claim))])
    if not whole.terms:
        return []
    override, never = _override_match(claim), _NEVER.search(claim)
    own = next((one for one in _conditions_in(claim, with_lack=True) if one.kind != "when"), None)
    found: list[PolarityClash] = []
    for condition in told:
        if not _governs(condition, whole, override is not None, thresholds):
            continue
        absolute = override or (never if condition.kind == "excepted" else None)
        one = condition.kind == "excepted" and _names_one(claim, premise, condition.span)
        strength = _condition_strength(condition, whole, absolute, own, thresholds, names_one=one)
        if strength:
            span = absolute.span() if absolute else _trimmed_span(claim)
            kind = "denied" if strength == _BROKEN else "left out"
            check = f"negation.condition-{kind.replace(' ', '-')}"
            found.append(
                PolarityClash(check, "condition", strength, span, condition.span, f"the condition is {kind}")
            )
    if override is not None and not found and (limit := _stated_limit(claim, whole, premise)) is not None:
        found.append(
            PolarityClash(
                "negation.limit-ignored",
                "condition",
                _LIMITED,
                override.span(),
                limit,
                "the evidence states a limit",
            )
        )
    if (
        measure is not None
        and not found
        and (bound := _measure_bound(measure["measure"], whole, premise)) is not None
    ):
        found.append(
            PolarityClash(
                "negation.limit-ignored",
                "condition",
                _LIMITED,
                measure.span(),
                bound,
                "the evidence states a limit",
            )
        )
    if only:
        span = override.span() if override else _trimmed_span(claim)
        found.extend(
            _exclusive_clashes(claim, whole, premise, span, thresholds, everyone=override is not None)
        )
    return found


def _governs(condition: Condition, whole: _ConditionPart, overridden: bool, thresholds: Thresholds) -> bool:
    """Whether the condition's statement is the claim's: half of the claim is in it, or most of it in the claim.

    A claim that says *whether or not* of the condition's own words speaks of it with less in common.
    """
    main, rest = condition.main.content, whole.content - condition.asked.content
    common = len(rest & main)
    named = len(whole.stems & condition.asked.stems) >= thresholds.condition_about * len(
        condition.asked.stems
    )
    return bool(rest) and (
        common >= thresholds.condition_about * len(rest)
        or common >= thresholds.condition_whole * len(main)
        or (overridden and named and common > 0)
    )


def _condition_strength(
    condition: Condition,
    whole: _ConditionPart,
    override: re.Match[str] | None,
    own: Condition | None,
    thresholds: Thresholds,
    *,
    names_one: bool,
) -> float:
    asked = condition.asked.stems
    meant = asked | condition.asked.numbers if condition.kind == "excepted" else asked
    mentioned = len((whole.stems | whole.numbers) & meant) / len(meant)
    speaks_of_it = mentioned >= thresholds.condition_mentioned
    if override is not None:
        if _are_contrary_parts(whole, condition.main):
            return 0.0
        if speaks_of_it:
            return 0.0 if own is not None and _states_condition(condition, own) else _BROKEN
        bound = own is not None or condition.kind == "when"
        return 0.0 if bound else _OVERRIDDEN
    if condition.kind == "when":
        return 0.0
    if own is not None:
        return _against_own(condition, own) if speaks_of_it else 0.0
    if condition.kind == "excepted":
        named = (mentioned >= _NAMED or names_one) and not _is_contrary_case(whole, condition)
        return (
            _BROKEN if named and not _are_contrary_parts(_part_without(whole, asked), condition.main) else 0.0
        )
    if speaks_of_it and _is_contrary_case(whole, condition):
        return 0.0 if _are_contrary_parts(_part_without(whole, asked), condition.main) else _OTHERS
    bare = whole.stems <= condition.main.stems
    return _MAYBE if bare and not condition.in_cell else 0.0


def _states_condition(condition: Condition, own: Condition) -> bool:
    """Whether the claim states the condition itself (``every dog, except on Sundays``)."""
    asked, ours = (one.asked.stems | one.asked.numbers for one in (condition, own))
    same = own.kind == condition.kind and len(ours & asked) >= _NAMED * len(asked)
    return same and not _are_contrary_parts(own.asked, condition.asked)


def _against_own(condition: Condition, own: Condition) -> float:
    """What the claim's own condition makes of the premise's."""
    other_case = _are_contrary_parts(own.asked, condition.asked)
    other_case ^= (own.kind == "excepted") is not (condition.kind == "excepted")
    if not other_case or _are_contrary_parts(own.main, condition.main):
        return 0.0
    return _MAYBE if condition.kind == "if" else _BROKEN


def _part_without(part: _ConditionPart, stems: frozenset[str]) -> _ConditionPart:
    return _ConditionPart({stem: item for stem, item in part.terms.items() if stem not in stems}, part.denied)


def _exclusive_clashes(
    claim: str, whole: _ConditionPart, premise: str, span: Span, thresholds: Thresholds, *, everyone: bool
) -> Iterator[PolarityClash]:
    """``Anyone can``, or others can, where the evidence has ``only the owner can``."""
    content = whole.stems
    reading = read(premise)
    subject = statements_in(claim)[:1]
    for pattern in (_ONLY_BEFORE, _ONLY_BEHIND):
        for match in pattern.finditer(premise):
            admitted = _part_of(reading, [match.span(1)]).stems
            rule = _part_of(reading, [_sentence_around(premise, match.start())])
            main = rule.stems - admitted - _GRANTING
            if not admitted or admitted <= content or not main:
                continue
            if len(main & content) < thresholds.condition_about * len(main):
                continue
            if everyone:
                yield PolarityClash(
                    "negation.only-these",
                    "condition",
                    _OVERRIDDEN,
                    span,
                    match.span(),
                    "the evidence admits only these",
                )
            elif pattern is _ONLY_BEFORE and not whole.denied and main <= content:
                others = subject[0].subjects - subject[0].capitals if subject else frozenset[str]()
                if others and not others & (admitted | main):
                    yield PolarityClash(
                        "negation.only-these",
                        "condition",
                        _OTHERS,
                        span,
                        match.span(),
                        "the evidence admits only these",
                    )


def _override_match(claim: str) -> re.Match[str] | None:
    """What makes the claim hold in all cases; ``any`` after a negation does not."""
    found = _OVERRIDE.search(claim)
    return found if found or _DENIED.search(claim) else _ALL.search(claim)


def _stated_limit(claim: str, whole: _ConditionPart, premise: str) -> Span | None:
    """A limit in a sentence of the premise about what the claim says of all cases, if the claim names no other."""
    own = {match[0].casefold() for match in _LIMIT.finditer(claim)}
    if own and not own <= {match[0].casefold() for match in _LIMIT.finditer(premise)}:
        return None
    reading = read(premise)
    for match in _LIMIT.finditer(premise):
        if match[0].casefold() in own:
            continue
        cell = field_at(fields_of(premise), match.start())
        told = _part_of(
            reading, [_sentence_around(premise, match.start(), parts=False) if cell is None else cell.row]
        )
        if len(whole.content & told.content) >= max(2.0, _SHARE_OF_CLAIM * len(whole.content)):
            return match.span()
    return None


def _measure_bound(measure: str, whole: _ConditionPart, premise: str) -> Span | None:
    """A figure that limits a measure (``under 9 months``), where the premise speaks of what the claim says of any.

    A sentence that itself speaks of any such measure sets no limit to it.
    """
    dimensions = _MEASURED_IN.get(measure.lower())
    reading = read(premise)
    for value in parse(premise):
        of_it = any(
            one.dimension in dimensions if dimensions else _MONEY.fullmatch(one.dimension)
            for one in value.quantities
        )
        if value.form is Form.POINT or not of_it:
            continue
        around = _sentence_around(premise, value.start)
        about = _part_of(reading, [around]).content & whole.content
        if len(about) >= max(2.0, _SHARE_OF_CLAIM * len(whole.content)) and not _ANY_MEASURE.search(
            premise, *around
        ):
            return value.start, value.end
    return None


def _trimmed_span(claim: str) -> Span:
    begin = len(claim) - len(claim.lstrip())
    return begin, len(claim.rstrip())


def names_exception(text: str, excepting: str, at: int) -> bool:
    """Whether a text names the case that a sentence of the other excepts, or that its condition leaves out, elsewhere
    than at a place."""
    told = [
        one for one in _conditions_in(excepting) if one.kind != "when" and not one.span[0] <= at < one.span[1]
    ]
    if not told:
        return False
    stems = {stem for statement in statements_in(text) for stem in statement.stems}
    whole = _part_of(read(text), [(0, len(text))])
    return any(
        len(stems & condition.asked.stems) >= _NAMED * len(condition.asked.stems)
        or _names_one(text, excepting, condition.span)
        if condition.kind == "excepted"
        else _is_contrary_case(whole, condition)
        for condition in told
    )


def _names_one(text: str, excepting: str, span: Span) -> bool:
    """Whether a text names one of several things that are excepted (``except the cellar and the tower rooms``)."""
    items = _listed_items(excepting, span)
    told = _content_keys(text, (0, len(text)))
    return len(items) > 1 and any(item <= told for item in items)


_CUT = re.compile(r",|\band\b|\bor\b|\bnor\b|\bas well as\b", re.IGNORECASE)
_TAIL = re.compile(
    r",? \b(?:except|apart from|other than|with the exception|excluding|but|for which|which|who|if|when)\b.*"
)


def _listed_items(text: str, span: Span) -> tuple[frozenset[str], ...]:
    """The words of each thing of a row: ``the tram, the baths and boats``."""
    tail = _TAIL.search(text, *span)
    first, last = span[0], tail.start() if tail else span[1]
    cuts = [first, *(at for match in _CUT.finditer(text, first, last) for at in match.span()), last]
    parts = [_content_keys(text, (cuts[n], cuts[n + 1])) for n in range(0, len(cuts), 2)]
    return tuple(part for part in parts if part)


def _content_keys(text: str, span: Span) -> frozenset[str]:
    """The keys of the content words there."""
    return frozenset(word.key for word in content_words(text[slice(*span)]))
