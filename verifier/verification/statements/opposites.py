"""Opposites: the edits by which a premise says in a claim's own words what it says by their opposites.

``The gate is not locked`` says of an unlocked gate what a claim says with ``unlocked``. Where the premise denies the
complement of a word of the claim, or affirms what a word denied in the claim excludes, the claim's word is put in its
place: ``The gate is unlocked``. That is so whatever the gate, so that no rule has to look at what the words are about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.lexicon import antonyms_of, complements_of, irregular_forms_of
from verifier_signals.polarity.terms import PREFIXES, without_prefix
from verifier_signals.syntax import BE, Reading, read

from verifier.core.lexicon import lexicon
from verifier.verification.statements.negation import TextEdit

__all__ = ["edits_into_claim_words"]

_NOT = frozenset({"not", "n't", "never"})
_LINKING = BE | lexicon("""
    become becomes became stay stays stayed remain remains remained seem seems seemed look looks looked keep kept left
    considered called found get gets got
    """)
_ADVERBS = lexicon("currently now yet at present still also longer no normally usually then any")
_AUXILIARY = re.compile(
    r"(?:do|does|did|will|would|can|could|may|might|must|should|shall)(?:n['’]t)?|cannot|wo?n['’]t|ca?n['’]t"
)
_POSSIBLY = lexicon("can could may might can't couldn't cannot mayn't should must")
"""Auxiliaries by which a denial is not that of what follows: what may be closed may be open, too."""
_COSTING = re.compile(
    r"\b(?:costs?|charges?d?|charged|fees?|pay|pays|paid|payable|price|money|chargeable)\b", re.IGNORECASE
)
_FREE = re.compile(r"\bfree(?: of (?:charge|cost))?\b(?! (?:of|from|to|time|space|speech)\b)", re.IGNORECASE)
_IS_FREE = re.compile(
    r"(?P<who>[^,;:.!?]+?) (?P<be>is|are|was|were)(?P<not> not|n['’]t)? (?:entirely |completely )?free"
    r"(?: of (?:charge|cost))?(?! (?:of|from|to)\b)(?P<rest>[^,;:.!?]*)",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"(?P<who>[^,;:.!?]+?) (?P<cost>costs?|cost) (?P<sum>money|(?:[^,;:.!?]|[.,]\d)*?\d(?:[^,;:.!?]|[.,]\d)*)",
    re.IGNORECASE,
)
_CHARGED = re.compile(
    r"there (?P<be>is|was) (?P<no>a|an|no) (?:\w+ )?(?:charge|fee) for (?P<who>[^,;:.!?]+)", re.IGNORECASE
)
_SUM = re.compile(r"\d")


class _WordUse(NamedTuple):
    """A word of a text, its place among the tokens, the token that denies it or -1, and how it is said."""

    low: str
    at: int
    denial: int
    how: str


def edits_into_claim_words(claim: str, premise: str) -> list[TextEdit]:
    """The edits of a premise by which it says in the words of a claim what it says by their opposites; mostly none.

    >>> edits_into_claim_words("The gate is unlocked.", "The gate is not locked at night.")
    [TextEdit(start=12, end=22, new='unlocked')]
    >>> edits_into_claim_words("The pool is not open.", "The pool is closed in March.")
    [TextEdit(start=12, end=18, new='not open')]
    """
    ours = _opposed(claim, premise)
    found = _priced(claim, premise)
    if not ours and not found:
        return []
    theirs = _predicates(premise) if ours else ()
    reading = read(premise)
    for told in theirs:
        mine = next((one for one in ours if _agree(one, told)), None)
        if mine is not None:
            found.extend(_in_claim_word(reading, told, mine))
    return sorted(set(found))


def _opposed(claim: str, premise: str) -> list[_WordUse]:
    """The predicates of a claim of which a premise may have an opposite."""
    predicates = _with_rivals(claim)
    low = premise.casefold() if predicates else ""
    return [one for one, rivals in predicates if any(rival in low for rival in rivals)]


@lru_cache(maxsize=1024)
def _with_rivals(claim: str) -> list[tuple[_WordUse, frozenset[str]]]:
    """The predicates of a claim that may have an opposite, each with what to look for."""
    return [(one, rivals) for one in _predicates(claim) if (rivals := _rivals(one))]


@lru_cache(maxsize=4096)
def _rivals(mine: _WordUse) -> frozenset[str]:
    """Letters of which a premise has some that says the opposite of a word: fast to look for."""
    known = {other for other, how in complements_of(mine.low) if how == mine.how}
    if mine.how == "do":
        return frozenset(form for other in known for form in (other[:-1], *irregular_forms_of(other)))
    base = without_prefix(mine.low)
    prefixed = {prefix + mine.low for prefix in PREFIXES}
    return frozenset(known | antonyms_of(mine.low) | prefixed | ({base} if base else set()))


def _agree(mine: _WordUse, told: _WordUse) -> bool:
    """Whether one denies what is the opposite of what the other affirms."""
    if mine.how != told.how or (mine.denial < 0) == (told.denial < 0):
        return False
    return _complement(mine.low, told.low, mine.how) or (
        mine.how == "be" and mine.denial >= 0 and told.low in antonyms_of(mine.low)
    )


def _complement(one: str, other: str, how: str) -> bool:
    if (other, how) in complements_of(one):
        return True
    return how == "be" and (without_prefix(one) == other or without_prefix(other) == one)


@lru_cache(maxsize=4096)
def _predicates(text: str) -> tuple[_WordUse, ...]:
    """The words that are said with *be* or as verbs, and may have a complement, each with what denies it."""
    return tuple(_word_uses(read(text)))


def _word_uses(reading: Reading) -> Iterator[_WordUse]:
    lows = reading.lows
    for at, token in enumerate(reading.tokens):
        word = token.word
        if word.punct or word.number or at == 0 or (word.function and not complements_of(word.low)):
            continue
        link, denial = _before(lows, at)
        if link >= 0 and not _POSSIBLY.isdisjoint(lows[max(link - 2, 0) : link + 1]):
            continue
        if link >= 0 and (lows[link] in _LINKING or lows[link].removesuffix("n't") in BE):
            yield _WordUse(word.low, at, denial, "be")
        if word.verb is not None and any(how == "do" for _, how in complements_of(word.verb.lemma)):
            auxiliary = link >= 0 and _AUXILIARY.fullmatch(lows[link]) is not None
            if auxiliary or (link < 0 and lows[at - 1] not in BE and word.verb.form != "ing"):
                yield _WordUse(word.verb.lemma, at, denial, "do")


def _before(lows: list[str], at: int) -> tuple[int, int]:
    """Of a predicate the token of its verb or auxiliary, and of what denies it; -1 where there is none."""
    denial = -1
    for place in range(at - 1, max(at - 5, -1), -1):
        low = lows[place]
        if low in _NOT or (low == "longer" and lows[place - 1] == "no"):
            denial = place
        elif low in _LINKING or _AUXILIARY.fullmatch(low) or low.endswith(("n't", "n’t")):
            if low.endswith(("n't", "n’t")) or low == "cannot":
                denial = place
            elif low in ("be", "been") and denial < 0:
                further = _before(lows, place)[1]
                return place, further
            return place, denial
        elif not (low in _ADVERBS or low.endswith("ly")):
            break
    return -1, denial


def _in_claim_word(reading: Reading, told: _WordUse, mine: _WordUse) -> list[TextEdit]:
    """The premise's word in the words of the claim."""
    tokens = reading.tokens
    token = tokens[told.at]
    if told.how == "do":
        return _verb_in_claim_word(reading, told, mine)
    if told.denial < 0:
        return [TextEdit(token.start, token.end, f"not {mine.low}")]
    denial = tokens[told.denial]
    low = denial.word.low
    if low in _NOT or low == "longer":
        first = tokens[told.denial - 1] if low == "longer" else denial
        between = reading.text[denial.end : token.start].strip()
        return [TextEdit(first.start, token.end, f"{between} {mine.low}".strip())]
    stem = "can" if low in ("cannot", "can't") else "will" if low == "won't" else low[:-3]
    return [TextEdit(denial.start, denial.end, stem), TextEdit(token.start, token.end, mine.low)]


def _verb_in_claim_word(reading: Reading, told: _WordUse, mine: _WordUse) -> list[TextEdit]:
    tokens = reading.tokens
    token = tokens[told.at]
    if told.denial >= 0:
        denial = tokens[told.denial]
        low = denial.word.low
        if low in _NOT:
            return [TextEdit(denial.start, token.end, mine.low)]
        stem = "can" if low in ("cannot", "can't") else "will" if low == "won't" else low[:-3]
        return [TextEdit(denial.start, denial.end, stem), TextEdit(token.start, token.end, mine.low)]
    before = tokens[told.at - 1].word.low
    if _AUXILIARY.fullmatch(before):
        return [TextEdit(token.start, token.end, f"not {mine.low}")]
    verb = token.word.verb
    if (
        verb is None
        or before in ("to", "has", "have", "had", "having")
        or reading.lows[told.at + 1 : told.at + 2] == ["to"]
    ):
        return []
    do = {"past": "did", "s": "does"}.get(verb.form, "do")
    return [TextEdit(token.start, token.end, f"{do} not {mine.low}")]


def _priced(claim: str, premise: str) -> list[TextEdit]:
    """What is not free costs money, and what costs money is not free: said with the claim's word behind the premise."""
    paying, free = _prices(claim)
    if paying is free:
        return []
    low = premise.casefold()
    if paying:
        return [
            TextEdit(match.start(), match.end(), _as_paid(match, claim))
            for match in (_IS_FREE.finditer(premise) if "free" in low else ())
            if match["not"] is None or not _SUM.search(claim)
        ]
    found = []
    for match in _COSTS.finditer(premise) if "cost" in low else ():
        be = "is" if match["cost"].casefold().endswith("s") else "are"
        found.append(TextEdit(match.end(), match.end(), f" ({match['who'].strip()} {be} not free)"))
    for match in _CHARGED.finditer(premise):
        no = "" if match["no"].casefold() == "no" else "not "
        found.append(TextEdit(match.end(), match.end(), f" ({match['who'].strip()} {match['be']} {no}free)"))
    return found


@lru_cache(maxsize=1024)
def _prices(claim: str) -> tuple[bool, bool]:
    """Whether a claim speaks of a price, and whether of a thing that has none."""
    return _COSTING.search(claim) is not None, _FREE.search(claim) is not None


def _as_paid(match: re.Match[str], claim: str) -> str:
    """``The tour is not free`` with the claim's words for what has its price."""
    who, rest = match["who"].strip(), match["rest"]
    low = who if who[:2].isupper() else who[:1].lower() + who[1:]
    no = match["not"] is None
    be = match["be"].lower()
    if (noun := re.search(r"\b(?:a|an|no) ((?:\w+ )?(?:charge|fee))\b", claim, re.IGNORECASE)) is not None:
        was = "was" if be.startswith("w") else "is"
        return f"There {was} {'no' if no else 'a'} {noun[1]} for {low}{rest}"
    if re.search(r"\bpay\b", claim, re.IGNORECASE):
        return f"You {'do not ' if no else ''}have to pay for {low}{rest}"
    several = be in ("are", "were")
    if no:
        return f"{who} {'do' if several else 'does'} not cost money{rest}"
    return f"{who} {'cost' if several else 'costs'} money{rest}"
