"""The ``verifier`` command: arguments in, a report on stdout, progress on stderr, an exit code out."""

from __future__ import annotations

from verifier.interfaces.cli.app import main

__all__ = ["main"]
