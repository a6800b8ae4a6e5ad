"""The meaning of a ``where`` filter, in one place for every backend that filters in Python."""

from __future__ import annotations

from collections.abc import Sequence

from backends.types import Metadata, MetadataValue, Where

__all__ = ["matches"]


def matches(metadata: Metadata, where: Where) -> bool:
    """Whether every key of ``where`` is met: by equality, or by membership where a sequence is given.

    >>> matches({"lang": "en", "year": 2024}, {"lang": ["en", "de"], "year": 2024})
    True
    >>> matches({"lang": "en"}, {"year": 2024}), matches({"lang": "en"}, {"year": None})
    (False, True)
    """
    return all(_meets(metadata.get(key), wanted) for key, wanted in where.items())


def _meets(value: MetadataValue, wanted: MetadataValue | Sequence[MetadataValue]) -> bool:
    if isinstance(wanted, str) or not isinstance(wanted, Sequence):
        return value == wanted
    return value in wanted
