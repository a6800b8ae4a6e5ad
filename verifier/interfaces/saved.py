"""Read a file of reports, as ``verify --json`` or ``batch`` writes it: one of a batch's, or all, to be renewed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from verifier.core.errors import ConfigError
from verifier.interfaces.batch.checking import claims_in_error
from verifier.interfaces.batch.output import is_of_batch
from verifier.types import Report
from verifier.verification.render.json import dumps
from verifier.verification.report import from_json, to_json

__all__ = ["Named", "Renew", "renewed", "report_of_row"]

_ROWS_AT_ONCE = 64


class Named(NamedTuple):
    """A report of a file, and what it is called there; ``None`` for what could not be checked."""

    name: str
    report: Report | None


Renew = Callable[[Sequence[Named]], Sequence[Report | None]]
"""Reports in; what takes the place of each out, ``None`` to leave it as it is."""


def report_of_row(path: Path, id_: str | None) -> Report:
    """The report of the row with that id, out of the records of a batch; only one of them is held.

    Args:
        path: the file.
        id_: as text; may be ``None`` where there is but one row.

    Raises:
        ConfigError: it cannot be read, or has no report of that row.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                record = _record(line, f"line {number} of {path}")
                if id_ == str(record.get("id")) or (id_ is None and not file.read(1)):
                    return _only_report(record, path)
                if id_ is None:
                    raise ConfigError(
                        f"{path} has several rows: give the id of one by --id, as {record.get('id')}"
                    )
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    raise ConfigError(f"{path} has no rows" if id_ is None else f"{path} has no row with the id {id_!r}")


def _only_report(record: Mapping[str, Any], path: Path) -> Report:
    if "report" not in record:
        said = record.get("error")
        reason = said.get("message") if isinstance(said, dict) else "and says no more"
        raise ConfigError(f"row {record['row']} of {path} has no report, but an error: {reason}")
    return _report(record["report"], f"row {record['row']} of {path}")


def renewed(path: Path, renew: Renew) -> Iterator[str]:
    """The text of the file, a piece at a time, with what ``renew`` makes of its reports; of rows only some are held.

    Raises:
        ConfigError: it cannot be read, or holds no reports that ``verify --json`` or ``batch`` has written.
    """
    try:
        if is_of_batch(path):
            yield from _rows(path, renew)
        else:
            yield _whole(path, renew)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _whole(path: Path, renew: Renew) -> str:
    """One report, or those of a run over several texts."""
    raw = _loaded(path.read_bytes(), str(path))
    if not isinstance(raw.get("texts"), list):
        [report] = renew([Named(str(path), _report(raw, str(path)))])
        return dumps(raw if report is None else to_json(report), indent=2)
    texts = raw["texts"]
    named = [Named(str(one.get("name")), _report(one.get("report"), str(path))) for one in texts]
    now = [
        {**one, "report": one["report"] if report is None else to_json(report)}
        for one, report in zip(texts, renew(named), strict=True)
    ]
    approved = bool(now) and not raw.get("unread") and all(one["report"]["approved"] for one in now)
    return dumps({**raw, "approved": approved, "texts": now}, indent=2)


def _rows(path: Path, renew: Renew) -> Iterator[str]:
    """The records of a batch."""
    with path.open("rb") as file:
        numbered = enumerate(file, 1)
        while some := list(islice(numbered, _ROWS_AT_ONCE)):
            records = [_record(line, f"line {number} of {path}") for number, line in some]
            named = [
                Named(
                    f"row {record['row']}",
                    _report(record["report"], f"row {record['row']} of {path}")
                    if "report" in record
                    else None,
                )
                for record in records
            ]
            for record, report in zip(records, renew(named), strict=True):
                now = record if report is None else _renewed_record(record, report)
                yield json.dumps(now, ensure_ascii=False) + "\n"


def _record(line: bytes, where: str) -> Mapping[str, Any]:
    """A record.

    Raises:
        ConfigError: it was cut short, or a batch has not written it.
    """
    if not line.endswith(b"\n"):
        raise ConfigError(f"{where} was cut short: finish the batch with --resume first")
    record = _loaded(line, where)
    if not {"row", "digest"} <= record.keys():
        raise ConfigError(f"{where} was not written by a batch; of verify, what --json writes is read")
    return record


def _renewed_record(record: Mapping[str, Any], report: Report) -> dict[str, Any]:
    kept = {key: value for key, value in record.items() if key != "error"}
    told = {"decision": report.decision.value, "report": to_json(report)}
    return {**kept, **told, **claims_in_error(report)}


def _loaded(raw: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{where} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ConfigError(f"{where} holds no report")
    return value


def _report(raw: Any, where: str) -> Report:
    try:
        return from_json(raw)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
