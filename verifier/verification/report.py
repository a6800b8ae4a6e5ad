"""Claim verdicts in; the report with its decision, groundedness and coverage out, and its published JSON form."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from verifier.core.errors import ConfigError
from verifier.core.reasoning import OPEN_REASONING
from verifier.types import ClaimVerdict, Decision, ReaderUse, Report, Status, Verdict

__all__ = ["build_report", "from_json", "json_schema", "to_json"]

N = TypeVar("N", int, float)

DIGITS = 6
"""Decimal places of numbers in the JSON form: the same bytes on machines whose last bits differ."""


def build_report(
    response: str,
    claims: Sequence[ClaimVerdict],
    *,
    fail_on: Collection[str],
    min_groundedness: float,
    notes: Sequence[str] = (),
    kb: Mapping[str, object] | None = None,
    config: Mapping[str, object] | None = None,
    reader: str | None = None,
) -> Report:
    """Gather the verdicts of one response and apply the gate.

    ``groundedness`` is the share of checked claims that are supported; what abstains counts neither for nor against
    it. The response is approved when no
    claim's verdict is in ``fail_on``, none is in error, none is in a script that the models cannot read, and
    groundedness is at least ``min_groundedness``. With no checked claim and no error there is nothing to check.
    ``reader`` is the identity of the reader that was there to be asked, if any.
    """
    checked = [claim for claim in claims if claim.status is Status.CHECKED]
    errors = [claim for claim in claims if claim.status is Status.ERROR]
    supported = sum(claim.verdict is Verdict.SUPPORTED for claim in checked)
    groundedness = supported / len(checked) if checked else None
    whole = all(claim.reason != OPEN_REASONING for claim in claims)
    failing = [claim for claim in checked if claim.verdict in fail_on or claim.decided_by == "language"]
    if not checked and not errors:
        decision = Decision.NOTHING_TO_CHECK
    elif errors or failing or not whole or groundedness is None or not groundedness >= min_groundedness:
        decision = Decision.REJECTED
    else:
        decision = Decision.APPROVED
    return Report(
        decision=decision,
        groundedness=groundedness,
        coverage=_coverage(response, claims),
        claims=tuple(sorted(claims, key=lambda claim: (claim.start, claim.end))),
        rule=_rule(fail_on, min_groundedness, whole=whole),
        notes=tuple(notes),
        kb=dict(kb or {}),
        config=dict(config or {}),
        reader=None if reader is None else _use(reader, claims),
    )


def _use(identity: str, claims: Sequence[ClaimVerdict]) -> ReaderUse:
    """What the reader took; a request that several claims share counts once."""
    said = [claim.reader for claim in claims if claim.reader is not None]
    calls = [*{call.key: call for one in said for call in one.calls}.values()]
    return ReaderUse(
        identity=identity,
        claims=sum(claim.status in (Status.CHECKED, Status.ERROR) for claim in claims),
        read=len(said),
        calls=len(calls),
        input_tokens=_sum([call.input_tokens for call in calls]),
        output_tokens=_sum([call.output_tokens for call in calls]),
        cost=_sum([call.cost for call in calls]) if calls else None,
    )


def _sum(values: Sequence[N | None]) -> N | int | None:
    """The sum, ``None`` where one is not known."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _rule(fail_on: Collection[str], min_groundedness: float, *, whole: bool) -> str:
    verdicts = ", ".join(fail_on) or "none of the verdicts"
    return (
        f"approved when no claim is {verdicts}, in error or in a language that cannot be read, "
        f"and groundedness is at least {min_groundedness:g}"
        + ("" if whole else "; never approved with a block of reasoning that is not closed")
    )


def _coverage(response: str, claims: Sequence[ClaimVerdict]) -> float:
    covered = bytearray(len(response))
    for claim in claims:
        covered[claim.start : claim.end] = b"\x01" * (claim.end - claim.start)
    seen = [covered[at] for at, char in enumerate(response) if not char.isspace()]
    return sum(seen) / len(seen) if seen else 1.0


_ADAPTER = TypeAdapter(Report)


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON values, in the shape of ``json_schema``; numbers rounded to six places."""
    raw = _ADAPTER.dump_python(report, mode="json")
    raw["approved"] = report.approved
    rounded = _rounded(raw)
    assert isinstance(rounded, dict)
    return rounded


def from_json(raw: object) -> Report:
    """The report that ``to_json`` wrote, numbers as they were rounded.

    Raises:
        ConfigError: these values are no report.
    """
    try:
        return _ADAPTER.validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise ConfigError(f"not a report: {where}: {first['msg']}") from error


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of ``to_json``."""
    schema = _ADAPTER.json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "rag-verifier report"
    schema["properties"]["approved"] = {"title": "Approved", "type": "boolean"}
    schema["required"] = sorted({*schema["required"], *schema["properties"]})
    return schema
