"""Markdown inside a block: marks and citations blanked at equal length, table cells, and claims quoted without marks.

So sentences are found in what a reader sees, while every offset still points into the response. ``[plans.md]``,
``[citation:3d1f]``, ``【4†source】``, ``(source: ...)``, ``<ref>7</ref>``, ``.²`` and ``(1)`` are citations and no part
of what the sentence says; ``m²``, ``10⁵`` and ``thirty (30)`` are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.units import units

from verifier.core.layout import STRUCK
from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.core.text import trimmed
from verifier.types import Claim, Substitution
from verifier.verification.claims.html import TAG
from verifier.verification.grammar.clauses import Replacement

__all__ = [
    "CITATION",
    "CellStatement",
    "blank_markup",
    "cell_claim",
    "cell_spans",
    "cell_statements",
    "cell_texts",
    "quote_claim",
    "widen_to_markup",
]

# -- citation marks --------------------------------------------------------------------------------------------

_FILE = (
    r"[^\[\]()\n]{1,80}\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?)(?:[#,:\s][^\[\]()\n]{0,40})?"
)
_DOCUMENT = (
    r"(?:doc(?:ument)?|source|src|ref(?:erence)?|passage|chunk|cit(?:ation|e)|context|excerpt|snippet)s?"
)
_LABEL = rf"(?:{_DOCUMENT}|(?:search|result|web|page|pp?|note|footnote|fn|file|oaicite|id)s?)"
_MARK = rf"(?:{_LABEL}(?:[_\#:=†]\s?[\w.†/-]{{1,60}}|[.:]?[\s-]?\d{{1,4}})|\d{{1,4}})"
"""``citation:3d1f``, ``doc 3``, ``p. 7``; behind a space only a number, for ``[note the date]`` says something."""
_MARKS = rf"{_MARK}(?:\s?[,;&]\s?{_MARK}){{0,9}}"
_PLACE = rf"{_DOCUMENT}[\s_\#:-]{{0,2}}\d{{1,4}}(?:[,;:][^\[\]()\n]{{0,40}})?"
_LINK = r"\[[^\[\]\n]{1,80}\]\([^()\s]{1,500}\)"
CITATION = rf"""
      【[^】\n]{{1,60}}】
    | \[(?:{_FILE}|{_PLACE}|{_DOCUMENT}[\s_\#:-]{{0,2}}\w{{0,20}})\](?!\()
    | \[\^?\s?(?=[a-z]){_MARKS}\s?\](?!\()
    | \[\[\d{{1,3}}\]\](?:\([^()\s]{{1,500}}\))? | \[/?cite(?:_start|_end)?\] | \[[SDR]\d{{1,2}}\](?!\()
    | :contentReference\[[^\[\]\n]{{1,60}}\](?:\{{[^{{}}\n]{{1,60}}\}})? | \ue200[^\ue201\n]{{0,200}}\ue201
    | <ref\b[^<>]{{0,200}}(?:/>|>[^<>]{{0,300}}</ref>) | </?co(?::|\s)?\s?\d[\d,]{{0,20}}>
    | <(?P<element>cite|citation|source|footnote|fn|fnref|doc)\b[^<>]{{0,200}}>\s?
      (?:\[?{_MARKS}\]?|{_FILE})\s?</(?P=element)>
    | \((?:sources?|references?|ref\.?)\s?:[^()\n]{{1,120}}\)
    | \((?:(?:see|cf\.?|from|in)\s)?(?:{_FILE}|{_PLACE})\)
    | \((?:(?:see|cf\.?|from|in|sources?:)\s)?{_LINK}\)
    | \[(?:{_FILE}|source|link|ref(?:erence)?|\d{{1,3}})\]\([^()\s]{{1,500}}\)
    """
"""Marks that tell by their form (with ``re.VERBOSE``; the group ``element`` is its own)."""
_RAISED = r"(?<=\S)[⁰¹²³⁴-⁹]{1,3}(?:[,⁻–-][⁰¹²³⁴-⁹]{1,3}){0,9}"
"""Raised figures; :func:`_is_exponent` tells those that belong to what stands before them."""
_NUMBER = r"(?<=\s)\(\d{1,2}(?:\s?[,–-]\s?\d{1,2}){0,9}\)(?=[ \t]*(?:[.,;:!?]|$))"
"""``(1)`` before a stop; :func:`_is_part_of_number` tells those that belong to what stands before them."""

_WORD_BEFORE = compiled_later(r"[^\W\d_]+$")
_FIGURE_BEFORE = compiled_later(r"\d[\d.,]*$")
_YEAR = compiled_later(r"(?:1[0-9]|20)\d\d")
_LONGEST = 40
_SHORTEST_WORD = 3
_POWERS = frozenset("²³")
_NUMBERED = lexicon("""
    section sections article articles paragraph clause rule rules class category group type level stage step option
    item point phase note table figure fig part chapter schedule annex appendix equation no number act
    """)
"""What ``(2)`` numbers behind it, also behind a figure: ``section 5 (2)``."""


def _is_exponent(text: str, at: int, raised: str) -> bool:
    """Whether raised figures at ``at`` are an exponent of what stands before them: a figure, a unit, a variable.

    >>> _is_exponent("420 m²", 5, "²"), _is_exponent("has 23 locks⁴", 12, "⁴"), _is_exponent("in 1872¹", 7, "¹")
    (True, False, False)
    """
    before = text[max(0, at - _LONGEST) : at]
    if before.endswith(("⁻", "^", "⁺")):
        return True
    if figure := _FIGURE_BEFORE.search(before):
        return figure[0][-1].isdigit() and not _YEAR.fullmatch(figure[0])
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    unit = any(one.dimension == "length" for one in units().get(word[0], ()))
    return len(word[0]) < _SHORTEST_WORD or (unit and raised in _POWERS)


def _is_part_of_number(text: str, at: int) -> bool:
    """Whether a number in brackets at ``at`` belongs to what stands before it: ``thirty (30)``, ``section 5 (2)``."""
    words = text[max(0, at - _LONGEST) : at].lower().split()[-2:]
    last = words[-1].strip(".,;") if words else ""
    return last in NUMBER_WORDS or last in _NUMBERED or (last[-1:].isdigit() and words[0] in _NUMBERED)


# -- blanking --------------------------------------------------------------------------------------------------

_BLOCK_START = compiled_later(
    r"""\A[ \t]*
    (?:(?: > | \#{1,6}(?=\s) | [-*+•‣◦▪●○■□·∙⁃–](?=\s) | \(?\d{1,3}[.)](?=\s) | \(?[A-Za-z]\)(?=\s)
    | \[[ xX]\](?=\s))[ \t]*)+""",
    re.VERBOSE,
)
_QUOTE_START = compiled_later(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_RULE_LINE = compiled_later(r"^[ \t]*(?:[-=*_~`][ \t]*){3,}$", re.MULTILINE)
_EMOJI = (
    "(?:[\u2600-\u2604\u2607-\u2610\u2614-\u2704\u2706-\u2712\u2719-\u274b\u274f-\u27bf\U0001f300-\U0001f44c"
    "\U0001f44f-\U0001f51e\U0001f530-\U0001faff][\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]{0,3}+)"
)
"""Pictures that only decorate. Ticks, crosses, stars, thumbs and numbers in a circle say something, and stay."""
_INLINE = compiled_later(
    rf"""
      (?P<source>{CITATION})
    | (?P<raised>{_RAISED}) | (?P<number>{_NUMBER})
    | (?P<citation>^\[\^[\w-]{{1,40}}\]:                                 # [^note]: before what it says
        |\[(?:\^?\d{{1,4}}(?:\s?[,–-]\s?\d{{1,4}}){{0,9}}|\^[\w-]{{1,40}})\](?!\())   # [1], [^note], [3, 4]
    | (?P<opener>!?\[(?=[^\[\]\n]{{1,300}}\]\())                        # of [text](target)
    | (?P<closer>(?<!\[)\]\((?:[^()\n]|\([^()\n]{{0,200}}\)){{0,1000}}\))
    | (?P<struck>{STRUCK.pattern})
    | (?P<tag>(?!(?<=`){TAG}`){TAG})
    | (?P<space>&(?:nbsp|thinsp|ensp|emsp|\#160);) | (?P<ampersand>(?<=&)amp;)
    | (?P<emoji>{_EMOJI}(?:\s*{_EMOJI}){{0,20}}(?=[.!?…]{{1,9}}\s|[.!?…]{{0,9}}[ \t]*$)
        |(?:(?<=[.!?…])|(?<=[.!?…][ \t])|\A){_EMOJI}+)
    | (?P<autolink><(?=https?://[^<>\s]{{1,500}}>)|(?<=\S)(?<!-)>(?=\s|$|[.,;:!?)]))
    | (?P<escape>\\(?=[\\`*_{{}}\[\]()#+.!|<>~-]))
    | (?P<code>`+)
    | (?P<strike>~~)
    | (?P<stars>(?<!\\)\*+)
    | (?P<underscores>(?<![^\W_])_{{1,3}}(?=[^\W_])|(?<=[^\W_.!?])_{{1,3}}(?![^\W_])|(?<=[.!?)])_{{1,3}}(?![^\W_]))
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def blank_markup(text: str, *, listed: bool) -> str:
    """Replace markup characters by spaces, one for one.

    Args:
        text: whole lines of a response.
        listed: whether a list marker, heading mark or task box at the very start is markup; without it only
            the ``>`` of quotations is, so that a paragraph that happens to begin with ``12.`` keeps it.

    Struck-out words go, which are taken back. Link targets, HTML tags, marks of sources (``[1]``,
    ``(source: plans.md)``), emphasis and code marks go; what they mark stays. The spaces inside a mark of a source
    become tabs, so that it is seen to be one mark. A star between digits or spaces is a multiplication and stays.

    >>> blank_markup("- **Price**: [4 EUR](http://a.b/c) [1]", listed=True)
    '    Price  :  4 EUR                   '
    """
    blanked = _BLOCK_START.sub(_blank, text) if listed else text
    blanked = _QUOTE_START.sub(_blank, blanked)
    blanked = _RULE_LINE.sub(_blank, blanked)
    return _INLINE.sub(_blank_inline, blanked)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"\S", " ", match[0])


def _blank_inline(match: re.Match[str]) -> str:
    text = match.string
    if match["stars"]:
        before = text[match.start() - 1 : match.start()]
        after = text[match.end() : match.end() + 1]
        if (not before.strip() and not after.strip()) or (before.isdigit() and after.isdigit()):
            return match[0]
    if match["autolink"] == ">" and "<http" not in text[max(0, match.start() - 520) : match.start()]:
        return match[0]
    if (match["raised"] and _is_exponent(text, match.start(), match["raised"])) or (
        match["number"] and _is_part_of_number(text, match.start())
    ):
        return match[0]
    if any(match[kind] for kind in ("source", "citation", "raised", "number")):
        return re.sub(r"\S| ", lambda mark: "\t" if mark[0] == " " else " ", match[0])
    return _blank(match)


# -- quoting ---------------------------------------------------------------------------------------------------

_WIDE_SPACE = compiled_later(r"\s{2,}|[^\S ]")
"""White space that is not one space: a broken line, a tab, two words far apart."""


def quote_claim(
    response: str, blanked: str, offset: int, start: int, end: int, edits: list[Replacement]
) -> Claim:
    """Quote ``response[start:end]`` and read it without its markup and with single spaces.

    Args:
        response: the whole response.
        blanked: a stretch of it with its markup blanked out, one space for one character.
        offset: where that stretch begins in the response.
        start, end: the span of the claim, in the response.
        edits: replacements of the caller's, in the response, not overlapping; where one overlaps markup, the
            edit wins.
    """
    taken = [(first, last) for first, last, _ in edits if first < last]
    chosen = list(edits)
    for first, last in _blanked_runs(response, blanked, offset, start, end):
        if not any(a < last and first < b for a, b in taken):
            chosen.append((first, last, _gap_filler(response, first, last, start, end)))
    taken = [(first, last) for first, last, _ in chosen]
    chosen += (
        (*gap.span(), " ")
        for gap in _WIDE_SPACE.finditer(response, start, end)
        if not any(a <= gap.end() and gap.start() <= b for a, b in taken)
    )
    chosen.sort(key=lambda edit: (edit[0], edit[1]))
    substitutions = tuple(Substitution(first - start, last - start, new) for first, last, new in chosen)
    return Claim(response[start:end], start, end, substitutions)


def _blanked_runs(response: str, blanked: str, offset: int, start: int, end: int) -> list[tuple[int, int]]:
    """Maximal stretches of markup inside the span, with the space that only separated them from the text."""
    runs: list[tuple[int, int]] = []
    at = start
    while at < end:
        if blanked[at - offset] != response[at]:
            first = at
            while at < end and (
                blanked[at - offset] != response[at]
                or (response[at].isspace() and _inside_tag(response, first, at))
            ):
                at += 1
            runs.append((first, at))
        else:
            at += 1
    return [_with_space(response, first, last, start, end) for first, last in runs]


def _inside_tag(response: str, first: int, at: int) -> bool:
    """Whether a run of markup is in the middle of a tag, whose own spaces look like blanked ones."""
    return response.rfind("<", first, at) > response.rfind(">", first, at)


def _with_space(response: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    if first == start:
        while last < end and response[last].isspace():
            last += 1
    elif last == end or response[last] in ".,;:!?)" or (response[last] == " " and response[first - 1] == " "):
        while first > start and response[first - 1].isspace():
            first -= 1
    return first, last


def _gap_filler(response: str, first: int, last: int, start: int, end: int) -> str:
    """A line break or space written as a tag or entity (``a<br>b``, ``30&nbsp;days``) keeps two words apart."""
    inside = start < first and last < end
    tag = "<" in response[first:last] or response[first] == "&"
    return " " if inside and tag and response[first - 1].isalnum() and response[last].isalnum() else ""


# -- tables ----------------------------------------------------------------------------------------------------

_PIPE = compiled_later(r"(?<!\\)\|")
_QUOTE = compiled_later(r"[ \t]*(?:>[ \t]?)*")
_NO_COLUMN = lexicon("value values detail details description information info data answer figure figures")
"""Names of columns that say nothing of what stands in them."""
_BLANK = lexicon("n/a na tbd tba")
_TICKS = {
    "✓": "yes",
    "✔": "yes",
    "✅": "yes",
    "☑": "yes",
    "✗": "no",
    "✘": "no",
    "❌": "no",
    "✕": "no",
    "×": "no",
}


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Half-open spans of the cells of one row, trimmed; an empty cell has an empty span.

    >>> row = "| Standard | 4.90 EUR |"
    >>> [row[start:end] for start, end in cell_spans(row)]
    ['Standard', '4.90 EUR']
    """
    quote = _QUOTE.match(row)
    begin = quote.end() if quote else 0
    pipes = [match.start() for match in _PIPE.finditer(row, begin)]
    bounds = [begin - 1, *pipes, len(row)]
    cells = [trimmed(row, left + 1, right) for left, right in pairwise(bounds)]
    if pipes and not row[begin : pipes[0]].strip():
        cells = cells[1:]
    if pipes and not row[pipes[-1] + 1 :].strip():
        cells = cells[:-1]
    return cells


def cell_value(text: str) -> str:
    """What a cell says: ticks and crosses as words; ``""`` where it holds no letter, digit or tick.

    >>> cell_value("✅"), cell_value("—"), cell_value("4.90")
    ('yes', '', '4.90')
    """
    plain = text.strip().rstrip("\ufe0f")
    if plain in _TICKS:
        return _TICKS[plain]
    return plain if any(map(str.isalnum, plain)) and plain.lower() not in _BLANK else ""


class CellStatement(NamedTuple):
    """What one cell of a row says: ``row[start:end]`` is quoted, the cell's own words begin at ``at``."""

    start: int
    at: int
    end: int
    reading: str
    value: str


def cell_texts(row: str) -> list[str]:
    """The cells of a row without markup.

    >>> cell_texts("| **Plan** | Price |")
    ['Plan', 'Price']
    """
    return [" ".join(blank_markup(row[slice(*cell)], listed=False).split()) for cell in cell_spans(row)]


def row_key(row: str, above: str) -> str:
    """What a row is about: its first cell; that of the row ``above`` where the first of several cells is empty."""
    texts = [cell_value(text) for text in cell_texts(row)]
    inherits = len(texts) > 1 and not texts[0] and bool(above)
    return above if inherits else next(filter(None, texts), "")


def cell_statements(row: str, headers: Sequence[str], key: str = "") -> Iterator[CellStatement]:
    """One for each filled cell behind the first one, which names what the row is about unless a ``key`` does.

    >>> [cell.reading for cell in cell_statements("| Basic | 5 EUR | |", ["Plan", "Price", "Users"])]
    ['Basic, Price: 5 EUR']
    >>> [cell.reading for cell in cell_statements("| Height | 175 m |", ["Metric", "Value"])]
    ['Height: 175 m']
    """
    cells = cell_spans(row)
    values = [cell_value(text) for text in cell_texts(row)]
    filled = [number for number, value in enumerate(values) if value]
    told = filled if key and not values[0] else filled[1:] or filled
    key = key or values[filled[0]] if filled else ""
    start = 0
    for position in told:
        end = len(row) if position == filled[-1] else cells[position][1]
        column = headers[position] if position < len(headers) else ""
        yield CellStatement(
            start, cells[position][0], end, _reading(key, column, values[position]), values[position]
        )
        start = end + len(row[end:]) - len(row[end:].lstrip())


def _reading(key: str, column: str, value: str) -> str:
    if column.lower() in _NO_COLUMN:
        return value if key == value else f"{key}: {value}"
    text = f"{column}: {value}" if column else value
    return text if key == value else f"{key}, {text}"


def widen_to_markup(source: str, contents: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen sentence spans so that all markup between them belongs to one: closing marks to the left one."""
    spans = [list(content) for content in contents]
    spans[0][0] = 0
    spans[-1][1] = len(source)
    for left, right in pairwise(spans):
        gap = source[left[1] : right[0]]
        closing = next((at for at, mark in enumerate(gap) if mark.isspace()), len(gap))
        rest = gap[closing:]
        left[1] += closing
        right[0] -= len(rest.lstrip())
    return [(start, end) for start, end in spans]


def cell_claim(original: str, response: str, offset: int, cell: CellStatement) -> Claim:
    """The claim of a cell in the row at ``offset``: it quotes the row up to the cell.

    The cell's own words stay where they are, so that findings map back. ``response`` is the ``original`` with its HTML
    blanked.
    """
    start, at, end = offset + cell.start, offset + cell.at, offset + cell.end
    reading, value = cell.reading, cell.value
    quoted = response[at:end]
    edits: list[Replacement] = [(start, end, reading)]
    if quoted.startswith(value) and reading.endswith(value):
        edits = [(start, at, reading[: len(reading) - len(value)])]
        if at + len(value) < end:
            edits.append((at + len(value), end, ""))
    return quote_claim(original, original[start:end], start, start, end, edits)
