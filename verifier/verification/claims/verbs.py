"""Words of a sentence in; where its finite verb stands out: closed word lists, no tagger.

Good enough to tell a sentence from a fragment and to find a subject; whoever asks must stay on the safe side
when there is no answer.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon

__all__ = [
    "AUXILIARIES",
    "SUBJECT_PRONOUNS",
    "SUBORDINATORS",
    "Token",
    "finite_verb",
    "is_base_form",
    "is_month",
    "is_verb_form",
    "plural_verb",
    "tokens_of",
]

Token = tuple[int, int, str]
"""Start, end and lower-cased form of a word."""

AUXILIARIES = lexicon("""
    is are was were am has have had do does did will would can could may might must shall should cannot
    ought isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't
    couldn't mustn't shouldn't needn't 's 're 've 'll 'd
    """)
SUBJECT_PRONOUNS = lexicon("it he she they we you i there this that these those")
SUBORDINATORS = lexicon("""
    that if unless when whenever because which who whom whose whether while although though since until
    after before as where wherever provided once so than how why what
    """)

_BASES = lexicon("""
    accept acquire add allow announce appear apply arrive ask assign award become begin believe belong
    bring build buy call cause change charge claim close collect come comprise conclude connect consist
    contain continue contribute convert cost cover create cut decide declare decline decrease delete
    deliver depart depend describe design develop die differ direct display double drive drop earn eat
    employ enable end enter estimate exceed exclude exist expire export extend face fall finance find
    finish fit follow found fund gain generate get give go govern grant grow guarantee handle happen
    hold house import improve include increase inform introduce invest invite issue join keep know lack
    last launch lead leave lend let lie limit list live locate lose lower maintain make manage
    manufacture mark measure meet merge mention move need occur offer open operate order own pay perform
    permit play precede prevent process produce prohibit promise protect provide publish purchase raise
    range rank reach receive recommend record reduce refund refuse release rely remain remove rent
    repair replace report represent require reside resign retire return rise run say scan score see sell
    send separate serve set share ship show sign spend sponsor stand start state stay stop store succeed
    suggest supply support surpass take teach tell terminate test total train transfer travel treat turn
    use vary visit waive want weigh win work write yield
    """)
_PAST = lexicon("""
    became began bought brought built came chose cost cut drew drove ate fell felt fought found flew
    forgot gave got grew held hit kept knew laid led left lent let lost made meant met paid put ran read
    rose said sank sang sat saw sent set sold spent spoke spread stood struck swam swore taught told
    took thought understood went wore won wrote
    """)
_PARTICIPLE_FOLLOWERS = lexicon("""
    a about across after against all along among an and any around as at away back because before below
    between beyond both but by down during each every for forward from her his how if in into it its
    last more most no not of off on only onto or out over than that the their them then there these this
    those through to too toward towards under until up upon us when where which while with within
    without
    """)
_TOKEN = re.compile(r"[^\W_](?:[\w’'.,:/-]*[^\W_])?|[,;:()—–]")
_CONTRACTED = re.compile(r"(?:it|he|she|they|we|you|i|there|that|this|what|who)(?:'s|'re|'ve|'ll|'d|'m)")


def _third_person(base: str) -> str:
    if base.endswith(("s", "sh", "ch", "x", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


_THIRD = frozenset(map(_third_person, _BASES))


def tokens_of(text: str) -> list[Token]:
    """Words and the marks ``, ; : ( ) — –`` of a text: start, end, lower-cased form with plain apostrophes.

    >>> [form for _, _, form in tokens_of("It’s 2.3%, they said.")]
    ["it's", '2.3', ',', 'they', 'said']
    """
    return [(m.start(), m.end(), m[0].lower().replace("’", "'")) for m in _TOKEN.finditer(text)]


def is_verb_form(form: str) -> bool:
    """Whether a lower-cased word is an auxiliary or a listed verb in the third person or the past."""
    return form in AUXILIARIES or form in _THIRD or form in _PAST


def is_base_form(form: str) -> bool:
    """Whether a lower-cased word is a listed verb as it stands in the dictionary (``cost``)."""
    return form in _BASES


def is_month(text: str, tokens: list[Token], index: int) -> bool:
    """Whether a word that looks like the auxiliary ``may`` is the month: within a sentence it has a capital."""
    start, _, form = tokens[index]
    return form == "may" and index > 0 and text[start].isupper()


def finite_verb(text: str, tokens: list[Token], first: int = 0) -> int | None:
    """Index of the first finite verb at or after token ``first``; ``None`` where none is recognised.

    A base form counts behind a plural or a pronoun (``Refunds take``), an ``-ed`` form where no noun follows
    that it could belong to (``Sales increased by``, not ``extended warranty``).
    """
    for index in range(first, len(tokens)):
        start, _, form = tokens[index]
        if is_month(text, tokens, index):
            continue
        if form in AUXILIARIES or _CONTRACTED.fullmatch(form):
            return index
        if index == first:
            continue
        before = tokens[index - 1][2]
        if before in ("the", "a", "an", "of", "its", "their", "his", "her", "our", "your", "to", "this"):
            continue
        if form in _THIRD or form in _PAST:
            return index
        if form in _BASES and (before in SUBJECT_PRONOUNS or _is_plural(before)):
            return index
        if (
            form.endswith("ed")
            and len(form) > 4
            and text[start].islower()
            and _closes_off(text, tokens, index)
        ):
            return index
    return None


def _is_plural(noun: str) -> bool:
    return noun in ("people", "children", "men", "women") or (noun.endswith("s") and not noun.endswith("ss"))


def _closes_off(text: str, tokens: list[Token], index: int) -> bool:
    if index + 1 == len(tokens):
        return True
    start, _, form = tokens[index + 1]
    return form in _PARTICIPLE_FOLLOWERS or not text[start].islower() or form.endswith("ly")


def plural_verb(form: str) -> bool | None:
    """Whether a finite verb agrees with a plural; ``None`` where the form does not tell.

    >>> plural_verb("are"), plural_verb("costs"), plural_verb("had")
    (True, False, None)
    """
    if form in ("are", "were", "have", "aren't", "weren't", "haven't", "do", "don't"):
        return True
    if form in ("is", "was", "has", "isn't", "wasn't", "hasn't", "does", "doesn't") or form in _THIRD:
        return False
    return True if form in _BASES and form not in _PAST else None
