"""Name matching: whether two names can name one thing, or one of them can deny the other.

Acronyms, well-known names (a table), surnames, initials and slips make names alike. A name and its part are no rivals,
nor are Ohio and a town of Ohio.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from verifier.core.lexicon import lexicon, table_rows
from verifier_signals.names.types import Name, Sort
from verifier_signals.syntax import is_common
from verifier_signals.syntax.words import tokenise

__all__ = [
    "APART",
    "can_be_rivals",
    "comparable",
    "is_alias",
    "is_known",
    "known_thing",
    "may_be_one",
    "people_of",
]

Words = tuple[str, ...]


class _Things(NamedTuple):
    """What ``aliases.tsv`` lists, by the words of each name."""

    names: Mapping[Words, str]
    people: Mapping[Words, str]
    peoples: Mapping[str, tuple[Words, ...]]
    """The other way round."""
    openings: frozenset[str]
    longest: int


@cache
def _things() -> _Things:
    names: dict[Words, str] = {}
    people: dict[Words, str] = {}
    peoples: dict[str, list[Words]] = defaultdict(list)
    for thing, others, adjectives in table_rows("verifier_signals.lexicon", "aliases.tsv"):
        names |= {_plain(_words(name)): thing for name in (thing, *_items(others))}
        for adjective in _items(adjectives):
            people[_plain(_words(adjective))] = thing
            peoples[thing].append(_words(adjective))
    every = names.keys() | people.keys()
    openings = frozenset(words[0] for words in every)
    return _Things(
        names,
        people,
        {thing: tuple(forms) for thing, forms in peoples.items()},
        openings,
        max(map(len, every)),
    )


def _items(cell: str) -> list[str]:
    return [] if cell == "-" else cell.split("; ")


def _words(name: str) -> Words:
    tokens = tokenise(name)
    return Name(name, tokens, 0, len(tokens)).words


def _plain(words: Words) -> Words:
    """Words without the periods of abbreviations: ``U.S.``, ``US``."""
    return tuple([word.replace(".", "") for word in words])


@lru_cache(maxsize=16384)
def known_thing(words: Words) -> str | None:
    """The well-known thing that the words of a whole name stand for: ``United Kingdom`` for ``Britain``."""
    return _things().names.get(_plain(words))


def people_of(thing: str) -> tuple[Words, ...]:
    """The adjectives, peoples and languages of a thing: ``British`` of ``United Kingdom``."""
    return _things().peoples.get(thing, ())


@lru_cache(maxsize=16384)
def _canonical_words(words: Words) -> Words:
    """The words of a name with each well-known name or people in them as one word.

    >>> _canonical_words(("british", "treasury"))
    ('United Kingdom', 'treasury')
    """
    return words if _things().openings.isdisjoint(_plain(words)) else tuple(_canonical(_plain(words)))


def _canonical(words: Words) -> Iterator[str]:
    things, at = _things(), 0
    while at < len(words):
        for end in range(min(len(words), at + things.longest), at, -1):
            thing = things.names.get(words[at:end]) or things.people.get(words[at:end])
            if thing is not None:
                yield thing
                at = end
                break
        else:
            yield words[at]
            at += 1


_SLIP_LETTERS = 8
"""From this length on one wrong letter is a slip; ``Smith`` and ``Smyth`` are two names."""
APART = lexicon("""
    north south east west northern southern eastern western northeast northwest southeast southwest new upper lower
    inner outer deputy vice assistant
    """)
"""Words that make another thing of what they stand before: ``West Virginia`` is not ``Virginia``."""
_SHORT_FORMS = """
alexander alex sandy
alexandra alex sandra
andrew andy drew
anthony tony
benjamin ben
catherine katherine kate kathy cathy katie
charles charlie chuck
christina tina chris
christopher chris
daniel dan danny
david dave
deborah debbie deb
donald don
dorothy dot dolly
edward ed eddie ted
eleanor nell ellie
elizabeth liz lizzie beth betty eliza bess
frances fran
francis frank
frederick fred freddie
gerald gerry jerry
gregory greg
harold harry
henry harry hank
isabella bella isabel
jacob jake
james jim jimmy jamie
jeffrey jeff
jennifer jenny jen
john jack johnny
jonathan jon jonny
joseph joe
joshua josh
judith judy
kenneth ken
lawrence larry laurie
leonard len leo
margaret maggie meg peggy
matthew matt
michael mike mick
natalie nat
nathaniel nathan nat
nicholas nick
oliver ollie
patricia pat patty trish
patrick pat paddy
peter pete
philip phil
rebecca becky
richard rick dick rich
robert bob rob bobby robbie
ronald ron
samantha sam
samuel sam
stephen steven steve
susan sue susie
theodore ted theo
theresa terry tess
thomas tom tommy
timothy tim
victoria vicky tori
vincent vince
walter walt
william bill will billy liam
zachary zach
"""
"""A line a given name with its short forms."""


@lru_cache(maxsize=16384)
def is_alias(claim: Name, evidence: Name) -> bool:
    """Whether the claim's name can name what the evidence's name does.

    A part of the evidence's name is enough (``Haddad`` for ``Noor Haddad``), and a bare surname in the evidence;
    else what the claim adds must be ordinary words (``Thane Bridge`` for ``Thane``) or initials, for ``Mary
    Smith`` is not ``John Smith`` and ``Velluto C4`` not ``Velluto C2``.
    """
    one, other = known_thing(claim.words), known_thing(evidence.words)
    if one is not None and other is not None:
        return one == other
    ours, theirs = _canonical_words(claim.words), _canonical_words(evidence.words)
    if (ours, theirs) != (claim.words, evidence.words) and _is_part(ours, theirs):
        return True
    if not (claim.acronym or evidence.acronym) and _openings(claim).isdisjoint(_openings(evidence)):
        return False
    if claim.words == evidence.words or claim.letters == evidence.letters:
        return True
    if claim.acronym or evidence.acronym:
        short, long = (claim, evidence) if claim.acronym else (evidence, claim)
        if _abbreviates(short.letters, long):
            return True
    return _is_part(claim.words, evidence.words)


def _is_part(ours: Sequence[str], evidence: Sequence[str]) -> bool:
    """Whether the words of the claim's name are some of the evidence's, or add to them what makes no other thing."""
    if APART.intersection(ours) != APART.intersection(evidence) and APART.issuperset(
        set(ours) ^ set(evidence)
    ):
        return False
    theirs = list(evidence)
    left = [word for word in ours if not _take(word, theirs)]
    if len(left) == len(ours):
        return False
    if left and theirs:
        return len(ours[-1]) > 1 and len(evidence[-1]) > 1 and _initialled(left, theirs)
    if left and list(evidence) == list(ours[-1:]):
        return all(word.isalpha() for word in left)
    return all(is_common(word) or (len(word) == 1 and word is not ours[-1]) for word in left)


@lru_cache(maxsize=16384)
def _openings(name: Name) -> frozenset[str]:
    """How the words of a name open, and the given names that they shorten; names without acronyms that share none of
    these have no word in common."""
    return frozenset().union(*map(_opening, name.words))


@lru_cache(maxsize=16384)
def _opening(word: str) -> frozenset[str]:
    return _forms_of(word).union(word[:1], next((mark for mark in word if mark.isalnum()), ""))


def is_known(name: Name, known: Iterable[Name]) -> bool:
    """Whether one of the known names can name the same thing, either of the two being the shorter one."""
    return any(is_alias(one, name) or is_alias(name, one) for one in known)


def _abbreviates(letters: str, name: Name) -> bool:
    """``FDA`` for ``U.S. Food and Drug Administration``: what an acronym leaves out stands before or behind."""
    if len(letters) < 2 or name.acronym:
        return False
    return letters in name.initials or (len(letters) > 2 and any(letters in some for some in name.initials))


def _take(word: str, theirs: list[str]) -> bool:
    for other in theirs:
        if _same_word(word, other):
            theirs.remove(other)
            return True
    return False


def _initialled(left: list[str], theirs: list[str]) -> bool:
    """Whether each word that is left stands for one of theirs by its initial; a further initial adds no name."""
    alone = []
    for word in left:
        other = next((some for some in theirs if _is_initial(word, some)), None)
        if other is None:
            alone.append(word)
        else:
            theirs.remove(other)
    return len(alone) < len(left) and (not alone or (not theirs and all(len(word) == 1 for word in alone)))


def _is_initial(first: str, second: str) -> bool:
    return min(len(first), len(second)) == 1 and first[0] == second[0] and first[0].isalpha()


@lru_cache(maxsize=65536)
def _same_word(first: str, second: str) -> bool:
    if first == second or first.rstrip("s") == second.rstrip("s"):
        return True
    if not _forms_of(first).isdisjoint(_forms_of(second)):
        return True
    if first[0] != second[0]:
        return False
    if min(len(first), len(second)) < _SLIP_LETTERS or not (first.isalpha() and second.isalpha()):
        return first.replace("-", "").replace(".", "") == second.replace("-", "").replace(".", "")
    return OSA.distance(first, second, score_cutoff=1) <= 1


@cache
def _short_forms() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _SHORT_FORMS.split("\n"):
        for form in line.split():
            found.setdefault(form, set()).add(line)
    return {form: frozenset(lines) for form, lines in found.items()}


def _forms_of(word: str) -> frozenset[str]:
    """The given names that a word is or shortens."""
    return _short_forms().get(word, frozenset())


_FITTING = {
    Sort.CODE: {Sort.CODE},
    Sort.TITLE: {Sort.TITLE, Sort.OTHER},
    Sort.PERSON: {Sort.PERSON, Sort.OTHER},
    Sort.ORGANISATION: {Sort.ORGANISATION, Sort.OTHER},
    Sort.PLACE: {Sort.PLACE, Sort.OTHER},
    Sort.OTHER: {Sort.PERSON, Sort.ORGANISATION, Sort.PLACE, Sort.TITLE, Sort.OTHER},
}


def comparable(first: Name, second: Name) -> bool:
    """Whether two names can be of one sort, so that one can stand where the other is expected."""
    return second.sort in _FITTING[first.sort]


_REGIONS = frozenset({"Africa", "Asia", "Europe", "European Union", "Scandinavia"})
_PARTS = frozenset({"England", "Scotland", "Wales", "Bavaria", "Catalonia", "Flanders", "Sicily", "Tuscany"})
_CITIES = frozenset(
    {"Athens", "Florence", "Geneva", "Genoa", "London", "Milan", "Moscow", "Naples", "New York City", "Paris"}
    | {"Rome", "Venice", "Vienna"}
)
"""Places with a people of their own that are no countries."""
_CONTINENTS = lexicon("""
    north_america south_america latin_america central_america oceania antarctica middle_east southeast_asia
    east_asia south_asia west_africa east_africa eastern_europe western_europe central_europe new_england
    """)
_STATES = lexicon("""
    alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana
    iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana
    nebraska nevada new_hampshire new_jersey new_mexico north_carolina north_dakota ohio oklahoma oregon
    pennsylvania rhode_island south_carolina south_dakota tennessee texas utah vermont virginia west_virginia
    wisconsin wyoming
    """)
_RIVAL_SLIP_LETTERS = 5
"""From this length on a name with one wrong letter is no rival; whether it is the same one stays open."""
_SHORTENED = 3
"""So many letters of a given name may stand for it: ``Zac``, ``Zachary``."""


@lru_cache(maxsize=16384)
def can_be_rivals(name: Name, rival: Name) -> bool:
    """Whether what a text says of ``rival`` can deny what another says of ``name``.

    They must be of one sort and, if they are well-known places, of one size: who was born in Ohio may be born in Elm.
    A name that has all words of the other, or but for a letter, may well be the same.
    """
    if not comparable(name, rival) or _size_of(name) != _size_of(rival):
        return False
    return not may_be_one(name, rival)


@lru_cache(maxsize=16384)
def _size_of(name: Name) -> str:
    """How large a place a name stands for, empty for all that is no well-known one."""
    joined = "_".join(name.words)
    if joined in _CONTINENTS:
        return "region"
    if joined in _STATES:
        return "part"
    thing = known_thing(name.words)
    if thing is None or thing in _CITIES:
        return ""
    if thing in _REGIONS:
        return "region"
    if thing in _PARTS:
        return "part"
    return ""


@lru_cache(maxsize=16384)
def may_be_one(name: Name, rival: Name) -> bool:
    """Whether two names have all words of the shorter one in common, or but for a letter: ``Ada Orr``, ``Ada``."""
    ours, theirs = _canonical_words(name.words), _canonical_words(rival.words)
    short, long = sorted((ours, theirs), key=len)
    left = list(long)
    for word in short:
        other = next((some for some in left if _alike(word, some, short)), None)
        if other is None:
            return False
        left.remove(other)
    return not left or not APART.issuperset(left)


def _alike(first: str, second: str, words: tuple[str, ...]) -> bool:
    """Whether two words may be one: with a slip, or shortened before a surname."""
    if first == second:
        return True
    if not (first.isalpha() and second.isalpha()):
        return first.replace("-", "").replace(".", "") == second.replace("-", "").replace(".", "")
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= _RIVAL_SLIP_LETTERS and OSA.distance(first, second, score_cutoff=1) <= 1:
        return True
    return len(words) > 1 and len(shorter) >= _SHORTENED and longer.startswith(shorter)
