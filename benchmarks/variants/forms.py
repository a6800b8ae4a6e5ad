"""Responses that say the same as a claim in another form: none may change its verdict.

``EXACT`` holds the kinds that differ from the claim only in what ``verifier.core.text.normalise`` folds, or in what
stands around it: they are pinned at zero violations. ``LOOSE`` holds the kinds in which the text that is read differs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from benchmarks.variants.types import Form, Given, whole
from verifier.core.lexicon import lexicon

__all__ = ["EXACT", "LOOSE"]

_FULL_WIDTH = str.maketrans({chr(ord("0") + n): chr(0xFF10 + n) for n in range(10)})
_LIGHT = lexicon("a an and as at but by for from in into is of on or than the to was were with")
_FUNCTION_HEADS = lexicon("the a an all in on at for no both some most each every there it")


def _changed(given: Given, *texts: str) -> Iterator[tuple[str, int, int]]:
    """The texts that differ from the claim as it stands."""
    for text in dict.fromkeys(texts):
        if text != given.text:
            yield whole(text)


def _spacing(given: Given) -> Iterator[tuple[str, int, int]]:
    """Doubled spaces, tabs, space around the claim, and a line broken before a word in small letters."""
    text = given.text
    breaks = [match.start() for match in re.finditer(r" (?=[a-z])", text)]
    at = given.random.choice(breaks) if breaks else None
    wrapped = text if at is None else f"{text[:at]}\n{text[at + 1 :]}"
    yield from _changed(given, text.replace(" ", "  "), wrapped, text.replace(" ", "\u2009"))
    yield f"\n\n  {text}  \n", 4, 4 + len(text)


def _unicode(given: Given) -> Iterator[tuple[str, int, int]]:
    """Decomposed accents, full-width digits, no-break spaces, soft hyphens, word joiners, a byte order mark."""
    text = given.text
    yield from _changed(
        given,
        unicodedata.normalize("NFD", text),
        text.translate(_FULL_WIDTH),
        text.replace(" ", "\u00a0"),
        re.sub(r"(?<=\d) ", "\u202f", text),
        re.sub(r"([a-z]{4})(?=[a-z]{3})", "\\1\u00ad", text),
        re.sub(r"(?<=[a-z])(?= )", "\u200b", text),
        "\ufeff" + text,
    )


def _quotes(given: Given) -> Iterator[tuple[str, int, int]]:
    """Straight quotes and apostrophes as curly ones, and the other way round."""
    text = given.text
    curly = re.sub(r'"([^"]*)"', "“\\1”", text).replace("'", "’")
    straight = text.translate(str.maketrans("‘’“”", "''\"\""))
    yield from _changed(given, curly, straight, text.replace("'", "ʼ"))


def _dashes(given: Given) -> Iterator[tuple[str, int, int]]:
    """Hyphens between letters as Unicode hyphens, the breaking and the no-break one; between digits as a dash."""
    text = given.text
    yield from _changed(
        given,
        re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", "\u2010", text),
        re.sub(r"(?<=\w)-(?=\w)", "\u2011", text),
        re.sub(r"(?<=\d)-(?=\d)", "\u2013", text),
    )


def _repeated(given: Given) -> Iterator[tuple[str, int, int]]:
    """The claim twice: in one paragraph, and in two. Each time the second one counts."""
    for gap in (" ", "\n\n"):
        start = len(given.text) + len(gap)
        yield given.text + gap + given.text, start, start + len(given.text)


def _surrounded(given: Given) -> Iterator[tuple[str, int, int]]:
    """Other claims around it, in one paragraph and in several."""
    if len(given.others) < 2:
        return
    for gap in (" ", "\n\n"):
        before, after = (other.text for other in given.random.sample(list(given.others), 2))
        start = len(before) + len(gap)
        yield gap.join((before, given.text, after)), start, start + len(given.text)


def _marked_up(given: Given) -> Iterator[tuple[str, int, int]]:
    """In bold type, as a quoted block, as an item of a list, below a title."""
    for before, after in (("**", "**"), ("> ", ""), ("- ", "\n"), ("# Notes\n\n", "")):
        yield before + given.text + after, len(before), len(before) + len(given.text)


def _ending(given: Given) -> Iterator[tuple[str, int, int]]:
    """Without a full stop, with an exclamation mark, with a space before the stop."""
    bare = given.text.rstrip(".")
    if bare.endswith(("!", "?", '"')):
        return
    yield from _changed(given, bare, f"{bare}!", f"{bare} .")


def _case(given: Given) -> Iterator[tuple[str, int, int]]:
    """In small letters where that loses no name or abbreviation, and in the capitals of a headline."""
    words = given.text.split()
    if given.text[1:].islower() and words[0].lower() in _FUNCTION_HEADS:
        yield from _changed(given, given.text.lower())
    units = {n for n, word in enumerate(words) if n and words[n - 1][-1].isdigit() and len(word) < 4}
    headline = [
        word if n in units or (n and word.lower() in _LIGHT) else word[:1].upper() + word[1:]
        for n, word in enumerate(words)
    ]
    yield from _changed(given, " ".join(headline))


def _split(given: Given) -> Iterator[tuple[str, int, int]]:
    """What a semicolon joins, as sentences of their own."""
    parts = given.text.split("; ")
    if len(parts) > 1:
        yield from _changed(given, ". ".join(part[:1].upper() + part[1:] for part in parts))


def _joined(given: Given) -> Iterator[tuple[str, int, int]]:
    """In one sentence with another claim of the same verdict, which the whole must then have too."""
    alike = [
        other
        for other in given.others
        if other.outcome == given.base.outcome and other.text.split()[0].lower() in _FUNCTION_HEADS
    ]
    if not alike or given.base.outcome == "skipped":
        return
    for joint in ("; ", ", and "):
        other = given.random.choice(alike).text
        yield whole(given.text.rstrip(".") + joint + other[:1].lower() + other[1:])


EXACT: Mapping[str, Form] = {
    "spacing": _spacing,
    "Unicode forms": _unicode,
    "quotes": _quotes,
    "dashes": _dashes,
    "repeated": _repeated,
    "other claims around it": _surrounded,
}
LOOSE: Mapping[str, Form] = {
    "markup": _marked_up,
    "end mark": _ending,
    "case": _case,
    "sentence split": _split,
    "sentences joined": _joined,
}
