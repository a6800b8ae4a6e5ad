"""Titles go in, as they are read; the ones that a statement below them rests on come out, to stand before it.

``- Storage: 20 GB`` below ``## Basic plan`` says nothing of which plan: read alone, it would be borne out by any other.
What says by itself whom it is about stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import is_common

from verifier.core.lexicon import lexicon
from verifier.verification.claims.adjuncts import adjunct_end
from verifier.verification.claims.fragments import describes
from verifier.verification.claims.grammar import DETERMINERS, PREPOSITIONS, main_verb
from verifier.verification.claims.pronouns import looks_like_a_person
from verifier.verification.claims.reference import after_introduction
from verifier.verification.claims.verbs import SUBJECT_PRONOUNS, Token, finite_verb, tokens_of

__all__ = [
    "Lean",
    "Level",
    "Sections",
    "Title",
    "is_empty_title",
    "is_labelled",
    "label_of",
    "lean",
    "read_title",
    "worded",
]


class Level:
    """How far the titles that no ``#`` ranks reach: what is lower ends with what is higher."""

    BOLD = 7
    """A line in bold type."""
    LINE = 8
    """A line that ends with a colon."""
    INNER = 9
    """The first line of a paragraph or an item: it ends with that."""


class Title(NamedTuple):
    """A title without its number and the words that say nothing (``Overview of``); ``names`` says that of something."""

    text: str
    names: bool
    """Whether it names a thing (``Basic plan``), of which ``it`` may speak, and no side of one (``Opening hours``)."""


class Lean(Enum):
    """How a statement rests on what stands above it."""

    LABEL = "label"
    """It has no verb, or no subject: ``Storage: 20 GB``, ``Costs 5 EUR``."""
    SUBJECT = "subject"
    """It has a subject that names nothing: ``It``, ``The price``, ``You``."""


_GENERIC = lexicon("""
    overview summary answer detail details key point points conclusion conclusions note notes introduction intro fact
    facts info information general feature features highlight highlights takeaway takeaways recap main important short
    response result results finding findings context source sources reference references faq question questions other
    additional further more about quick comparison breakdown explanation analysis list item items following specifics
    specification specifications specs basics essentials description tldr bottom line final thoughts remarks remark
    executive data glance what need know everything topic section part example examples disclaimer caveats caveat
    assumptions recommendation recommendations next evidence claim claims report review text draft outline table
    contents update profile short brief option options plus background difference differences similarities
    history timeline legacy life career story chronology
    """)
_SMALL = lexicon("the a an and or of in on at for to with our your its their my this these & vs")
_SIDES = lexicon("""
    price prices cost costs fee fees rate rates tariff tariffs charge charges discount discounts location
    locations address contact contacts hours hour time times date dates deadline deadlines availability requirement
    requirements rule rules term terms condition conditions policy policies process procedure procedures step steps
    limit limits storage size sizes weight dimensions material materials colour colours color colors benefit benefits
    advantage advantages disadvantage disadvantages drawback drawbacks pros cons risk risks side effects effect use uses
    usage dose dosage warranty guarantee return returns refund refunds exchange exchanges shipping delivery deliveries
    support service services staff team people person management leadership award awards education family
    death work works design structure architecture purpose schedule timetable route access safety
    security privacy care maintenance exception exceptions eligibility coverage scope method methods
    figures numbers statistics finances revenue revenues sales profit profits performance outlook strategy market
    markets product products category categories type types kind kinds name names role roles
    """)
"""Nouns for a side of things; below such a title ``it`` is something else."""
_FIGURES = lexicon("figures numbers statistics")
_SIDE_END = re.compile(r".+(?:tions?|sions?|ments?|ances?|ences?|ity|ities|ness|ing|ings|ship|ism|ology)")
_ADJECTIVE_END = re.compile(r"[a-z]+(?:al|ic|ous|ive|able|ible|ful|less)")
_NUMBERED = re.compile(
    r"(?:(?:step|part|section|chapter|option|phase|no\.?)\s\(?[\dA-Z]{1,2}(?:\.\d{1,2})*[.):]?(?:\s[-–—])?\s"
    r"|\(?(?:\d{1,2}|[A-Za-z])(?:\.\d{1,2})*[.):]\s|\d{1,2}(?:\.\d{1,2})+\s)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*[:：(|]\s*|\s+[-–—]\s+|[–—]|\)")
_ASKING = lexicon("how what when where why who which whether does do is are can should")
_OPEN_SUBJECTS = (
    (SUBJECT_PRONOUNS - {"i"})
    | lexicon("the its their his her your our this these those each every up")
    | lexicon("it's they're there's you'll you're he's she's")
)
_LABELLED = re.compile(r"([^\W\d_]+(?:[ -][^\W\d_]+){0,2})\s*[:：](?=\s*\S)\s*")
_NO_LABEL = (
    PREPOSITIONS
    | DETERMINERS
    | SUBJECT_PRONOUNS
    | _GENERIC
    | lexicon("""
    yes and or but monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december
    """)
)
"""What begins no ``... of the Basic plan``."""
_LONGEST_PRONOUN = 20
_MOST_WORDS = 7
_YEAR_LENGTH = 4
_LONGEST_LABEL = 6
_LONGEST_BARE = 2
"""Words of a subject without an article that is a label: ``Storage is 20 GB``."""


@lru_cache(maxsize=1024)
def read_title(text: str) -> Title | None:
    """What a title tells of the text below it; ``None`` where that is nothing, or where it is a sentence.

    >>> read_title("2. Basic plan (monthly)"), read_title("Opening hours"), read_title("Key facts")
    (Title(text='Basic plan', names=True), Title(text='Opening hours', names=False), None)
    """
    text = " ".join(text.split()).strip(" *_#.:：-–—")
    text = text[match.end() :] if (match := _NUMBERED.match(text)) else text
    for part in _PARTS.split(text):
        if (title := _read_part(part.strip(" *_.,"))) is not None:
            return title
    return None


def is_empty_title(text: str) -> bool:
    """Whether a title consists of words that say nothing: ``Key facts``."""
    return {form for _, _, form in tokens_of(text)} <= _GENERIC | _SMALL | frozenset(":")


def _read_part(part: str) -> Title | None:
    tokens = tokens_of(part)
    words = [form for _, _, form in tokens]
    if not words or words[0] in _ASKING or part.endswith("?") or not set(words) - _GENERIC - _SMALL:
        return None
    first, last = _without_generic(words)
    tokens, generic = tokens[first:last], last - first < len(words)
    if generic and len(tokens) == 1 and (_ADJECTIVE_END.fullmatch(tokens[0][2]) or tokens[0][2] in _FIGURES):
        return None  # ``Technical data``, ``Key figures``
    numbered = all(form.isdigit() and len(form) < _YEAR_LENGTH for _, _, form in tokens)
    if numbered or len(tokens) > _MOST_WORDS or main_verb(part, tokens, 0, len(tokens)) is not None:
        return None
    return Title(part[tokens[0][0] : tokens[-1][1]], _names(tokens, generic=generic))


def _without_generic(words: list[str]) -> tuple[int, int]:
    """The span of the words without ``Overview of the`` before them and ``at a glance`` behind them."""
    first, last = 0, len(words)
    while last > first and words[last - 1] in _GENERIC | _SMALL:
        last -= 1
    opened = any(word in _GENERIC for word in words[:2])
    while opened and first < last and words[first] in _GENERIC | _SMALL:
        first += 1
    return first, last


def _names(tokens: list[Token], *, generic: bool) -> bool:
    """Whether a title is the name of a thing, a place, a time or a kind of people."""
    head = next((n for n, token in enumerate(tokens) if n and token[2] in PREPOSITIONS), len(tokens))
    words = [form for _, _, form in tokens]
    noun = words[head - 1]
    if noun[0].isdigit() or any(not is_common(word) and word.isalpha() for word in words[:head]):
        return not (head > 1 and is_common(noun) and _is_side(noun))
    if _is_side(noun):
        return False
    lone = len([word for word in words if word not in _SMALL]) == 1
    return not lone or not (generic or (noun.endswith("s") and not noun.endswith("ss")))


def _is_side(noun: str) -> bool:
    return noun in _SIDES or _SIDE_END.fullmatch(noun) is not None


def lean(text: str) -> Lean | None:
    """How a statement rests on what stands above it; ``None`` where it says by itself whom it is about.

    >>> lean("Storage: 20 GB"), lean("Costs 5 EUR."), lean("The price is 5 EUR."), lean("Acme sells tea.")
    (<Lean.LABEL: 'label'>, <Lean.LABEL: 'label'>, <Lean.SUBJECT: 'subject'>, None)
    """
    tokens = tokens_of(text)
    if not tokens:
        return None
    if _opens_with_verb(text, tokens):
        return Lean.LABEL
    verb = finite_verb(text, tokens)
    if verb is None:
        verb = main_verb(text, tokens, 0, len(tokens))
    if verb is None:
        return Lean.LABEL
    if colon := next((end for _, end, form in tokens[:verb] if form == ":"), 0):
        return lean(text[colon:]) if is_labelled(text) else Lean.LABEL
    first = after_introduction(tokens, verb) or min(adjunct_end(text, tokens, 0), verb - 1)
    return Lean.SUBJECT if _is_open(text, tokens[max(first, 0) : verb] or tokens[:1]) else None


def _opens_with_verb(text: str, tokens: list[Token]) -> bool:
    """Whether the subject is missing: ``Costs 5 EUR``, ``Is open daily``, ``Includes parking``; no question."""
    form, following = tokens[0][2], tokens[1] if len(tokens) > 1 else None
    if following is None or text.rstrip().endswith("?"):
        return False
    if form in ("is", "was", "are", "has", "had", "can", "must", "may"):
        return True
    verb = verb_of(form)
    if verb is None or verb.form != "s" or finite_verb(text, tokens) == 1:
        return False
    if form in ("offers", "costs", "includes", "comes"):
        return True
    governs = following[2] in DETERMINERS | PREPOSITIONS or text[following[0]].isdigit()
    return governs and main_verb(text, tokens, 0, len(tokens)) in (None, 0)


def _is_open(text: str, subject: list[Token]) -> bool:
    """Whether a subject points at something or counts it, and names nothing."""
    first = subject[0][2]
    pointing = first in _OPEN_SUBJECTS or first[0].isdigit()
    named = any(text[start].isupper() for start, _, _ in subject[1:])
    labelled = len(subject) <= _LONGEST_BARE and subject[-1][2] in _SIDES and not subject[-1][2].endswith("s")
    return (pointing or labelled) and not named


def label_of(statement: str) -> str:
    """What a statement with points below it is about: ``Pro plan`` of ``Pro plan: 9 EUR`` and ``Pro plan costs 9 EUR``.

    >>> label_of("Pro plan (9 EUR)"), label_of("The Pro plan costs 9 EUR"), label_of("In 2020 it closed")
    ('Pro plan', 'The Pro plan', '')
    """
    statement = " ".join(statement.split())
    tokens = tokens_of(statement)
    verb = finite_verb(statement, tokens)
    tied = re.search(r"\s*[:：(]|\s+[-–—]\s|[–—]|,\s", statement)
    end = tokens[verb][0] if verb else len(statement)
    label = statement[: min(end, tied.start() if tied else end)].strip(" *_.")
    words = tokens_of(label)
    if not words or len(words) > _LONGEST_LABEL or (verb is None and tied is None):
        return ""
    told = words[0][2] in SUBJECT_PRONOUNS | PREPOSITIONS or (verb == 0)
    return "" if told else label


def _names_one(title: str) -> bool:
    read = read_title(title)
    return read is not None and read.names


def is_labelled(text: str) -> bool:
    """Whether a text is a value behind its label: ``Storage: 20 GB``."""
    return _LABELLED.match(text.strip()) is not None


def worded(above: str, text: str) -> tuple[str, int, str]:
    """How a title is put to a label with a value: what stands before it, and where and what is put in behind the label.

    Args:
        above: what would stand before it, titles ending with a colon.
        text: the label, a colon and the value; anything else is left behind ``above``.

    >>> worded("Acme: Basic plan: ", "Storage: 20 GB")
    ('Acme: ', 7, ' of Basic plan')
    >>> worded("Basic plan: ", "5 users")
    ('Basic plan: ', 0, '')
    """
    outer, _, title = above.removesuffix(": ").rpartition(": ")
    match = _LABELLED.match(text)
    if not match or not above.endswith(": ") or not _owns(title):
        return above, 0, ""
    words = [form for _, _, form in tokens_of(match[1])]
    if words[-1] not in _SIDES and not _names_one(title):
        return above, 0, ""
    verb = verb_of(words[-1])
    nouns = all(is_common(form) and form not in _NO_LABEL and not describes(form) for form in words)
    if (
        not nouns
        or (verb is not None and verb.form in ("past", "ing"))
        or lean(text[match.end() :]) is not Lean.LABEL
    ):
        return above, 0, ""
    return f"{outer}: " if outer else "", match.end(1), f" of {title}"


def _owns(title: str) -> bool:
    """Whether a title is one thing that may have a price or a height; several have one each."""
    tokens = tokens_of(title)
    read = read_title(title)
    last = tokens[-1][2] if tokens else ""
    several = is_common(last) and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return read is not None and tokens[0][2] not in PREPOSITIONS and (not several or not read.names)


class Sections:
    """The titles that what is read stands under."""

    def __init__(self) -> None:
        self._path: list[tuple[int, Title]] = []
        self._seen: Counter[str] = Counter()

    def leave(self, level: int) -> None:
        """What stood under titles of this level and lower ones ends."""
        self._path = [(at, title) for at, title in self._path if at < level]

    def enter(self, level: int, title: Title | None) -> None:
        """A title was read; one that tells nothing only ends what was before it."""
        self.leave(level)
        if title is not None:
            self._path.append((level, title))
            self._seen[title.text.lower()] += 1

    def scope(self, reading: str, rests: Lean | None, *, named_only: bool = False) -> str:
        """What to put before a reading that rests on its titles so; ``""`` where nothing, or where it is said there.

        Args:
            reading: the statement with whatever else completes it.
            rests: :func:`lean` of it.
            named_only: leave out titles that name no thing.
        """
        if rests is None or not self._path:
            return ""
        sides = rests is Lean.LABEL and not named_only
        chosen: list[str] = []
        for _, title in reversed(self._path):
            if (title.names and _may_mean(reading, title.text)) or (sides and not chosen and not title.names):
                chosen.insert(0, title.text)
            if title.names and self._seen[title.text.lower()] == 1:
                break
        return "".join(f"{text}: " for text in chosen if not _said(text, reading))


def _may_mean(reading: str, title: str) -> bool:
    """Whether the pronoun that a reading opens with, if any, may stand for a title: a person's name is no ``it``."""
    tokens = tokens_of(reading[:_LONGEST_PRONOUN])
    opener = tokens[0][2].split("'")[0] if tokens else ""
    if opener in ("he", "she", "his", "her"):
        return looks_like_a_person(title)
    return opener not in ("it", "its") or not looks_like_a_person(title, surely=True)


def _said(title: str, reading: str) -> bool:
    """Whether every word of a title that says something stands in the reading."""
    known = {form.removesuffix("'s") for _, _, form in tokens_of(reading)}
    return all(form in known for _, _, form in tokens_of(title) if form not in _SMALL)
