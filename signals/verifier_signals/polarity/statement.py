"""A clause goes in, what it states comes out: its content words by their parts, and whether it denies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.items import (
    Item,
    Related,
    groups_of,
    is_name,
    items_in,
    related_of,
    without_prefix,
)
from verifier_signals.syntax import Clause, Reading, VerbGroup, stem

__all__ = ["Statement"]

_PLACING = lexicon("in on at by for with near along during from of to under over within")
_LIGHT_VERBS = lexicon("come go")
"""Verbs whose stems are no content words, and which say something all the same: ``came through``."""
_SIGNS = lexicon("sign trace evidence indication hint symptom")
"""What there is of a thing where there is that thing."""
_FINDING = lexicon("find discover detect observe see notice encounter record report unearth identify")
"""Those whose subject is who finds what is there."""
_THERE = lexicon("visible present evident apparent detectable noticeable")
"""Adjectives by which a thing is there."""
_EXISTENCE = lexicon("""
    find discover detect observe see notice encounter record report have contain include occur happen exist suffer
    unearth identify turn
    """)
"""Verbs by which a thing is there: ``none were found`` denies ``they came across some``."""


class Statement:
    """A clause, or a phrase that denies on its own (``without detergent``).

    ``denied`` is the parity of its negations: two of them cancel. What most statements are never asked for is read off
    them when it is.
    """

    def __init__(
        self,
        reading: Reading,
        clause: Clause,
        first: int,
        last: int,
        cues: list[Cue],
        inherited: Sequence[Item] = (),
        completing: Sequence[Item] = (),
    ) -> None:
        self.first, self.last, self.sentence, self.opener = first, last, clause.sentence, clause.opener
        self.cues = cues
        self.denied = sum(cue.kind == "negation" for cue in cues) % 2 == 1 if cues else False
        self._cues = {cue.kind: cue for cue in reversed(cues)}
        self.modal = self._cues.get("modal")
        covered = {at for cue in cues if cue.kind != "hedge" for at in range(cue.first, cue.last)}
        self._own = items_in(reading, first, last, covered)
        self.items = {item.stem: item for item in (*inherited, *completing, *self._own)}
        self.stems = frozenset(self.items)
        self._reading, self._clause = reading, clause
        self._inherited, self._completing = inherited, completing

    @cached_property
    def _lows(self) -> list[str]:
        return self._reading.lows[self.first : self.last]

    @cached_property
    def _verbs(self) -> list[VerbGroup]:
        return [group for group in self._clause.verbs if self.first <= group.main < self.last]

    @cached_property
    def _verb(self) -> int:
        """Where its verb begins; its first token where it has none."""
        return next((group.first for group in self._verbs if self.first <= group.first), self.first)

    @cached_property
    def forbids(self) -> bool:
        """Whether its modal denies by itself (``forbidden``)."""
        return self.modal is not None and self.modal.forbids

    @property
    def negative(self) -> bool:
        """Whether what denies in it, its modal counted in, is odd in number."""
        return self.denied ^ self.forbids

    @cached_property
    def demands(self) -> bool:
        """Whether it demands a thing by forbidding all without it: ``No one may enter without a helmet``."""
        permits = self.modal is not None and self.modal.value == "permit"
        denials = sum(cue.kind == "negation" for cue in self.cues) if permits else 0
        return denials == 2 and "without" in self._lows

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its figures."""
        return frozenset([low for low in self._lows if low[:1].isdecimal()])

    @cached_property
    def existence(self) -> bool:
        """Whether it says that something is there or was found."""
        lemmas = {group.lemma for group in self._verbs}
        there = "there" in self._lows or ("come" in lemmas and "across" in self._lows)
        seen = "be" in lemmas and not _THERE.isdisjoint(self._lows)
        return there or seen or not lemmas.isdisjoint(_EXISTENCE)

    @cached_property
    def existing(self) -> frozenset[str]:
        """The stems of what it says is there, or was found; none where it says no such thing."""
        if not self.existence:
            return frozenset()
        found = self._finding
        if found is None:
            return self.subjects
        behind = [item for item in self._own if item.at > found.main]
        return frozenset(_up_to_place(self._reading, behind, found.main)) or self.subjects

    @cached_property
    def _finding(self) -> VerbGroup | None:
        """The verb by which somebody finds what is there."""
        return next((group for group in self._verbs if group.lemma in _FINDING and not group.passive), None)

    @cached_property
    def beside_existing(self) -> frozenset[str]:
        """The stems of who finds what is there, and of what there is of it (``no sign of``)."""
        lows = self._reading.lows
        signs = [
            item.stem
            for item in self._own
            if item.low.removesuffix("s") in _SIGNS and lows[item.at + 1 : item.at + 2] == ["of"]
        ]
        finder = self.subjects | self.predicates if self._finding is not None else frozenset[str]()
        return finder.union(signs) - self.existing

    @cached_property
    def light_verbs(self) -> frozenset[str]:
        """Those of its verbs that are too light to be among its stems."""
        return _LIGHT_VERBS.intersection([group.lemma for group in self._verbs])

    @cached_property
    def compares(self) -> bool:
        """Whether it sets two things against each other (``than``, ``as ... as``)."""
        return "than" in self._lows or self._lows.count("as") > 1

    @cached_property
    def groups(self) -> Mapping[str, int]:
        """The number of the list or the name that a stem is part of."""
        return groups_of(self._reading, self._own)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The stems before its verb, and those of the statement before where it leaves its own out or has a pronoun."""
        ahead = [item.stem for item in self._own if item.at < self._verb]
        ahead = ahead or list(_existing(self._reading, self._own, self._verb, self._lows))
        return frozenset([*ahead, *[item.stem for item in self._inherited]])

    @cached_property
    def sweeping(self) -> bool:
        """Whether it speaks of all of its subjects, or of none."""
        return any(
            cue.kind == "quantifier" and cue.value in ("all", "none") and cue.first < self._verb
            for cue in self.cues
        )

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The stems with a capital."""
        return frozenset([item.stem for item in self.items.values() if is_name(self._reading, item.at)])

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems with a capital behind its verb."""
        return frozenset([one for one in self.capitals if self.items[one].at >= self._verb])

    @cached_property
    def predicates(self) -> frozenset[str]:
        """The stems of its main verbs and of what it says with ``be``."""
        said = _predicates(self._reading, self._clause, self.first, self.last)
        return self.stems.intersection([*said, *[item.stem for item in self._completing]])

    @cached_property
    def flips(self) -> bool:
        """Whether a word of it has a denying prefix."""
        return any(item.flipped for item in self.items.values())

    @cached_property
    def related(self) -> Related:
        """What its words are related to."""
        return related_of(self.items)

    def beyond(self, known: frozenset[str]) -> frozenset[str]:
        """The stems that are not known; of words joined by ``and``, ``or`` or ``nor`` one that is known speaks for
        all, and so does one part of a name."""
        rest = self.stems - known
        if not rest or rest == self.stems:
            return rest
        met = {self.groups[one] for one in self.stems & known if one in self.groups}
        return frozenset(one for one in rest if self.groups.get(one) not in met)

    def cue(self, kind: str) -> Cue | None:
        """The first cue of a kind."""
        return self._cues.get(kind)


def _existing(reading: Reading, items: Sequence[Item], verb: int, lows: Sequence[str]) -> Iterator[str]:
    """What there is said to be: the words behind the verb, up to the phrase that says where or when."""
    if "there" in lows:
        yield from _up_to_place(reading, items, verb)


def _up_to_place(reading: Reading, items: Sequence[Item], verb: int) -> Iterator[str]:
    previous = verb
    for item in items:
        if any(reading.tokens[at].word.low in _PLACING for at in range(previous, item.at)):
            return
        if item.low.removesuffix("s") in _SIGNS and reading.lows[item.at + 1 : item.at + 2] == ["of"]:
            previous = item.at + 2
            continue
        yield item.stem
        previous = item.at


def _predicates(reading: Reading, clause: Clause, first: int, last: int) -> Iterator[str]:
    for number, group in enumerate(clause.verbs):
        if not first <= group.main < last or (number and _describes(reading, group)):
            continue
        if group.lemma not in ("be", "have", "do"):
            yield _stem_of(reading, group.main)
            continue
        begun = False
        for at in range(group.main + 1, min(group.main + 8, last)):
            word = reading.tokens[at].word
            if begun and (word.punct or word.function):
                break
            if not (word.punct or word.function):
                begun = True
                yield _stem_of(reading, at)


def _describes(reading: Reading, group: VerbGroup) -> bool:
    """Whether a bare past form right behind a noun only says which one is meant: ``liable for payments made``."""
    before, word = reading.tokens[group.main - 1].word, reading.tokens[group.main].word
    bare = group.first == group.main and word.low != group.lemma and not word.low.endswith(("s", "ing"))
    return bare and not (before.punct or before.function or before.number or before.low.endswith("ly"))


def _stem_of(reading: Reading, at: int) -> str:
    """The stem of a word, without a denying prefix."""
    word = reading.tokens[at].word
    base = without_prefix(word.low)
    return word.stem if base is None else stem(base)
