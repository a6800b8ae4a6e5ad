"""The parts of the toolkit whose work must grow in proportion to the text, each as a function of a text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from verifier_signals.base import Signal
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import TextPair

from verifier.core.errors import IngestError
from verifier.knowledge.chunk import chunk
from verifier.knowledge.ingest import discover, read_documents
from verifier.types import Document
from verifier.verification.claims import extract_answer, extract_claims, hidden_in

__all__ = ["PARTS", "Work"]

Work = Callable[[str], object]
"""What a part does to one text."""

_SHORT = "The daily count of Anna Stone in 2023 was not 17 but 5 EUR."
_CLAIM = 150
"""Code points of the text's own beginning that are checked as a claim against the whole text."""
_SUFFIXES = ("txt", "md", "html", "csv", "jsonl")


def _with_itself(signal: Signal) -> Work:
    return lambda text: signal.score([TextPair(text, text)])


def _of_short(signal: Signal) -> Work:
    return lambda text: signal.score([TextPair(text, _SHORT)])


def _of_its_beginning(signal: Signal) -> Work:
    return lambda text: signal.score([TextPair(text, text[:_CLAIM])])


def _against_short(signal: Signal) -> Work:
    return lambda text: signal.score([TextPair(_SHORT, text)])


_SIDES: Mapping[str, Callable[[Signal], Work]] = {
    "itself": _with_itself,
    "short claim": _of_short,
    "its beginning": _of_its_beginning,
    "short evidence": _against_short,
}
_SIGNALS: tuple[Callable[[], Signal], ...] = (NumberSignal, EntitySignal, NegationSignal, TraceabilitySignal)


def _read(suffix: str) -> Work:
    """Reads a text as a file of a format, as an ingest does."""

    def work(text: str) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"a.{suffix}"
            path.write_text(text, encoding="utf-8")
            [file] = discover([path])
            try:
                return sum(1 for _ in read_documents(file, on_bad_row=lambda _: None))
            except IngestError as error:
                return error

    return work


def _chunked(media_type: str) -> Work:
    return lambda text: chunk(Document("a", "a", text, media_type))


def _parts() -> dict[str, Work]:
    signals = [make() for make in _SIGNALS]
    return {
        **{f"{one.name}: {side}": make(one) for one in signals for side, make in _SIDES.items()},
        "claims": extract_claims,
        "claims of an answer": lambda text: extract_answer(text, "What was the count?", extract_claims),
        "claims of a question": lambda text: extract_answer("In 2023.", text, extract_claims),
        "hidden text": hidden_in,
        "chunks of text": _chunked("text/plain"),
        "chunks of Markdown": _chunked("text/markdown"),
        **{f"reads {suffix}": _read(suffix) for suffix in _SUFFIXES},
    }


PARTS: Mapping[str, Work] = _parts()
"""Every part by its name."""
