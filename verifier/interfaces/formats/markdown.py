"""A Markdown page: for a pull request, a ticket or the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from verifier.core.visible import cell, visible
from verifier.interfaces.formats.base import Checked, Format, Run
from verifier.interfaces.formats.totals import baseline_lines, total_line, unread_line
from verifier.verification.render.markdown import render_markdown
from verifier.verification.render.summary import counts

__all__ = ["MarkdownFormat"]


class MarkdownFormat(Format):
    """The page of each text; of several, a table of them first."""

    suffix: ClassVar[str] = ".md"

    def render(self, run: Run) -> str:
        """The whole page."""
        if not run.several and len(run.checked) == 1 and not run.unread:
            return render_markdown(run.checked[0].report) + _baseline(run.checked[0])
        return visible("\n".join(_overview(run))) + "\n" + "".join(map(_section, run.checked))


def _overview(run: Run) -> Iterator[str]:
    yield f"# {total_line(run)}"
    if run.unread:
        yield ""
        yield from (f"* **{cell(unread_line(unread))}**" for unread in run.unread)
    if run.checked:
        yield from ("", "| text | decision | groundedness | claims |", "|---|---|---|---|")
    for text in run.checked:
        yield "| " + " | ".join(map(cell, _row(text))) + " |"


def _row(text: Checked) -> tuple[str, ...]:
    report = text.report
    grounded = "none" if report.groundedness is None else f"{report.groundedness:.2f}"
    return text.name, report.decision.value.replace("_", " "), grounded, counts(report)


def _section(text: Checked) -> str:
    name, page = visible(cell(text.name)), render_markdown(text.report)
    return f"\n## {name}\n\n{page.replace('# ', '### ', 1)}{_baseline(text)}"


def _baseline(text: Checked) -> str:
    lines = [f"* {visible(cell(line))}" for line in baseline_lines(text)]
    return "\n" + "\n".join(lines) + "\n" if lines else ""
