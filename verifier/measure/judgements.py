"""Relevance judgements: the passages that names stand for, and recall and nDCG of rankings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from verifier_backends.evaluation import ndcg_at

from verifier.core.errors import ConfigError
from verifier.knowledge.reader import KnowledgeReader
from verifier.knowledge.records import DocumentRecord, passage_id
from verifier.measure.queries import Query

__all__ = ["Wanted", "ndcg", "recall", "resolve"]

Wanted = Mapping[frozenset[str], int]
"""What a query should find, with grades: an entry is a set of ids of passages or documents, of which one is enough."""


def resolve(queries: Sequence[Query], reader: KnowledgeReader, namespace: str) -> list[Wanted]:
    """What each query should find. Names that mean the same passages count once, under their highest grade.

    A name is a document's id, source or uri, the name of a file of rows (any of its rows will do), ``#id`` of a row,
    or a text that stands in a document; white space does not matter in it.

    Raises:
        ConfigError: a name is none of these, or ``#id`` is in several files.
    """
    if not any(query.relevant for query in queries):
        return [{} for _ in queries]
    records = reader.documents(namespace)
    named = _names(records)
    quoted = {
        " ".join(name.split()): frozenset[str]()
        for query in queries
        for name, _ in query.relevant
        if name not in named
    }
    if quoted:
        _find_quotes(quoted, records, reader)
    return [_wanted(query, named, quoted) for query in queries]


def _names(records: Sequence[DocumentRecord]) -> dict[str, dict[str, set[str]]]:
    """Name -> file -> ids of the documents that it means there."""
    named: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in records:
        named[record.doc_id][""].add(record.doc_id)
        for source in record.sources:
            file, mark, row = source.source.rpartition("#")
            for name in (source.source, source.uri, *((file, f"#{row}") if mark else ())):
                named[name][file if name == f"#{row}" else ""].add(record.doc_id)
    return {name: dict(files) for name, files in named.items()}


def _find_quotes(
    quoted: dict[str, frozenset[str]], records: Sequence[DocumentRecord], reader: KnowledgeReader
) -> None:
    """Fill in which passages each text stands in; where it runs over several, all that it touches."""
    for record in records:
        passages = reader.passages(record.doc_id)
        plain = [" ".join(passage.text.split()) for passage in passages]
        ids = [passage_id(record.doc_id, passage) for passage in passages]
        whole = " ".join(plain)
        starts = [sum(map(len, plain[:at])) + at for at in range(len(plain))]
        for text, found in quoted.items():
            if text not in whole:
                continue
            inside = {name for name, passage in zip(ids, plain, strict=True) if text in passage}
            first = whole.index(text)
            touched = {
                name
                for name, start, passage in zip(ids, starts, plain, strict=True)
                if start < first + len(text) and first < start + len(passage)
            }
            quoted[text] = found | (inside or touched)


def _wanted(
    query: Query, named: Mapping[str, Mapping[str, set[str]]], quoted: Mapping[str, frozenset[str]]
) -> Wanted:
    wanted: dict[frozenset[str], int] = {}
    for name, grade in query.relevant:
        files = named.get(name, {})
        if len(files) > 1:
            raise ConfigError(
                f"{query.place}: {name!r} is a row of several files: {', '.join(sorted(files))}"
            )
        meant = frozenset(*files.values()) or quoted.get(" ".join(name.split()), frozenset())
        if not meant:
            raise ConfigError(
                f"{query.place}: {name!r} is no document, source or quoted text of the knowledge base"
            )
        wanted[meant] = max(grade, wanted.get(meant, 0))
    return wanted


def recall(k: int, ranking: Sequence[str], wanted: Wanted) -> float:
    """Share of the wanted entries of which the first ``k`` passages of ``ranking`` hold one.

    >>> recall(2, ["d1:0-9", "d2:0-9", "d3:0-9"], {frozenset({"d2"}): 1, frozenset({"d3:0-9"}): 1})
    0.5
    """
    found = {entry for passage in ranking[:k] for entry in _met(passage, wanted)}
    return len(found) / len(wanted)


def ndcg(k: int, ranking: Sequence[str], wanted: Wanted) -> float:
    """nDCG of the first ``k`` passages, where an entry gains its grade at the first passage that holds it.

    Entries that one passage holds stand behind each other, so that the result is at most 1.

    >>> ndcg(10, ["d1:0-9", "d1:9-20"], {frozenset({"d1"}): 1})
    1.0
    """
    names = {entry: f"entry {number}" for number, entry in enumerate(wanted)}
    placed: list[str] = []
    for rank, passage in enumerate(ranking[:k]):
        fresh = [names[entry] for entry in _met(passage, wanted) if names[entry] not in placed]
        placed += [""] * (rank - len(placed)) + fresh
    return ndcg_at(k, placed, {names[entry]: grade for entry, grade in wanted.items()})


def _met(passage: str, wanted: Wanted) -> list[frozenset[str]]:
    """The entries that a passage answers, the best first."""
    document = passage.rpartition(":")[0]
    met = [entry for entry in wanted if passage in entry or document in entry]
    return sorted(met, key=lambda entry: -wanted[entry])
