"""Make broken copies of seed inputs, and values that nearly fit a JSON Schema."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["instance", "mutant", "sentence"]

_BLOCK = 64
_MOST_BYTES = 200_000
_DEEPEST = 6
_TOKENS = (
    b"<",
    b">",
    b'"',
    b"|",
    b"#",
    b"- ",
    b"\n",
    b"\n\n",
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"\0",
    b"\xff",
)
_NUMBERS = (b"0", b"-1", b"9999999999", b"1e400", b"NaN", b"65536")
_ODD: tuple[Any, ...] = (
    None,
    "",
    "\ud800",
    "a\0b",
    -1,
    0,
    10**30,
    1e308,
    True,
    [],
    {},
    [[]],
    "\u202e",
    "x" * 5000,
)
_SENTENCE = [
    "the",
    "a",
    "it",
    "they",
    "will",
    "won't",
    "is",
    "are",
    "was",
    "not",
    "has",
    "have",
    "can",
    "and",
    "but",
    "or",
    "if",
    "unless",
    "when",
    "who",
    "which",
    "that",
    "than",
    "as",
    "of",
    "in",
    "to",
    "by",
    "Ada",
    "Rome",
    "euro",
    "5",
    "2019",
    "60%",
    "days",
    "opens",
    "opened",
    "fee",
    "pool",
    "nothing",
    "never",
    "only",
    "one",
    "two",
    "each",
    "both",
    "all",
    "however",
    "Yes",
    "No",
    "none",
    "neither",
    "either",
    "latter",
    "former",
    "said",
    "claims",
    "true",
    "false",
    ",",
    ";",
    ":",
    ";;",
    ".",
    "!",
    "?",
    "(",
    ")",
    "—",
    '"',
    "'",
    "*",
    "**",
    "`",
    "#",
    "|",
    "-",
    "\n",
    "\n\n",
    "\n-",
    "",
    "\n|---|---|",
    "<b>",
    "</b>",
    "[1]",
    '{"a":',
    "key:",
]


def mutant(seeds: Sequence[bytes], source: random.Random) -> bytes:
    """A copy of one seed with a few bytes, tokens or blocks changed, removed, doubled or taken from another."""
    data = bytearray(source.choice(seeds))
    for _ in range(source.choice((1, 1, 2, 4, 16, 64))):
        at = source.randrange(len(data) + 1)
        size = source.randrange(1, _BLOCK)
        match source.randrange(7):
            case 0:
                data[at : at + 1] = bytes([source.randrange(256)])
            case 1:
                data[at:at] = source.choice(_TOKENS) * source.choice((1, 1, 2, 300))
            case 2:
                del data[at : at + size]
            case 3:
                data[at:at] = data[at : at + size] * source.choice((1, 2, 50))
            case 4:
                other = source.choice(seeds)
                begin = source.randrange(len(other))
                data[at:at] = other[begin : begin + size]
            case 5:
                data[at : at + size] = source.choice(_NUMBERS)
            case _:
                del data[at + source.randrange(4000) :]
    return bytes(data[:_MOST_BYTES])


def sentence(source: random.Random) -> str:
    """Words that claim extraction reacts to, and marks, in any order."""
    words = source.choices(_SENTENCE, k=source.choice((2, 4, 8, 16, 40)))
    return "".join(word + source.choice((" ", " ", " ", "")) for word in words)


def instance(
    schema: Mapping[str, Any], source: random.Random, whole: Mapping[str, Any], depth: int = 0
) -> Any:
    """A value that a JSON Schema describes, with an odd one here and there."""
    if source.random() < 0.03:
        return source.choice(_ODD)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return instance(whole["$defs"][name], source, whole, depth + 1)
    if "anyOf" in schema:
        return instance(source.choice(schema["anyOf"]), source, whole, depth)
    if "enum" in schema:
        return source.choice(schema["enum"])
    return _of_type(schema, source, whole, depth)


def _of_type(schema: Mapping[str, Any], source: random.Random, whole: Mapping[str, Any], depth: int) -> Any:
    match schema.get("type"):
        case "object":
            needed = schema.get("required", ())
            fields = schema.get("properties", {}).items()
            return {
                name: instance(field, source, whole, depth + 1)
                for name, field in fields
                if name in needed or (depth < _DEEPEST and source.random() < 0.6)
            }
        case "array":
            items = schema.get("items", {})
            count = source.randrange(3) if depth < _DEEPEST else 0
            parts = schema.get("prefixItems") or [items] * count
            return [instance(part, source, whole, depth + 1) for part in parts]
        case "integer":
            return source.choice((0, 1, 2, 5, 40, -1))
        case "number":
            return source.choice((0, 0.5, 1.0, -0.1, 3))
        case "boolean":
            return source.random() < 0.5
        case "string":
            return source.choice((sentence(source), "default", "a.md", ""))
    return json.loads(source.choice(("null", '"a"', "1", "[]", "{}")))
