"""OpenAI's Batch API: a file of requests in, a file of answers and one of errors out, within 24 hours."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifier.core.chat.batching.types import (
    CANCELLED,
    CLOCKS_DIFFER,
    EXPIRED,
    BatchState,
    Outcome,
    named,
    settled,
)
from verifier.core.chat.openai import OpenAIChat
from verifier.core.chat.types import ChatRequest
from verifier.core.errors import LLMRejected, LLMUnavailable

__all__ = ["OpenAIBatches"]

_ROUTE = "/v1/chat/completions"
_MARK = "claim_verifier_batch"
"""The key of a batch's metadata under which our name for it stands."""

_ENDED = {
    "completed": "",
    "expired": EXPIRED,
    "cancelled": CANCELLED,
    "failed": "the vendor did not take the batch",
}
"""States of a batch from which no other follows, and what became of requests without a result."""

_QUEUE_FULL = "token_limit_exceeded"
_UNANSWERED = {"batch_expired": EXPIRED, "batch_cancelled": CANCELLED}


class OpenAIBatches(OpenAIChat):
    """A model behind OpenAI's API, or a server that speaks it, with its batch endpoint; see :class:`BatchModel`.

    The limits are OpenAI's: 50,000 requests and 200 MB a file.
    """

    marks = True
    most_requests = 50_000
    most_bytes = 200_000_000

    def line(self, name: str, request: ChatRequest) -> str:
        """See :class:`BatchModel`."""
        body = self._keywords(request)
        return json.dumps({"custom_id": name, "method": "POST", "url": _ROUTE, "body": body})

    def submit(self, name: str, lines: Path) -> str:
        """See :class:`BatchModel`; where it breaks off before the batch is made, a file stays with the vendor."""
        with self._translated(), open(lines, "rb") as file:
            uploaded = self._client.files.create(file=(f"{name}.jsonl", file), purpose="batch")
            batch = self._client.batches.create(
                input_file_id=named(uploaded.id),
                endpoint=_ROUTE,
                completion_window="24h",
                metadata={_MARK: name},
            )
            return named(batch.id)

    def candidates(self, name: str, requests: int, since: float) -> list[str]:  # noqa: ARG002
        """See :class:`BatchModel`; the batch carries its name, so that none but it is found."""
        with self._translated():
            for batch in self._client.batches.list(limit=100):
                if batch.created_at < since - CLOCKS_DIFFER:
                    break
                if (batch.metadata or {}).get(_MARK) == name:
                    return [named(batch.id)]
            return []

    def state(self, batch: str) -> BatchState:
        """See :class:`BatchModel`."""
        with self._translated():
            found = self._client.batches.retrieve(batch)
            status = named(found.status)
            counts = found.request_counts
            done = counts.completed + counts.failed if counts is not None else 0
            codes = {error.code for error in found.errors.data or ()} if found.errors is not None else set()
        return BatchState(status in _ENDED, done, _ENDED.get(status, ""), _QUEUE_FULL in codes)

    def results(self, batch: str) -> Iterator[tuple[str, Outcome]]:
        """See :class:`BatchModel`."""
        with self._translated():
            found = self._client.batches.retrieve(batch)
            for file in (found.output_file_id, found.error_file_id):
                if file is not None:
                    for line in self._lines(file):
                        said = json.loads(line)
                        yield named(said["custom_id"]), settled(self._outcome, said, self._translated)

    def cancel(self, batch: str) -> None:
        """See :class:`BatchModel`."""
        with self._translated():
            self._client.batches.cancel(batch)

    def _lines(self, file: str) -> Iterator[bytes]:
        """The lines of one of the vendor's files, by way of a file here: it may be larger than memory."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "lines")
            with self._client.files.with_streaming_response.content(file) as response:
                response.stream_to_file(copy)
            with open(copy, "rb") as lines:
                yield from (line for line in lines if line.strip())

    def _outcome(self, said: dict[str, Any]) -> Outcome:
        response = said.get("response")
        if response is None:
            code = (said.get("error") or {}).get("code")
            if code in _UNANSWERED:
                return LLMUnavailable(_UNANSWERED[code])
            return LLMRejected(f"model {self.model!r} gave no answer in the batch")
        if not 200 <= response["status_code"] < 300:
            return self._of_answer(response["status_code"], response.get("body"), {})
        reply = self._package.types.chat.ChatCompletion.construct(**response["body"])
        return self._read(reply)
