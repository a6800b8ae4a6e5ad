"""Measure how many labelled claims teach weights well, and how a classifier is best asked.

python -m benchmarks.first_use claims     log loss and accuracy, by the number of claims that weights are learnt from
python -m benchmarks.first_use premises   a piece of evidence with its place before it and without, and two formulas
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from benchmarks.labelled import FOLDER, LABELLED, VOUCHING, read_samples
from verifier.config import load
from verifier.factory import temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.measure.fit import Matrix, log_loss
from verifier.measure.learn import learn
from verifier.measure.metrics import auroc
from verifier.measure.rows import LabelledRow, read_rows
from verifier.measure.samples import Sample
from verifier.types import Claim, Evidence, Verdict
from verifier.verification.decision.verdict import Fusion
from verifier.verification.retrieve import gather

COUNTS = (150, 300, 450, 600, 900, 1344)
DRAWS = 3
"""Samples of each number, begun at different places."""
PASSAGES = 3


def by_number(counts: Sequence[int], names: Sequence[str]) -> Iterator[tuple[int, Mapping[str, float]]]:
    """For each number of claims: log loss, accuracy and the shares called supported, of claims about other documents.

    Of four fifths of the documents so many claims are drawn, evenly spread, as that number would have there; all claims
    about the others are judged.
    """
    samples, nli = read_samples(names)
    all_of = [sample for some in samples.values() for sample in some]
    for count in counts:
        draws = 1 if count >= len(all_of) else DRAWS
        found = [_held_out(all_of, nli, count / len(all_of), start / draws) for start in range(draws)]
        yield count, {key: float(np.mean([one[key] for one in found])) for key in found[0]}


def _held_out(samples: Sequence[Sample], nli: str, share: float, start: float) -> Mapping[str, float]:
    folds = np.array([sample.fold for sample in samples])
    logits = np.zeros((len(samples), len(Verdict)))
    called: list[Verdict | None] = [None] * len(samples)
    for fold in np.unique(folds):
        others = np.flatnonzero(folds != fold)
        size = min(len(others), round(len(others) * share))
        drawn = others[((np.arange(size) + start) * len(others) / size).astype(int)]
        fusion = learn(
            [samples[n] for n in drawn], nli, same_thing=[Fusion.embedded("none").same_thing]
        ).fusion
        for n in np.flatnonzero(folds == fold):
            case = fusion.case_of(samples[n].read)
            chances = fusion.probabilities(case.features)
            logits[n] = np.log([max(chances[verdict], 1e-12) for verdict in Verdict])
            called[n] = fusion.rule(case, chances).verdict
    labels = [sample.verdict for sample in samples]
    classes = np.array([list(Verdict).index(label) for label in labels if label is not None], dtype=np.intp)
    supported = np.array([verdict is Verdict.SUPPORTED for verdict in called])
    wrong = np.array([label in (Verdict.CONTRADICTED, Verdict.FABRICATED) for label in labels])
    right = np.array([sample.supported for sample in samples])
    return {
        "log loss": log_loss(logits, classes),
        "accuracy": float(np.mean([one is label for one, label in zip(called, labels, strict=True)])),
        "false support": float(supported[wrong].mean()),
        "supported found": float(supported[right].mean()),
    }


def premises(names: Sequence[str]) -> Iterator[tuple[str, Mapping[str, float]]]:
    """For each way to put a piece before the embedded model, and each formula: AUROC, accuracy and log loss."""
    asked = [item for name in names for item in _asked(name)]
    rows = [row for row, _ in asked]
    classes = np.array([_answer_class(row.label) for row in rows], dtype=np.intp)
    model = NLISignal()
    for way in ("text alone", "place before it", "place where the text lacks a word of it"):
        scores = np.zeros((len(asked), 3))
        scores[:, 2] = 1.0
        pairs = [
            (n, TextPair(_premise(way, item, row.claim), row.claim))
            for n, (row, found) in enumerate(asked)
            for item in found
        ]
        for (n, _), score in zip(pairs, model.score([pair for _, pair in pairs]), strict=True):
            told = score.features
            scores[n, 0] = max(scores[n, 0], told["entailment"])
            scores[n, 1] = max(scores[n, 1], told["contradiction"])
            scores[n, 2] = min(scores[n, 2], told["neutral"])
        for formula, chances in (("shares", _shares(scores)), ("both at once", _both(scores))):
            yield (
                f"{way}, {formula}",
                {
                    "AUROC": auroc((classes == 0).tolist(), chances[:, 0].tolist()) or 0.0,
                    "accuracy": float(np.mean(chances.argmax(axis=1) == classes)),
                    "log loss": log_loss(np.log(np.maximum(chances, 1e-6)), classes),
                },
            )


def _asked(name: str) -> Iterator[tuple[LabelledRow, Sequence[Evidence]]]:
    """The claims of a set, each with the passages that are found for it first."""
    settings, space = load(environ={}).settings, LABELLED[name]
    rows = [row for row in read_rows(FOLDER / f"{name}.jsonl") if isinstance(row, LabelledRow)]
    rows = [row for row in rows if row.label in set(Verdict)]
    with temporary_store(settings) as store:
        files = discover(sorted((FOLDER / "kb").glob(f"{space}_*")))
        store.ingest((one for file in files for one in read_documents(file, ReadOptions())), namespace=space)
        claims = [Claim(row.claim, 0, len(row.claim)) for row in rows]
        yield from zip(rows, gather(store, claims, top_k=PASSAGES, namespace=space), strict=True)


def _premise(way: str, item: Evidence, claim: str) -> str:
    place = " > ".join((item.source, *item.headings))
    lacking = set(place.casefold().split()) & set(claim.casefold().split()) - set(
        item.text.casefold().split()
    )
    if way == "text alone" or (way != "place before it" and not lacking):
        return item.text
    return f"{place}. {item.text}"


def _shares(scores: Matrix) -> Matrix:
    """Highest entailment, highest contradiction and lowest neutral over their sum."""
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def _both(scores: Matrix) -> Matrix:
    """Entailed and contradicted taken for independent; what is both goes to each in proportion."""
    e, c = scores[:, 0], scores[:, 1]
    part = e * c / np.maximum(e + c, 1e-9)
    return np.stack([e * (1 - c) + part * e, c * (1 - e) + part * c, (1 - e) * (1 - c)], axis=1)


def _answer_class(label: str) -> int:
    """Supported, contradicted, or not found."""
    return ("supported", "contradicted").index(label) if label in ("supported", "contradicted") else 2


def _table(rows: Sequence[tuple[object, Mapping[str, float]]], first: str) -> str:
    names = list(rows[0][1])
    lines = [f"| {first} | {' | '.join(names)} |", f"|{'---|' * (len(names) + 1)}"]
    lines += [f"| {name} | {' | '.join(f'{row[key]:.3f}' for key in names)} |" for name, row in rows]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.first_use",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("task", choices=["claims", "premises"])
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--sets", nargs="+", default=VOUCHING, choices=sorted(LABELLED))
    given = parser.parse_args(arguments)
    if given.task == "claims":
        print(_table(list(by_number(given.counts, given.sets)), "claims"))
    else:
        print(_table(list(premises(given.sets)), "piece of evidence, probabilities"))


if __name__ == "__main__":
    main()
