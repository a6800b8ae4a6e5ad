"""``verifier config``: the effective configuration, and where each value comes from."""

from __future__ import annotations

import json

import typer

from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    configuration,
)
from verifier.interfaces.cli.output import write_text

__all__ = ["app"]

app = typer.Typer(help="The effective configuration.", no_args_is_help=True)


@app.command("show")
def show(
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
) -> None:
    """Print every value with its origin: default, a file, the environment, or the command line."""
    from verifier.factory import backend_description

    configured = configuration(config, kb, namespace)
    described = backend_description(configured.settings.backend)
    if json_:
        rows = [{"key": key, "value": value, "origin": origin} for key, value, origin in configured.rows()]
        file = None if configured.file is None else str(configured.file)
        write_text(json.dumps({"file": file, "values": rows, "backend": described}, indent=2) + "\n", None)
        return
    lines = [f"{key} = {json.dumps(value)}  # {origin}" for key, value, origin in configured.rows()]
    lines.append(f"# file: {configured.file or 'none'}")
    lines.append(f"# the backend, with all its defaults: {json.dumps(described)}")
    write_text("\n".join(lines) + "\n", None)


@app.callback()
def _config() -> None:
    """The effective configuration."""
