"""A stretch of a claim goes in, the edits that make an affirmation of each denial in it come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from verifier_signals.lexicon import common_words, verb_of
from verifier_signals.polarity.items import without_prefix

from verifier.core.lexicon import table_rows

__all__ = ["BREAK", "OTHER", "Edit", "denials_in", "not_denied"]

OTHER = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nobody|nothing|nowhere|cannot|unless|hardly|scarcely"
    r"|untrue|false|incorrect|inaccurate|wrong)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words that deny, whatever is behind them."""
BREAK = re.compile(r"[;:]|,? (?:but|while|whereas|because|although|unless) ")
"""Where a clause ends that a negation reaches into."""
_DENIAL = re.compile(
    r"\b(?:(?:(?P<aux>\w+) )?(?P<not>not|never)\b ?|(?P<cannot>cannot)\b|(?P<short>\w+)n['’]t\b"
    r"|(?P<escape>(?:can|could|may|might) (?:avoid|escape) (?P<gerund>\w+ing))\b"
    r"|(?P<fail>fail(?:s|ed|ing)? to)(?= [^\W\d_])"
    r"|(?P<without>without)\b"
    r"|(?P<none>none of|nobody|no one|nothing|no(?= [^\W\d_]))\b"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?))",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"(?:only|just|merely|longer|more|less|fewer|later|earlier|matter|doubt)\b", re.IGNORECASE
)
"""What follows a word that denies otherwise: ``not only``."""
_LINKING = re.compile(
    r"\b(?:be|is|are|was|were|been|become|becomes|became|seems?|looks?|called|considered|deemed|found|left"
    r"|(?P<stay>(?:go(?:es|ne)?|went|remain(?:s|ed)?|stay(?:s|ed)?) )|not|never|\w+n['’]t) ?(?:at all |ever |quite )?$",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:no|an?|the|any|its|their|of)\s+$", re.IGNORECASE)
"""What stands before a noun, and not before a verb."""
_BEING = {"go": "be", "goes": "is", "went": "was", "gone": "been"} | {
    verb + ending: being
    for verb in ("remain", "stay")
    for ending, being in (("", "be"), ("s", "is"), ("ed", "was"))
}
_SOME = {
    "none of": "some of",
    "nobody": "somebody",
    "no one": "somebody",
    "nothing": "something",
    "no": "some",
}
_PERFECT = re.compile(r"\b(?:has|have|had|having)(?:n['’]t)? (?:(?:not|never|always) )?$", re.IGNORECASE)
_SHORT = {"wo": "will", "ca": "can", "sha": "shall"}
_MODAL = re.compile(
    r"\b(?:can|cannot|could|may|might|must|allowed|permitted|possible|able)\b|\bcan['’]t\b", re.IGNORECASE
)


class Edit(NamedTuple):
    """``text[start:end]`` is read as ``new``."""

    start: int
    end: int
    new: str


def denials_in(
    text: str, begin: int, end: int, *, quantified: bool = False, sweeping: bool = False
) -> list[Edit]:
    """The denials of a stretch, each as the edit that takes it away.

    Args:
        quantified: read ``no`` and its like as denials, too, which become ``some``.
        sweeping: what is said is denied of everything before, so that ``without`` becomes ``only with`` where
            something may be.
    """
    found = []
    for match in _DENIAL.finditer(text, begin, end):
        if _NO_DENIAL.match(text, match.end() + (text[match.end() : match.end() + 1] == " ")):
            continue
        if match["not"] or match["cannot"] or match["short"]:
            found.append(not_denied(match))
        elif match["escape"]:
            verb = verb_of(match["gerund"].casefold())
            found.extend([Edit(*match.span(), f"must {verb.lemma}")] if verb else [])
        elif match["fail"]:
            found.append(_not_failing(text, match))
        elif match["without"]:
            limited = sweeping and _MODAL.search(text, 0, match.start())
            found.append(Edit(*match.span(), "only with" if limited else "with"))
        elif match["none"]:
            found.extend([Edit(*match.span(), _SOME[match["none"].casefold()])] if quantified else [])
        else:
            found.extend(_of_word(text, begin, match))
    return found


def not_denied(match: re.Match[str]) -> Edit:
    """A negated auxiliary without its negation; ``never`` becomes ``always``."""
    if match["cannot"]:
        return Edit(*match.span(), "can")
    if match["short"]:
        stem = match["short"]
        return Edit(*match.span(), _SHORT.get(stem.casefold(), stem))
    start, end = match.start("not"), match.end()
    return Edit(start, end, "always " if match["not"].casefold() == "never" else "")


def _not_failing(text: str, match: re.Match[str]) -> Edit:
    """``has failed to`` becomes ``has managed to``, ``fails to`` goes."""
    form = match["fail"].split()[0].casefold()
    if _PERFECT.search(text, 0, match.start()):
        return Edit(*match.span(), "managed to")
    return Edit(*match.span(), {"fails": "does", "failed": "did", "failing": "managing to"}.get(form, "do"))


def _of_word(text: str, begin: int, match: re.Match[str]) -> Iterator[Edit]:
    """A word that denies by itself: one of the table, or one with a denying prefix behind a verb that links."""
    low = match["word"].casefold()
    listed = _affirmations().get(low)
    if listed is not None and not listed.linked:
        if not _NOUN.search(text, 0, match.start("word")):
            yield Edit(*match.span("word"), listed.affirmed)
        return
    base = _affirmed(low) if listed is None else listed.affirmed
    link = _LINKING.search(text, max(begin - 20, 0), match.start("word")) if base else None
    if base is None or link is None:
        return
    stay = link["stay"]
    if stay:
        yield Edit(link.start("stay"), match.end("word"), f"{_BEING[stay.strip().casefold()]} {base}")
    else:
        yield Edit(*match.span("word"), base)


@lru_cache(maxsize=4096)
def _affirmed(low: str) -> str | None:
    """The word without its denying prefix: ``unsuitable``, ``non-refundable``, ``uninspected``."""
    base = without_prefix(low)
    if base is None and low.startswith("un") and len(low) > 5:
        verb = verb_of(low[2:])
        base = low[2:] if verb is not None and verb.form == "past" else None
    return base if base is None or base in common_words() or verb_of(base) or low.startswith("non") else None


class _Listed(NamedTuple):
    """What is so where a word is denied, and whether the word does so only behind a verb such as ``be``."""

    affirmed: str
    linked: bool


@cache
def _affirmations() -> Mapping[str, _Listed]:
    return {
        word: _Listed(affirmed, linked == "be")
        for words, affirmed, linked in table_rows("verifier.verification.claims", "denying.tsv")
        for word in words.split(", ")
    }
