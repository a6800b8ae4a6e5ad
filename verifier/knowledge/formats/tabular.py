"""Read CSV and JSONL files: a document for each row, with columns mapped by ReadOptions."""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from itertools import accumulate, chain, islice

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import LEFT_OUT, ROW_TIMES, Allowance, most_rows
from verifier.knowledge.formats.decode import Decoded, read_text
from verifier.types import Document

__all__ = [
    "ID_COLUMNS",
    "TEXT_COLUMNS",
    "bounded",
    "column_names",
    "head_at",
    "is_figure",
    "json_rows",
    "read_csv",
    "read_jsonl",
    "rows_to_documents",
]

TEXT_COLUMNS = ("text", "contents", "content", "body", "passage")
"""Columns that hold a row's text unless ``ReadOptions.text_columns`` is given; the first that exists."""

ID_COLUMNS = ("_id", "id", "doc_id")
"""Columns that identify a row unless ``ReadOptions.id_column`` says otherwise; the first that exists."""

Row = Mapping[str, object]
NumberedRow = tuple[int, Row | IngestError]
"""A row's number, from 1, and the row or what is wrong with it."""

_DELIMITERS = ",;\t|"
_SNIFF_ROWS = 20
_FIGURE = re.compile(r"[^\W\d_]{0,3}[\s\d.,:/%€$£+-]*\d[\s\d.,:/%€$£+-]*[^\W\d_]{0,3}")
"""A cell that is a figure, a date or an amount, as the names of columns hardly are."""
_FIGURE_CHARS = 40
_YEAR = re.compile(r"(?:19|20)\d\d")
_TWO = 2
_MOST_VALUES = 256
_MOST_CHARS = 20_000


def read_csv(file: SourceFile, options: ReadOptions) -> Iterator[Document | IngestError]:
    """Read a CSV or TSV file whose first row names the columns; the delimiter is found by trying.

    Rows above the names that fill a cell or two of many (``Staff list 2024,,``) are the title of the table: of each
    row that has none of its own.

    Raises:
        IngestError: the file cannot be read as text, has no rows, or lacks a column that is asked for.
    """
    decoded = read_text(file.path, options)
    titles, header, records = _headed(_records(decoded.text, _delimiter(decoded.text)))
    names = column_names(header)
    _check_columns(names, options)
    title = " ".join(cell.strip() for row in titles for cell in row if cell.strip())
    yield from _documents(file, options, _csv_rows(names, records), "csv", decoded, title)


def _headed(records: Iterator[list[str]]) -> tuple[list[list[str]], list[str], Iterator[list[str]]]:
    """The rows of the title, the row that names the columns, and the rows below."""
    first: list[list[str]] = []
    broken: IngestError | None = None
    try:
        first.extend(islice(records, _SNIFF_ROWS))
    except IngestError as error:
        broken = error
    if broken is not None and not first:
        raise broken
    at = head_at(first)
    below = chain(first[at + 1 :], records) if broken is None else _failing(first[at + 1 :], broken)
    return first[:at], first[at], below


def _failing(records: Iterable[list[str]], error: IngestError) -> Iterator[list[str]]:
    yield from records
    raise error


def head_at(rows: Sequence[Sequence[str]]) -> int:
    """Which row names the columns: the first, unless it fills at most half as many cells as most rows do, and a row
    below it fills as many as they, all different and none a figure."""
    filled = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    usual, _ = max(Counter(map(len, filled)).items(), key=lambda item: (item[1], item[0]))
    if 2 * len(filled[0]) > usual or (usual == _TWO and not rows[0][0].strip()):
        return 0
    for at, cells in enumerate(filled):
        if len(cells) >= usual > 1:
            named = len(set(cells)) == len(cells) and not any(map(is_figure, cells))
            return at if named else 0
    return 0


def is_figure(cell: str) -> bool:
    """Whether a cell is a figure, a date or an amount; a year alone may be the name of a column."""
    return len(cell) <= _FIGURE_CHARS and bool(_FIGURE.fullmatch(cell)) and not _YEAR.fullmatch(cell)


def read_jsonl(file: SourceFile, options: ReadOptions) -> Iterator[Document | IngestError]:
    """Read a file with one JSON object on each line.

    Raises:
        IngestError: the file cannot be read as text.
    """
    decoded = read_text(file.path, options)
    yield from _documents(file, options, json_rows(decoded.text.split("\n")), "jsonl", decoded)


def _documents(
    file: SourceFile,
    options: ReadOptions,
    rows: Iterable[NumberedRow],
    kind: str,
    decoded: Decoded,
    title: str = "",
) -> Iterator[Document | IngestError]:
    found = False
    within = bounded(rows, len(decoded.text))
    for item in rows_to_documents(file, options, within, {"format": kind, **decoded.metadata}, title):
        found = True
        yield item
    if not found:
        raise IngestError("no rows below the header" if kind == "csv" else "no rows")


def bounded(rows: Iterable[NumberedRow], size: int) -> Iterator[NumberedRow]:
    """Rows, and an error in place of what would grow far beyond the ``size`` of their file."""
    allowance = Allowance(size, ROW_TIMES)
    for count, (number, row) in enumerate(rows):
        taken = (
            0 if isinstance(row, IngestError) else sum(len(name) + 1 for name, value in row.items() if value)
        )
        if not allowance.take(taken, ""):
            reason = f"the names of the columns make it over {ROW_TIMES} times the size of the file"
        elif count >= most_rows(size):
            reason = f"more than {most_rows(size)} rows in a file of its size"
        else:
            yield number, row
            continue
        yield number, IngestError(f"{reason}; this row and all below it are left out")
        return


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    """Records that are not blank. A cell may be as long as the file, which Python's own limit forbids."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        for record in csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True):
            if any(cell.strip() for cell in record):
                yield record
    except csv.Error as error:
        raise IngestError(f"not valid CSV: {error}") from error


def _delimiter(text: str) -> str:
    """The delimiter that gives the first rows the same number of columns, the more the better."""

    def consistency(delimiter: str) -> tuple[float, bool, int]:
        widths: Counter[int] = Counter()
        whole = True
        try:
            widths.update(len(record) for record in islice(_records(text, delimiter), _SNIFF_ROWS))
        except IngestError:
            whole = False  # the rows before the bad one still tell
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        return (count / widths.total() if width > 1 else 0.0), whole, width

    return max(_DELIMITERS, key=consistency)


def column_names(header: Sequence[str]) -> list[str]:
    """Names of the columns; one without a name, or with one that is taken, is named by its position."""
    names: list[str] = []
    taken: set[str] = set()
    for position, cell in enumerate(header, 1):
        name = " ".join(cell.split())
        names.append(name if name and name not in taken else f"{name} (column {position})".strip())
        taken.add(names[-1])
    return names


def _check_columns(names: Sequence[str], options: ReadOptions) -> None:
    asked = [
        *options.text_columns,
        options.id_column,
        options.title_column,
        *(options.metadata_columns or ()),
    ]
    missing = [name for name in asked if name is not None and name not in names]
    if missing:
        raise IngestError(f"no column {missing[0]!r}; it has: {', '.join(names)}")


def _csv_rows(names: Sequence[str], records: Iterable[list[str]]) -> Iterator[NumberedRow]:
    number = 0
    try:
        for number, record in enumerate(records, 1):
            if len(record) > len(names):
                yield number, IngestError(f"{len(record)} cells, but {len(names)} columns")
            else:
                cells = [cell.strip() for cell in record] + [""] * (len(names) - len(record))
                yield number, dict(zip(names, cells, strict=True))
    except IngestError as error:
        yield number + 1, IngestError(f"{error}; this row and all below it are left out")


def json_rows(lines: Iterable[str]) -> Iterator[NumberedRow]:
    """Parse lines of JSON; blank ones are passed over but counted."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_constant=lambda _: None)
        except (ValueError, RecursionError) as error:  # ValueError: also an integer of too many digits
            reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep or too long"
            yield number, IngestError(f"not valid JSON ({reason})")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            yield number, IngestError("not a JSON object")


def rows_to_documents(
    file: SourceFile,
    options: ReadOptions,
    rows: Iterable[NumberedRow],
    metadata: Metadata,
    title: str = "",
    *,
    by_number: bool = False,
) -> Iterator[Document | IngestError]:
    """Make a document of each row, named ``source#id``, or an ``IngestError`` where it cannot be one.

    ``title`` is that of the table: of each row that has none of its own. ``by_number`` names rows by their numbers,
    whatever columns they have.
    """
    seen: set[str] = set()
    for number, row in rows:
        try:
            if isinstance(row, IngestError):
                raise row
            document = _document(file, options, number, row, metadata, by_number)
            document = document if document.title else replace(document, title=title)
            if document.uri in seen:
                raise IngestError(f"its id is taken by an earlier row ({document.source.rpartition('#')[2]})")
            seen.add(document.uri)
            yield document
        except IngestError as error:
            yield IngestError(f"row {number}: {error}")


def _document(
    file: SourceFile, options: ReadOptions, number: int, row: Row, metadata: Metadata, by_number: bool
) -> Document:
    text_columns = options.text_columns or [name for name in TEXT_COLUMNS if row.get(name)][:1]
    if text_columns:
        text = "\n\n".join(filter(None, (_as_text(row.get(name)) for name in text_columns)))
    else:
        text = "\n".join(f"{name}: {_as_text(value)}" for name, value in row.items() if _as_text(value))
    if not text.strip():
        raise IngestError("no text")
    title = _as_text(row.get(options.title_column or "title"))
    of_key = () if by_number else (options.id_column,) if options.id_column else ID_COLUMNS
    key = _first(row, of_key) or str(number)
    kept = options.metadata_columns
    if kept is None:
        kept = tuple(name for name in row if name not in text_columns)
    own = _kept({name: _as_value(row[name]) for name in kept if row.get(name) not in (None, "")})
    document = Document(
        source=f"{file.source}#{key}",
        uri=f"{file.uri}#{key}",
        text=text,
        title=title,
        metadata={**metadata, "row": number, **own},
    )
    _refuse_half_characters(document)
    return document


def _kept(values: Metadata) -> Metadata:
    """The metadata of a row, which each of its passages carries: the first of very many or very long values."""
    most = list(islice(values.items(), _MOST_VALUES))
    sizes = accumulate(len(name) + len(str(value)) for name, value in most)
    within = dict(item for item, size in zip(most, sizes, strict=True) if size <= _MOST_CHARS)
    if len(within) < len(values):
        within[LEFT_OUT] = (
            f"{len(values) - len(within)} columns of a row are too many or too long for metadata"
        )
    return within


def _refuse_half_characters(document: Document) -> None:
    """JSON can spell half of a surrogate pair, which no file or database can hold."""
    try:
        for value in (document.uri, document.text, document.title, *map(str, document.metadata.values())):
            value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise IngestError("half a character (a lone surrogate)") from error


def _first(row: Row, names: Iterable[str]) -> str:
    return next(filter(None, (_as_text(row.get(name)) for name in names)), "")


def _as_text(value: object) -> str:
    """A cell as a reader would write it; lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _as_value(value: object) -> str | int | float | bool | None:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool) else _as_text(value)
