"""One JSON object, or lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from verifier.interfaces.formats.base import Checked, Format, Run
from verifier.interfaces.formats.findings import findings
from verifier.verification.render.json import dumps
from verifier.verification.report import in_detail, to_json

__all__ = ["JsonFormat", "JsonLinesFormat"]


class JsonFormat(Format):
    """One text: its report (``docs/report.schema.json``). Several: ``approved``, ``texts`` with a name and a report
    each, and ``unread``. With a baseline each report, or text, has ``baseline`` beside it."""

    suffix: ClassVar[str] = ".json"

    def render(self, run: Run) -> str:
        """The run, indented."""
        if not run.several and len(run.checked) == 1:
            return dumps(_report(run, run.checked[0]) | _baseline(run.checked[0]), indent=2)
        texts = [{"name": text.name, "report": _report(run, text), **_baseline(text)} for text in run.checked]
        return dumps({"approved": run.passes, "texts": texts, "unread": _unread(run)}, indent=2)


class JsonLinesFormat(Format):
    """A line a claim, then one of its report; of several texts each line names its own, and the last is the run's."""

    suffix: ClassVar[str] = ".jsonl"

    def render(self, run: Run) -> str:
        """The run, a JSON object a line, told apart by ``type``."""
        lines = [line for text in run.checked for line in _lines(run, text)]
        if run.several or not run.checked:
            lines.append({"type": "run", "approved": run.passes, "unread": _unread(run)})
        return "".join(map(dumps, lines))


def _report(run: Run, text: Checked) -> dict[str, Any]:
    """The report of a text in the detail of the run."""
    return to_json(in_detail(text.report, run.detail))


def _lines(run: Run, text: Checked) -> Iterator[dict[str, Any]]:
    whole = _report(run, text)
    name = {"name": text.name} if run.several else {}
    for claim in whole.pop("claims"):
        yield {"type": "claim", **name, **claim}
    yield {"type": "report", **name, **whole, **_baseline(text)}


def _baseline(text: Checked) -> dict[str, Any]:
    """What got worse, and each claim whose verdict has changed; nothing without a baseline."""
    if text.changes is None:
        return {}
    changed = [
        {
            "text": one.text,
            "start": one.start,
            "kind": one.kind,
            "was": one.was,
            "is": one.rule,
        }
        for one in findings(text)
        if one.claim and one.kind in ("worse", "better")
    ]
    return {"baseline": {"passes": text.passes, "reasons": [*text.changes.reasons], "changed": changed}}


def _unread(run: Run) -> list[dict[str, str]]:
    return [{"name": unread.name, "reason": unread.reason} for unread in run.unread]
