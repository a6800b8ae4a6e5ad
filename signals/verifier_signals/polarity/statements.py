"""A text goes in, its statements come out in reading order, each with what it takes over from the one before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.cues import HINDERING, cues_in
from verifier_signals.polarity.items import Item
from verifier_signals.polarity.statement import Statement
from verifier_signals.syntax import Clause, Reading, read, stem

__all__ = ["KNOWING", "Context", "body_sentence", "contexts_in", "statements_in", "stems_in"]

_TRUTH = lexicon("true case fact correct accurate right false untrue wrong incorrect")
_DENYING = lexicon(
    "no not never nobody nothing none nor neither cannot can't don't doesn't didn't won't isn't aren't"
)

_LEANING = lexicon("it they he she this these that those none neither both all some most many few its their")
"""First words by which a sentence speaks of what the one before speaks of."""
_STANDING_IN = lexicon("it they he she we this these those none neither both all some most many few one")
"""Subjects that stand for the one before when no noun follows them."""
_CONTINUING = frozenset({"and", "but", "or", "nor", "yet", "so", "then", ",", ";"})
"""Words before a verb without a subject of its own: it has the one before."""
_AFTER_ELLIPSIS = frozenset({"not", "too", "either", "also", "so"})
_SUBORDINATE = lexicon("because although though while whereas if unless when whenever since after before")
_BOUNDS = frozenset({"before", "until", "till"})
_COMPARING = lexicon("""
    more less fewer later earlier larger bigger greater smaller longer shorter heavier lighter higher lower older
    younger further deeper wider faster slower
    """)
_TO_FIGURE = 3
"""Words in which the figure of a limit follows its ``than`` (``than about 20 kg``)."""
_RELATIVES = frozenset({"who", "which", "that"})
_PARTING = HINDERING | {"without", "not"}
"""Words that may begin a phrase which is a statement of its own."""
_FRAMED = frozenset({"which", "who", "that", "where", "when"})
"""Words behind ``there is no ...`` that go on to what there is none of."""
KNOWING = frozenset(
    map(stem, lexicon("show prove find confirm establish know evidence proof say mean imply demonstrate"))
)
"""What is not shown is left open."""


@lru_cache(maxsize=2048)
def statements_in(text: str) -> tuple[Statement, ...]:
    """The statements of a text in reading order."""
    reading = read(text)
    cues = cues_in(reading)
    found: list[Statement] = []
    carried: list[Cue] = []
    earlier: list[Statement] = []
    made: dict[int, Statement] = {}
    for number, clause in enumerate(reading.clauses):
        head = _interrupted(reading.clauses[max(number - 2, 0) : number + 1])
        inherited = _inherited(reading, clause, earlier)
        if head is not None:
            subject = made[head.first]
            carried, inherited = subject.cues, tuple(subject.items.values())
            found = [statement for statement in found if statement is not subject]
        for first, last in _phrases(reading, clause):
            inside = _unspent(reading, [cue for cue in cues if first <= cue.first < last], last)
            own = inherited if first == clause.first else ()
            missing = _completing(reading, clause, first, last, earlier)
            statement = Statement(reading, clause, first, last, [*carried, *inside], own, missing)
            made[first] = statement
            carried = _reserve(statement, reading)
            if not carried and _is_frame(statement, reading):
                carried = [cue for cue in statement.cues if cue.kind == "negation"]
                continue
            if statement.items:
                found.append(statement)
                earlier.append(statement)
    return tuple(found)


@lru_cache(maxsize=2048)
def stems_in(text: str) -> frozenset[str]:
    """The stems of all statements of a text."""
    return frozenset[str]().union(*[statement.stems for statement in statements_in(text)])


def _before(earlier: list[Statement]) -> Statement | None:
    """The last statement that has a subject and says something of it; those behind it are dropped from the list."""
    while earlier and not (earlier[-1].subjects and earlier[-1].predicates):
        earlier.pop()
    return earlier[-1] if earlier else None


def _interrupted(clauses: Sequence[Clause]) -> Clause | None:
    """The subject without a verb that the last of three clauses takes up behind a relative one (``None of those who
    came`` *had paid*)."""
    if len(clauses) < 3:
        return None
    head, relative, clause = clauses
    resumes = relative.opener in _RELATIVES and clause.verbs and clause.verbs[0].first == clause.first
    return head if resumes and not head.verbs and head.sentence == clause.sentence else None


def _unspent(reading: Reading, cues: Sequence[Cue], last: int) -> list[Cue]:
    """The cues of a phrase that are not spent on a value, with the modals of those that are (``must not``)."""
    spent = {cue.first for cue in cues if _bounded(reading, cue, last)}
    return [cue for cue in cues if cue.first not in spent and not (cue.kind == "modal" and cue.last in spent)]


def _bounded(reading: Reading, cue: Cue, last: int) -> bool:
    """Whether a denial says from when on, or how much at most, which are values and no denials: who did not open until
    the spring, opened in spring, and what may not weigh more than 20 kg may weigh 20 kg."""
    if cue.kind != "negation" and not cue.forbids:
        return False
    for at in range(cue.last, min(last + 1, len(reading.tokens) - 1)):
        if reading.sentences[at] != reading.sentences[cue.first]:
            return False
        if not cue.forbids and reading.lows[at] in _BOUNDS:
            return True
        if reading.lows[at] in _COMPARING and reading.lows[at + 1] == "than":
            return any(token.word.number for token in reading.tokens[at + 2 : at + 2 + _TO_FIGURE])
    return False


def _inherited(reading: Reading, clause: Clause, earlier: list[Statement]) -> tuple[Item, ...]:
    """The subject that a clause has from elsewhere: by a relative (``who``), a pronoun, or none of its own."""
    if not clause.verbs:
        return ()
    verb = clause.verbs[0].first
    for token in reading.tokens[clause.first : verb]:
        word = token.word
        if not (word.punct or word.function or word.low.endswith("ly")):
            return ()
    lows = reading.lows[clause.first : verb]
    if not _RELATIVES.isdisjoint(lows):
        return tuple(_noun_before(reading, clause.first))
    stands_in = not _STANDING_IN.isdisjoint(lows)
    continuing = clause.opener not in _SUBORDINATE and not _CONTINUING.isdisjoint(
        (*lows, reading.lows[clause.first - 1])
    )
    before = _before(earlier) if stands_in or continuing else None
    if before is None or not (stands_in or before.sentence == clause.sentence):
        return ()
    return tuple(before.items[one] for one in sorted(before.subjects))


def _completing(
    reading: Reading, clause: Clause, first: int, last: int, earlier: list[Statement]
) -> tuple[Item, ...]:
    """What a clause that breaks off behind its auxiliary (``but the drummer did not``) has from the one before."""
    if not clause.verbs or not first <= clause.verbs[-1].main < last:
        return ()
    verb = clause.verbs[-1]
    if verb.lemma not in ("be", "have", "do"):
        return ()
    for token in reading.tokens[verb.main + 1 : last]:
        if not (token.word.punct or token.word.low in _AFTER_ELLIPSIS):
            return ()
    before = _before(earlier)
    if before is None:
        return ()
    return tuple(item for one, item in sorted(before.items.items()) if one not in before.subjects)


def _noun_before(reading: Reading, at: int) -> Iterator[Item]:
    """The content words right before a token."""
    for place in range(at - 1, max(at - 5, -1), -1):
        word = reading.tokens[place].word
        if word.punct and place == at - 1:
            continue
        if word.punct or word.function or word.number:
            return
        yield Item(word.stem, False, place, word.low)


class Context(NamedTuple):
    """What stands around a statement: stems of its sentence (and, where that leans on it, of the one before), and
    of the headings above, which hold for every sentence."""

    near: frozenset[str]
    above: frozenset[str]


@lru_cache(maxsize=2048)
def contexts_in(text: str) -> Mapping[int, Context]:
    """The context of the statements of each sentence of a text, by its number."""
    reading, statements = read(text), statements_in(text)
    own: dict[int, frozenset[str]] = {}
    for statement in statements:
        own[statement.sentence] = own.get(statement.sentence, frozenset()) | statement.stems
    body = body_sentence(reading)
    above = frozenset[str]().union(*(stems for number, stems in own.items() if number < body))
    leaning = _leaning(reading) if len(own) > 1 else frozenset[int]()
    return {
        number: Context(stems | own.get(number - 1, frozenset()) if number in leaning else stems, above)
        for number, stems in own.items()
    }


def body_sentence(reading: Reading) -> int:
    """The sentence behind the headings: the first one with a verb, or the last of all."""
    found = (clause.sentence for clause in reading.clauses if clause.verbs)
    return next(found, reading.sentences[-1] if reading.sentences else 0)


def _leaning(reading: Reading) -> frozenset[int]:
    """Sentences whose first word stands for something in the sentence before: ``It``, ``None``, ``Both``."""
    return frozenset(reading.sentences[at] for at in reading.heads if reading.lows[at] in _LEANING)


def _phrases(reading: Reading, clause: Clause) -> Iterator[tuple[int, int]]:
    """The clause, cut before a phrase that a cue denies alone: ``without X``, ``and not X``, ``keep X from``."""
    begin = clause.first
    if reading.lows[begin] == "unlike" and "," in reading.lows[begin : clause.last]:
        comma = reading.lows.index(",", begin)  # of whom it is not said: the denial behind reaches it no more
        yield begin, comma
        begin = comma + 1
    lows = reading.lows[begin : clause.last]
    start = begin
    if _PARTING.isdisjoint(lows):
        yield start, clause.last
        return
    for offset, low in enumerate(lows):
        at = begin + offset
        before = lows[offset - 1] if offset else ""
        alone = (low == "without" and not _denied_before(lows[:offset])) or (
            low == "not" and before in ("and", ",", "but")
        )
        hindered = (
            low in HINDERING and "from" in lows[offset + 1 : offset + 7] and not _denied_before(lows[:offset])
        )
        if at > start and (hindered or (alone and not _verb_follows(clause, at))):
            yield start, at
            start = at
    yield start, clause.last


def _denied_before(lows: Sequence[str]) -> bool:
    """``No script runs without approval`` is one statement with two negations."""
    return not _DENYING.isdisjoint(lows)


def _verb_follows(clause: Clause, at: int) -> bool:
    return any(group.main > at for group in clause.verbs)


def _is_frame(statement: Statement, reading: Reading) -> bool:
    """``It is not true that``, ``There is no season in``: says only whether, or that none, of what comes next."""
    if len(statement.stems) > 1 and not statement.denied:
        return False
    lows = reading.lows[statement.first : statement.last]
    if len(statement.stems) <= 1 and not _TRUTH.isdisjoint(lows):
        return True
    following = reading.lows[statement.last : statement.last + 1]
    return statement.denied and "there" in lows and not _FRAMED.isdisjoint(following)


def _reserve(statement: Statement, reading: Reading) -> list[Cue]:
    """What a statement leaves open of the one behind it: ``Data suggest that``, ``There is no evidence that``."""
    if reading.lows[statement.last : statement.last + 1] not in (["that"], ["whether"]):
        return []
    reserve = [cue for cue in statement.cues if cue.kind == "hedge"]
    if statement.denied and not statement.stems.isdisjoint(KNOWING):
        reserve.extend(cue._replace(kind="hedge") for cue in statement.cues if cue.kind == "negation")
    return reserve
