"""A text in; the values of the JSON, YAML or ``key: value`` line that it is come out, each with its path and its place.

Lenient: a model's JSON may lack its end or have a comma too many. What is no such text at all gives nothing, and is
read as prose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.core.text import Folded

__all__ = ["Leaf", "decoded", "json_leaves", "pair_leaves", "yaml_leaves"]


class Leaf(NamedTuple):
    """``text[start:end]`` is a key with its value, ``text[at:end]`` the value as written, ``value`` what it says.

    ``path`` are the keys that lead to it, outermost first; ``quoted`` says that it is a text, ``name`` what the object
    that holds it is called by its own ``name`` or ``title``.
    """

    path: tuple[str, ...]
    start: int
    at: int
    end: int
    value: str
    quoted: bool = False
    name: str = ""


_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_CHARACTER = re.compile(
    r"(?:\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\])", re.DOTALL
)
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|None|True|False")
_SPACE = re.compile(r"[\s,]*")
_YAML_LINE = re.compile(
    r"(?P<indent>[ ]*)(?P<dash>(?:-[ ]+)*)"
    r"(?:(?P<key>[\w][\w .()/-]{0,59}?|\"[^\"\n]{1,60}\")[ ]?:(?:[ ]+|$))?(?P<value>[^\n]*)"
)
_PAIR = re.compile(
    r"\s*(?P<key>[^\W\d_][\w '’/()-]{0,39}?)\s?:\s+(?P<value>[^:;|\n]{1,80}(?::\d\d[^:;|\n]{0,20})?)\s*"
)
_NAMES = ("name", "title", "label", "item")
_DEEPEST = 20
_CLAUSE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|must|may|does|do)\b", re.IGNORECASE)


class _Broken(Exception):
    """The text is not of this form."""


def json_leaves(text: str, start: int) -> tuple[list[Leaf], int]:
    """The leaves of the JSON value that begins at ``start``, and where it ends; none where it is no object or list.

    >>> leaves, end = json_leaves('{"built": 1872, "lamp": {"range_nm": 18}}', 0)
    >>> [(leaf.path, leaf.value) for leaf in leaves], end
    ([(('built',), '1872'), (('lamp', 'range_nm'), '18')], 41)
    """
    reader = _Json(text)
    try:
        end = reader.value(start, (), start, "", 0)
    except (_Broken, IndexError):
        return [], start
    return reader.leaves, end


class _Json:
    def __init__(self, text: str) -> None:
        self.text = text
        self.leaves: list[Leaf] = []

    def value(self, at: int, path: tuple[str, ...], key_at: int, name: str, depth: int) -> int:
        """Read the value at ``at``; where it ends."""
        if depth > _DEEPEST:
            raise _Broken
        if self.text.startswith("{", at):
            return self._object(at, path, name, depth)
        if self.text.startswith("[", at):
            return self._list(at, path, name, depth)
        match = _STRING.match(self.text, at) or _SCALAR.match(self.text, at)
        if match is None:
            raise _Broken
        quoted = match[0].startswith('"')
        said = _decoded(match[0]) if quoted else match[0]
        self.leaves.append(Leaf(path, key_at, match.start(), match.end(), said, quoted, name))
        return match.end()

    def _object(self, at: int, path: tuple[str, ...], name: str, depth: int) -> int:
        first = len(self.leaves)
        at = self._space(at + 1)
        while at < len(self.text) and self.text[at] != "}":
            key = _STRING.match(self.text, at)
            if key is None:
                raise _Broken
            colon = self._space(key.end())
            if not self.text.startswith(":", colon):
                raise _Broken
            at = self.value(self._space(colon + 1), (*path, _decoded(key[0])), key.start(), name, depth + 1)
            at = self._space(at)
        own = next(
            (
                leaf.value
                for leaf in self.leaves[first:]
                if leaf.quoted and len(leaf.path) == len(path) + 1 and leaf.path[-1].lower() in _NAMES
            ),
            "",
        )
        if own:
            self.leaves[first:] = [
                leaf if leaf.name else leaf._replace(name=own) for leaf in self.leaves[first:]
            ]
        return min(at + 1, len(self.text))

    def _list(self, at: int, path: tuple[str, ...], name: str, depth: int) -> int:
        at = self._space(at + 1)
        while at < len(self.text) and self.text[at] != "]":
            at = self._space(self.value(at, path, at, name, depth + 1))
        return min(at + 1, len(self.text))

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at


def decoded(written: str, at: int) -> Folded:
    """A string of JSON, with its quotation marks, at ``at`` of a text: what it says, and where each sign stands."""
    pieces = [(match[0], match.start()) for match in _CHARACTER.finditer(written, 1, len(written) - 1)]
    text = [_decoded(f'"{piece}"') if piece.startswith("\\") else piece for piece, _ in pieces]
    starts = [at + start for (_, start), said in zip(pieces, text, strict=True) for _ in said]
    ends = [at + start + len(piece) for (piece, start), said in zip(pieces, text, strict=True) for _ in said]
    return Folded("".join(text), tuple(starts), tuple(ends))


def _decoded(written: str) -> str:
    try:
        return str(json.loads(written))
    except ValueError:
        return written[1:-1]


def yaml_leaves(text: str, start: int, end: int) -> list[Leaf]:
    """The leaves of plain YAML, ``key: value`` lines with indents and lists; none where a line is something else.

    >>> text = "built: 1872\\nlamp:\\n  range: 18 nm\\n"
    >>> [(leaf.path, leaf.value) for leaf in yaml_leaves(text, 0, len(text))]
    [(('built',), '1872'), (('lamp', 'range'), '18 nm')]
    """
    leaves: list[Leaf] = []
    open_: list[tuple[int, str]] = []
    for line in re.finditer(r"[^\n]+", text[start:end]):
        match = _YAML_LINE.fullmatch(line[0].rstrip())
        if not line[0].strip() or line[0].strip() == "---" or line[0].lstrip().startswith("#"):
            continue
        if match is None or not (match["key"] or match["dash"]):
            return []
        depth = len(match["indent"]) + len(match["dash"])
        open_ = [
            (at, key) for at, key in open_ if at < depth or (not match["key"] and at <= len(match["indent"]))
        ]
        path = tuple(key for _, key in open_)
        value = match["value"].strip()
        base = start + line.start()
        at = base + match.start("value") + len(match["value"]) - len(match["value"].lstrip())
        if match["key"]:
            key = match["key"].strip('"')
            if not value:
                open_.append((depth, key))
                continue
            path = (*path, key)
        bare = value.strip("\"'")
        first = base + (match.start("key") if match["key"] else match.start("value"))
        if bare:
            leaves.append(Leaf(path, first, at, at + len(value), bare, not bare[:1].isdigit()))
    return leaves


def pair_leaves(text: str, start: int, end: int) -> list[Leaf]:
    """The leaves of a line of two or more ``key: value`` parted by semicolons, bars or line ends; else none.

    >>> text = "Height: 31 metres; built: 1872"
    >>> [(leaf.path, leaf.value) for leaf in pair_leaves(text, 0, len(text))]
    [(('Height',), '31 metres'), (('built',), '1872')]
    """
    leaves = []
    for first, last in _parts(text, start, end):
        match = _PAIR.fullmatch(text, first, last)
        if match is None or _CLAUSE.search(match["key"]) or _CLAUSE.search(match["value"]):
            return []
        value = match["value"].rstrip(" .")
        at = match.start("value")
        leaves.append(Leaf((match["key"].strip(),), match.start("key"), at, at + len(value), value, True))
    return leaves if len(leaves) > 1 else []


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in re.finditer(r"[;|\n]", text[start:end]):
        if text[at : start + match.start()].strip():
            yield at, start + match.start()
        at = start + match.end()
    if text[at:end].strip():
        yield at, end
