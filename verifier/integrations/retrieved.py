"""Use another framework's retriever as the knowledge source for one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from verifier.types import Document, Evidence
from verifier.verification.contexts import Context, GivenContexts, documents_of

__all__ = ["Retrieved", "Search", "legible"]

Search = Callable[[str], Iterable[Context]]
"""Contexts for a query, best first."""


def legible(contexts: Iterable[Context]) -> list[Context]:
    """The contexts without blank ones: a tool that found nothing may have said so with an empty text."""
    return [context for context in contexts if any(map(str.isalnum, _text(context)))]


def _text(context: Context) -> str:
    """The text of a context; anything that is none is left to be refused later, by its name."""
    text = context.get("text") if isinstance(context, Mapping) else getattr(context, "text", context)
    return text if isinstance(text, str) else "?"


class Retrieved:
    """A knowledge source over a retriever that others fill: it is asked once for each claim.

    What cannot be asked of a retriever is told by what it has found for this answer: how rare a word is, and whether
    anything mentions a name. So it is made anew for each answer. No answer is approved because of that: a claim without
    evidence is never supported.

    Args:
        search: the retriever; what it raises becomes an error of the claims.
        max_chars: most code points of a passage; longer texts are cut.
    """

    def __init__(self, search: Search, max_chars: int) -> None:
        self._search, self._max_chars = search, max_chars
        self._documents: dict[str, Document] = {}
        self._all = GivenContexts((), max_chars)

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """The passages of the texts found for each query, in the retriever's order; of more than ``top_k``, the best
        by their words."""
        del namespace
        found = [self._known(legible(self._search(query))) for query in queries]
        self._all = GivenContexts(tuple(self._documents.values()), self._max_chars)
        return [self._evidence(query, some, top_k) for query, some in zip(queries, found, strict=True)]

    def _known(self, contexts: Sequence[Context]) -> list[Document]:
        """The contexts as documents; a text that was found before is the same document."""
        named = documents_of(contexts) if contexts else ()
        return [self._document(context, one) for context, one in zip(contexts, named, strict=True)]

    def _document(self, context: Context, read: Document) -> Document:
        given = context.get("source") if isinstance(context, Mapping) else getattr(context, "source", "")
        name = " ".join(str(given or "").split())
        digest = hashlib.sha256(f"{name}\0{read.text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        uri = f"retrieved:{digest}"
        if uri not in self._documents:
            source = name or f"text {len(self._documents) + 1}"
            self._documents[uri] = replace(read, source=source, uri=uri)
        return self._documents[uri]

    def _evidence(self, query: str, documents: Sequence[Document], top_k: int) -> list[Evidence]:
        if not documents:
            return []
        once = {one.uri: one for one in documents}
        [found] = GivenContexts(tuple(once.values()), self._max_chars).retrieve([query], top_k=top_k)
        return found

    def document_head(self, doc_id: str, characters: int) -> str | None:
        """So many code points from the beginning of a text that was found."""
        return self._all.document_head(doc_id, characters)

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """In how many sentences of what was found each term occurs, ignoring case."""
        return self._all.term_document_frequency(terms, namespace)

    def passage_count(self, namespace: str = "default") -> int:
        """Sentences that were found; at least 1, since nobody knows what else the retriever holds."""
        return max(1, self._all.passage_count(namespace))

    def content_hash(self, namespace: str | None = None) -> str:
        """SHA-256 over the texts that were found, in the order in which they came."""
        return self._all.content_hash(namespace)
