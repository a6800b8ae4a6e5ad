"""Load and check the labelled answers of ``corpora/byhand``, with their documents as the readers give them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier.knowledge.ingest import discover, read_documents
from verifier.types import Document, Verdict

__all__ = ["ANSWERS", "KNOWLEDGE", "Labelled", "LabelledAnswer", "documents_of", "namespaces", "read_answers"]

_CORPORA = Path(__file__).resolve().parents[2] / "corpora"
ANSWERS = _CORPORA / "byhand" / "answers.jsonl"
KNOWLEDGE = _CORPORA / "verdicts" / "kb"


@dataclass(frozen=True, slots=True)
class Labelled:
    """One claim of an answer: where its sentence stands (half-open, in code points) and what is true of it."""

    start: int
    end: int
    verdict: Verdict
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer, the set of documents that it is about, and its claims in text order."""

    id: str
    namespace: str
    answer: str
    claims: tuple[Labelled, ...]


def read_answers(path: Path = ANSWERS) -> list[LabelledAnswer]:
    """All answers of a file, in its order.

    Raises:
        ValueError: a claim's sentence is not in its answer, or twice; a document does not exist or is of another set.
    """
    with path.open(encoding="utf-8") as lines:
        return [_answer(json.loads(line)) for line in lines]


def _answer(row: dict[str, object]) -> LabelledAnswer:
    name, namespace, answer, claims = (row[key] for key in ("id", "namespace", "answer", "claims"))
    assert isinstance(claims, list)
    found = (_labelled(str(name), str(namespace), str(answer), claim) for claim in claims)
    return LabelledAnswer(
        str(name), str(namespace), str(answer), tuple(sorted(found, key=lambda one: one.start))
    )


def _labelled(name: str, namespace: str, answer: str, claim: dict[str, object]) -> Labelled:
    quotation, documents = str(claim["quotation"]), claim["documents"]
    assert isinstance(documents, list)
    if answer.count(quotation) != 1:
        raise ValueError(f"{name}: not exactly once in the answer: {quotation}")
    for document in documents:
        if not document.startswith(f"{namespace}_") or not (KNOWLEDGE / document).is_file():
            raise ValueError(f"{name}: no document of set {namespace}: {document}")
    start = answer.index(quotation)
    return Labelled(start, start + len(quotation), Verdict(str(claim["verdict"])), tuple(documents))


def namespaces() -> list[str]:
    """The sets of documents that there are, by the beginning of their names."""
    return sorted({path.name.partition("_")[0] for path in KNOWLEDGE.iterdir()})


def documents_of(spaces: Iterable[str]) -> Iterator[tuple[str, Sequence[Document]]]:
    """Each namespace with its documents, a row of a table each its own."""
    for space in spaces:
        files = discover([str(path) for path in sorted(KNOWLEDGE.glob(f"{space}_*"))])
        yield space, [document for file in files for document in read_documents(file)]
