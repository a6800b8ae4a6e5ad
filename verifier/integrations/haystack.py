"""Haystack: a component that checks answers and sends them two ways, and retrievers either way.

Needs the extra ``haystack``. This module evaluates its annotations, since Haystack reads them as types.
"""

import os
from collections.abc import Iterable
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.registry import needing
from verifier.integrations.checking import Check, place
from verifier.integrations.retrieved import Search
from verifier.verification.contexts import Context

with needing("haystack", extra="haystack", package="haystack-ai"):
    from haystack import Document, component, default_to_dict

__all__ = ["AnswerChecker", "KnowledgeRetriever", "contexts_of", "search_of"]


@component
class AnswerChecker:
    """Checks replies of a generator, one by one, by the gate's decision.

    Replies that pass come out at ``approved``, the others at ``rejected``; ``outcomes`` tells of each reply, in order,
    what was decided and why. A loop back into the generator's prompt takes ``rejected`` and ``feedback``.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, replies are checked against
            the documents of each run.
        search: another retriever in its place (:func:`search_of`); a component with one cannot be saved.
        nothing_to_check: ``block`` or ``pass``: what becomes of a reply without a claim.
        strict: whether every claim must be supported; by default as the configuration has it.
    """

    def __init__(
        self,
        kb: Any = None,
        search: Any = None,
        nothing_to_check: str = "block",
        strict: bool | None = None,
    ) -> None:
        self.kb, self.search, self.nothing_to_check, self.strict = kb, search, nothing_to_check, strict
        options: dict[str, Any] = {} if strict is None else {"strict": strict}
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, Any]:
        """The component as a pipeline saves it.

        Raises:
            ConfigError: it holds an open store or a retriever, which cannot be written down.
        """
        if self.search is not None:
            raise ConfigError(
                "a checker with search= cannot be saved; give kb, the folder of a knowledge base"
            )
        own: dict[str, Any] = default_to_dict(
            self, kb=_folder(self.kb), nothing_to_check=self.nothing_to_check, strict=self.strict
        )
        return own

    @component.output_types(
        approved=list[str], rejected=list[str], feedback=str, outcomes=list[dict[str, Any]]
    )
    def run(
        self, replies: list[str], documents: list[Document] | None = None, query: str | None = None
    ) -> dict[str, Any]:
        """Check each reply; ``documents`` are its evidence where there is no knowledge base."""
        contexts = contexts_of(documents or [])
        checked = [(reply, self._check.outcome(reply, contexts, query)) for reply in replies]
        failed = [outcome for _, outcome in checked if not outcome.passed]
        return {
            "approved": [reply for reply, outcome in checked if outcome.passed],
            "rejected": [reply for reply, outcome in checked if not outcome.passed],
            "feedback": "\n\n".join(outcome.why for outcome in failed),
            "outcomes": [outcome.summary() for _, outcome in checked],
        }


@component
class KnowledgeRetriever:
    """A knowledge base as a retriever: each passage a document, with its source and its span in ``meta``.

    Args:
        kb: the knowledge base, its folder or an open store.
        top_k: most passages for a query.
    """

    def __init__(self, kb: Any, top_k: int = 5) -> None:
        self.kb, self.top_k = kb, top_k
        self._check = Check(kb)

    def to_dict(self) -> dict[str, Any]:
        """The component as a pipeline saves it.

        Raises:
            ConfigError: it holds an open store, which cannot be written down.
        """
        own: dict[str, Any] = default_to_dict(self, kb=_folder(self.kb), top_k=self.top_k)
        return own

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, Any]:
        """The passages nearest to ``query``, best first."""
        found = self._check.find(query, top_k or self.top_k)
        return {
            "documents": [
                Document(
                    id=f"{one.doc_id}:{one.start}", content=one.text, meta=dict(place(one)), score=one.score
                )
                for one in found
            ]
        }


def _folder(kb: Any) -> str | None:
    if kb is not None and not isinstance(kb, str | os.PathLike):
        raise ConfigError("a component with an open store cannot be saved; give kb, its folder")
    return None if kb is None else os.fspath(kb)


def contexts_of(documents: Iterable[Document]) -> list[Context]:
    """Documents as contexts, each named by its ``source`` or ``file_path``; those without a text are left out."""
    return [
        {"text": one.content, "source": str(one.meta.get("source") or one.meta.get("file_path") or "")}
        for one in documents
        if one.content
    ]


def search_of(retriever: Any) -> Search:
    """Any Haystack retriever that takes a text ``query`` as what claims are checked against."""
    return lambda query: contexts_of(retriever.run(query=query)["documents"])
