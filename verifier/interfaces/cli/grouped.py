"""Help that lists the commands in groups, by what they are for."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

__all__ = ["Grouped"]

_LONGEST = 200
"""Code points of the sentence that stands beside a command."""


class Grouped(TyperGroup):
    """A group whose help lists commands under their ``rich_help_panel``, in the order in which they were added.

    Typer does so itself only where rich writes the help, which takes ``[default: kb]`` for markup.
    """

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section for each panel; context and formatter are typer's own."""
        del ctx
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            if not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                rows = panels.setdefault(panel if isinstance(panel, str) else "Commands", [])
                rows.append((name, command.get_short_help_str(_LONGEST)))
        widest = max(len(name) for rows in panels.values() for name, _ in rows)
        for panel, rows in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(widest), told) for name, told in rows])
