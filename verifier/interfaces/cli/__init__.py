"""The ``verifier`` command: a report on stdout, progress on stderr, an exit code."""

from __future__ import annotations

from verifier.interfaces.cli.app import main

__all__ = ["main"]
