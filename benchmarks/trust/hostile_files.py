"""Files of at most a megabyte that are small to store and large to read, each with its name."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.trust.hostile_office import (
    book_of_pages,
    empty_cells,
    far_cells,
    merged_cells,
    nested_spans,
    repeated_rows,
    shared_strings,
    short_rows,
    slide_texts,
)
from benchmarks.trust.hostile_pdf import forms, pages, range_map, stream_bomb
from benchmarks.trust.hostile_word import dense, entities, merged, nested, paragraphs, spanning

__all__ = ["FILES", "MEGABYTE", "QUICK", "HostileFile"]

MEGABYTE = 1_000_000
_WORDS = "The fee for a lost card is five euros. "


@dataclass(frozen=True, slots=True)
class HostileFile:
    """A file that is made when it is needed. ``file`` is its name on disk."""

    name: str
    file: str
    make: Callable[[], bytes]

    def content(self) -> bytes:
        """Its bytes.

        Raises:
            ValueError: they are more than a megabyte.
        """
        data = self.make()
        if len(data) > MEGABYTE:
            raise ValueError(f"{self.name}: {len(data)} bytes")
        return data


def filled(unit: str, begin: str = "", end: str = "", size: int = MEGABYTE) -> bytes:
    """``unit`` as often as it goes into ``size`` bytes."""
    room = size - len(begin.encode()) - len(end.encode())
    return (begin + unit * (room // len(unit.encode())) + end).encode()


def _numbered(pattern: str) -> bytes:
    """Lines that all differ: the pattern with numbers in place of its ``%d``."""
    lines: list[str] = []
    size = 0
    while size < MEGABYTE - 100:
        lines.append(pattern % len(lines))
        size += len(lines[-1])
    return "".join(lines).encode()


def _wide_csv(names: str, row: str, columns: int = 10_000) -> bytes:
    return filled(
        ",".join([row] * columns) + "\n", ",".join(names.replace("%d", str(n)) for n in range(columns)) + "\n"
    )


def _long_names() -> bytes:
    return filled("1,2\n", "a" * 250_000 + "," + "b" * 250_000 + "\n")


def _noise() -> bytes:
    return bytes(random.Random(1).choices(range(0x80, 0x100), k=MEGABYTE))


def _table(cells: str, columns: int = 200) -> bytes:
    return filled(cells, "|" * (columns + 1) + "\n" + "|---" * columns + "|\n")


def _nest(tag: str, inner: str = "", times: int = 100_000) -> bytes:
    times = min(times, (MEGABYTE - 100) // (len(tag) + len(inner)))
    return ((tag + inner) * times + "The pool is open.").encode()


_SPAN = "<td rowspan=9999 colspan=9999>"

FILES: tuple[HostileFile, ...] = (
    HostileFile(
        "html spans, long cells", "a.html", lambda: filled(_SPAN + _WORDS * 25 + "<tr>", "<table><tr>")
    ),
    HostileFile("html spans, short cells", "a.html", lambda: filled(_SPAN + "a", "<table><tr>")),
    HostileFile("html spans, a row each", "a.html", lambda: filled("<tr>" + _SPAN + "a", "<table>")),
    HostileFile("html rows of colspans", "a.html", lambda: filled("<tr><td colspan=9999>ab<td>1", "<table>")),
    HostileFile("html heads of colspans", "a.html", lambda: filled("<tr><th colspan=99>ab<th>1", "<table>")),
    HostileFile("html ragged table", "a.html", lambda: filled("<tr><td>a", "<table><tr>" + "<td>a" * 90_000)),
    HostileFile("html title rows", "a.html", lambda: filled("<tr><td>a", "<table>", "<tr><td>a<td>b")),
    HostileFile("html check boxes", "a.html", lambda: filled("<input type=checkbox>")),
    HostileFile("html 100,000 div", "a.html", lambda: _nest("<div>")),
    HostileFile("html 100,000 b", "a.html", lambda: _nest("<b>", "a")),
    HostileFile("html nested lists", "a.html", lambda: _nest("<ul><li>", "a")),
    HostileFile("html nested tables", "a.html", lambda: _nest("<table><tr><td>", "a")),
    HostileFile("html nested tables, pairs", "a.html", lambda: _nest("<table><tr><td>a<td>", "b")),
    HostileFile("html tables side by side", "a.html", lambda: filled("<table><tr><td>a<td>b</table>")),
    HostileFile(
        "html tables in a table", "a.html", lambda: filled("<table><td>a</table>", "<table><tr><td>")
    ),
    HostileFile("html nested sup", "a.html", lambda: _nest("<sup>", "1")),
    HostileFile("html nested del", "a.html", lambda: _nest("<del>", "a ")),
    HostileFile("html nested headings", "a.html", lambda: _nest("<h1><div>", "a")),
    HostileFile("html headings", "a.html", lambda: filled("<h2>a</h2>b")),
    HostileFile("html breaks", "a.html", lambda: filled("a<br>")),
    HostileFile(
        "html attributes", "a.html", lambda: _numbered(" a%d=b").join([b"<p", b">The pool is open."])
    ),
    HostileFile("html empty tags", "a.html", lambda: filled("<p>") + b"a"),
    HostileFile("markdown empty columns", "a.md", lambda: _table("|" * 201 + "\n")),
    HostileFile("markdown short rows", "a.md", lambda: _table("|a\n")),
    HostileFile(
        "markdown wide head", "a.md", lambda: filled("|a\n", "|" * 90_000 + "\n" + "|-" * 89_999 + "|\n")
    ),
    HostileFile("markdown items", "a.md", lambda: filled("- a\n")),
    HostileFile("markdown items, numbered", "a.md", lambda: _numbered("- item %d is red\n")),
    HostileFile("markdown loose items", "a.md", lambda: filled("- a\n\n")),
    HostileFile("markdown nested items", "a.md", lambda: filled("- ", end="a")),
    HostileFile("markdown nested quotes", "a.md", lambda: filled(">" * 1000 + "a\n")),
    HostileFile("markdown headings", "a.md", lambda: filled("# a\n")),
    HostileFile("markdown sections", "a.md", lambda: _numbered("# a%d\nb\n")),
    HostileFile(
        "markdown deep sections",
        "a.md",
        lambda: filled("".join(f"{'#' * n} a\n\nb\n\n" for n in range(1, 7))),
    ),
    HostileFile("markdown fences", "a.md", lambda: filled("```\na\n```\n")),
    HostileFile("markdown code lines", "a.md", lambda: filled("a\n", "```\n")),
    HostileFile("markdown paragraphs", "a.md", lambda: filled("a\n\n")),
    HostileFile("markdown rules", "a.md", lambda: filled("***\na\n")),
    HostileFile("markdown html blocks", "a.md", lambda: filled("<a>\n\n")),
    HostileFile("markdown open comments", "a.md", lambda: filled("<!--\n\n")),
    HostileFile("markdown link definitions", "a.md", lambda: _numbered("[a%d]: b\n")),
    HostileFile("markdown definitions on a line", "a.md", lambda: filled("[a]: ", end="b")),
    HostileFile("markdown front matter", "a.md", lambda: filled("[", "---\na: ", "\n---\ntext", size=16_000)),
    HostileFile("csv of 10,000 columns", "a.csv", lambda: _wide_csv("c%d", "1")),
    HostileFile("csv of 10,000 empty columns", "a.csv", lambda: _wide_csv("c%d", "")),
    HostileFile("csv with long names", "a.csv", _long_names),
    HostileFile("csv, a name for all", "a.csv", lambda: _wide_csv("c", "1")),
    HostileFile("csv, short rows", "a.csv", lambda: filled("1\n", "a\n")),
    HostileFile("csv, short rows that differ", "a.csv", lambda: _numbered("%d\n")),
    HostileFile("csv, bad rows", "a.csv", lambda: filled("1,2,3\n", "a,b\n")),
    HostileFile("csv, an open quote", "a.csv", lambda: filled('"a\n', "a,b\n")),
    HostileFile("json lists", "a.jsonl", lambda: filled('{"a":' + "[" * 900 + "]" * 900 + "}\n")),
    HostileFile("json objects", "a.jsonl", lambda: filled('{"a":' * 900 + "1" + "}" * 900 + "\n")),
    HostileFile("json, one nest", "a.jsonl", lambda: filled("[", '{"a":')),
    HostileFile("json, bad rows", "a.jsonl", lambda: filled("x\n")),
    HostileFile("json, short rows", "a.jsonl", lambda: filled('{"a":1}\n')),
    HostileFile("json, many keys", "a.jsonl", lambda: _numbered('"a%d":1,').join([b"{", b'"z":1}'])),
    HostileFile("json, empty lists", "a.jsonl", lambda: filled("[],", '{"a":[', "1]}")),
    HostileFile(
        "beir, packed line",
        "corpus.jsonl.gz",
        lambda: gzip.compress(b'{"text": "' + b"a" * 400_000_000 + b'"}'),
    ),
    HostileFile(
        "beir, packed rows", "corpus.jsonl.gz", lambda: gzip.compress(b'{"text": "a"}\n' * 10_000_000)
    ),
    HostileFile("text without spaces", "a.txt", lambda: filled("a")),
    HostileFile("text of spaces", "a.txt", lambda: filled(" ", end="a")),
    HostileFile("text of paragraphs", "a.txt", lambda: filled("a\n\n")),
    HostileFile("text of questions", "a.txt", lambda: _numbered("Why %d?\n\nNo.\n\n")),
    HostileFile("text of items", "a.txt", lambda: filled("- a\n")),
    HostileFile("text of sentences", "a.txt", lambda: filled("A. ")),
    HostileFile("text of labels", "a.txt", lambda: filled("Fee: a; ")),
    HostileFile("text of pipes", "a.txt", lambda: filled("|a|\n", "|a|\n|-|\n")),
    HostileFile("text of pipes and dashes", "a.txt", lambda: filled("|-|\n")),
    HostileFile("text of accents", "a.txt", lambda: filled("\u0301", "a")),
    HostileFile("text of blank lines", "a.txt", lambda: filled(" \n", "a", "b")),
    HostileFile("text of brackets", "a.txt", lambda: filled("(")),
    HostileFile("text in no encoding", "a.txt", _noise),
    HostileFile("word, paragraphs", "a.docx", lambda: paragraphs(MEGABYTE)),
    HostileFile("word, dense paragraphs", "a.docx", lambda: dense(MEGABYTE)),
    HostileFile("word, columns spanned", "a.docx", lambda: spanning(MEGABYTE)),
    HostileFile("word, rows merged", "a.docx", lambda: merged(MEGABYTE)),
    HostileFile("word, nested tables", "a.docx", lambda: nested(MEGABYTE)),
    HostileFile("word, entities", "a.docx", lambda: entities(MEGABYTE)),
    HostileFile("excel, empty cells", "a.xlsx", lambda: empty_cells(MEGABYTE)),
    HostileFile("excel, short rows", "a.xlsx", lambda: short_rows(MEGABYTE)),
    HostileFile("excel, cells far to the right", "a.xlsx", lambda: far_cells(MEGABYTE)),
    HostileFile("excel, merged cells", "a.xlsx", lambda: merged_cells(MEGABYTE)),
    HostileFile("excel, shared strings", "a.xlsx", lambda: shared_strings(MEGABYTE)),
    HostileFile("powerpoint, texts", "a.pptx", lambda: slide_texts(MEGABYTE)),
    HostileFile("odt, nested spans", "a.odt", lambda: nested_spans(MEGABYTE)),
    HostileFile("ods, repeated rows", "a.ods", lambda: repeated_rows(MEGABYTE)),
    HostileFile("epub, pages", "a.epub", lambda: book_of_pages(MEGABYTE)),
    HostileFile("pdf, a packed page", "a.pdf", lambda: stream_bomb(MEGABYTE)),
    HostileFile("pdf, one text on all pages", "a.pdf", lambda: pages(MEGABYTE)),
    HostileFile("pdf, forms within forms", "a.pdf", lambda: forms(MEGABYTE)),
    HostileFile("pdf, a font of all code points", "a.pdf", lambda: range_map(MEGABYTE)),
)
"""What is tried."""

QUICK = frozenset(
    (
        *("html spans, a row each", "html nested tables", "markdown empty columns", "csv with long names"),
        *(
            "csv of 10,000 columns",
            "json, empty lists",
            "json, bad rows",
            "word, paragraphs",
            "beir, packed line",
        ),
    )
)
"""The names of those that show most and take a few seconds at most."""
