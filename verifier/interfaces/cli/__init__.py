"""The ``verifier`` command: a report on stdout, progress on stderr, an exit code."""

from __future__ import annotations

from verifier.core.garbage import collect_rarely

__all__ = ["main"]


def main() -> None:
    """Entry point. Imports come behind the first line: what they make stays, and Python looks through it in vain."""
    collect_rarely()
    from verifier.interfaces.cli import app

    app.main()
