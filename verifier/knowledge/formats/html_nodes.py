"""The nodes of a page that a browser shows, their text, and what is crossed out or bold in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

__all__ = [
    "BLOCKS",
    "HEADINGS",
    "STRUCK_MARKS",
    "crossed_out",
    "flat_text",
    "hidden",
    "is_bold",
    "is_heavy",
    "is_struck",
    "raised",
    "tidy",
    "walk",
]

_DROPPED = frozenset(
    (
        *("audio", "button", "canvas", "head", "iframe", "math", "nav", "noscript", "object", "script"),
        *("select", "style", "svg", "template", "video"),
    )
)
BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
        ),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr"),
        *("html", "legend", "li", "main", "menu", "ol", "p", "section", "summary", "ul"),
    )
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
STRUCK_MARKS = ("\ufdd0", "\ufdd1")
"""What stands around crossed-out text while a page is read: code points that no text has."""

_STRUCK = frozenset({"s", "strike", "del"})
_DISPLAY_NONE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LINE_THROUGH = re.compile(r"text-decoration(?:-line)?\s*:[^;]*\bline-through\b", re.IGNORECASE)
_HEAVY = re.compile(r"font-weight\s*:\s*(?:bold|bolder|[6-9]00)\b", re.IGNORECASE)
_TIDY = str.maketrans({"\u00a0": " ", "\u00ad": None, "\u200b": None, "\ufeff": None})
_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_OPEN, _CLOSE = STRUCK_MARKS
_APART = re.compile(rf"{_CLOSE}([ \t]*){_OPEN}")
_MARKED = re.compile(rf"{_OPEN}([ \t]*)([^{_OPEN}{_CLOSE}]*?)([ \t]*){_CLOSE}")


def walk(
    root: LexborNode, opaque: Callable[[LexborNode], bool] = lambda _: False
) -> Iterator[tuple[LexborNode, bool]]:
    """Visible nodes below ``root``, entering and leaving; no recursion, because pages nest without limit."""
    depth, node = 0, root.child
    while node is not None:
        visible = node.is_text_node or (node.is_element_node and not hidden(node))
        if visible:
            yield node, True
            if node.child is not None and not opaque(node):
                depth, node = depth + 1, node.child
                continue
            if node.is_element_node:
                yield node, False
        while node is not None and node.next is None:
            depth, node = depth - 1, node.parent
            if depth < 0 or node is None:
                return
            yield node, False
        node = node.next


def hidden(node: LexborNode) -> bool:
    """Whether a browser does not show an element, or it is no part of the page's text."""
    attributes = node.attributes
    style = attributes.get("style")
    return node.tag in _DROPPED or "hidden" in attributes or bool(style and _DISPLAY_NONE.search(style))


def is_struck(node: LexborNode) -> bool:
    """Whether an element crosses out what is in it."""
    return node.is_element_node and (
        node.tag in _STRUCK or bool(_LINE_THROUGH.search(node.attributes.get("style") or ""))
    )


def is_heavy(node: LexborNode) -> bool:
    """Whether an element sets what is in it in bold type."""
    if not node.is_element_node:
        return False
    return node.tag in ("b", "strong") or bool(_HEAVY.search(node.attributes.get("style") or ""))


def is_bold(root: LexborNode) -> bool:
    """Whether all text of a node is in bold type, and it has some."""
    heavy, any_text = int(is_heavy(root)), False
    for node, entering in walk(root):
        if is_heavy(node):
            heavy += 1 if entering else -1
        elif node.is_text_node and entering and (node.text(deep=False) or "").strip():
            if not heavy:
                return False
            any_text = True
    return any_text


def crossed_out(text: str) -> str:
    """Text with crossed-out stretches between ``~~``, as Markdown has them, in place of their marks.

    >>> crossed_out(f"The fine is {STRUCK_MARKS[0]}EUR 50 {STRUCK_MARKS[1]}EUR 80.")
    'The fine is ~~EUR 50~~ EUR 80.'
    """
    if _OPEN not in text:
        return text
    text = _APART.sub(r"\1", text)
    return _MARKED.sub(lambda found: f"{found[1]}~~{found[2]}~~{found[3]}" if found[2] else found[1], text)


def tidy(text: str) -> str:
    """Text with ordinary spaces and without soft hyphens and marks of no width."""
    return text.translate(_TIDY)


def flat_text(root: LexborNode, without: Iterable[LexborNode] = ()) -> str:
    """The visible text of a heading or cell, on one line.

    Args:
        root: the node.
        without: nodes below it that are left out.
    """
    left_out = {node.mem_id for node in without}
    parts: list[str] = []
    struck = 0
    for node, entering in walk(root, lambda node: node.tag == "sup" or node.mem_id in left_out):
        struck += (1 if entering else -1) if is_struck(node) else 0
        if node.mem_id in left_out:
            parts.append(" ")
        elif node.is_text_node:
            text = node.text(deep=False) or ""
            parts.append(f"{_OPEN}{text}{_CLOSE}" if struck and text.strip() else text)
        elif node.tag == "sup":
            parts.append(raised(node.text() or "") if entering else "")
        elif node.tag in BLOCKS or node.tag in HEADINGS or node.tag in ("br", "td", "th", "tr", "pre"):
            parts.append(" ")
    return crossed_out(" ".join(tidy("".join(parts)).split()))


def raised(text: str) -> str:
    """Raised digits as such, so that neither a power nor a mark of a footnote joins a number."""
    text = text.strip()
    made = text.translate(_RAISED)
    changed = all(before != after for before, after in zip(text, made, strict=True))
    return made if changed else f" {text} "
