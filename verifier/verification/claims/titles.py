"""A line in, as it is written; whether it is a title, of which rank, and whether it states something, out."""

from __future__ import annotations

import re

from verifier_signals.lexicon import verb_of
from verifier_signals.values import parse

from verifier.core.text import COLONS
from verifier.verification.claims.asserted import asserts_something
from verifier.verification.claims.fragments import bare_words
from verifier.verification.claims.lists import is_fragment
from verifier.verification.claims.sections import Lean, label_of, lean, read_title
from verifier.verification.claims.verbs import AUXILIARIES, tokens_of
from verifier.verification.claims.worth import states_figures

__all__ = ["asserts", "is_bold", "is_label", "is_line_title", "may_be_bold_title", "rank", "under"]

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


def rank(source: str) -> int:
    """The level of a heading that Markdown marks, in 1 to 6."""
    hashes = _HASHES.match(source)
    return len(hashes[1]) if hashes else 1


def is_bold(source: str) -> bool:
    """Whether a line, a bullet aside, consists of bold type."""
    bullet = _BULLET.match(source)
    return _BOLD_LINE.fullmatch(source[bullet.end() if bullet else 0 :].strip()) is not None


def under(source: str, below: str) -> bool:
    """Whether a line is underlined as a title; ``below`` is what stands under it."""
    return _UNDERLINED.fullmatch(source) is not None or _RULED.fullmatch(below.rstrip(" \t")) is not None


def may_be_bold_title(text: str) -> bool:
    """Whether a line in bold type is short and states nothing."""
    stopped = text.endswith(".") and bare_words(text) is None
    figures = states_figures(text) and not _NUMBERED_OR_DATED.fullmatch(text)
    return len(text) <= _LONGEST_BOLD and not stopped and not figures


def asserts(text: str) -> bool:
    """Whether a title is a sentence, outside of what reads like ``How refunds work``, or gives a measured value.

    >>> asserts("The warranty covers water damage"), asserts("Refunds and returns")
    (True, False)
    >>> asserts("Returns are free"), asserts("Basic plan (9 EUR a month)"), asserts("Step 2: 5 ways to save")
    (True, True, False)
    >>> asserts("Opening hours: 9–17"), asserts("History: 1990–1999"), asserts("Chapter: 3")
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
        or (states_figures(text) and not is_fragment(text))
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
        and lean(bare) is Lean.LABEL
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
    if title is None or lean(below) is None or not is_label(bare):
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
