"""``verifier serve``: the HTTP server."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier.interfaces.cli.options import (
    ConfigFile,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    shared_signals,
)
from verifier.interfaces.cli.output import note

if TYPE_CHECKING:
    from verifier.config import Settings

__all__ = ["serve"]


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address. [default: 127.0.0.1]")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one. [default: 8765]")
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Make the knowledge base if there is none.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, max=256, help="Processes that answer at this address. [default: 1]"),
    ] = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Serve verification over HTTP until stopped. Other addresses than this machine's own need API keys."""
    require("uvicorn", extra="server")
    require("fastapi", extra="server")
    require("prometheus_client", extra="server")
    require("multipart", extra="server", package="python-multipart")
    configured = configuration(
        config,
        kb,
        namespace,
        quiet=quiet,
        server__host=host,
        server__port=port,
        server__processes=workers,
    )
    from verifier.config import Configuration
    from verifier.interfaces.server.fleet.sharing import with_shared_places
    from verifier.interfaces.server.logs import log_to_stderr

    settings = with_shared_places(configured.settings)
    if settings.server.processes > 1:
        listening = _bound(settings.server.host, settings.server.port)
        log_to_stderr()
        from verifier.interfaces.server.fleet.supervisor import Fleet

        told = partial(_say, settings, listening, quiet)
        raise typer.Exit(Fleet(settings, listening, create=create, begun=told).run())
    from verifier.interfaces.server.app import create_app
    from verifier.interfaces.server.fleet.board import Board
    from verifier.interfaces.server.running import run

    place = Board(1).place(0)
    shared = shared_signals(Configuration(settings, configured.origins), quiet)
    app = create_app(settings, create=create, shared=shared, place=place)
    listening = _bound(settings.server.host, settings.server.port)
    log_to_stderr()
    _say(settings, listening, quiet)
    run(app, place, settings.server, listening)


def _say(settings: Settings, listening: socket.socket, quiet: bool) -> None:
    """Where it listens; whoever waits for it reads this line."""
    address, taken = listening.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    workers = f" with {settings.server.processes} workers" if settings.server.processes > 1 else ""
    note(f"serving {settings.kb.path} on http://{shown}:{taken}{workers}", quiet)


def _bound(host: str, port: int) -> socket.socket:
    """A socket on that address.

    Raises:
        ConfigError: it is taken, or none of this machine's.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as on_failure:
            listening = on_failure.enter_context(socket.socket(found[0], socket.SOCK_STREAM))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(found[4])
            listening.listen(2048)  # from here on who connects is kept waiting, not refused
            on_failure.pop_all()
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {host}:{port}: {error.strerror}; choose another address with --host, --port"
        ) from error
    return listening
