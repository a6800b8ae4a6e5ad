"""Verb groups of a text: its verbs, each with its auxiliaries, told by the words around a form."""

from __future__ import annotations

from verifier.core.lexicon import lexicon
from verifier_signals.syntax.words import Token

__all__ = [
    "AUXILIARIES",
    "BE",
    "BREAKS",
    "COORDINATORS",
    "DETERMINERS",
    "FRONTED",
    "PREPOSITIONS",
    "UNCHANGED",
    "VerbGroup",
    "verb_groups",
]

BE = lexicon("""
    is are was were be been being am isn't aren't wasn't weren't it's that's there's they're
    """)
_HAVE = frozenset(["has", "have", "had", "having", "hasn't", "haven't", "hadn't"])
_DO = frozenset(["do", "does", "did", "don't", "doesn't", "didn't"])
_MODALS = lexicon("""
    will would can could may might must shall should cannot can't won't wouldn't couldn't shouldn't
    mustn't needn't shan't ought
    """)
AUXILIARIES = BE | _HAVE | _DO | _MODALS
DETERMINERS = lexicon("""
    a an the this that these those my your his its our their any some no every each
    """)
_SUBJECT_PRONOUNS = lexicon("i you he she it we they who which that nobody everyone anyone")
COORDINATORS = frozenset({"and", "or", "but", "nor", "yet", "so"})
FRONTED = lexicon("because although though while whereas if unless when whenever since after before once as")
"""Words that open a clause before its main clause, which begins behind the comma."""
_BEFORE_SUBJECT = COORDINATORS | FRONTED
"""Words after which a bare form is a subject and no verb: ``while export duties were raised``."""
_CLAUSE_ADVERBS = lexicon("possibly probably apparently reportedly allegedly presumably supposedly perhaps")
"""Adverbs that stand before a verb and hardly ever before a noun."""
BREAKS = frozenset(";:.!?—–()[]|•…")
_PARTICLES = frozenset({"over", "up", "out", "off", "down"})
PREPOSITIONS = lexicon("""
    of in on at by for with about against between into through to from under over within without per via
    as
    """)
_MANY = lexicon(
    "and people children men women police staff feet teeth mice geese you they we i who which that what"
)
"""Words that make several things or people of a subject without an *-s*."""
_OF_SEVERAL = _MANY | _DO | _MODALS
UNCHANGED = lexicon("bet burst cast cost cut hit hurt let put quit set shed shut split spread thrust upset")
"""Verbs whose past has the form of the present."""
_BOUNDING = lexicon("under over above below aged")
"""Words between a noun and the figure that limits it."""


class VerbGroup:
    """A main verb with its auxiliaries: tokens ``first`` to ``main`` of a reading."""

    __slots__ = ("first", "lemma", "main", "passive")

    def __init__(self, first: int, main: int, lemma: str, passive: bool) -> None:
        self.first, self.main, self.lemma, self.passive = first, main, lemma, passive


def verb_groups(tokens: list[Token], sentences: list[int]) -> list[VerbGroup]:
    """The verbs in reading order; ``sentences`` gives the number of the sentence of each token."""
    groups: list[VerbGroup] = []
    at = 0
    while at < len(tokens):
        word = tokens[at].word
        if word.low in AUXILIARIES and not _is_month(tokens, sentences, at):
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
    return word.low == "may" and word.capital and not word.capitals and not _opens_sentence(sentences, at)


def _auxiliary_group(tokens: list[Token], sentences: list[int], first: int) -> tuple[VerbGroup, int]:
    """The group that an auxiliary opens, and where to read on."""
    passive_ready = tokens[first].word.low in BE
    gap = 0
    at = first + 1
    while at < len(tokens) and sentences[at] == sentences[first] and gap < 4:
        word = tokens[at].word
        if word.low in AUXILIARIES:
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
        return verb.form in ("past", "ing") or verb.lemma in UNCHANGED | {"run", "become"}
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
        or (word.capital and not word.capitals and at and not _opens_sentence(sentences, at))
    ):
        return False
    before = tokens[at - 1].word if at and not _opens_sentence(sentences, at) else None
    if before is None:
        return verb.form == "base" and verb.share > 0.5
    if before.low in _SUBJECT_PRONOUNS or before.low in ("to", "not", "never", "also"):
        return True
    if before.low in _CLAUSE_ADVERBS and verb.form != "base":
        return True
    if verb.form == "base" and _is_past(tokens, at):
        return True
    counted = before.number and verb.form != "past" and not _bounds_noun(tokens, at - 1)
    lettered = (
        before.capital and len(before.low) == 1 and not _opens_sentence(sentences, at - 1)
    )  # ``Group A received``
    if (before.low in DETERMINERS and not lettered) or before.possessive or counted:
        return False
    following = tokens[at + 1].word.low if at + 1 < len(tokens) else ""
    if verb.form == "base" and _finite_behind(tokens, at) and _is_of_one_thing(tokens, at):
        return False
    if (verb.form == "base" and following in AUXILIARIES) or (verb.form == "s" and following == ","):
        return False
    linked = before.low in PREPOSITIONS and (not before.capital or _opens_sentence(sentences, at - 1))
    if verb.form == "past":
        return not linked and not _modifies_noun(tokens, at)
    if linked or (verb.form == "base" and before.low in _BEFORE_SUBJECT):
        return False
    if verb.form == "base" and not _may_be_several(tokens, sentences, at):
        return False
    return verb.share > (0.3 if verb.form == "s" else 0.5) or _is_verb_behind_name(tokens, at)


def _finite_behind(tokens: list[Token], at: int) -> bool:
    """Whether a past form follows, so that this one is the head of its subject: ``the ferry received``."""
    following = tokens[at + 1].word if at + 1 < len(tokens) else None
    return (
        following is not None
        and following.verb is not None
        and (following.verb.form == "past" or following.low in UNCHANGED)
    )


def _is_of_one_thing(tokens: list[Token], at: int) -> bool:
    """Whether all before, back to an article, is of one thing: ``the Moor``, ``the premium``."""
    while at and not (tokens[at - 1].word.punct or tokens[at - 1].word.function):
        at -= 1
        if tokens[at].word.low.endswith("s"):
            return False
    return at > 0 and tokens[at - 1].word.low in DETERMINERS


def _is_past(tokens: list[Token], at: int) -> bool:
    """``Form J cost EUR 900``, ``Ada cut the rent``: a form that is also the past, between a name and an object."""
    verb, before = tokens[at].word.verb, tokens[at - 1].word
    if verb is None or at + 1 >= len(tokens) or tokens[at].word.low not in UNCHANGED:
        return False
    following = tokens[at + 1].word
    noun = not (before.punct or before.function) or before.capital
    return noun and (following.number or following.capital or following.low in DETERMINERS)


def _may_be_several(tokens: list[Token], sentences: list[int], at: int) -> bool:
    """Whether something ahead, up to a colon or a dash, can be the subject of a bare form, which one thing never is:
    a plural, a list, a name, a function word that may stand for several, or the auxiliary of a question. ``The interim
    report`` holds none."""
    before = tokens[at - 1].word
    if before.function or before.punct or before.capital or before.low.endswith("ly"):
        return True
    while at and sentences[at - 1] == sentences[at]:
        at -= 1
        low = tokens[at].word.low
        if low in BREAKS:
            return False
        if low in _OF_SEVERAL or (low.endswith("s") and not low.endswith(("ss", "us", "is"))):
            return True
    return False


def _bounds_noun(tokens: list[Token], at: int) -> bool:
    """Whether a figure says which ones a noun means (``children under 5``), so that a verb may follow it."""
    if at < 2 or tokens[at - 1].word.low not in _BOUNDING:
        return False
    noun = tokens[at - 2].word
    return not (noun.punct or noun.function or noun.number)


def _is_verb_behind_name(tokens: list[Token], at: int) -> bool:
    """``Ada owns the mill``, ``Halden owns 60%``, ``Ada hands over``: a form in -s between a name and another phrase,
    or a particle, is a verb."""
    word, before = tokens[at].word, tokens[at - 1].word
    following = tokens[at + 1].word if at + 1 < len(tokens) else None
    if word.verb is None or word.verb.form != "s" or not before.capital or following is None:
        return False
    return following.capital or following.number or following.low in DETERMINERS | _PARTICLES


def _modifies_noun(tokens: list[Token], at: int) -> bool:
    """``approved refunds``, ``an approved refund``: a participle before its noun, with no subject before it."""
    return at == 0 or (tokens[at - 1].word.punct and tokens[at - 1].word.low not in (",", "."))


def _opens_sentence(sentences: list[int], at: int) -> bool:
    return at == 0 or sentences[at] != sentences[at - 1]


def _reduced_passive(tokens: list[Token], at: int) -> bool:
    verb = tokens[at].word.verb
    following = tokens[at + 1].word.low if at + 1 < len(tokens) else ""
    return verb is not None and verb.form == "past" and following == "by"
