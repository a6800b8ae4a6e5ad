"""A list's introduction and an item in; the item's context out (``The plan includes:`` + ``- parking``)."""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.verification.claims.verbs import finite_verb, is_base_form, is_verb_form, tokens_of

__all__ = ["is_fragment", "joins", "lead_in", "presented"]

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


def is_fragment(text: str) -> bool:
    """Whether a piece has no finite verb of its own, so that it asserts nothing by itself."""
    tokens = tokens_of(text)
    return finite_verb(text, tokens) is None


def joins(stem: str, item: str) -> bool:
    """Whether an item needs the introduction to say anything.

    >>> joins("The plan includes:", "parking"), joins("Key facts:", "Refunds take 30 days.")
    (True, False)
    """
    return is_fragment(item) or _runs_on(_bare(stem)) or _limits(stem)


def lead_in(stem: str) -> str:
    """What to put in front of an item.

    >>> lead_in("The plan includes the following:"), lead_in("Members get three things:")
    ('The plan includes ', 'Members get three things: ')
    """
    bare = _bare(stem)
    cut = _FOLLOWING.sub("", bare)
    return cut + (" " if cut and _runs_on(cut) else ": ")


def presented(stem: str) -> str:
    """What an introduction is of: ``Here are the prices of the Basic plan:`` only presents them.

    >>> presented("Here are the prices:"), presented("The plan includes:")
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
