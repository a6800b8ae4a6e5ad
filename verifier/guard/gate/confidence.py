"""Combine the values of components into one confidence and its band. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from verifier.core.errors import ConfigError

__all__ = ["COMPONENTS", "Band", "Part", "combine", "normalised"]

COMPONENTS = ("rules", "llm", "relevance", "coherence", "groundedness")
"""What a confidence can be made of."""


class Band(StrEnum):
    """Bands of confidence; each begins at its value and ends below the next."""

    VERY_LOW = "very low"
    LOW = "low"
    MODERATE = "moderate"
    GOOD = "good"
    EXCELLENT = "excellent"

    @classmethod
    def of(cls, confidence: float) -> Band:
        """The band of a confidence in [0, 1].

        >>> [Band.of(value).value for value in (0.29, 0.3, 0.5, 0.75, 0.9)]
        ['very low', 'low', 'moderate', 'good', 'excellent']
        """
        starts = ((0.9, cls.EXCELLENT), (0.75, cls.GOOD), (0.5, cls.MODERATE), (0.3, cls.LOW))
        return next((band for start, band in starts if confidence >= start), cls.VERY_LOW)


@dataclass(frozen=True, slots=True)
class Part:
    """What one component adds: its value in [0, 1], its share of all weights, and whether it was measured at all.

    Where it was not, ``value`` is the neutral value of the configuration, and ``reason`` says why.
    """

    name: str
    value: float
    weight: float
    measured: bool
    reason: str = ""

    def __str__(self) -> str:
        how = self.reason if self.measured else f"not measured, {self.value:g} taken: {self.reason}"
        return f"{self.name} {self.value:.3f} x {self.weight:.2f} = {self.value * self.weight:.3f}  ({how})"


def normalised(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights above 0, divided by their sum.

    >>> normalised({"rules": 0.3, "llm": 0.7, "relevance": 0})
    {'rules': 0.3, 'llm': 0.7}

    Raises:
        ConfigError: a weight is negative, none is above 0, or a name is unknown.
    """
    unknown = sorted(set(weights) - set(COMPONENTS))
    if unknown:
        raise ConfigError(f"unknown component {unknown[0]!r}; known: {', '.join(COMPONENTS)}")
    if any(weight < 0 for weight in weights.values()) or not any(weights.values()):
        raise ConfigError("weights of the gate: expected none below 0 and one above")
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items() if weight > 0}


def combine(parts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted mean of the parts, in [0, 1].

    >>> weights = {"rules": 0.3, "llm": 0.7}
    >>> [round(combine({"rules": r, "llm": l}, weights), 3) for r, l in ((0.5, 0.96), (0.3, 0.28), (0.5, 0.81))]
    [0.822, 0.286, 0.717]
    """
    return sum(weight * parts[name] for name, weight in normalised(weights).items())
