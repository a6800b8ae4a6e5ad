"""Framed sentences in; whether the document asserts each of them, and each of their clauses, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from verifier_signals.syntax import read

from verifier.core.errors import ConfigError
from verifier.core.models import embedded_model
from verifier.types import Span
from verifier.verification.statements.head import FOLDER, KINDS, FactualityHead
from verifier.verification.statements.states import FrameReader
from verifier.verification.statements.types import Factuality, Framed

__all__ = [
    "Part",
    "chances_by",
    "chances_of",
    "clause_spans",
    "decided",
    "factuality_of",
    "parts_by",
    "parts_of",
]

ASSERTED_SHARE = 0.4
"""Share of a sentence's pieces in asserted clauses from which it counts as asserted, those clauses apart that are not:
``Until 2019 it was 5 EUR; since then it is 9 EUR``."""


class Part(NamedTuple):
    """A clause of a sentence, and whether the document asserts it."""

    span: Span
    factuality: Factuality


def factuality_of(sentences: Sequence[Framed]) -> list[Factuality]:
    """The factuality of each sentence, by that of its clauses.

    Raises:
        ConfigError: this installation has no embedded model, or no head for it.
    """
    if len(sentences) > 1:
        _opened()[0].prepare(sentences)
    return [_of_sentence(one) for one in sentences]


@lru_cache(maxsize=8192)
def _of_sentence(framed: Framed) -> Factuality:
    if framed.unticked:
        return Factuality.PLANNED
    if framed.text.rstrip(" \"”'’*_)").endswith("?"):
        return Factuality.ASKED
    return decided(parts_of(framed))


def decided(parts: Sequence[Part]) -> Factuality:
    """What a sentence is as a whole: asserted where enough of it is, else as most of it is."""
    sizes = dict.fromkeys(KINDS, 0)
    for (start, end), kind in parts:
        sizes[kind] += end - start
    asserted = sizes.pop(Factuality.ASSERTED)
    rest = sum(sizes.values())
    if asserted >= ASSERTED_SHARE * (asserted + rest):
        return Factuality.ASSERTED
    return max(sizes, key=lambda kind: sizes[kind])


@lru_cache(maxsize=8192)
def parts_of(framed: Framed) -> tuple[Part, ...]:
    """The clauses of a sentence, each with its factuality; neighbours of the same kind are one part.

    Raises:
        ConfigError: this installation has no embedded model, or no head for it.
    """
    return parts_by(*_opened(), framed)


def parts_by(reader: FrameReader, head: FactualityHead, framed: Framed) -> tuple[Part, ...]:
    """The same by a given head, whose ``narrow`` the reader uses."""
    encoded = reader(framed)
    if not encoded.spans:
        return ()
    logits = head(encoded)
    found: list[Part] = []
    for inside, (start, end) in _clauses(framed.text, encoded.spans):
        kind = _kind(logits[inside].mean(axis=0), head)
        if found and found[-1].factuality is kind:
            found[-1] = Part((found[-1].span[0], end), kind)
        else:
            found.append(Part((start, end), kind))
    return tuple(found)


def clause_spans(sentence: str) -> list[Span]:
    """The clauses of a sentence, which cover all of it."""
    reading = read(sentence)
    starts = [reading.tokens[clause.first].start for clause in reading.clauses]
    starts = [0, *starts[1:]]
    return list(zip(starts, [*starts[1:], len(sentence)], strict=True))


def chances_of(framed: Framed) -> list[dict[Factuality, float]]:
    """The probabilities of each clause of a sentence that the document asserts it, denies it, ..., in their order."""
    return chances_by(*_opened(), framed)


def chances_by(reader: FrameReader, head: FactualityHead, framed: Framed) -> list[dict[Factuality, float]]:
    """The same by a given head, whose ``narrow`` the reader uses."""
    encoded = reader(framed)
    if not encoded.spans:
        return []
    logits = head(encoded)
    return [_by_kind(logits[inside].mean(axis=0)) for inside, _ in _clauses(framed.text, encoded.spans)]


def _clauses(sentence: str, pieces: Sequence[Span]) -> Iterator[tuple[list[int], Span]]:
    """The clauses that have pieces, each with the indices of these."""
    for start, end in clause_spans(sentence):
        inside = [at for at, span in enumerate(pieces) if start <= span[0] < end]
        if inside:
            yield inside, (start, end)


def _kind(logits: NDArray[np.float32], head: FactualityHead) -> Factuality:
    """The likeliest kind, by the head's thresholds: what is not surely denied is merely not asserted."""
    chances = _by_kind(logits)
    if chances.pop(Factuality.ASSERTED) >= head.asserted_at:
        return Factuality.ASSERTED
    if chances[Factuality.DENIED] < head.denied_at:
        del chances[Factuality.DENIED]
    return max(chances, key=lambda kind: chances[kind])


def _by_kind(logits: NDArray[np.float32]) -> dict[Factuality, float]:
    chances = np.exp(logits - logits.max())
    return dict(zip(KINDS, (chances / chances.sum()).tolist(), strict=True))


@lru_cache(maxsize=1)
def _opened() -> tuple[FrameReader, FactualityHead]:
    model = embedded_model("verifier_signals", "nli")
    if model is None or model.encoder is None:
        raise ConfigError(
            "whether a document asserts a sentence is read by the embedded model, which is missing"
        )
    head = FactualityHead(FOLDER, model.fingerprint())
    return FrameReader(model.tokenizer, model.encoder, narrow=head.narrow), head
