"""The command tree, and the one place where errors become a line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, ClassVar, NoReturn

import typer

from verifier import __version__
from verifier.core.errors import VerifierError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.grouped import Grouped, Place
from verifier.interfaces.cli.output import StdoutFailed, discard, flush_stdout, note, open_closed_streams

__all__ = ["main"]

INTERRUPTED = 130
"""What shells give for a process that Ctrl-C has ended."""

CHECK, KNOWLEDGE, MEASURE = "Check a text", "Knowledge base", "Measure"
GENERATE, SERVE, SETUP = "Generate, with checks", "Serve", "Setup"

_PANELS = {
    CHECK: "verify report batch recheck explain review rate:app",
    KNOWLEDGE: "ingest search kb:app",
    MEASURE: "evaluate calibrate compare readers:app checks:app",
    GENERATE: "ask stream consistency gate:app",
    SERVE: "serve mcp keys:app",
    SETUP: "doctor config:app",
}
"""The commands by what they are for, in the order of help: each is the function of its name, in the module of its name,
or the group ``app`` in there."""


def _place(told: str, panel: str) -> tuple[str, Place]:
    name, _, attribute = told.partition(":")
    return name, Place(f"verifier.interfaces.cli.{name}", attribute or name, panel)


class _Commands(Grouped):
    places: ClassVar = dict(
        _place(told, panel) for panel, all_told in _PANELS.items() for told in all_told.split()
    )


app = typer.Typer(
    name="verifier",
    cls=_Commands,
    help="Check a text against your documents, claim by claim.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would take "[default: kb]" for markup and drop it
)


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
    """Entry point: never a traceback for what a user can cause, and no exit code but those of ``exits``."""
    open_closed_streams()
    try:
        try:
            app()
        finally:
            flush_stdout()
    except VerifierError as error:
        _stop(f"error: {error}", exits.of_error(error))
    except KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)
    except StdoutFailed as error:
        discard(sys.stdout)
        # A reader that has seen enough (``verifier search ... | head``) needs no message.
        _stop("" if error.reader_gone else f"error: {error}", exits.INCOMPLETE)
    except Exception as error:
        # A defect of ours. Python's own way out is exit 1, which would read as "rejected by the gate".
        if os.environ.get("VERIFIER_DEBUG"):
            raise
        message = f"internal error: {type(error).__name__}: {error} (VERIFIER_DEBUG=1 shows where)"
        _stop(message, exits.INCOMPLETE)


def _stop(message: str, code: int) -> NoReturn:
    note(message, quiet=not message)
    sys.exit(code)
