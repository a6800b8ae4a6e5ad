"""The command tree, and the one place where errors become a line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from verifier import __version__
from verifier.core.errors import VerifierError
from verifier.core.garbage import collect_rarely
from verifier.interfaces.cli import (
    ask,
    batch,
    calibrate,
    checks,
    compare,
    config,
    consistency,
    doctor,
    evaluate,
    exits,
    explain,
    gate,
    ingest,
    kb,
    keys,
    mcp,
    rate,
    readers,
    recheck,
    report,
    review,
    search,
    serve,
    stream,
    verify,
)
from verifier.interfaces.cli.grouped import Grouped
from verifier.interfaces.cli.output import StdoutFailed, discard, flush_stdout, note, open_closed_streams

__all__ = ["main"]

INTERRUPTED = 130
"""What shells give for a process that Ctrl-C has ended."""

app = typer.Typer(
    name="verifier",
    cls=Grouped,
    help="Check a text against your documents, claim by claim.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would take "[default: kb]" for markup and drop it
)
CHECK, KNOWLEDGE, MEASURE = "Check a text", "Knowledge base", "Measure"
GENERATE, SERVE, SETUP = "Generate, with checks", "Serve", "Setup"

app.command("verify", rich_help_panel=CHECK)(verify.verify)
app.command("report", rich_help_panel=CHECK)(report.report)
app.command("batch", rich_help_panel=CHECK)(batch.batch)
app.command("recheck", rich_help_panel=CHECK)(recheck.recheck)
app.command("explain", rich_help_panel=CHECK)(explain.explain)
app.command("review", rich_help_panel=CHECK)(review.review)
app.add_typer(rate.app, name="rate", rich_help_panel=CHECK)
app.command("ingest", rich_help_panel=KNOWLEDGE)(ingest.ingest)
app.command("search", rich_help_panel=KNOWLEDGE)(search.search)
app.add_typer(kb.app, name="kb", rich_help_panel=KNOWLEDGE)
app.command("evaluate", rich_help_panel=MEASURE)(evaluate.evaluate)
app.command("calibrate", rich_help_panel=MEASURE)(calibrate.calibrate)
app.command("compare", rich_help_panel=MEASURE)(compare.compare)
app.add_typer(readers.app, name="readers", rich_help_panel=MEASURE)
app.add_typer(checks.app, name="checks", rich_help_panel=MEASURE)
app.command("ask", rich_help_panel=GENERATE)(ask.ask)
app.command("stream", rich_help_panel=GENERATE)(stream.stream)
app.command("consistency", rich_help_panel=GENERATE)(consistency.consistency)
app.add_typer(gate.app, name="gate", rich_help_panel=GENERATE)
app.command("serve", rich_help_panel=SERVE)(serve.serve)
app.command("mcp", rich_help_panel=SERVE)(mcp.mcp)
app.add_typer(keys.app, name="keys", rich_help_panel=SERVE)
app.command("doctor", rich_help_panel=SETUP)(doctor.doctor)
app.add_typer(config.app, name="config", rich_help_panel=SETUP)


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
    collect_rarely()
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
