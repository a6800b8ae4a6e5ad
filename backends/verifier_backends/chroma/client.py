"""Open Chroma clients, over a folder or an address, and translate Chroma's errors into ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, VerifierError
from verifier.core.registry import require

__all__ = ["TOKEN_VARIABLE", "embedded_client", "server_client", "translated"]

TOKEN_VARIABLE = "CHROMA_API_KEY"
"""Environment variable whose value a server is shown as ``x-chroma-token``. No secret stands in a configuration."""

_BUSY = (408, 425, 429)


def embedded_client(folder: Path) -> Any:
    """Chroma in this process, over the files of ``folder``, which no other client may open.

    Chroma keeps one system a path in a table of the process and holds its vectors in memory, so that a second
    client of the same folder would not see the first one's writes, and one in another process never does.
    """
    chromadb = require("chromadb", extra="chroma")
    with translated(f"open {folder}"):
        return chromadb.PersistentClient(path=str(folder), settings=_settings())


def server_client(host: str, port: int, *, ssl: bool, tenant: str, database: str, timeout: float) -> Any:
    """A client of a running server (``chroma run``)."""
    chromadb = require("chromadb", extra="chroma")
    httpx = require("httpx", extra="chroma")
    token = os.environ.get(TOKEN_VARIABLE)
    with translated(f"reach the server at {host}:{port}"):
        # Chroma gives its sessions no time limit, has no setting for one, and asks the server on construction.
        httpx.get(f"http{'s' * ssl}://{host}:{port}/api/v2/heartbeat", timeout=timeout).raise_for_status()
        client = chromadb.HttpClient(
            host=host,
            port=port,
            ssl=ssl,
            headers={"x-chroma-token": token} if token else None,
            settings=_settings(),
            tenant=tenant,
            database=database,
        )
        for server in (client._server, client._admin_client._server):
            server._session.timeout = timeout
        return client


def _settings() -> Any:
    """No telemetry of either kind, and no ``.env`` file that happens to lie in the working directory."""
    config = require("chromadb.config", extra="chroma", package="chromadb")
    return config.Settings(_env_file=None, anonymized_telemetry=False, chroma_otel_collection_endpoint="")


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Raise what Chroma raises inside as one of our errors.

    Raises:
        BackendUnavailable: the server cannot be reached, is busy, or failed (5xx).
        BackendRejected: anything else.
    """
    try:
        yield
    except VerifierError:
        raise
    except Exception as error:
        raise _ours(what, error) from error
    except BaseException as error:
        # A panic in Chroma's native code arrives as a BaseException that is none of Python's.
        if type(error).__name__ != "PanicException":
            raise
        raise BackendRejected(f"Chroma broke while it was to {what}: {error}") from error


def _ours(what: str, error: Exception) -> BackendError:
    status = int(error.code()) if callable(getattr(error, "code", None)) else 0  # type: ignore[attr-defined]
    cause: BaseException | None = error
    while cause is not None:
        answer = getattr(cause, "__dict__", {}).get("response")
        if answer is not None:
            status = int(answer.status_code)
        elif isinstance(cause, ConnectionError | TimeoutError) or _is_of_the_network(cause):
            return BackendUnavailable(f"Chroma could not {what}: no connection, or none in time")
        cause = cause.__cause__ or cause.__context__
    if status >= 500 or status in _BUSY:
        return BackendUnavailable(f"Chroma could not {what} (status {status}): {error}")
    return BackendRejected(f"Chroma refused to {what}: {error}")


def _is_of_the_network(error: BaseException) -> bool:
    return any(f"{base.__module__}.{base.__name__}" == "httpx.TransportError" for base in type(error).__mro__)
