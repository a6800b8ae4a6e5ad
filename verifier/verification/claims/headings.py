"""Headings of a response: which lines are titles, of which rank, and which titles a statement below them rests on.

``- Storage: 20 GB`` below ``## Basic plan`` says nothing of which plan: read alone, any other plan would support it, so
that the title is read before it. What says by itself whom it is about stays as it is. A title that states something is
a claim.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import is_common
from verifier_signals.values import parse

from verifier.core.lexicon import lexicon
from verifier.core.text import COLONS
from verifier.verification.claims.checkworthiness import states_figures
from verifier.verification.claims.presupposition import asserts_something
from verifier.verification.grammar.coreference import after_introductory_phrase
from verifier.verification.grammar.fragments import bare_words, is_descriptive, is_verbless
from verifier.verification.grammar.mentions import looks_like_a_person
from verifier.verification.grammar.scope import adjunct_end
from verifier.verification.grammar.verbs import WordToken, finite_verb, main_verb, tokens_of
from verifier.verification.grammar.words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECT_PRONOUNS

__all__ = [
    "Sections",
    "Title",
    "TitleDependence",
    "TitleLevel",
    "heading_rank",
    "is_bold",
    "is_empty_title",
    "is_label",
    "is_labelled",
    "is_line_title",
    "is_underlined",
    "label_of",
    "may_be_bold_title",
    "read_title",
    "title_asserts",
    "title_dependence",
    "title_wording",
]

# -- titles ----------------------------------------------------------------------------------------------------

_BOLD_LINE = re.compile(r"(\*\*|__)[^*_\n]+\1:?")
_UNDERLINED = re.compile(r"[^\n]+\n[ \t]*=+")
_RULED = re.compile(r"\r?\n[ \t]*-{3,}")
_TITLE_TOPIC = re.compile(r",? and (?:how|why|what|when|where)\b.*$", re.IGNORECASE)
_WH = re.compile(r"(?:how|what|when|where|why|who|which)\b", re.IGNORECASE)
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣◦–]|\(?\d{1,3}[.)])[ \t]+")
_ASIDE = re.compile(r"\s*\([^()\d]{1,60}\)$")
_HASHES = re.compile(r"[ \t>]*(#{1,6})")
_TIED = re.compile(r"[:：(|]|\s[-–—]\s|[–—]")
_NUMBERED_OR_DATED = re.compile(
    r"(?:(?:step|part|phase|option)\s)?\d{1,2}[.):]\s\D+"
    r"|(?:(?:Q[1-4]|H[12]|FY|fiscal\syear|year)\s?)?(?:19|20)\d\d:?",
    re.IGNORECASE,
)
"""``1. Basic plan`` and ``Q1 2024``: titles in spite of their figures."""
_FIGURES_ALONE = re.compile(r"(?!\s*\d{1,2}[.)]?\s*$)(?!.*\b(?:1[5-9]|20)\d\d\b)(?=\D*\d)[\s\d.,:/–—-]+")
"""``9–17`` and ``9:00-17:00`` behind what they are of; no years (``History: 1990–1999``) and no number of a chapter."""
_LONGEST_BOLD = 80
_MOST_LINE_WORDS = 5
_RARELY_A_VERB = 0.3


def heading_rank(source: str) -> int:
    """The level of a heading that Markdown marks, in 1 to 6."""
    hashes = _HASHES.match(source)
    return len(hashes[1]) if hashes else 1


def is_bold(source: str) -> bool:
    """Whether a line, a bullet aside, consists of bold type."""
    bullet = _BULLET.match(source)
    return _BOLD_LINE.fullmatch(source[bullet.end() if bullet else 0 :].strip()) is not None


def is_underlined(source: str, below: str) -> bool:
    """Whether a line is underlined as a title; ``below`` is what stands under it."""
    return _UNDERLINED.fullmatch(source) is not None or _RULED.fullmatch(below.rstrip(" \t")) is not None


def may_be_bold_title(text: str) -> bool:
    """Whether a line in bold type is short and states nothing."""
    stopped = text.endswith(".") and bare_words(text) is None
    figures = states_figures(text) and not _NUMBERED_OR_DATED.fullmatch(text)
    return len(text) <= _LONGEST_BOLD and not stopped and not figures


def title_asserts(text: str) -> bool:
    """Whether a title is a sentence, outside of what reads like ``How refunds work``, or gives a measured value.

    >>> title_asserts("The warranty covers water damage"), title_asserts("Refunds and returns")
    (True, False)
    >>> list(map(title_asserts, ("Returns are free", "Basic plan (9 EUR a month)", "Step 2: 5 ways to save")))
    [True, True, False]
    >>> title_asserts("Opening hours: 9–17"), title_asserts("History: 1990–1999"), title_asserts("Chapter: 3")
    (True, False, False)
    """
    text = _TITLE_TOPIC.sub("", text)
    tokens = tokens_of(text)
    if not tokens or _WH.match(text) or text.endswith("?"):
        return False
    if (tie := _TIED.search(text)) and _gives(text[tie.end() :]):
        return True
    return len(tokens) > 2 and (
        asserts_something(text)
        or any(form in AUXILIARIES for _, _, form in tokens[1:])
        or (states_figures(text) and not is_verbless(text))
    )


def _gives(text: str) -> bool:
    """Whether what stands behind a title's colon is a measured value, or figures and nothing else."""
    return _measures(text) or _FIGURES_ALONE.fullmatch(text) is not None


def _measures(text: str) -> bool:
    found = (quantity.dimension for value in parse(text) for quantity in value.quantities)
    return any(kind and kind != "ordinal" and not kind.startswith("code:") for kind in found)


def is_label(text: str) -> bool:
    """Whether a line only names what the points below it are about."""
    bare = text.rstrip(" *_")
    return (
        not bare.endswith((".", "!", "?", *COLONS))
        and title_dependence(bare) is TitleDependence.LABEL
        and not states_figures(bare)
        and not _TIED.search(bare)
        and not label_of(bare)
    )


def is_line_title(text: str, source: str, below: str) -> bool:
    """Whether a line is the title of what stands right below it, and that rests on one.

    Args:
        text: the line without its markup.
        source: the line.
        below: the next sentence.
    """
    bare = _ASIDE.sub("", text.strip().rstrip(":： "))
    title, colon = read_title(bare), text.rstrip().endswith(COLONS)
    if title is None or title_dependence(below) is None or not is_label(bare):
        return False
    if colon or is_bold(source):
        return True
    words = [form for _, _, form in tokens_of(bare)]
    return title.names and len(words) <= _MOST_LINE_WORDS and bare[0].isupper() and not _may_state(words)


def _may_state(words: list[str]) -> bool:
    """Whether the last word may be a verb behind its subject: ``Tents leak``, ``The shop reopened``."""
    verb = verb_of(words[-1]) if len(words) > 1 else None
    if verb is None or verb.share < _RARELY_A_VERB:
        return False
    return verb.form != "base" or words[-2].endswith("s")


# -- what rests on a title -------------------------------------------------------------------------------------


class TitleLevel:
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


class TitleDependence(Enum):
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


def _names(tokens: list[WordToken], *, generic: bool) -> bool:
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


def title_dependence(text: str) -> TitleDependence | None:
    """How a statement rests on what stands above it; ``None`` where it says by itself whom it is about.

    >>> title_dependence("Storage: 20 GB"), title_dependence("Costs 5 EUR.")
    (<TitleDependence.LABEL: 'label'>, <TitleDependence.LABEL: 'label'>)
    >>> title_dependence("The price is 5 EUR."), title_dependence("Acme sells tea.")
    (<TitleDependence.SUBJECT: 'subject'>, None)
    """
    tokens = tokens_of(text)
    if not tokens:
        return None
    if _opens_with_verb(text, tokens):
        return TitleDependence.LABEL
    verb = finite_verb(text, tokens)
    if verb is None:
        verb = main_verb(text, tokens, 0, len(tokens))
    if verb is None:
        return TitleDependence.LABEL
    if colon := next((end for _, end, form in tokens[:verb] if form == ":"), 0):
        return title_dependence(text[colon:]) if is_labelled(text) else TitleDependence.LABEL
    first = after_introductory_phrase(tokens, verb) or min(adjunct_end(text, tokens, 0), verb - 1)
    return (
        TitleDependence.SUBJECT if _names_nothing(text, tokens[max(first, 0) : verb] or tokens[:1]) else None
    )


def _opens_with_verb(text: str, tokens: list[WordToken]) -> bool:
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


def _names_nothing(text: str, subject: list[WordToken]) -> bool:
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


def title_wording(above: str, text: str) -> tuple[str, int, str]:
    """How a title is put to a label with a value: what stands before it, and where and what is put in behind the label.

    Args:
        above: what would stand before it, titles ending with a colon.
        text: the label, a colon and the value; anything else is left behind ``above``.

    >>> title_wording("Acme: Basic plan: ", "Storage: 20 GB")
    ('Acme: ', 7, ' of Basic plan')
    >>> title_wording("Basic plan: ", "5 users")
    ('Basic plan: ', 0, '')
    """
    outer, _, title = above.removesuffix(": ").rpartition(": ")
    match = _LABELLED.match(text)
    if not match or not above.endswith(": ") or not _is_single_thing(title):
        return above, 0, ""
    words = [form for _, _, form in tokens_of(match[1])]
    if words[-1] not in _SIDES and not _names_one(title):
        return above, 0, ""
    verb = verb_of(words[-1])
    nouns = all(is_common(form) and form not in _NO_LABEL and not is_descriptive(form) for form in words)
    if (
        not nouns
        or (verb is not None and verb.form in ("past", "ing"))
        or title_dependence(text[match.end() :]) is not TitleDependence.LABEL
    ):
        return above, 0, ""
    return f"{outer}: " if outer else "", match.end(1), f" of {title}"


def _is_single_thing(title: str) -> bool:
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

    def scope(self, reading: str, rests: TitleDependence | None, *, named_only: bool = False) -> str:
        """What to put before a reading that rests on its titles so; ``""`` where nothing, or where it is said there.

        Args:
            reading: the statement with whatever else completes it.
            rests: :func:`title_dependence` of it.
            named_only: leave out titles that name no thing.
        """
        if rests is None or not self._path:
            return ""
        sides = rests is TitleDependence.LABEL and not named_only
        chosen: list[str] = []
        for _, title in reversed(self._path):
            if (title.names and _may_mean(reading, title.text)) or (sides and not chosen and not title.names):
                chosen.insert(0, title.text)
            if title.names and self._seen[title.text.lower()] == 1:
                break
        return "".join(f"{text}: " for text in chosen if not _is_repeated_in(text, reading))


def _may_mean(reading: str, title: str) -> bool:
    """Whether the pronoun that a reading opens with, if any, may stand for a title: a person's name is no ``it``."""
    tokens = tokens_of(reading[:_LONGEST_PRONOUN])
    opener = tokens[0][2].split("'")[0] if tokens else ""
    if opener in ("he", "she", "his", "her"):
        return looks_like_a_person(title)
    return opener not in ("it", "its") or not looks_like_a_person(title, surely=True)


def _is_repeated_in(title: str, reading: str) -> bool:
    """Whether every word of a title that says something stands in the reading."""
    known = {form.removesuffix("'s") for _, _, form in tokens_of(reading)}
    return all(form in known for _, _, form in tokens_of(title) if form not in _SMALL)
