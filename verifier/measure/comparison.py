"""What a comparison of backends found, as frozen types: a row for each backend, and the claims that flip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from verifier.core.frames import Table

__all__ = ["Comparison", "Flip", "Measured", "Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim over one backend: a verdict or ``error``, and why.

    ``keyword`` says that evidence came from keyword search, since the backend found nothing.
    """

    verdict: str
    support: float | None
    confidence: float | None
    reason: str
    decided_by: str | None
    keyword: bool = False


@dataclass(frozen=True, slots=True)
class Flip:
    """A claim, and by name of the backend what became of it: not everywhere the same verdict."""

    claim: str
    outcomes: Mapping[str, Outcome]

    def grouped(self) -> dict[tuple[str, str], list[str]]:
        """Verdict and reason -> names of the backends that gave them, in their order."""
        groups: dict[tuple[str, str], list[str]] = {}
        for name, outcome in self.outcomes.items():
            groups.setdefault((outcome.verdict, outcome.reason), []).append(name)
        return groups


@dataclass(frozen=True, slots=True)
class Measured:
    """One backend's row; figures that could not be had are ``None``.

    ``error`` is why it failed, or why claims could not be judged over it. ``build_seconds`` is the time of indexing
    and saving, with the encoder already loaded; ``p50_ms`` and ``p95_ms`` are of a query asked alone, its embedding
    included. ``verdicts`` counts the claims by verdict, ``keyword`` those whose evidence keyword search had to find.
    """

    name: str
    config: Mapping[str, Any]
    error: str | None = None
    recall: float | None = None
    ndcg_at_10: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    index_bytes: int | None = None
    build_seconds: float | None = None
    verdicts: Mapping[str, int] = field(default_factory=dict)
    keyword: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Backends compared over the same passages, queries and claims.

    ``recall_against`` says what recall is a share of: ``labels``, the exact search of one of the backends, or what
    any of them found. ``claims`` is ``None`` where none were judged; ``skipped`` counts the texts without a claim.
    """

    namespace: str
    content_hash: str
    passages: int
    k: int
    queries: int
    origin: str
    labelled: int
    recall_against: str
    claims: int | None
    skipped: int
    backends: tuple[Measured, ...]
    flips: tuple[Flip, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every backend answered every query, and every claim was judged over each."""
        return not any(backend.error for backend in self.backends)

    def tables(self) -> dict[str, Table]:
        """``Backends``, a row for each with its figures and the counts of its verdicts, and ``Flips``, a row a claim
        with its verdict over each backend."""
        names = sorted({name for one in self.backends for name in one.verdicts})
        backends = [
            {
                "backend": one.name,
                "type": one.config.get("type"),
                f"recall_at_{self.k}": one.recall,
                "ndcg_at_10": one.ndcg_at_10,
                "p50_ms": one.p50_ms,
                "p95_ms": one.p95_ms,
                "index_bytes": one.index_bytes,
                "build_seconds": one.build_seconds,
                **{name: one.verdicts.get(name, 0) if one.verdicts else None for name in names},
                "error": one.error,
            }
            for one in self.backends
        ]
        flips = [
            {"claim": flip.claim, **{name: outcome.verdict for name, outcome in flip.outcomes.items()}}
            for flip in self.flips
        ]
        return {"Backends": Table(backends), "Flips": Table(flips)}

    def to_df(self) -> Any:
        """A pandas ``DataFrame`` with a row for each backend.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return self.tables()["Backends"].to_df()

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return asdict(self)
