"""The command tree, and the one place where errors become a line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from verifier import __version__
from verifier.core.errors import VerifierError
from verifier.interfaces.cli import config, doctor, evaluate, exits, ingest, kb, search, verify

__all__ = ["main"]

app = typer.Typer(
    name="verifier",
    help="Check a text against your documents, claim by claim.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("ingest")(ingest.ingest)
app.command("verify")(verify.verify)
app.command("search")(search.search)
app.add_typer(kb.app, name="kb")
app.command("evaluate")(evaluate.evaluate)
app.command("calibrate")(evaluate.calibrate)
app.add_typer(config.app, name="config")
app.command("doctor")(doctor.doctor)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"verifier {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Check a text against your documents, claim by claim."""


def main() -> None:
    """Entry point: never a traceback for what a user can cause."""
    try:
        app()
    except VerifierError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(exits.of_error(error))
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (``verifier search ... | head``); leave nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(exits.OK)
    except Exception as error:
        # A defect of ours. Python's own way out is exit 1, which would read as "rejected by the gate".
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        typer.echo(f"internal error: {type(error).__name__}: {error} (VERIFIER_DEBUG=1 shows where)", err=True)
        sys.exit(exits.INCOMPLETE)
