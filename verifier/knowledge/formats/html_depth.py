"""Refuse pages that nest too deep for a parser, before one is asked."""

from __future__ import annotations

import re

from verifier.core.errors import IngestError

__all__ = ["check_depth"]

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_VOID = frozenset(
    (
        *(
            "area",
            "base",
            "br",
            "col",
            "embed",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "param",
            "source",
            "track",
        ),
        *("wbr", "!doctype"),
    )
)
"""Elements that hold nothing."""
_CLOSED_BY_OTHERS = frozenset(
    (
        *("colgroup", "dd", "dt", "li", "optgroup", "option", "p", "rp", "rt", "tbody", "td", "tfoot", "th"),
        *("thead", "tr"),
    )
)
"""Elements that mostly have no end tag, since the next one ends them."""
_INLINE = frozenset(
    (
        *(
            "a",
            "abbr",
            "b",
            "big",
            "cite",
            "code",
            "del",
            "dfn",
            "em",
            "font",
            "i",
            "ins",
            "kbd",
            "label",
            "mark",
        ),
        *("nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var"),
    )
)
"""Elements for which a parser looks at none that are open."""
_LONG_TAG = re.compile(r"<[a-zA-Z][^>]{50000,}")
_QUOTED = re.compile("\"[^\"]*\"|'[^']*'")
_MOST_ATTRIBUTES = 5_000
_MOST_STEPS = 500_000_000
"""For each start tag a parser looks through the elements that are open: it takes some seconds for so many."""


def check_depth(page: str) -> None:
    """Refuse a page that a parser would take minutes for.

    Raises:
        IngestError: its tags nest too deep, or one has too many attributes.
    """
    for tag in _LONG_TAG.finditer(page):
        if len(_QUOTED.sub("", tag[0]).split()) > _MOST_ATTRIBUTES:
            raise IngestError(f"a tag with more than {_MOST_ATTRIBUTES} attributes")
    depth = steps = deepest = 0
    for found in _TAG.finditer(page):
        name = found[2].lower()
        if name in _VOID:
            continue
        if name not in _CLOSED_BY_OTHERS:
            depth = max(depth - 1, 0) if found[1] else depth + 1
            deepest = max(deepest, depth)
        steps += 0 if name in _INLINE else depth
        if steps > _MOST_STEPS:
            raise IngestError(f"its tags nest too deep ({deepest} levels)")
