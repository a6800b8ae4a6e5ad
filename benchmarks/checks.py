"""Measure each check: how often it fires, how often it is right, and what leaving it out changes.

    python -m benchmarks.checks [--family F] [--groups fresh,development,public] [--rows 40] [--json FILE]

``fresh`` are the sets that nobody who wrote signals has read, ``development`` the others of ``corpora/verdicts`` but
the untouched half, ``public`` the real development sets of ``benchmarks.evaluation`` (``--rows`` of each; they need
``VERIFIER_DATA``). Each group is a table of its own.

*Fires*: claims where the check reports something in the window that speaks best for the claim or against it. *Right*:
the share of them whose label agrees: a conflict or an absence with *not supported*, a match with *supported*, the most
severe report counting. Left out: the pairs in which it reports anything are scored anew without it, what it settled
over several passages is dropped, and the shipped weights decide; the weights are not learnt anew. Log loss is that of
*supported* or not, in nats a claim; *false support* the share of contradicted and fabricated claims (of all that are
not supported, in public sets) that is called supported; *found* the share of supported claims called so, *denied* the
share of them called contradicted. Differences are those of leaving the check out, in points: a log loss above zero says
that the check pays. ± is one standard error, over claims.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from verifier_signals.base import Signal
from verifier_signals.checks import CHECKS, SAID_OF_ANOTHER, Check
from verifier_signals.types import Finding, Relation, TextPair

from benchmarks.evaluation import REAL, read_sets
from benchmarks.labelled import LABELLED, VOUCHING, read_samples
from benchmarks.readers.sets import settings_of
from verifier.factory import build_scorer, build_signals, temporary_store
from verifier.measure.samples import Sample, examined
from verifier.types import Verdict
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.summary import ClaimCase, ReadClaim, summarise
from verifier.verification.decision.verdict import Decided, Fusion
from verifier.verification.truecasing import as_read
from verifier.verification.vocabulary import Vocabulary

__all__ = ["GROUPS", "Effect", "effect_of", "lines", "switched_off"]

GROUPS = ("fresh", "development", "public")
_SEVERITY = (Relation.CONFLICT, Relation.ABSENT, Relation.MATCH)
_LEAST = 1e-6
_OF_THE_BASE = ("unknown",)
"""Features that depend on the whole knowledge base, which is not asked again."""


@dataclass(frozen=True)
class Effect:
    """One check over one group of claims. Shares are in [0, 1]; differences are those of leaving it out."""

    check: str
    family: str
    claims: int
    fires: int
    right: float | None
    right_error: float | None
    log_loss: float
    log_loss_error: float
    false_support: float
    found: float
    denied: float


def switched_off(read: ReadClaim, check: Check, signal: Signal) -> ReadClaim | None:
    """What is read of a claim where a check is off; ``None`` where that is the same.

    Args:
        read: with all checks on.
        check: the one that is left out.
        signal: the check's signal without it.
    """
    settled = read.settled
    if settled is not None and _reports(settled.score.findings, check):
        settled = None
    of_another = None if check.id == SAID_OF_ANOTHER else read.of_another
    readings, wide = (
        tuple(_without(one, check, signal, read) for one in some) for some in (read.readings, read.wide)
    )
    changed = replace(read, readings=readings, wide=wide, settled=settled, of_another=of_another)
    return None if changed == read else changed


def _without(reading: WindowScores, check: Check, signal: Signal, read: ReadClaim) -> WindowScores:
    score = reading.scores.get(check.signal)
    if score is None or not _reports(score.findings, check):
        return reading
    [anew] = signal.score([TextPair(reading.window.premise, as_read(read.claim, read.retrieved))])
    kept = {name: score.features[name] for name in _OF_THE_BASE if name in score.features}
    anew = replace(anew, features={**anew.features, **kept})
    return replace(reading, scores={**reading.scores, check.signal: anew})


def _reports(findings: Sequence[Finding], check: Check) -> bool:
    return any(one.check == check.id for one in findings)


def effect_of(
    check: Check,
    samples: Sequence[Sample],
    fusion: Fusion,
    signal: Signal,
    cases: Sequence[ClaimCase],
    whole: Sequence[Decided],
) -> Effect:
    """How often a check fires and is right, and what leaving it out changes.

    Args:
        check: the one that is left out.
        samples: labelled claims, read with all checks on.
        fusion: the weights that decide.
        signal: the check's signal without it.
        cases, whole: the samples summed up and decided, the same for every check.
    """
    off = [
        whole[at] if (read := switched_off(sample.read, check, signal)) is None else _decided(read, fusion)
        for at, sample in enumerate(samples)
    ]
    supported = np.array([sample.supported for sample in samples])
    changes = np.array([_loss(b, s) - _loss(a, s) for a, b, s in zip(whole, off, supported, strict=True)])
    found = (_agrees(sample, case, check) for sample, case in zip(samples, cases, strict=True))
    agrees = [right for right in found if right is not None]
    share = float(np.mean(agrees)) if agrees else None
    return Effect(
        check.id,
        check.family,
        len(samples),
        len(agrees),
        share,
        None if share is None else float(np.sqrt(share * (1 - share) / len(agrees))),
        float(changes.mean()),
        float(changes.std(ddof=1) / np.sqrt(len(changes))),
        *(
            after - before
            for before, after in zip(_shares(whole, samples), _shares(off, samples), strict=True)
        ),
    )


def _decided(read: ReadClaim, fusion: Fusion) -> Decided:
    return fusion.decide(summarise(read, same_thing=fusion.same_thing))


def _loss(decided: Decided, supported: bool) -> float:
    support = min(max(decided.probabilities[Verdict.SUPPORTED], _LEAST), 1 - _LEAST)
    return float(-np.log(support if supported else 1 - support))


def _agrees(sample: Sample, case: ClaimCase, check: Check) -> bool | None:
    """Whether the label agrees with what the check reports where the decision looks; ``None``: it reports nothing."""
    heard = [one for one in (case.pro, case.con) if one is not None]
    found = [item for one in heard for item in one.findings(check.signal) if item.check == check.id]
    if sample.read.settled is not None:
        found += [item for item in sample.read.settled.score.findings if item.check == check.id]
    if not found:
        return None
    worst = min((item.relation for item in found), key=_SEVERITY.index)
    return sample.supported is (worst is Relation.MATCH)


def _shares(decided: Sequence[Decided], samples: Sequence[Sample]) -> tuple[float, float, float]:
    """False support, supported found, supported called contradicted."""
    verdicts = [one.verdict for one in decided]
    wrong = [v for v, s in zip(verdicts, samples, strict=True) if _is_wrong(s)]
    right = [v for v, s in zip(verdicts, samples, strict=True) if s.supported]
    return (
        wrong.count(Verdict.SUPPORTED) / max(len(wrong), 1),
        right.count(Verdict.SUPPORTED) / max(len(right), 1),
        right.count(Verdict.CONTRADICTED) / max(len(right), 1),
    )


def _is_wrong(sample: Sample) -> bool:
    return sample.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED, None)


def lines(group: str, effects: Sequence[Effect]) -> Iterator[str]:
    """The table of a group as Markdown, the checks that pay least first."""
    yield f"{group}: {effects[0].claims if effects else 0} claims"
    yield "| check | fires | right | log loss, 1/1000 | false support | found | denied |"
    yield "|---|---|---|---|---|---|---|"
    for one in sorted(effects, key=lambda one: one.log_loss):
        right = "-" if one.right is None else f"{one.right:.2f} ± {one.right_error or 0.0:.2f}"
        yield (
            f"| {one.check} | {one.fires} | {right} "
            f"| {1000 * one.log_loss:+.2f} ± {1000 * one.log_loss_error:.2f} "
            f"| {100 * one.false_support:+.2f} | {100 * one.found:+.2f} | {100 * one.denied:+.2f} |"
        )


def _samples(group: str, rows: int) -> tuple[list[Sample], Fusion]:
    """The claims of a group as the signals read them, and the shipped weights."""
    if group == "public":
        sets = read_sets(Path(os.environ["VERIFIER_DATA"]), list(REAL), rows)
        settings = settings_of()
        scorer = build_scorer(settings, temporary_store(settings))
        return [sample for some in sets.values() for sample in examined(some, scorer)], scorer.fusion
    fresh = group == "fresh"
    found, nli = read_samples([name for name in LABELLED if (name in VOUCHING) is fresh])
    return [sample for some in found.values() for sample in some], Fusion.embedded(nli)


def _effects(samples: Sequence[Sample], fusion: Fusion, checks: Sequence[Check]) -> Iterator[Effect]:
    cases = [summarise(sample.read, same_thing=fusion.same_thing) for sample in samples]
    whole = [fusion.decide(case) for case in cases]
    for check in checks:
        settings = settings_of({f"signals.{check.signal}.disable": [check.id]})
        signals = {signal.name: signal for signal in build_signals(settings, Vocabulary())}
        yield effect_of(check, samples, fusion, signals[check.signal], cases, whole)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--family", help="checks of this family or signal only")
    parser.add_argument(
        "--groups", default="fresh,development", help="comma-separated, of fresh, development, public"
    )
    parser.add_argument("--rows", type=int, default=40, help="of each public set")
    parser.add_argument("--json", type=Path, help="write the figures there")
    given = parser.parse_args(arguments)
    chosen = [check for check in CHECKS.values() if given.family in (None, check.family, check.signal)]
    if not chosen:
        parser.error(f"no check is of the family or signal {given.family!r}")
    result: dict[str, list[Mapping[str, object]]] = {}
    for group in given.groups.split(","):
        if group not in GROUPS:
            parser.error(f"unknown group {group!r}; known: {', '.join(GROUPS)}")
        effects = list(_effects(*_samples(group, given.rows), chosen))
        print("\n".join(lines(group, effects)), flush=True)
        result[group] = [asdict(effect) for effect in effects]
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
