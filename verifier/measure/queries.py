"""Read queries with their relevance judgements from JSONL or a BEIR folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError, IngestError
from verifier.core.text import sentence_spans
from verifier.knowledge.formats.tabular import json_rows
from verifier.knowledge.reader import KnowledgeReader
from verifier.measure.rows import text_lines

__all__ = ["Query", "QuerySet", "read_queries", "sampled_queries"]

TEXT_FIELDS = ("query", "claim")
_PACKED = ("", ".gz", ".xz")
_QRELS_COLUMNS = ("query-id", "corpus-id", "score")
_LEAST_WORDS = 5
"""Words of a sentence that says enough to be looked for."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and what answers it: names of documents, or texts quoted from them, with a grade above 0.

    ``place`` says where the query stands, for messages. Without ``relevant`` it is not labelled.
    """

    text: str
    relevant: tuple[tuple[str, int], ...] = ()
    place: str = ""


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Queries, where they come from in a few words, and what of the file was not used."""

    queries: tuple[Query, ...]
    origin: str
    notes: tuple[str, ...] = ()

    def limited(self, limit: int | None) -> QuerySet:
        """``limit`` of the queries, evenly spread, or all."""
        n = len(self.queries)
        if limit is None or limit >= n:
            return self
        chosen = tuple(self.queries[at * n // limit] for at in range(limit))
        return QuerySet(chosen, self.origin, (*self.notes, f"{limit} of {n} queries, evenly spread"))


def read_queries(path: Path) -> QuerySet:
    """Read rows ``{query|claim, relevant}`` of a JSONL file, or the judged queries of a BEIR folder.

    ``relevant`` is a list of names, or names with grades: a document's id or source, ``#id`` for a row of a file, or
    a text quoted from a document. Of a BEIR folder the judgements in ``qrels.tsv`` are taken, else those in
    ``qrels/test.tsv``, else those of the only file in ``qrels``; without any, its queries are not labelled.

    Raises:
        ConfigError: the file cannot be read, or a row of it is not as it should be.
    """
    if path.is_dir():
        return _beir(path)
    queries = tuple(_query(path, number, row) for number, row in _rows(path))
    if not queries:
        raise ConfigError(f"{path} holds no query")
    return QuerySet(queries, path.name)


def sampled_queries(reader: KnowledgeReader, namespace: str, limit: int) -> QuerySet:
    """Sentences of stored passages, evenly spread: each is to be found where it stands.

    A first look where nobody has written queries; words that recur literally flatter keyword search.
    """
    records = reader.documents(namespace)
    ends = list(accumulate(record.passages for record in records))
    total = ends[-1] if ends else 0
    wanted = [at * total // limit for at in range(limit)] if total > limit else list(range(total))
    queries: dict[str, Query] = {}
    for record, end in zip(records, ends, strict=True):
        start = end - record.passages
        inside = [at - start for at in wanted if start <= at < end]
        passages = reader.passages(record.doc_id) if inside else []
        for at in inside:
            if sentence := _telling(passages[at].text):
                queries[sentence] = Query(sentence, ((sentence, 1),), record.source)
    return QuerySet(tuple(queries.values()), f"{len(queries)} sentences of its passages")


def _telling(text: str) -> str | None:
    """The longest sentence of a passage, ``None`` where all are short."""
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    longest = max(sentences, key=lambda sentence: len(sentence.split()), default="")
    return longest if len(longest.split()) >= _LEAST_WORDS else None


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, row in json_rows(text_lines(path)):
        if isinstance(row, IngestError):
            raise ConfigError(f"{path.name}, line {number}: {row}")
        yield number, row


def _query(path: Path, number: int, row: Mapping[str, Any]) -> Query:
    place = f"{path.name}, line {number}"
    given = [name for name in TEXT_FIELDS if name in row]
    if len(given) != 1:
        found = ", ".join(map(str, row)) or "none"
        raise ConfigError(f"{place}: expected one of the fields 'query' and 'claim'; found: {found}")
    text = row[given[0]]
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"{place}: {given[0]!r} is not a text")
    return Query(text, _graded(row.get("relevant"), place), place)


def _graded(given: object, place: str) -> tuple[tuple[str, int], ...]:
    """Names with their grades; grade 0 says that something is not relevant, which needs no saying."""
    if given is None:
        return ()
    graded = dict.fromkeys(given, 1) if isinstance(given, list) and _are_names(given) else given
    if not isinstance(graded, dict) or not _are_names(graded):
        raise ConfigError(
            f"{place}: 'relevant' must be a list of names or quoted texts, or names with grades"
        )
    for name, grade in graded.items():
        if type(grade) is not int or grade < 0:
            raise ConfigError(
                f"{place}: the grade of {name!r} is {grade!r}; expected a whole number from 0 on"
            )
    return tuple((name, grade) for name, grade in graded.items() if grade)


def _are_names(given: Iterable[object]) -> bool:
    return all(isinstance(name, str) and name.strip() for name in given)


def _beir(folder: Path) -> QuerySet:
    file = _one_of(folder, "queries.jsonl")
    if file is None:
        raise ConfigError(f"{folder} is no BEIR folder: it has no queries.jsonl (nor .gz, .xz)")
    texts: dict[str, Query] = {}
    for number, row in _rows(file):
        place = f"{file.name}, line {number}"
        name, text = row.get("_id"), row.get("text")
        if not isinstance(name, str) or not isinstance(text, str) or not text.strip():
            raise ConfigError(f"{place}: expected texts under '_id' and 'text'")
        if name in texts:
            raise ConfigError(f"{place}: the id {name!r} is taken by {texts[name].place}")
        texts[name] = Query(text, (), place)
    if not texts:
        raise ConfigError(f"{file} holds no query")
    judgements = _judgements(folder)
    if judgements is None:
        return QuerySet(tuple(texts.values()), folder.name)
    relevant = _read_qrels(judgements)
    if unknown := [name for name in relevant if name not in texts]:
        raise ConfigError(f"{judgements.name} judges query {unknown[0]!r}, which {file.name} does not have")
    judged = tuple(Query(texts[name].text, names, texts[name].place) for name, names in relevant.items())
    left_out = len(texts) - len(judged)
    unjudged = f"{left_out} queries of {folder.name} have no relevant document in {judgements.name}: left out"
    return QuerySet(judged, folder.name, (unjudged,) if left_out else ())


def _one_of(folder: Path, name: str) -> Path | None:
    return next((path for end in _PACKED if (path := folder / f"{name}{end}").is_file()), None)


def _judgements(folder: Path) -> Path | None:
    if (chosen := _one_of(folder, "qrels.tsv") or _one_of(folder / "qrels", "test.tsv")) is not None:
        return chosen
    others = sorted(path for path in (folder / "qrels").glob("*.tsv*") if path.is_file())
    if len(others) > 1:
        names = ", ".join(path.name for path in others)
        raise ConfigError(f"{folder / 'qrels'} has several judgements and no test.tsv: {names}")
    return others[0] if others else None


def _read_qrels(path: Path) -> dict[str, tuple[tuple[str, int], ...]]:
    """Query id -> ``#id`` of each relevant row of the corpus, with its grade."""
    relevant: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for number, line in enumerate(text_lines(path), 1):
        cells = line.rstrip("\r\n").split("\t")
        if number == 1 and tuple(cells) != _QRELS_COLUMNS:
            raise ConfigError(f"{path}: the first line must name the columns {', '.join(_QRELS_COLUMNS)}")
        if number == 1 or not line.strip():
            continue
        if len(cells) != len(_QRELS_COLUMNS) or not all(cells) or not cells[2].lstrip("-").isdecimal():
            raise ConfigError(f"{path.name}, line {number}: expected two ids and a whole number")
        if int(cells[2]) > 0:
            relevant[cells[0]].append((f"#{cells[1]}", int(cells[2])))
    if not relevant:
        raise ConfigError(f"{path} finds nothing relevant to any query")
    return {query: tuple(names) for query, names in relevant.items()}
