"""The command without a process of its own, for tests that need it often: what it prints, and its exit code."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from click.testing import Result
from typer.testing import CliRunner

from verifier.interfaces.cli.app import app

__all__ = ["LIGHT", "inside"]

LIGHT = {"VERIFIER_SIGNALS__NLI": "false", "VERIFIER_BACKEND__TYPE": "bm25", "COLUMNS": "100"}
"""Rules alone, and words alone: for tests in which the models are not the point."""


def inside(folder: Path, *arguments: str | Path, stdin: str = "") -> Result:
    """Run the command in a folder, with ``LIGHT``; an error of ours is the result's ``exception``."""
    with chdir(folder):
        return CliRunner().invoke(app, [*map(str, arguments)], input=stdin, env=LIGHT)
