"""What a vendor's batch endpoint takes and gives; the protocol that every one of them follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest
from verifier.core.errors import LLMError

__all__ = ["CANCELLED", "CLOCKS_DIFFER", "EXPIRED", "BatchModel", "BatchState", "Outcome", "named", "settled"]

Outcome = ChatReply | LLMError
"""What became of one request."""

_Said = TypeVar("_Said")

EXPIRED = "the vendor's batch expired before the model answered"
CANCELLED = "the vendor's batch was cancelled before the model answered"

CLOCKS_DIFFER = 600.0
"""Seconds by which a vendor's clock may differ from ours."""


@dataclass(frozen=True)
class BatchState:
    """How far a batch is.

    Args:
        ended: whether all results that will ever come are there.
        done: requests that the vendor counts as settled; some count none before the end.
        missing: what became of requests that the results of an ended batch do not name; empty where they must name all.
        full: the batch was not taken, since the vendor's queue for the model is full.
    """

    ended: bool
    done: int = 0
    missing: str = ""
    full: bool = False


class BatchModel(ChatModel, Protocol):
    """A chat model that also takes many requests at once and answers them within 24 hours.

    All methods raise :class:`~verifier.core.errors.LLMUnavailable` where the same call may succeed later, and
    :class:`~verifier.core.errors.LLMRejected` where it will not. A request is named by whoever sends it, in at most 64
    letters, digits, ``-`` and ``_``.
    """

    marks: bool
    """Whether a batch carries the name under which it was submitted, so that :meth:`candidates` are certain."""
    most_requests: int
    """Of one batch."""
    most_bytes: int
    """Of the lines of one batch together."""

    def line(self, name: str, request: ChatRequest) -> str:
        """One request as a line of JSON.

        Raises:
            LLMRejected: it cannot be sent at all.
        """

    def submit(self, name: str, lines: Path) -> str:
        """Have the requests of a file answered; the vendor's name for the batch comes back, and is to be kept."""

    def candidates(self, name: str, requests: int, since: float) -> list[str]:
        """The vendor's names of batches of so many requests that may have been submitted under ``name``.

        Args:
            name: as :meth:`submit` had it.
            requests: how many.
            since: seconds since the epoch; older ones are left out.
        """

    def state(self, batch: str) -> BatchState:
        """How far a batch is."""

    def results(self, batch: str) -> Iterator[tuple[str, Outcome]]:
        """What became of each request of a batch that has ended, by name, in any order."""

    def cancel(self, batch: str) -> None:
        """Have no further request of a batch answered; those that were are in its results."""


def named(value: object) -> str:
    """A name that a vendor gave.

    Raises:
        TypeError: it is no text, and so no answer of the vendor's API.
    """
    if not isinstance(value, str):
        raise TypeError("the vendor's answer lacks a name")
    return value


def settled(
    read: Callable[[_Said], Outcome], said: _Said, translated: Callable[[], AbstractContextManager[None]]
) -> Outcome:
    """What one line of the results says; one that cannot be read is a failure of its request alone.

    Args:
        read: reads the line.
        said: the line.
        translated: raises as ours what is raised inside of it.
    """
    try:
        with translated():
            return read(said)
    except LLMError as error:
        return error
