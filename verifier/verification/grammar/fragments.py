"""Fragments: pieces without a finite verb, which assert nothing (``Refunds.``, ``30 days.``), and list introductions.

Fails closed: only shapes that cannot be a statement are bare words. An unknown verb must end in ``-s`` or ``-ed``,
be an irregular past form or follow a plural, so a piece where a word might be one is a claim, as is anything that
ties a figure, a date or a name to something (``Price: 30 EUR``, ``Founded in 1990 by Ann Lee``). An item of a list
takes from the list's introduction what it lacks (``The plan includes:`` + ``- parking``).
"""

from __future__ import annotations

import re
from enum import Enum

from verifier.core.lexicon import lexicon
from verifier.core.text import unreadable
from verifier.verification.grammar.verbs import WordToken, finite_verb, is_base_form, is_verb_form, tokens_of
from verifier.verification.grammar.words import DEMONSTRATIVES, MONTHS_AND_WEEKDAYS, NUMERALS, SUBORDINATORS

__all__ = [
    "Fragment",
    "bare_words",
    "is_descriptive",
    "is_verbless",
    "lead_in",
    "needs_introduction",
    "presented_topic",
]


# -- bare words ------------------------------------------------------------------------------------------------


class Fragment(Enum):
    """What kind of bare words a piece is."""

    NAMING = "naming"
    """It only names something (``The return policy.``)."""
    TELLING = "telling"
    """It would say something of whatever stood before it (``30 days.``, ``Waterproof.``, ``For members.``)."""


_MARKS = " \t\r\n.!?…,;:·•\"'“”‘’«»()[]{}*_~`-–—"
_TIES = re.compile(r"(?<!\d):|:(?!\d)|[;()–—=→⇒<>|+&/@#~^\\]|\s-\s|\w[$€£]\w")
_FOREIGN = re.compile(r"[^\W\d_A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
_SIGNS = re.compile(r"[^\w\s.,:!?…'’\"“”%‰°$€£¥ -]")
_NUMERAL = re.compile(r"\d[\d.,]*")
_ARTICLES = lexicon("the a an its their his her our your my some")
_COORDINATORS = lexicon("and or but plus")
_CERTAIN_PREPOSITIONS = lexicon("""
    of for in on at to from by with within between until till since during after before over under about around above
    below into through via per across towards near up down than
    """)
"""What ties no two figures into a statement, as ``against`` does (``11 % against 4 %``)."""
_HEDGES = lexicon("approximately circa exactly almost nearly roughly least most some one ca")
_EMPTY = _ARTICLES | DEMONSTRATIVES | _COORDINATORS | _CERTAIN_PREPOSITIONS | _HEDGES
_ASSERTING = lexicon("""
    no not never none nobody nothing neither nor only without except unlike all every each both also too either more
    less fewer few many much any yes always it he she they we you i there
    """)
_DESCRIBING = lexicon("""
    available bad big black blue broken cheap clean closed cold dark dead dry due early empty equal expensive extra
    fair false fast final fine free fresh full good green half hard heavy high hot illegal included incorrect large
    late legal light long low mandatory new open optional own quick rare ready red right rough round safe same short
    slow small soft sold strong sure tall thin thick tight tiny true unique unlikely unsafe valid void warm waterproof
    weak wet white wide wrong yellow young old possible impossible likely correct extinct double triple
    """)
_DESCRIBING_END = re.compile(r".+(?:able|ible|ful|less|ous|ive|proof|ed|ly|ic)")
_UNIT_OPENERS = lexicon("business working calendar consecutive square cubic euro us")
_LABELS = lexicon("""
    policy period condition detail option overview summary information method section page number name date term
    category topic subject description question answer title type department team category guideline document
    """)
_IRREGULAR = lexicon("""
    arose ate awoke beat became began bent bet bit bled blew bought bound bred broke brought built burnt burst came
    cast caught chose clung cost crept cut dealt did drank dreamt drew drove dug fed fell felt fled flew flung forbade
    forgave forgot fought found froze gave got grew ground had heard held hid hit hung hurt kept knelt knew laid lay
    leapt learnt led left lent let lit lost made meant met mistook overcame overtook paid put quit ran rang read rid
    rode rose said sang sank sat saw sent set sewed shed shone shook shot showed shrank shut slept slew slid slung smelt
    sold sought spat sped spelt spent spilt split spoilt spoke sprang spread spun stank stole stood strove struck stuck
    stung swam swept swore swung taught thought threw thrust told took tore underwent understood undertook undid upset
    went wept withdrew withheld withstood woke won wore wound wove wrote
    """)
_IRREGULAR_PLURALS = lexicon("people children men women police staff fish sheep deer mice geese data media")
_MOST_NAMES = 4
_MOST_LABEL_WORDS = 3
_LONGEST_PHRASE = 8
_LONGEST = 4000
"""Code points; what is longer is no slip, whatever its words are."""


def bare_words(text: str) -> Fragment | None:
    """Whether a sentence consists of bare words.

    Args:
        text: one sentence without markup that nothing before it completes.

    Returns:
        ``None`` for whatever may state something: anything with a finite verb, in other than Latin letters, in
        another language, or in a shape that is not known to be empty.

    >>> bare_words("Larkfell Outdoor"), bare_words("30 days.")
    (<Fragment.NAMING: 'naming'>, <Fragment.TELLING: 'telling'>)
    >>> [bare_words(text) for text in ("Refund period: 30 days", "No refunds", "Tents leak", "30-day refunds")]
    [None, None, None, None]
    """
    core = text.strip(_MARKS)
    if not core or len(core) > _LONGEST or _TIES.search(core) or _SIGNS.search(core) or _FOREIGN.search(core):
        return None
    fragment = _kind_of(core, tokens_of(core))
    return fragment if fragment is not None and unreadable(core) is None else None


def _kind_of(core: str, tokens: list[WordToken]) -> Fragment | None:
    forms = [form for _, _, form in tokens]
    content = [form for form in forms if form not in _EMPTY and form != ","]
    if not forms or (len(set(forms)) > 1 and _may_assert(core, tokens)):
        return None
    if any(map(_is_figure, forms)):
        return Fragment.TELLING if _is_bare_figure(core, tokens) else None
    if len(set(content)) <= 1:
        return _one_word(forms, content)
    naming = _is_name(core, tokens) or _is_list(core, tokens) or _is_phrase(tokens) or _is_label(forms)
    return Fragment.NAMING if naming else None


def _may_assert(core: str, tokens: list[WordToken]) -> bool:
    """Whether a word denies, counts, links or is a verb, or might be one that is not known here."""
    forms = [form for _, _, form in tokens]
    return finite_verb(core, tokens) is not None or any(
        form in _ASSERTING
        or (form in SUBORDINATORS and form not in _EMPTY)
        or (index > 0 and _may_be_verb(forms, index))
        for index, form in enumerate(forms)
    )


def _may_be_verb(forms: list[str], index: int) -> bool:
    form, before = forms[index], forms[index - 1]
    if (
        form in _EMPTY
        or form == ","
        or before in _ARTICLES
        or before in _CERTAIN_PREPOSITIONS
        or form == before
    ):
        return False
    if _is_figure(form) or _is_figure(before) or before in _UNIT_OPENERS or before in _COORDINATORS | {","}:
        return form.endswith("ed") or form in _IRREGULAR
    singular = (form.endswith("s") and not form.endswith(("ss", "us", "is"))) or form.endswith("ed")
    listed = is_verb_form(form) or (index > 1 and is_base_form(form))
    return singular or listed or form in _IRREGULAR or _is_plural(before)


def _is_plural(form: str) -> bool:
    return form in _IRREGULAR_PLURALS or (form.endswith("s") and not form.endswith(("ss", "us", "is")))


def _is_figure(form: str) -> bool:
    return any(map(str.isdigit, form)) or form in NUMERALS or form in MONTHS_AND_WEEKDAYS


def is_descriptive(form: str) -> bool:
    """Whether a word says how something is (``available``, ``waterproof``)."""
    return form in _DESCRIBING or bool(_DESCRIBING_END.fullmatch(form))


def _one_word(forms: list[str], content: list[str]) -> Fragment:
    telling = any(form in _CERTAIN_PREPOSITIONS or form in _ASSERTING for form in forms) or any(
        is_descriptive(form) for form in content
    )
    return Fragment.TELLING if telling else Fragment.NAMING


def _is_bare_figure(text: str, tokens: list[WordToken]) -> bool:
    """Figures with their units and nothing that they are figures of: ``up to 30 business days``."""
    if "%" in text:
        return all(_is_figure(form) or form in _EMPTY for _, _, form in tokens)
    for index, (start, _, form) in enumerate(tokens):
        if _is_figure(form) or form in _EMPTY or form == ",":
            continue
        before = tokens[index - 1][2] if index else ""
        measured = _NUMERAL.fullmatch(before) or before in NUMERALS or before in _UNIT_OPENERS
        currency = text[start : start + len(form)].isupper() and len(form) <= 3
        if not measured or is_descriptive(form) or not (text[start].islower() or currency):
            return False
    return True


def _is_name(text: str, tokens: list[WordToken]) -> bool:
    """A few capitalised words and nothing else; ``Bank of England`` would say of what."""
    words = tokens[1:] if tokens[0][2] == "the" else tokens
    return len(words) <= _MOST_NAMES and all(
        text[start].isupper() and form not in _EMPTY for start, _, form in words
    )


def _is_list(text: str, tokens: list[WordToken]) -> bool:
    """Single common nouns joined by commas, ``and`` or ``or``."""
    items = 0
    joined = True
    for index, (start, _, form) in enumerate(tokens):
        if form == "," or form in _COORDINATORS:
            joined = True
        elif form in _ARTICLES:
            continue
        elif not joined or is_descriptive(form) or (index and not text[start].islower()) or form in _EMPTY:
            return False
        else:
            joined = False
            items += 1
    return items > 1


def _is_phrase(tokens: list[WordToken]) -> bool:
    """A noun phrase behind an article: ``The refund policy of Larkfell Outdoor``."""
    forms = [form for _, _, form in tokens]
    opened = forms[0] in _ARTICLES
    joined = "," in forms or any(form in _COORDINATORS for form in forms)
    return opened and not joined and len(forms) <= _LONGEST_PHRASE and not is_descriptive(forms[-1])


def _is_label(forms: list[str]) -> bool:
    """What stands above something as its title: ``Refund policy``."""
    last = forms[-1]
    known = last in _LABELS or last.removesuffix("s") in _LABELS
    plain = not any(is_descriptive(form) or form in _EMPTY or form == "," for form in forms)
    return known and plain and len(forms) <= _MOST_LABEL_WORDS


# -- list introductions ----------------------------------------------------------------------------------------

_RUNS_ON = lexicon("""
    to that of by for with in at from on as including namely by not be been a an the also either both
    being using covering containing offering required allowed entitled permitted prohibited forbidden
    """)
_FOLLOWING = re.compile(
    r"(?:\s(?:the|these|those|all\sof\sthe)?\s?following(?:\s(?:items?|things?|points?|features?|services?|steps?))?"
    r"|\sas\sfollows)$",
    re.IGNORECASE,
)
_PRESENTS = re.compile(
    r"(?:here(?:['’]s|\s(?:is|are))|below\s(?:is|are|you(?:['’]ll|\swill)?\sfind)|these\sare\s(?=the\s))\s?"
    r"(?:(?:the|some|all|a|an|my)\s)?(?=\S)",
    re.IGNORECASE,
)
_SCOPE = lexicon("""
    for in during with under if when on at from until after before within without as since between
    """)


def is_verbless(text: str) -> bool:
    """Whether a piece has no finite verb of its own, so that it asserts nothing by itself."""
    tokens = tokens_of(text)
    return finite_verb(text, tokens) is None


def needs_introduction(stem: str, item: str) -> bool:
    """Whether an item needs the introduction to say anything.

    >>> needs_introduction("The plan includes:", "parking"), needs_introduction("Key facts:", "Refunds take 30 days.")
    (True, False)
    """
    return is_verbless(item) or _runs_on(_bare(stem)) or _limits(stem)


def lead_in(stem: str) -> str:
    """What to put in front of an item.

    >>> lead_in("The plan includes the following:"), lead_in("Members get three things:")
    ('The plan includes ', 'Members get three things: ')
    """
    bare = _bare(stem)
    cut = _FOLLOWING.sub("", bare)
    return cut + (" " if cut and _runs_on(cut) else ": ")


def presented_topic(stem: str) -> str:
    """What an introduction is of: ``Here are the prices of the Basic plan:`` only presents them.

    >>> presented_topic("Here are the prices:"), presented_topic("The plan includes:")
    ('prices:', 'The plan includes:')
    """
    match = _PRESENTS.match(stem)
    return stem[match.end() :] if match else stem


def _bare(stem: str) -> str:
    return " ".join(stem.split()).rstrip(":： ")


def _runs_on(bare: str) -> bool:
    tokens = tokens_of(bare)
    if len(tokens) < 2:
        return False
    last = tokens[-1][2]
    if last in _RUNS_ON or is_verb_form(last):
        return True
    return is_base_form(last) and finite_verb(bare, tokens) == len(tokens) - 1


def _limits(stem: str) -> bool:
    """``For members:`` says for whom the items hold."""
    tokens = tokens_of(stem)
    return bool(tokens) and tokens[0][2] in _SCOPE
