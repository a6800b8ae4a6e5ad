"""The command without a process of its own, for tests that need it often: what it prints, and its exit code."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from typer.testing import CliRunner

from tests.support.cli import environment
from verifier.interfaces.cli.app import app, main

__all__ = ["LIGHT", "inside", "run"]

LIGHT = {"VERIFIER_SIGNALS__NLI": "false", "VERIFIER_BACKEND__TYPE": "bm25", "COLUMNS": "100"}
"""Rules alone, and words alone: for tests in which the models are not the point."""


def inside(folder: Path, *arguments: str | Path, stdin: str = "") -> Any:
    """Run the command in a folder, with ``LIGHT``; an error of ours is the result's ``exception``."""
    with chdir(folder):
        return CliRunner().invoke(app, [*map(str, arguments)], input=stdin, env=LIGHT)


def run(
    *arguments: str | Path, cwd: Path, stdin: str | bytes = "", **environ: str
) -> subprocess.CompletedProcess[Any]:
    """What :func:`tests.support.cli.run` gives, by the same way in (``main``), a second of processor time sooner.

    For what a process of its own adds nothing to: its start, its streams, signals and time-outs are tested there.
    """
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    command = ["verifier", *map(str, arguments)]
    with (
        chdir(cwd),
        patch.dict(os.environ, environment(cwd, environ), clear=True),
        patch.object(sys, "argv", command),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        _usual_garbage(),
    ):
        code = _exit_code()
    printed = [_taken(stream) for stream in (out, err)]
    if isinstance(stdin, str):
        return subprocess.CompletedProcess(command, code, *(one.decode() for one in printed))
    return subprocess.CompletedProcess(command, code, *printed)


def _exit_code() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    return 0


def _taken(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    written = stream.detach()
    assert isinstance(written, io.BytesIO)
    return written.getvalue()


@contextmanager
def _usual_garbage() -> Iterator[None]:
    """A program may choose how often garbage is looked for; the tests around it keep theirs."""
    before = gc.get_threshold()
    try:
        yield
    finally:
        gc.set_threshold(*before)
