"""A check of a third party: an installed package registers it under the entry point ``verifier.checks``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import ClassVar, NamedTuple

from verifier.core.errors import ConfigError
from verifier.core.registry import CHECKS
from verifier_signals.checks.check import Check

__all__ = ["FEATURES", "Conflict", "Rule", "installed_rules"]

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


def _loaded(name: str) -> Rule:
    """The rule of an installed package, by its entry point."""
    try:
        rule = CHECKS.load(name)()
    except (TypeError, ValueError) as error:
        raise ConfigError(f"check {name!r} of an installed package does not work: {error}") from error
    if not isinstance(rule, Rule):
        raise ConfigError(f"check {name!r} of an installed package is not a verifier_signals.checks.Rule")
    return rule


@lru_cache(maxsize=1)
def installed_rules() -> Mapping[str, Rule]:
    """The rules of installed packages, by the ids of their checks.

    Raises:
        ConfigError: one cannot be loaded, is no ``Rule``, belongs to another signal, reports under an unknown feature,
            or has the id of another.
    """
    found: dict[str, Rule] = {}
    for name in CHECKS.names():
        rule = _loaded(name)
        if rule.check.signal != "negation" or rule.feature not in FEATURES:
            raise ConfigError(
                f"check {name!r} must have an id that begins with 'negation.' and a feature of {', '.join(FEATURES)}"
            )
        if rule.check.id in found:
            raise ConfigError(f"two installed checks have the id {rule.check.id}")
        found[rule.check.id] = rule
    return found
