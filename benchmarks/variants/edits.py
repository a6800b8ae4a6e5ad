"""Variants of a true claim that its documents do not entail: a value, name, unit or polarity is replaced.

Three rules ensure that the documents really no longer support an edited claim. Only plain statements are edited: one
with a condition, a comparison, a limit, a choice, a hedge, a case (``a guest who ...``) or a negation may stay true
under another value, and is left alone (``is_plain``). What is put in stands nowhere in the whole knowledge base: no
figure in digits or words, no invented name, no number with that unit. And it is far off: figures differ by three
tenths at least, so that none is a rounded form of the other, and no two units of a dimension measure the same.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from verifier_signals.lexicon import common_words

from benchmarks.variants.types import Edit, Given

__all__ = ["EDITS", "figures_of", "is_plain", "names_of"]

_NOT_PLAIN = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|only|except|unless|if|when|whenever|whoever|"
    r"whether|who|whose|case|anyone|anybody|someone|any|or|either|(?-i:may)|might|could|would|should|can|must|"
    r"need\w*|allow\w*|requir\w*|enough|limit\w*|max\w*|min\w*|exceed\w*|than|least|most|up to|over|under|above|below|"
    r"within|until|till|before|after|since|between|from|through|during|first|last|other|apart|besides)\b|n[’']t\b"
    r"|^(?:an?|those|people|customers|members)\b",
    re.I,
)
"""Words that may keep a statement true when a value in it changes."""
_PLAIN_FOR_POLARITY = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|only|except|unless|if|whether|any|or|either|both|"
    r"all|every|each|some|most|many|few|several|half|(?-i:may)|might|could|would|should|hardly|barely|too|either|"
    r"because|until|ever|likely|possibly|perhaps|probably)\b|n[’']t\b",
    re.I,
)
"""Words that may keep a statement true when it is denied, or that make its denial ambiguous."""

_FIGURE = re.compile(
    r"(?<![\w.,:/–-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w:/–-]|[.,]\d|\s?(?:st|nd|rd|th)\b)"
)
_YEAR = re.compile(r"(?<![\w.,:/–-])(1[5-9]\d\d|20\d\d)(?![\w:/–-]|[.,]\d)")
_SPELLED = """
    1 one|2 two|3 three|4 four|5 five|6 six|7 seven|8 eight|9 nine|10 ten|11 eleven|12 twelve|13 thirteen|14 fourteen
    15 fifteen|16 sixteen|17 seventeen|18 eighteen|19 nineteen|20 twenty|30 thirty|40 forty|50 fifty|60 sixty|70 seventy
    80 eighty|90 ninety|12 dozen|100 hundred
    """
_NUMBER_WORDS: Mapping[str, int] = {
    word: int(n) for n, word in (pair.split() for pair in re.split(r"[|\n]", _SPELLED.strip()))
}
_CARDINALS = tuple(word for word, n in _NUMBER_WORDS.items() if 1 < n <= 20 and word != "dozen")
_MONTHS = tuple(month_name[1:])
_DAYS = tuple(day_name)
_DATE = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(_MONTHS)})\b|\b({'|'.join(_MONTHS)}) (\d{{1,2}})\b(?!\d)")
_NAME = re.compile(r"\b[A-Z][a-z][\w’'-]*(?: (?:of |the |de |van |von )?[A-Z][a-z][\w’'-]*)*")
_HEAD = re.compile(r"[\n.:!?|*\"“-]\s*$")
_INVENTED = ("Quillane", "Ostrevar", "Dunmeath", "Zelkova", "Brixholt", "Yarrowmede", "Tavishlund", "Ekvarna")
_UNITS = (
    "seconds minutes hours days weeks months years",
    "second minute hour day week month year",
    "millimetres centimetres metres kilometres miles feet inches",
    "mm cm m km",
    "mg g kg",
    "milligrams grams kilograms tonnes",
    "millilitres litres",
    "euros pounds dollars francs",
    "MB GB TB",
    "thousand million billion",
    "MW GW",
    "MWh GWh TWh",
)
_UNITS_OF: Mapping[str, tuple[str, ...]] = {
    unit: tuple(other for other in family.split() if other != unit)
    for family in _UNITS
    for unit in family.split()
}
_SIGNS = {"£": "€", "€": "$", "$": "£"}
_MEASURE = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?) ([A-Za-z]+)\b")
_PRICE = re.compile(r"([£€$])(\d[\d,]*(?:\.\d+)?)")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|must|will|does|do|did)\b(?! to\b)|\b(?:has|have|had)(?= (?:been|\w+ed)\b)"
)
_DENIAL = re.compile(r"\b(is|are|was|were|has|have|had|must|will|does|do|did) not\b|\bcan(?:not|'t|’t)\b")
_OPPOSITES = """
    rose fell|rises falls|increased decreased|increase decrease|grew shrank|higher lower|highest lowest|larger smaller
    largest smallest|longer shorter|longest shortest|oldest youngest|older younger|cheaper dearer|cheapest dearest
    before after|earlier later|north south|northern southern|east west|eastern western|inside outside|above below
    mandatory optional|compulsory voluntary|required optional|allowed forbidden|permitted forbidden|opened closed
    free chargeable|accepted refused|approved rejected|won lost|passed failed|heavier lighter|faster slower
    """
_OPPOSITE_OF: Mapping[str, str] = {
    one: other
    for pair in re.split(r"[|\n]", _OPPOSITES)
    if pair.strip()
    for one, other in (pair.split(), pair.split()[::-1])
}


def is_plain(text: str) -> bool:
    """Whether a true statement becomes untrue, or at least unproven, when a value in it is replaced.

    >>> is_plain("The Thane Bridge has 14 arches."), is_plain("You can borrow up to 12 items.")
    (True, False)
    """
    return not _NOT_PLAIN.search(text)


@lru_cache(maxsize=64)
def figures_of(text: str) -> frozenset[float]:
    """Every number in a text, in digits or in words."""
    digits = {float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}
    spelled = {float(n) for word, n in _NUMBER_WORDS.items() if re.search(rf"\b{word}\b", text, re.I)}
    return frozenset(digits | spelled)


def names_of(text: str) -> list[tuple[int, int]]:
    """The spans of the names in a text, by their capitals; a word of the language at its head is none.

    >>> text = "The owner of Falcon Hut is Marco Vitelli."
    >>> [text[start:end] for start, end in names_of(text)]
    ['Falcon Hut', 'Marco Vitelli']
    """
    spans = []
    for match in _NAME.finditer(text):
        start, end = match.span()
        heads = bool(_HEAD.search(text[max(0, start - 4) : start])) or start == 0
        first, _, rest = match[0].partition(" ")
        if heads and first.lower() in common_words() | {"the", "in", "at", "on", "for", "of", "with", "and"}:
            start += len(first) + 1
            if not rest[:1].isupper():
                continue
        if start < end and text[start:end] not in {*_MONTHS, *_DAYS}:
            spans.append((start, end))
    return spans


def _figure(given: Given) -> Iterator[str]:
    """Every figure by another one, as it is written: with separators, with decimals, in words."""
    if not is_plain(given.text):
        return
    known = figures_of(given.base.all_documents)
    for match in _FIGURE.finditer(given.text):
        if _YEAR.fullmatch(match[0]) or _DATE.search(
            given.text[max(0, match.start() - 10) : match.end() + 11]
        ):
            continue
        value, places = float(match[0].replace(",", "")), len(match[2] or ".") - 1
        other = _far(value, places, known, given.random)
        if other is not None:
            text = f"{other:,.{places}f}" if "," in match[0] or other >= 10_000 else f"{other:.{places}f}"
            yield given.text[: match.start()] + text + given.text[match.end() :]
    for match in re.finditer(rf"\b(?:{'|'.join(_CARDINALS)})\b", given.text, re.I):
        free = [word for word in _CARDINALS if _NUMBER_WORDS[word] not in known]
        far = [word for word in free if _is_far(_NUMBER_WORDS[word], _NUMBER_WORDS[match[0].lower()])]
        if far:
            yield given.text[: match.start()] + given.random.choice(far) + given.text[match.end() :]


def _far(value: float, places: int, known: frozenset[float], random: Random) -> float | None:
    """A number that no document holds, at least three tenths from ``value``, of the same precision."""
    candidates = [round(value * factor / 20, places) for factor in (*range(7, 15), *range(26, 60))]
    candidates += [value + step for step in (2, 3, 5, 7, 9)] if not places else []
    free = [number for number in candidates if number >= 1 and number not in known and _is_far(number, value)]
    return random.choice(free) if free else None


def _is_far(one: float, other: float) -> bool:
    return abs(one - other) >= 0.3 * max(abs(one), abs(other), 1e-9) and one != other


def _date(given: Given) -> Iterator[str]:
    """Every year by one that no document holds, every day of a month by another month or another day."""
    if not is_plain(given.text):
        return
    known = figures_of(given.base.all_documents)
    for match in _YEAR.finditer(given.text):
        year = int(match[0])
        free = [
            year + step
            for step in range(-40, 41)
            if abs(step) > 1 and year + step not in known and year + step < 2100
        ]
        if free:
            yield given.text[: match.start()] + str(given.random.choice(free)) + given.text[match.end() :]
    for match in _DATE.finditer(given.text):
        month = match[2] or match[3]
        at = match.start(2) if match[2] else match.start(3)
        others = [name for name in _MONTHS if match[0].replace(month, name) not in given.base.all_documents]
        if others:
            yield given.text[:at] + given.random.choice(others) + given.text[at + len(month) :]
        number, at = (match[1], match.start(1)) if match[1] else (match[4], match.start(4))
        days = [day for day in range(1, 29) if day not in known and abs(day - int(number)) > 1]
        if days:
            yield given.text[:at] + str(given.random.choice(days)) + given.text[at + len(number) :]


def _invented_name(given: Given) -> Iterator[str]:
    """Every name by an invented one; a common noun at its end (``Hut``, ``Bridge``) stays."""
    if not is_plain(given.text):
        return
    free = [name for name in _INVENTED if name not in given.base.all_documents]
    for start, end in names_of(given.text):
        words = given.text[start:end].split()
        keeps = len(words) > 1 and words[-1].lower() in common_words()
        new = given.random.sample(free, min(len(words) - keeps, 2))
        yield (
            given.text[:start] + " ".join([*new, *words[-1:] * keeps]) + _possessive(words) + given.text[end:]
        )


def _other_name(given: Given) -> Iterator[str]:
    """Every name by one of as many words that other documents hold and the deciding ones do not."""
    if not is_plain(given.text):
        return
    for start, end in names_of(given.text):
        words = given.text[start:end].split()
        fitting = [name for name in given.names if len(name.split()) == len(words)]
        if fitting:
            yield given.text[:start] + given.random.choice(fitting) + _possessive(words) + given.text[end:]


def _possessive(words: Sequence[str]) -> str:
    return next((ending for ending in ("'s", "’s") if words[-1].endswith(ending)), "")


def _unit(given: Given) -> Iterator[str]:
    """Every unit by another of its dimension, every currency sign by another one, the number kept."""
    if not is_plain(given.text):
        return
    for match in _MEASURE.finditer(given.text):
        others = [
            unit
            for unit in _UNITS_OF.get(match[2], ())
            if not re.search(rf"{re.escape(match[1])}[ -]{unit[:-1]}", given.base.all_documents)
        ]
        if others:
            yield given.text[: match.start(2)] + given.random.choice(others) + given.text[match.end() :]
    for match in _PRICE.finditer(given.text):
        if (new := _SIGNS[match[1]] + match[2]) not in given.base.all_documents:
            yield given.text[: match.start()] + new + given.text[match.end() :]


def _polarity(given: Given) -> Iterator[str]:
    """A plain statement denied at its first auxiliary; the only denial of a statement taken away."""
    text = given.text
    if not _PLAIN_FOR_POLARITY.search(text):
        if match := _AUXILIARY.search(text):
            denied = "cannot" if match[0] == "can" else f"{match[0]} not"
            yield text[: match.start()] + denied + text[match.end() :]
    elif len(_PLAIN_FOR_POLARITY.findall(text)) == 1 and (match := _DENIAL.search(text)):
        yield text[: match.start()] + (match[1] or "can") + text[match.end() :]


def _opposite(given: Given) -> Iterator[str]:
    """Each word that has a plain opposite by that."""
    if _PLAIN_FOR_POLARITY.search(given.text):
        return
    for match in re.finditer(r"\b[a-z]+\b", given.text):
        if other := _OPPOSITE_OF.get(match[0]):
            yield given.text[: match.start()] + other + given.text[match.end() :]


EDITS: Mapping[str, Edit] = {
    "number": _figure,
    "date": _date,
    "invented name": _invented_name,
    "name of others": _other_name,
    "unit": _unit,
    "polarity": _polarity,
    "opposite": _opposite,
}
