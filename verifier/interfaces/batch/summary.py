"""Sum up a batch: how many of each kind, what went wrong, which rows took longest."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Summary"]

_SLOWEST = 5


@dataclass
class Summary:
    """What a run has come to so far; it does not grow with the rows."""

    rows: int = 0
    resumed: int = 0
    """Of these, rows that an earlier run had written."""
    decisions: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """Of the claims that were checked."""
    errors: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    """The first error of each kind."""
    seconds: float = 0.0
    """Of all workers together."""
    _slowest: list[tuple[float, int, str]] = field(default_factory=list)

    def add(self, record: dict[str, Any]) -> None:
        """Count a record."""
        self.rows += 1
        took = float(record.get("seconds", 0.0))
        self.seconds += took
        heapq.heappush(self._slowest, (took, record["row"], str(record["id"])))
        if len(self._slowest) > _SLOWEST:
            heapq.heappop(self._slowest)
        if (error := record.get("error")) is not None:
            self.errors[error["kind"]] += 1
            self.examples.setdefault(error["kind"], f"row {record['row']}: {error['message']}")
        if "decision" in record:
            self.decisions[record["decision"]] += 1
            claims = record["report"]["claims"]
            self.verdicts.update(claim["verdict"] for claim in claims if claim["verdict"] is not None)

    def as_json(self) -> dict[str, Any]:
        """JSON values."""
        slowest = sorted(self._slowest, key=lambda one: (-one[0], one[1]))
        return {
            "rows": self.rows,
            "resumed": self.resumed,
            "decisions": dict(sorted(self.decisions.items())),
            "verdicts": dict(sorted(self.verdicts.items())),
            "errors": {
                kind: {"rows": n, "first": self.examples[kind]} for kind, n in sorted(self.errors.items())
            },
            "seconds_of_workers": round(self.seconds, 3),
            "slowest": [{"seconds": took, "row": row, "id": id_} for took, row, id_ in slowest if took],
        }

    def as_text(self) -> str:
        """A few lines for people."""
        told = self.as_json()
        resumed = f", {self.resumed} of them by an earlier run" if self.resumed else ""
        lines = [f"rows       {self.rows}{resumed}"]
        for name in ("decisions", "verdicts"):
            lines += [f"{name:10} {', '.join(f'{n} {key}' for key, n in told[name].items()) or 'none'}"]
        lines += [
            f"errors     {found['rows']} {kind}, the first: {found['first']}"
            for kind, found in told["errors"].items()
        ] or ["errors     none"]
        slow = ", ".join(f"row {one['row']} ({one['id']}) {one['seconds']:.2f} s" for one in told["slowest"])
        return "\n".join([*lines, *([f"slowest    {slow}"] if slow else [])]) + "\n"
