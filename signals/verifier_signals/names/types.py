"""A name with its comparable words, its initials and its sort, and the words by which names are told."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon.calendar import MONTH_FORMS, WEEKDAY_ABBREVIATIONS, WEEKDAYS
from verifier_signals.syntax import Token, Word

__all__ = [
    "CALENDAR",
    "HONORIFICS",
    "JOINERS",
    "ORGANISATION",
    "PLACE",
    "QUALIFIERS",
    "ROLES",
    "SUFFIXES",
    "Finder",
    "Name",
    "Sort",
    "is_demonym",
]

JOINERS = lexicon("""
    of the de del della der den van von zu zum di da do dos du la le el al bin ibn y e af av
    """)
"""Words inside a name when names stand on both sides: ``Board of Examiners``, ``Ludwig van Beethoven``."""
CALENDAR = (
    frozenset(WEEKDAYS)
    | WEEKDAY_ABBREVIATIONS
    | MONTH_FORMS
    | lexicon("easter christmas spring summer autumn winter am pm")
)
HONORIFICS = lexicon("""
    mr mrs ms miss mx dr prof professor sir dame lord lady madam judge justice captain colonel general
    major lieutenant sergeant admiral reverend rev father sister brother bishop saint king queen prince
    princess duke duchess baron count president chairman chairwoman chair chancellor minister senator
    governor mayor ambassador goalkeeper registrar director engineer doctor
    """)
ROLES = lexicon("""
    ceo cfo cto coo cio cmo ciso md vp svp evp executive officer president chairman chairwoman chairperson director
    manager head leader founder co-founder cofounder owner secretary treasurer trustee minister premier chancellor
    governor mayor ambassador senator congressman congresswoman councillor commissioner spokesman spokeswoman
    spokesperson editor editor-in-chief author journalist reporter analyst economist scientist researcher historian
    curator architect engineer lawyer attorney solicitor barrister prosecutor inspector detective constable
    superintendent sheriff coach trainer captain goalkeeper striker midfielder defender skipper conductor composer
    principal headteacher rector provost registrar lecturer teacher surgeon physician nurse vicar pastor rabbi
    archbishop
    """)
"""What a person is, as it stands before the name: ``Managing Director Tom Baker``. The words of ``HONORIFICS`` may stay
in a name, where they are passed over; a title that ends in one of these is no part of it."""
QUALIFIERS = lexicon("""
    managing executive non-executive chief vice deputy assistant associate senior junior lead acting interim former
    founding honorary independent general regional national global group team prime first foreign interior defence
    defense home health education justice environment transport energy trade press media news sports communications
    public relations finance financial operating operations technical technology information data digital security
    marketing sales commercial legal medical human resources people policy research science scientific product
    production project programme program design creative artistic art music safety quality engineering site store
    branch shift station high lord district city county state federal
    """)
"""What stands before a role in a title: ``Chief Financial Officer``, ``Deputy Prime Minister``."""
_LINKING = JOINERS | {"and", "for", "on", "in", "to", "&", "at", "with"}
"""Words that an acronym may pass over."""
SUFFIXES = lexicon("""
    inc ltd llc llp plc gmbh ag corp co kg sa sarl bv nv ab as oy spa srl pty limited jr sr fc f.c afc a.f.c
    """)
"""Corporate forms and generation marks, which a text may leave out."""
_LEFT_OUT = HONORIFICS | SUFFIXES | JOINERS
ORGANISATION = lexicon("""
    university college school institute academy bank group company corporation trust council committee
    board ministry department agency authority association society foundation federation union party
    club holdings partners airlines airways railways railway logistics foods labs laboratories
    industries systems technologies hospital library museum court parliament senate commission office
    bureau service services fund insurance press news times rovers united athletic energy marine cables
    sons brothers studio administration organisation organization exchange alliance chamber centre center panel
    """)
PLACE = lexicon("""
    street road lane avenue square bridge river lake mount mountain valley bay island islands sands sea
    ocean port airport station park forest hut north south east west
    """)
_DEMONYM = re.compile(
    r"(?:english|french|german|spanish|dutch|danish|swedish|norwegian|finnish|irish|british|scottish|welsh|polish"
    r"|turkish|greek|czech|swiss|thai|arabic|latin|chinese|japanese|portuguese|vietnamese|iraqi|israeli|pakistani"
    r"|\w{3,}(?:ican|ian|ean|alian|wegian|nese|indian|asian)|european|african|asian|indian|german|roman|korean)s?"
)


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
    ``letters`` the same however it is spaced (``H 3O``, ``U.S.``); ``initials`` the ways to abbreviate it by them.
    """

    def __init__(
        self, text: str, tokens: list[Token], first: int, last: int, sort: str | None = None
    ) -> None:
        self.first, self.last = first, last
        self.start, self.end = tokens[first].start, _end(text, tokens[last - 1])
        self.text = text[self.start : self.end]
        self._tokens, self._given_sort = tokens, sort
        lows = self._lows
        self.words = tuple([low for low in lows if low not in _LEFT_OUT] or lows)
        self.acronym = len(self.words) == 1 and self._inside[-1].capitals and self.letters.isalpha()

    @property
    def _inside(self) -> list[Word]:
        return [token.word for token in self._tokens[self.first : self.last] if not token.word.punct]

    @property
    def _lows(self) -> list[str]:
        return [_part_of_name(word.low) for word in self._inside]

    @cached_property
    def letters(self) -> str:
        joined = "".join(self.words)
        return joined if joined.isalnum() else "".join(filter(str.isalnum, joined))

    @cached_property
    def initials(self) -> frozenset[str]:
        spelt = [low for low in self._lows if low not in SUFFIXES]
        return frozenset(
            "".join(low[0] for low in spelt if low not in dropped) for dropped in ((), JOINERS, _LINKING)
        )

    @cached_property
    def sort(self) -> str:
        titled, coded = self._inside[0].low in HONORIFICS, any(word.coded for word in self._inside)
        return self._given_sort or _sort(self._lows, self.words, titled, coded)


@lru_cache(maxsize=16384)
def is_demonym(low: str) -> bool:
    """Whether a folded word is an adjective of a people, country or continent, by its form: ``dutch``, ``peruvian``."""
    return _DEMONYM.fullmatch(low) is not None


_WORKS = re.compile(r"\w*(?:works|mills?|werke?)")
"""Where things are made: ``Tarrow Glazeworks``."""

Finder = Callable[[str], tuple[Name, ...]]
"""Whatever finds the names of a text, in reading order and not overlapping: ``names_in``, or a trained pipeline."""


@lru_cache(maxsize=16384)
def is_compound(low: str) -> bool:
    """Whether a folded word is a name with a participle at its end: ``elmford-born``."""
    return _COMPOUND.search(low) is not None


_COMPOUND = re.compile(
    r"(?<=\w\w)[-‐‑](?:born|based|built|bred|led|made|owned|run|trained|funded|listed|registered)\Z"
)


@lru_cache(maxsize=16384)
def _part_of_name(low: str) -> str:
    """A folded word without the period of an abbreviation and without a participle behind it."""
    return _COMPOUND.sub("", low.rstrip("."))


@lru_cache(maxsize=16384)
def _length_of_name(surface: str) -> int:
    """How much of a written word is a name, before a participle."""
    compound = _COMPOUND.search(surface)
    return compound.start() if compound else len(surface)


def _end(text: str, token: Token) -> int:
    """Where a name ends: before a possessive ending, or a participle."""
    if not token.word.possessive:
        return token.start + _length_of_name(text[token.start : token.end])
    surface = text[token.start : token.end]
    return token.end - (2 if surface[-1:].lower() == "s" and surface[-2:-1] in "'’ʼ" else 1)


def _sort(lows: list[str], kept: tuple[str, ...], titled: bool, coded: bool) -> str:
    if coded:
        return Sort.CODE
    if any(low in SUFFIXES and low not in ("jr", "sr") for low in lows) or not ORGANISATION.isdisjoint(kept):
        return Sort.ORGANISATION
    if _WORKS.fullmatch(kept[-1]):
        return Sort.ORGANISATION
    if kept[-1] in PLACE:
        return Sort.PLACE
    return Sort.PERSON if titled else Sort.OTHER
