"""GitHub's workflow commands, which mark the claims in the files of a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from verifier.core.visible import one_line, visible
from verifier.interfaces.formats.base import Checked, Format, Run, Unread
from verifier.interfaces.formats.findings import Finding, State, findings
from verifier.interfaces.formats.totals import baseline_lines, total_line, unread_line
from verifier.verification.grounded import claim_lines

__all__ = ["GitHubFormat"]

_COMMANDS = {State.FAILS: "error", State.ERROR: "error", State.DOUBTFUL: "warning", State.KNOWN: "notice"}


class GitHubFormat(Format):
    """An ``error`` for what fails or could not be checked, a ``warning`` for what is not supported, a line for all.

    What fails as in the baseline is a ``notice``. GitHub shows the first ten of each kind of a step; the log has all.
    """

    suffix: ClassVar[str] = ".txt"

    def render(self, run: Run) -> str:
        """One command a line."""
        lines = [*map(_of_unread, run.unread), *(line for text in run.checked for line in _of_text(text))]
        told = [f"verifier: {text.name}: {line}" for text in run.checked for line in baseline_lines(text)]
        return visible("".join(f"{line}\n" for line in [*lines, *told, f"verifier: {total_line(run)}"]))


def _of_text(text: Checked) -> Iterator[str]:
    for finding in findings(text):
        if finding.state in _COMMANDS:
            place = {"file": text.path} if text.path else {}
            title = f"{finding.rule.replace('-', ' ')}: {_short(finding.text or text.name)}"
            yield _command(
                _COMMANDS[finding.state], place | _region(text, finding), title, _said(finding, text)
            )


def _of_unread(unread: Unread) -> str:
    place = {"file": unread.path} if unread.path else {}
    return _command("error", place, "could not be read", unread_line(unread))


def _region(text: Checked, finding: Finding) -> dict[str, str]:
    """Lines, and columns where it stands on one line: GitHub takes no others. An end is the last that belongs to it."""
    span = text.span(finding.start, max(finding.end - 1, finding.start))
    if span is None:
        return {}
    first, last = span
    lines = {"line": str(first.line), "endLine": str(last.line)}
    columns = {"col": str(first.column), "endColumn": str(last.column)}
    return lines if first.line != last.line else lines | columns


def _said(finding: Finding, text: Checked) -> str:
    place = "" if text.path else f"{text.name}: "
    told = "\n".join(claim_lines(finding.claim)) if finding.claim else f"{finding.message}: {finding.text}"
    return place + told


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"


def _command(name: str, place: dict[str, str], title: str, message: str) -> str:
    values = ",".join(f"{key}={_value(value)}" for key, value in (place | {"title": title}).items())
    return f"::{name} {values}::{_escaped(visible(message))}"


def _value(text: str) -> str:
    """What stands in a command's head, where a colon and a comma part things."""
    return _escaped(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
