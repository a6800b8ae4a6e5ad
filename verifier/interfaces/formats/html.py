"""One HTML page that shows each text with its claims marked and the evidence beside them."""

from __future__ import annotations

from typing import ClassVar

from verifier.interfaces.formats.base import Checked, Format, Run
from verifier.interfaces.formats.totals import baseline_lines, total_line
from verifier.interfaces.html import View, page, view_of

__all__ = ["HtmlFormat"]


class HtmlFormat(Format):
    """One self-contained file, as of ``verifier report``; what stands around evidence needs its document."""

    suffix: ClassVar[str] = ".html"

    def render(self, run: Run) -> str:
        """The page."""
        views = [_view(text) for text in run.checked]
        title = total_line(run) if run.several else ""
        return page(
            *views, title=title, unread=[{"source": one.name, "why": one.reason} for one in run.unread]
        )


def _view(text: Checked) -> View:
    """A text; what has got worse since a baseline is the first of its notes."""
    view = view_of(text.report, text.text, name=text.name, documents=text.documents.get)
    view["notes"] = [*baseline_lines(text), *view["notes"]]
    return view
