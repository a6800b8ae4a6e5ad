"""Balanced accuracy and AUROC of each system on each evaluation set, as a table and as JSON.

    python -m benchmarks.evaluation [--rows 200] [--data DIR] [--sets real|frank.valid,...] [--output FILE]
        [--model NAME=FOLDER-OR-ID[,revision=...,kind=...,device=...] ...] [--random deberta-v2 ...]
        [--checkpoint training/runs/RUN ...]

Systems: ``overlap`` (share of the claim's words that occur in the premise), ``rules`` (the fusion without an NLI
model), ``nli`` (the embedded model alone, over the whole premise in windows), further models alone by ``--model``
(with any options of ``[signals.nli]``), and ``fusion`` (everything). ``--checkpoint`` adds what a training run left, in
float, under the name of its architecture and of the run; below the table stands how many points the embedded model,
which is in int8, is above or below each of the others. ``--random`` adds a model of that architecture in
the shape of DeBERTa-v3-small with random weights: it shows that such a row can be filled, and should be near chance.
All but ``overlap`` read a hypothesis of several claims claim by claim, and its score is
that of the least supported one, as in a report. Each system has one threshold for all sets: fixed on the odd rows
of the real sets, where it gives the best mean balanced accuracy, and reported on the even rows of every set.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from benchmarks.further_models import checkpoint_model, model_of, random_model
from verifier.config import load
from verifier.factory import build_scorer, temporary_store
from verifier.measure.metrics import auroc, balanced_accuracy, best_threshold
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import Claim
from verifier.verification.claims import extract_claims
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

REAL = (
    "frank.valid",
    "wice_claim.dev",
    "wice_claim_gold.dev",
    "begin_wow.dev",
    "begin_tc.dev",
    "begin_cmu.dev",
    "q2_wow.test",
    "summedits_news.test",
    "summedits_ectsum.test",
    "summedits_samsum.test",
    "summedits_scitldr.test",
    "shroom_dev.dev",
    "shroom_dev_aware.dev",
    "healthver.dev",
)
"""Texts written by models or edited by people, with human labels."""

Scores = dict[str, list[float]]
"""System -> one score a row, higher for supported."""


def overlap(premise: str, hypothesis: str) -> float:
    """Share of the claim's distinct words that occur in the premise."""
    words = set(re.findall(r"\w+", hypothesis.casefold()))
    return len(words & set(re.findall(r"\w+", premise.casefold()))) / len(words) if words else 0.0


def score_rows(
    rows: Sequence[LabelledRow], scorers: Mapping[str, VerifiedScorer], models: Mapping[str, NLISignal]
) -> Scores:
    """Every system's score of every row."""
    claims = [claims_of(row.claim) for row in rows]
    scores: Scores = {"overlap": [overlap(row.premise or "", row.claim) for row in rows]}
    for name, scorer in scorers.items():
        scores[name] = [
            min(verdict.support or 0.0 for verdict in scorer.judge(own, GivenTexts.of(row.premise or "")))
            for row, own in zip(rows, claims, strict=True)
        ]
    for name, model in models.items():
        asked = [
            TextPair(row.premise or "", claim.hypothesis)
            for row, own in zip(rows, claims, strict=True)
            for claim in own
        ]
        found = iter(model.score(asked))
        scores[name] = [min(next(found).support or 0.0 for _ in own) for own in claims]
    return scores


def claims_of(text: str) -> Sequence[Claim]:
    """The claims of a hypothesis; itself, where nothing in it counts as one.

    Whom a pronoun means is taken as told: the sets hold replies without what was said before, and their labels read
    ``he`` as the one whom the premise is about.
    """
    claims = [replace(claim, unresolved="") for claim in extract_claims(text).claims]
    return claims or [Claim(text, 0, len(text))]


def evaluate(
    sets: Mapping[str, Sequence[LabelledRow]],
    scorers: Mapping[str, VerifiedScorer],
    models: Mapping[str, NLISignal],
) -> dict[str, object]:
    """All figures: threshold of each system, then for each set and system the two figures over the even rows."""
    scored = {}
    for name, rows in sets.items():
        scored[name] = score_rows(rows, scorers, models)
        print(f"{name}: {len(rows)} rows", file=sys.stderr)
    systems = list(next(iter(scored.values())))
    truth = {name: [row.is_supported for row in rows] for name, rows in sets.items()}
    tuned_on = [name for name in sets if name in REAL] or list(sets)
    table: dict[str, dict[str, dict[str, float | None]]] = {name: {} for name in sets}
    thresholds = {}
    for system in systems:
        odd = [(truth[name][::2], scored[name][system][::2]) for name in tuned_on]
        thresholds[system] = best_threshold(odd)
        for name in sets:
            labels, values = truth[name][1::2], scored[name][system][1::2]
            called = [value >= thresholds[system] for value in values]
            table[name][system] = {
                "balanced_accuracy": balanced_accuracy(labels, called),
                "auroc": auroc(labels, values),
            }
    return {"thresholds": thresholds, "sets": table, "rows": {name: len(rows) for name, rows in sets.items()}}


def lines(result: Mapping[str, object]) -> Iterator[str]:
    """The table as Markdown, real sets first, with their mean."""
    table = result["sets"]
    assert isinstance(table, dict)
    systems = list(next(iter(table.values())))
    yield "| set | " + " | ".join(f"{system} BA | {system} AUROC" for system in systems) + " |"
    yield "|---|" + "---|" * (2 * len(systems))
    real = [name for name in REAL if name in table]
    for name in (*real, "mean of the real sets", *(name for name in table if name not in REAL)):
        names = real if name == "mean of the real sets" else [name]
        cells = []
        for system in systems:
            for figure in ("balanced_accuracy", "auroc"):
                values = [table[item][system][figure] for item in names]
                known = [value for value in values if value is not None]
                cells.append(f"{np.mean(known):.3f}" if known else "-")
        if names:
            yield f"| {name} | " + " | ".join(cells) + " |"


def differences(result: Mapping[str, object], name: str, others: Sequence[str]) -> Iterator[str]:
    """How far the figures of the system ``name`` are above those of others, in points of the mean of the sets.

    The mean is that of the real sets, or of all where none of them is real.
    """
    table = result["sets"]
    assert isinstance(table, dict)
    sets = [given for given in REAL if given in table] or list(table)
    for other in others:
        parts = []
        for figure, words in (("balanced_accuracy", "balanced accuracy"), ("auroc", "AUROC")):
            both = [(table[given][name][figure], table[given][other][figure]) for given in sets]
            known = [100 * (own - theirs) for own, theirs in both if own is not None and theirs is not None]
            parts.append(f"{np.mean(known):+.2f} points of {words}" if known else f"no {words}")
        yield f"{name} against {other}, mean of {len(sets)} sets: {', '.join(parts)}"


def read_sets(data: Path, names: Sequence[str] | None, rows: int | None) -> dict[str, list[LabelledRow]]:
    """The named sets, or all, with ``rows`` rows of each in a fixed order, or all.

    Raises:
        FileNotFoundError: there is none of them.
    """
    sets = {}
    for path in sorted((data / "eval").glob("*.jsonl.xz")):
        name = path.name.removesuffix(".jsonl.xz")
        if names is None or name in names:
            usable = [row for row in read_rows(path) if isinstance(row, LabelledRow)]
            sets[name] = sorted(usable, key=_by_hash)[:rows]
    if not sets:
        raise FileNotFoundError(f"no evaluation sets in {data}")
    return sets


def set_names(given: str | None) -> list[str] | None:
    """What ``--sets`` means: names, ``real`` for those with human labels on real text, nothing for all."""
    if given == "real":
        return list(REAL)
    return given.split(",") if given else None


def store(path: Path, result: Mapping[str, object]) -> None:
    """Write the figures as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("VERIFIER_DATA"))
    parser.add_argument("--rows", type=int, help="rows of each set, always the same ones; all by default")
    parser.add_argument("--sets", help="comma-separated names, or real; all by default")
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="NAME=MODEL[,OPTION=VALUE...]",
        help="a further model, read alone: a folder or hub id, with options as in [signals.nli]",
    )
    parser.add_argument(
        "--checkpoint", action="append", type=Path, default=[], metavar="RUN", help="a training run, in float"
    )
    parser.add_argument(
        "--random", action="append", default=[], metavar="FAMILY", help="an architecture with random weights"
    )
    parser.add_argument("--output", type=Path, help="write the figures there as JSON")
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("give --data or set VERIFIER_DATA")
    try:
        sets = read_sets(Path(arguments.data), set_names(arguments.sets), arguments.rows)
    except FileNotFoundError as error:
        parser.error(str(error))
    with TemporaryDirectory() as scratch:
        models = {
            "nli": NLISignal(cache_size=0),
            **dict(map(model_of, arguments.model)),
            **dict(checkpoint_model(run, Path(scratch)) for run in arguments.checkpoint),
            **{f"{name} (random)": random_model(name, Path(scratch)) for name in arguments.random},
        }
        result = evaluate(sets, dict(_scorers()), models)
    print("\n".join(lines(result)))
    print("\n".join(differences(result, "nli", [name for name in models if name != "nli"])))
    if arguments.output:
        store(arguments.output, result)


def _by_hash(row: LabelledRow) -> bytes:
    """A fixed order that has nothing to do with the labels: several sets alternate them."""
    return hashlib.sha256(f"{row.premise}\0{row.claim}".encode("utf-8", "surrogatepass")).digest()


def _scorers() -> Iterator[tuple[str, VerifiedScorer]]:
    for name, overrides in (("rules", {"signals.nli": False}), ("fusion", {})):
        settings = load(overrides=overrides, environ={}).settings
        scorer = build_scorer(settings, temporary_store(settings))
        if name == "rules" or scorer.nli != "none":
            yield name, scorer


if __name__ == "__main__":
    main()
