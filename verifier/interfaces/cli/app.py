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
    rate,
    readers,
    report,
    review,
    search,
    serve,
    stream,
    verify,
)
from verifier.interfaces.cli.output import StdoutFailed, discard, flush_stdout, note, open_closed_streams

__all__ = ["main"]

INTERRUPTED = 130
"""What shells give for a process that Ctrl-C has ended."""

app = typer.Typer(
    name="verifier",
    help="Check a text against your documents, claim by claim.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would take "[default: kb]" for markup and drop it
)
app.command("ingest")(ingest.ingest)
app.command("verify")(verify.verify)
app.command("report")(report.report)
app.command("batch")(batch.batch)
app.command("search")(search.search)
app.command("explain")(explain.explain)
app.add_typer(kb.app, name="kb")
app.command("ask")(ask.ask)
app.command("consistency")(consistency.consistency)
app.add_typer(rate.app, name="rate")
app.add_typer(gate.app, name="gate")
app.command("evaluate")(evaluate.evaluate)
app.command("calibrate")(calibrate.calibrate)
app.command("compare")(compare.compare)
app.command("review")(review.review)
app.command("stream")(stream.stream)
app.command("serve")(serve.serve)
app.add_typer(keys.app, name="keys")
app.add_typer(config.app, name="config")
app.add_typer(readers.app, name="readers")
app.add_typer(checks.app, name="checks")
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
