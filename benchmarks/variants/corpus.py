"""A development corpus: its claims and its documents' sentences, with what the verifier says of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from verifier_signals.lexicon import common_words
from verifier_signals.syntax import FUNCTION_WORDS

from benchmarks.variants.edits import names_of
from benchmarks.variants.types import Base, Variant, as_it_stands
from verifier.config import load
from verifier.core.text import sentence_spans
from verifier.factory import build_scorer, temporary_store
from verifier.knowledge.ingest import discover, read_documents
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import ClaimVerdict, Document, Span
from verifier.verification.claims import extract_claims
from verifier.verification.scorer import VerifiedScorer

__all__ = ["CORPORA", "FOLDER", "Corpus", "Outcome"]

FOLDER: Final = Path(__file__).resolve().parents[2] / "corpora"
CORPORA: Final[Mapping[str, str]] = {"tuning": "t", "extra_v": "v", "extra_w": "w"}
"""Name of a file of claims -> prefix of its documents in ``kb/``."""

_WORST_FIRST = ("error", "contradicted", "fabricated", "unverifiable", "supported", "skipped")
_POINTS_BACK = re.compile(
    r"(?:It|They|He|She|This|That|These|Those|There|Here|Its|Their|His|Her|We|I|Our|My|Both|Such)\b"
)
_PROSE = re.compile(r"(?m)^(?![#|>*-]|\d+\.)[A-Z“\"][^\n]*")

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the verifier says of a stretch of a response: the worst verdict in it, and the least support."""

    verdict: str
    support: float


class Corpus:
    """One corpus: its documents, its labelled claims and the sentences of its documents.

    Args:
        name: one of ``CORPORA``.
        limit: most labelled claims, and most sentences; all by default.
        rules: without the NLI model.
    """

    def __init__(self, name: str, *, limit: int | None = None, rules: bool = False) -> None:
        self.name = name
        overrides = {"verdict.suggest_fixes": False, **({"signals.nli": False} if rules else {})}
        self._settings = load(overrides=overrides, environ={}).settings
        files = sorted((FOLDER / "verdicts" / "kb").glob(f"{CORPORA[name]}_*"))
        self.documents = [document for file in discover(files) for document in read_documents(file)]
        self._by_file = {
            file.name: [d for d in self.documents if d.source.startswith(file.name)] for file in files
        }
        self._limit = limit
        self._scorer = self.scorer(self.documents)

    def scorer(self, documents: Sequence[Document]) -> VerifiedScorer:
        """A scorer over a knowledge base in memory that holds ``documents``."""
        store = temporary_store(self._settings)
        store.ingest(documents)
        return build_scorer(self._settings, store)

    def claims(self) -> list[Base]:
        """The labelled claims, with their outcomes as they stand."""
        rows = read_rows(FOLDER / "verdicts" / f"{self.name}.jsonl")
        labelled = _spread([row for row in rows if isinstance(row, LabelledRow)], self._limit)
        bases = [
            self._base(row.raw["id"], row.claim, row.is_supported, self._texts(row.raw["documents"]))
            for row in labelled
        ]
        return self._judged(bases)

    def sentences(self) -> list[Base]:
        """Sentences of the documents that read alone, with their outcomes: true by construction."""
        found = [
            self._base(f"{document.source}:{start}", document.text[start:end], True, document.text)
            for document in self.documents
            for start, end in _prose_sentences(document.text)
        ]
        return self._judged(_spread(found, self._limit))

    def names(self) -> list[str]:
        """The names in the documents; one that is a word of the language by itself is left out."""
        found = {
            document.text[slice(*span)] for document in self.documents for span in names_of(document.text)
        }
        return sorted(
            name for name in found if "\n" not in name and name.lower() not in common_words() | FUNCTION_WORDS
        )

    def outcomes(self, variants: Sequence[Variant], scorer: VerifiedScorer | None = None) -> list[Outcome]:
        """What is said of the claim in each variant; claims that read alike are examined once."""
        parts = [
            [
                claim
                for claim in extract_claims(v.response).claims
                if claim.start < v.end and v.start < claim.end
            ]
            for v in variants
        ]
        flat = [claim for claims in parts for claim in claims]
        verdicts = iter((scorer or self._scorer).judge(flat))
        return [_worst(list(islice(verdicts, len(claims)))) for claims in parts]

    def _texts(self, files: Sequence[str]) -> str:
        return "\n".join(document.text for file in files for document in self._by_file[file])

    def _base(self, id_: str, text: str, is_true: bool, deciding: str) -> Base:
        return Base(
            id_, text, "", 0.0, is_true, deciding, "\n".join(document.text for document in self.documents)
        )

    def _judged(self, bases: Sequence[Base]) -> list[Base]:
        outcomes = self.outcomes([as_it_stands(base) for base in bases])
        return [
            replace(base, outcome=found.verdict, support=found.support)
            for base, found in zip(bases, outcomes, strict=True)
        ]


def _spread(items: Sequence[_Item], limit: int | None) -> list[_Item]:
    """At most ``limit`` items, evenly spread over all."""
    if limit is None or limit >= len(items):
        return list(items)
    return [items[n * len(items) // limit] for n in range(limit)]


def _prose_sentences(text: str) -> Iterator[Span]:
    """Sentences of paragraphs, not of headings, lists or tables, that point back to nothing."""
    for paragraph in _PROSE.finditer(text):
        for start, end in sentence_spans(paragraph[0]):
            sentence = paragraph[0][start:end]
            if 30 <= len(sentence) <= 250 and sentence.endswith(".") and not _POINTS_BACK.match(sentence):
                yield paragraph.start() + start, paragraph.start() + end


def _worst(verdicts: Sequence[ClaimVerdict]) -> Outcome:
    if not verdicts:
        return Outcome("skipped", 0.0)
    named = [verdict.verdict.value if verdict.verdict else verdict.status.value for verdict in verdicts]
    return Outcome(min(named, key=_WORST_FIRST.index), min(verdict.support or 0.0 for verdict in verdicts))
