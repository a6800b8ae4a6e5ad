"""Install an example package of ``docs/`` without network, and give the environment that finds it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["ROOT", "installed_in"]

ROOT = Path(__file__).resolve().parents[2]


def installed_in(target: Path, source: Path, example: Path) -> dict[str, str]:
    """Install the files of ``example``, copied to ``source``, into ``target``; the environment that finds them."""
    for file in example.iterdir():
        if file.is_file():
            (source / file.name).write_bytes(file.read_bytes())
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", target, source]
    subprocess.run(command, check=True, timeout=300)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(ROOT)])}
