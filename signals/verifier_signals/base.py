"""The contract of a signal: batched, deterministic, and independent of its neighbours in a batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from verifier_signals.types import SignalScore, TextPair

__all__ = ["Signal"]


class Signal(ABC):
    """Scores (premise, hypothesis) pairs in one respect. ``verifier_signals.testing`` executes this contract.

    * One score a pair, in order; ``score([])`` is ``[]``.
    * A pair's score does not depend on the other pairs of the batch (to within 1e-4 for models).
    * ``support`` and all features lie in [0, 1] and are finite; the feature names are ``feature_names``,
      for every pair.
    * ``support is None`` exactly when the outcome is ``NOT_APPLICABLE``.
    * Findings quote to the character: ``hypothesis[claim_span] == claim_value`` and
      ``premise[evidence_span] == evidence_value``. ``CONFLICTING`` has a finding with ``Relation.CONFLICT``
      (for signals that read values; NLI has none to name).
    * Any text is accepted, empty and non-Latin included: a signal that cannot read it answers
      ``NOT_APPLICABLE`` or ``ABSENT``, never ``CONSISTENT``. A failure raises ``SignalError``.
    * The constructor only stores its arguments; models load on first use.
    * Safe to call from several threads at once.
    """

    name: ClassVar[str]
    feature_names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair."""
