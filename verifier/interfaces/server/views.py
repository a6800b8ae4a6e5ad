"""What ``view.js`` shows of a checked text, without anything of the server's inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from verifier.interfaces.html import claim_view, draft_of, view_of
from verifier.interfaces.server.shown import covered
from verifier.knowledge.records import content_hash, document_id
from verifier.types import ClaimVerdict, Document, Report

__all__ = ["Views", "among", "named"]

_KEPT = 16
"""Documents held for the surroundings of the next quotation."""
_NAMED = 3
"""Sources that are called by their names; of more only the number is told."""


class Views:
    """What is shown of one text, as it becomes known.

    Args:
        text, name: what is checked, and what it is called.
        documents: those that evidence is from, by id.
        checked_against: in a few words.
    """

    def __init__(
        self, text: str, name: str, documents: Callable[[str], Document | None], checked_against: str
    ) -> None:
        self._text, self._name, self._against = text, name, checked_against
        self._documents = lru_cache(_KEPT)(documents)

    def begun(self) -> dict[str, Any]:
        """The text alone."""
        return {"draft": draft_of(self._text, self._name), "checked_against": self._against}

    def claim(self, number: int, claim: ClaimVerdict) -> dict[str, Any]:
        """One claim, by its number from 0. In the report's view it has another where something is told not to be known
        before it."""
        return dict(claim_view(number + 1, covered(claim), self._documents))

    def report(self, report: Report) -> dict[str, Any]:
        """All of it."""
        shown = replace(report, claims=tuple(map(covered, report.claims)))
        return dict(
            view_of(
                shown,
                self._text,
                name=self._name,
                documents=self._documents,
                checked_against=self._against,
            )
        )


def among(documents: Sequence[Document], namespace: str) -> Callable[[str], Document | None]:
    """Documents by the ids that they have in a namespace."""
    by_id = {document_id(namespace, content_hash(document)): document for document in documents}
    return by_id.get


def named(documents: Sequence[Document]) -> str:
    """What these documents are called, in a few words.

    >>> named([Document("a.md", "a", ""), Document("b.csv#1", "b1", ""), Document("b.csv#2", "b2", "")])
    'a.md, b.csv'
    """
    files = list(dict.fromkeys(document.source.partition("#")[0] for document in documents))
    return ", ".join(files) if len(files) <= _NAMED else f"{len(files)} files"
