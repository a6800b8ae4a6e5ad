"""A text goes in, its sentences and clauses come out, with the verbs in them: a light reading without a parser."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from signals.lexicon import common_words, verb_of
from signals.syntax.verbs import (
    AUXILIARIES,
    BREAKS,
    COORDINATORS,
    DETERMINERS,
    FRONTED,
    PREPOSITIONS,
    VerbGroup,
    verb_groups,
)
from signals.syntax.words import Token, tokenise
from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans

__all__ = ["Clause", "Reading", "is_common", "read"]

_SUBORDINATORS = lexicon("""
    because although though while whereas if unless when whenever until who whom which whose where whether
    except provided since
    """)
_TIME_LINKS = frozenset({"after", "before"})
_RELATIVES = frozenset({"who", "whom", "which", "that", "whose"})
_LABEL = 4
"""Words of a label; more are a sentence that a colon ends."""
_NO_RESUMPTION = lexicon("and or but to not , that who which it they he she")
"""Words after which a second verb still belongs to the relative clause."""


class Clause:
    """Tokens ``first`` up to ``last`` (not included) of a reading. ``opener`` is the word that joins it on."""

    __slots__ = ("first", "last", "opener", "sentence", "verbs")

    def __init__(self, first: int, last: int, sentence: int, opener: str) -> None:
        self.first, self.last, self.sentence, self.opener = first, last, sentence, opener
        self.verbs: list[VerbGroup] = []


class Reading:
    """A text with its tokens, its clauses, the sentence of each token, the places of each folded word. Not to be
    changed."""

    __slots__ = ("clauses", "heads", "places", "sentences", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenise(text)
        self.sentences, self.heads = _sentences(text, self.tokens)
        self.clauses = _clauses(self.tokens, self.sentences)
        self.places: dict[str, list[int]] = {}
        for at, token in enumerate(self.tokens):
            self.places.setdefault(token.word.low, []).append(at)


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """The reading of a text; recent ones are kept, because a claim meets many premises."""
    return Reading(text)


def _sentences(text: str, tokens: list[Token]) -> tuple[list[int], frozenset[int]]:
    """The number of the sentence of each token, and the tokens that open a sentence, or a line with a label."""
    spans = sentence_spans(text)
    numbers: list[int] = []
    heads: set[int] = set()
    current, opened = 0, False
    for at, token in enumerate(tokens):
        while current + 1 < len(spans) and token.start >= spans[current][1]:
            current, opened = current + 1, False
        if not opened and not token.word.punct:
            heads.add(at)
            opened = True
        numbers.append(current)
    return numbers, frozenset(heads | set(_labels(text, tokens)))


def _labels(text: str, tokens: list[Token]) -> Iterator[int]:
    """The tokens that open a line which begins with a label: ``Checked by: Ada Orr``."""
    for colon, token in enumerate(tokens):
        if token.word.low != ":":
            continue
        for at in range(colon - 1, max(colon - 1 - _LABEL, 0), -1):
            if tokens[at].word.punct:
                break
            if "\n" in text[tokens[at - 1].end : tokens[at].start]:
                yield at
                break


def _clauses(tokens: list[Token], sentences: list[int]) -> list[Clause]:
    verbs = verb_groups(tokens, sentences)
    starts = _after_relatives(tokens, _clause_starts(tokens, sentences, verbs), verbs)
    clauses: list[Clause] = []
    for number, first in enumerate(starts):
        last = starts[number + 1] if number + 1 < len(starts) else len(tokens)
        clauses.append(Clause(first, last, sentences[first], tokens[first].word.low))
    at = 0
    for group in verbs:
        while at + 1 < len(clauses) and group.main >= clauses[at].last:
            at += 1
        clauses[at].verbs.append(group)
    return clauses


def _clause_starts(tokens: list[Token], sentences: list[int], verbs: list[VerbGroup]) -> list[int]:
    begins_verb = {group.first for group in verbs}
    mains = [group.main for group in verbs]
    starts: list[int] = []
    head = -1
    seen = 0
    verb_since = False
    for at, token in enumerate(tokens):
        low = token.word.low
        fresh = not starts or sentences[at] != sentences[at - 1]
        fronted = verb_since and starts[-1] == head and tokens[head].word.low in FRONTED
        if (
            fresh
            or (fronted and tokens[at - 1].word.low == ",")
            or _breaks_before(tokens, at, low, verb_since, begins_verb, sentences)
        ):
            head = at if fresh else head
            starts.append(at)
            verb_since = False
        if seen < len(mains) and mains[seen] == at:
            verb_since, seen = True, seen + 1
    return starts


def _after_relatives(tokens: list[Token], starts: list[int], verbs: list[VerbGroup]) -> list[int]:
    """Further starts where a relative clause ends: at the verb that takes up the clause around it."""
    resumed: list[int] = []
    for first, last in pairwise((*starts, len(tokens))):
        if tokens[first].word.low not in _RELATIVES:
            continue
        inside = [group for group in verbs if first <= group.main < last]
        if len(inside) > 1 and tokens[inside[1].first - 1].word.low not in _NO_RESUMPTION:
            resumed.append(inside[1].first)
    return sorted({*starts, *resumed})


def _breaks_before(
    tokens: list[Token], at: int, low: str, verb_since: bool, begins_verb: set[int], sentences: list[int]
) -> bool:
    previous = tokens[at - 1].word.low
    if previous in BREAKS and not (previous == "." and tokens[at - 1].end == tokens[at].start):
        return True
    if low in _SUBORDINATORS:
        return low != "provided" or previous not in AUXILIARIES | {"not", "never", "also"}
    if low == "that":
        opens = tokens[at - 1].word.verb is not None or at + 1 in begins_verb
        return opens and previous not in DETERMINERS and previous not in PREPOSITIONS
    if low in _TIME_LINKS or low in COORDINATORS:
        near = range(at + 1, min(at + 7, len(tokens)))
        ahead = any(place in begins_verb for place in near if sentences[place] == sentences[at])
        return verb_since and ahead
    return False


def is_common(low: str) -> bool:
    """Whether a folded word is an ordinary word of the language, in any of its forms."""
    known = common_words()
    if low in known or verb_of(low) is not None:
        return True
    if low.endswith("ies") and f"{low[:-3]}y" in known:
        return True
    return low.endswith("s") and (low[:-1] in known or (low.endswith("es") and low[:-2] in known))
