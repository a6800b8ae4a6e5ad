"""Learn from labelled pairs when a word may stand for another: ``verifier_signals/lexicon/likeness.tsv``.

Run ``VERIFIER_DATA=... python -m training.likeness``. From some training sets (``SETS``) it takes the pairs in which
all but one of the claim's words stand in the evidence. Whether such a claim is supported depends on that word: one of
the words that are left over in the evidence must say the same. A logistic regression learns this from ``CUES``. Of
several words left over the likeliest counts, so finding it and learning alternate. All sets have the same weight. The
same rows give the same file.

Opposites are left out beforehand. It prints how often claims are supported whose match is at least so likely, by
weights learnt from the other sets, for several likelihoods, and keeps this in ``training/results/likeness.json``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from verifier_backends.encoders.static import StaticEncoder
from verifier_signals.content import content_of
from verifier_signals.likeness import CUES, LEAST_NEAR, Weights, are_opposed, cues_of
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Relation, TextPair

from training.data import Pair, claim_hash, data_folder, held_out_claims, read_set

__all__ = ["Case", "cases_of", "fit", "main"]

TARGET = Path(__file__).parent.parent / "signals" / "verifier_signals" / "lexicon" / "likeness.tsv"
RESULTS = Path(__file__).parent / "results" / "likeness.json"
STEP = 2
"""Every so many rows of a set are read, since those of one premise often stand together."""
ROWS = 3000
"""Pairs of each set that are looked at."""
SETS = (
    "breaking_nli.test",
    "cad_nli.train",
    "fever_nli.dev",
    "fever_symmetric.dev",
    "infotabs.train",
    "lingnli.dev",
    "lingnli.train",
    "rte.train",
    "semiauto_base_wiki.train",
    "semiauto_sim_wiki.train",
    "semiauto_translate_wiki.train",
    "snli.dev",
    "snli.test",
)
"""Sets of claims about what one text tells, in ordinary words. In the others labels turn on something else: denials,
quantifiers, figures, the roles of names, what several texts imply."""
LEAST = 0.5
"""Two words match where it is likelier than not that they say the same."""
L2 = 3e-4
"""Weight of the squared weights, for a mean log loss."""
TURNS = 6
LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


class Case(NamedTuple):
    """A claim of which one word is not found."""

    source: str
    word: str
    others: tuple[str, ...]
    """The words of the evidence that could stand for it and are as near as ``LEAST_NEAR``."""
    cues: NDArray[np.float64]
    """[others, CUES]."""
    borne_out: bool


def cases_of(pairs: Sequence[Pair], encoder: StaticEncoder) -> Iterator[Case]:
    """The pairs whose claim is in the evidence but for one plain word."""
    signal = TraceabilitySignal()
    texts = [TextPair(pair.premise, pair.hypothesis) for pair in pairs]
    for pair, score in zip(pairs, signal.score(texts), strict=True):
        absent = [item for item in score.findings if item.relation is Relation.ABSENT]
        if len(absent) != 1 or len(score.findings) < 2:
            continue
        claim, evidence = content_of(pair.hypothesis), content_of(pair.premise)
        words = [
            word
            for word, places in claim.plain.items()
            if claim.units[places[0]].start == absent[0].claim_span[0]
        ]
        taken = {item.evidence_span for item in score.findings}
        left = [
            word
            for word, places in evidence.plain.items()
            if any((evidence.units[at].start, evidence.units[at].end) not in taken for at in places)
        ]
        if words:
            yield _case(pair, words[0], left, encoder)


def _case(pair: Pair, word: str, left: Sequence[str], encoder: StaticEncoder) -> Case:
    rows = encoder.encode([word, *left])
    near = rows[1:] @ rows[0]
    kept = [at for at in range(len(left)) if near[at] >= LEAST_NEAR and not are_opposed(word, left[at])]
    cues = np.array([cues_of(word, left[at], float(near[at])) for at in kept]).reshape(-1, len(CUES))
    others = tuple(left[at] for at in kept)
    return Case(pair.source, word, others, cues, pair.label == "entailment")


def fit(cases: Sequence[Case]) -> Weights:
    """Weights under which the likeliest word of each case tells best whether it is borne out; each set counts alike."""
    borne_out = np.array([case.borne_out for case in cases], dtype=np.float64)
    sizes = Counter(case.source for case in cases)
    counts = np.array([1.0 / sizes[case.source] for case in cases])
    weights = np.zeros(len(CUES) + 1)
    weights[0] = 1.0
    for _ in range(TURNS):
        x = np.array([np.append(_best(case, weights), 1.0) for case in cases])
        weights = _logistic(x, borne_out, counts / counts.sum(), weights)
    return Weights(tuple(map(float, weights[:-1])), float(weights[-1]), LEAST)


def _best(case: Case, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cues of the likeliest word; none where no word is likelier than none at all."""
    if not len(case.cues):
        return np.zeros(len(CUES))
    gain = case.cues @ weights[:-1]
    at = int(np.argmax(gain))
    return case.cues[at] if gain[at] > 0 else np.zeros(len(CUES))


def _logistic(
    x: NDArray[np.float64], y: NDArray[np.float64], counts: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Newton's steps to the least mean log loss plus ``L2 / 2 * |weights|^2``, without the last weight, the bias."""
    weights = start.copy()
    ridge = np.diag([L2] * (x.shape[1] - 1) + [0.0])
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-(x @ weights)))
        gradient = x.T @ (counts * (chance - y)) + ridge @ weights
        curvature = (x * (counts * chance * (1.0 - chance))[:, None]).T @ x + ridge
        step = np.linalg.solve(curvature, gradient)
        weights = weights - step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def likelihoods(cases: Sequence[Case], weights: Weights) -> list[float]:
    """Of each case how likely its likeliest word says the same; 0 where there is none."""
    return [max((weights.likelihood(cues) for cues in case.cues), default=0.0) for case in cases]


def curve(cases: Sequence[Case]) -> dict[str, object]:
    """How often cases are borne out by the likelihood of their match, judged by the weights of the other sets."""
    judged: list[tuple[float, Case]] = []
    for source in sorted({case.source for case in cases}):
        own = [case for case in cases if case.source == source]
        weights = fit([case for case in cases if case.source != source])
        judged += zip(likelihoods(own, weights), own, strict=True)
    levels = []
    for level in LEVELS:
        matched = [case for likelihood, case in judged if likelihood >= level]
        borne = sum(case.borne_out for case in matched)
        levels.append(
            {
                "least": level,
                "matched": len(matched),
                "borne_out": round(borne / len(matched), 3) if matched else None,
                "of_all_borne_out": round(borne / sum(case.borne_out for case in cases), 3),
            }
        )
    return {
        "cases": len(cases),
        "borne_out": round(sum(case.borne_out for case in cases) / len(cases), 3),
        "auroc": round(_auroc(judged), 3),
        "sets": dict(sorted(Counter(case.source for case in cases).items())),
        "levels": levels,
    }


def _auroc(judged: Sequence[tuple[float, Case]]) -> float:
    """Of a case that is borne out and one that is not, how often the first has the likelier match; ties count half."""
    ranks: dict[float, list[bool]] = {}
    for likelihood, case in judged:
        ranks.setdefault(likelihood, []).append(case.borne_out)
    below = won = 0.0
    for likelihood in sorted(ranks):
        borne = sum(ranks[likelihood])
        not_borne = len(ranks[likelihood]) - borne
        won += borne * (below + not_borne / 2)
        below += not_borne
    total = sum(case.borne_out for _, case in judged)
    return won / (total * (len(judged) - total))


def read_cases(data: Path) -> list[Case]:
    """The cases of all ``SETS``; none of a claim that is kept for evaluation."""
    encoder, kept_back = StaticEncoder(), held_out_claims(data)
    found: list[Case] = []
    for name in SETS:
        pairs = [
            pair
            for pair in read_set(data / "train", name)[::STEP]
            if claim_hash(pair.hypothesis) not in kept_back
        ]
        found += cases_of(pairs[:ROWS], encoder)
    return found


def main() -> None:
    """Learn, write and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="the data folder; by default the variable VERIFIER_DATA")
    cases = read_cases(data_folder(parser.parse_args().data))
    weights = fit(cases)
    rows = [*zip(CUES, weights.cues, strict=True), ("bias", weights.bias), ("least", weights.least)]
    head = "# What tells that one word says what another does. Made by: python -m training.likeness"
    TARGET.write_text("\n".join([head, *(f"{name}\t{value:.4f}" for name, value in rows)]) + "\n", "utf-8")
    found = curve(cases)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(TARGET.read_text("utf-8"), json.dumps(found, indent=1), sep="\n")


if __name__ == "__main__":
    main()
