"""Compare NLI models by verdicts: every labelled set is judged by what was learnt from the others.

    python -m benchmarks.left_out [--model DIR ...] [--sets fresh|extra] [--json FILE]

A model may get better on its own held-back pairs while verdicts get worse. So a round of training is judged by this,
beside the real sets of ``benchmarks.evaluation``. For each model the fusion is learnt anew from all sets but one, and
what it says of that one is counted (``verifier.measure.learn``); nothing is withheld. *NLI alone* is the AUROC of the
highest entailment over a claim's windows. ``--sets extra`` judges by sets that otherwise teach, for choosing among
models: a choice that was made by the fresh sets can no longer be vouched for by them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.labelled import LABELLED, VOUCHING, called_shares, read_samples
from verifier.measure.learn import learn
from verifier.measure.metrics import auroc
from verifier.measure.samples import Sample

__all__ = ["Figures", "left_out", "lines"]


@dataclass(frozen=True)
class Figures:
    """One model: shares and AUROCs in [0, 1], log loss in nats."""

    model: str
    claims: int
    nli_alone: float
    log_loss: float
    accuracy: float
    auroc: float
    false_support: float
    supported_recall: float


def left_out(model: str, samples: Mapping[str, Sequence[Sample]], nli: str, judged: Sequence[str]) -> Figures:
    """The sets ``judged``, each left out; the other ones of ``samples`` teach."""
    own = [replace(sample, fold=place) for place, name in enumerate(judged) for sample in samples[name]]
    teaching = [sample for name, some in samples.items() if name not in judged for sample in some]
    learnt = learn(own, nli, teaching=teaching)
    supported = [sample.supported for sample in own]
    false_support, supported_recall = called_shares(own, learnt)
    entailed = [_entailment(sample) for sample in own]
    return Figures(
        model,
        len(own),
        nli_alone=auroc(supported, entailed) or 0.0,
        log_loss=float(learnt.fusion.figures["log_loss"]),
        accuracy=float(learnt.fusion.figures["accuracy"]),
        auroc=auroc(supported, learnt.support.tolist()) or 0.0,
        false_support=false_support,
        supported_recall=supported_recall,
    )


def lines(rows: Sequence[Figures]) -> Iterator[str]:
    """The table as Markdown."""
    yield "| model | claims | NLI alone | log loss | accuracy | AUROC | false support | supported recall |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        yield (
            f"| {row.model} | {row.claims} | {row.nli_alone:.3f} | {row.log_loss:.4f} | {row.accuracy:.3f} "
            f"| {row.auroc:.3f} | {row.false_support:.3f} | {row.supported_recall:.3f} |"
        )


def _entailment(sample: Sample) -> float:
    """The highest of its windows; 0 where the model read none."""
    scores = [reading.scores["nli"] for reading in sample.read.readings if "nli" in reading.scores]
    return max((score.features.get("entailment", 0.0) for score in scores), default=0.0)


def main() -> None:
    """Parse arguments, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, nargs="+", help="model folders beside the one in the package")
    parser.add_argument("--sets", choices=("fresh", "extra"), default="fresh")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    judged = VOUCHING if arguments.sets == "fresh" else tuple(n for n in LABELLED if n.startswith("extra_"))
    read = tuple(LABELLED) if arguments.sets == "fresh" else tuple(n for n in LABELLED if n not in VOUCHING)
    rows = []
    for folder in (None, *(arguments.model or ())):
        overrides = {} if folder is None else {"signals.nli.model": str(folder.resolve())}
        samples, nli = read_samples(read, overrides)
        rows.append(left_out("in the package" if folder is None else folder.name, samples, nli, judged))
    print("\n".join(lines(rows)))
    if arguments.json:
        arguments.json.write_text(json.dumps([vars(row) for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
