"""Define what an engine is: it takes pending rows and gives the outcome of each, in order."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Protocol

from verifier.config import Settings
from verifier.core.database_url import is_database_url
from verifier.core.errors import ConfigError
from verifier.interfaces.batch.checking import error_record
from verifier.interfaces.batch.rows import Refused, Row

__all__ = ["Engine", "Outcome", "Outcomes", "Pending", "refusal", "setup_of"]

Pending = tuple[Row | Refused, str]
"""A row with its digest."""

Outcome = dict[str, Any]
"""What a record says beside number, id and digest of its row."""

Outcomes = Generator[tuple[Pending, Outcome], None, None]

_OF_A_JOB = (
    ("llm", "requests_per_minute"),
    ("llm", "tokens_per_minute"),
    ("reader", "max_requests"),
    ("reader", "max_tokens"),
    ("reader", "max_cost"),
    ("reader", "workers"),
)
"""Settings that bound what a whole job asks of a chat model."""


class Engine(Protocol):
    """Has rows checked by several processes. Reading, resuming and writing are none of its concern."""

    def outcomes(self, pending: Iterable[Pending]) -> Outcomes:
        """Each row with its outcome, in the order of the rows; only so many rows are held at a time.

        Closing the iterator ends the work.

        Raises:
            VerifierError: no other row would fare better.
        """
        ...


def refusal(row: Refused) -> Outcome:
    """The outcome of a row that cannot be checked."""
    return error_record("row", row.reason)


def setup_of(settings: Settings, workers: int) -> dict[str, Any]:
    """The configuration of one of ``workers`` workers, as JSON values.

    The knowledge base is named by its full path. What bounds the requests to a chat model is for the whole job: each
    worker gets its share.

    Raises:
        ConfigError: a bound is too low to be shared.
    """
    told = settings.whole()
    if not is_database_url(settings.kb.path):
        told["kb"]["path"] = str(Path(settings.kb.path).resolve())
    for section, name in _OF_A_JOB:
        bound = (told.get(section) or {}).get(name)
        if bound is not None:
            told[section][name] = _share(f"{section}.{name}", bound, workers)
    return told


def _share(name: str, bound: float, workers: int) -> float:
    """What one worker may take of a bound: whole where the bound is."""
    if not isinstance(bound, int):
        return bound / workers
    if bound < workers:
        raise ConfigError(f"{name} is {bound}, which {workers} workers cannot share: take --workers {bound}")
    return bound // workers
