"""A text goes in, its conditions and exceptions come out: what they govern, what they ask for, how strictly."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.clash import Span
from verifier_signals.polarity.cues import FORBIDDING, cues_in
from verifier_signals.polarity.items import Item, items_in, relations_of
from verifier_signals.polarity.statements import statements_in
from verifier_signals.syntax import Reading, read
from verifier_signals.values.fields import field_at, fields_of

__all__ = ["Condition", "Part", "conditions_in", "contrary", "is_contrary_case", "part_of", "sentence_around"]

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
_CONDITION = re.compile(
    rf"(?<!even )\b(?:(?P<only>{_ONLY})|(?P<if>{_IF})|(?P<excepted>{_EXCEPTED}|{_BARRING})|(?P<when>{_WHEN}))\b",
    re.IGNORECASE,
)
_OPENERS = re.compile(
    "only|provid|long as|condition|subject to|if|the event|unless|except|exclud|other than|apart from|but|though not"
    "|whe(?:n|re)"
)
"""Letters that every opener of a condition has, in lower case: fast to look for."""
_WITHOUT = re.compile(r"(?<!even )(?<! or )\bwithout\b|^outside\b", re.IGNORECASE)
"""Openers of what a claim has as its condition: that a thing is lacking, or that one is elsewhere."""
_END = re.compile(r"[.;:!?](?=\s|$)|\n")
_SENTENCE_END = re.compile(r"[.:!?](?=\s|$)|\n")
_FRONT_END = re.compile(r",|\bthen\b")
_BEFORE_NOUN = re.compile(
    r"(?:except|excluding|other than|apart from|but$)(?!.*\b(?:when|if)\b)", re.IGNORECASE
)
"""Openers of exceptions that name things; they end at the verb: ``everyone except pupils pays``."""


class Part(NamedTuple):
    """What a stretch of a text says: its content words by stem, whether it is denied, its figures, and the subject
    that it has from the sentence before."""

    items: dict[str, Item]
    denied: bool
    numbers: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()

    @property
    def stems(self) -> frozenset[str]:
        """The content words."""
        return frozenset(self.items)

    @property
    def content(self) -> frozenset[str]:
        """Words, figures and the subject from elsewhere."""
        return self.numbers.union(self.items, self.subject)


class Condition(NamedTuple):
    """A condition and the statement that it governs.

    ``kind``: ``only`` (else not), ``if``, ``when`` or ``excepted``; ``main`` and ``asked`` are what is said and
    what it hangs on; ``in_cell``: it stands in a cell, for a claim need not repeat what a row remarks.
    """

    span: Span
    kind: str
    main: Part
    asked: Part
    in_cell: bool


@lru_cache(maxsize=2048)
def conditions_in(text: str, with_lack: bool = False) -> tuple[Condition, ...]:
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
        lack = match.re is _WITHOUT
        begin, end = sentence_around(text, match.start())
        cell = field_at(fields_of(text), match.start())
        last = _last(reading, match, begin, end)
        around = (begin, end) if cell is None else cell.row
        asked = part_of(reading, [(match.end(), last)])
        main = part_of(reading, [(around[0], match.start()), (last, around[1])])
        if asked.items and main.items:
            kind = "if" if lack else next(name for name, value in match.groupdict().items() if value)
            asked = Part(asked.items, not asked.denied) if lack else asked
            found.append(Condition((match.start(), last), kind, main, asked, cell is not None))
    return tuple(found)


def _last(reading: Reading, match: re.Match[str], begin: int, end: int) -> int:
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


def sentence_around(text: str, at: int, *, parts: bool = True) -> Span:
    """The sentence around a place, or with ``parts`` the part of it between semicolons."""
    pattern = _END if parts else _SENTENCE_END
    begin = max((match.end() for match in pattern.finditer(text, 0, at)), default=0)
    end = pattern.search(text, at)
    return begin, end.start() if end else len(text)


def part_of(reading: Reading, spans: list[Span]) -> Part:
    """The content and the denial of stretches of a text."""
    items: dict[str, Item] = {}
    denied = False
    numbers: set[str] = set()
    subject: set[str] = set()
    cues, statements = cues_in(reading), statements_in(reading.text)
    for begin, end in spans:
        inside = [at for at, token in enumerate(reading.tokens) if begin <= token.start < end]
        if not inside:
            continue
        first, last = inside[0], inside[-1] + 1
        items.update((item.stem, item) for item in items_in(reading, first, last))
        numbers.update(reading.tokens[at].word.low for at in inside if reading.tokens[at].word.number)
        for statement in statements:
            if first <= statement.first < last:
                subject |= statement.subjects
        for cue in cues:
            if first <= cue.first < last:
                denied ^= cue.kind == "negation" or cue.forbids
    return Part(items, denied, frozenset(numbers), frozenset(subject))


def is_contrary_case(claim: Part, condition: Condition) -> bool:
    """Whether a claim speaks of the case that a condition leaves out (``opened goods``, ``if they are unopened``)."""
    asked = condition.asked
    within = Part({stem: item for stem, item in claim.items.items() if stem in asked.items}, asked.denied)
    return bool(within.items) and contrary(within, asked)


def contrary(one: Part, other: Part) -> bool:
    """Whether one part affirms what the other denies: by denial, a prefix, or opposites."""
    odd = one.denied ^ other.denied
    for stem in one.items.keys() & other.items.keys():
        odd ^= one.items[stem].flipped is not other.items[stem].flipped
    theirs = [
        item for stem, item in other.items.items() if stem not in one.items and item.low not in FORBIDDING
    ]
    for stem, item in one.items.items():
        if stem not in other.items and item.low not in FORBIDDING:
            opposites = relations_of(item.low).opposites
            odd ^= any(not opposites.isdisjoint(relations_of(rival.low).forms) for rival in theirs)
    return odd
