"""JUnit XML, as Jenkins, GitLab and most other CI systems read it: a suite for each text, a case for each claim."""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from verifier.core.visible import visible
from verifier.interfaces.formats.base import Checked, Format, Run, Unread
from verifier.interfaces.formats.findings import Finding, State, findings
from verifier.verification.grounded import claim_lines
from verifier.verification.render.summary import end_line, rule_line

__all__ = ["JUnitFormat"]

_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")
"""Beside what ``visible`` spells out: lone surrogates and two code points that XML does not have."""


class JUnitFormat(Format):
    """A claim that fails is a failure, one that could not be checked and a file that could not be read an error; one
    that fails as in the baseline is skipped, one that is not supported and may pass is a pass that says so. No time is
    measured for a claim: all are 0."""

    suffix: ClassVar[str] = ".xml"

    def render(self, run: Run) -> str:
        """The XML document."""
        root = Element("testsuites", name="verifier")
        for text in run.checked:
            _suite(root, text)
        for unread in run.unread:
            _unread(root, unread)
        for kind in ("tests", "failures", "errors"):
            root.set(kind, str(sum(int(suite.get(kind, 0)) for suite in root)))
        indent(root)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, text: Checked) -> None:
    found = findings(text)
    suite = SubElement(root, "testsuite", _counted(text.name, found))
    names: Counter[str] = Counter()
    for finding in found:
        name = _attribute(finding.text or finding.message)
        names[name] += 1
        numbered = name if names[name] == 1 else f"{name} ({names[name]})"
        case = SubElement(suite, "testcase", classname=_attribute(text.name), name=numbered, time="0")
        _outcome(case, finding, text)
    SubElement(suite, "system-out").text = _text(f"{end_line(text.report)}\n{rule_line(text.report)}")


def _counted(name: str, found: list[Finding]) -> dict[str, str]:
    states = Counter(one.state for one in found)
    failed, broken, known = (states[state] for state in (State.FAILS, State.ERROR, State.KNOWN))
    numbers = {"tests": len(found), "failures": failed, "errors": broken, "skipped": known}
    return {"name": _attribute(name), "time": "0"} | {key: str(number) for key, number in numbers.items()}


def _outcome(case: Element, finding: Finding, text: Checked) -> None:
    if finding.state is State.KNOWN:
        SubElement(case, "skipped", message=_attribute(f"as in the baseline: {finding.message}"))
    kinds = {State.FAILS: "failure", State.ERROR: "error", State.DOUBTFUL: "system-out"}
    if finding.state not in kinds:
        return
    told = SubElement(case, kinds[finding.state])
    told.text = _text("\n".join(_details(finding, text)))
    if finding.state is not State.DOUBTFUL:
        told.set("type", finding.rule)
        told.set("message", _attribute(finding.message))


def _details(finding: Finding, text: Checked) -> list[str]:
    """The claim, both values and the evidence, and where the claim stands."""
    span = text.span(finding.start, finding.end)
    place = f"{text.name}, line {span[0].line}, column {span[0].column}" if span else text.name
    told = list(claim_lines(finding.claim)) if finding.claim else [f"{finding.message}: {finding.text}"]
    return [place, *told]


def _unread(root: Element, unread: Unread) -> None:
    name = _attribute(unread.name)
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    suite = SubElement(root, "testsuite", {"name": name, "time": "0"} | counts)
    case = SubElement(suite, "testcase", classname=name, name="the file can be read", time="0")
    SubElement(case, "error", type="unread", message=_attribute(unread.reason)).text = _text(unread.reason)


def _text(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _attribute(text: str) -> str:
    return _text(" ".join(text.split()))
