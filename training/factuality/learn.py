"""Learn the factuality head, measure it on frames held back, and write it to disk."""

from __future__ import annotations

import json
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from training.factuality.network import Fitted, Shape, fitted
from training.factuality.rows import Row, plain_rows, rows_of
from training.factuality.twins import passages, read_frames, read_statements
from training.written import read_written
from verifier.core.models import ModelFolder, open_model_folder, promised_files
from verifier.verification.statements.factuality import (
    GRAPHS,
    FactualityHead,
    FrameReader,
    chances_by,
    clause_spans,
    decided,
    parts_by,
)
from verifier.verification.statements.types import Factuality

__all__ = ["figures", "learn"]

EACH = 4
"""Renderings of a frame."""
PLAIN, A_TEXT = 3000, 2
"""Plain passages, and sentences of each, that are learnt as asserted."""
PLAIN_WEIGHT = 0.7
PLAIN_APART = 600
"""Further plain passages, which no head learns from: they tell from which probabilities a clause counts as asserted,
and as denied."""
LOST, CALLED_DENIED = 0.01, 0.001
"""So many of the clauses of plain passages may be held for unasserted, and for denied. A choice: what is lost can
support nothing, and what is called denied contradicts those who repeat it."""
HELD_BACK = 6
"""Every so-manieth group of frames is held back, with the statements of every so-manieth domain, for the figures."""
KEPT = 200_000
"""Sentences whose vectors are kept while it learns."""


def learn(model: Path, folder: Path, *, seed: int) -> dict[str, float]:
    """Learn the head and write its two graphs, ``config.json`` and ``CARD.md``.

    Another head, learnt without the groups of frames that are held back, is measured on these first.

    Args:
        model: folder of the embedded model, in two graphs.
        folder: where the head goes.
        seed: of the renderings, the weights and the order.

    Returns:
        By kind how many sentences of held-back frames are told right (:func:`figures`).
    """
    opened = open_model_folder(model)
    if opened.encoder is None:
        raise SystemExit(f"{model} is no model in two graphs: it has no encoder of single texts")
    reader = FrameReader(opened.tokenizer, opened.encoder, kept=KEPT)
    frames, told, shape = read_frames(), read_statements(), Shape()
    texts = random.Random(seed).sample(sorted({one.premise for one in read_written()}), PLAIN + PLAIN_APART)
    plain = _plain(texts[:PLAIN], seed)
    config: dict[str, Any] = {
        "encoder": opened.fingerprint(),
        "kinds": [str(kind) for kind in Factuality],
        "frames": dict(Counter(str(frame.kind) for frame in frames)),
        "command": "python -m training factuality",
    }
    apart = [row for row in plain_rows(texts[PLAIN:], 1.0) if _is_unconditional(row)]
    measures = _measured(reader, opened, plain, apart, shape, seed)
    rows = [*rows_of(passages(frames, told, EACH, seed)), *plain]
    config |= {
        "rows": len(rows),
        "held_back": {name: round(value, 3) for name, value in measures.items()},
    }
    config |= _stored(fitted(reader, rows, shape, seed), config, folder, opened, apart)
    (folder / "CARD.md").write_text(_card(len(frames), len(told), config), encoding="utf-8")
    return measures


def _stored(
    learnt: Fitted, config: Mapping[str, Any], folder: Path, opened: ModelFolder, plain: Sequence[Row]
) -> dict[str, float]:
    """Write the graphs and the configuration with the thresholds that the graphs have on plain sentences; return these.

    They are read as the runtime reads them, so that the graphs are stored first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    learnt.store(folder)
    _configured(config, folder)
    thresholds = _thresholds(_reading(opened, folder), plain)
    _configured({**config, **thresholds}, folder)
    return thresholds


def _configured(config: Mapping[str, Any], folder: Path) -> None:
    config = {**config, **promised_files(folder, GRAPHS)}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def _card(frames: int, told: int, config: Mapping[str, Any]) -> str:
    """What the head is, what it learnt from, and how well it tells frames that it has not seen."""
    figures = "\n".join(f"| {name} | {value:.3f} |" for name, value in config["held_back"].items())
    return f"""# Factuality head

Tells, for each clause of a sentence, whether the document asserts it, denies it, attributes it to somebody, imagines,
asks or plans it, or says that it is over. It reads the vectors of the embedded model's encoder
(`signals/verifier_signals/models/nli`) of the sentence, of its headings and its neighbours.

Made by `python -m training factuality` from {frames} written frames and passages, the frames about {told} written
statements (`training/factuality`), and from sentences of {PLAIN} written passages (`training/written`), which count as
asserted: {config["rows"]} sentences. Nothing of it is taken from elsewhere.

A clause counts as asserted from a probability of {config["asserted_at"]:.3g}: of the clauses of {PLAIN_APART} further
written passages {LOST:.0%} lie below it. One that does not counts as denied only from {config["denied_at"]:.3g}, which
{CALLED_DENIED:.1%} of those clauses reach; else it is merely not asserted.

Figures of a head that learnt without every {HELD_BACK}th group of frames, on these, about statements of domains held
back too. A sentence counts as barred where it is not called asserted:

| of sentences | share |
|---|---|
{figures}

What only names its source (`according to the manual`, `the council announced`) is asserted; what somebody with an
interest claims, believes or is rumoured to have done is attributed. It does not know what day it is: a date from 2028
on is a plan.
"""


def _measured(
    reader: FrameReader,
    opened: ModelFolder,
    plain: Sequence[Row],
    apart: Sequence[Row],
    shape: Shape,
    seed: int,
) -> dict[str, float]:
    """The figures of a head that is learnt without every so-manieth group of frames, on these."""
    frames, told = read_frames(), read_statements()
    chance = random.Random(seed)
    domains = sorted({one.domain for one in told})
    new = set(chance.sample(domains, len(domains) // HELD_BACK))
    groups = sorted({frame.group for frame in frames})
    held = set(chance.sample(groups, len(groups) // HELD_BACK))
    taught = [frame for frame in frames if frame.group not in held]
    rows = [*rows_of(passages(taught, [one for one in told if one.domain not in new], EACH, seed)), *plain]
    with TemporaryDirectory() as name:
        folder = Path(name)
        _stored(fitted(reader, rows, shape, seed), {}, folder, opened, apart)
        tried = passages(
            [frame for frame in frames if frame.group in held],
            [one for one in told if one.domain in new],
            3,
            seed + 1,
        )
        found = figures(*_reading(opened, folder), rows_of(tried))
    logging.info("held back: %s", found)
    return found


def _reading(opened: ModelFolder, folder: Path) -> tuple[FrameReader, FactualityHead]:
    head = FactualityHead(folder, None)
    return FrameReader(opened.tokenizer, Path(str(opened.encoder)), narrow=head.narrow), head


def _thresholds(by: tuple[FrameReader, FactualityHead], plain: Sequence[Row]) -> dict[str, float]:
    """From which probabilities a clause counts as asserted, and as denied, by the clauses of plain sentences."""
    clauses = [clause for row in plain for clause in chances_by(*by, row.framed)]
    asserted, denied = (
        np.array([clause[kind] for clause in clauses]) for kind in (Factuality.ASSERTED, Factuality.DENIED)
    )
    return {
        "asserted_at": round(float(np.quantile(asserted, LOST)), 3),
        "denied_at": round(float(np.quantile(denied, 1 - CALLED_DENIED)), 3),
    }


def _is_unconditional(row: Row) -> bool:
    """Whether all clauses of a plain sentence are asserted."""
    return len(row.stretches) == len(clause_spans(row.framed.text))


def _plain(texts: Sequence[str], seed: int) -> list[Row]:
    chance = random.Random(seed)
    found: list[Row] = []
    for number, text in enumerate(texts):
        rows = list(plain_rows(["", text] if number % 2 else [text], PLAIN_WEIGHT))
        found += chance.sample(rows, min(A_TEXT, len(rows)))
    return found


def figures(reader: FrameReader, head: FactualityHead, rows: Iterable[Row]) -> dict[str, float]:
    """Of the sentences that are all of one kind: how many asserted ones are lost; of each other kind, how many are told
    from what is asserted, and how many are called by that kind."""
    said: defaultdict[Factuality, list[Factuality]] = defaultdict(list)
    for row in rows:
        kinds = {kind for _, kind in row.stretches}
        if len(kinds) == 1:
            said[kinds.pop()].append(decided(parts_by(reader, head, row.framed)))
    lost = said.pop(Factuality.ASSERTED, [])
    found = {"asserted lost": _share([kind is not Factuality.ASSERTED for kind in lost])}
    for kind, some in sorted(said.items()):
        found[f"{kind} barred"] = _share([one is not Factuality.ASSERTED for one in some])
        found[f"{kind} exact"] = _share([one is kind for one in some])
    return found


def _share(told: Sequence[bool]) -> float:
    return sum(told) / max(len(told), 1)
