"""Sentences and clauses of a text with the verbs in them: a light parse without a model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier_signals.lexicon import common_words, verb_of
from verifier_signals.syntax.verbs import (
    AUXILIARIES,
    BREAKS,
    COORDINATORS,
    DETERMINERS,
    FRONTED,
    PREPOSITIONS,
    VerbGroup,
    verb_groups,
)
from verifier_signals.syntax.words import Token, tokenise

__all__ = ["Clause", "Reading", "is_common", "read"]

_SUBORDINATORS = lexicon("""
    because although though while whereas if unless when whenever until who whom which whose where whether
    except provided since
    """)
_NOT_PROVIDING = AUXILIARIES | {"not", "never", "also"}
"""Words before a ``provided`` that is a verb."""
_TIME_LINKS = frozenset({"after", "before"})
_JOINING = _SUBORDINATORS | _TIME_LINKS | COORDINATORS | {"that"}
"""Words that a clause may begin with."""
_RELATIVES = frozenset({"who", "whom", "which", "that", "whose"})
_TITLES = lexicon("mr mrs ms messrs dr prof rev gen col lt sgt capt st sr jr")
"""Titles as they are shortened."""
_LABEL = 4
"""Words of a label; more are a sentence that a colon ends."""
_NO_RESUMPTION = lexicon("and or but to not , that who which it they he she")
"""Words after which a second verb still belongs to the relative clause."""
_REPORTING = lexicon("""
    say claim announce confirm state note insist argue explain warn report believe think hope promise admit stress find
    know assume estimate
    """)
"""Verbs that a whole statement may follow without ``that``."""


class Clause:
    """Tokens ``first`` up to ``last`` (not included) of a reading. ``opener`` is the word that joins it on."""

    __slots__ = ("first", "last", "opener", "sentence", "verbs")

    def __init__(self, first: int, last: int, sentence: int, opener: str) -> None:
        self.first, self.last, self.sentence, self.opener = first, last, sentence, opener
        self.verbs: list[VerbGroup] = []


class Reading:
    """A text with its tokens, and what is read off them when first asked for. Not to be changed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenise(text)

    @cached_property
    def lows(self) -> list[str]:
        """The folded form of each token."""
        return [token.word.low for token in self.tokens]

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The places of each folded form."""
        found: dict[str, list[int]] = {}
        for at, low in enumerate(self.lows):
            if low in found:
                found[low].append(at)
            else:
                found[low] = [at]
        return found

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all tokens."""
        return frozenset([token.word.stem for token in self.tokens])

    @cached_property
    def sentences(self) -> list[int]:
        """The number of the sentence of each token."""
        return _sentences(self.text, self.tokens)

    @cached_property
    def heads(self) -> frozenset[int]:
        """The tokens that open a sentence, or a line with a label."""
        return frozenset({*_openers(self.tokens, self.sentences), *_labels(self)})

    @cached_property
    def clauses(self) -> list[Clause]:
        """The clauses in reading order."""
        return _clauses(self)


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """The reading of a text; recent ones are kept, because a claim meets many premises."""
    return Reading(text)


def _sentences(text: str, tokens: list[Token]) -> list[int]:
    spans = sentence_spans(text)
    if len(spans) < 2:
        return [0] * len(tokens)
    starts = [token.start for token in tokens]
    numbers: list[int] = []
    for number, (_, end) in enumerate(spans[:-1]):
        numbers.extend([number] * (bisect_left(starts, end) - len(numbers)))
    return numbers + [len(spans) - 1] * (len(tokens) - len(numbers))


def _openers(tokens: list[Token], sentences: list[int]) -> Iterator[int]:
    """The first word of each sentence, marks apart."""
    opened = -1
    for at, sentence in enumerate(sentences):
        if sentence != opened and not tokens[at].word.punct:
            opened = sentence
            yield at


def _labels(reading: Reading) -> Iterator[int]:
    """The tokens that open a line which begins with a label: ``Checked by: Ada Orr``."""
    text, tokens = reading.text, reading.tokens
    for colon in reading.places.get(":", ()):
        for at in range(colon - 1, max(colon - 1 - _LABEL, 0), -1):
            if tokens[at].word.punct:
                break
            if "\n" in text[tokens[at - 1].end : tokens[at].start]:
                yield at
                break


def _clauses(reading: Reading) -> list[Clause]:
    tokens, sentences = reading.tokens, reading.sentences
    verbs = verb_groups(tokens, sentences)
    starts = _after_reports(reading, _clause_starts(reading, verbs), verbs)
    starts = _after_relatives(reading.lows, starts, verbs)
    clauses = [
        Clause(first, last, sentences[first], reading.lows[first])
        for first, last in pairwise((*starts, len(tokens)))
    ]
    at = 0
    for group in verbs:
        while group.main >= clauses[at].last:
            at += 1
        clauses[at].verbs.append(group)
    return clauses


def _clause_starts(reading: Reading, verbs: list[VerbGroup]) -> list[int]:
    lows, sentences = reading.lows, reading.sentences
    begins_verb = {group.first for group in verbs}
    mains = {group.main for group in verbs}
    starts: list[int] = []
    head = -1
    verb_since = False
    previous = ""
    for at, low in enumerate(lows):
        fresh = not starts or sentences[at] != sentences[at - 1]
        if fresh:
            head = at
        if (
            fresh
            or (previous == "," and verb_since and starts[-1] == head and lows[head] in FRONTED)
            or (
                (low in _JOINING or previous in BREAKS)
                and _breaks_before(reading, at, verb_since, begins_verb)
            )
        ):
            starts.append(at)
            verb_since = False
        verb_since = verb_since or at in mains
        previous = low
    return starts


def _after_relatives(lows: list[str], starts: list[int], verbs: list[VerbGroup]) -> list[int]:
    """Further starts where a relative clause ends: at the verb that takes up the clause around it."""
    resumed: list[int] = []
    for first, last in pairwise((*starts, len(lows))):
        if lows[first] not in _RELATIVES:
            continue
        inside = [group for group in verbs if first <= group.main < last]
        if len(inside) > 1 and lows[inside[1].first - 1] not in _NO_RESUMPTION:
            resumed.append(inside[1].first)
    return sorted({*starts, *resumed}) if resumed else starts


def _after_reports(reading: Reading, starts: list[int], verbs: list[VerbGroup]) -> list[int]:
    """Further starts where what is reported begins without a ``that``: ``She said the mill will not close``."""
    told: list[int] = []
    for group, following in pairwise(verbs):
        at = group.main + 1
        if group.passive or group.lemma not in _REPORTING or at >= following.first:
            continue
        inside = not any(at <= start <= following.main for start in starts)
        if (
            inside
            and reading.sentences[at] == reading.sentences[following.main]
            and _opens_report(reading, at)
        ):
            told.append(at)
    return sorted({*starts, *told}) if told else starts


def _opens_report(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    return not (word.punct or word.low in PREPOSITIONS or word.low in ("to", "that", "so", "it"))


def _breaks_before(reading: Reading, at: int, verb_since: bool, begins_verb: set[int]) -> bool:
    """Whether a clause begins at a token that joins clauses or stands behind a break."""
    tokens, sentences = reading.tokens, reading.sentences
    low, previous = reading.lows[at], reading.lows[at - 1]
    if previous in BREAKS and not (previous == "." and _is_inside_word(reading, at - 1)):
        return True
    if low in _SUBORDINATORS:
        return low != "provided" or previous not in _NOT_PROVIDING
    if low == "that":
        opens = tokens[at - 1].word.verb is not None or at + 1 in begins_verb
        return opens and previous not in DETERMINERS and previous not in PREPOSITIONS
    if verb_since and (low in _TIME_LINKS or low in COORDINATORS):
        near = range(at + 1, min(at + 7, len(tokens)))
        return any(place in begins_verb and sentences[place] == sentences[at] for place in near)
    return False


def _is_inside_word(reading: Reading, dot: int) -> bool:
    """Whether a period stands inside a word, or behind a title: ``example.org``, ``Mrs. Orr``."""
    tokens = reading.tokens
    titled = dot > 0 and reading.lows[dot - 1] in _TITLES
    return tokens[dot].end == tokens[dot + 1].start or (
        titled and reading.sentences[dot] == reading.sentences[dot + 1]
    )


def is_common(low: str) -> bool:
    """Whether a folded word is an ordinary word of the language, in any of its forms."""
    known = common_words()
    if low in known or verb_of(low) is not None:
        return True
    if low.endswith("ies") and f"{low[:-3]}y" in known:
        return True
    return low.endswith("s") and (low[:-1] in known or (low.endswith("es") and low[:-2] in known))
