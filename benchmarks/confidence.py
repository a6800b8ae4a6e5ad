"""How well each part of a confidence agrees with graded answers, and what the gate does with it.

    python -m benchmarks.confidence [--encoder minilm] [--samples 5] [--json FILE]

``corpora/answers/graded.jsonl`` holds answers to questions about the demonstration company, graded 1 to 5 for a reader
who asked the question, and marked ``grounded`` where the documents bear out all of it. They were written and graded
before anything was scored, and nothing is fitted to them.

* **Rank correlation** (Spearman) of each part with the grades, over all answers and for each kind against ``full``
  ones (as AUROC). The rating by a language model is not among them: there is none here, and a scripted one would rate
  what its script says.
* **Retry loop**: a scripted generator that draws one of the question's answers, at random and whatever it is told. The
  share of final answers that are grounded, and of those shown at all, with and without groundedness in the gate.
* **Semantic entropy against error**: for each question a generator that is right with a probability of its own, drawn
  evenly from 0 to 1. AUROC of entropy and of self-consistency for "the chosen answer is not grounded".
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr
from verifier_signals.nli import NLISignal

from verifier.config import load
from verifier.core.registry import ENCODERS
from verifier.factory import build_scorer, temporary_store
from verifier.guard.consistency import rate_candidates
from verifier.guard.consistency.similarity import (
    CharacterSimilarity,
    EmbeddingSimilarity,
    EntailmentSimilarity,
    Similarity,
    WordSimilarity,
)
from verifier.guard.gate import (
    Coherence,
    ConfidenceGate,
    GatePolicy,
    Groundedness,
    Question,
    Relevance,
    Rules,
)
from verifier.guard.gate.components import Component
from verifier.guard.gate.types import Generated
from verifier.guard.rating import NEUTRAL, LocalCoherenceRater
from verifier.guard.relevance import ContextRelevance
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.measure.metrics import auroc
from verifier.verification.scorer import VerifiedScorer

ANSWERS = Path("corpora/answers/graded.jsonl")
KNOWLEDGE = Path("corpora/demo/kb")
NEUTRALS = {"coherence": NEUTRAL, "groundedness": 0.0, "relevance": 0.5}

FEWEST = 5
"""Kinds of answer with fewer examples have no column."""

Row = Mapping[str, Any]


def components(scorer: VerifiedScorer, encoder: str) -> dict[str, Component]:
    """Every part that needs no language model."""
    return {
        "rules": Rules(),
        "rules, refusals at the opening": Rules(refusals="opening"),
        "relevance": Relevance(ContextRelevance(ENCODERS.load(encoder)())),
        "coherence, local": Coherence(LocalCoherenceRater(scorer)),
        "groundedness": Groundedness(lambda prompt, response: scorer.verify(response, prompt=prompt)),
    }


def measured(rows: Sequence[Row], part: Component) -> list[float]:
    """The value for each answer, the gate's neutral one where there is none."""
    values = []
    for row in rows:
        found = part.measure(Question(row["question"]), row["answer"])
        values.append(NEUTRALS.get(part.name, 0.0) if found.value is None else found.value)
    return values


def correlations(rows: Sequence[Row], values: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """For each part its rank correlation with the grades, and how well it tells ``full`` answers from each kind."""
    counts = Counter(row["kind"] for row in rows)
    kinds = sorted(kind for kind, count in counts.items() if count >= FEWEST and kind != "full")
    table = []
    for name, scores in values.items():
        constant = len(set(scores)) == 1
        line: dict[str, Any] = {
            "part": name,
            "spearman": None
            if constant
            else float(spearmanr(scores, [row["grade"] for row in rows]).statistic),
        }
        for kind in kinds:
            pairs = [
                (r["kind"] == "full", s)
                for r, s in zip(rows, scores, strict=True)
                if r["kind"] in ("full", kind)
            ]
            line[kind] = auroc([label for label, _ in pairs], [score for _, score in pairs])
        table.append(line)
    return table


class Drawing:
    """A generator that draws one of the answers, deaf to what it is told."""

    def __init__(self, answers: Sequence[Row], draw: np.random.Generator) -> None:
        self._answers, self._draw = answers, draw

    def generate(self, prompt: str, instructions: str) -> Generated:
        """One of the answers, each as likely as the others."""
        del prompt, instructions
        return Generated(self._answers[self._draw.integers(len(self._answers))]["answer"])


def retry_loop(rows: Sequence[Row], parts: Mapping[str, Component], *, repeats: int) -> list[dict[str, Any]]:
    """Shares over all questions, each asked ``repeats`` times."""
    policies = {
        "no gate": None,
        "rules alone, from 0.5": GatePolicy(weights={"rules": 1}, threshold=0.5),
        "rules 0.3, groundedness 0.7, from 0.75": GatePolicy(weights={"rules": 0.3, "groundedness": 0.7}),
    }
    by_question = {name: list(group) for name, group in groupby(rows, key=lambda row: row["question"])}
    table = []
    for name, policy in policies.items():
        draw = np.random.default_rng(7)
        shown = grounded = attempts = 0
        for question, answers in by_question.items():
            good = {row["answer"] for row in answers if row["grounded"]}
            for _ in range(repeats):
                generator = Drawing(answers, draw)
                if policy is None:
                    content, tries, success = generator.generate(question, "").content, 1, True
                else:
                    result = ConfidenceGate(generator, list(parts.values()), policy).run(question)
                    content, tries, success = result.content, len(result.attempts), result.success
                shown, attempts = shown + success, attempts + tries
                grounded += success and content in good
        asked = len(by_question) * repeats
        table.append(
            {
                "gate": name,
                "answers shown": shown / asked,
                "grounded among shown": grounded / shown if shown else None,
                "attempts": attempts / asked,
            }
        )
    return table


def entropies(
    rows: Sequence[Row], similarities: Sequence[Similarity], *, samples: int
) -> list[dict[str, Any]]:
    """AUROC of each sign of uncertainty for an error of the chosen answer."""
    by_question = [list(group) for _, group in groupby(rows, key=lambda row: row["question"])]
    table = []
    for similarity in similarities:
        draw = np.random.default_rng(11)
        wrong, entropy, doubt = [], [], []
        for answers in by_question:
            right = [row["answer"] for row in answers if row["grounded"]]
            others = [row["answer"] for row in answers if not row["grounded"]]
            for chance in (np.arange(5) + 0.5) / 5:
                drawn = [
                    str(draw.choice(right))
                    if not others or draw.random() < chance
                    else str(draw.choice(others))
                    for _ in range(samples)
                ]
                result = rate_candidates(drawn, similarity)
                wrong.append(result.best_candidate not in right)
                entropy.append(result.semantic_entropy)
                doubt.append(1 - (result.confidence_score or 0.0))
        table.append(
            {
                "similarity": similarity.name,
                "errors": sum(wrong) / len(wrong),
                "entropy": auroc(wrong, entropy),
                "1 - consistency": auroc(wrong, doubt),
            }
        )
    return table


class Remembered:
    """A part that measures each answer once: the retry loop meets the same ones again and again."""

    def __init__(self, part: Component) -> None:
        self._part, self._known = part, dict[tuple[str, str], Any]()
        self.name, self.highest = part.name, part.highest

    def measure(self, question: Question, response: str) -> Any:
        """What the part says."""
        key = (question.prompt, response)
        if key not in self._known:
            self._known[key] = self._part.measure(question, response)
        return self._known[key]


def show(title: str, table: Sequence[Mapping[str, Any]]) -> None:
    """One table on stdout."""
    print(f"\n{title}")
    columns = list(table[0])
    cells = [[_cell(row[column]) for column in columns] for row in table]
    widths = [max(len(column), *(len(row[at]) for row in cells)) for at, column in enumerate(columns)]
    for row in (columns, *cells):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", default="minilm", help="of relevance and similarity")
    parser.add_argument("--samples", type=int, default=5, help="answers compared for the entropy")
    parser.add_argument("--repeats", type=int, default=20, help="runs of the retry loop for each question")
    parser.add_argument("--json", type=Path, help="write the tables here too")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # a part that is not measured is in the tables
    rows = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    settings = load().settings
    with temporary_store(settings) as store:
        documents = (
            document for found in discover([KNOWLEDGE]) for document in read_documents(found, ReadOptions())
        )
        store.ingest(documents)
        every = components(build_scorer(settings, store), arguments.encoder)
        parts = {name: Remembered(part) for name, part in every.items()}
        found = {
            "correlation": correlations(rows, {name: measured(rows, part) for name, part in parts.items()}),
            "retry loop": retry_loop(
                rows, {name: parts[name] for name in ("rules", "groundedness")}, repeats=arguments.repeats
            ),
        }
    encoder = ENCODERS.load(arguments.encoder)()
    found["entropy"] = entropies(
        rows,
        [
            EmbeddingSimilarity(encoder),
            EntailmentSimilarity(NLISignal()),
            CharacterSimilarity(),
            WordSimilarity(),
        ],
        samples=arguments.samples,
    )
    print(
        f"{len(rows)} answers. Rank correlation with their grades; AUROC of full answers against each kind."
    )
    show("Parts", found["correlation"])
    show("Retry loop with a generator that draws among the answers", found["retry loop"])
    show("Uncertainty against errors of the chosen answer (AUROC)", found["entropy"])
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
