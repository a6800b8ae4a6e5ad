"""``--baseline``: what has changed since the JSON of an earlier run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from verifier.core.errors import ConfigError
from verifier.core.reasoning import OPEN_REASONING
from verifier.interfaces.formats.base import Run
from verifier.interfaces.formats.changes import Before, BeforeClaim, compare
from verifier.types import Decision, Status, Verdict

__all__ = ["Baseline", "against", "read_baseline"]

Baseline = Mapping[str, Before]
"""What an earlier run said, by the names of its texts; the report of one text alone has the name ``""``."""


class _Place(BaseModel):
    text: str


class _Claim(_Place):
    start: int
    status: Status
    verdict: Verdict | None
    reason: str


class _Report(BaseModel):
    """What is needed of a report, in whatever detail it was written."""

    decision: Decision
    claims: list[_Claim]
    hidden: list[_Place] = []
    unknown_sources: list[_Place] = []


class _Text(BaseModel):
    name: str
    report: _Report


class _Run(BaseModel):
    texts: list[_Text]


_WRITTEN: TypeAdapter[_Run | _Report] = TypeAdapter(_Run | _Report)


def read_baseline(path: Path) -> Baseline:
    """The baseline that ``--json`` or ``--format json`` wrote.

    Raises:
        ConfigError: there is no such file, or it holds something else.
    """
    try:
        raw: Any = json.loads(path.read_bytes())
        written = _WRITTEN.validate_python(raw)
    except OSError as error:
        raise ConfigError(f"cannot read the baseline {path}: {error.strerror}") from error
    except (ValidationError, ValueError, RecursionError) as error:
        raise ConfigError(f"--baseline {path}: not a report that verify --json has written") from error
    if isinstance(written, _Report):
        return {"": _before(written)}
    return {text.name: _before(text.report) for text in written.texts}


def _before(report: _Report) -> Before:
    claims = [
        BeforeClaim(claim.text, claim.start, claim.verdict or claim.status)
        for claim in report.claims
        if claim.status is not Status.SKIPPED
    ]
    return Before(
        report.decision,
        tuple(claims),
        frozenset(one.text for one in report.hidden),
        frozenset(one.text for one in report.unknown_sources),
        any(claim.reason == OPEN_REASONING for claim in report.claims),
    )


def against(run: Run, baseline: Baseline) -> Run:
    """The run with the changes of each text; one text alone is compared with a report alone, whatever their names.

    Raises:
        ConfigError: the baseline is of one text and the run of several.
    """
    if "" in baseline and run.several:
        raise ConfigError(
            "the baseline is the report of one text; write one with the same paths: verify PATH... --json --output FILE"
        )
    checked = [
        replace(text, changes=compare(text.report, baseline.get(text.name, baseline.get(""))))
        for text in run.checked
    ]
    return replace(run, checked=tuple(checked))
