"""Measure each check: how often it fires, how often it is right, and what leaving it out changes.

    python -m benchmarks.checks [--family F] [--groups fresh,development,public] [--rows 40] [--json FILE]
    python -m benchmarks.checks --family claims     skips and splits
    python -m benchmarks.checks --family feature    what the weights are fed

``fresh`` are the sets that nobody who wrote signals has read, ``development`` the others of ``corpora/verdicts`` but
the untouched half, ``public`` the real development sets of ``benchmarks.evaluation`` (``--rows`` of each; they need
``VERIFIER_DATA``). Each group is a table of its own.

A check of a signal *fires* on claims where it reports something in the window that speaks best for the claim or against
it. *Right*: the share of them whose label agrees: a conflict or an absence with *not supported*, a match with
*supported*, the most severe report counting. Left out: the pairs in which it reports anything are scored anew without
it, what it settled over several passages is dropped, and the shipped weights decide; the weights are not learnt anew.
Log loss is that of *supported* or not, in nats a claim; *false support* the share of contradicted and fabricated claims
(of all that are not supported, in public sets) that is called supported; *found* the share of supported claims called
so, *denied* the share of them called contradicted; *accuracy* the share of claims rightly called supported or not.
Differences are those of leaving the check out, in points: a log loss above zero says that the check pays. ± is one
standard error, over claims.

A feature fires on claims for which the weights are fed more than 0; right is not asked of it.

A skip or split fires on rows that it skips something of, or splits. These rows are checked as answers, with and without
it: the worst part of a row counts, and one of which nothing is checked is not supported, with the share of supported
rows for its log loss. A skip is right where the row is labelled as no claim (public sets have no such label); a split
where the worst part is called supported just if the row is. *Appear* is how many claims appear when it is left out:
above zero for skips, below for splits.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from verifier_signals.base import Signal
from verifier_signals.checks import SAID_OF_ANOTHER, Action, Check
from verifier_signals.types import Finding, Relation, TextPair

from benchmarks.evaluation import REAL, read_sets
from benchmarks.labelled import LABELLED, VOUCHING, read_samples
from benchmarks.readers.sets import CORPORA, scorer_over, settings_of
from verifier.factory import SharedSignals, build_scorer, build_signals, temporary_store
from verifier.measure.evaluate import Prediction, predict
from verifier.measure.rows import LabelledRow, read_rows
from verifier.measure.samples import Sample, examined
from verifier.types import Claim, Verdict
from verifier.verification.checks import CHECKS
from verifier.verification.claim_checks import CLAIM_CHECKS, skip_check
from verifier.verification.claims import ClaimExtractor, ExtractedResponse, RuleExtractor, extract_claims
from verifier.verification.decision.feature_checks import FEATURE_CHECKS, features_of
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.summary import ClaimCase, ReadClaim
from verifier.verification.decision.verdict import Decided, Fusion
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.truecasing import as_read
from verifier.verification.vocabulary import Vocabulary

__all__ = ["GROUPS", "Effect", "effect_of", "effects_of_claims", "lines", "switched_off"]

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
    accuracy: float
    appear: int = 0


def switched_off(read: ReadClaim, check: Check, signal: Signal | None) -> ReadClaim | None:
    """What is read of a claim where a check is off; ``None`` where that is the same.

    Args:
        read: with all checks on.
        check: the one that is left out.
        signal: the check's signal without it; ``None`` for a feature.
    """
    if signal is None:
        return replace(read, neutral=features_of({check.id}))
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
    signal: Signal | None,
    cases: Sequence[ClaimCase],
    whole: Sequence[Decided],
) -> Effect:
    """How often a check fires and is right, and what leaving it out changes.

    Args:
        check: the one that is left out.
        samples: labelled claims, read with all checks on.
        fusion: the weights that decide.
        signal: the check's signal without it; ``None`` for a feature.
        cases, whole: the samples summed up and decided, the same for every check.
    """
    off = [
        whole[at]
        if (read := switched_off(sample.read, check, signal)) is None
        else fusion.decide(fusion.case_of(read))
        for at, sample in enumerate(samples)
    ]
    changes = [
        _loss(_support(b), s.supported) - _loss(_support(a), s.supported)
        for a, b, s in zip(whole, off, samples, strict=True)
    ]
    if signal is None:
        [name] = features_of({check.id})
        fires, agrees = sum(case.features[name] > 0 for case in cases), list[bool]()
    else:
        found = (_agrees(sample, case, check) for sample, case in zip(samples, cases, strict=True))
        agrees = [right for right in found if right is not None]
        fires = len(agrees)
    truth = [_Truth(sample.supported, _is_wrong(sample)) for sample in samples]
    shares = [_shares([one.verdict for one in decided], truth) for decided in (whole, off)]
    return _effect(check, fires, agrees, changes, shares)


def _effect(
    check: Check,
    fires: int,
    agrees: Sequence[bool],
    changes: Sequence[float],
    shares: Sequence[_Shares],
    appear: int = 0,
) -> Effect:
    """The figures of a check: ``changes`` of the log loss of each claim, ``shares`` with it and without it."""
    share = float(np.mean(agrees)) if agrees else None
    before, after = shares
    return Effect(
        check.id,
        check.family,
        len(changes),
        fires,
        share,
        None if share is None else float(np.sqrt(share * (1 - share) / len(agrees))),
        float(np.mean(changes)),
        float(np.std(changes, ddof=1) / np.sqrt(len(changes))),
        after.false_support - before.false_support,
        after.found - before.found,
        after.denied - before.denied,
        after.accuracy - before.accuracy,
        appear,
    )


def _support(decided: Decided) -> float:
    return decided.probabilities[Verdict.SUPPORTED]


def _loss(support: float, supported: bool) -> float:
    support = min(max(support, _LEAST), 1 - _LEAST)
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


class _Shares(NamedTuple):
    """Of claims: those that are wrong and called supported, the supported ones called so, the supported ones called
    contradicted, and all that are rightly called supported or not."""

    false_support: float
    found: float
    denied: float
    accuracy: float


class _Truth(NamedTuple):
    """The label of a claim: whether it is supported, and whether it would be false support to call it so."""

    supported: bool
    wrong: bool


def _shares(verdicts: Sequence[str], truth: Sequence[_Truth]) -> _Shares:
    wrong = [v for v, t in zip(verdicts, truth, strict=True) if t.wrong]
    right = [v for v, t in zip(verdicts, truth, strict=True) if t.supported]
    return _Shares(
        wrong.count(Verdict.SUPPORTED) / max(len(wrong), 1),
        right.count(Verdict.SUPPORTED) / max(len(right), 1),
        right.count(Verdict.CONTRADICTED) / max(len(right), 1),
        sum((v == Verdict.SUPPORTED) is t.supported for v, t in zip(verdicts, truth, strict=True))
        / max(len(truth), 1),
    )


def _is_wrong(sample: Sample) -> bool:
    return sample.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED, None)


# -- skips and splits -------------------------------------------------------------------------------------------


def effects_of_claims(
    checks: Sequence[Check], sets: Iterable[tuple[Sequence[LabelledRow], VerifiedScorer, bool]]
) -> list[Effect]:
    """How often each skip and split fires and is right, and what leaving it out changes.

    Args:
        checks: of ``CLAIM_CHECKS``.
        sets: rows, the scorer that checks them, and whether each brings its own premise.
    """
    rows: list[LabelledRow] = []
    tried: dict[str, list[_Tried]] = {check.id: [] for check in checks}
    for some, scorer, own_premise in sets:
        rows += some
        for row in some:
            for name in _applied(row.claim) & tried.keys():
                tried[name].append(_try_without(name, row, scorer, own_premise=own_premise))
    return [_effect_of_claims(check, rows, tried[check.id]) for check in checks]


class _Tried(NamedTuple):
    """A row as it is checked with a check and without it, and how many claims appear without it."""

    before: Prediction
    after: Prediction
    appear: int


def _applied(text: str) -> set[str]:
    """The ids of the skips and splits that apply to a text."""
    found = extract_claims(text)
    return {skip_check(span.reason) for span in found.skipped} | {
        name for claim in found.claims for name in claim.splits
    }


def _try_without(name: str, row: LabelledRow, scorer: VerifiedScorer, *, own_premise: bool) -> _Tried:
    extractors: list[ClaimExtractor] = [extract_claims, RuleExtractor({name})]
    if own_premise:
        extractors = [_Told(extract) for extract in extractors]
    before, after = (next(predict([row], scorer.extracting(one), knowledge_base=True)) for one in extractors)
    appear = [len(extract(row.claim).claims) for extract in extractors]
    return _Tried(before, after, appear[1] - appear[0])


class _Told(NamedTuple):
    """An extractor that takes as told whom a pronoun means: public sets hold replies without what was said before."""

    extract: ClaimExtractor

    def __call__(self, response: str) -> ExtractedResponse:
        found = self.extract(response)
        claims: tuple[Claim, ...] = tuple(replace(claim, unresolved="") for claim in found.claims)
        return replace(found, claims=claims)


def _effect_of_claims(check: Check, rows: Sequence[LabelledRow], tried: Sequence[_Tried]) -> Effect:
    truth = [_Truth(row.is_supported, _is_wrong_row(row)) for row in rows]
    share = sum(one.supported for one in truth) / max(len(truth), 1)
    at = {id(one.before.row): one for one in tried}
    changes = [
        0.0
        if (one := at.get(id(row))) is None
        else _loss(_told_support(one.after, share), row.is_supported)
        - _loss(_told_support(one.before, share), row.is_supported)
        for row in rows
    ]
    shares = [
        _shares([said.get(id(row), "") for row in rows], truth)
        for said in (
            {id(one.before.row): one.before.predicted for one in tried},
            {id(one.after.row): one.after.predicted for one in tried},
        )
    ]
    agrees = [right for one in tried if (right := _was_right(check, one.before)) is not None]
    return _effect(check, len(tried), agrees, changes, shares, sum(one.appear for one in tried))


def _told_support(prediction: Prediction, share: float) -> float:
    """The support of a row; of one of which nothing is checked, what is known of any row."""
    return prediction.support if prediction.predicted in set(Verdict) else share


def _was_right(check: Check, before: Prediction) -> bool | None:
    """Whether the check did right by the label; ``None`` where the label does not say."""
    labelled = before.row.label in {*Verdict, "skipped"}
    if Action.SKIP in check.relations:
        return before.row.label == "skipped" if labelled else None
    return (before.predicted == Verdict.SUPPORTED) is before.row.is_supported


def _is_wrong_row(row: LabelledRow) -> bool:
    if row.label in {*Verdict, "skipped"}:
        return row.label in (Verdict.CONTRADICTED, Verdict.FABRICATED)
    return not row.is_supported


def _rows(group: str, rows: int) -> Iterator[tuple[list[LabelledRow], VerifiedScorer, bool]]:
    """The rows of a group, those that are no claims among them, with what checks them."""
    settings = settings_of()
    shared = SharedSignals.of(settings)
    if group == "public":
        scorer = build_scorer(settings, temporary_store(settings), shared)
        sets = read_sets(Path(os.environ["VERIFIER_DATA"]), list(REAL), rows)
        yield [row for some in sets.values() for row in some], scorer, True
        return
    for name in (name for name in LABELLED if (name in VOUCHING) is (group == "fresh")):
        read = read_rows(CORPORA / "verdicts" / f"{name}.jsonl")
        with scorer_over(name, settings, shared) as scorer:
            yield [row for row in read if isinstance(row, LabelledRow)], scorer, False


# -- output -----------------------------------------------------------------------------------------------------


def lines(group: str, effects: Sequence[Effect]) -> Iterator[str]:
    """The table of a group as Markdown, the checks that pay least first."""
    yield f"{group}: {effects[0].claims if effects else 0} claims"
    yield "| check | fires | right | log loss, 1/1000 | false support | found | denied | accuracy | appear |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for one in sorted(effects, key=lambda one: one.log_loss):
        right = "-" if one.right is None else f"{one.right:.2f} ± {one.right_error or 0.0:.2f}"
        yield (
            f"| {one.check} | {one.fires} | {right} "
            f"| {1000 * one.log_loss:+.2f} ± {1000 * one.log_loss_error:.2f} "
            f"| {100 * one.false_support:+.2f} | {100 * one.found:+.2f} | {100 * one.denied:+.2f} "
            f"| {100 * one.accuracy:+.2f} | {one.appear:+d} |"
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
    cases = [fusion.case_of(sample.read) for sample in samples]
    whole = [fusion.decide(case) for case in cases]
    for check in checks:
        if check.id in FEATURE_CHECKS:
            yield effect_of(check, samples, fusion, None, cases, whole)
            continue
        settings = settings_of({f"signals.{check.signal}.disable": [check.id]})
        signals = {signal.name: signal for signal in build_signals(settings, Vocabulary())}
        yield effect_of(check, samples, fusion, signals[check.signal], cases, whole)


def _measured(group: str, rows: int, chosen: Sequence[Check]) -> Iterator[Effect]:
    of_claims = [check for check in chosen if check.id in CLAIM_CHECKS]
    if of_claims:
        yield from effects_of_claims(of_claims, _rows(group, rows))
    others = [check for check in chosen if check.id not in CLAIM_CHECKS]
    if others:
        yield from _effects(*_samples(group, rows), others)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--family", help="checks of this family, of this signal, of claims or of feature only"
    )
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
        effects = list(_measured(group, given.rows, chosen))
        print("\n".join(lines(group, effects)), flush=True)
        result[group] = [asdict(effect) for effect in effects]
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
