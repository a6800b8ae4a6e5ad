"""A text goes in, its statements come out: the content words of each clause, and whether it affirms or denies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from signals.lexicon import antonyms_of, common_words, senses_of, verb_of
from signals.polarity.cues import Cue, cues_in
from signals.syntax import Clause, Reading, read, stem
from verifier.core.lexicon import lexicon

__all__ = ["Context", "Item", "Statement", "contexts_in", "statements_in"]

_PREFIXES = ("non-", "non", "un", "in", "im", "ir", "il", "dis")
_TRUTH = lexicon("true case fact correct accurate right false untrue wrong incorrect")
_UNTRUE = lexicon("false untrue wrong incorrect")
_DENYING = lexicon(
    "no not never nobody nothing none nor neither cannot can't don't doesn't didn't won't isn't aren't"
)
_LIGHT = lexicon("""
    be have do get make take give go come use able thing way kind one also however therefore according
    reason time same two three four five six seven eight nine ten eleven twelve
    """)
"""Verbs and nouns too light to tell what a clause is about."""


_LEANING = lexicon("it they he she this these that those none neither both all some most many few its their")
"""First words by which a sentence speaks of what the one before speaks of."""


_EXISTENCE = lexicon("""
    find discover detect observe see notice encounter record report have contain include occur happen exist suffer
    unearth identify turn
    """)
"""Verbs by which a thing is there: ``none were found`` denies ``they came across some``."""


class Item(NamedTuple):
    """A content word of a statement: its stem without a denying prefix, whether it had one, its token."""

    stem: str
    flipped: bool
    at: int
    low: str


class _Relations(NamedTuple):
    """A word's form and lemma, the opposites of either, and the senses of the lemma."""

    forms: tuple[str, ...]
    opposites: frozenset[str]
    senses: frozenset[int]


@lru_cache(maxsize=16384)
def _relations(low: str) -> _Relations:
    verb = verb_of(low)
    lemma = low if verb is None else verb.lemma
    return _Relations((low, lemma), antonyms_of(low) | antonyms_of(lemma), senses_of(lemma))


class Statement:
    """A clause, or a phrase that denies on its own (``without detergent``).

    ``denied`` is the parity of its negations: two of them cancel. ``predicates`` are the stems of its main
    verbs and of what it says with ``be``, ``subjects`` the stems before its verb; ``compares`` is whether it sets
    two things against each other (``than``, ``as ... as``); ``existence`` is whether it says that something is
    there or was found; ``names`` are stems with a capital behind its verb,
    ``numbers`` its figures. ``forms``, ``opposites`` and
    ``senses`` lead from a form of its words, a word set against them, and the number of a sense of theirs, to its
    stem (of ``opposites``, to all stems that it is set against).
    """

    __slots__ = (
        "compares",
        "cues",
        "denied",
        "existence",
        "first",
        "forms",
        "items",
        "last",
        "modal",
        "names",
        "numbers",
        "opener",
        "opposites",
        "predicates",
        "senses",
        "sentence",
        "stems",
        "subjects",
    )

    def __init__(self, reading: Reading, clause: Clause, first: int, last: int, cues: list[Cue]) -> None:
        self.first, self.last, self.sentence, self.opener = first, last, clause.sentence, clause.opener
        self.cues = cues
        self.denied = sum(cue.kind == "negation" for cue in cues) % 2 == 1
        self.modal = next((cue for cue in cues if cue.kind == "modal"), None)
        lows = [token.word.low for token in reading.tokens[first:last]]
        self.numbers = frozenset(low for low in lows if low[:1].isdecimal())
        verbs = [group for group in clause.verbs if first <= group.main < last]
        found = any(group.lemma in _EXISTENCE for group in verbs) or "there" in lows
        self.existence = found or (any(group.lemma == "come" for group in verbs) and "across" in lows)
        self.compares = "than" in lows or lows.count("as") > 1
        covered = {at for cue in cues if cue.kind != "hedge" for at in range(cue.first, cue.last)}
        self.items = {item.stem: item for item in _items(reading, first, last, covered)}
        self.stems = frozenset(self.items)
        self.forms: dict[str, str] = {}
        self.opposites: dict[str, list[str]] = {}
        self.senses: dict[int, str] = {}
        for one, item in self.items.items():
            known = _relations(item.low)
            self.forms.update(dict.fromkeys(known.forms, one))
            for other in known.opposites:
                self.opposites.setdefault(other, []).append(one)
            self.senses.update(dict.fromkeys(known.senses, one))
        verb = next((group.first for group in clause.verbs if first <= group.first < last), first)
        self.subjects = frozenset(item.stem for item in self.items.values() if item.at < verb)
        self.names = frozenset(
            item.stem
            for item in self.items.values()
            if reading.tokens[item.at].word.capital and item.at not in reading.heads and item.at >= verb
        )
        self.predicates = frozenset(_predicates(reading, clause, first, last)) & self.stems

    def cue(self, kind: str) -> Cue | None:
        """The first cue of a kind."""
        return next((cue for cue in self.cues if cue.kind == kind), None)


@lru_cache(maxsize=2048)
def statements_in(text: str) -> tuple[Statement, ...]:
    """The statements of a text in reading order."""
    reading = read(text)
    cues = cues_in(reading)
    found: list[Statement] = []
    carried: list[Cue] = []
    for clause in reading.clauses:
        for first, last in _phrases(reading, clause):
            inside = [cue for cue in cues if first <= cue.first < last]
            statement = Statement(reading, clause, first, last, [*carried, *inside])
            if _is_frame(statement, reading):
                carried = [cue for cue in statement.cues if cue.kind == "negation"]
                continue
            carried = []
            if statement.items:
                found.append(statement)
    return tuple(found)


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
    body = _first_sentence_with_verb(reading)
    above = frozenset[str]().union(*(stems for number, stems in own.items() if number < body))
    leaning = _leaning(reading)
    return {
        number: Context(stems | own.get(number - 1, frozenset()) if number in leaning else stems, above)
        for number, stems in own.items()
    }


def _first_sentence_with_verb(reading: Reading) -> int:
    """The sentence behind the headings: the first one with a verb, or the last of all."""
    found = (clause.sentence for clause in reading.clauses if clause.verbs)
    return next(found, reading.sentences[-1] if reading.sentences else 0)


def _leaning(reading: Reading) -> frozenset[int]:
    """Sentences whose first word stands for something in the sentence before: ``It``, ``None``, ``Both``."""
    return frozenset(reading.sentences[at] for at in reading.heads if reading.tokens[at].word.low in _LEANING)


def _phrases(reading: Reading, clause: Clause) -> Iterator[tuple[int, int]]:
    """The clause, cut before a phrase that a cue denies alone: ``without X``, ``and not X``, ``rather than X``."""
    lows = [reading.tokens[at].word.low for at in range(clause.first, clause.last)]
    start = clause.first
    for offset, low in enumerate(lows):
        at = clause.first + offset
        before = lows[offset - 1] if offset else ""
        alone = (low == "without" and not _denied_before(lows[:offset])) or (
            low == "not" and before in ("and", ",", "but")
        )
        if alone and at > start and not _verb_follows(clause, at):
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
    lows = {reading.tokens[at].word.low for at in range(statement.first, statement.last)}
    if not lows.isdisjoint(_TRUTH) and len(statement.stems) <= 1:
        return True
    following = statement.last < len(reading.tokens) and reading.tokens[statement.last].word.low
    return statement.denied and "there" in lows and following in ("which", "who", "that", "where", "when")


def _items(reading: Reading, first: int, last: int, covered: set[int]) -> Iterator[Item]:
    for at in range(first, last):
        word = reading.tokens[at].word
        if word.punct or word.function or word.number or at in covered or word.low in _LIGHT:
            continue
        base = _without_prefix(word.low)
        yield Item(word.stem, False, at, word.low) if base is None else Item(stem(base), True, at, word.low)


@lru_cache(maxsize=16384)
def _without_prefix(low: str) -> str | None:
    """The word that a denying prefix stands before, when the two are known opposites or written with a hyphen."""
    for prefix in _PREFIXES:
        if low.startswith(prefix) and len(low) > len(prefix) + 3:
            base = low[len(prefix) :].lstrip("-")
            ordinary = prefix == "un" and len(base) > 4 and base in common_words()
            if base in antonyms_of(low) or prefix == "non-" or ordinary:
                return base
    return None


def _predicates(reading: Reading, clause: Clause, first: int, last: int) -> Iterator[str]:
    for group in clause.verbs:
        if not first <= group.main < last:
            continue
        if group.lemma not in ("be", "have", "do"):
            yield reading.tokens[group.main].word.stem
            continue
        begun = False
        for at in range(group.main + 1, min(group.main + 8, last)):
            word = reading.tokens[at].word
            if begun and (word.punct or word.function):
                break
            if not (word.punct or word.function):
                begun = True
                base = _without_prefix(word.low)
                yield word.stem if base is None else stem(base)
