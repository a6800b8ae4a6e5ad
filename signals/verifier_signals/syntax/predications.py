"""Predications: who is said to do or be what, clause by clause: a subject, a verb group, and the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.syntax.clauses import Clause, Reading, read
from verifier_signals.syntax.verbs import BREAKS, COORDINATORS, FRONTED, PREPOSITIONS, UNCHANGED, VerbGroup

__all__ = ["Predication", "predications_in"]

Range = tuple[int, int]

_OPENERS = (
    COORDINATORS | FRONTED | lexicon("that whether until provided except however therefore thus then also")
)
_SUBJECT_RELATIVES = lexicon("who which that")
_SUBJECT_PRONOUNS = lexicon("i you he she it we they")
_NEGATIONS = lexicon("not never no neither nor cannot nobody nothing none without hardly")
_PARTING = lexicon("to , that and or if when who which the")
_LONGEST_LABEL = 5


class Predication(NamedTuple):
    """What a clause says of its subject, by tokens of the reading.

    ``subjects`` are stretches of tokens that may each name it: the items of a row (``A and B``), a noun phrase and its
    apposition; none where it is not known. The first ``said`` is what stands behind the verb, further ones what stands
    before the subject. ``verb`` is ``None`` for a label and its value. In the passive with an agent, that is the
    subject, and ``patients`` are the stretches of ``said`` that name what is done to.
    """

    reading: Reading
    subjects: tuple[Range, ...]
    verb: VerbGroup | None
    said: tuple[Range, ...]
    sentence: int
    denied: bool = False
    patients: tuple[Range, ...] = ()

    def tokens_said(self) -> Iterator[int]:
        """The tokens of ``said``."""
        for first, last in self.said:
            yield from range(first, last)


@lru_cache(maxsize=4096)
def predications_in(text: str) -> tuple[Predication, ...]:
    """The predications of a text, in reading order.

    A sentence without a verb, or one whose subject is not found, has one without subjects that says all of it.
    """
    reading = read(text)
    return tuple(
        one._replace(sentence=number)
        for number, clauses in enumerate(_by_sentence(reading))
        for one in _of_sentence(reading, clauses)
    )


def _by_sentence(reading: Reading) -> Iterator[list[Clause]]:
    """The clauses of each sentence, parted at a period that may be that of an abbreviation, too (``5 mg. Group B``)."""
    some: list[Clause] = []
    for clause in reading.clauses:
        ended = some and reading.lows[clause.first - 1] == "." and any(one.verbs for one in some)
        if some and (ended or clause.sentence != some[0].sentence):
            yield some
            some = []
        some.append(clause)
    if some:
        yield some


def _of_sentence(reading: Reading, clauses: Sequence[Clause]) -> list[Predication]:
    fields = list(_of_record(reading, clauses[0].first, clauses[-1].last))
    if fields:
        return fields
    found: list[Predication] = []
    waiting: Clause | None = None
    for clause in clauses:
        if not clause.verbs:
            waiting = waiting or clause
            continue
        found += _of_clause(reading, clause, found, waiting)
        waiting = None
    return found or _without_verb(reading, clauses)


def _of_clause(
    reading: Reading, clause: Clause, before: Sequence[Predication], waiting: Clause | None
) -> Iterator[Predication]:
    verb = _main_of(reading, clause)
    first = clause.first
    while first < verb.first and (reading.lows[first] in _OPENERS or reading.tokens[first].word.punct):
        first += 1
    if clause.opener in _SUBJECT_RELATIVES and first <= verb.first and (waiting or before):
        yield from _of_relative_clause(reading, clause, waiting)
        return
    if first == verb.first:
        subjects = before[-1].subjects if before and clause.opener in COORDINATORS else ()
        yield _predication(reading, clause, subjects, verb, clause.last, ())
        return
    begin, aside = _after_adjunct(reading, first, verb.first)
    if (
        reading.lows[verb.first - 1] in _SUBJECT_PRONOUNS and begin < verb.first - 1
    ):  # ``two years later she``
        begin, aside = verb.first - 1, (*aside, (begin, verb.first - 1))
    subjects = tuple(_items(reading, begin, verb.first)) if begin < verb.first else ()
    yield from _with_gapped_parts(reading, clause, subjects, verb, aside)


def _with_gapped_parts(
    reading: Reading, clause: Clause, subjects: tuple[Range, ...], verb: VerbGroup, aside: tuple[Range, ...]
) -> Iterator[Predication]:
    """What a clause says, and its further parts with the same verb: ``lot 8 sold for 900 euros, lot 9 for 300``."""
    stems = {reading.tokens[at].word.stem for first, last in subjects for at in range(first, last)}
    cuts = [at for at in range(verb.main + 1, clause.last) if reading.lows[at] in (",", "and", "but", ";")]
    begins = [
        at
        for at in cuts
        if any(_repeats_subject(reading, near, stems) for near in range(at + 1, min(at + 3, clause.last)))
    ]
    ends = [*begins, clause.last]
    yield _predication(reading, clause, subjects, verb, ends[0], aside)
    for at, end in pairwise(ends):
        noun = next(near for near in range(at + 1, at + 3) if _repeats_subject(reading, near, stems))
        behind = noun + 1
        while (
            behind < end
            and (reading.tokens[behind].word.number or len(reading.lows[behind]) == 1)
            and behind < noun + 2
        ):
            behind += 1
        if behind < end:
            yield Predication(reading, ((at + 1, behind),), verb, ((behind, end),), clause.sentence)


def _repeats_subject(reading: Reading, at: int, stems: set[str]) -> bool:
    """Whether a token is a noun of the subject again."""
    word = reading.tokens[at].word
    return word.stem in stems and not (word.function or word.punct or word.number)


def _main_of(reading: Reading, clause: Clause) -> VerbGroup:
    """The main verb of a clause; a bare form at its head is none if a verb follows: ``Plan A includes a phone``."""
    verb = clause.verbs[0]
    reduced = verb.passive and verb.first == verb.main  # ``stations blocked by pallets were found``
    if len(clause.verbs) > 1 and reduced:
        return clause.verbs[1]
    if len(clause.verbs) > 1 and verb.first == verb.main == clause.first:
        following = clause.verbs[1]
        between = reading.lows[verb.main + 1 : following.first]
        if between and not any(low in _PARTING or low in PREPOSITIONS for low in between):
            return following
    return verb


def _of_relative_clause(reading: Reading, clause: Clause, waiting: Clause | None) -> Iterator[Predication]:
    """``the depot, which had burned, was moved``: both say something of what stands before the relative."""
    verb, last = clause.verbs[0], clause.last
    if waiting is None:
        yield _predication(reading, clause, (), verb, last, ())
        return
    begin, aside = _after_adjunct(reading, waiting.first, waiting.last)
    subjects = tuple(_items(reading, begin, waiting.last))
    second = next((one for one in clause.verbs[1:] if reading.lows[one.first - 1] == ","), None)
    if clause.first + 1 < verb.first:  # ``the building that they sold``: somebody else does it
        yield _predication(reading, clause, (), verb, last, ())
        return
    if second is not None:
        yield _predication(reading, clause, subjects, verb, second.first, aside)
        verb = second
    yield _predication(reading, clause, subjects, verb, last, aside)


def _predication(
    reading: Reading,
    clause: Clause,
    subjects: tuple[Range, ...],
    verb: VerbGroup,
    last: int,
    aside: tuple[Range, ...],
) -> Predication:
    lows = reading.lows[verb.first : last]
    denied = any(low in _NEGATIONS or low.endswith("n't") for low in lows)
    by = next((at for at in range(verb.main + 1, last) if reading.lows[at] == "by"), None)
    if verb.passive and by is not None and _is_agent(reading, by, last):
        end = next((at for at in range(by + 1, last) if _ends_phrase(reading, at)), last)
        said = ((verb.main + 1, by), (end, last), *subjects, *aside)
        agents = tuple(_items(reading, by + 1, end))
        return Predication(reading, agents, verb, said, clause.sentence, denied, subjects)
    return Predication(reading, subjects, verb, ((verb.main + 1, last), *aside), clause.sentence, denied)


def _is_agent(reading: Reading, by: int, last: int) -> bool:
    """Whether a doer stands behind ``by``: no figure, no verb in -ing, no time."""
    if by + 1 >= last:
        return False
    word = reading.tokens[by + 1].word
    return not word.number and not (word.verb is not None and word.verb.form == "ing" and not word.capital)


def _ends_phrase(reading: Reading, at: int) -> bool:
    low = reading.lows[at]
    if low == ".":
        return at + 1 == len(reading.tokens) or reading.sentences[at + 1] != reading.sentences[at]
    linking = low in PREPOSITIONS and low != "of" and not reading.tokens[at].word.capital
    return low in BREAKS or linking


def _after_adjunct(reading: Reading, first: int, last: int) -> tuple[int, tuple[Range, ...]]:
    """Where the subject begins behind ``In 1990,``, and that adjunct; at the end where there is nothing else."""
    if reading.lows[first] not in PREPOSITIONS or (reading.tokens[first].word.capital and last - first == 1):
        return first, ()
    comma = next((at for at in range(first, last) if reading.lows[at] == ","), None)
    if comma is None:
        return last, ((first, last),)
    return comma + 1, ((first, comma),)


def _items(reading: Reading, first: int, last: int) -> Iterator[Range]:
    """The stretches between commas and ``and``."""
    begin = first
    for at in range(first, last + 1):
        if at == last or reading.lows[at] in (",", "and", "or", "nor", "&", "(", ")", "–", "—"):
            if at > begin:
                yield begin, at
            begin = at + 1


def _without_verb(reading: Reading, clauses: Sequence[Clause]) -> list[Predication]:
    """A verb that only what stands around it shows (``Per taught Ole.``), else all as said of nobody knows whom."""
    first, last = clauses[0].first, clauses[-1].last
    for at in range(first + 1, last):
        verb = reading.tokens[at].word.verb
        low = reading.lows[at]
        several = reading.lows[at - 1].endswith("s") and not reading.tokens[at - 1].word.function
        finite = verb is not None and (verb.form in ("past", "s") or low in UNCHANGED or several)
        if verb is not None and finite and verb.form != "ing" and not reading.tokens[at].word.capital:
            group = VerbGroup(at, at, verb.lemma, False)
            told = tuple(_items(reading, first, at))
            return [Predication(reading, told, group, ((at + 1, last),), clauses[0].sentence)]
    return [Predication(reading, (), None, ((first, last),), clauses[0].sentence)]


def _of_record(reading: Reading, first: int, last: int) -> Iterator[Predication]:
    """``Ward: C; Treats: burns``: of what the first field names, each further one says something. ``Cohort A: 5 mg``
    says its value of its label."""
    colons = [at for at in range(first, last) if reading.lows[at] == ":"]
    if (
        not colons
        or colons[0] - first > _LONGEST_LABEL
        or any(
            group.main < colons[0]
            for clause in reading.clauses
            for group in clause.verbs
            if group.main >= first
        )
    ):
        return
    cuts = [first, *(at + 1 for at in range(first, last) if reading.lows[at] == ";"), last]
    spans = [(one, other) for one, other in pairwise(cuts) if other - one > 1]
    sentence = reading.sentences[first]
    head = spans[0]
    if len(spans) == 1:
        yield Predication(reading, ((first, colons[0]),), None, ((colons[0] + 1, last),), sentence)
        return
    value = (colons[0] + 1, head[1])
    word = reading.tokens[value[0]].word
    lettered = len(word.low) == 1 or word.number
    for span in spans[1:]:
        yield Predication(reading, (value, head) if lettered else (value,), None, (span,), sentence)
