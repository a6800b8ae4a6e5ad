"""The table of backends and contract checks, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

__all__ = ["Outcome", "replaced", "table"]

_MARKS = {"passed": "✓", "refused": "r", "failed": "**failed**", "skipped": "**skipped**"}
_BEGIN, _END = "<!-- contract -->", "<!-- /contract -->"


@dataclass(frozen=True, order=True)
class Outcome:
    """One check of one backend. ``refused``: the backend lacks ``capability``, and says so as it must."""

    backend: str
    check: str
    result: Literal["passed", "refused", "failed", "skipped"]
    capability: str = ""


def table(outcomes: Iterable[Outcome]) -> str:
    """A list of the backends with their counts, then a matrix of the checks by the backends' numbers.

    >>> print(table([Outcome("a", "test_it_finds", "passed"), Outcome("b", "test_it_finds", "refused", "get")]))
    | | backend | checks passed | refused by capability |
    |--|---|---|---|
    | 1 | a | 1 | |
    | 2 | b | 0 | 1 (get) |
    <BLANKLINE>
    | check | 1 | 2 |
    |---|---|---|
    | it finds | ✓ | r |
    """
    found = sorted(set(outcomes))
    backends = sorted({outcome.backend for outcome in found})
    checks = sorted({outcome.check for outcome in found})
    result = {(outcome.backend, outcome.check): outcome.result for outcome in found}
    lines = ["| | backend | checks passed | refused by capability |", "|--|---|---|---|"]
    for number, backend in enumerate(backends, 1):
        own = [outcome for outcome in found if outcome.backend == backend]
        passed = sum(outcome.result == "passed" for outcome in own)
        lines.append(f"| {number} | {backend} | {passed} |{_refused(own)} |")
    lines += ["", "| check |" + "".join(f" {i} |" for i in range(1, len(backends) + 1))]
    lines.append("|---|" + "---|" * len(backends))
    for check in checks:
        marks = (_MARKS.get(result.get((backend, check), ""), "") for backend in backends)
        lines.append(
            f"| {check.removeprefix('test_').replace('_', ' ')} |" + "".join(f" {m} |" for m in marks)
        )
    return "\n".join(lines)


def _refused(outcomes: Iterable[Outcome]) -> str:
    capabilities = [outcome.capability for outcome in outcomes if outcome.result == "refused"]
    return f" {len(capabilities)} ({', '.join(sorted(set(capabilities)))})" if capabilities else ""


def replaced(page: str, content: str) -> str:
    """The page with ``content`` between its two marks, each alone on its line; the page itself where it has none.

    >>> print(replaced("Between `<!-- contract -->` marks:\\n<!-- contract -->\\nold\\n<!-- /contract -->", "new"))
    Between `<!-- contract -->` marks:
    <!-- contract -->
    new
    <!-- /contract -->
    """
    block = f"{_BEGIN}\n{content}\n{_END}"
    return re.sub(f"^{_BEGIN}$.*?^{_END}$", lambda _: block, page, flags=re.DOTALL | re.MULTILINE)
