"""Named entity recognition by rules: persons, organisations, places, products, laws, titles and codes in a text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier.core.text import unreadable_script
from verifier_signals.names.types import (
    CALENDAR,
    HONORIFICS,
    JOINERS,
    ORGANISATION,
    PLACE,
    QUALIFIERS,
    ROLES,
    SUFFIXES,
    Name,
    Sort,
    is_compound,
    is_demonym,
)
from verifier_signals.syntax import Reading, Token, Word, is_common, read

__all__ = ["names_in"]

_OFFICES = lexicon("ministry department office bureau committee commission council board agency directorate")
"""What has its fields in its name: ``Ministry of Health, Labour and Welfare``."""
_NUMBERED_PEOPLE = lexicon("""
    elizabeth charles james george edward william henry richard mary john paul pius benedict gregory clement innocent
    leo francis louis philip philippe napoleon nicholas alexander peter catherine ivan frederick wilhelm otto leopold
    joseph franz ferdinand carlos felipe alfonso pedro umberto emmanuel gustav adolf carl karl christian haakon harald
    olav margrethe valdemar selassie ramesses darius xerxes cyrus ptolemy constantine justinian theodosius basil manuel
    mehmed murad selim suleiman bayezid robert david malcolm kenneth stephen sigismund casimir boris simeon michael
    rudolf maximilian matthias albert baudouin juliana isabella urban
    """)
_NUMBERED_THINGS = lexicon("""
    war phase part type class volume book stage title tier category grade level group appendix annex schedule chapter
    act division model mark
    """)
_FIRST_PERSON = lexicon(
    "am have do think believe want know hope need like love agree would will can could must should"
)


def _inside_institution(reading: Reading, at: int) -> int:
    """How many tokens ``and`` joins on in ``Food and Drug Administration``: ordinary words up to an institution's."""
    tokens = reading.tokens
    before, last = tokens[at - 1].word.low, at + 1
    if before in ORGANISATION or not is_common(before):
        return 0
    last = _after_ordinary_words(tokens, last)
    return last - at if last > at + 2 and tokens[last - 1].word.low in ORGANISATION else 0


def _listed_in_institution(reading: Reading, at: int) -> int:
    """How many tokens a comma joins on where an institution lists its fields.

    ``Educational, Scientific and Cultural Organization`` ends in what it is, ``Ministry of Health, Labour and Welfare``
    opens with it. All the words are ordinary ones, and the last stand behind ``and``.
    """
    tokens = reading.tokens
    if not _is_ordinary_capital(tokens[at - 1]) or tokens[at - 1].word.low in ORGANISATION:
        return 0
    last, ended = at, False
    while last < len(tokens) and not ended and tokens[last].word.low in {",", "and", "&"}:
        ended = tokens[last].word.low != ","
        last += 1
        if not ended and last < len(tokens) and tokens[last].word.low == "and":
            ended, last = True, last + 1
        begun, last = last, _after_ordinary_words(tokens, last)
        if begun == last:
            return 0
    if not ended or reading.sentences[last - 1] != reading.sentences[at]:
        return 0
    if _opens_with_office(tokens, at):
        inside = [token.word.low for token in tokens[at:last]]
        return last - at if ORGANISATION.isdisjoint(inside) else 0
    return last - at if tokens[last - 1].word.low in ORGANISATION else 0


def _after_ordinary_words(tokens: list[Token], at: int) -> int:
    while at < len(tokens) and _is_ordinary_capital(tokens[at]):
        at += 1
    return at


def _is_ordinary_capital(token: Token) -> bool:
    word = token.word
    return word.capital and word.low not in CALENDAR and is_common(word.low)


def _opens_with_office(tokens: list[Token], at: int) -> bool:
    """Whether the name that goes on before a place opens with an office and ``of`` or ``for``."""
    first = at - 1
    while first and (tokens[first - 1].word.capital or tokens[first - 1].word.low in JOINERS | {"for"}):
        first -= 1
        if tokens[first].word.low in _OFFICES:
            return tokens[first + 1].word.low in {"of", "for"}
    return False


def _is_numeral(reading: Reading, at: int) -> bool:
    """Whether ``I`` counts what stands before it: ``Elizabeth I``, ``Phase I``, not ``Yesterday I went``."""
    tokens = reading.tokens
    if reading.text[tokens[at].start : tokens[at].end] != "I" or not tokens[at - 1].word.capital:
        return False
    before = tokens[at - 1].word
    if before.low not in _NUMBERED_PEOPLE and before.low not in _NUMBERED_THINGS:
        return False
    return at + 1 == len(tokens) or tokens[at + 1].word.low not in _FIRST_PERSON


_QUALIFIED = lexicon("executive officer head secretary")
"""Roles that are none before a name by themselves."""
_LINKS = JOINERS | {"&", "/", "for", "on", "and"}
"""Words and marks that can join a name on to the one before."""
_UNITS = lexicon("""
    mm cm m km kg g mg µg l ml w kw mw gw v kv a ma hz khz mhz ghz db gb mb kb tb eur usd gbp chf sek
    nok dkk jpy wi-fi ok id tv uk us eu
    """)
_ANYBODY = lexicon("""
    anyone anybody anything everyone everybody everything someone somebody something nobody nothing others
    whoever whatever whichever wherever whenever however whose yes please dear
    """)
_NO_NAMES = _ANYBODY | HONORIFICS | (_UNITS - {"uk", "us", "eu"})
"""Words that by themselves are no names."""
_ACRONYMS = lexicon("us who it")
"""Function words that in capitals are names."""
_NUMBERED = lexicon("""
    article section regulation directive rule form schedule annex appendix clause chapter
    """)
_QUOTED = re.compile(r'[“"«„]([^“”"«»„\n]{2,60})[”"»“]')
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_GROUP = re.compile(r"[,.'’]\d")
"""What goes on with a number that a token has begun: ``16,500``."""
_WHEN = lexicon("today tonight yesterday tomorrow nowadays")
_PREFIXES = lexicon("non pre post re co anti multi semi sub ex self")
_PERIODS = lexicon("day week month year quarter hour minute season age aged page volume issue")
"""Words whose number is a value, which the number signal reads."""
_COUNTED = lexicon("% / - – ° of and to or per out : $ € £")
"""What stands behind a number that is a value."""
_ORDINAL_OR_UNIT = re.compile(r"\d+(?:st|nd|rd|th|s|x|am|pm|[kKMG]?[WVBbg]|[kKcm]?m|h|min|[KMB]n?)?")


@lru_cache(maxsize=2048)
def names_in(text: str) -> tuple[Name, ...]:
    """The names of a text in reading order, not overlapping.

    Weekdays, months, nationalities, units and plain numbers are no names. A capital that a sentence's head or a
    heading accounts for makes no name of an ordinary word.

    >>> [name.text for name in names_in("In May the Bank of Elm, led by Dr Ada van Lee, sold its C4 to Orr & Co.")]
    ['Bank of Elm', 'Dr Ada van Lee', 'C4', 'Orr & Co']
    """
    if unreadable_script(text) is not None:
        return ()
    reading = read(text)
    quoted = list(_quoted(reading))
    taken = {at for name in quoted for at in range(name.first, name.last)}
    names = quoted + list(_runs(reading, taken))
    return tuple(sorted(names, key=lambda name: name.first))


def _is_shouted(reading: Reading, sentence: int) -> bool:
    """A heading in title case or a sentence in capitals: every content word has one, so that it says nothing."""
    count = 0
    for at in range(bisect_left(reading.sentences, sentence), bisect_right(reading.sentences, sentence)):
        word = reading.tokens[at].word
        if word.punct or word.number or word.function:
            continue
        if not word.capital:
            return False
        count += 1
    return count > 2


def _quoted(reading: Reading) -> Iterator[Name]:
    """Titles in quotation marks: at most eight words, the first one with a capital."""
    if _QUOTED.search(reading.text) is None:
        return
    starts = {token.start: at for at, token in enumerate(reading.tokens)}
    ends = {token.end: at for at, token in enumerate(reading.tokens)}
    for match in _QUOTED.finditer(reading.text):
        first, last = starts.get(match.start(1)), ends.get(match.end(1))
        if first is None or last is None or last - first > 7 or not reading.tokens[first].word.capital:
            continue
        if not reading.tokens[last].word.punct:
            yield Name(reading.text, reading.tokens, first, last + 1, Sort.TITLE)


def _runs(reading: Reading, taken: set[int]) -> Iterator[Name]:
    tokens, last = reading.tokens, 0
    words = [token.word for token in tokens]
    for at in [at for at, word in enumerate(words) if word.capital or word.coded or word.camel]:
        if at < last or at in taken or not _begins_name(reading, at):
            continue
        last = _run_end(reading, at, taken)
        first = _trimmed_head(reading, at, last)
        title, person = _title(reading, at, last, first)
        for begin, end in ((first, title), (person, last)):
            if begin < end and _is_name(reading, begin, end):
                yield Name(reading.text, tokens, begin, end)


def _begins_name(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    if word.punct or not (word.capital or word.coded or word.camel):
        return False
    if word.number:
        return not _ORDINAL_OR_UNIT.fullmatch(reading.text, *reading.tokens[at][1:])
    if not word.function or _is_initial(reading, at):
        return True
    if word.capital and word.low in JOINERS:
        following = reading.tokens[at + 1].word if at + 1 < len(reading.tokens) else None
        return following is not None and following.capital and at not in reading.heads
    return word.camel or (word.capitals and word.low in _ACRONYMS)


def _is_initial(reading: Reading, at: int) -> bool:
    """``A.`` before a further initial or a surname; other letters are no function words and need no such care."""
    tokens = reading.tokens
    if not (tokens[at].word.function and tokens[at].end - tokens[at].start == 1 and tokens[at].word.capital):
        return False
    if at + 2 >= len(tokens) or tokens[at + 1].word.low != "." or tokens[at + 1].start != tokens[at].end:
        return False
    return tokens[at + 2].word.capital and reading.sentences[at + 2] == reading.sentences[at]


def _run_end(reading: Reading, first: int, taken: set[int]) -> int:
    """One behind the last token of the run of capitals that opens at ``first``."""
    tokens, last = reading.tokens, first + 1
    while last < len(tokens) and reading.sentences[last] == reading.sentences[first] and last not in taken:
        before = tokens[last - 1].word
        if (before.possessive and not _plural_owner(reading, last - 1)) or before.low in CALENDAR:
            break
        if is_compound(before.low) or last in reading.heads:
            break
        word = tokens[last].word
        if word.low == "." and (len(before.low) == 1 or before.low in HONORIFICS or before.low in SUFFIXES):
            ahead = last + 1
            if (
                ahead < len(tokens)
                and _begins_name(reading, ahead)
                and reading.sentences[ahead] == reading.sentences[first]
            ):
                last += 1
                continue
            break
        step = _tokens_joined(reading, last)
        if not step:
            break
        last += step
    return last


def _plural_owner(reading: Reading, at: int) -> bool:
    """``Supporters' Trust`` is one name, ``Fenwold's Trust`` two."""
    token = reading.tokens[at]
    return reading.text[token.end - 1] in "'’ʼ" and is_common(token.word.low)


def _tokens_joined(reading: Reading, at: int) -> int:
    """How many tokens from ``at`` on still belong to the name before: the next capital, or joiners up to one."""
    tokens = reading.tokens
    word, before = tokens[at].word, tokens[at - 1].word
    if _begins_name(reading, at) or _is_numeral(reading, at):
        return 1
    if word.low == ",":
        return _listed_in_institution(reading, at)
    if not word.number and word.low not in _LINKS:
        return 0
    if word.number and (before.low in _NUMBERED or (before.capitals and before.low not in _UNITS)):
        return 1
    if word.number and _numbers(reading, at):
        return 1
    if word.low == "/" and before.capitals and _is_joined_closely(reading, at):
        return 1
    if word.low in {"for", "on"} and before.low in ORGANISATION:
        behind = at + 2 if at + 1 < len(tokens) and tokens[at + 1].word.low == "the" else at + 1
        return behind + 1 - at if behind < len(tokens) and _begins_name(reading, behind) else 0
    if word.low == "and" and (inside := _inside_institution(reading, at)):
        return inside
    ahead = at
    while (
        ahead < len(tokens)
        and ahead < at + 3
        and (tokens[ahead].word.low in JOINERS or tokens[ahead].word.low == "&")
    ):
        ahead += 1
    if ahead > at and ahead < len(tokens) and _begins_name(reading, ahead):
        links = word.low == "of" and not _heads_of(reading, at)
        return 0 if word.low == "the" or links else ahead - at + 1
    return 0


def _heads_of(reading: Reading, at: int) -> bool:
    """Whether ``of`` goes on with the name before it: ``Bank of Elm``, but not ``Ada Orr of Elm``."""
    before = reading.tokens[at - 1].word
    if before.low in ORGANISATION or before.low in PLACE:
        return True
    first = at - 1
    while first and _begins_name(reading, first - 1):
        first -= 1
    return all(is_common(token.word.low) for token in reading.tokens[first:at])


def _numbers(reading: Reading, at: int) -> bool:
    """Whether a plain number belongs to the name before it: nothing that it could count stands behind it."""
    tokens = reading.tokens
    grouped = _GROUP.match(reading.text, tokens[at].end) is not None
    if grouped or _VERSION.fullmatch(reading.text, *tokens[at][1:]) is None:
        return False
    if tokens[at - 1].word.low in _PERIODS:
        return False
    if at + 1 == len(tokens) or reading.sentences[at + 1] != reading.sentences[at]:
        return True
    following = tokens[at + 1].word
    return following.low not in _COUNTED and (
        following.punct or following.function or following.verb is not None
    )


def _is_joined_closely(reading: Reading, at: int) -> bool:
    """Whether a mark joins two words in capitals without a space."""
    tokens = reading.tokens
    if at + 1 >= len(tokens) or not tokens[at + 1].word.capitals:
        return False
    return tokens[at - 1].end == tokens[at].start and tokens[at].end == tokens[at + 1].start


def _trimmed_head(reading: Reading, first: int, last: int) -> int:
    """Leave out function words at the head (``The Thane Bridge``) and, before a name, an opening verb or noun."""
    tokens = reading.tokens
    while first < last and (tokens[first].word.function or tokens[first].word.punct):
        if (tokens[first].word.capitals and tokens[first].word.low in _ACRONYMS) or _is_initial(
            reading, first
        ):
            break
        first += 1
    if first in reading.heads and last - first > 1:
        word = tokens[first].word
        belongs = word.low in ORGANISATION or word.low in HONORIFICS or not is_common(word.low)
        if not belongs and tokens[first + 1].word.low == "of":
            return _trimmed_head(reading, first + 2, last)
        if not belongs and (word.low.endswith("ly") or word.low in _WHEN):
            return first + 1
    return first


def _title(reading: Reading, first: int, last: int, head: int) -> tuple[int, int]:
    """Where the title of a person begins in a run of capitals, and where the name behind it: ``head`` twice for none.

    Words before the title are a name of their own: ``Velluto`` in ``Velluto CEO Lena Moravec``. An honorific alone at
    the head of the name stays in it.

    Args:
        reading: the text.
        first, last: the run.
        head: where the name begins, if it has no title.
    """
    words = [token.word for token in reading.tokens[first:last]]
    behind = next((n + 1 for n in range(len(words) - 1, -1, -1) if words[n].low in ROLES), 0)
    begin = behind - 1
    while begin > 0 and _qualifies(words[begin - 1]):
        begin -= 1
    if not behind or (first + begin <= head and all(word.low in HONORIFICS for word in words[begin:behind])):
        return head, head
    of = behind
    if of < len(words) and words[of].low in {"of", "for"}:
        behind = next((n for n in range(of + 1, len(words)) if not _qualifies(words[n])), len(words))
        if not any(word.low in QUALIFIERS for word in words[of:behind]):
            return head, head
    elif begin == behind - 1 and words[begin].low in _QUALIFIED:
        return head, head
    return (first + begin, first + behind) if _is_person(words[behind:]) else (head, head)


def _qualifies(word: Word) -> bool:
    """Whether a word can belong to a title: ``Chief Financial Officer``, ``Head of the Sales and Marketing Team``."""
    return not word.possessive and (word.low in ROLES or word.low in QUALIFIERS or word.low in {"the", "and"})


def _is_person(words: Sequence[Word]) -> bool:
    """Whether words can be a person's name: a few, not all of them ordinary, none of an institution, place or code."""
    content = [word for word in words if not word.punct and word.low not in JOINERS]
    if not 0 < len(content) < 5 or words[0].low == "of" or any(word.number or word.coded for word in content):
        return False
    lows = [word.low for word in content]
    if not (ORGANISATION | PLACE).isdisjoint(lows) or not (SUFFIXES - {"jr", "sr"}).isdisjoint(lows):
        return False
    if is_demonym(lows[0]) or (len(content) == 1 and content[0].capitals):
        return False
    return not all(map(is_common, lows))


def _is_ordinary(low: str) -> bool:
    """Whether a word is no name but for its capital; of one with hyphens, all parts (``non-disclosure``)."""
    return all(is_common(part) or part in _PREFIXES for part in low.split("-"))


def _is_name(reading: Reading, first: int, last: int) -> bool:
    words = [token.word for token in reading.tokens[first:last]]
    content = [word for word in words if not word.punct and word.low not in JOINERS]
    if all(word.low in CALENDAR or word.number for word in content):
        return False
    if len(content) == 1:
        low = content[0].low
        if len(low) < 2 or low in _NO_NAMES or is_demonym(low):
            return False
        if first in reading.heads and not content[0].coded and not content[0].capitals and _is_ordinary(low):
            return False
        if content[0].number and not content[0].coded:
            return False
    ordinary = all(is_common(word.low) or word.function for word in content)
    return not (ordinary and _is_shouted(reading, reading.sentences[first]))
