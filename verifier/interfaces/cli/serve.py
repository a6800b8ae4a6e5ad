"""``verifier serve``: the HTTP server."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from math import ceil
from typing import Annotated

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

__all__ = ["serve"]


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address. [default: 127.0.0.1]")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one. [default: 8765]")
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Make the knowledge base if there is none.")
    ] = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Serve verification over HTTP until stopped. Other addresses than this machine's own need API keys."""
    uvicorn = require("uvicorn", extra="server")
    require("fastapi", extra="server")
    require("prometheus_client", extra="server")
    require("multipart", extra="server", package="python-multipart")
    configured = configuration(config, kb, namespace, server__host=host, server__port=port)
    from verifier.interfaces.server.app import create_app
    from verifier.interfaces.server.connections import connections_within
    from verifier.interfaces.server.logs import log_to_stderr

    own = configured.settings.server
    app = create_app(configured.settings, create=create, shared=shared_signals(configured, quiet))
    listening = _bound(own.host, own.port)
    address, taken = listening.getsockname()[:2]
    log_to_stderr()
    shown = f"[{address}]" if ":" in address else address
    note(f"serving {configured.settings.kb.path} on http://{shown}:{taken}", quiet)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=int(own.drain_seconds) + 1,
            timeout_keep_alive=ceil(own.keep_alive_seconds),
            http=connections_within(own),
            server_header=False,
            proxy_headers=False,  # anybody could name another address than his own
            ws_max_size=own.max_body,
        )
    )
    server.run(sockets=[listening])


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
