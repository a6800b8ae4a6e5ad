"""Tokens of a sentence and its finite verbs, found by word lists, WordNet's verbs and context; no tagger.

:func:`finite_verb` is lenient: it tells a sentence from a fragment. :func:`is_finite`, :func:`is_certain` and
:func:`main_verb` are strict, because a split rests on them: what may be a noun (``ships``) or a participle (``parts
made in Bonn``) is no verb. Whoever asks must stay on the safe side when there is no answer.
"""

from __future__ import annotations

import re

from verifier_signals.lexicon import verb_of
from verifier_signals.values.units import lookup

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVE_PRONOUNS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
)

__all__ = [
    "ADVERBS",
    "AUXILIARIES",
    "DETERMINERS",
    "PREPOSITIONS",
    "SUBJECT_PRONOUNS",
    "SUBORDINATORS",
    "WordToken",
    "finite_verb",
    "is_base_form",
    "is_certain",
    "is_figure",
    "is_finite",
    "is_name",
    "is_predicate",
    "is_verb_form",
    "main_verb",
    "plural_verb",
    "reporting_verb",
    "reports",
    "tense",
    "tokens_of",
    "verb_behind_aside",
]

# -- tokens and listed verbs -----------------------------------------------------------------------------------

WordToken = tuple[int, int, str]
"""Start, end and lower-cased form of a word."""


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


def tokens_of(text: str) -> list[WordToken]:
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


def _is_month(text: str, tokens: list[WordToken], index: int) -> bool:
    """Whether a word that looks like the auxiliary ``may`` is the month: within a sentence it has a capital."""
    start, _, form = tokens[index]
    return form == "may" and index > 0 and text[start].isupper()


def finite_verb(text: str, tokens: list[WordToken], first: int = 0) -> int | None:
    """Index of the first finite verb at or after token ``first``; ``None`` where none is recognised.

    A base form counts behind a plural or a pronoun (``Refunds take``), an ``-ed`` form where no noun follows
    that it could belong to (``Sales increased by``, not ``extended warranty``).
    """
    for index in range(first, len(tokens)):
        start, _, form = tokens[index]
        if _is_month(text, tokens, index):
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


def _closes_off(text: str, tokens: list[WordToken], index: int) -> bool:
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


# -- finite verbs by WordNet and context -----------------------------------------------------------------------

_OBJECTS = lexicon("it him her them us me you itself themselves himself herself")
_NO_SUBJECT = PREPOSITIONS | DETERMINERS | lexicon("and or but nor to very more less too so than how not of")
_IRREGULAR_PAST = lexicon("""
    began became came did drank drove fell flew forgot gave grew knew ran rang rode rose sang sank saw spoke stole
    swam swore took threw went woke wore wrote broke chose froze hid shook sprang ate drew bit
    """)
"""Past forms that are no participles."""
_REPORTING = lexicon("""
    say tell claim argue believe think report announce add note warn predict expect hope suggest state admit deny
    insist promise estimate explain confirm declare show find reveal assume suspect fear know learn hear conclude
    """)
_SAME_PAST = lexicon("put cost cut hit let")
"""Past forms that are base forms as well, so that no plural need stand before them."""
_PARTICLES = lexicon("up down out off back away")
_NUMBERS = lexicon("one two three four five six seven eight nine ten")
_NO_ASIDE = lexicon("and or nor if unless when whenever until provided except only")
_LONGEST_SUBJECT = 8
"""Words of a subject that an aside may follow."""
_LIKELY, _CLEAR = 0.3, 0.6
"""How often a word must be a verb in WordNet's tagged texts to be read as one, with and without help around it."""


def is_finite(text: str, tokens: list[WordToken], index: int) -> bool:
    """Whether the token at ``index`` is a finite verb or its first auxiliary.

    >>> from verifier.verification.grammar.verbs import tokens_of
    >>> text = "The firm makes boats and ships for the navy"
    >>> [token[2] for n, token in enumerate(tokens_of(text)) if is_finite(text, tokens_of(text), n)]
    ['makes']
    """
    start, _, form = tokens[index]
    if form in AUXILIARIES:
        return not (_is_month(text, tokens, index) or (index and tokens[index - 1][2] in AUXILIARIES))
    verb = verb_of(form)
    if verb is None or verb.form == "ing" or not index:
        return False
    before, governs = tokens[index - 1][2], _governs(text, tokens, index + 1)
    if before in _NUMBERS and index > 1 and tokens[index - 2][2] in PREPOSITIONS:
        return False
    if before in _NO_SUBJECT - {"and", "but", "not"} or before in AUXILIARIES or text[start].isupper():
        return (
            verb.form == "s" and text[tokens[index - 1][0] : start] == "A " and governs
        )  # a letter as a name
    following = tokens[index + 1][2] if index + 1 < len(tokens) else ""
    named = text[tokens[index - 1][0]].isupper()
    if verb.form == "s":
        return (
            verb.share >= _CLEAR
            or governs
            or (named and following in _PARTICLES)
            or (verb.share >= _LIKELY and not _is_followed_by_of(tokens, index))
        )
    if verb.form == "past":
        named = named and index > 1 and verb.share >= _CLEAR  # ``the gates at Bonn entered service``
        return form in _IRREGULAR_PAST or governs or named or _closes(text, tokens, index + 1)
    if form in _SAME_PAST and (governs or (form == "put" and following in _PARTICLES | PREPOSITIONS)):
        return before not in PREPOSITIONS
    plural = before in ("they", "we", "you", "i", "people", "children", "men", "women", "who") or (
        before.endswith("s") and not before.endswith(("ss", "'s"))
    )
    return (plural or before == "and") and (verb.share >= _CLEAR or (verb.share >= _LIKELY and governs))


def is_certain(text: str, tokens: list[WordToken], index: int) -> bool:
    """Whether a finite verb can be neither a noun nor a participle there."""
    form = tokens[index][2]
    verb = verb_of(form)
    if form in AUXILIARIES or form in _IRREGULAR_PAST or _governs(text, tokens, index + 1) or verb is None:
        return True
    if verb.form == "s":
        timed = (
            index + 2 < len(tokens)
            and tokens[index + 1][2] in PREPOSITIONS
            and is_figure(tokens[index + 2][2])
        )
        clear = verb.share >= _CLEAR or (timed and verb.share >= _LIKELY)  # ``the sauna closes at 10``
        return clear and not _is_followed_by_of(tokens, index)
    return verb.form == "base" and tokens[index - 1][2] in SUBJECT_PRONOUNS


def is_predicate(text: str, tokens: list[WordToken], index: int, form: str) -> bool:
    """Whether the word right behind ``and`` is a verb in that form (``s``, ``past`` or ``base``), and no noun's."""
    if index + 1 >= len(tokens):
        return False
    verb = verb_of(tokens[index][2])
    if verb is None or verb.form != form:
        return False
    governs, following = _governs(text, tokens, index + 1), tokens[index + 1][2]
    if form == "past":
        return tokens[index][2] in _IRREGULAR_PAST or governs or following in PREPOSITIONS - {"of"}
    if verb.share < _CLEAR:
        return (verb.share >= _LIKELY and governs) or _measures(text, tokens, index + 1)
    return governs or form == "s" or following in PREPOSITIONS - {"of"} or following in ADVERBS


def _governs(text: str, tokens: list[WordToken], after: int) -> bool:
    """Whether an object follows that no noun or participle can have: ``the``, a figure, a pronoun."""
    if after >= len(tokens):
        return False
    start, _, form = tokens[after]
    return form in DETERMINERS or form in _OBJECTS or text[start].isdigit()


def _measures(text: str, tokens: list[WordToken], after: int) -> bool:
    """Whether a figure with its unit follows, which stands right behind a verb and no noun (``last 50 minutes``)."""
    if after + 1 >= len(tokens) or not text[tokens[after][0]].isdigit():
        return False
    return any(one.dimension for one in lookup(text[tokens[after + 1][0] : tokens[after + 1][1]]))


def _closes(text: str, tokens: list[WordToken], after: int) -> bool:
    """Whether nothing follows that a participle could stand before as an adjective."""
    if after >= len(tokens):
        return True
    start, _, form = tokens[after]
    return form in PREPOSITIONS | ADVERBS or form in ",;" or text[start].isupper() or form.endswith("ly")


def _is_followed_by_of(tokens: list[WordToken], index: int) -> bool:
    return index + 1 >= len(tokens) or tokens[index + 1][2] in ("of", "and", "or", "for")


def main_verb(text: str, tokens: list[WordToken], first: int, last: int) -> int | None:
    """Index of the verb of the clause ``tokens[first:last]``; ``None`` where none is certain.

    A participle that narrows the subject down (``the house built in 1901 is``) is passed over.
    """
    found = [index for index in range(first + 1, last) if is_finite(text, tokens, index)]
    if not found:
        return _past_before_noun(text, tokens, first, last)
    head = found[0]
    if len(found) > 1 and tense(tokens, head) == "past" and tokens[head][2] not in AUXILIARIES:
        between = {form for _, _, form in tokens[head + 1 : found[1]]}
        before = tokens[found[1] - 1][2]
        counted = is_figure(before)  # ``187 goals in 304 matches``
        compared = before in SUBJECT_PRONOUNS and bool(between & {"as", "than"})  # ``more than it had``
        active = _governs(text, tokens, head + 1)  # ``dug the ditch before they built``
        if not (counted or compared or active) and not between & {
            ",",
            ";",
            "and",
            "but",
            "or",
            "because",
            "although",
            "though",
            "that",
            "which",
            "who",
            "to",
        }:
            return found[1]
    return head


def verb_behind_aside(text: str, tokens: list[WordToken], first: int, last: int) -> int | None:
    """Index of the verb behind a subject with an aside between commas (``The hut, which Ada built, is``), if any."""
    commas = [index for index in range(first + 1, last) if tokens[index][2] == ","][:2]
    if len(commas) < 2 or commas[0] - first > _LONGEST_SUBJECT or commas[1] + 1 >= last:
        return None
    opening, verb = commas[0] + 1, commas[1] + 1
    subject, aside = tokens[first : opening - 1], {form for _, _, form in tokens[opening : verb - 1]}
    if not is_finite(text, tokens, verb) or not aside or not _NO_ASIDE.isdisjoint(aside):
        return None
    if not (subject[0][2] in DETERMINERS or is_name(text, subject)):
        return None
    if not SUBORDINATORS.isdisjoint(form for _, _, form in subject):
        return None
    told = any(is_finite(text, tokens, index) for index in range(opening + 1, verb - 1))
    before = any(is_finite(text, tokens, index) for index in range(first + 1, opening - 1))
    return None if before or (told and tokens[opening][2] not in RELATIVE_PRONOUNS) else verb


def _past_before_noun(text: str, tokens: list[WordToken], first: int, last: int) -> int | None:
    """The past form in a clause without another verb (``The plant stopped production``): it stands behind a noun."""
    for index in range(first + 2, last):
        start, _, form = tokens[index]
        verb, before = verb_of(form), tokens[index - 1][2]
        if before in PREPOSITIONS or text[start].isupper():
            return None
        if verb is not None and verb.form == "past" and verb.share >= _CLEAR and before not in _NO_SUBJECT:
            return index
    return None


def tense(tokens: list[WordToken], index: int) -> str:
    """``past``, ``present`` or ``""`` (an auxiliary that does not tell) of the finite verb at ``index``."""
    form = tokens[index][2]
    if form in ("was", "were", "had", "did", "wasn't", "weren't", "hadn't", "didn't"):
        return "past"
    if form in ("is", "are", "has", "have", "does", "do", "am", "isn't", "aren't"):
        return "present"
    verb = None if form in AUXILIARIES else verb_of(form)
    return "" if verb is None else "past" if verb.form == "past" else "present"


def reports(tokens: list[WordToken], index: int) -> bool:
    """Whether the verb at ``index``, or the one that its auxiliaries lead to, says, shows or believes something."""
    return reporting_verb(tokens, index) is not None


def reporting_verb(tokens: list[WordToken], index: int) -> int | None:
    """Index of the verb that says, shows or believes something, at ``index`` or behind the auxiliaries there."""
    for at in range(index, min(index + 4, len(tokens))):
        form = tokens[at][2]
        verb = verb_of(form)
        if verb is not None and verb.lemma in _REPORTING:
            return at
        if form not in AUXILIARIES and form not in ADVERBS:
            return None
    return None


def is_name(text: str, tokens: list[WordToken]) -> bool:
    """Whether tokens are a proper name: capitalised words, with ``of``, ``the``, ``and`` at most inside."""
    if not tokens or not text[tokens[-1][0]].isupper():
        return False
    small = ("of", "the", "de", "van", "von", "der", "la", "du", "al", "&")
    return (
        all(text[start].isupper() or form in small for start, _, form in tokens)
        and tokens[0][2] not in SUBJECT_PRONOUNS | PREPOSITIONS
    )


def is_figure(form: str) -> bool:
    """Whether a token begins with a digit."""
    return form[:1].isdigit()
