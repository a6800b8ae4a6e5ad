"""``verifier keys``: API keys of the server made, listed and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.interfaces.cli.options import ConfigFile, Quiet, configuration
from verifier.interfaces.cli.output import listing, note, write_text
from verifier.interfaces.server.keys import ANYWHERE, KeyRing, Right, changing

__all__ = ["app"]

app = typer.Typer(help="API keys of the server.", no_args_is_help=True)

File = Annotated[Path | None, typer.Option("--keys", metavar="FILE", help="The keys. [default: server.keys]")]


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Whose key it is.")],
    namespaces: Annotated[
        str, typer.Option("--namespaces", metavar="A,B", help="Where it may enter; * is everywhere.")
    ] = ANYWHERE,
    rights: Annotated[
        str, typer.Option("--rights", metavar="A,B", help="Of check, write, ask and metrics.")
    ] = "check",
    keys: File = None,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """Make a key. It is printed once, on stdout; only its hash is kept."""
    path = _path(keys, config)
    entered = [part.strip() for part in namespaces.split(",") if part.strip()]
    if not name.strip() or not entered:
        raise ConfigError("a key needs a name and at least one namespace")
    given = [_right(part) for part in rights.split(",") if part.strip()]
    with changing(path):
        ring, secret = (KeyRing.load(path) if path.exists() else KeyRing()).with_new(name, entered, given)
        ring.save(path)
    write_text(secret + "\n", None)
    note(f"kept in {path} as a hash: it cannot be shown again", quiet)


@app.command("list")
def list_(keys: File = None, config: ConfigFile = None) -> None:
    """Names, namespaces and rights; never the keys."""
    ring = KeyRing.load(_path(keys, config))
    rows = [(key.name, ",".join(key.namespaces), ",".join(key.rights)) for key in ring.keys]
    write_text(listing(("name", "namespaces", "rights"), rows), None)


@app.command("remove")
def remove(name: str, keys: File = None, config: ConfigFile = None, quiet: Quiet = False) -> None:
    """Take a key back. A server that runs must be started again."""
    path = _path(keys, config)
    with changing(path):
        KeyRing.load(path).without(name).save(path)
    note(f"removed {name!r}", quiet)


def _path(given: Path | None, config: Path | None) -> Path:
    path = given or configuration(config).settings.server.keys
    if path is None:
        raise ConfigError("no file of keys: name one with --keys, or set server.keys")
    return Path(path)


def _right(name: str) -> Right:
    try:
        return Right(name.strip())
    except ValueError as error:
        raise ConfigError(f"unknown right {name.strip()!r}; known: {', '.join(Right)}") from error
