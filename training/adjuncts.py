"""Leave a phrase out of a true sentence: one of place, time or company, a number, or an apposition.

The sentence entails the result, since each rule declines where the phrase may be needed: under a negation, a
quantifier, a superlative or a condition ("no museum opened in 1932"), and behind a verb that asks for it ("the museum
is in Oslo"). The other way round the result leaves the sentence open.
"""

from __future__ import annotations

import random
import re

from training.vocabulary import MONTHS, UNITS

__all__ = ["adjunct_dropped", "adjuncts_dropped"]

_NAME = r"(?:[A-Z][\w'’-]+|[A-Z]\.)(?:,? (?:of |de |van |von |the )?(?:[A-Z][\w'’-]+|[A-Z]\.)){0,4}"
_NUMBER = "two|three|four|five|six|seven|eight|nine|ten|several|many"
_WORD = r"\w[\w'’-]*"
_YEAR = r"(?:1[0-9]\d\d|20[0-4]\d)"
_DAY = rf"(?:\d{{1,2}} )?(?:{'|'.join(MONTHS)})(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? {_YEAR})?"
_DATE = rf"{_DAY}|the (?:early |late )?{_YEAR}s|{_YEAR}"
_SPAN = rf"between (?:{_DATE}) and (?:{_DATE})|from (?:{_DATE}) (?:to|until|till) (?:{_DATE})"
_TIME = rf"{_SPAN}|(?:in|on|since|until|after|before|around|by|during) (?:{_DATE})"
_PART = "(?:the |central |northern |southern |eastern |western )*"
_PLACE = rf"(?:in|at|near|from|outside|across|throughout) {_PART}{_NAME}"
_ACTOR = rf"(?:with|by|for|alongside|under|against) (?:the )?{_NAME}"
_LONG = "days|weeks|months|years|hours|minutes|seasons|decades"
_LENGTH = rf"for (?:\d+|{_NUMBER}) (?:\w+ )?(?:{_LONG})"
_FREE = (
    "(?:during|throughout|despite|alongside|along with|together with|because of|due to|thanks to|as part of|"
    rf"instead of) (?:{_WORD} ){{0,6}}{_WORD}"
)
_MEANS = rf"(?:with|using|by) (?:a|an|the|his|her|their|its) (?:{_WORD} ){{0,3}}{_WORD}"
_SPOT = (
    "(?:in|on|at|near|outside|inside|behind|beside|under|through|along|across) "
    rf"(?:a|an|the|his|her|their|its|some) (?:{_WORD} ){{0,2}}{_WORD}"
)
_LOSABLE = tuple(
    re.compile(rf"(?<=[a-z0-9]) (?P<phrase>{phrase})(?={end})")
    for phrase, end in (
        (f"{_TIME}|{_LENGTH}|{_PLACE}|{_ACTOR}|{_FREE}|{_MEANS}|{_SPOT}", r"\.$"),
        (f"{_PLACE}|{_ACTOR}", rf" (?:{_TIME})\b"),
        (_TIME, " (?:in|on|at|by|with|for|near) "),
    )
)
_BRACKETED_TIME = re.compile(rf", (?:{_TIME}),(?= [a-z])")
_APPOSITION = re.compile(
    r"(?<=[a-z]), (?:a|an|the|one of the|former|born) [^,;:()]{3,70}"
    r"(?:,(?= (?!and\b|or\b|who\b|which\b|but\b)[a-z])|(?=\.$))"
)
_COUNT = re.compile(
    rf"(?<=[a-z] )(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,3}}|{_NUMBER}) "
    r"(?=(?P<noun>[a-z]{3,}s|people|men|women|children)\b)"
)

_BARRED = re.compile(
    r"\b(?:not|no|none|nobody|nothing|never|neither|nor|without|only|if|unless|whether|all|every|each|any|most|few|"
    r"fewer|least|less|more|than|rarely|seldom|hardly|barely|except|but|first|last|second|third|next|final|sole|same|"
    r"both|half|majority|total|average|best|worst|may|might|could|would|should|must|will|shall|can|cannot|likely|"
    r"probably|perhaps|plans?|planned|refused|failed|denied|prevented|stopped|lacks?|lacked|too|enough|alone|"
    r"as \w+ as)\b|n't\b|\b\w{3,}est\b|%|\?$",
    re.IGNORECASE,
)
"""What may let a sentence lose its truth with its phrase."""

_NEEDY = re.compile(
    r"\b(?:is|are|was|were|be|been|being|am|becom\w+|became|remain\w*|stay\w*|lie|lies|lay|live|lives|lived|resid\w+|"
    r"stands?|stood|sits?|sat|located|situated|set|based|born|date[sd]?|put|puts|placed|found|belong\w*|depend\w*|"
    r"consist\w*|refer\w*|rely|relies|relied|range[sd]?|result\w*|known|used|made|done|deals?|dealt|of|in|on|at|by|to|"
    r"for|from|with|and|or|the|a|an|that|which|who|when|where|while|because|has|have|had|his|her|its|their|do|does|"
    r"did|between|through|into|onto|over|about|very|so|as|comes?|came|go|goes|went|look\w*|interested|involved|"
    r"divided|married|engaged|filled|covered|compared|related|due|called|named|according|believe[sd]?|"
    r"(?:and|or) \w+)$",
    re.IGNORECASE,
)
"""Words that a phrase behind them may belong to."""

_UNCOUNTED = {*UNITS, *_LONG.split("|"), "times", "centuries", "others", "goals", "points"}
_PART_OF_NUMBER = re.compile(
    r"\b(?:of|the|about|nearly|over|under|around|another|other|these|those|some|top|and|or|between|to|from|a|an|"
    r"its|his|her|their|following)$"
)

_FEWEST_WORDS = 4


def adjunct_dropped(sentence: str, rng: random.Random) -> str | None:
    """The sentence without one phrase that it stays true without; ``None`` where no such phrase is sure."""
    if _BARRED.search(sentence):
        return None
    for rule in rng.sample((_without_phrase, _without_apposition, _without_count), 3):
        found = [text for text in rule(sentence) if len(text.split()) >= _FEWEST_WORDS]
        if found:
            return rng.choice(found)
    return None


def adjuncts_dropped(sentence: str, rng: random.Random) -> str | None:
    """The sentence without one to three such phrases."""
    shorter = adjunct_dropped(sentence, rng)
    for _ in range(rng.choice((0, 0, 1, 2))):
        shorter = shorter and (adjunct_dropped(shorter, rng) or shorter)
    return shorter


def _without(sentence: str, match: re.Match[str]) -> str:
    return sentence[: match.start()] + sentence[match.end() :]


def _without_phrase(sentence: str) -> list[str]:
    found = [
        match
        for pattern in _LOSABLE
        for match in pattern.finditer(sentence)
        if not _NEEDY.search(sentence[: match.start()])
        and match["phrase"].count(" and ") <= match["phrase"].startswith("between")
    ]
    return [_without(sentence, match) for match in [*found, *_BRACKETED_TIME.finditer(sentence)]]


def _without_apposition(sentence: str) -> list[str]:
    return [
        _without(sentence, match)
        for match in _APPOSITION.finditer(sentence)
        if re.search(rf"{_NAME}$", sentence[: match.start()])
        and " and " not in match[0]
        # A list has names between commas, too.
        and "," not in sentence[: match.start()]
        and ", and " not in sentence[match.end() :]
    ]


def _without_count(sentence: str) -> list[str]:
    return [
        _without(sentence, match)
        for match in _COUNT.finditer(sentence)
        if match["noun"] not in _UNCOUNTED and not _PART_OF_NUMBER.search(sentence[: match.start() - 1])
    ]
