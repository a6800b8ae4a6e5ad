"""Measure the entity signal: relations of labelled pairs, on both halves, and the spans of names.

``python -m benchmarks.names pairs`` reads ``corpora/signals/entity.jsonl``; a premise's hash puts it into the half that
rules are developed on (``tune``) or into the other (``test``). ``python -m benchmarks.names spans`` reads
``ner/redocred.eval.jsonl.xz`` under ``$VERIFIER_DATA``.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verifier_signals.entity import EntitySignal
from verifier_signals.names import Sort, names_in
from verifier_signals.names.trained import HeadNames, SpacyNames
from verifier_signals.types import Outcome, SignalScore, TextPair

from benchmarks.signals import half_of
from training.annotated import TYPES, Document, documents
from verifier.core.errors import ConfigError, MissingExtra

PAIRS = Path(__file__).parents[1] / "corpora" / "signals" / "entity.jsonl"
RELATIONS = ("consistent", "conflicting", "role_conflict", "absent")
PIPELINE = "en_core_web_sm"
OUR_TYPES = {
    Sort.PERSON: "PER",
    Sort.ORGANISATION: "ORG",
    Sort.PLACE: "LOC",
    Sort.TITLE: "MISC",
    Sort.CODE: "MISC",
}

TUNE = 1
"""The rules for names and roles were developed on the premises of odd parity: by the default of the other corpora,
what was looked at would pass for unseen."""

Span = tuple[int, int]
Finder = Callable[[str], Mapping[Span, str]]


def relation_of(score: SignalScore) -> str:
    """The label that a score stands for. A claim without names has none that is missing: consistent."""
    if score.features["role_conflict"]:
        return "role_conflict"
    return {Outcome.CONFLICTING: "conflicting", Outcome.ABSENT: "absent"}.get(score.outcome, "consistent")


def precision_recall(gold: Sequence[Any], found: Sequence[Any], labels: set[Any]) -> tuple[float, float]:
    """Over rows that either side gives one of ``labels``: a conflict of the other kind still is a conflict."""
    right = sum(one in labels and two in labels for one, two in zip(gold, found, strict=True))
    return right / max(sum(item in labels for item in found), 1), right / max(
        sum(item in labels for item in gold), 1
    )


def pairs(wrong: str | None, *, head: bool) -> None:
    """Print precision and recall of each relation; with ``wrong``, the pairs of the tune half that are misread."""
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    given = [TextPair(row["premise"], row["claim"]) for row in rows]
    signal = EntitySignal(head=head)
    found = [relation_of(score) for score in signal.score(given)]
    print(f"{'half':6}{'relation':16}{'n':>5}{'precision':>11}{'recall':>8}")
    for half in ("tune", "test"):
        chosen = [at for at, row in enumerate(rows) if half_of(row["premise"], tune=TUNE) == half]
        gold, guess = [rows[at]["relation"] for at in chosen], [found[at] for at in chosen]
        for name, labels in (
            *((name, {name}) for name in RELATIONS),
            ("either conflict", set(RELATIONS[1:3])),
        ):
            precision, recall = precision_recall(gold, guess, labels)
            print(f"{half:6}{name:16}{sum(item in labels for item in gold):5}{precision:11.3f}{recall:8.3f}")
    for row, guess_of in zip(rows, found, strict=True):
        if wrong == half_of(row["premise"], tune=TUNE) and row["relation"] != guess_of:
            print(f"{row['id']}: {row['relation']} read as {guess_of}: {row['premise']} => {row['claim']}")


def by_rules(text: str) -> dict[Span, str]:
    """What ``names_in`` finds."""
    return {(name.start, name.end): _type_of(name.sort) for name in names_in(text)}


def _typed(found: Mapping[Span, str | None]) -> dict[Span, str]:
    return {span: _type_of(sort) for span, sort in found.items()}


def _type_of(sort: str | None) -> str:
    """The annotators' type for a sort; what is neither person, organisation nor place is MISC to a trained finder."""
    return "MISC" if sort is None else OUR_TYPES.get(sort, "?")


def spans(data: Path) -> None:
    """Print precision, recall and F1 of name spans: exact borders, then any overlap; recall by type."""
    texts = list(documents(data / "ner" / "redocred.eval.jsonl.xz"))
    print(
        f"{'finder':10}{'borders':10}{'precision':>10}{'recall':>8}{'F1':>8}"
        + "".join(f"{t:>7}" for t in TYPES)
    )
    _print_spans("rules", texts, by_rules)
    head = HeadNames()
    _print_spans("head", texts, lambda text: _typed(head.spans(text)))
    _print_spans(
        "both", texts, lambda text: {(name.start, name.end): _type_of(name.sort) for name in head(text)}
    )
    try:
        spacy = SpacyNames(PIPELINE)
        _print_spans("spacy", texts, lambda text: _typed(spacy.spans(text)))
    except (MissingExtra, ConfigError) as error:
        print(f"spacy     not measured: {error}")


def _print_spans(label: str, texts: Sequence[Document], finder: Finder) -> None:
    started = time.perf_counter()
    found = [finder(document.text) for document in texts]
    took = time.perf_counter() - started
    typed = Counter(kind for document in texts for kind in document.gold.values())
    predicted, annotated = sum(map(len, found)), sum(typed.values())
    for borders in ("exact", "overlap"):
        hit = Counter[str]()
        right = 0
        for document, guess in zip(texts, found, strict=True):
            reached = _reached(document.gold, guess, exact=borders == "exact")
            hit.update(document.gold[span] for span in reached)
            right += len(_reached(guess, document.gold, exact=borders == "exact"))
        precision, recall = right / max(predicted, 1), hit.total() / annotated
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        kinds = "".join(f"{hit[kind] / typed[kind]:7.3f}" for kind in TYPES)
        print(f"{label:10}{borders:10}{precision:10.3f}{recall:8.3f}{f1:8.3f}{kinds}")
    same = [
        (document.gold[span], guess[span])
        for document, guess in zip(texts, found, strict=True)
        for span in document.gold.keys() & guess.keys()
    ]
    sorted_alike = sum(one == two for one, two in same) / max(len(same), 1)
    told = sum(two != "?" for _, two in same) / max(len(same), 1)
    print(
        f"{label:10}of names with exact borders, {told:.3f} are given a type, {sorted_alike:.3f} the annotated one"
    )
    characters = sum(len(document.text) for document in texts)
    print(f"{label:10}{characters / took / 1e3:.1f} thousand characters a second")


def _reached(these: Mapping[Span, str], those: Mapping[Span, str], *, exact: bool) -> list[Span]:
    if exact:
        return [span for span in these if span in those]
    return [span for span in these if any(span[0] < end and start < span[1] for start, end in those)]


def main() -> None:
    """Read the arguments; run one of the two measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("pairs", "spans"))
    parser.add_argument("--wrong", choices=("tune", "test"), help="also print the misread pairs of a half")
    parser.add_argument("--head", action="store_true", help="pairs: find names with the named-entity head")
    chosen = parser.parse_args()
    if chosen.what == "pairs":
        pairs(chosen.wrong, head=chosen.head)
    elif "VERIFIER_DATA" not in os.environ:
        print("VERIFIER_DATA is not set: the annotated documents are not there, nothing was measured")
    else:
        spans(Path(os.environ["VERIFIER_DATA"]))


if __name__ == "__main__":
    main()
