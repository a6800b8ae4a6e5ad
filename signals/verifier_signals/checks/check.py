"""A check: one rule with its name, what it asserts, and examples that it must and must not fire on."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, NamedTuple

from verifier.core.errors import ConfigError
from verifier_signals.types import Relation

__all__ = ["Action", "Check", "Example", "Switchable", "catalogue", "named", "said"]

_ID = re.compile(r"[a-z]+\.[a-z]+(?:-[a-z]+)*")


class Action(StrEnum):
    """What a check does that finds nothing of a claim in evidence: it works before the signals, or behind them."""

    SKIP = "skip"
    """A sentence is no claim."""
    SPLIT = "split"
    """A sentence is several statements."""
    FEATURE = "feature"
    """The weights are fed a number."""


class Example(NamedTuple):
    """A piece of evidence and a claim; no evidence (``""``) where a check reads the claim alone."""

    evidence: str
    claim: str


def said(*texts: str) -> tuple[Example, ...]:
    """Examples of a check that reads no evidence.

    >>> said("Is it open?")
    (Example(evidence='', claim='Is it open?'),)
    """
    return tuple(Example("", text) for text in texts)


@dataclass(frozen=True, slots=True)
class Check:
    """One rule that a signal applies to a claim and a piece of evidence, or another part of the product to either.

    ``id`` is ``<signal>.<name>``, in lower case with hyphens. ``family`` groups checks that belong together, within a
    signal. ``relations`` are what its findings may say of the claim, or what it does. ``fires`` and ``silent`` are
    examples: the check reports something for each of the first, and nothing for each of the second. Both run as tests.

    Raises:
        ValueError: the id is not of that form, or there are fewer than two examples of either sort.
    """

    id: str
    family: str
    asserts: str
    relations: frozenset[Relation | Action]
    fires: tuple[Example, ...]
    silent: tuple[Example, ...]
    languages: tuple[str, ...] = ("en",)

    def __post_init__(self) -> None:
        if _ID.fullmatch(self.id) is None:
            raise ValueError(f"{self.id!r} is not the id of a check: it must look like number.other-value")
        if len(self.fires) < 2 or len(self.silent) < 2:
            raise ValueError(f"check {self.id} needs two examples that it fires on, and two that it does not")

    @property
    def signal(self) -> str:
        """The name of the signal that applies it; ``claims`` or ``feature`` where none does."""
        return self.id.partition(".")[0]


def catalogue(checks: Iterable[Check]) -> dict[str, Check]:
    """Checks by their ids, in the order given.

    Raises:
        ValueError: two have the same id.
    """
    found: dict[str, Check] = {}
    for check in checks:
        if check.id in found:
            raise ValueError(f"two checks have the id {check.id}")
        found[check.id] = check
    return found


def named(names: Collection[str] | str, checks: Mapping[str, Check], where: str) -> frozenset[str]:
    """The ids that a configuration names: ids, or families, which stand for all their checks.

    Args:
        names: as they stand in the configuration; a string is one name.
        checks: those of one signal, by id.
        where: the setting, for the error.

    Raises:
        ConfigError: there is no such check or family; the message names the nearest.
    """
    names = (names,) if isinstance(names, str) else names
    families: dict[str, list[str]] = {}
    for check in checks.values():
        families.setdefault(check.family, []).append(check.id)
    return frozenset(one for name in names for one in _ids(name, checks, families, where))


def _ids(
    name: str, checks: Mapping[str, Check], families: Mapping[str, list[str]], where: str
) -> Iterator[str]:
    if name in checks:
        yield name
    elif name in families:
        yield from families[name]
    else:
        near = get_close_matches(name, [*checks, *families], n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "see: verifier checks list"
        raise ConfigError(f"{where}: there is no check or family {name!r}; {hint}")


class Switchable(ABC):
    """A signal whose checks can be left out, one by one or a family at a time.

    Args:
        disable: ids or families of checks that are left out (``verifier checks list``); a string is one of them.
    """

    name: ClassVar[str]

    def __init__(self, disable: Sequence[str] | str = ()) -> None:
        self.disable = disable

    @abstractmethod
    def checks(self) -> Mapping[str, Check]:
        """All its checks, by id."""

    @cached_property
    def disabled(self) -> frozenset[str]:
        """The ids of the checks that are left out.

        Raises:
            ConfigError: ``disable`` names a check or family that there is not.
        """
        return named(self.disable, self.checks(), f"signals.{self.name}.disable")
