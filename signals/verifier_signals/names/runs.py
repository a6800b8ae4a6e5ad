"""A place behind a capital goes in, how many tokens of a longer name go on there comes out: institutions, numerals."""

from __future__ import annotations

from verifier.core.lexicon import lexicon
from verifier_signals.names.types import CALENDAR, JOINERS, ORGANISATION
from verifier_signals.syntax import Reading, Token, is_common

__all__ = ["inside_institution", "is_numeral", "listed_in_institution"]

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


def inside_institution(reading: Reading, at: int) -> int:
    """How many tokens ``and`` joins on in ``Food and Drug Administration``: ordinary words up to an institution's."""
    tokens = reading.tokens
    before, last = tokens[at - 1].word.low, at + 1
    if before in ORGANISATION or not is_common(before):
        return 0
    last = _behind_ordinary(tokens, last)
    return last - at if last > at + 2 and tokens[last - 1].word.low in ORGANISATION else 0


def listed_in_institution(reading: Reading, at: int) -> int:
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
        begun, last = last, _behind_ordinary(tokens, last)
        if begun == last:
            return 0
    if not ended or reading.sentences[last - 1] != reading.sentences[at]:
        return 0
    if _opens_with_office(tokens, at):
        inside = [token.word.low for token in tokens[at:last]]
        return last - at if ORGANISATION.isdisjoint(inside) else 0
    return last - at if tokens[last - 1].word.low in ORGANISATION else 0


def _behind_ordinary(tokens: list[Token], at: int) -> int:
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


def is_numeral(reading: Reading, at: int) -> bool:
    """Whether ``I`` counts what stands before it: ``Elizabeth I``, ``Phase I``, not ``Yesterday I went``."""
    tokens = reading.tokens
    if reading.text[tokens[at].start : tokens[at].end] != "I" or not tokens[at - 1].word.capital:
        return False
    before = tokens[at - 1].word
    if before.low not in _NUMBERED_PEOPLE and before.low not in _NUMBERED_THINGS:
        return False
    return at + 1 == len(tokens) or tokens[at + 1].word.low not in _FIRST_PERSON
