"""The sections of a model's card that tell its stored figures, line by line."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.evaluation import REAL, lines

__all__ = ["curve_section", "pairs_section", "paragraph", "results_section", "shared_section", "weakest"]

FIGURES = ("balanced_accuracy", "auroc")
LOWEST = 4
"""So many of the sets on which the model is worst are named."""
UNGUARDED = ("1", "2", "4")
"""Mixes of the curve that were drawn before commit a2754d0, which compares premises, too."""
NAMED = 4
"""So many of the training sets that share most premises are named."""
LARGE = 0.2
"""Evaluation sets with no smaller share of their rows are named."""
APART = 0.05
"""Of two losses: from there on a model knows what it trains on better than its like."""
FURTHER = 100_000
"""Pairs that the slope is told for."""


def paragraph(*parts: str, indent: str = "") -> str:
    """The parts as one text, in lines of at most 119 characters, those after the first indented."""
    return textwrap.fill(
        " ".join(parts), 119, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def results_section(results: Path) -> Iterator[str]:
    """The table of the evaluation sets; nothing where none is stored."""
    stored = _stored(results / "int8.json")
    if stored is None:
        return
    yield "## Figures\n"
    yield paragraph(
        f"At most {max(stored['rows'].values()):,} rows a set; one threshold a system, fixed on the odd rows of the",
        "real sets, and reported on the even. A hypothesis of several claims counts as its least supported one.\n",
    )
    yield "\n" + "\n".join(lines(stored)) + "\n"


def weakest(results: Path) -> Iterator[str]:
    """Where the model is worst, and where counting shared words does better, as items of a list."""
    stored = _stored(results / "int8.json")
    if stored is None:
        return
    table = {
        name: row for name, row in stored["sets"].items() if None not in (*_pair(row, 0), *_pair(row, 1))
    }
    lowest = sorted(table, key=lambda name: _pair(table[name], 0)[0])[:LOWEST]
    told = [f"`{name}` {_pair(table[name], 0)[0]:.3f} ({_pair(table[name], 1)[0]:.3f})" for name in lowest]
    if told:
        yield paragraph(
            f"- Its lowest balanced accuracies (with AUROC) of the sets above: {', '.join(told)}.",
            indent="  ",
        )
    for figure, words in enumerate(("balanced accuracy", "AUROC")):
        pairs = {name: _pair(row, figure) for name, row in table.items()}
        beaten = sorted(
            (name for name, (model, overlap) in pairs.items() if overlap > model),
            key=lambda name: pairs[name][0] - pairs[name][1],
        )
        if beaten:
            told = [f"`{name}` {pairs[name][1]:.3f} against {pairs[name][0]:.3f}" for name in beaten]
            yield paragraph(
                f"- Plain overlap, the share of the claim's words that the premise holds, has the better {words} on",
                f"{', '.join(told)}.",
                indent="  ",
            )


def curve_section(results: Path) -> Iterator[str]:
    """The learning curve, mix by mix; nothing where none is stored."""
    points = _points(results)
    if not points:
        return
    yield "## Learning curve\n"
    yield paragraph(
        "A thousand held-back pairs against pairs seen (averaged weights). Mixes hold back different pairs, so that",
        "only the rows of one mix can be compared: a jump between two mixes says nothing of the model. A mix is named",
        "as the run that first read it; of run 3 no row was kept, and run 21 went beside the end of run 20.",
    )
    yield "\n| mix | pairs seen | loss | three-way accuracy | balanced accuracy of entailment |\n|---|---|---|---|---|"
    for point in points:
        figures = " | ".join(f"{point[name]:.3f}" for name in ("loss", "accuracy", "balanced"))
        yield f"| {point.get('mix', '')} | {point['seen']:,} | {figures} |"
    yield ""


def pairs_section(results: Path) -> Iterator[str]:
    """The evaluation of each round against the pairs it had seen, and what follows; nothing where none is stored."""
    stored = _stored(results / "against_pairs.json")
    if stored is None:
        return
    yield "## Evaluation against pairs seen\n"
    yield paragraph(
        "Means of the real sets on the even rows. How texts are read in windows and claims changed between rounds, so",
        "only the figures of one row can be compared: a model, and the one shipped until then on the same rows.",
    )
    yield "\n| model | shape | pairs seen | rows a set | BA | AUROC | shipped until then: BA | AUROC | source |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in stored["models"]:
        name = f"{row['model']}, shipped" if row["shipped"] else row["model"]
        cells = [name, row["shape"], f"{row['pairs']:,}", "all" if row["rows"] is None else f"{row['rows']}"]
        cells += [_figure(part.get(figure)) for part in (row, row.get("against", {})) for figure in FIGURES]
        yield f"| {' | '.join(cells)} | {row['source']} |"
    yield "\n" + paragraph(*_slope(stored["models"], results)) + "\n"
    yield paragraph(*_limits(_points(results))) + "\n"


def shared_section(results: Path, trained_pairs: int) -> Iterator[str]:
    """Which premises of what is judged the first mixes held; nothing where they were not counted."""
    stored = _stored(results / "shared_premises.json")
    if stored is None:
        return
    first = max((point["seen"] for point in _points(results) if point.get("mix") in UNGUARDED), default=0)
    most = [f"{name} {rows:,}" for name, rows in _by_set(stored["train"])[:NAMED]]
    real = [_share(name, stored["eval"][name]) for name in REAL if name in stored["eval"]]
    others = {name: counts for name, counts in stored["eval"].items() if name not in REAL}
    large = [_share(name, counts) for name, counts in others.items() if counts[0] >= LARGE * counts[1]]
    yield paragraph(
        f"Premises: the mixes of runs 1 to 4 ({first:,} of the {trained_pairs:,} pairs) were drawn before commit",
        "a2754d0, which excludes premises of `eval/` and passages of `retrieval/`, too. By today's hashes",
        f"{stored['shared']:,} of the {stored['rows']:,} rows that such a mix draws from the sets share one",
        f"({', '.join(most)} ...; `python -m training.overlap`). Of the {len(REAL)} real sets these share premises",
        f"with them: {', '.join(real) or 'none'}; of the others {', '.join(large) or 'none'} rows, and under",
        f"{LARGE:.0%} of {len(others) - len(large)} more. Everything trained since excludes them.",
    )
    yield ""


def _slope(models: Sequence[Mapping[str, Any]], results: Path) -> Iterator[str]:
    """What the shipped models gained over one another, and what as much again would bring."""
    shipped = [row for row in models if row["shipped"]]
    steps = [row for row in shipped if "against" in row]
    evaluated = _stored(results / "int8.json")
    if not steps or evaluated is None:
        return
    pairs = shipped[-1]["pairs"] - shipped[0]["pairs"]
    gains = [sum(row[name] - row["against"][name] for row in steps) for name in FIGURES]
    told = [FURTHER * gain / pairs for gain in gains]
    yield f"The steps from the first shipped model to the last add up to {gains[0]:+.3f} of balanced accuracy and"
    yield f"{gains[1]:+.3f} of AUROC for {pairs:,} pairs: by that slope another {FURTHER:,} would bring {told[0]:+.3f}"
    yield f"and {told[1]:+.3f}, where the standard error of such a mean is about {_error(shipped[-1], evaluated):.3f};"
    yield "and the mixes and the averaging changed with the pairs."
    if "odd" in steps[-1]:
        odd = steps[-1]["odd"]
        lost = [odd[name] - odd["against"][name] for name in FIGURES]
        yield f"On the odd rows the last step is {lost[0]:+.3f} and {lost[1]:+.3f}: the slope may be nothing."


def _error(row: Mapping[str, Any], evaluated: Mapping[str, Any]) -> float:
    """The standard error of a balanced accuracy over the even rows of the real sets, as if over one set."""
    rows = sum(count // 2 for name, count in evaluated["rows"].items() if name in REAL)
    level: float = row["balanced_accuracy"]
    return (level * (1.0 - level) / max(rows, 1)) ** 0.5


def _limits(points: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """How fast one thread trained, and how far the loss is below that on held-back pairs, from the curve."""
    alone = [point for point in points if point.get("threads") == 1]
    runs = [[one for one in alone if one["mix"] == mix] for mix in dict.fromkeys(one["mix"] for one in alone)]
    for precision in dict.fromkeys(_precision(own) for own in runs):
        same = [own for own in runs if _precision(own) == precision]
        pairs = sum(own[-1]["seen"] - own[0]["seen"] for own in same)
        minutes = sum(own[-1]["minutes"] - own[0]["minutes"] for own in same)
        learnt, held_back = (mean(own[-1][name] for own in same) for name in ("train_loss", "loss"))
        mixes = ", ".join(own[-1]["mix"] for own in same)
        if minutes:
            yield f"A thread trained on {pairs / minutes / 60:.0f} pairs a second ({precision}). At the end of"
            yield f"mix {mixes} the loss on what is trained on is {learnt:.3f} in the mean (with dropout and smoothed"
            yield f"labels), that on held-back pairs {held_back:.3f}."
    if runs:
        last = max((own[-1] for own in runs), key=lambda point: point["seen"])
        apart = last["loss"] - last["train_loss"]
        helps = (
            "more pairs to draw from, not more time on these, should help"
            if apart > APART
            else "more pairs seen (more time, or a GPU), not only more pairs to draw from, should help"
        )
        yield f"At the end of mix {last['mix']} they are {apart:.3f} apart: {helps}."
    yield "No larger model is at hand as a teacher (model hubs cannot be reached, and training one on two cores would"
    yield "cost the time of this one), so distillation was not tried for NLI."


def _precision(run: Sequence[Mapping[str, Any]]) -> str:
    """What a run multiplied in; the first ones ran in float32 and did not tell."""
    told: str = run[-1].get("precision", "AVX2, float32")
    return told


def _pair(row: Mapping[str, Mapping[str, float | None]], figure: int) -> tuple[Any, Any]:
    """The model's figure and that of overlap."""
    return row["model"][FIGURES[figure]], row["overlap"][FIGURES[figure]]


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _share(name: str, counts: Sequence[int]) -> str:
    return f"{name} {counts[0]:,} of {counts[1]:,}"


def _by_set(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Rows of the sets with all their splits together, most first."""
    sets: dict[str, int] = {}
    for name, rows in counts.items():
        sets[name.partition(".")[0]] = sets.get(name.partition(".")[0], 0) + rows
    return sorted(sets.items(), key=lambda item: -item[1])


def _points(results: Path) -> list[dict[str, Any]]:
    path = results / "curve.jsonl"
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    )


def _stored(path: Path) -> Any:
    """What a file of figures holds, ``None`` where there is no such file."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
