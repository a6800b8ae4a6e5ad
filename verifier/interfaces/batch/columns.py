"""Translate a row from the column names of its input to the fields of a batch, or say why that cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from verifier.core.errors import ConfigError

__all__ = ["FIELDS", "Columns"]

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "id": ("id",),
        "response": ("response", "answer"),
        "contexts": ("contexts", "retrieved_contexts"),
        "source": ("source",),
        "prompt": ("prompt", "question", "user_input"),
        "namespace": ("namespace",),
    }
)
"""What a batch reads of a row, and under which names; those of Ragas and TruLens are among them."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Under which names the fields of a row stand.

    Args:
        named: the name of the column, by field; empty for a field that no column is to be taken for. The other fields
            are found by the names of :data:`FIELDS`.
    """

    named: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parsed(cls, text: str) -> Columns:
        """What ``response=reply,contexts=passages`` says.

        Raises:
            ConfigError: it is not written so, or names a field that there is not.
        """
        pairs = [part.partition("=") for part in text.split(",") if part.strip()]
        named = {name.strip(): column.strip() for name, _, column in pairs}
        for name, equals, _ in pairs:
            if not equals or name.strip() not in FIELDS:
                known = ", ".join(FIELDS)
                raise ConfigError(
                    f"--columns: {name.strip()!r} is no field; write FIELD=NAME, with one of: {known}"
                )
        if len(named) < len(pairs):
            raise ConfigError("--columns: a field is named twice")
        return cls(named)

    def fields(self, raw: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """The fields of a row, and why they cannot be told; empty where they can be."""
        told: dict[str, Any] = {}
        for name in FIELDS:
            given = [column for column in self._columns(name) if raw.get(column) is not None]
            if len(given) > 1:
                return {}, f"{' and '.join(map(repr, given))}: choose one with --columns {name}={given[0]}"
            if given:
                told[name] = raw[given[0]]
        if "response" not in told:
            missing = self.named.get("response") or "response"
            has = ", ".join(map(str, raw)) or "nothing"
            return told, f"no {missing!r}; it has: {has}; name the column with --columns response=NAME"
        return told, ""

    def _columns(self, name: str) -> tuple[str, ...]:
        return (self.named[name],) if name in self.named else FIELDS[name]
