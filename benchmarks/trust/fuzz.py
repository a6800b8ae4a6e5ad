"""Fuzz claim extraction, every file reader, the configuration, reports and request bodies with random and broken
input, and keep what raises an error that is not ours or takes too long.

Run: ``python -m benchmarks.trust.fuzz [--seconds 300] [--seed N] [--keep]``. With ``--keep`` what is found becomes a
row of ``tests/unit/fuzz_found.jsonl``, which a test replays. ``benchmarks.trust.guided`` does the same by atheris for
one target.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from benchmarks.trust.targets import TARGETS, Target, TooSlow

__all__ = ["FOUND", "Crash", "main"]

FOUND = Path(__file__).parents[2] / "tests" / "unit" / "fuzz_found.jsonl"
_EXAMPLES = 60
_ROUND = 2.0


@dataclass(frozen=True, slots=True)
class Crash:
    """An input that raised what it must not, and where."""

    target: str
    data: bytes
    error: str

    @property
    def row(self) -> str:
        """As it stands in the file of what was found."""
        kept = {"target": self.target, "data": b64encode(self.data).decode(), "error": self.error}
        return json.dumps(kept) + "\n"


class _Campaign:
    """Counts what was tried and keeps one crash of each place."""

    def __init__(self) -> None:
        self.tried = 0
        self.crashes: dict[tuple[str, str], Crash] = {}

    def attempt(self, target: Target, data: bytes) -> bool:
        """Whether an input was read, or refused as it should."""
        self.tried += 1
        try:
            target.run(data)
        except Exception as error:  # noqa: BLE001 - what it is, is what is asked
            crash = Crash(target.name, data, _place(error))
            known = self.crashes.get((target.name, crash.error))
            if known is None or len(known.data) > len(data):
                self.crashes[target.name, crash.error] = crash
            return False
        return True

    def mutate(self, target: Target, source: random.Random, until: float) -> None:
        """Try what the target makes of its seeds, until a time."""
        while time.monotonic() < until:
            self.attempt(target, target.make(source))

    def explore(self, target: Target, seed: int) -> None:
        """Try text as hypothesis makes it, which shrinks what fails."""

        @seeded(seed)
        @settings(
            max_examples=_EXAMPLES,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
        )
        @given(st.text(max_size=400))
        def read(text: str) -> None:
            if not self.attempt(target, text.encode("utf-8", "surrogatepass")):
                raise _Failed

        try:
            read()
        except _Failed:
            return


class _Failed(Exception):
    pass


def _place(error: Exception) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "verifier" in frame.filename]
    if isinstance(error, TooSlow) or not frames:
        return f"{type(error).__name__}: {error}"[:200]
    last = frames[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz all targets in turns; returns 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="targets whose name holds this")
    parser.add_argument("--keep", action="store_true", help="write what is found into the file of the test")
    chosen = parser.parse_args(arguments)
    campaign, source = _Campaign(), random.Random(chosen.seed)
    end = time.monotonic() + chosen.seconds
    turns: list[Callable[[Target], None]] = [
        lambda target: campaign.mutate(target, source, min(time.monotonic() + _ROUND, end)),
        lambda target: campaign.explore(target, source.randrange(1 << 30)),
    ]
    targets = [target for target in TARGETS.values() if chosen.only in target.name]
    while time.monotonic() < end:
        for target in targets:
            for turn in turns:
                if time.monotonic() < end:
                    turn(target)
    for crash in campaign.crashes.values():
        print(f"{crash.target}: {crash.error}: {crash.data[:80]!r}")
    if chosen.keep and campaign.crashes:
        with FOUND.open("a", encoding="utf-8") as file:
            file.writelines(crash.row for crash in campaign.crashes.values())
    print(f"fuzz: {campaign.tried} inputs, {len(campaign.crashes)} crashes")
    return int(bool(campaign.crashes))


if __name__ == "__main__":
    sys.exit(main())
