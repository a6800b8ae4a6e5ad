"""How often the gate accepts, retries and falls back, in all and by kind of message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from verifier.guard.gate.history import Decision
from verifier.guard.gate.types import Status

__all__ = ["GateStats", "ShadowStats", "gate_stats"]

BINS = 10


@dataclass(frozen=True, slots=True)
class ShadowStats:
    """What the watched threshold would have changed, over the decisions at which it was watched.

    ``accepted_earlier`` were accepted at an attempt before the one that was taken, or in the place of the fallback;
    ``not_accepted`` were accepted here and by none of the same attempts there.
    """

    decisions: int
    same: int
    accepted_earlier: int
    not_accepted: int


@dataclass(frozen=True, slots=True)
class GateStats:
    """Rates in [0, 1], ``None`` where nothing stands below the line.

    ``histogram`` counts confidences in tenths, the last one closed above. ``retry_rate``: decisions with more than one
    attempt. ``accepted_after_retry``: of those, the accepted. ``fallback_rate``: the fallback text was shown.
    ``approval``: of the answers that people judged, those they called good.
    """

    decisions: int
    average_confidence: float | None
    histogram: tuple[int, ...]
    unrated: int
    retry_rate: float | None
    accepted_after_retry: float | None
    fallback_rate: float | None
    judged: int
    approval: float | None
    shadow: ShadowStats | None
    by_kind: Mapping[str, GateStats]

    def to_dict(self) -> dict[str, Any]:
        """JSON values only."""
        return asdict(self)


def gate_stats(decisions: Sequence[Decision], *, kinds: bool = True) -> GateStats:
    """Count ``decisions``; with ``kinds`` those of each kind of message too."""
    rated = [one.confidence for one in decisions if one.confidence is not None]
    retried = [one for one in decisions if one.attempts > 1]
    judged = [one.good for one in decisions if one.good is not None]
    histogram = [0] * BINS
    for confidence in rated:
        histogram[min(int(confidence * BINS), BINS - 1)] += 1
    names = sorted({one.kind for one in decisions}) if kinds else []
    return GateStats(
        decisions=len(decisions),
        average_confidence=_share(sum(rated), len(rated)),
        histogram=tuple(histogram),
        unrated=len(decisions) - len(rated),
        retry_rate=_share(len(retried), len(decisions)),
        accepted_after_retry=_share(sum(map(_accepted, retried)), len(retried)),
        fallback_rate=_share(sum(not _accepted(one) for one in decisions), len(decisions)),
        judged=len(judged),
        approval=_share(sum(judged), len(judged)),
        shadow=_shadow([one for one in decisions if one.shadow_threshold is not None]),
        by_kind={
            name: gate_stats([one for one in decisions if one.kind == name], kinds=False) for name in names
        },
    )


def _accepted(decision: Decision) -> bool:
    return decision.status == Status.ACCEPTED


def _shadow(watched: Sequence[Decision]) -> ShadowStats | None:
    if not watched:
        return None
    earlier = lost = 0
    for one in watched:
        on = one.shadow_accepted_on
        if on is None:
            lost += _accepted(one)
        elif on < one.attempts or not _accepted(one):
            earlier += 1
    return ShadowStats(len(watched), len(watched) - earlier - lost, earlier, lost)


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
