"""A clause goes in, what it states comes out: its content words by their parts, and whether it denies them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signals.polarity.cue import Cue
from signals.polarity.items import Item, Related, groups_of, is_name, items_in, related_of, without_prefix
from signals.syntax import Clause, Reading, VerbGroup, stem
from verifier.core.lexicon import lexicon

__all__ = ["Statement"]

_PLACING = lexicon("in on at by for with near along during from of to under over within")
_EXISTENCE = lexicon("""
    find discover detect observe see notice encounter record report have contain include occur happen exist suffer
    unearth identify turn
    """)
"""Verbs by which a thing is there: ``none were found`` denies ``they came across some``."""


class Statement:
    """A clause, or a phrase that denies on its own (``without detergent``).

    ``denied`` is the parity of its negations: two of them cancel. ``predicates`` are the stems of its main
    verbs and of what it says with ``be``, ``subjects`` the stems before its verb, those of the statement before
    where it leaves its own out or has a pronoun; ``compares`` is whether it sets two things against each other
    (``than``, ``as ... as``); ``sweeping`` is whether it speaks of all of its subjects, or of none; ``existence`` is
    whether it says that something is there or was found; ``capitals`` are stems with a capital, ``names`` those
    behind its verb, ``numbers`` its figures, ``groups`` the number of the list or the name that a stem is part of.
    """

    __slots__ = (
        "_cues",
        "_related",
        "capitals",
        "compares",
        "cues",
        "denied",
        "existence",
        "first",
        "groups",
        "items",
        "last",
        "modal",
        "names",
        "numbers",
        "opener",
        "predicates",
        "sentence",
        "stems",
        "subjects",
        "sweeping",
    )

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
        self.denied = sum(cue.kind == "negation" for cue in cues) % 2 == 1
        self._cues = {cue.kind: cue for cue in reversed(cues)}
        self.modal = self._cues.get("modal")
        lows = [token.word.low for token in reading.tokens[first:last]]
        self.numbers = frozenset(low for low in lows if low[:1].isdecimal())
        verbs = [group for group in clause.verbs if first <= group.main < last]
        found = any(group.lemma in _EXISTENCE for group in verbs) or "there" in lows
        self.existence = found or (any(group.lemma == "come" for group in verbs) and "across" in lows)
        self.compares = "than" in lows or lows.count("as") > 1
        covered = {at for cue in cues if cue.kind != "hedge" for at in range(cue.first, cue.last)}
        own = list(items_in(reading, first, last, covered))
        self.items = {item.stem: item for item in (*inherited, *completing, *own)}
        self.stems = frozenset(self.items)
        self.groups = groups_of(reading, own)
        self._related: Related | None = None
        verb = next((group.first for group in verbs if first <= group.first < last), first)
        ahead = [item.stem for item in own if item.at < verb] or list(_existing(reading, own, verb, lows))
        self.subjects = frozenset((*ahead, *(item.stem for item in inherited)))
        self.sweeping = any(
            cue.kind == "quantifier" and cue.value in ("all", "none") and cue.first < verb for cue in cues
        )
        self.capitals = frozenset(item.stem for item in self.items.values() if is_name(reading, item.at))
        self.names = frozenset(one for one in self.capitals if self.items[one].at >= verb)
        said = (*_predicates(reading, clause, first, last), *(item.stem for item in completing))
        self.predicates = frozenset(said) & self.stems

    @property
    def related(self) -> Related:
        """What its words are related to; looked up when first asked for, since most statements never are."""
        if self._related is None:
            self._related = related_of(self.items)
        return self._related

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
    if "there" not in lows:
        return
    previous = verb
    for item in items:
        if any(reading.tokens[at].word.low in _PLACING for at in range(previous, item.at)):
            return
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
