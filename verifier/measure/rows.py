"""A JSONL file in; labelled rows out, and a line for each row that cannot be used."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError

__all__ = ["LABELS", "BadRow", "LabelledRow", "read_rows"]

LABELS = frozenset(
    {
        *("entailment", "neutral", "contradiction", "not_entailment"),
        *("supported", "contradicted", "fabricated", "unverifiable", "skipped"),
    }
)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One claim with its label. ``premise`` is ``None`` for rows that are checked against a knowledge base.

    ``raw`` is the row as it was read, every field kept.
    """

    number: int
    claim: str
    label: str
    premise: str | None
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
    """Rows ``{premise, hypothesis, label}`` or ``{claim, verdict}``; ``.xz`` files are opened as such.

    Raises:
        ConfigError: the file cannot be opened or decoded.
    """
    opener = lzma.open if path.suffix == ".xz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(number, line)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, lzma.LZMAError, EOFError) as error:
        raise ConfigError(f"{path} is not JSON lines in UTF-8: {error}") from error


def _row(number: int, line: str) -> LabelledRow | BadRow:
    try:
        raw = json.loads(line)
    except ValueError:
        return BadRow(number, "not JSON")
    if not isinstance(raw, dict):
        return BadRow(number, "not a JSON object")
    claim = raw.get("claim", raw.get("hypothesis"))
    label = raw.get("verdict", raw.get("label"))
    premise = raw.get("premise")
    if not isinstance(claim, str) or not claim.strip():
        return BadRow(number, "no 'claim' or 'hypothesis'")
    if not isinstance(label, str) or label not in LABELS:
        return BadRow(number, f"label {label!r} is none of {', '.join(sorted(LABELS))}")
    if premise is not None and not isinstance(premise, str):
        return BadRow(number, "'premise' is not text")
    return LabelledRow(number, claim, label, premise, raw)
