"""The meaning of a ``where`` filter, in one place for every backend that filters in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier_backends.types import Metadata, MetadataValue, Where

__all__ = ["PlainFilter", "matches", "plain_filter"]

PlainFilter = Mapping[str, MetadataValue | Sequence[MetadataValue]]
"""A filter without operators: a value, or several of which any will do, for each key."""

_COMBINING = frozenset({"$and", "$or", "$nor", "$not"})
"""What other databases write in a key's place."""


def matches(metadata: Metadata, where: Where) -> bool:
    """Whether every key of ``where`` is met: by equality, or by membership where a sequence is given.

    Raises:
        ValueError: as ``plain_filter`` does.

    >>> matches({"lang": "en", "year": 2024}, {"lang": ["en", "de"], "year": 2024})
    True
    >>> matches({"lang": "en"}, {"year": 2024}), matches({"lang": "en"}, {"year": None})
    (False, True)
    """
    return all(_meets(metadata.get(key), wanted) for key, wanted in plain_filter(where).items())


def plain_filter(where: Where) -> PlainFilter:
    """A filter without operators, from one that may be written as Chroma's users write it.

    ``{"$eq": value}`` is the value, ``{"$in": [...]}`` the list, ``{"$and": [...]}`` all of its filters together.

    Raises:
        ValueError: another operator, or an operand of the wrong shape; the message shows the form wanted.

    >>> plain_filter({"$and": [{"lang": {"$in": ["en", "de"]}}, {"year": {"$eq": 2024}}]})
    {'lang': ['en', 'de'], 'year': 2024}
    """
    if not any(key in _COMBINING or isinstance(wanted, Mapping) for key, wanted in where.items()):
        return where  # type: ignore[return-value]  # no value is a mapping
    plain: dict[str, MetadataValue | Sequence[MetadataValue]] = {}
    for key, wanted in _conditions(where):
        if key in plain:
            both = _listed(plain[key]), _listed(wanted)
            plain[key] = [value for value in both[0] if value in both[1]]
        else:
            plain[key] = wanted
    return plain


def _conditions(where: Mapping[str, Any]) -> Iterator[tuple[str, MetadataValue | Sequence[MetadataValue]]]:
    """Each key with what it must be, those inside ``$and`` too."""
    for key, wanted in where.items():
        if key == "$and" and _is_list(wanted) and all(isinstance(part, Mapping) for part in wanted):
            for part in wanted:
                yield from _conditions(part)
        elif key in _COMBINING:
            raise ValueError(_refusal(key, "key", wanted))
        elif isinstance(wanted, Mapping):
            for operator, operand in wanted.items():
                yield key, _operand(key, operator, operand)
        else:
            yield key, wanted


def _operand(key: str, operator: str, operand: Any) -> MetadataValue | Sequence[MetadataValue]:
    if operator == "$eq" and not isinstance(operand, Mapping) and not _is_list(operand):
        value: MetadataValue = operand
        return value
    if operator == "$in" and _is_list(operand):
        return list(operand)
    raise ValueError(_refusal(operator, key, operand))


def _refusal(operator: str, key: str, operand: Any) -> str:
    example: dict[str, Any] = {key: list(operand) if _is_list(operand) and key != "key" else ["en", "de"]}
    return (
        f"the filter operator {operator!r} is not known here, or what it is given does not fit; a filter names "
        f"what each key must be, or a list of which any will do: where={example!r}. The forms "
        "{key: {'$eq': value}}, {key: {'$in': [...]}} and {'$and': [...]} of these are read too"
    )


def _is_list(wanted: Any) -> bool:
    return isinstance(wanted, Sequence) and not isinstance(wanted, str)


def _listed(wanted: MetadataValue | Sequence[MetadataValue]) -> Sequence[MetadataValue]:
    return [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else wanted


def _meets(value: MetadataValue, wanted: MetadataValue | Sequence[MetadataValue]) -> bool:
    return value in _listed(wanted)
