"""Store readings in a file, and a reader that repeats them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError
from verifier.measure.rows import LabelledRow
from verifier.readers import Answer, Call, Case, Quotation, Reader, Reading, State, Traits
from verifier.types import Claim
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.statements.double_negation import affirming

__all__ = ["StoredReader", "load", "row_of", "save"]


def row_of(row: LabelledRow, read: ReadClaim, first: Reading | None) -> dict[str, Any]:
    """A line for a claim and what a reader said of it; ``first``, its answer before it was asked again, if it was."""
    assert read.consulted is not None
    line = {"id": row.raw.get("id"), "claim": row.claim, **_said(read.consulted.reading)}
    if read.consulted.objection and first is not None:
        line |= {"first": _said(first), "objection": read.consulted.objection}
    return line


def _said(reading: Reading) -> dict[str, Any]:
    said: dict[str, Any] = {"answer": reading.answer}
    if reading.disputed:
        said["disputed"] = True
    if reading.unheard:
        said["unheard"] = True
    return said | {"note": reading.note, "quotations": [quotation.text for quotation in reading.quotations]}


def save(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def load(path: Path) -> list[dict[str, Any]]:
    """The lines of such a file.

    Raises:
        ConfigError: it is missing or no JSON Lines.
    """
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} holds no readings: {error}") from error


class StoredReader(Reader):
    """Says of each claim again what was said of it once; of another claim it says nothing, which is a failure.

    Quotations are looked for in the pieces of the case: of a place that is not among them any more nothing is quoted.
    """

    traits = Traits(quotes=True, probabilities=False, multilingual=True, kind="chat")

    def __init__(self, lines: Sequence[dict[str, Any]]) -> None:
        self._lines = {_as_asked(line["claim"]): line for line in lines}

    @property
    def identity(self) -> str:
        """No model's."""
        return "stored readings"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """The stored reading of each claim: the first one, or with an objection the second one where there is one."""
        return [self._one(case) for case in cases]

    def _one(self, case: Case) -> Reading:
        line = self._lines.get(case.claim)
        if line is None:
            return Reading.failed("nobody has read this claim")
        said = line if case.objection else line.get("first", line)
        quotations = tuple(
            Quotation(number, text) for text in said["quotations"] for number in [_piece_of(text, case)]
        )
        return Reading(
            State.SETTLED,
            Answer(said["answer"]),
            quotations=quotations if case.pieces else (),
            note=said["note"],
            disputed=said.get("disputed", False),
            unheard=said.get("unheard", False),
            calls=(Call(f"stored {line['id']}"),),
        )


def _as_asked(claim: str) -> str:
    """A claim as the scorer puts it to a reader."""
    return affirming(Claim(claim, 0, len(claim))).hypothesis


def _piece_of(text: str, case: Case) -> int:
    """The number of the piece that has these words, else the first: the lookup will not find them there."""
    return next((n for n, piece in enumerate(case.pieces, start=1) if text in piece.text), 1)
