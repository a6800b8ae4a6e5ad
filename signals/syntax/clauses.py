"""A text goes in, its sentences and clauses come out, with the verbs in them: a light reading without a parser."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from signals.lexicon import common_words, verb_of
from signals.syntax.words import Token, tokenise
from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans

__all__ = ["BE", "Clause", "Reading", "VerbGroup", "read"]

BE = lexicon("""
    is are was were be been being am isn't aren't wasn't weren't it's that's there's they're
    """)
_HAVE = frozenset(["has", "have", "had", "having", "hasn't", "haven't", "hadn't"])
_DO = frozenset(["do", "does", "did", "don't", "doesn't", "didn't"])
_MODALS = lexicon("""
    will would can could may might must shall should cannot can't won't wouldn't couldn't shouldn't
    mustn't needn't shan't ought
    """)
_AUXILIARIES = BE | _HAVE | _DO | _MODALS
_DETERMINERS = lexicon("""
    a an the this that these those my your his its our their any some no every each
    """)
_SUBJECT_PRONOUNS = lexicon("i you he she it we they who which that nobody everyone anyone")
_SUBORDINATORS = lexicon("""
    because although though while whereas if unless when whenever until who whom which whose where whether
    except provided since
    """)
_COORDINATORS = frozenset({"and", "or", "but", "nor", "yet", "so"})
_FRONTED = lexicon("because although though while whereas if unless when whenever since after before once as")
"""Words that open a clause before its main clause, which begins behind the comma."""
_BEFORE_SUBJECT = _COORDINATORS | _FRONTED
"""Words after which a bare form is a subject and no verb: ``while export duties were raised``."""
_TIME_LINKS = frozenset({"after", "before"})
_CLAUSE_ADVERBS = lexicon("possibly probably apparently reportedly allegedly presumably supposedly perhaps")
"""Adverbs that stand before a verb and hardly ever before a noun."""
_RELATIVES = frozenset({"who", "whom", "which", "that", "whose"})
_NO_RESUMPTION = lexicon("and or but to not , that who which it they he she")
"""Words after which a second verb still belongs to the relative clause."""
_BREAKS = frozenset(";:.!?—–()[]|•…")
_PARTICLES = frozenset({"over", "up", "out", "off", "down"})
_PREPOSITIONS = lexicon("""
    of in on at by for with about against between into through to from under over within without per via
    as
    """)


class VerbGroup:
    """A main verb with its auxiliaries: tokens ``first`` to ``main`` of a reading."""

    __slots__ = ("first", "lemma", "main", "passive")

    def __init__(self, first: int, main: int, lemma: str, passive: bool) -> None:
        self.first, self.main, self.lemma, self.passive = first, main, lemma, passive


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
    """The number of the sentence of each token, and the tokens that open a sentence."""
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
    return numbers, frozenset(heads)


def _clauses(tokens: list[Token], sentences: list[int]) -> list[Clause]:
    verbs = _verb_groups(tokens, sentences)
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
        fronted = verb_since and starts[-1] == head and tokens[head].word.low in _FRONTED
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
    if previous in _BREAKS and not (previous == "." and tokens[at - 1].end == tokens[at].start):
        return True
    if low in _SUBORDINATORS:
        return low != "provided" or previous not in _AUXILIARIES | {"not", "never", "also"}
    if low == "that":
        opens = tokens[at - 1].word.verb is not None or at + 1 in begins_verb
        return opens and previous not in _DETERMINERS and previous not in _PREPOSITIONS
    if low in _TIME_LINKS or low in _COORDINATORS:
        near = range(at + 1, min(at + 7, len(tokens)))
        ahead = any(place in begins_verb for place in near if sentences[place] == sentences[at])
        return verb_since and ahead
    return False


def _verb_groups(tokens: list[Token], sentences: list[int]) -> list[VerbGroup]:
    groups: list[VerbGroup] = []
    at = 0
    while at < len(tokens):
        word = tokens[at].word
        if word.low in _AUXILIARIES and not _is_month(tokens, sentences, at):
            group, at = _auxiliary_group(tokens, sentences, at)
            groups.append(group)
        else:
            if word.verb is not None and _is_verb(tokens, sentences, at):
                groups.append(VerbGroup(at, at, word.verb.lemma, _reduced_passive(tokens, at)))
            at += 1
    return groups


def _is_month(tokens: list[Token], sentences: list[int], at: int) -> bool:
    """Whether a ``May`` is the month: it has its capital inside a sentence."""
    word = tokens[at].word
    return word.low == "may" and word.capital and not word.capitals and not _opens(sentences, at)


def _auxiliary_group(tokens: list[Token], sentences: list[int], first: int) -> tuple[VerbGroup, int]:
    """The group that an auxiliary opens, and where to read on."""
    passive_ready = tokens[first].word.low in BE
    gap = 0
    at = first + 1
    while at < len(tokens) and sentences[at] == sentences[first] and gap < 4:
        word = tokens[at].word
        if word.low in _AUXILIARIES:
            passive_ready, gap = word.low in BE, 0
        elif word.verb is not None and _completes(tokens, first, at, passive_ready):
            passive = passive_ready and word.verb.form != "ing"
            return VerbGroup(first, at, word.verb.lemma, passive), at + 1
        elif not _may_stand_between(word.low):
            break
        gap += 1
        at += 1
    lemma = "be" if passive_ready else "have" if tokens[first].word.low in _HAVE else "do"
    return VerbGroup(first, first, lemma, False), first + 1


def _completes(tokens: list[Token], first: int, at: int, passive_ready: bool) -> bool:
    verb = tokens[at].word.verb
    if verb is None or tokens[at].word.low.endswith("ly"):
        return False
    if passive_ready or tokens[at - 1].word.low in _HAVE or tokens[first].word.low in _HAVE:
        return verb.form in ("past", "ing") or verb.lemma in (
            "cut",
            "put",
            "set",
            "run",
            "shut",
            "become",
            "split",
        )
    return verb.form == "base" and verb.share > 0.05


def _may_stand_between(low: str) -> bool:
    return low.endswith("ly") or low in {
        "not", "never", "also", "always", "only", "still", "already", "often", "no", "longer", "ever", "just", "first",
        "again", "even", "both", "all", "later", "once", "now", "then", "usually", "to",
    }  # fmt: skip


def _is_verb(tokens: list[Token], sentences: list[int], at: int) -> bool:
    """Whether a form that can be a verb is one here, judged by the word before it."""
    word = tokens[at].word
    verb = word.verb
    if (
        verb is None
        or verb.form == "ing"
        or (word.capital and not word.capitals and at and not _opens(sentences, at))
    ):
        return False
    before = tokens[at - 1].word if at and not _opens(sentences, at) else None
    if before is None:
        return verb.form == "base" and verb.share > 0.5
    if before.low in _SUBJECT_PRONOUNS or before.low in ("to", "not", "never", "also"):
        return True
    if before.low in _CLAUSE_ADVERBS and verb.form != "base":
        return True
    if before.low in _DETERMINERS or before.possessive or (before.number and verb.form != "past"):
        return False
    following = tokens[at + 1].word.low if at + 1 < len(tokens) else ""
    if (verb.form == "base" and following in _AUXILIARIES) or (verb.form == "s" and following == ","):
        return False
    if verb.form == "past":
        return before.low not in _PREPOSITIONS and not _modifies_noun(tokens, at)
    if before.low in _PREPOSITIONS or (verb.form == "base" and before.low in _BEFORE_SUBJECT):
        return False
    return verb.share > (0.3 if verb.form == "s" else 0.5) or _owns(tokens, at)


def _owns(tokens: list[Token], at: int) -> bool:
    """``Ada owns the mill``, ``Halden owns 60%``, ``Ada hands over``: a form in -s between a name and another phrase,
    or a particle, is a verb."""
    word, before = tokens[at].word, tokens[at - 1].word
    following = tokens[at + 1].word if at + 1 < len(tokens) else None
    if word.verb is None or word.verb.form != "s" or not before.capital or following is None:
        return False
    return following.capital or following.number or following.low in _DETERMINERS | _PARTICLES


def _modifies_noun(tokens: list[Token], at: int) -> bool:
    """``approved refunds``, ``an approved refund``: a participle before its noun, with no subject before it."""
    return at == 0 or (tokens[at - 1].word.punct and tokens[at - 1].word.low != ",")


def _opens(sentences: list[int], at: int) -> bool:
    return at == 0 or sentences[at] != sentences[at - 1]


def _reduced_passive(tokens: list[Token], at: int) -> bool:
    verb = tokens[at].word.verb
    following = tokens[at + 1].word.low if at + 1 < len(tokens) else ""
    return verb is not None and verb.form == "past" and following == "by"


def is_common(low: str) -> bool:
    """Whether a folded word is an ordinary word of the language, in any of its forms."""
    known = common_words()
    if low in known or verb_of(low) is not None:
        return True
    if low.endswith("ies") and f"{low[:-3]}y" in known:
        return True
    return low.endswith("s") and (low[:-1] in known or (low.endswith("es") and low[:-2] in known))
