"""Anthropic's Message Batches API: a list of requests in, a stream of results out, within 24 hours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verifier.core.chat.anthropic import AnthropicChat
from verifier.core.chat.batching.types import (
    CANCELLED,
    CLOCKS_DIFFER,
    EXPIRED,
    BatchState,
    Outcome,
    named,
    settled,
)
from verifier.core.chat.types import ChatRequest
from verifier.core.errors import LLMUnavailable

__all__ = ["AnthropicBatches"]

_STATUS: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status with which the same error comes alone; any other is 500."""

_UNANSWERED = {"expired": EXPIRED, "canceled": CANCELLED}


class AnthropicBatches(AnthropicChat):
    """A model behind the Messages API, with its batch endpoint; see :class:`BatchModel`.

    The API takes 100,000 requests and 256 MB a batch. A batch is sent from memory, so that here it has 64 MB at most.
    """

    marks = False
    most_requests = 100_000
    most_bytes = 64_000_000

    def line(self, name: str, request: ChatRequest) -> str:
        """See :class:`BatchModel`."""
        params = self._keywords(request)
        params.pop("extra_headers", None)
        params |= params.pop("extra_body", {})
        return json.dumps({"custom_id": name, "params": params})

    def submit(self, name: str, lines: Path) -> str:  # noqa: ARG002 - a batch of this vendor carries no name
        """See :class:`BatchModel`."""
        with open(lines, "rb") as file:
            requests = [json.loads(line) for line in file]
        warm = any("temperature" in one["params"] for one in requests)
        with self._translated():
            batch = self._client.messages.batches.create(
                requests=requests, extra_headers=self.version_with_temperature if warm else None
            )
            return named(batch.id)

    def candidates(self, name: str, requests: int, since: float) -> list[str]:  # noqa: ARG002
        """See :class:`BatchModel`; a batch of this vendor carries no name: which it is, its results tell."""
        found = []
        with self._translated():
            for batch in self._client.messages.batches.list(limit=100):
                if batch.created_at.timestamp() < since - CLOCKS_DIFFER:
                    break
                if _counted(batch.request_counts) == requests:
                    found.append(named(batch.id))
        return found

    def state(self, batch: str) -> BatchState:
        """See :class:`BatchModel`."""
        with self._translated():
            found = self._client.messages.batches.retrieve(batch)
            counts = found.request_counts
            ended = named(found.processing_status) == "ended"
            return BatchState(ended, _counted(counts) - counts.processing)

    def results(self, batch: str) -> Iterator[tuple[str, Outcome]]:
        """See :class:`BatchModel`."""
        with self._translated():
            for said in self._client.messages.batches.results(batch):
                yield named(said.custom_id), settled(self._outcome, said.result, self._translated)

    def cancel(self, batch: str) -> None:
        """See :class:`BatchModel`."""
        with self._translated():
            self._client.messages.batches.cancel(batch)

    def _outcome(self, result: Any) -> Outcome:
        if result.type in _UNANSWERED:
            return LLMUnavailable(_UNANSWERED[result.type])
        if result.type == "errored":
            error = result.error.error
            return self._of_answer(_STATUS.get(error.type, 500), str(error), {})
        return self._read(result.message)


def _counted(counts: Any) -> int:
    """All requests of a batch."""
    return int(counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired)
