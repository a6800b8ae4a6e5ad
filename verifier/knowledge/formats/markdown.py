"""Read Markdown files; their YAML front matter becomes metadata."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.decode import read_text
from verifier.types import Document

__all__ = ["FrontMatter", "front_matter", "read_markdown"]

_FENCED_YAML = re.compile(r"---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_MAX_FRONT_MATTER = 16_384  # characters
_TITLE = re.compile(r"^ {0,3}#[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


class FrontMatter(NamedTuple):
    """The YAML block at the top of a file: its values, and the offset at which the text proper begins."""

    values: Metadata
    end: int


def front_matter(text: str) -> FrontMatter:
    """Read the YAML mapping between two ``---`` lines at the very top, if there is one.

    Lists and nested values become YAML on one line. Anything that is not a plain mapping is left in the text.

    >>> front_matter("---\\nversion: 3\\n---\\nText")
    FrontMatter(values={'version': 3}, end=19)
    """
    found = _FENCED_YAML.match(text[:_MAX_FRONT_MATTER])
    if not found:
        return FrontMatter({}, 0)
    import yaml  # most texts have no front matter

    try:
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(found[1])):
            return FrontMatter({}, 0)  # aliases of aliases expand without limit
        values = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date such as 2024-13-45
        return FrontMatter({}, 0)
    if not isinstance(values, dict) or all(value is None for value in values.values()):
        return FrontMatter({}, 0)  # ``Three rules:`` between two rules is prose
    return FrontMatter({str(key): _plain(value) for key, value in values.items()}, found.end())


def _plain(value: object) -> str | int | float | bool | None:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, list | dict):
        import yaml

        return yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=math.inf).strip()
    return str(value)


def read_markdown(file: SourceFile, options: ReadOptions) -> Iterator[Document]:
    """Read a Markdown file as it stands, so that offsets are those of the file.

    Raises:
        IngestError: it is empty, too large, no text, or in an encoding that is not clear.
    """
    decoded = read_text(file.path, options)
    matter = front_matter(decoded.text)
    heading = _TITLE.search(decoded.text, matter.end)
    title = matter.values.get("title") or (heading[1] if heading else "")
    yield Document(
        source=file.source,
        uri=file.uri,
        text=decoded.text,
        media_type="text/markdown",
        title=str(title),
        metadata={**matter.values, "format": "markdown", **decoded.metadata},
    )
