"""Have a chat model read the claims of labelled sets, and store its readings in files.

The claims of a set are read as one long response: through the scorer, its evidence, its prompt and its checks.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.readers.sets import claims_of, scorer_over, settings_of
from benchmarks.readers.stored import row_of, save
from verifier.factory import SharedSignals
from verifier.readers import Case, Reader, Reading, State
from verifier.types import Claim
from verifier.verification.consultation.consulting import Consultant

__all__ = ["ask"]


class Watched(Reader):
    """A reader over another one, of which the first answer to each claim is remembered."""

    def __init__(self, inner: Reader) -> None:
        self.inner, self.traits = inner, inner.traits
        self.first: dict[str, Reading] = {}
        self.asked = 0

    @property
    def identity(self) -> str:
        """The inner reader's."""
        return self.inner.identity

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """What the inner reader says."""
        readings = self.inner.read(cases)
        self.asked += len(cases)
        for case, reading in zip(cases, readings, strict=True):
            if not case.objection:
                self.first[case.claim] = reading
        return readings


def ask(names: Sequence[str], output: Path, overrides: Mapping[str, Any]) -> int:
    """Have every claim of these sets read, and write those that were, a file for each set; how many were not.

    Args:
        names: of the sets.
        output: a folder for the files.
        overrides: settings, ``reader.*`` and ``llm.*`` among them.
    """
    settings = settings_of(overrides)
    shared = SharedSignals.of(settings)
    assert shared.consultant is not None
    failed_in_all = 0
    for name in names:
        rows = claims_of(name)
        watched = Watched(shared.consultant.reader)
        consultant = Consultant(watched, shared.consultant.rules, shared.consultant.given_fusion)
        with scorer_over(name, settings, shared, consultant) as scorer:
            reads = scorer.consult([Claim(row.claim, 0, len(row.claim)) for row in rows])
        lines, failed = [], 0
        for row, read in zip(rows, reads, strict=True):
            consulted = read.consulted
            if consulted is None or consulted.reading.state is not State.SETTLED:
                failed += 1
            else:
                lines.append(row_of(row, read, watched.first.get(read.claim.hypothesis)))
        save(output / f"{name}.jsonl", lines)
        calls = {call.key: call for read in reads if read.consulted for call in read.consulted.reading.calls}
        tokens = [call.input_tokens or 0 for call in calls.values()]
        print(
            f"{name}: {len(lines)} of {len(rows)} claims read, {len(calls)} calls, "
            f"{sum(tokens) / max(1, len(calls)):.0f} input tokens a call, "
            f"{watched.asked - len(rows)} asked again; {failed} not read",
            file=sys.stderr,
        )
        failed_in_all += failed
    return failed_in_all
