"""Tables for the terminal, in colour where the terminal has it."""

from __future__ import annotations

import io
from typing import ClassVar

from rich.console import Console
from rich.text import Text

from verifier.core.visible import one_line, visible
from verifier.interfaces.formats.base import Format, Run
from verifier.interfaces.formats.totals import baseline_lines, total_line, unread_line
from verifier.verification.render.table import LEAST, WIDTH, print_table

__all__ = ["WIDTH", "TextFormat"]


class TextFormat(Format):
    """The table of each text; of several each under its name, then a line for all."""

    suffix: ClassVar[str] = ".txt"

    def render(self, run: Run, width: int = WIDTH) -> str:
        """Plain text, ``width`` columns wide, though never below 40."""
        out = io.StringIO()
        self.print(run, Console(file=out, width=max(width, LEAST), no_color=True, highlight=False))
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())

    def print(self, run: Run, console: Console) -> None:
        """The same on a console, with its width and its colours."""
        for text in run.checked:
            if run.several:
                console.print(Text(one_line(text.name), style="bold underline"))
            print_table(text.report, console)
            for line in baseline_lines(text):
                console.print(Text(visible(line), style="bold"))
            if run.several:
                console.print()
        for unread in run.unread:
            console.print(Text(one_line(unread_line(unread)), style="bold red"))
        if run.several:
            console.print(Text(total_line(run), style="bold green" if run.passes else "bold red"))
