"""A reading goes in, the names in it come out: persons, organisations, places, products, laws, titles, codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from signals.syntax import Reading, Token, is_common, read
from verifier.core.lexicon import lexicon
from verifier.core.text import unreadable_script

__all__ = ["Name", "Sort", "names_in"]

_JOINERS = lexicon("""
    of the de del della der den van von zu zum di da do dos du la le el al bin ibn y e af av
    """)
"""Words inside a name when names stand on both sides: ``Board of Examiners``, ``Ludwig van Beethoven``."""
_HONORIFICS = lexicon("""
    mr mrs ms miss mx dr prof professor sir dame lord lady madam judge justice captain colonel general
    major lieutenant sergeant admiral reverend rev father sister brother bishop saint king queen prince
    princess duke duchess baron count president chairman chairwoman chair chancellor minister senator
    governor mayor ambassador goalkeeper registrar director engineer doctor
    """)
_SUFFIXES = lexicon("""
    inc ltd llc llp plc gmbh ag corp co kg sa sarl bv nv ab as oy spa srl pty limited jr sr
    """)
"""Corporate forms and generation marks, which a text may leave out."""
_ORGANISATION = lexicon("""
    university college school institute academy bank group company corporation trust council committee
    board ministry department agency authority association society foundation federation union party
    club holdings partners airlines airways railways railway logistics foods labs laboratories
    industries systems technologies hospital library museum court parliament senate commission office
    bureau service services fund insurance press news times rovers united athletic energy marine cables
    sons brothers studio
    """)
_PLACE = lexicon("""
    street road lane avenue square bridge river lake mount mountain valley bay island islands sands sea
    ocean port airport station park forest hut north south east west
    """)
_CALENDAR = lexicon("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue
    wed thu fri sat sun easter christmas spring summer autumn winter am pm
    """)
_DEMONYM = re.compile(
    r"(?:english|french|german|spanish|dutch|danish|swedish|norwegian|finnish|irish|british|scottish|welsh|polish"
    r"|turkish|greek|czech|swiss|thai|arabic|latin|chinese|japanese|portuguese|vietnamese|iraqi|israeli|pakistani"
    r"|\w{3,}(?:ican|ian|ean|alian|wegian|nese|indian|asian)|european|african|asian|indian|german|roman|korean)s?"
)
_UNITS = lexicon("""
    mm cm m km kg g mg µg l ml w kw mw gw v kv a ma hz khz mhz ghz db gb mb kb tb eur usd gbp chf sek
    nok dkk jpy wi-fi ok id tv uk us eu
    """)
_NOT_UNITS = frozenset(["uk", "us", "eu"])
_ACRONYMS = lexicon("us who it")
"""Function words that in capitals are names."""
_NUMBERED = lexicon("""
    article section regulation directive rule form schedule annex appendix clause chapter
    """)
_QUOTED = re.compile(r'[“"«„]([^“”"«»„\n]{2,60})[”"»“]')
_ORDINAL_OR_UNIT = re.compile(r"\d+(?:st|nd|rd|th|s|x|am|pm|[kKMG]?[WVBbg]|[kKcm]?m|h|min|[KMB]n?)?")


class Sort:
    """What a name can be of, as far as its form tells."""

    CODE, PERSON, ORGANISATION, PLACE, TITLE, OTHER = (
        "code",
        "person",
        "organisation",
        "place",
        "title",
        "other",
    )


class Name:
    """A name at its place: tokens ``first`` up to ``last`` (not included), characters ``start`` to ``end``.

    ``words`` are its folded words without honorifics, corporate suffixes, joiners and possessive endings;
    ``letters`` the same however it is spaced (``H 3O``, ``U.S.``).
    """

    __slots__ = ("acronym", "end", "first", "initials", "last", "letters", "sort", "start", "text", "words")

    def __init__(
        self, text: str, tokens: list[Token], first: int, last: int, sort: str | None = None
    ) -> None:
        self.first, self.last = first, last
        self.start, self.end = tokens[first].start, _end(text, tokens[last - 1])
        self.text = text[self.start : self.end]
        inside = [token.word for token in tokens[first:last] if not token.word.punct]
        lows = [word.low.rstrip(".") for word in inside]
        kept = [
            low for low in lows if low not in _HONORIFICS and low not in _SUFFIXES and low not in _JOINERS
        ]
        self.words = tuple(kept or lows)
        self.letters = "".join(mark for word in self.words for mark in word if mark.isalnum())
        self.acronym = len(self.words) == 1 and inside[-1].capitals and self.words[0].isalpha()
        self.initials = "".join(low[0] for low in lows if low not in _JOINERS and low not in _SUFFIXES)
        self.sort = sort or _sort(
            lows, self.words, inside[0].low in _HONORIFICS, any(word.coded for word in inside)
        )


def _end(text: str, token: Token) -> int:
    """Where a name ends: before a possessive ending."""
    if not token.word.possessive:
        return token.end
    surface = text[token.start : token.end]
    return token.end - (2 if surface[-1:].lower() == "s" and surface[-2:-1] in "'’ʼ" else 1)


def _sort(lows: list[str], kept: tuple[str, ...], titled: bool, coded: bool) -> str:
    if coded:
        return Sort.CODE
    if any(low in _SUFFIXES and low not in ("jr", "sr") for low in lows) or not _ORGANISATION.isdisjoint(
        kept
    ):
        return Sort.ORGANISATION
    if kept[-1] in _PLACE:
        return Sort.PLACE
    return Sort.PERSON if titled else Sort.OTHER


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
    shouted = _shouted_sentences(reading)
    names = quoted + list(_runs(reading, taken, shouted))
    return tuple(sorted(names, key=lambda name: name.first))


def _shouted_sentences(reading: Reading) -> frozenset[int]:
    """Headings in title case and sentences in capitals: every content word has one, so that it says nothing."""
    total: dict[int, int] = {}
    small: set[int] = set()
    for at, token in enumerate(reading.tokens):
        if token.word.punct or token.word.number or token.word.function:
            continue
        sentence = reading.sentences[at]
        total[sentence] = total.get(sentence, 0) + 1
        if not token.word.capital:
            small.add(sentence)
    return frozenset(sentence for sentence, count in total.items() if count > 2 and sentence not in small)


def _quoted(reading: Reading) -> Iterator[Name]:
    """Titles in quotation marks: at most eight words, the first one with a capital."""
    if not any(mark in reading.text for mark in '“"«„'):
        return
    starts = {token.start: at for at, token in enumerate(reading.tokens)}
    ends = {token.end: at for at, token in enumerate(reading.tokens)}
    for match in _QUOTED.finditer(reading.text):
        first, last = starts.get(match.start(1)), ends.get(match.end(1))
        if first is None or last is None or last - first > 7 or not reading.tokens[first].word.capital:
            continue
        if not reading.tokens[last].word.punct:
            yield Name(reading.text, reading.tokens, first, last + 1, Sort.TITLE)


def _runs(reading: Reading, taken: set[int], shouted: frozenset[int]) -> Iterator[Name]:
    tokens, at = reading.tokens, 0
    while at < len(tokens):
        if at in taken or not _begins(reading, at):
            at += 1
            continue
        last = _run_end(reading, at, taken)
        first = _trimmed_head(reading, at, last)
        if first < last and _counts(reading, first, last, shouted):
            yield Name(reading.text, tokens, first, last)
        at = last


def _begins(reading: Reading, at: int) -> bool:
    word = reading.tokens[at].word
    if word.punct:
        return False
    if word.coded or (word.capital and not word.function):
        return not (word.number and _ORDINAL_OR_UNIT.fullmatch(reading.text, *reading.tokens[at][1:]))
    if word.capital and word.low in _JOINERS:
        following = reading.tokens[at + 1].word if at + 1 < len(reading.tokens) else None
        return following is not None and following.capital and at not in reading.heads
    return word.camel or (word.function and word.capitals and word.low in _ACRONYMS)


def _run_end(reading: Reading, first: int, taken: set[int]) -> int:
    """One behind the last token of the run of capitals that opens at ``first``."""
    tokens, last = reading.tokens, first + 1
    while last < len(tokens) and reading.sentences[last] == reading.sentences[first] and last not in taken:
        before = tokens[last - 1].word
        if (before.possessive and not _plural_owner(reading, last - 1)) or before.low in _CALENDAR:
            break
        word = tokens[last].word
        if word.low == "." and (len(before.low) == 1 or before.low in _HONORIFICS or before.low in _SUFFIXES):
            ahead = last + 1
            if (
                ahead < len(tokens)
                and _begins(reading, ahead)
                and reading.sentences[ahead] == reading.sentences[first]
            ):
                last += 1
                continue
            break
        step = _joined(reading, last)
        if not step:
            break
        last += step
    return last


def _plural_owner(reading: Reading, at: int) -> bool:
    """``Supporters' Trust`` is one name, ``Fenwold's Trust`` two."""
    token = reading.tokens[at]
    return reading.text[token.end - 1] in "'’ʼ" and is_common(token.word.low)


def _joined(reading: Reading, at: int) -> int:
    """How many tokens from ``at`` on still belong to the name before: the next capital, or joiners up to one."""
    tokens = reading.tokens
    word, before = tokens[at].word, tokens[at - 1].word
    if _begins(reading, at):
        return 1
    if word.number and (before.low in _NUMBERED or (before.capitals and before.low not in _UNITS)):
        return 1
    ahead = at
    while (
        ahead < len(tokens)
        and ahead < at + 3
        and (tokens[ahead].word.low in _JOINERS or tokens[ahead].word.low == "&")
    ):
        ahead += 1
    if ahead > at and ahead < len(tokens) and _begins(reading, ahead):
        links = word.low == "of" and not is_common(before.low)
        return 0 if word.low == "the" or links else ahead - at + 1
    return 0


def _trimmed_head(reading: Reading, first: int, last: int) -> int:
    """Leave out function words at the head (``The Thane Bridge``) and, before a name, an opening verb or noun."""
    tokens = reading.tokens
    while first < last and (tokens[first].word.function or tokens[first].word.punct):
        if tokens[first].word.capitals and tokens[first].word.low in _ACRONYMS:
            break
        first += 1
    if first in reading.heads and last - first > 1:
        word = tokens[first].word
        belongs = word.low in _ORGANISATION or word.low in _HONORIFICS or not is_common(word.low)
        if not belongs and tokens[first + 1].word.low == "of":
            return _trimmed_head(reading, first + 2, last)
        if not belongs and word.low.endswith("ly"):
            return first + 1
    return first


def _counts(reading: Reading, first: int, last: int, shouted: frozenset[int]) -> bool:
    words = [token.word for token in reading.tokens[first:last] if not token.word.punct]
    content = [word for word in words if word.low not in _JOINERS]
    if all(word.low in _CALENDAR or word.number for word in content):
        return False
    if len(content) == 1:
        low = content[0].low
        if _DEMONYM.fullmatch(low) or low in _UNITS - _NOT_UNITS or len(low) < 2 or low in _HONORIFICS:
            return False
        if first in reading.heads and not content[0].coded and not content[0].capitals and is_common(low):
            return False
        if content[0].number and not content[0].coded:
            return False
    if reading.sentences[first] in shouted:
        return not all(is_common(word.low) or word.function for word in content)
    return True
