"""How sentences that deny or except by a turn of phrase are judged, by turn.

    python -m benchmarks.properties.denials [--every N] [--show N] [--set KEY=VALUE]

Each source is one sentence. A claim says in plain words what the sentence says (right), or the contrary of it (wrong);
of some turns the claim has the turn, and the source the plain words. Rates come with a 95 % Clopper-Pearson interval.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from benchmarks.metamorphic import clopper_pearson
from benchmarks.properties.denial_turns import Case, cases
from benchmarks.readers.sets import settings_of
from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer
from verifier.types import Claim, Verdict
from verifier.verification.retrieve import GivenTexts

__all__ = ["Judged", "judged", "table"]

_AGAINST = (Verdict.CONTRADICTED, Verdict.FABRICATED)


class Judged(NamedTuple):
    """A case with its verdict (or status), and why."""

    case: Case
    said: str
    reason: str


def judged(
    asked: Iterable[Case], settings: Settings | None = None, shared: SharedSignals | None = None
) -> Iterator[Judged]:
    """What the verifier says of each case; those of one source are judged together."""
    settings = settings or settings_of({"verdict.suggest_fixes": False})
    scorer = build_scorer(settings, GivenTexts.of(""), shared or SharedSignals.of(settings))
    for source, some in groupby(asked, key=lambda case: case.source):
        of_one = list(some)
        claims = [Claim(case.claim, 0, len(case.claim)) for case in of_one]
        told = scorer.judge(claims, GivenTexts.of(source))
        for case, verdict in zip(of_one, told, strict=True):
            yield Judged(case, str(verdict.verdict or verdict.status), verdict.reason)


def table(found: Sequence[Judged]) -> str:
    """A row a turn: wrong claims with the share supported and contradicted, right ones with those found and denied."""
    rows: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in found:
        rows[one.case.turn].append(one)
    lines = [
        "| | wrong | supported | contradicted | right | found | denied |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, some in [*rows.items(), ("all", list(found))]:
        wrong = [one.said for one in some if not one.case.right]
        right = [one.said for one in some if one.case.right]
        lines.append(
            f"| {name} | {len(wrong)} | {_rate(wrong, Verdict.SUPPORTED)} | {_rate(wrong, *_AGAINST)} "
            f"| {len(right)} | {_rate(right, Verdict.SUPPORTED)} | {_rate(right, *_AGAINST)} |"
        )
    return "\n".join(lines)


def _rate(said: Sequence[str], *verdicts: Verdict) -> str:
    if not said:
        return "-"
    count = sum(one in verdicts for one in said)
    low, high = clopper_pearson(count, len(said))
    return f"{count / len(said):.3f} [{low:.3f}, {high:.3f}]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 0 whatever it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, help="judge one case in so many")
    parser.add_argument("--show", type=int, default=0, help="print so many of those judged wrongly")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")
    options = parser.parse_args(arguments)
    given = {"verdict.suggest_fixes": False, **dict(item.split("=", 1) for item in options.set)}
    found = list(judged(islice(cases(), 0, None, options.every), settings_of(given)))
    print(table(found))
    bad = [
        one for one in found if (one.said in _AGAINST if one.case.right else one.said == Verdict.SUPPORTED)
    ]
    for case, said, reason in bad[: options.show]:
        print(
            f"- {case.turn}: {case.source!r} {case.claim!r} right={case.right}: {said}: {reason}",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
