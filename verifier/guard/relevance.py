"""Context relevance: how near a generated text is to what it was written for, by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from verifier_backends.encoders import Encoder

__all__ = ["ContextItem", "ContextRelevance", "ItemRelevance", "RelevanceResult", "context_items"]


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One thing that the text may bear on; ``kind`` is ``scope``, ``constraint``, ``assumption`` or ``step``."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ItemRelevance:
    """A context item with its similarity to the text, in [0, 1]."""

    item: ContextItem
    similarity: float


@dataclass(frozen=True, slots=True)
class RelevanceResult:
    """How relevant a text is: the similarity of the item that it is nearest to.

    ``score`` is in [0, 1]; it is ``None``, and ``reason`` says why, where there was nothing to compare.
    ``items`` holds every item that was compared, in the order given.
    """

    score: float | None
    best: ContextItem | None
    items: tuple[ItemRelevance, ...]
    encoder: str
    reason: str = ""

    def to_dict(self) -> Mapping[str, Any]:
        """JSON values only."""
        return asdict(self)


def context_items(
    scope: str = "",
    constraints: Iterable[str] = (),
    assumptions: Iterable[str] = (),
    steps: Sequence[str] = (),
    *,
    previous_steps: int = 0,
) -> list[ContextItem]:
    """The items of a problem that a text may bear on; blank ones are left out.

    Args:
        scope: what the problem is about.
        constraints, assumptions: what holds for it.
        steps: what was written before, oldest first.
        previous_steps: how many of the last steps count as context: off by default, since a text that repeats the
            step before it is near to that step and need not be near to the problem.
    """
    last = steps[len(steps) - previous_steps :] if previous_steps else ()
    items = [
        ContextItem("scope", scope),
        *(ContextItem("constraint", text) for text in constraints),
        *(ContextItem("assumption", text) for text in assumptions),
        *(ContextItem("step", text) for text in last),
    ]
    return [item for item in items if item.text.strip()]


class ContextRelevance:
    """Rates texts against their context by the cosine of vectors; the nearest item decides.

    The maximum and not the mean: a step that serves one constraint well is relevant, however many others it leaves
    alone.

    Args:
        encoder: turns texts into unit vectors.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def rate(self, text: str, items: Sequence[ContextItem]) -> RelevanceResult:
        """Rate one text."""
        return self.rate_many([(text, items)])[0]

    def rate_many(self, asked: Sequence[tuple[str, Sequence[ContextItem]]]) -> list[RelevanceResult]:
        """Rate many texts, each against its own items; every distinct text goes through the encoder once."""
        wanted = dict.fromkeys(
            piece for text, items in asked if text.strip() for piece in (text, *(item.text for item in items))
        )
        places = {piece: at for at, piece in enumerate(wanted)}
        vectors = self._encoder.encode(list(wanted)) if wanted else np.zeros((0, self._encoder.dimension))
        results = []
        for text, items in asked:
            if not text.strip() or not items:
                reason = "the text is blank" if not text.strip() else "there is no context to compare with"
                results.append(RelevanceResult(None, None, (), self._encoder.identity, reason))
                continue
            own = vectors[places[text]]
            rated = tuple(
                ItemRelevance(item, float(np.clip(vectors[places[item.text]] @ own, 0.0, 1.0)))
                for item in items
            )
            best = max(rated, key=lambda one: one.similarity)
            results.append(RelevanceResult(best.similarity, best.item, rated, self._encoder.identity))
        return results
