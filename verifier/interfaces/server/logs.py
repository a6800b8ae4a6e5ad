"""One line of JSON for each request, on stderr: what was asked for, by whom, what came of it. No text of anybody's."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

from verifier.core.errors import (
    BackendUnavailable,
    ConfigError,
    KnowledgeBaseError,
    LLMUnavailable,
    MissingExtra,
    StateUnavailable,
    VerifierError,
)

__all__ = ["LOG", "log_failure", "log_to_stderr"]

LOG = logging.getLogger("verifier.server")

_FIELDS = ("request_id", "method", "route", "status", "milliseconds", "owner", "client", "error", "detail")

_PLAIN = (
    ConfigError,
    MissingExtra,
    KnowledgeBaseError,
    BackendUnavailable,
    LLMUnavailable,
    StateUnavailable,
)
"""Errors whose message speaks of the server and its configuration alone; those of others may quote a text."""


def log_failure(error: BaseException, code: str, request_id: str | None = None) -> None:
    """Tell the operator what a client is not told: the message where it is ours, and where it happened."""
    detail = str(error) if isinstance(error, _PLAIN) else None
    known = isinstance(error, VerifierError)
    LOG.error(
        "failed",
        exc_info=None if known and detail else error,
        extra={"request_id": request_id, "error": code, "detail": detail},
    )


class _Lines(logging.Formatter):
    """Records become lines. Of other libraries' records only the name is kept: their messages may hold anything."""

    def format(self, record: logging.LogRecord) -> str:
        ours = record.name.split(".")[0] in {"verifier", "uvicorn"} and record.name != "verifier.guard.rating"
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage() if ours else record.name,
        }
        line |= {name: getattr(record, name) for name in _FIELDS if getattr(record, name, None) is not None}
        if record.exc_info and record.exc_info[1] is not None:
            line["trace"] = _trace(record.exc_info[1])
        return json.dumps(line)


def _trace(error: BaseException) -> list[str]:
    """Types and places of an error and its causes, without their messages, which may quote a user's text."""
    lines: list[str] = []
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        lines.append(f"{type(at).__module__}.{type(at).__qualname__}")
        frames = traceback.extract_tb(at.__traceback__)
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return lines


def log_to_stderr() -> None:
    """Send the server's lines, and those of the libraries under it that matter, to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    logging.captureWarnings(True)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name, level in (("verifier", logging.INFO), ("uvicorn.error", logging.WARNING)):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [], True
        log.setLevel(level)
