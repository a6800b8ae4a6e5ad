"""Rewording of denials in disguise: the edits by which a sentence denies the same with a plain *not* or *no*.

These are what is called untrue (``It is not the case that``, ``The rumour that ... is false``), what is ruled out, what
nothing in a text says, and what there is no sign of.
"""

from __future__ import annotations

import re
from functools import lru_cache

from verifier_signals.syntax import read

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.statements.exceptions import ExceptedStatement, exception_of
from verifier.verification.statements.negation import (
    EditedText,
    TextEdit,
    apply_edits,
    is_denied,
    is_plural,
    main_verb,
    negation_edits,
    said_of,
    with_capital,
)
from verifier.verification.statements.types import StatementPiece

__all__ = [
    "TURN",
    "absence_edits",
    "affirmed_content",
    "implicit_statement",
    "unframing_edits",
    "without_untruth_frame",
]

# -- frames ----------------------------------------------------------------------------------------------------

_ADVERB = r"(?:(?:simply|just|quite|entirely|completely|totally|utterly|plainly|clearly|at all|all|also) )?"
_BE = r"(?:is|was|are|were|['’]s|has been|have been|had been|proved(?: to be)?|turned out(?: to be)?)"
_FALSE = (
    r"(?:untrue|false|incorrect|inaccurate|wrong|mistaken|unfounded|baseless|groundless|unsubstantiated|nonsense"
    r"|made up|invented|a (?:myth|lie|fiction|hoax|mistake|misunderstanding|falsehood|fabrication))"
)
_TRUE = r"(?:true|the case|correct|accurate|right|a fact)"
_SAID = (
    r"(?:rumou?r|claim|report|story|stories|belief|idea|notion|myth|allegation|assertion|suggestion|statement|view"
    r"|theory|theories|legend|assumption|news|impression|accusation)s?"
)
_IT_IS = compiled_later(
    rf"\b(?:it|that)(?: {_BE}|['’]s) (?:(?P<no>{_ADVERB}{_FALSE})|(?P<not>{_ADVERB}not {_ADVERB}{_TRUE})|"
    rf"(?P<yes>{_ADVERB}{_TRUE}))(?: to (?:say|claim|state|suppose|think|suggest|believe))?(?: that)? ",
    re.IGNORECASE,
)
_IT_IS_NOT = compiled_later(
    rf"\bit (?:isn|wasn)['’]t {_ADVERB}{_TRUE}(?: to (?:say|claim|state|suppose|think|suggest|believe))?(?: that)? ",
    re.IGNORECASE,
)
_THAT_IS = compiled_later(
    rf"(?:(?:the|a|any|all|this|these|those|\w+['’]s|\w+s['’]) (?:[\w-]+ ){{0,3}}?{_SAID}|{_SAID})(?:,? that| of) "
    rf"(?P<told>\S.*?),? (?:{_BE} (?P<not>{_ADVERB}not )?{_ADVERB}(?:(?P<no>{_FALSE})|{_TRUE})"
    rf"|(?P<isnt>isn|wasn|aren|weren)['’]t {_ADVERB}{_TRUE})(?P<rest>[.!]?)",
    re.IGNORECASE,
)
_THAT = compiled_later(
    rf"that (?P<told>\S.*?) {_BE} (?:{_ADVERB}(?P<no>{_FALSE})|(?P<not>not ){_ADVERB}{_TRUE})(?P<rest>[.!]?)",
    re.IGNORECASE,
)
_ARTICLE = compiled_later(r"(?:an?|any|all) ", re.IGNORECASE)
_CHANCE = r"(?:(?:the |any )?(?:possibility|presence|existence|risk|idea|option|prospect) of )"
_RULED_OUT = compiled_later(
    rf"^(?P<who>[^,;:]+?)(?<! is| be)(?<! was| are)(?<! were| been) (?:ruled|rules?|ha(?:s|ve|d) ruled) out {_CHANCE}?"
    rf"(?P<what>(?:(?!the|this|that|his|her|their|its)\b)[^\W\d_][\w-]*)",
    re.IGNORECASE,
)
_DENIED = compiled_later(r"\b(?:not|never|cannot|nobody|no|nor)\b|n['’]t\b", re.IGNORECASE)
_NOTHING_IN = compiled_later(r"\bnothing (?:in|on|about|under|within|inside) (?=\S)", re.IGNORECASE)
_TELLING = lexicon("""
    cover forbid prohibit ban bar prevent stop allow permit require oblige say state mention suggest indicate show
    provide promise guarantee entitle limit restrict exclude include mean imply prove contradict confirm support give
    grant commit authorise authorize refer apply explain address govern regulate point call demand ask force protect
    contain
    """)
"""What a text does, so that what nothing in it does it does not do."""
_SIGNS = r"(?:signs?|traces?|evidence|indications?|hints?|symptoms?)"
_SIGN = compiled_later(
    r"\b(?P<no>no|without(?: any)?|not? (?:\w+ )?any|n['’]t (?:\w+ )?any)(?: [\w-]+){0,2}?"
    rf" {_SIGNS}(?: or {_SIGNS})? of (?:(?:an?|any) )?"
    r"(?=(?!(?:the|its|his|her|their|this|that|having|being)\b)[^\W\d_])",
    re.IGNORECASE,
)
_IS_NEITHER = compiled_later(
    r"\b(?:is|are|was|were|be|been) (?P<neither>neither) (?:[\w-]+ ){1,4}(?P<nor>nor)\b", re.IGNORECASE
)
_NEITHER = compiled_later(r"neither (?P<one>(?!of\b)[^,;:]+?),? nor (?P<behind>[^;:]+)", re.IGNORECASE)
_ONLY = compiled_later(
    r"(?P<only>only )(?!(?:\d+|one|two|three|a few|an?|some|half|about|if|when|after|in|on|by|with|then)\b)"
    r"(?:[\w'’-]+ ){1,6}?(?:may|can|is|are|has|have)\b",
    re.IGNORECASE,
)
_ANYTHING_BUT = compiled_later(
    r"(?<=is |re |as |en )(?:anything|all) but (?!the\b|an?\b|one\b|two\b)(?=[a-z])"
)


def unframing_edits(text: str) -> list[TextEdit]:
    """The edits by which a sentence that calls a statement untrue denies it; none where it does not, or not plainly.

    >>> text = "It is not true that the pier was sold."
    >>> unframing_edits(text)
    [TextEdit(start=0, end=20, new=''), TextEdit(start=20, end=21, new='T'), TextEdit(start=32, end=32, new=' not')]
    """
    return next(
        (
            sorted(found)
            for turn in (_framed, _called_false, absence_edits, _anything_but)
            if (found := turn(text))
        ),
        [],
    )


def _plain_denial(text: str) -> EditedText:
    """What a sentence rules out, shows no sign of, or says of neither of two, with a plain *no* or *not*.

    >>> [(*piece,) for piece in _plain_denial("There is no sign of a fracture.")]
    [('There is no', 0), (' ', None), ('fracture.', 22)]
    """
    for turn in (_ruled_out, _without_sign, _neither_nor):
        if edits := turn(text):
            return apply_edits(text, 0, len(text), edits)
    return _of_neither(text) or _of_these(text)


def _opened(text: str, begin: int, end: int, at: int, edits: list[TextEdit]) -> list[TextEdit]:
    """The edits with ``text[begin:end]`` left out, and a capital where the sentence then begins."""
    if begin == 0 and text[:1].isupper():
        first = next((edit for edit in sorted(edits) if edit.start == at), None)
        if first is None:
            edits = [*edits, TextEdit(at, at + 1, text[at : at + 1].upper())]
        elif first.new:
            edits = [first._replace(new=with_capital(first.new)) if edit is first else edit for edit in edits]
    return [TextEdit(begin, end, ""), *edits]


def _framed(text: str) -> list[TextEdit]:
    """``It is untrue that the pier was sold``: ``the pier was not sold``."""
    frame = _IT_IS.match(text) or _IT_IS_NOT.match(text)
    if frame is None or frame.groupdict().get("yes"):
        return []
    edits = negation_edits(text, frame.end(), len(text))
    return [] if edits is None else _opened(text, 0, frame.end(), frame.end(), edits)


def _called_false(text: str) -> list[TextEdit]:
    """``The rumour that the mill closed is false``: ``the mill did not close``."""
    frame = _THAT_IS.fullmatch(text.rstrip()) or _THAT.fullmatch(text.rstrip())
    if frame is None:
        return []
    groups = frame.groupdict()
    denied = bool(groups["no"]) ^ bool(groups["not"])
    denied = denied or bool(groups.get("isnt"))
    begin, end = frame.span("told")
    edits = negation_edits(text, begin, end) if denied else []
    if edits is None or (not denied and not groups["not"]):
        return []
    return [*_opened(text, 0, begin, begin, edits), TextEdit(end, frame.start("rest"), "")]


def _ruled_out(text: str) -> list[TextEdit]:
    """``Tests ruled out lead in the water``: ``there is no lead in the water``."""
    frame = _RULED_OUT.match(text)
    if frame is None or _DENIED.search(frame["who"]) or frame["what"].casefold().endswith("ing"):
        return []
    return [TextEdit(0, _behind_article(text, frame.start("what")), "There is no ")]


def _behind_article(text: str, at: int) -> int:
    """Where the words at a place go on behind an article that *no* takes the place of."""
    article = _ARTICLE.match(text, at)
    return article.end() if article is not None else at


def absence_edits(text: str) -> list[TextEdit]:
    """``Nothing in the policy covers floods``: ``the policy does not cover floods``."""
    frame = _NOTHING_IN.search(text)
    if frame is None or frame.start() > 30:
        return []
    reading = read(text)
    verb = main_verb(reading, frame.end(), len(text))
    if verb is None or verb.first != verb.main:
        return []
    word = reading.tokens[verb.main]
    if word.word.verb is None or word.word.verb.lemma not in _TELLING:
        return []
    plural = is_plural(text[frame.end() : word.start])
    edits = negation_edits(text, frame.end(), len(text), plural=plural)
    return [] if edits is None else _opened(text, frame.start(), frame.end(), frame.end(), edits)


def _without_sign(text: str) -> list[TextEdit]:
    """``There is no sign of a fracture``: ``there is no fracture``."""
    return [TextEdit(frame.end("no"), frame.end(), " ") for frame in _SIGN.finditer(text)]


def _anything_but(text: str) -> list[TextEdit]:
    """``The road is anything but safe``, ``The bridge was all but finished``: ``not safe``, ``not finished``."""
    return [TextEdit(*frame.span(), "not ") for frame in _ANYTHING_BUT.finditer(text)]


def _neither_nor(text: str) -> list[TextEdit]:
    """``The hall is neither heated nor lit``: ``the hall is not heated and not lit``."""
    frame = _IS_NEITHER.search(text)
    if frame is None:
        return []
    return [TextEdit(*frame.span("neither"), "not"), TextEdit(*frame.span("nor"), "and not")]


def _of_neither(text: str) -> EditedText:
    """``Neither the tram nor the bus stops here``: what holds of each."""
    frame = _NEITHER.match(text)
    if frame is None:
        return []
    behind = frame.start("behind")
    reading = read(text[behind:])
    verb = main_verb(reading, 0, len(text) - behind)
    if verb is None:
        return []
    start = behind + reading.tokens[verb.first].start
    found: EditedText = []
    for begin, end in (frame.span("one"), (behind, start - 1)):
        name = text[begin:end]
        held = said_of(text, begin, end, (start - 1, len(text)), affirmed=False)
        if not name.strip() or held is None:
            return []
        found += [*held, StatementPiece(" ", None)]
    return found[:-1]


def _of_these(text: str) -> EditedText:
    """``Only members may vote``: members may."""
    frame = _ONLY.match(text)
    return [StatementPiece(with_capital(text[frame.end("only") :]), None)] if frame is not None else []


# -- rewording a sentence --------------------------------------------------------------------------------------

_LONGEST = 400
"""Code points of the longest sentence that is read for such a turn; a longer one says too much beside it."""
_SEVERAL = compiled_later(r"\n|[.!?]\s+[^\W\d_a-z]")
"""Where one sentence ends and another begins, for those that are not parted."""
_NO_LONGER = compiled_later(r"\bno longer ", re.IGNORECASE)
TURN = compiled_later(
    r"\b(?:except\w*|but|apart|aside|other than|save|bar(?:ring)?|excluding|out|signs?|traces?|evidence|indications?"
    r"|hints?|symptoms?|neither|only)\b",
    re.IGNORECASE,
)
"""A word of each turn that is said again: fast to look for."""


@lru_cache(maxsize=4096)
def without_untruth_frame(sentence: str) -> tuple[StatementPiece, ...]:
    """The pieces of a sentence that calls something untrue: they deny it. Their offsets count in the sentence.

    None where it does no such thing.

    >>> "".join(piece.text for piece in without_untruth_frame("It is not true that the ferry was sold."))
    'The ferry was not sold.'
    """
    edits = unframing_edits(sentence) if _is_one(sentence) else []
    return tuple(apply_edits(sentence, 0, len(sentence), edits)) if edits else ()


def _without_frame(sentence: str) -> str:
    """The sentence without words that call it untrue, denied in their place; itself where it has none.

    >>> _without_frame("The rumour that the mill closed is false.")
    'The mill did not close.'
    """
    return "".join(piece.text for piece in without_untruth_frame(sentence)) or sentence


@lru_cache(maxsize=4096)
def affirmed_content(sentence: str) -> str:
    """What a sentence says of its things, whether it denies or excepts some of it or not: who denies asserts as well.

    A sentence of several clauses stands as it is but for its frame and its exception: what is denied in it may be that
    somebody said so.

    >>> affirmed_content("It is not true that the ferry was sold.")
    'The ferry was sold.'
    >>> affirmed_content("All rooms but the attic are heated.")
    'All rooms are heated.'
    """
    plain = _without_frame(sentence)
    if not _is_one(plain):
        return plain
    found = implicit_statement(plain)
    if found is not None:
        plain = found.general if isinstance(found, ExceptedStatement) else "".join(text for text, _ in found)
    plain = _NO_LONGER.sub("", plain)
    reading = read(plain)
    if sum(bool(clause.verbs) for clause in reading.clauses) != 1 or not is_denied(plain):
        return plain
    edits = negation_edits(plain, 0, len(plain))
    return (
        plain
        if edits is None
        else with_capital("".join(text for text, _ in apply_edits(plain, 0, len(plain), edits)))
    )


@lru_cache(maxsize=4096)
def implicit_statement(sentence: str) -> ExceptedStatement | EditedText | None:
    """What a sentence excepts, or, as words to be put behind it, what it rules out, shows no sign of, says of neither.

    >>> "".join(text for text, _ in implicit_statement("Tests ruled out lead in the water."))
    'There is no lead in the water.'
    """
    if TURN.search(sentence) is None or not _is_one(sentence):
        return None
    return exception_of(sentence) or _plain_denial(sentence) or None


def _is_one(sentence: str) -> bool:
    return len(sentence) <= _LONGEST and _SEVERAL.search(sentence.strip()) is None
