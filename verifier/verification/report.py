"""Build a report from the verdicts of its claims, decide it, and turn it into JSON and back, whole or in brief."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from verifier_signals.types import NEAREST_ONLY, NOT_COMPARED

from verifier.core.errors import ConfigError
from verifier.core.lines import Lines
from verifier.core.reasoning import OPEN_REASONING
from verifier.types import (
    ClaimVerdict,
    Decision,
    Detail,
    HiddenText,
    Ledger,
    ReaderUse,
    Report,
    Status,
    UnknownSource,
    Verdict,
)

__all__ = [
    "UNREAD_FILES",
    "DecisionRule",
    "build_report",
    "claim_in_detail",
    "claim_to_json",
    "decide",
    "from_json",
    "in_detail",
    "is_failing",
    "json_schema",
    "to_json",
    "with_line",
]

N = TypeVar("N", int, float)
T = TypeVar("T")

UNREAD_FILES = "unread_files"
"""What decides on a claim of which there is no trace in what was read of documents that were not all read."""

_BOUNDED = frozenset({NEAREST_ONLY, NOT_COMPARED})
"""Notes of findings of a claim, or evidence, with too much in it to compare everything with everything."""

DIGITS = 6
"""Decimal places of numbers in the JSON form: the same bytes on machines whose last bits differ."""


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """When a response is approved.

    No claim's verdict is in ``fail_on``, none is in a language that the models cannot read, and the share of supported
    claims is at least ``min_groundedness``, in [0, 1]; with ``strict`` every checked claim is supported, and every
    source that is cited exists. Hidden sentences refuse it unless they are allowed.
    """

    fail_on: tuple[str, ...] = ("contradicted", "fabricated")
    min_groundedness: float = 0.5
    strict: bool = False
    allow_hidden: bool = False

    def passes(self, checked: Sequence[ClaimVerdict], groundedness: float | None) -> bool:
        """Whether the verdicts of the checked claims let the response through; without any they do not."""
        failing = any(is_failing(claim, self.fail_on) for claim in checked)
        least = 1.0 if self.strict else self.min_groundedness
        return not failing and groundedness is not None and groundedness >= least

    def worded(self, *, whole: bool, unread: bool = False) -> str:
        """The rule in plain words.

        Args:
            whole: false where a block of reasoning is left open.
            unread: whether there is no trace of a claim while files were not read.
        """
        verdicts = ", ".join(self.fail_on) or "none of the verdicts"
        least = (
            "every claim is supported and every source that is cited exists"
            if self.strict
            else f"groundedness is at least {self.min_groundedness:g}"
        )
        unseen = "" if self.allow_hidden else ", nothing is said in hidden text"
        return (
            f"approved when no claim is {verdicts}, in error or in a language that cannot be read{unseen}, and {least}"
            + ("" if whole else "; never approved with a block of reasoning that is not closed")
            + ("; a claim without a trace rejects the text, too, while files were not read" if unread else "")
        )


def build_report(
    response: str,
    claims: Sequence[ClaimVerdict],
    *,
    rule: DecisionRule,
    hidden: Sequence[HiddenText] = (),
    unknown: Sequence[UnknownSource] = (),
    notes: Sequence[str] = (),
    kb: Mapping[str, object] | None = None,
    config: Mapping[str, object] | None = None,
    reader: str | None = None,
) -> Report:
    """Gather the verdicts of one response and apply the gate.

    ``groundedness`` is the share of checked claims that are supported; what abstains counts neither for nor against it.
    With no checked claim and no error there is nothing to check, unless something is hidden; else the response is
    approved as ``rule`` has it. ``unknown`` are sources that it cites and that are not there; ``reader`` is the
    identity of the reader that was there to be asked, if any.
    """
    checked = [claim for claim in claims if claim.status is Status.CHECKED]
    decision, worded = decide(claims, rule, hidden=hidden, unknown=unknown)
    return Report(
        decision=decision,
        groundedness=_groundedness(checked),
        coverage=_coverage(response, claims),
        claims=_placed(response, sorted(claims, key=lambda claim: (claim.start, claim.end))),
        rule=worded,
        hidden=tuple(hidden),
        unknown_sources=tuple(unknown),
        notes=(*notes, *_left_out(checked)),
        kb=dict(kb or {}),
        config=dict(config or {}),
        reader=None if reader is None else _use(reader, claims),
    )


def _placed(response: str, claims: Sequence[ClaimVerdict]) -> tuple[ClaimVerdict, ...]:
    """The claims with the lines of the response in which they, and what decided of them, begin."""
    lines = Lines(response)
    return tuple(with_line(claim, lines) for claim in claims)


def with_line(claim: ClaimVerdict, lines: Lines) -> ClaimVerdict:
    """The claim with the line in which it begins, also of the value that decided; ``lines`` are the response's."""
    ledger = claim.ledger
    if ledger is not None and ledger.pair is not None and ledger.pair.claim.start is not None:
        said = replace(ledger.pair.claim, line=lines.place(ledger.pair.claim.start).line)
        ledger = replace(ledger, pair=replace(ledger.pair, claim=said))
    return replace(claim, line=lines.place(claim.start).line, ledger=ledger)


def decide(
    claims: Sequence[ClaimVerdict],
    rule: DecisionRule,
    *,
    hidden: Sequence[HiddenText],
    unknown: Sequence[UnknownSource],
) -> tuple[Decision, str]:
    """What the gate says of a response with these verdicts, hidden sentences and sources that are not there, and its
    rule in plain words."""
    checked = [claim for claim in claims if claim.status is Status.CHECKED]
    errors = any(claim.status is Status.ERROR for claim in claims)
    whole = all(claim.reason != OPEN_REASONING for claim in claims)
    refused = (bool(hidden) and not rule.allow_hidden) or (bool(unknown) and rule.strict)
    if not checked and not errors and not refused:
        decision = Decision.NOTHING_TO_CHECK
    elif errors or refused or not whole or not rule.passes(checked, _groundedness(checked)):
        decision = Decision.REJECTED
    else:
        decision = Decision.APPROVED
    unread = any(claim.decided_by == UNREAD_FILES for claim in checked)
    return decision, rule.worded(whole=whole, unread=unread)


def is_failing(claim: ClaimVerdict, fail_on: Sequence[str]) -> bool:
    """Whether a checked claim refuses the response by itself.

    Its verdict does, nobody could read its language, or it is untraced while files were not read, which counts as
    *fabricated*.
    """
    untraced = claim.decided_by == UNREAD_FILES and Verdict.FABRICATED in fail_on
    return claim.verdict in fail_on or claim.decided_by == "language" or untraced


def _groundedness(checked: Sequence[ClaimVerdict]) -> float | None:
    """The share of the checked claims that are supported; ``None`` without any."""
    supported = sum(claim.verdict is Verdict.SUPPORTED for claim in checked)
    return supported / len(checked) if checked else None


def _left_out(claims: Sequence[ClaimVerdict]) -> Iterator[str]:
    """What is to be said of figures and names beyond those that are compared."""
    found = [
        [item.note for score in claim.signals.values() for item in score.findings if item.note in _BOUNDED]
        for claim in claims
    ]
    affected, beyond = sum(map(bool, found)), sum(notes.count(NOT_COMPARED) for notes in found)
    if affected:
        yield (
            f"{affected} of the claims or their evidence hold so many figures or names that only the nearest were "
            f"compared; {beyond} were not compared at all and count as absent"
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


def _coverage(response: str, claims: Sequence[ClaimVerdict]) -> float:
    covered = bytearray(len(response))
    for claim in claims:
        covered[claim.start : claim.end] = b"\x01" * (claim.end - claim.start)
    seen = [covered[at] for at, char in enumerate(response) if not char.isspace()]
    return sum(seen) / len(seen) if seen else 1.0


@cache
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Made when a report is first written or read: its schema takes longer than importing this module."""
    return TypeAdapter(kind)


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON values, in the shape of ``json_schema``; numbers rounded to six places."""
    raw = _adapter(Report).dump_python(report, mode="json")
    raw["approved"] = report.approved
    rounded = _rounded(raw)
    assert isinstance(rounded, dict)
    return rounded


def claim_to_json(claim: ClaimVerdict) -> dict[str, Any]:
    """One claim as it stands in :func:`to_json` of its report."""
    rounded = _rounded(_adapter(ClaimVerdict).dump_python(claim, mode="json"))
    assert isinstance(rounded, dict)
    return rounded


def from_json(raw: object) -> Report:
    """The report that ``to_json`` wrote, numbers as they were rounded.

    Raises:
        ConfigError: these values are no report.
    """
    try:
        report: Report = _adapter(Report).validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise ConfigError(f"not a report: {where}: {first['msg']}") from error
    return report


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
    schema = _adapter(Report).json_schema(mode="serialization")
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "rag-claim-verifier report"
    schema["properties"]["approved"] = {"title": "Approved", "type": "boolean"}
    schema["required"] = sorted({*schema["required"], *schema["properties"]})
    return schema


def in_detail(report: Report, detail: Detail) -> Report:
    """The report in that detail; what a brief one lacks does not come back.

    A brief one keeps verdicts, reasons, offsets, evidence, probabilities, edits, the deciding values, outcome and
    support of each signal, and everything that is said of the whole response.
    """
    if detail is Detail.FULL:
        return report
    claims = tuple(claim_in_detail(claim, detail) for claim in report.claims)
    return replace(report, claims=claims, detail=detail)


def claim_in_detail(claim: ClaimVerdict, detail: Detail) -> ClaimVerdict:
    """The claim as it stands in a report of that detail."""
    if detail is Detail.FULL:
        return claim
    signals = {name: replace(score, findings=(), features={}) for name, score in claim.signals.items()}
    return replace(claim, signals=signals, ledger=claim.ledger and _brief_ledger(claim.ledger))


def _brief_ledger(ledger: Ledger) -> Ledger:
    return replace(ledger, contributions=(), aligned=())
