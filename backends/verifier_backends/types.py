"""What a backend takes and gives: items, hits, and what it can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypedDict

__all__ = ["Capabilities", "Hit", "Item", "Metadata", "MetadataValue", "Where"]

MetadataValue = str | int | float | bool | None
Metadata = Mapping[str, MetadataValue]
Where = Mapping[str, MetadataValue | Sequence[Any] | Mapping[str, Any]]
"""A filter over metadata: every key must match; a sequence means any of its values. A key that an item
lacks matches only ``None``. ``$eq``, ``$in`` and ``$and`` are read as
``verifier_backends.filters.plain_filter`` says."""


class Item(NamedTuple):
    """One text to be indexed under an id."""

    doc_id: str
    text: str
    metadata: Metadata | None = None


class Hit(TypedDict):
    """One ranked result. ``score`` is higher-is-better for every backend; its unit is the backend's own."""

    id: str
    text: str
    score: float
    metadata: dict[str, MetadataValue]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend can do beyond ``add``, ``query`` and ``count``.

    A capability that is ``False`` is refused with ``UnsupportedOperation``, never ignored. ``where`` is the
    exception: a backend that cannot filter natively is filtered exactly by the default implementation, which
    ranks everything first, so ``where`` says only whether filtering is native (cheap).
    """

    delete: bool = False
    get: bool = False
    where: bool = False
    persist: bool = False

    def missing(self) -> tuple[str, ...]:
        """Names of the capabilities that are not there."""
        return tuple(field.name for field in fields(self) if not getattr(self, field.name))

    def __and__(self, other: Capabilities) -> Capabilities:
        """What both can do."""
        return Capabilities(
            **{f.name: getattr(self, f.name) and getattr(other, f.name) for f in fields(Capabilities)}
        )
