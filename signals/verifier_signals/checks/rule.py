"""Checks of third parties: an installed package registers them under the entry point ``verifier.checks``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple, TypeVar

from verifier.core.errors import ConfigError
from verifier.core.registry import CHECKS
from verifier_signals.checks.check import Check

__all__ = ["FEATURES", "SKIP_PREFIX", "Conflict", "Rule", "Skip", "installed_rules", "installed_skips"]

SKIP_PREFIX = "claims.skip-"
"""What the id of a skip begins with; the rest, with spaces for hyphens, is the reason in a report."""

FEATURES = ("polarity", "antonym", "quantifier", "modality", "condition")
"""Features of the negation signal under which a rule may report: those that speak against a claim."""


class Conflict(NamedTuple):
    """Where a claim and a piece of evidence contradict each other, as half-open code-point offsets into each."""

    claim: tuple[int, int]
    evidence: tuple[int, int]
    note: str = ""


class Rule(ABC):
    """A check with the code that applies it. It belongs to the negation signal: its id begins with ``negation.``.

    ``feature`` is the respect in which what it finds counts, one of ``FEATURES``; the fusion weighs it as it weighs
    what our own checks find in that respect. ``find`` is called for each pair of a claim and a piece of evidence, from
    several threads.

    >>> from verifier_signals.checks import Example
    >>> from verifier_signals.types import Relation
    >>> class NetAndGross(Rule):
    ...     check = Check(
    ...         "negation.net-and-gross",
    ...         "prices",
    ...         "One price is net, the other gross.",
    ...         frozenset({Relation.CONFLICT}),
    ...         fires=(Example("The price is net.", "The price is gross."), Example("10 net", "10 gross")),
    ...         silent=(Example("The price is net.", "The price is net."), Example("A fishing net.", "It is gross.")),
    ...     )
    ...     feature = "antonym"
    ...
    ...     def find(self, claim, premise):
    ...         yield from ()
    """

    check: ClassVar[Check]
    feature: ClassVar[str]

    @abstractmethod
    def find(self, claim: str, premise: str) -> Iterable[Conflict]:
        """The places where the premise contradicts the claim in this respect."""


class Skip(ABC):
    """A check that says of a sentence that it is no claim, with the code that does: its id begins ``claims.skip-``.

    It is asked about sentences that our own skips leave, from several threads. Be sure: what is skipped is not checked.
    """

    check: ClassVar[Check]

    @abstractmethod
    def skips(self, sentence: str) -> bool:
        """Whether a sentence, without its markup, is no claim."""


_Kind = TypeVar("_Kind", Rule, Skip)


def _loaded(name: str) -> Rule | Skip:
    """The rule or skip of an installed package, by its entry point."""
    try:
        found = CHECKS.load(name)()
    except (TypeError, ValueError) as error:
        raise ConfigError(f"check {name!r} of an installed package does not work: {error}") from error
    if not isinstance(found, Rule | Skip):
        raise ConfigError(
            f"check {name!r} of an installed package is no Rule or Skip of verifier_signals.checks"
        )
    return found


def _by_id(installed: Iterable[_Kind]) -> dict[str, _Kind]:
    found: dict[str, _Kind] = {}
    for one in installed:
        if one.check.id in found:
            raise ConfigError(f"two installed checks have the id {one.check.id}")
        found[one.check.id] = one
    return found


@lru_cache(maxsize=1)
def installed_rules() -> Mapping[str, Rule]:
    """The rules of installed packages, by the ids of their checks.

    Raises:
        ConfigError: one cannot be loaded, is no check, belongs to another signal, reports under an unknown feature, or
            has the id of another.
    """
    found = _by_id(one for one in map(_loaded, CHECKS.names()) if isinstance(one, Rule))
    for name, rule in found.items():
        if rule.check.signal != "negation" or rule.feature not in FEATURES:
            raise ConfigError(
                f"check {name!r} must have an id that begins with 'negation.' and a feature of {', '.join(FEATURES)}"
            )
    return found


@lru_cache(maxsize=1)
def installed_skips() -> Mapping[str, Skip]:
    """The skips of installed packages, by the ids of their checks.

    Raises:
        ConfigError: one cannot be loaded, is no check, has an id that is not a skip's, or that of another.
    """
    found = _by_id(one for one in map(_loaded, CHECKS.names()) if isinstance(one, Skip))
    for name in found:
        if not name.startswith(SKIP_PREFIX):
            raise ConfigError(
                f"check {name!r} of an installed package must have an id that begins with {SKIP_PREFIX!r}"
            )
    return found
