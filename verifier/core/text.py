"""Leaf helpers over text, with code-point offsets: sentences, words, the folded form, script and language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from verifier.core.language import foreign_language
from verifier.core.patterns import compiled_later
from verifier.core.sentences import MAX_SENTENCE, sentence_spans

__all__ = [
    "COLONS",
    "LIST_ITEM",
    "LONE_SURROGATE",
    "MAX_SENTENCE",
    "Folded",
    "blanked",
    "folded",
    "foreign_language",
    "has_lone_surrogate",
    "normalise",
    "plain",
    "sentence_spans",
    "trimmed",
    "unreadable",
    "unreadable_script",
    "words",
]

LONE_SURROGATE = "the text holds half a surrogate pair, which no text can"

COLONS = (":", "：")
"""What a line ends with that leads into the next one."""

LIST_ITEM = compiled_later(r"^[ \t]*(?:[-*+•‣◦–]|\(?\d{1,3}[.)])[ \t]+(?=\S)", re.MULTILINE)
"""The bullet or number that begins an item of a list, with the white space around it."""

_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u20d0-\u20f0"
_INDIC = "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e"
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Kana and Han: scripts written without spaces, where each character counts as a word."""
_LETTER = rf"(?:[^\W_{_UNSPACED}]|[{_MARKS}{_INDIC}])"
_WORD = compiled_later(
    rf"[{_UNSPACED}][{_MARKS}]*+"
    r"|\b(?:[A-Za-z]\.){2,}+(?!\w)"
    rf"|{_LETTER}++(?:(?:['’_]|(?<=\d)[.,:/](?=\d)|(?<!\d)[-‐‑]|(?<=\d)[-‐‑](?!\d)|(?<=\d)\.(?=\d)){_LETTER}++)*+"
)

_WITHOUT_WIDTH = "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u061c\u200e\u200f" + "".join(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
_FOLDED_MARKS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼʹ′`´＇", "'"),
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        **dict.fromkeys(_WITHOUT_WIDTH, None),
    }
)
_KEPT_MARKS = "′″`–—―…\u00b5"
"""Primes measure, a backtick marks code, a long dash sets apart, and the micro sign is what unit tables list."""
_PLAIN_MARKS = {code: new for code, new in _FOLDED_MARKS.items() if chr(code) not in _KEPT_MARKS}
_BEFORE_A_WORD = compiled_later(rf"[{_WITHOUT_WIDTH}]*+[^\W_]")
_CLUSTER = compiled_later(
    rf"\s++|[\x00-\x7f](?![{_MARKS}])|.(?:[{_MARKS}{_INDIC}\u1160-\u11ff\u3099\u309a])*+", re.DOTALL
)

_SPACES = compiled_later(r"\s+")
_LONG_RUN = 32
"""Code points from which a cluster is looked at before it is remembered: no run of white space is."""

_UNREADABLE_SHARE = 0.3
_LONE_SYMBOLS = 3
"""Fewer foreign letters than this are symbols (``50 µg``, ``Ω``), not a language."""
_LETTERS_PER_UNSPACED = 3
"""A Han or kana character says about as much as three Latin letters, so it weighs as much."""


_SCRIPT_PHRASES = {
    "Han": "Chinese characters",
    "Kana": "Japanese characters",
    "Hangul": "Korean characters",
}
"""What readers call a script, where that is not its name in the Unicode standard."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text made comparable, and the way back: ``source[slice(*folded.span(i, j))]`` became ``text[i:j]``.

    ``starts[i]`` and ``ends[i]`` are the half-open offsets in the source of what became ``text[i]``.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Carry a non-empty half-open span of ``text`` back into the source.

        Raises:
            ValueError: the span is empty or reaches outside ``text``.

        >>> normalise("It’s  ﬁne").span(5, 8)
        (6, 8)
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no such span: {start}-{end} of {len(self.text)} characters")
        return self.starts[start], self.ends[end - 1]


def has_lone_surrogate(text: str) -> bool:
    """Whether there is half a surrogate pair in it: a ``str`` can hold one, text in UTF-8 or UTF-16 cannot.

    >>> has_lone_surrogate("a\\ud83d"), has_lone_surrogate("a\\U0001f600")
    (True, False)
    """
    return any("\ud800" <= character <= "\udfff" for character in text)


def normalise(text: str) -> Folded:
    """Fold what does not change the meaning: case, Unicode forms, kinds of quote, dash and space.

    NFKC and case folding; runs of white space become one space; soft hyphens and zero-width characters
    vanish. Superscripts, subscripts and vulgar fractions stay as they are, because NFKC would make another
    number of them (``10²`` is not ``102``).

    >>> normalise("“Straße” – ２０ %").text
    '"strasse" - 20 %'
    """
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        made = _folded_cluster(match[0])
        out.append(made)
        starts.extend([match.start()] * len(made))
        ends.extend([match.end()] * len(made))
    return Folded("".join(out), tuple(starts), tuple(ends))


def folded(text: str) -> str:
    """The text of :func:`normalise`, several times as fast.

    >>> folded("“Straße” – ２０ %")
    '"strasse" - 20 %'
    """
    if text.isascii():
        return _SPACES.sub(" ", text).translate(_folds_of_ascii())
    return "".join(map(_folded_cluster, _CLUSTER.findall(text)))


def _folded_cluster(cluster: str) -> str:
    """The same of a letter with its marks, or of a run of white space."""
    return _fold(cluster) if len(cluster) < _LONG_RUN or not cluster.isspace() else " "


@cache
def _folds_of_ascii() -> dict[int, str]:
    return {code: _fold(chr(code)) for code in range(128)}


def plain(text: str) -> Folded:
    """Set a text plainly: one form for what differs in typography alone, with case and lines kept.

    Straight quotes and apostrophes, hyphens of one kind, ordinary spaces, composed accents, digits and letters of
    ordinary width. Soft hyphens and other characters without a width vanish into the one before them, so that
    spans carried back cover the whole source; amid white space they stay.

    >>> plain("“Ａ\u00adnn” 5–10\u00a0km").text
    '"Ann" 5-10 km'
    """
    pieces: list[tuple[str, int, int]] = []
    begun = 0
    for start, end in _clusters(text):
        new = _set_plainly(text[start:end])
        after_word = bool(pieces) and not pieces[-1][0].isspace()
        if new == "–" and after_word and pieces[-1][0].isalnum() and _BEFORE_A_WORD.match(text, end):
            new = "-"
        if not new and after_word:
            pieces[-1] = (pieces[-1][0], pieces[-1][1], end)
        elif not new:
            continue
        elif new.isspace() and begun < start:
            pieces += [(text[begun:start], begun, start), (new, start, end)]
        else:
            pieces.append((new, begun, end))
        begun = end
    if begun < len(text):
        pieces.append((text[begun:], begun, len(text)))
    return Folded(
        "".join(new for new, _, _ in pieces),
        tuple(start for new, start, _ in pieces for _ in new),
        tuple(end for new, _, end in pieces for _ in new),
    )


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """A letter with its marks at a time; white space one character at a time."""
    for match in _CLUSTER.finditer(text):
        if match[0].isspace():
            yield from ((at, at + 1) for at in range(*match.span()))
        else:
            yield match.span()


@lru_cache(maxsize=8192)
def _set_plainly(cluster: str) -> str:
    if cluster.isspace():
        return " " if unicodedata.category(cluster) == "Zs" else cluster
    if cluster.isascii() or cluster in _KEPT_MARKS:
        return cluster
    if unicodedata.decomposition(cluster[0]).startswith(("<super>", "<sub>", "<fraction>")):
        return cluster
    composed = unicodedata.normalize("NFKC", cluster.translate(_PLAIN_MARKS)).translate(_PLAIN_MARKS)
    return cluster if " " in composed else composed


@lru_cache(maxsize=8192)
def _fold(cluster: str) -> str:
    if cluster.isspace():
        return " "
    if unicodedata.decomposition(cluster[0]).startswith(("<super>", "<sub>", "<fraction>")):
        return cluster
    composed = unicodedata.normalize("NFKC", cluster.translate(_FOLDED_MARKS))
    folded = unicodedata.normalize("NFKC", composed.casefold()).translate(_FOLDED_MARKS)
    return " " if folded.isspace() else folded


def words(text: str) -> list[tuple[int, int]]:
    """The spans of the words of a text, in order.

    A number keeps its separators (``1,250.50``, ``12:30``), a word its apostrophes, inner hyphens and
    underscores, an abbreviation its periods (``U.S.``). A hyphen between digits separates (``5-10``). Each
    Han or kana character is a word.

    >>> text = "U.S. well-known firms' 1,250.50 in 5-10 days, v2.1.3"
    >>> [text[start:end] for start, end in words(text)]
    ['U.S.', 'well-known', 'firms', '1,250.50', 'in', '5', '10', 'days', 'v2.1.3']
    """
    return [match.span() for match in _WORD.finditer(text)]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The half-open span without white space at its ends; empty where it is blank."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with line breaks in the place of some spans, in whatever order; every offset stays.

    >>> blanked("one two three", [(8, 13), (4, 7)])
    'one \\n\\n\\n \\n\\n\\n\\n\\n'
    """
    out, at = [], 0
    for start, end in sorted(spans):
        if end > at:
            out += [text[at : max(at, start)], "\n" * (end - max(at, start))]
            at = end
    return "".join([*out, text[at:]])


def unreadable_script(text: str) -> str | None:
    """Name the script that keeps the embedded models from reading a text; they read Latin letters only.

    Returns:
        The commonest other script (``Han``, ``Cyrillic``, ``Arabic`` ...) where more than 30 % of the letters
        are not Latin (a Han or kana character weighs as three letters); else ``None``.

    >>> unreadable_script("退款期限为三十天。")
    'Han'
    >>> unreadable_script("Tokyo (東京) is the capital of Japan.") is None
    True
    """
    if text.isascii():
        return None
    weights: Counter[str] = Counter()
    for letter, count in Counter(text).items():
        if letter.isalpha():
            script = _script(letter)
            weights[script] += count * (_LETTERS_PER_UNSPACED if script in ("Han", "Kana") else 1)
    latin = weights.pop("Latin", 0)
    weights.pop("", None)
    foreign = sum(weights.values())
    if foreign < _LONE_SYMBOLS or foreign <= _UNREADABLE_SHARE * (foreign + latin):
        return None
    return max(weights, key=lambda script: (weights[script], script))


def unreadable(text: str) -> str | None:
    """What keeps the embedded models, which know English, from reading a text: its script or its language.

    Returns:
        A phrase fit for ``written in ..., which is not supported here``: ``German``, ``Chinese characters``,
        ``Cyrillic``; ``None`` for English and where nothing tells.

    >>> unreadable("退款期限为三十天。"), unreadable("Le remboursement est possible dans les 30 jours.")
    ('Chinese characters', 'French')
    """
    script = unreadable_script(text)
    if script is None:
        return foreign_language(text)
    if script == "Han" and any(_script(letter) == "Kana" for letter in set(text) if letter.isalpha()):
        script = "Kana"
    return _SCRIPT_PHRASES.get(script, script)


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """The script of one letter; ``""`` for letters that belong to none (modifiers)."""
    plain = unicodedata.normalize("NFKC", letter)[:1]
    name = unicodedata.name(plain, "UNNAMED LETTER")
    if "LATIN" in name:
        return "Latin"
    first = name.split()[0]
    if first == "MODIFIER":
        return ""
    return {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana"}.get(first, first.capitalize())
