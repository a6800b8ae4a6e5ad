"""Texts -> a folder of files as people keep them: Markdown, HTML, Word, PDF and CSV."""

from __future__ import annotations

import csv
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from tests.support.drawn_pdf import Drawn, draw

__all__ = ["KINDS", "write_folder"]

Sections = Sequence[tuple[str, Sequence[str]]]
"""Headings, each with its paragraphs."""

_PARAGRAPHS = 4
_SECTIONS = 6
_LINE = 95
_LINES = 46


def write_folder(folder: Path, texts: Sequence[str], kinds: Sequence[str] = ()) -> int:
    """Write files of these kinds, all by default, one after the other until every text stands in one of them.

    Returns:
        How many files there are.
    """
    folder.mkdir(parents=True, exist_ok=True)
    left, number = iter(texts), 0
    while True:
        for kind in kinds or KINDS:
            write, some = KINDS[kind]
            own = list(islice(left, some))
            if not own:
                return number
            number += 1
            write(folder / f"{number:05}.{kind}", own)


def _sections(texts: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    for start in range(0, len(texts), _PARAGRAPHS):
        own = texts[start : start + _PARAGRAPHS]
        yield " ".join(own[0].split()[:5]).strip(".,;:"), own


def _markdown(path: Path, texts: Sequence[str]) -> None:
    parts = [f"# {path.stem}"]
    for heading, paragraphs in _sections(texts):
        parts += [f"## {heading}", *paragraphs[:-1], f"* {paragraphs[-1]}"]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _html(path: Path, texts: Sequence[str]) -> None:
    parts = [f"<h1>{path.stem}</h1>"]
    for heading, paragraphs in _sections(texts):
        parts.append(f"<section><h2>{html.escape(heading)}</h2>")
        parts += [f"<p>{html.escape(one)}</p>" for one in paragraphs]
        parts.append("</section>")
    head = f"<head><title>{path.stem}</title><style>p {{ margin: 1em }}</style></head>"
    menu = "".join(f"<li><a href='{n}.html'>Page {n}</a></li>" for n in range(12))
    body = f"<nav><ul>{menu}</ul></nav><main>{''.join(parts)}</main><footer>All rights reserved</footer>"
    path.write_text(f"<!doctype html><html>{head}<body>{body}</body></html>", encoding="utf-8")


def _word(path: Path, texts: Sequence[str]) -> None:
    import docx

    made = docx.Document()
    made.add_heading(path.stem, 0)
    for heading, paragraphs in _sections(texts):
        made.add_heading(heading, 1)
        for one in paragraphs:
            made.add_paragraph("".join(c for c in one if c.isprintable()))
    made.save(str(path))


def _pdf(path: Path, texts: Sequence[str]) -> None:
    lines: list[Drawn | None] = []
    for heading, paragraphs in _sections(texts):
        lines += [Drawn(heading, 50, 0, 14, bold=True), None]
        for one in paragraphs:
            lines += [Drawn(line, 50, 0) for line in _wrapped(one)] + [None]
    pages = [lines[start : start + _LINES] for start in range(0, len(lines), _LINES)]
    drawn = [
        [line._replace(y=760 - 15 * at) for at, line in enumerate(page) if line is not None] for page in pages
    ]
    draw(path, *drawn)


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.encode("cp1252", "replace").decode("cp1252").split():
        if line and len(line) + len(word) >= _LINE:
            yield line
            line = ""
        line = f"{line} {word}".strip()
    yield line


def _csv(path: Path, texts: Sequence[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "topic", "year"])
        rows.writerows([n, text, f"topic {n % 17}", 1990 + n % 30] for n, text in enumerate(texts))


_OF_A_FILE = _PARAGRAPHS * _SECTIONS

KINDS: Mapping[str, tuple[Callable[[Path, Sequence[str]], None], int]] = {
    "md": (_markdown, _OF_A_FILE),
    "html": (_html, _OF_A_FILE),
    "docx": (_word, _OF_A_FILE),
    "pdf": (_pdf, _OF_A_FILE),
    "csv": (_csv, _OF_A_FILE),
}
"""By suffix: what writes a file, and how many texts go into it."""
