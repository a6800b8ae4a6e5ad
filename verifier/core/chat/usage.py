"""Count tokens and what they cost: the account that a patient chat model keeps."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from verifier.core.chat.types import ChatReply
from verifier.core.errors import LLMError

__all__ = ["Account", "Prices", "Usage"]


@dataclass(frozen=True)
class Prices:
    """What a million tokens cost, in the currency that the user counts in. No list is built in: it would be stale."""

    input_per_million: float
    output_per_million: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """The price of so many tokens.

        >>> Prices(2.0, 8.0).of(1000, 500)
        0.006
        """
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / 1e6


@dataclass(frozen=True)
class Usage:
    """What was asked so far.

    ``requests`` were put to the server, ``failures`` of them brought no reply, and ``retries`` were tried again.
    ``unmetered`` replies came without token counts, so that tokens and cost are more than what stands here.
    ``cost`` is ``None`` where no prices are known.
    """

    requests: int = 0
    failures: int = 0
    retries: int = 0
    unmetered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


class Account:
    """Counts requests and what they took. Thread-safe."""

    def __init__(self, prices: Prices | None) -> None:
        self.prices = prices
        self._usage = Usage(cost=None if prices is None else 0.0)
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """What was counted so far."""
        return self._usage

    def replied(self, reply: ChatReply) -> ChatReply:
        """Count a reply; the same reply with its cost comes back."""
        metered = reply.input_tokens is not None and reply.output_tokens is not None
        cost = self._count(reply.input_tokens or 0, reply.output_tokens or 0, unmetered=0 if metered else 1)
        return replace(reply, cost=cost if metered else None)

    def streamed(self) -> None:
        """Count a reply that came in pieces: nobody tells what it took."""
        self._count(0, 0, unmetered=1)

    def failed(self, error: LLMError, *, unmetered: bool = False) -> None:
        """Count a request that brought no reply, or the beginning of one, with what it took all the same."""
        self._count(error.input_tokens, error.output_tokens, failures=1, unmetered=int(unmetered))

    def retried(self) -> None:
        """Count a request that is about to be put again."""
        with self._lock:
            self._usage = replace(self._usage, retries=self._usage.retries + 1)

    def _count(
        self, input_tokens: int, output_tokens: int, *, failures: int = 0, unmetered: int = 0
    ) -> float | None:
        cost = self.prices.of(input_tokens, output_tokens) if self.prices else None
        with self._lock:
            before = self._usage
            self._usage = replace(
                before,
                requests=before.requests + 1,
                failures=before.failures + failures,
                unmetered=before.unmetered + unmetered,
                input_tokens=before.input_tokens + input_tokens,
                output_tokens=before.output_tokens + output_tokens,
                cost=None if cost is None or before.cost is None else before.cost + cost,
            )
        return cost
