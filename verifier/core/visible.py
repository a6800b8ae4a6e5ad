r"""Write out whatever in a text of others could steer a terminal (``\x1b``)."""

from __future__ import annotations

import re

__all__ = ["cell", "one_line", "visible"]

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed: colours, cursor, bells
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the order of letters around
    "\u2028\u2029]"  # separators that some terminals take for a line's end
)


def visible(text: str) -> str:
    r"""Fit for people's eyes: line feeds and tabs stay, other control characters become escapes.

    >>> visible("red \x1b[31m, turned \u202e")
    'red \\x1b[31m, turned \\u202e'
    """
    return _STEERING.sub(_escape, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    r"""``visible`` for a place that holds a single line: line feeds and tabs are spelt out too.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def cell(text: str) -> str:
    r"""A text as it stands in a cell of a Markdown table: on one line, with what parts cells spelt out.

    >>> cell("a | b\nc")
    'a \\| b c'
    """
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
