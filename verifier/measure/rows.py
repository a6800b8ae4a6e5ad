"""Read labelled rows from a JSONL file, with one line for each row that cannot be used."""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from verifier.core.errors import ConfigError

__all__ = ["LABELS", "BadRow", "LabelledRow", "read_rows", "text_lines"]

LABELS = frozenset(
    {
        *("entailment", "neutral", "contradiction", "not_entailment"),
        *("supported", "contradicted", "fabricated", "unverifiable", "skipped"),
    }
)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One claim with its label. ``premise`` is ``None`` for rows that are checked against a knowledge base.

    ``namespace`` is the part of the knowledge base that the label holds against, ``None`` for the configured one.
    ``raw`` is the row as it was read, every field kept.
    """

    number: int
    claim: str
    label: str
    premise: str | None
    namespace: str | None
    raw: dict[str, Any]

    @property
    def is_supported(self) -> bool:
        """Whether the label says that the evidence bears the claim out."""
        return self.label in {"entailment", "supported"}


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be used, and why."""

    number: int
    reason: str


def read_rows(path: Path) -> Iterator[LabelledRow | BadRow]:
    """Rows ``{premise, hypothesis, label}`` or ``{claim, verdict}``, the latter with a ``namespace`` or without.

    ``.gz`` and ``.xz`` files are opened as such.

    Raises:
        ConfigError: the file cannot be opened or decoded.
    """
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            yield _row(number, line)


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a file in UTF-8, compressed (``.gz``, ``.xz``) or not.

    Raises:
        ConfigError: the file cannot be opened or decoded.
    """
    openers: dict[str, Callable[..., IO[str]]] = {".gz": gzip.open, ".xz": lzma.open}
    opener = openers.get(path.suffix, open)
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            yield from lines
    except (UnicodeDecodeError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise ConfigError(f"{path} is not text in UTF-8: {error}") from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _row(number: int, line: str) -> LabelledRow | BadRow:
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError):
        return BadRow(number, "not JSON")
    if not isinstance(raw, dict):
        return BadRow(number, "not a JSON object")
    claim = raw.get("claim", raw.get("hypothesis"))
    label = raw.get("verdict", raw.get("label"))
    premise, namespace = raw.get("premise"), raw.get("namespace")
    if not isinstance(claim, str) or not claim.strip():
        return BadRow(number, "no 'claim' or 'hypothesis'")
    if label is None:
        return BadRow(number, f"no 'verdict' or 'label'; one of {', '.join(sorted(LABELS))}")
    if not isinstance(label, str) or label not in LABELS:
        return BadRow(number, f"label {label!r} is none of {', '.join(sorted(LABELS))}")
    if premise is not None and not isinstance(premise, str):
        return BadRow(number, "'premise' is not text")
    if namespace is not None and (not isinstance(namespace, str) or not namespace):
        return BadRow(number, "'namespace' is not a name")
    if premise is not None and namespace is not None:
        return BadRow(number, "'premise' and 'namespace': a claim is checked against one of them")
    return LabelledRow(number, claim, label, premise, namespace, raw)
