"""The parts that take what anybody may send: how an input for each is made, and what must hold when it is read."""

from __future__ import annotations

import json
import random
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from benchmarks.trust.mutants import instance, mutant, sentence
from verifier.config import load
from verifier.core.errors import IngestError, VerifierError
from verifier.interfaces.server import schemas
from verifier.interfaces.server.bodies import nesting
from verifier.knowledge.chunk import chunk
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.ingest import READERS
from verifier.types import Document
from verifier.verification.claims import extract_claims
from verifier.verification.report import from_json, json_schema, to_json

__all__ = ["TARGETS", "Target", "TooSlow"]

_CORPORA = Path(__file__).parents[2] / "corpora"
_SUFFIXES: Mapping[str, Sequence[str]] = {
    "text": ("txt",),
    "markdown": ("md",),
    "html": ("html",),
    "pdf": ("pdf",),
    "docx": ("docx",),
    "csv": ("csv", "tsv"),
    "jsonl": ("jsonl",),
}
_LONGEST = 10.0
_MOST_SEEDS = 40
_LARGEST_SEED = 60_000
_CONFIG = b"""[kb]
path = "kb"
[backend]
type = "hybrid"
[backend.dense]
type = "memory"
encoder = "static"
[signals.nli]
batch_size = 8
[retrieval]
top_k = 5
[server]
port = 8765
"""


class TooSlow(Exception):
    """An input took longer than it may."""


@dataclass(frozen=True, slots=True)
class Target:
    """One of them: ``make`` gives an input, ``read`` takes it and raises nothing but what is documented."""

    name: str
    make: Callable[[random.Random], bytes]
    read: Callable[[bytes], None]

    def run(self, data: bytes) -> None:
        """Read an input.

        Raises:
            TooSlow: it took longer than ten seconds of the processor.
        """
        began = time.process_time()
        self.read(data)
        if (took := time.process_time() - began) > _LONGEST:
            raise TooSlow(f"{took:.0f} s")


@cache
def _seeds(kind: str) -> tuple[bytes, ...]:
    found = [path for suffix in _SUFFIXES[kind] for path in sorted(_CORPORA.rglob(f"*.{suffix}"))]
    small = [path for path in found if path.stat().st_size <= _LARGEST_SEED]
    return tuple(path.read_bytes() for path in small[:: max(1, len(small) // _MOST_SEEDS)])


def _claims(data: bytes) -> None:
    response = data.decode("utf-8", "replace")
    found = extract_claims(response)
    covered = bytearray(len(response))
    for piece in (*found.claims, *found.skipped):
        covered[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
    wrong = [claim for claim in found.claims if response[claim.start : claim.end] != claim.text]
    if wrong:
        raise AssertionError(f"a claim does not quote the response: {wrong[0]}")
    if any(not mark and not sign.isspace() for mark, sign in zip(covered, response, strict=True)):
        raise AssertionError("a character belongs to no claim and no skipped span")


def _responses(source: random.Random) -> bytes:
    if source.random() < 0.5:
        return sentence(source).encode()
    return mutant(_seeds("markdown"), source)[: source.choice((200, 1000, 3000))]


def _file(kind: str, data: bytes) -> None:
    """Read it by the reader itself, so that a defect is not told as an unreadable file; then cut it into passages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{_SUFFIXES[kind][0]}"
        path.write_bytes(data)
        try:
            for item in READERS[kind](SourceFile(path, path.name, kind), ReadOptions()):
                if isinstance(item, Document):
                    _passages(item)
        except IngestError as error:
            _check_cause(error.__cause__)


def _check_cause(cause: BaseException | None) -> None:
    """Raise a defect of ours that was told as a damaged file."""
    if not isinstance(cause, AssertionError | IndexError | NameError | RecursionError):
        return
    last = traceback.extract_tb(cause.__traceback__)[-1]
    if "verifier/knowledge" in Path(last.filename).as_posix():
        raise cause


def _passages(document: Document) -> None:
    for page in document.pages:
        if not 0 <= page.start <= page.end <= len(document.text):
            raise AssertionError(f"page {page} lies outside the text")
    for passage in chunk(document):
        if document.text[passage.start : passage.end] != passage.text:
            raise AssertionError(f"a passage does not quote the document: {passage.start}-{passage.end}")


def _configuration(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "verifier.toml"
        path.write_bytes(data)
        with suppress(VerifierError):
            load(path, environ={})


def _report(data: bytes) -> None:
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return
    with suppress(VerifierError):
        to_json(from_json(raw))


@cache
def _bodies() -> tuple[type[BaseModel], ...]:
    return tuple(
        one
        for name, one in sorted(vars(schemas).items())
        if isinstance(one, type)
        and issubclass(one, BaseModel)
        and name.endswith(("Request", "Body", "Start"))
    )


def _body(data: bytes) -> None:
    if nesting(data, most=32) > 32:
        return
    for body in _bodies():
        with suppress(ValidationError):
            body.model_validate_json(data)


def _written(schema_of: Callable[[random.Random], dict[str, Any]], source: random.Random) -> bytes:
    schema = schema_of(source)
    written = json.dumps(instance(schema, source, schema)).encode()
    return written if source.random() < 0.7 else mutant([written], source)


TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        Target("claims", _responses, _claims),
        *(
            Target(kind, lambda source, kind=kind: mutant(_seeds(kind), source), partial(_file, kind))
            for kind in _SUFFIXES
        ),  # type: ignore[misc]
        Target("configuration", partial(mutant, [_CONFIG]), _configuration),
        Target("report", partial(_written, lambda _source: json_schema()), _report),
        Target("body", partial(_written, lambda source: source.choice(_bodies()).model_json_schema()), _body),
    )
}
"""All of them, by name."""
