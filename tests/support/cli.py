"""The installed ``verifier`` command, run as a person runs it, without the settings of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["VERIFIER", "environment", "run"]

VERIFIER = Path(sys.executable).with_name("verifier")

_OURS = ("VERIFIER_", "COHERENCE_")


def run(
    *arguments: str | Path, cwd: Path, stdin: str | bytes = "", timeout: float | None = None, **environ: str
) -> subprocess.CompletedProcess[Any]:
    """The command's exit code and what it printed: text, or bytes where ``stdin`` is bytes.

    What it keeps in the user's cache folder goes to ``.cache`` in the working directory.
    """
    return subprocess.run(
        [VERIFIER, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=isinstance(stdin, str),
        timeout=timeout,
        check=False,
        env=environment(cwd, environ),
    )


def environment(cwd: Path, more: Mapping[str, str]) -> dict[str, str]:
    """That of whoever runs the tests, without their settings, with a cache folder in ``cwd`` and with ``more``."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(_OURS)}
    return {**inherited, "VERIFIER_CACHE_DIR": str(cwd / ".cache"), **more}
