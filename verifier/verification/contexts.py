"""The contexts of one answer, as a retriever gives them, as a knowledge source in memory; nothing is put on disk."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from verifier.core.errors import BackendError, IngestError
from verifier.knowledge.records import index_text
from verifier.types import Document, Evidence
from verifier.verification.retrieve import GivenTexts

if TYPE_CHECKING:
    from verifier_backends.bm25 import BM25Backend

__all__ = ["Context", "GivenContexts", "documents_of"]

Context = str | Document | Mapping[str, object]
"""A text, a document, or a mapping with ``text`` and, if it likes, ``source`` and ``media_type``."""

_EXPECTED = "a text, a Document, or a mapping with 'text' and 'source'"


def documents_of(contexts: Iterable[Context]) -> tuple[Document, ...]:
    """The contexts as documents, in the order given: ``context 1``, ``context 2`` ..., or their own sources.

    Several of the same source are told apart: ``refunds.md, context 2``.

    Raises:
        TypeError: one text in the place of several, or something that is no context.
        IngestError: there are no contexts, one has no letter or digit, or a mapping has no text.
    """
    if isinstance(contexts, str | bytes | Document | Mapping) or not isinstance(contexts, Iterable):
        raise TypeError(f"contexts is of type {type(contexts).__name__}: give a list, contexts=[...]")
    documents = [_document(n, context) for n, context in enumerate(contexts, 1)]
    if not documents:
        raise IngestError("there are no contexts: an answer cannot be checked against nothing")
    return tuple(_told_apart(documents))


def _document(n: int, context: Context) -> Document:
    """The ``n``-th context as a document."""
    if isinstance(context, str):
        document = Document(f"context {n}", f"context:{n}", context)
    elif isinstance(context, Document):
        document = context
    elif isinstance(context, Mapping):
        document = _mapped(n, context)
    else:
        raise TypeError(f"context {n} is of type {type(context).__name__}: give {_EXPECTED}")
    if not any(map(str.isalnum, document.text)):
        raise IngestError(
            f"context {n} is blank, without a letter or digit: leave it out, or mend what retrieves it"
        )
    return document


def _mapped(n: int, context: Mapping[str, object]) -> Document:
    """A mapping as a document; keys that are not known here are passed over."""
    if context.get("text") is None:
        keys = ", ".join(map(str, context)) or "nothing"
        raise IngestError(f"context {n} has no 'text'; it has {keys}: give {_EXPECTED}")
    text, source, media_type = (_string(n, context, key) for key in ("text", "source", "media_type"))
    name = " ".join(source.split()) or f"context {n}"
    return Document(name, f"context:{n}", text, media_type or "text/plain")


def _string(n: int, context: Mapping[str, object], key: str) -> str:
    """A value of a context, empty where it has none."""
    value = context.get(key)
    if key == "source" and isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{key!r} of context {n} is of type {type(value).__name__}: give a text")
    return value or ""


def _told_apart(documents: Sequence[Document]) -> Iterator[Document]:
    """The documents, each with a name and an address of its own."""
    named, addressed = (Counter(getattr(one, key) for one in documents) for key in ("source", "uri"))
    for n, one in enumerate(documents, 1):
        source = one.source if named[one.source] == 1 else f"{one.source}, context {n}"
        uri = one.uri if addressed[one.uri] == 1 else f"{one.uri}#context-{n}"
        yield replace(one, source=source, uri=uri)


@dataclass(frozen=True)
class GivenContexts(GivenTexts):
    """A knowledge source over the contexts of one answer.

    Up to ``top_k`` passages are all of them evidence for every claim, in the order given. Of more, each claim gets its
    ``top_k`` best by BM25 over stemmed words, and where fewer share a word with it, the first of the others: the work
    does not grow with passages times claims.
    """

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """The passages for each query; ``score`` is that of BM25, 0 where nothing was ranked.

        Raises:
            BackendError: the contexts have no passage, since all of their text is hidden.
        """
        if not self._passages:
            raise BackendError("the contexts hold no text to check against")
        if len(self._passages) <= top_k:
            return super().retrieve(queries, top_k=top_k, namespace=namespace)
        found = self._ranking.query_many(queries, top_k)
        return [self._filled({int(hit["id"]): hit["score"] for hit in hits}, top_k) for hits in found]

    def _filled(self, scores: Mapping[int, float], top_k: int) -> list[Evidence]:
        ranked = [replace(self._passages[at], score=score) for at, score in scores.items()]
        others = (passage for at, passage in enumerate(self._passages) if at not in scores)
        return [*ranked, *islice(others, top_k - len(ranked))]

    @cached_property
    def _ranking(self) -> BM25Backend:
        from verifier_backends.bm25 import BM25Backend
        from verifier_backends.types import Item

        ranking = BM25Backend()
        ranking.add_many(
            Item(f"{at:09d}", index_text("", passage.headings, passage.context, passage.text))
            for at, passage in enumerate(self._passages)
        )
        return ranking
