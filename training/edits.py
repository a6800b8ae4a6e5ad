"""Edit one true sentence by a rule that decides what the original says of the result.

Two tables: :data:`KEEPING` edits leave the sentence true (the original entails the result), :data:`BREAKING` edits
make it false (the original contradicts the result). Each rule is ``(sentence, rng) -> edited sentence or None``,
``None`` where the sentence has nothing that the rule could edit.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

from training.vocabulary import MONTHS, NUMBER_WORDS, OPPOSITES, SYNONYMS, TRANSITIVE, UNITS, WEEKDAYS

__all__ = ["BREAKING", "KEEPING", "Rule", "names_in", "swap_name"]

Rule = Callable[[str, random.Random], str | None]

_NUMBER = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w/-])|(?<![\w.,/-])\d+(?:\.\d+)?(?![\w/-]|[.,]\d)"
)
_YEAR = re.compile(r"\b(?:1[5-9]\d\d|20[0-4]\d)\b(?![,.]\d|%)")
_NAME = r"(?:[A-Z][\w'’-]+|[A-Z]\.)(?: (?:of |de |van |von |the )?(?:[A-Z][\w'’-]+|[A-Z]\.))*"
_AUXILIARIES = "is|are|was|were|has|have|had|can|could|will|would|should|did|does|do"
_AUXILIARY = re.compile(rf"\b(?:{_AUXILIARIES})\b(?! (?:not|n't|been not|to)\b)")
_DENIED = re.compile(rf"\b({_AUXILIARIES}) not\b")
_DENIALS = re.compile(r"\b(?:not|never|no|without)\b|n't\b")


def _pick(pattern: re.Pattern[str], sentence: str, rng: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(sentence))
    return rng.choice(found) if found else None


def _put(sentence: str, match: re.Match[str], text: str, group: int | str = 0) -> str:
    return sentence[: match.start(group)] + text + sentence[match.end(group) :]


def _alternatives(words: Mapping[str, object]) -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})\b(?!['’]t\b)",
        re.IGNORECASE,
    )


def _like(model: str, word: str) -> str:
    """``word`` with the initial capital of ``model``."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word


def _replaced(table: Mapping[str, tuple[str, ...]]) -> Rule:
    pattern = _alternatives(table)

    def rule(sentence: str, rng: random.Random) -> str | None:
        match = _pick(pattern, sentence, rng)
        return match and _put(sentence, match, _like(match[0], rng.choice(table[match[0].lower()])))

    return rule


def _is_year(match: re.Match[str]) -> bool:
    return bool(_YEAR.fullmatch(match[0]))


def wrong_number(sentence: str, rng: random.Random) -> str | None:
    """Another number of the same form: 1,250 -> 1,750, 3.5 -> 4.2."""
    found = [match for match in _NUMBER.finditer(sentence) if not _is_year(match)]
    if not found:
        return None
    match = rng.choice(found)
    value = float(match[0].replace(",", ""))
    decimals = len(match[0].partition(".")[2])
    factor = rng.choice((0.1, 0.5, 0.7, 1.3, 1.5, 2.0, 3.0, 10.0))
    other = round(value * factor, decimals) if value >= 10 else value + rng.choice((1, 2, 3, 5))
    if other == value:
        other = value + 1
    return _put(sentence, match, f"{other:,.{decimals}f}" if "," in match[0] else f"{other:.{decimals}f}")


def wrong_number_word(sentence: str, rng: random.Random) -> str | None:
    """``three`` -> ``seven``; "one" is left alone, it is too often a pronoun."""
    match = _pick(_NUMBER_WORD, sentence, rng)
    if match is None:
        return None
    others = [word for word in NUMBER_WORDS if word != match[0].lower()]
    return _put(sentence, match, _like(match[0], rng.choice(others)))


def wrong_year(sentence: str, rng: random.Random) -> str | None:
    """Another year, up to thirty years off."""
    match = _pick(_YEAR, sentence, rng)
    return match and _put(
        sentence, match, str(int(match[0]) + rng.choice((-1, 1)) * rng.choice((1, 2, 3, 5, 10, 30)))
    )


def _wrong_of(names: tuple[str, ...]) -> Rule:
    pattern = re.compile(rf"\b(?:{'|'.join(names)})\b")

    def rule(sentence: str, rng: random.Random) -> str | None:
        match = _pick(pattern, sentence, rng)
        return match and _put(sentence, match, rng.choice([name for name in names if name != match[0]]))

    return rule


def wrong_unit(sentence: str, rng: random.Random) -> str | None:
    """The unit behind a number swapped for another of its kind: 5 km -> 5 miles."""
    match = _pick(_UNIT, sentence, rng)
    return match and _put(sentence, match, rng.choice(UNITS[match["unit"].lower()]), "unit")


def negated(sentence: str, rng: random.Random) -> str | None:
    """``not`` put behind the first auxiliary, or taken away where it stands."""
    denials = len(_DENIALS.findall(sentence))
    if denials:
        match = _DENIED.search(sentence)
        return _put(sentence, match, match[1]) if match and denials == 1 else None
    match = _AUXILIARY.search(sentence)
    # Behind a comma or a subordinator the auxiliary may belong to a clause that does not carry the statement.
    if match is None or re.search(
        r",|\b(?:that|which|who|if|whether|when|because|where)\b", sentence[: match.start()]
    ):
        return None
    return _put(sentence, match, f"{match[0]} {rng.choice(('not', 'not', 'never'))}")


def roles_swapped(sentence: str, rng: random.Random) -> str | None:
    """``A defeated B`` -> ``B defeated A``, for verbs that do not hold both ways."""
    match = _pick(_WHO_DID_WHOM, sentence, rng)
    if match is None or match["who"] == match["whom"]:
        return None
    return _put(sentence, match, f"{match['whom']} {match['verb']} {match['who']}")


def bound_missed(sentence: str, rng: random.Random) -> str | None:
    """A number turned into a bound that it does not satisfy: 45 -> fewer than 40."""
    return _bounded(sentence, rng, holds=False)


def bound_kept(sentence: str, rng: random.Random) -> str | None:
    """A number turned into a bound that it satisfies: 45 -> more than 40."""
    return _bounded(sentence, rng, holds=True)


def _bounded(sentence: str, rng: random.Random, holds: bool) -> str | None:
    found = [
        match
        for match in re.finditer(
            r"(?<![A-Z][a-z]{2} )(?<=[a-z] )(?!19\d\d|20\d\d)(\d{2,3}(?:,\d{3})*) (?!and |to |cent)(?=[a-z]{3,})",
            sentence,
        )
        if not _is_year(match)
        and not re.search(
            r"(?:than|least|most|about|nearly|over|under|aged?|mid|early|late|of the) $",
            sentence[: match.start()],
        )
    ]
    if not found:
        return None
    match = rng.choice(found)
    value = int(match[1].replace(",", ""))
    step = 10 ** (len(str(value)) - 1)
    below, above = (value - 1) // step * step, (value // step + 1) * step
    if rng.random() < 0.5:
        text = f"more than {below:,}" if holds else f"more than {above:,}"
    else:
        text = f"fewer than {above:,}" if holds else f"fewer than {below:,}"
    return _put(sentence, match, text, 1) if below else None


def number_respelled(sentence: str, rng: random.Random) -> str | None:
    """The same value in another form: three <-> 3, 20% <-> 20 percent, 5 million <-> 5,000,000, 1,000 <-> 1000."""
    del rng
    for pattern, form in _RESPELLINGS:
        match = pattern.search(sentence)
        if match is not None:
            return _put(sentence, match, form(match))
    return None


def date_respelled(sentence: str, rng: random.Random) -> str | None:
    """12 March 1999 <-> March 12, 1999; or only the month or the year of a full date is kept."""
    match = _DAY_FIRST.search(sentence) or _MONTH_FIRST.search(sentence)
    if match is None:
        return None
    day, month, year = match["day"], match["month"], match["year"]
    full = f"{month} {day}, {year}" if match.re is _DAY_FIRST else f"{day} {month} {year}"
    before = re.search(r"\b[Oo]n $", sentence[: match.start()])
    if before and rng.random() < 0.5:
        short = f"{_like(before[0], 'in')} {rng.choice((f'{month} {year}', year))}"
        return sentence[: before.start()] + short + sentence[match.end() :]
    return _put(sentence, match, full)


def clause_dropped(sentence: str, rng: random.Random) -> str | None:
    """Without a bracket, a relative clause between commas, an opening adverbial or a trailing clause."""
    shorter = [
        re.sub(r"\s+", " ", sentence[: match.start()] + match.expand(keep) + sentence[match.end() :]).strip()
        for pattern, keep in _DROPPABLE
        for match in pattern.finditer(sentence)
    ]
    shorter = [text[:1].upper() + text[1:] for text in shorter if len(text.split()) >= 4]
    return rng.choice(shorter) if shorter else None


def passive(sentence: str, rng: random.Random) -> str | None:
    """``A founded B.`` -> ``B was founded by A.``; the rest of the sentence stays behind the name."""
    del rng
    match = re.match(
        rf"(?P<who>{_NAME}) (?P<verb>{'|'.join(TRANSITIVE)}) (?P<whom>(?:the )?{_NAME})(?P<rest>.*)$",
        sentence,
    )
    if match is None:
        return None
    whom = match["whom"][:1].upper() + match["whom"][1:]
    return f"{whom} was {TRANSITIVE[match['verb']]} by {match['who']}{match['rest']}"


def spoken(sentence: str, rng: random.Random) -> str | None:
    """The sentence as a reply in a conversation would say it."""
    opening = rng.choice(
        (
            "Yes, ",
            "Well, ",
            "Yeah, ",
            "I know that ",
            "Actually, ",
            "I read that ",
            "Did you know that ",
            "Oh yes, ",
        )
    )
    return opening + (
        sentence[0].lower() + sentence[1:]
        if re.match(r"(?:The|A|An|It|In|He|She|They|This)\b", sentence)
        else sentence
    )


def unchanged(sentence: str, rng: random.Random) -> str | None:
    """The sentence itself: what is said word for word is entailed."""
    del rng
    return sentence


def names_in(text: str) -> list[str]:
    """Names of two or more capitalised words, which a sentence's first word cannot fake."""
    return [
        match[0]
        for match in re.finditer(_NAME, text)
        if " " in match[0] and not match[0].startswith(("The ", "In ", "On ", "At "))
    ]


def swap_name(sentence: str, others: list[str], rng: random.Random) -> str | None:
    """One name of the sentence replaced by one of ``others`` that the sentence does not hold."""
    own = names_in(sentence)
    fresh = [
        name
        for name in others
        if name not in sentence and not any(name in mine or mine in name for mine in own)
    ]
    if not own or not fresh:
        return None
    return sentence.replace(rng.choice(own), rng.choice(fresh))


def _spelled(match: re.Match[str]) -> str:
    return list(NUMBER_WORDS)[int(match[0]) - 2]


_NUMBER_WORD = _alternatives(NUMBER_WORDS)
_UNIT = re.compile(
    rf"(?<=\d )(?P<unit>{'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})\b", re.IGNORECASE
)
_WHO_DID_WHOM = re.compile(
    rf"(?P<who>{_NAME}) (?P<verb>(?:was |were )?(?:{'|'.join(TRANSITIVE)})(?: by)?) (?P<whom>{_NAME})"
)
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\b")
_MONTH_FIRST = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}})\b")
_RESPELLINGS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?<=\d)%"), lambda _: " percent"),
    (re.compile(r"(?<=\d) per ?cent\b"), lambda _: "%"),
    (re.compile(r"\b(\d{1,3}) million\b"), lambda match: f"{int(match[1]) * 10**6:,}"),
    (re.compile(r"\b(\d{1,3}),000,000\b"), lambda match: f"{match[1]} million"),
    (re.compile(r"\b(\d{1,3}),(\d{3})\b(?!,)"), lambda match: match[1] + match[2]),
    (re.compile(r"(?<=[a-z] )(?:[2-9]|1[0-2])(?= [a-z]{3,})"), _spelled),
    (_NUMBER_WORD, lambda match: str(NUMBER_WORDS[match[0].lower()])),
)
_DROPPABLE = (
    (re.compile(r"\s*\([^()]{3,120}\)"), ""),
    (re.compile(r", (?:which|who|whose|where) [^,.;]{8,120},"), ""),
    (re.compile(r", (?:which|who|whose|where) [^,;]{8,160}(\.)$"), r"\1"),
    (re.compile(r"^(?:In|On|During|After|Since|At|By|From|Until|Before) [^,]{3,60}, (?=[A-Za-z])"), ""),
    (re.compile(r"^(?:However|Moreover|Furthermore|Additionally|Also|Then|Therefore|Meanwhile), "), ""),
    (re.compile(r",? (?:because|after|while|although|when|where|since) [^,;]{10,160}(\.)$"), r"\1"),
    (re.compile(r", (?:and|but) (?:it|he|she|they|this|the) [^;]{10,160}(\.)$"), r"\1"),
)

KEEPING: Mapping[str, Rule] = {
    "unchanged": unchanged,
    "number respelled": number_respelled,
    "date respelled": date_respelled,
    "bound kept": bound_kept,
    "clause dropped": clause_dropped,
    "passive": passive,
    "synonym": _replaced(SYNONYMS),
    "spoken": spoken,
}
"""Rules whose result the original entails."""

BREAKING: Mapping[str, Rule] = {
    "wrong number": wrong_number,
    "wrong number word": wrong_number_word,
    "wrong year": wrong_year,
    "wrong month": _wrong_of(MONTHS),
    "wrong weekday": _wrong_of(WEEKDAYS),
    "wrong unit": wrong_unit,
    "bound missed": bound_missed,
    "negated": negated,
    "opposite": _replaced(OPPOSITES),
    "roles swapped": roles_swapped,
}
"""Rules whose result the original contradicts."""
