"""SARIF 2.1.0 (OASIS, 2020), for code scanning and for editors."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, ClassVar
from urllib.parse import quote

from verifier.core.release import RELEASE
from verifier.interfaces.formats.base import Checked, Format, Run, Unread
from verifier.interfaces.formats.findings import RULES, Finding, State, findings
from verifier.interfaces.formats.totals import unread_line
from verifier.types import Evidence
from verifier.verification.explanation.reasons import locate
from verifier.verification.render.json import dumps

__all__ = ["SarifFormat"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {State.FAILS: "error", State.ERROR: "error", State.DOUBTFUL: "warning", State.KNOWN: "error"}
_STATES = {"new": "new", "worse": "updated", "better": "updated", "same": "unchanged"}
_RULES = [rule for rule in RULES if rule not in ("supported", "abstained")]


class SarifFormat(Format):
    """A result for each claim that fails, could not be checked or is not supported, with its evidence as related
    locations. Rules are the verdicts. A file that could not be read is a notification of the run."""

    suffix: ClassVar[str] = ".sarif"

    def render(self, run: Run) -> str:
        """The log, indented."""
        driver = {"name": "verifier", "semanticVersion": RELEASE, "rules": [*map(_rule, _RULES)]}
        invocation = {
            "executionSuccessful": not run.incomplete,
            "toolExecutionNotifications": [*map(_notification, run.unread)],
        }
        log = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": [result for text in run.checked for result in _results(text)],
        }
        return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [log]}, indent=2)


def _rule(name: str) -> dict[str, Any]:
    return {"id": name, "shortDescription": {"text": RULES[name]}}


def _notification(unread: Unread) -> dict[str, Any]:
    told: dict[str, Any] = {"level": "error", "message": {"text": unread_line(unread)}}
    if unread.path:
        told["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(unread.path)}}]
    return told


def _results(text: Checked) -> Iterator[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for finding in findings(text):
        if finding.state not in _LEVELS:
            continue
        key = f"{finding.rule}\n{' '.join(finding.text.split())}"
        seen[key] += 1
        state = {"baselineState": _STATES[finding.kind]} if finding.kind else {}
        yield state | {
            "ruleId": finding.rule,
            "ruleIndex": _RULES.index(finding.rule),
            "level": _LEVELS[finding.state],
            "message": {"text": _message(finding)},
            "locations": [_location(text, finding)],
            "relatedLocations": _related(finding),
            "partialFingerprints": {"claim/v1": _digest(f"{key}\n{seen[key]}")},
        }


def _message(finding: Finding) -> str:
    return f"{finding.message}\n{finding.text}" if finding.text else finding.message


def _location(text: Checked, finding: Finding) -> dict[str, Any]:
    """The file with the lines of the finding; a name where there is no file."""
    if text.path is None:
        return {"logicalLocations": [{"name": text.name}]}
    place: dict[str, Any] = {"artifactLocation": _artifact(text.path)}
    span = text.span(finding.start, finding.end)
    if span is not None:
        (line, column), (end_line, end_column) = span
        place["region"] = {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": end_column,
        }
    return {"physicalLocation": place}


def _related(finding: Finding) -> list[dict[str, Any]]:
    evidence = finding.claim.evidence if finding.claim else ()
    return [_evidence(number, item) for number, item in enumerate(evidence, 1)]


def _evidence(number: int, item: Evidence) -> dict[str, Any]:
    """A passage by its document's name, with characters: the document is a text that was read, lines or not."""
    region = {"charOffset": item.start, "charLength": item.end - item.start, "snippet": {"text": item.text}}
    place = {"artifactLocation": {"uri": quote(item.source)}, "region": region}
    return {"id": number, "message": {"text": f"evidence: {locate(item)}"}, "physicalLocation": place}


def _artifact(path: str) -> dict[str, str]:
    if PurePath(path).is_absolute():
        return {"uri": PurePath(path).as_uri()}
    return {"uri": quote(PurePath(path).as_posix()), "uriBaseId": "%SRCROOT%"}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
