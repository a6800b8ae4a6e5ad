"""A reader that asks the reader below only about what it has not read before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from verifier.core.cache import CacheKey, Codec, ScoreCache
from verifier.readers.base import Reader
from verifier.readers.types import Answer, Call, Case, Foretold, Piece, Quotation, Reading, State

__all__ = ["READINGS", "CachedReader"]


class CachedReader(Reader):
    """Keeps settled readings under all that they depend on: the reader's identity, the claim, and its evidence.

    A kept reading carries the calls that it once took, so that the same inputs give the same report. Failures and
    abstentions are not kept.

    Args:
        inner: the reader that is asked.
        cache: where readings are kept.
    """

    def __init__(self, inner: Reader, cache: ScoreCache[Reading]) -> None:
        self.inner, self.cache, self.traits = inner, cache, inner.traits

    @property
    def identity(self) -> str:
        """The inner reader's: a cache changes no answer."""
        return self.inner.identity

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """Kept readings, and the inner reader's of the rest."""
        found = self._kept(cases)
        return self._with(cases, found, self.inner.read([case for case in cases if case not in found]))

    async def aread(self, cases: Sequence[Case]) -> list[Reading]:
        """The same as :meth:`read`, for an event loop."""
        found = self._kept(cases)
        return self._with(cases, found, await self.inner.aread([case for case in cases if case not in found]))

    def foretell(self, cases: Sequence[Case]) -> Foretold:
        """What the inner reader would take for what is not kept."""
        found = self._kept(cases)
        return self.inner.foretell([case for case in cases if case not in found])._replace(cases=len(cases))

    def _kept(self, cases: Sequence[Case]) -> dict[Case, Reading]:
        kept = {case: self.cache.get(self._key(case)) for case in dict.fromkeys(cases)}
        return {case: reading for case, reading in kept.items() if reading is not None}

    def _with(
        self, cases: Sequence[Case], found: dict[Case, Reading], fresh: Sequence[Reading]
    ) -> list[Reading]:
        asked = [case for case in cases if case not in found]
        for case, reading in zip(asked, fresh, strict=False):
            if reading.state is State.SETTLED:
                self.cache.put(self._key(case), reading)
        new = iter(fresh)
        merged = [found[case] if case in found else next(new, None) for case in cases]
        return [
            reading for reading in merged if reading is not None
        ]  # one too few is for whoever asked to see

    def _key(self, case: Case) -> CacheKey:
        return CacheKey(
            prompt=case.objection,
            response=case.claim,
            revision=_hash_of(case.pieces),
            fingerprint=self.identity,
        )


def _hash_of(pieces: Sequence[Piece]) -> str:
    said = json.dumps([[piece.label, piece.text] for piece in pieces])
    return hashlib.sha256(said.encode()).hexdigest()


def _to_json(reading: Reading) -> dict[str, Any]:
    return {
        "answer": reading.answer,
        "probabilities": reading.probabilities,
        "quotations": [[one.piece, one.text] for one in reading.quotations],
        "pieces": reading.pieces,
        "note": reading.note,
        "disputed": reading.disputed,
        "unheard": reading.unheard,
        "calls": [[call.key, call.input_tokens, call.output_tokens, call.cost] for call in reading.calls],
    }


def _from_json(values: Any) -> Reading:
    chances = values["probabilities"]
    return Reading(
        State.SETTLED,
        Answer(values["answer"]),
        probabilities=None if chances is None else {Answer(name): value for name, value in chances.items()},
        quotations=tuple(Quotation(piece, text) for piece, text in values["quotations"]),
        pieces=tuple(values["pieces"]),
        note=values["note"],
        disputed=values["disputed"],
        unheard=values["unheard"],
        calls=tuple(Call(*call) for call in values["calls"]),
    )


READINGS: Codec[Reading] = Codec(_to_json, _from_json)
"""How settled readings become text."""
