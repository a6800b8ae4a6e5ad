"""Claims that state a value in another form than their source: how often they are misjudged.

    python -m benchmarks.properties.values [--only KINDS] [--rounds N] [--show N] [--json FILE] [--set KEY=VALUE]

A claim states a value in one form, its source in another. Where both are one value the claim is true: to call it
contradicted or fabricated is a violation. Where they are two it is false: to call it supported is one. Claims that stay
open are counted separately. Rates come with a 95 % Clopper-Pearson interval. Each pair is a response of its own over a
source of its own, and is verified as a whole by the default scorer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import product
from pathlib import Path
from random import Random

from benchmarks.metamorphic import clopper_pearson
from benchmarks.properties.value_forms import FORMS
from benchmarks.properties.value_kinds import KINDS, Kind, framed
from benchmarks.readers.sets import settings_of
from verifier.config import Settings
from verifier.core.errors import SignalError
from verifier.factory import SharedSignals, build_scorer
from verifier.types import ClaimVerdict, Report, Status, Verdict
from verifier.verification.retrieve import GivenTexts

__all__ = ["Judged", "Pair", "Said", "judged", "pairs", "sample", "table", "violations"]

LEAST = 60
"""Pairs of each kind in a round, about."""


def _listed(words: str) -> list[str]:
    return words.split()


_ONSETS = _listed("B Br D Dr F G Gr H K Kl L M N P R S St T Tr V W")
_MIDDLES = _listed("al ar el en er il in ol or ul um and ent ost urn")
_ENDINGS = _listed("by den ford ham low mere ness rick stow ton wick worth")


class Said(StrEnum):
    """What is made of a claim: of its verdicts only this matters here."""

    SUPPORTED = "supported"
    OPEN = "open"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and the text that it is held against; ``equal`` tells whether both state one value."""

    kind: str
    template: str
    evidence_form: str
    claim_form: str
    equal: bool
    evidence: str
    claim: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with what was said of it, and why."""

    pair: Pair
    said: Said
    reason: str

    @property
    def right(self) -> bool:
        """Whether it was judged as a careful reader judges it."""
        return self.said is (Said.SUPPORTED if self.pair.equal else Said.DENIED)

    @property
    def violates(self) -> bool:
        """Whether a true claim was denied, or a false one supported."""
        return self.said is (Said.DENIED if self.pair.equal else Said.SUPPORTED)


def pairs(kinds: Iterable[str] | None = None, *, rounds: int = 1) -> Iterator[Pair]:
    """Every form of the evidence with every form of the claim, of equal and of unequal values; the same each time.

    Args:
        kinds: names of kinds of values; all by default.
        rounds: how often, each time with other values, in the next template.
    """
    wanted = set(kinds) if kinds is not None else {kind.name for kind in KINDS}
    for kind in KINDS:
        if kind.name in wanted:
            chance, names = Random(kind.name), _names(kind.name)
            evidence_forms, claim_forms = FORMS[kind.name]
            times = rounds * max(1, LEAST // (2 * len(evidence_forms) * len(claim_forms)))
            for number, (one, two, equal) in enumerate(
                product(list(evidence_forms) * times, claim_forms, (True, False))
            ):
                template = kind.templates[(number // 2 + number // 7) % len(kind.templates)]
                place = _Place(template, next(names), amid=number % 3 == 2)
                found = _pair(kind, place, one, two, equal, chance)
                if found is not None:
                    yield found


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: in which template, with what name, and whether the evidence speaks of more."""

    template: str
    name: str
    amid: bool


def _names(kind: str) -> Iterator[str]:
    """Names of places that there are not, in an order of its own for each kind."""
    names = ["".join(parts) for parts in product(_ONSETS, _MIDDLES, _ENDINGS)]
    Random(f"names of {kind}").shuffle(names)
    yield from names


def _pair(kind: Kind, place: _Place, one: str, two: str, equal: bool, chance: Random) -> Pair | None:
    """Nothing where the forms cannot say any value of the kind."""
    evidence_forms, claim_forms = FORMS[kind.name]
    for _ in range(40):
        value = kind.draw(chance)
        other = value if equal else kind.other(value, chance)
        stated, claimed = evidence_forms[one](value), claim_forms[two](other)
        if stated is not None and claimed is not None:
            claim, _, evidence = place.template.partition(" <- ")
            sentence = _filled(evidence or claim, place.name, stated)
            text = framed(kind.name, one, sentence, place.name, amid=place.amid)
            return Pair(kind.name, place.template, one, two, equal, text, _filled(claim, place.name, claimed))
    return None


def _filled(template: str, name: str, value: str) -> str:
    text = template.format(s=name, v=value)
    text = text[0].upper() + text[1:]
    return text[:-1] if text.endswith("..") else text


def judged(
    asked: Iterable[Pair], settings: Settings | None = None, shared: SharedSignals | None = None
) -> Iterator[Judged]:
    """What the verifier says of each pair."""
    settings = settings or settings_of({"verdict.suggest_fixes": False})
    scorer = build_scorer(settings, GivenTexts.of(""), shared or SharedSignals.of(settings))
    for pair in asked:
        report = scorer.verify(pair.claim, source=GivenTexts.of(pair.evidence))
        said = _said(report)
        yield Judged(pair, said, "; ".join(claim.reason for claim in report.claims))


def _checked(report: Report) -> list[ClaimVerdict]:
    """The claims that were checked.

    Raises:
        SignalError: one could not be.
    """
    failed = [claim.reason for claim in report.claims if claim.status is Status.ERROR]
    if failed:
        raise SignalError(failed[0])
    return [claim for claim in report.claims if claim.status is Status.CHECKED]


def _said(report: Report) -> Said:
    """The worst that is said of any of the claims that a response was taken apart into."""
    checked = _checked(report)
    if any(claim.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED) for claim in checked):
        return Said.DENIED
    if checked and all(claim.verdict is Verdict.SUPPORTED for claim in checked):
        return Said.SUPPORTED
    return Said.OPEN


def violations(found: Iterable[Judged]) -> list[Judged]:
    """What no careful reader would say."""
    return [one for one in found if one.violates]


def sample(asked: Sequence[Pair], most: int) -> list[Pair]:
    """So many pairs of each kind at most, evenly spread."""
    by_kind: defaultdict[tuple[str, bool], list[Pair]] = defaultdict(list)
    for pair in asked:
        by_kind[pair.kind, pair.equal].append(pair)
    half = most // 2
    return [
        some[n * len(some) // min(half, len(some))]
        for some in by_kind.values()
        for n in range(min(half, len(some)))
    ]


def table(found: Sequence[Judged]) -> Iterator[str]:
    """The rates of each kind, as Markdown."""
    yield "| kind | values | pairs | supported | open | denied | violations | 95 % interval |"
    yield "|---|---|---|---|---|---|---|---|"
    rows: defaultdict[tuple[str, bool], list[Judged]] = defaultdict(list)
    for one in found:
        rows[one.pair.kind, one.pair.equal].append(one)
        rows["all", one.pair.equal].append(one)
    rows["all", True] = rows.pop(("all", True), [])
    rows["all", False] = rows.pop(("all", False), [])
    for (kind, equal), some in rows.items():
        yield _row(kind, "equal" if equal else "unequal", some)
    yield _row("all", "both", list(found))


def _row(kind: str, values: str, some: Sequence[Judged]) -> str:
    said = Counter(one.said for one in some)
    wrong = len(violations(some))
    low, high = clopper_pearson(wrong, len(some))
    shares = " | ".join(f"{said[one] / max(1, len(some)):.1%}" for one in Said)
    rate = f"{wrong / max(1, len(some)):.1%}"
    return f"| {kind} | {values} | {len(some)} | {shares} | {wrong} ({rate}) | {low:.1%} to {high:.1%} |"


def _worst(found: Sequence[Judged], most: int) -> Iterator[str]:
    """The templates and the pairs of forms that go wrong most often, each with an example."""
    named: Sequence[tuple[str, Callable[[Pair], str]]] = (
        ("templates", lambda pair: f"{pair.kind}: {pair.template}"),
        ("pairs of forms", lambda pair: f"{pair.kind}: {pair.evidence_form!r} and {pair.claim_form!r}"),
    )
    for title, name in named:
        groups: defaultdict[tuple[str, bool], list[Judged]] = defaultdict(list)
        for one in found:
            groups[name(one.pair), one.pair.equal].append(one)
        ranked = sorted(groups.items(), key=lambda item: (-len(violations(item[1])), -_unright(item[1])))
        yield f"\nWorst {title}:"
        for (label, equal), some in ranked[:most]:
            if not _unright(some):
                continue
            worst = next((one for one in some if one.violates), None) or next(
                one for one in some if not one.right
            )
            values = "equal" if equal else "unequal"
            yield f"- {label}, {values}: {len(violations(some))} violations, {_unright(some)} not right, of {len(some)}"
            yield f"    {worst.pair.evidence!r} / {worst.pair.claim!r}: {worst.said}: {worst.reason}"


def _unright(some: Sequence[Judged]) -> int:
    return sum(not one.right for one in some)


def main(arguments: Sequence[str]) -> int:
    """Print the table, and what goes wrong most often; exit 0 whatever it says."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.properties.values", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--only", help="kinds, separated by semicolons")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--most", type=int, help="pairs of each kind")
    parser.add_argument("--show", type=int, default=12, help="so many of the worst")
    parser.add_argument("--json", type=Path, help="write every pair with its verdict there")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    given = parser.parse_args(arguments)
    kinds = given.only.split(";") if given.only else None
    if unknown := sorted(set(kinds or ()) - set(FORMS)):
        parser.error(f"no kind {', '.join(unknown)}; known: {'; '.join(FORMS)}")
    overrides = {key: json.loads(value) for key, _, value in (one.partition("=") for one in given.settings)}
    asked = list(pairs(kinds, rounds=given.rounds))
    if given.most:
        asked = sample(asked, given.most)
    found = list(judged(asked, settings_of({"verdict.suggest_fixes": False, **overrides})))
    print("\n".join([*table(found), *_worst(found, given.show)]))
    if given.json:
        rows = [{**asdict(one.pair), "said": one.said, "reason": one.reason} for one in found]
        given.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
