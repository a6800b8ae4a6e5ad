"""What a verdict rests on: the passages and whatever else was looked up for it, and whether any of it has changed.

A verdict is worked out from the passages found for its claim, from the beginnings of their documents, from the files of
rows that some of them are rows of, and from how many passages hold each of the claim's words. Where all of that is as
it was, so is the verdict.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from verifier_signals.content import content_of
from verifier_signals.ranking import has_ranking

from verifier.core.errors import BackendError, VerifierError, failing_as
from verifier.core.release import RELEASE
from verifier.knowledge.records import canonical_json
from verifier.types import Basis, Claim, ClaimVerdict, Evidence
from verifier.verification.decision.document_dates import HEAD_CHARS
from verifier.verification.decision.joined_facts import file_of
from verifier.verification.retrieve import KnowledgeSource, tables_of
from verifier.verification.vocabulary import rarity_of, words_of

__all__ = [
    "MOST_DRIFT",
    "Bases",
    "Standing",
    "configuration_digest",
    "knowledge_of",
    "moved_words",
    "stands_nowhere",
    "words_that_count",
]

Standing = Callable[[Sequence[Sequence[Claim]]], Sequence[ClaimVerdict | None]]
"""The claims of several responses in; for each claim of all of them the verdict that stands, ``None`` for none, out."""

MOST_DRIFT = 0.01
"""How far the rarity of a word, in [0, 1], may move before a claim is verified again. Every document that comes or goes
moves all of them a little; one passage more with a word that twenty hold moves it by 0.007."""

_DIGEST = 12


class Bases:
    """Names what claims rest on in one namespace of a source; heads and tables are read once each.

    Args:
        source: where the passages were found.
        namespace: in which.
        whole_documents: whether a document's other passages may count, since a reader is given more of it.
    """

    def __init__(self, source: KnowledgeSource, namespace: str, *, whole_documents: bool) -> None:
        self._tables = tables_of(source, namespace)
        self._size = source.passage_count(namespace)
        head_of = getattr(source, "document_head", None)

        @cache
        def told(doc_id: str) -> str | None:
            if whole_documents:
                return doc_id
            return None if head_of is None else str(head_of(doc_id, HEAD_CHARS))

        self._document = told

    def of(self, text: str, evidence: Sequence[Evidence], words: Mapping[str, int]) -> Basis:
        """The basis of a claim that reads ``text``; ``words`` has the counts that were asked for."""
        files = sorted({name for item in evidence if (name := file_of(item.source))})
        tables = self._digest_of_tables(files) if files and has_ranking(text) else ""
        return Basis(tuple(map(self._named, evidence)), words, self._size, tables)

    def _named(self, item: Evidence) -> str:
        """Digest, source and offset of a passage. Where it stands behind its document's head, only its text counts."""
        told = [
            item.source,
            item.text,
            min(item.start, HEAD_CHARS),
            item.page,
            item.headings,
            item.context,
            item.retrieved_by,
            dict(item.metadata),
            self._document(item.doc_id),
        ]
        return f"{_digest(told)} {item.source}:{item.start}"

    def _digest_of_tables(self, files: Sequence[str]) -> str:
        return _digest([[(row.source, row.text) for row in self._tables(name)] for name in files])


def _digest(value: object) -> str:
    told = canonical_json(value).encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:_DIGEST]


def stands_nowhere(claims: Sequence[Sequence[Claim]]) -> list[ClaimVerdict | None]:
    """Every claim is to be verified."""
    return [None for some in claims for _ in some]


_OF_RETRIEVAL = ("kb", "backend", "chunking", "decision")
"""Tables of the configuration that decide what is found, which is looked at itself, or what is made of the verdicts."""


def configuration_digest(
    options: Mapping[str, object], signals: Sequence[str], nli: str, weights: object
) -> str:
    """Names what verdicts depend on beside the knowledge base; another release is another configuration."""
    config = options.get("config")
    tables = dict(config) if isinstance(config, Mapping) else {}
    tables = {name: table for name, table in tables.items() if name not in _OF_RETRIEVAL}
    if isinstance(verdict := tables.get("verdict"), Mapping):
        tables["verdict"] = {**verdict, "suggest_fixes": None}
    own = {**options, "config": tables, "namespace": None}
    return _digest([RELEASE, own, sorted(signals), nli, weights])


def knowledge_of(source: KnowledgeSource, namespace: str) -> str:
    """A digest of what a knowledge base says and under which names; empty where the source is none, or fails."""
    fingerprint: Callable[[str], str] | None = getattr(source, "fingerprint", None)
    try:
        with failing_as(BackendError, "the knowledge source"):
            return fingerprint(namespace) if fingerprint is not None else ""
    except VerifierError:
        return ""


def words_that_count(text: str, missing: Iterable[str]) -> list[str]:
    """The words of a claim that is read as ``text`` by whose counts it is judged: those that are weighed by how rare
    they are, and those of the values that no window has, which are looked for in the whole knowledge base.

    >>> words_that_count("The heron eats 3 fish at Orr & Co.", ["Orr & Co"])
    ['Co', 'Orr', 'co', 'eats', 'fish', 'heron', 'orr']
    """
    content = content_of(text)
    weighed = {word for at, (_, _, _, word) in enumerate(content.units) if at not in content.values}
    return sorted(weighed.union(*map(words_of, missing)))


def moved_words(before: Basis, now: Mapping[str, int], size: int) -> list[str]:
    """The words that came into the knowledge base, went from it, or became rarer or commoner by ``MOST_DRIFT``."""
    return [
        term
        for term, count in before.words.items()
        if (count > 0) != (now[term] > 0)
        or abs(rarity_of(term, now[term], size) - rarity_of(term, count, before.passages)) > MOST_DRIFT
    ]
