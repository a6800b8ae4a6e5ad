"""Written frames and plain passages in; the factuality head on disk out, with its figures on frames held back."""

from __future__ import annotations

import json
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from training.factuality.network import Shape, fitted
from training.factuality.rows import Row, plain_rows, rows_of
from training.factuality.twins import passages, read_frames, read_statements
from training.written import read_written
from verifier.core.models import ModelFolder, open_model_folder
from verifier.verification.statements.factual import ASSERTED_AT, decided, parts_by
from verifier.verification.statements.head import FactualityHead
from verifier.verification.statements.states import FrameReader
from verifier.verification.statements.types import Factuality

__all__ = ["figures", "learn"]

EACH = 4
"""Renderings of a frame."""
PLAIN, A_TEXT = 1200, 2
"""Plain passages, and sentences of each, that are learnt as asserted."""
PLAIN_WEIGHT = 0.7
HELD_BACK = 6
"""Every so-manieth frame is held back, with the statements of every so-manieth domain, for the figures."""
KEPT = 200_000
"""Sentences whose vectors are kept while it learns."""


def learn(model: Path, folder: Path, *, seed: int, measured: bool = True) -> dict[str, float]:
    """Learn the head and write its two graphs, ``config.json`` and ``CARD.md``.

    Args:
        model: folder of the embedded model, in two graphs.
        folder: where the head goes.
        seed: of the renderings, the weights and the order.
        measured: whether another head, learnt without the frames held back, is measured on these first.

    Returns:
        By kind how many sentences of held-back frames are told right (:func:`figures`); nothing if not ``measured``.
    """
    opened = open_model_folder(model)
    if opened.encoder is None:
        raise SystemExit(f"{model} is no model in two graphs: it has no encoder of single texts")
    reader = FrameReader(opened.tokenizer, opened.encoder, kept=KEPT)
    frames, told, shape = read_frames(), read_statements(), Shape()
    plain = _plain(seed)
    measures: dict[str, float] = {}
    if measured:
        measures = _measured(reader, opened, plain, shape, seed)
    rows = [*rows_of(passages(frames, told, EACH, seed)), *plain]
    folder.mkdir(parents=True, exist_ok=True)
    fitted(reader, rows, shape, seed).store(folder)
    config = {
        "encoder": opened.fingerprint(),
        "kinds": [str(kind) for kind in Factuality],
        "frames": dict(Counter(str(frame.kind) for frame in frames)),
        "rows": len(rows),
        "command": "python -m training factuality",
        "held_back": {name: round(value, 3) for name, value in measures.items()},
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(_card(len(frames), len(told), len(rows), measures), encoding="utf-8")
    return measures


def _card(frames: int, told: int, rows: int, measures: Mapping[str, float]) -> str:
    """What the head is, what it learnt from, and how well it tells frames that it has not seen."""
    figures = "\n".join(f"| {name} | {value:.3f} |" for name, value in measures.items())
    return f"""# Factuality head

Tells, for each clause of a sentence, whether the document asserts it, denies it, attributes it to somebody, imagines,
asks or plans it, or says that it is over. It reads the vectors of the embedded model's encoder (`signals/models/nli`)
of the sentence, of its headings and its neighbours.

Made by `python -m training factuality` from {frames} written frames about {told} written statements
(`training/factuality`) and from sentences of {PLAIN} written passages (`training/written`), which count as asserted:
{rows} sentences. Nothing of it is taken from elsewhere.

Frames held back, every {HELD_BACK}th, about statements of domains held back too, with a head that learnt
from the others; a sentence counts as barred where it is not called asserted, at a probability of {ASSERTED_AT:g}:

| of sentences | share |
|---|---|
{figures}

What only names its source (`according to the manual`, `the council announced`) is asserted; what somebody with an
interest claims, believes or is rumoured to have done is attributed. It does not know what day it is: a date from 2028
on is a plan.
"""


def _measured(
    reader: FrameReader, opened: ModelFolder, plain: Sequence[Row], shape: Shape, seed: int
) -> dict[str, float]:
    """The figures of a head that is learnt without every so-manieth frame, on these."""
    frames, told = read_frames(), read_statements()
    domains = sorted({one.domain for one in told})
    apart = set(random.Random(seed).sample(domains, len(domains) // HELD_BACK))
    order = random.Random(seed).sample(range(len(frames)), len(frames))
    held = {at for number, at in enumerate(order) if number % HELD_BACK == 0}
    taught = [frame for at, frame in enumerate(frames) if at not in held]
    known = [one for one in told if one.domain not in apart]
    rows = [*rows_of(passages(taught, known, EACH, seed)), *plain]
    with TemporaryDirectory() as folder:
        fitted(reader, rows, shape, seed).store(Path(folder))
        head = FactualityHead(Path(folder), None)
        narrowed = FrameReader(opened.tokenizer, Path(str(opened.encoder)), narrow=head.narrow)
        new = [one for one in told if one.domain in apart]
        tried = passages([frames[at] for at in sorted(held)], new, 3, seed + 1)
        found = figures(narrowed, head, rows_of(tried))
    logging.info("held back: %s", found)
    return found


def _plain(seed: int) -> list[Row]:
    chance = random.Random(seed)
    texts = chance.sample([one.premise for one in read_written()], PLAIN)
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
