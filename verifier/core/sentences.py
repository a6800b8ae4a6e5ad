"""Sentence segmentation: the spans of the sentences of a text, by rules and an abbreviation list, in one linear pass.

pysbd was measured first and left out: it alters the text it segments, tears URLs at ``?`` and reads about
0.05 MB a second, while every passage and every response goes through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from verifier.core.deadline import checkpoint
from verifier.core.lexicon import lexicon

__all__ = ["MAX_SENTENCE", "sentence_spans"]

MAX_SENTENCE = 2000
"""Code points. A longer stretch without a sentence end (a log line, minified text) is cut at a clause mark or
a space, because no model reads more than that and a silent truncation would hide the rest."""

_DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Marks of the writing direction, which no reader sees."""
_CLOSERS = f"\"'”’)\\]}}»›」』）】》〉*_~`{_DIRECTIONS}"
_OPENERS = f"\"'“‘„«‹(\\[{{「『（【《〈*_~`¿¡—–{_DIRECTIONS}-"
_CJK_STOPS = "。！？｡"
_BARE_STOPS = _CJK_STOPS + "।॥"
"""Marks that end a sentence without a space behind them."""

_STOP = re.compile(
    rf"([.!?…‽⁇⁈⁉؟۔።։။។{_BARE_STOPS}]++)([{_CLOSERS}]*+)((?:\[[\d, –-]{{1,12}}\]|[⁰¹²³⁴-⁹]{{1,3}})*+)",
)
_NEXT_WORD = re.compile(rf"[\s{_OPENERS}]*+(\w*+)")
_ENUMERATOR = re.compile(r"[\W_]{0,8}(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_ROMAN = re.compile(r"[IVXLC]+")
_LABEL = re.compile(r"[A-Z]{1,4}[-/]?\d|[B-HJ-Z](?=[\s,;:.)]|$)|A(?=[,;:.)]|$)")
"""What is numbered by letters: ``no. A-17``, ``fig. B``."""
_LINE = re.compile(r"[^\n\r\u2028\u2029]++")
_BULLET = re.compile(
    r"(?:[-*+•‣◦▪●○■□·∙⁃–]|\(?\d{1,3}[.)]|\(?[A-Za-z]\)|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?)[ \t]+\S"
)
_MARKED_LINE = re.compile(r"#{1,6}\s|[|>]|```|~~~|[-=*_]{3,}\s*$")
_CLAUSE_CUT = re.compile(r"[;:,，、；：|]\s")

_NEVER_LAST = lexicon("""
    adm approx asst attn brig capt cf cmdr col comdr cpl dr drs e.g eg esp excl gen gens gov hon i.e incl
    insp lt maj messrs mlle mme mr mrs ms msgr mt mx nr pres prof profs rep reps resp rev sen sens sgt sra
    st supt univ viz vs z.b bzw
    """)
"""Abbreviations that something always follows."""

_BEFORE_A_NUMBER = lexicon("""
    app appx art arts c ca ch chap chaps cl eq eqs ex exp fig figs fn lit n no nos nr p par para paras pg pp
    pt q ref refs sec secs sect sects tab tabs v ver vers vol vols §
    """)
"""Abbreviations only where a number follows (``No. 5``); else words like any other (``No. We do not.``)."""

_SOMETIMES_LAST = lexicon("""
    abbr acad alt assn assoc aug av ave avg bldg blvd bros cal cert co comp conf corp ct dec dept dist div
    ed eds est etc ext feb fl ft fri ft gal gmbh govt hr hrs hwy inc inst int intl jan jr jul jun kg km lb
    lbs ltd mar max mfg mg min mins misc ml mm mon mph nat natl nov oct op oz pct plc pop prev prop pty qty
    rd sat sep sept seq sq sr std subst sun tbsp tel temp thu thur thurs tsp tue tues vet wed wk wks yd yds
    yr yrs al
    """)
"""Abbreviations that may close a sentence; they do when a word that opens sentences follows."""

_LEADS_ON = lexicon("""
    a an and are as at but by for from her his in into is its nor of on or our over than that the their to
    until was were which who with within your
    """)
"""Words that no line is ended with on purpose."""

_PRONOUNS = lexicon("""
    a an he her his i it its my our she that the their there these they this those we you your
    """)
_OPENING_WORDS = _PRONOUNS | lexicon("""
    according additionally after all also although among and another any as at because before both but by
    can customers did do does during each either employees every few finally first for from furthermore here
    how however if in instead into is last later like many meanwhile members moreover most neither no none
    nor not of on once one only or other others over please second several shortly similarly since so some
    such then therefore though through throughout thus to today together two under unlike until upon users
    was were what when where whether which while who why will with within without yes yet
    """)
_CLOCK = frozenset({"a.m", "p.m", "am", "pm"})
_AFTER_CLOCK = lexicon("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december eastern pacific central mountain greenwich gmt utc est edt
    pst pdt cst cdt mst mdt et pt ct cet cest bst ist jst
    """)
"""Capitalised words that go on a time of day instead of opening a sentence."""
_WEB = frozenset({"http", "https", "www"})
_LETTERED = lexicon("appendix class grade group hepatitis option phase plan series size type vitamin")
"""Nouns that a single capital letter names, so that the letter is no initial (``vitamin C. Oranges``)."""
_SHORT = 2_000
"""Code points of a text whose sentences are remembered, at most."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Find the sentences of any text, in reading order.

    Blank lines, list items, table rows and lines that were broken on purpose end a sentence too; a line that
    was only wrapped does not. A list item's marker belongs to its first sentence. Stretches longer than
    ``MAX_SENTENCE`` are cut.

    Returns:
        Half-open code-point spans: ordered, not overlapping, without surrounding white space, together
        covering every character that is not white space. ``[]`` for an empty or blank text. Linear time.

    >>> text = "Dr. Lee paid $2.3 (see Fig. 3). It shipped at 5 p.m. on Monday!"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Lee paid $2.3 (see Fig. 3).', 'It shipped at 5 p.m. on Monday!']
    """
    checkpoint()
    return list(_of_short(text) if len(text) <= _SHORT else _spans(text))


@lru_cache(maxsize=4096)
def _of_short(text: str) -> tuple[tuple[int, int], ...]:
    """Passages and windows are asked for again and again."""
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    lowercase = text == text.lower()
    for start, end in _blocks(text):
        for first, last in _block_sentences(text, start, end, lowercase):
            yield from _pieces(text, first, last)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that read on into each other."""
    lines: list[tuple[int, int]] = []
    for match in _LINE.finditer(text):
        start, end = _trim(text, *match.span())
        if start == end:
            continue
        if lines and _blank_between(text, lines[-1][1], start):
            yield from _joined(text, lines)
            lines = []
        lines.append((start, end))
    yield from _joined(text, lines)


def _blank_between(text: str, start: int, end: int) -> bool:
    gap = text[start:end].replace("\r\n", "\n")
    return "\u2029" in gap or sum(map(gap.count, "\n\r\u2028")) > 1


def _joined(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Join the lines of one paragraph wherever a line was only wrapped."""
    if not lines:
        return
    width = _wrap_width(lines)
    begin, previous = lines[0]
    line_start = begin
    for start, end in lines[1:]:
        if _breaks_before(text, line_start, previous, start, end, width):
            yield begin, previous
            begin = start
        line_start, previous = start, end
    yield begin, previous


def _wrap_width(lines: list[tuple[int, int]]) -> int:
    """The width at which the paragraph was wrapped: its longest line if most come near that, else 60."""
    lengths = [end - start for start, end in lines]
    longest = max(lengths)
    full = sum(length >= 0.75 * longest for length in lengths[:-1])
    wrapped = len(lines) > 2 and longest >= 30 and 2 * full >= len(lines) - 1
    return longest if wrapped else max(longest, 60)


def _breaks_before(text: str, line_start: int, line_end: int, start: int, end: int, width: int) -> bool:
    """Whether a line was ended on purpose: structure follows, or the next word would still have fitted."""
    if _BULLET.match(text, start, end) or _MARKED_LINE.match(text, start, end):
        return True
    if _MARKED_LINE.match(text, line_start, line_end):
        return text[line_start] != ">"
    if text[start].islower() or text[line_end - 1] in ",;-–—":
        return False
    if text[start].isdigit() and text[line_end - 1].isalpha() and ":" not in text[line_start:line_end]:
        return False
    if text[max(line_start, line_end - 12) : line_end].rsplit(None, 1)[-1].lower() in _LEADS_ON:
        return False
    space = text.find(" ", start, end)
    first_word = (space if space >= 0 else end) - start
    return line_end - line_start + 1 + first_word < width


def _block_sentences(text: str, start: int, end: int, lowercase: bool) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _STOP.finditer(text, start, end):
        if match.end() > begin and _ends_sentence(text, begin, match, end, lowercase):
            yield begin, match.end()
            begin = _skip_space(text, match.end(), end)
    if begin < end:
        yield begin, end


def _ends_sentence(text: str, begin: int, match: re.Match[str], stop: int, lowercase: bool) -> bool:
    marks, closers, after = match[1], match[2], match.end()
    if after >= stop:
        return True
    if marks[-1] in _BARE_STOPS:
        return not (closers and text.startswith(("と", "って"), after))
    if not text[after].isspace():
        return False
    following = _NEXT_WORD.match(text, after, stop)
    word = following[1] if following else ""
    labelled = following is not None and _LABEL.match(text, following.start(1), stop) is not None
    initial_follows = len(word) == 1 and following is not None and text.startswith(".", following.end())
    if marks == ".":
        token = text[max(begin, match.start() - 40) : match.start()].rsplit(None, 1)[-1:]
        verdict = _after_period(
            text,
            begin,
            match.start(),
            token[0] if token else "",
            word,
            initial_follows=initial_follows,
            lowercase=lowercase,
            labelled=labelled,
        )
        if verdict is not None:
            return verdict
    if lowercase or not word.islower() or word in _WEB:
        return True
    if _has_quote(closers):
        return False
    return "?" in marks or (marks == "." and word in _PRONOUNS)


def _after_period(
    text: str,
    begin: int,
    dot: int,
    token: str,
    word: str,
    *,
    initial_follows: bool,
    lowercase: bool,
    labelled: bool,
) -> bool | None:
    """What an abbreviation, initial or enumerator before a period says; ``None`` for an ordinary word."""
    if dot - begin < 16 and _ENUMERATOR.fullmatch(text, begin, dot):
        return False
    bare = token.lstrip(_OPENERS.replace("\\", "") + "/")
    low = bare.lower()
    if low in _NEVER_LAST:
        return False
    if low in _BEFORE_A_NUMBER and (word[:1].isdigit() or _ROMAN.fullmatch(word) or labelled):
        return False
    if _DOTTED.fullmatch(low) and bare == low and word[:1].isupper() and _follows_figure(text, begin, dot):
        return low not in _CLOCK or word.lower() not in _AFTER_CLOCK
    if low in _CLOCK and word[:1].isupper():
        return word.lower() not in _AFTER_CLOCK
    single = len(bare) == 1 and bare.isalpha() and bare.isascii() and (lowercase or bare.isupper())
    if single and _follows_lettered_noun(text, begin, dot):
        return None
    if single or low in _SOMETIMES_LAST or _DOTTED.fullmatch(bare):
        if lowercase:
            return low not in {"a", "i"} and word in _PRONOUNS
        return word[:1].isupper() and word.lower() in _OPENING_WORDS and not initial_follows
    return None


def _follows_figure(text: str, begin: int, dot: int) -> bool:
    """Whether an abbreviation is the unit of a figure (``5 EUR p.p.``): what follows it is a new sentence."""
    words = text[max(begin, dot - 30) : dot].split()[:-1]
    return any(any(map(str.isdigit, word)) for word in words[-2:])


def _follows_lettered_noun(text: str, begin: int, dot: int) -> bool:
    words = text[max(begin, dot - 30) : dot].split()
    return len(words) > 1 and words[-2].lower().strip("(") in _LETTERED


def _has_quote(closers: str) -> bool:
    return any(mark in closers for mark in "\"'”’»›」』")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentence itself, or pieces of at most ``MAX_SENTENCE`` code points."""
    while end - start > MAX_SENTENCE:
        half, limit = start + MAX_SENTENCE // 2, start + MAX_SENTENCE
        marks = [match.start() + 1 for match in _CLAUSE_CUT.finditer(text, half, limit)]
        cut = marks[-1] if marks else text.rfind(" ", half, limit)
        cut = cut if cut > start else limit
        first, last = _trim(text, start, cut)
        if first < last:
            yield first, last
        start = _skip_space(text, cut, end)
    if start < end:
        yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    start = _skip_space(text, start, end)
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _skip_space(text: str, at: int, end: int) -> int:
    while at < end and text[at].isspace():
        at += 1
    return at
