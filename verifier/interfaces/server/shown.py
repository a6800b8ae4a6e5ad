"""Reports as a client may see them, without anything of the server's inside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from verifier.core.visible import one_line
from verifier.guard.gate.types import Rated
from verifier.guard.review import Review
from verifier.interfaces.server.logs import LOG
from verifier.types import ClaimVerdict, Detail, Report, Status
from verifier.verification.report import claim_in_detail, claim_to_json, in_detail, to_json

__all__ = ["covered", "shown_claim", "shown_rating", "shown_report", "shown_review", "without_places"]

UNCHECKED = "could not be checked: a part of the server failed; the request id finds it in the log"

_PLACES = frozenset({"path", "fusion", "base_url", "url", "host", "key_env", "folder", "directory"})
"""Settings that say where something lies on the server, or where it asks."""


def shown_report(
    report: Report, request_id: str | None = None, detail: Detail = Detail.FULL
) -> dict[str, Any]:
    """The JSON of a report. What failed is told to the log, in the part of its message that quotes nobody."""
    shown = to_json(in_detail(report, detail))
    shown["config"] = without_places(shown["config"])
    _cover(shown, request_id)
    return shown


def covered(claim: ClaimVerdict) -> ClaimVerdict:
    """The claim, without what says why it could not be checked."""
    if claim.status is not Status.ERROR:
        return claim
    said = None if claim.reader is None else replace(claim.reader, note=UNCHECKED)
    return replace(claim, reason=UNCHECKED, reader=said)


def shown_claim(claim: ClaimVerdict, detail: Detail = Detail.FULL) -> dict[str, Any]:
    """The JSON of one claim, as it stands in that of its report; what failed is told to the log with the report."""
    return claim_to_json(claim_in_detail(covered(claim), detail))


def shown_review(review: Review, request_id: str | None = None) -> dict[str, Any]:
    """The JSON of a review, likewise."""
    shown = review.to_dict()
    for error in shown["errors"]:
        _tell(f"{error['part']} failed", request_id)
        error["reason"] = UNCHECKED
    if shown["errors"]:
        shown["reason"] = UNCHECKED
    _cover(shown, request_id)
    return shown


def shown_rating(rated: Rated, request_id: str | None = None) -> dict[str, Any]:
    """The JSON of a rating, likewise."""
    shown = dict(rated.to_dict())
    if rated.errors:
        for error in rated.errors:
            _tell(error.split(":")[0], request_id)
        shown |= {"errors": [UNCHECKED for _ in rated.errors], "explanation": UNCHECKED}
    return shown


def _cover(shown: dict[str, Any], request_id: str | None) -> None:
    """Take what failed out of claims and knowledge base."""
    for claim in shown["claims"]:
        if claim["status"] == "error":
            _tell(": ".join(str(claim["reason"]).split(": ")[1:3]), request_id)
            claim["reason"] = UNCHECKED
            if claim["reader"] is not None:
                claim["reader"]["note"] = UNCHECKED
    if shown.get("reader") is not None:
        shown["reader"]["identity"] = shown["reader"]["identity"].partition(":")[0]  # not where it is asked
    if "error" in shown["kb"]:
        shown["kb"]["error"] = UNCHECKED


def _tell(detail: str, request_id: str | None) -> None:
    LOG.error(
        "failed", extra={"request_id": request_id, "error": "part_failed", "detail": one_line(detail)[:200]}
    )


def without_places(value: Any) -> Any:
    """Settings without paths, addresses and names of variables; that one was set is still told.

    >>> without_places({"verdict": {"fusion": "/srv/weights.json"}, "nli": {"model": "/srv/m"}, "top_k": 6})
    {'verdict': {'fusion': '(set)'}, 'nli': {'model': '(set)'}, 'top_k': 6}
    """
    if isinstance(value, Mapping):
        return {
            key: "(set)" if key in _PLACES and isinstance(item, str) else without_places(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [without_places(item) for item in value]
    if isinstance(value, str) and (
        value.startswith(("/", "~", ".", "\\")) or "://" in value or ":\\" in value
    ):
        return "(set)"
    return value
