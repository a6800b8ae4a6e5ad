"""Compare our PDF reader with pdfplumber on drawn tables: how many rows each reads whole, and how fast.

Run: ``python -m benchmarks.pdf_tables`` (needs ``pip install fpdf2 pdfplumber``). A row counts where all its cells come
back as they were drawn, in their columns. Each document also has a page of prose, of which no table may be made.
``pdfplumber`` looks for ruled tables and, on pages without any, for aligned text (``or text``), its two strategies.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from verifier.core.tables import cells_of, is_row, is_rule
from verifier.knowledge.ingest import discover, read_documents

__all__ = ["main"]

Table = list[list[str]]
_LAYOUTS = ("ALL", "HORIZONTAL_LINES", "MINIMAL", "NONE")
_FORMS = ("plain", "wrapped", "gaps", "span")
_EACH = 4
_THINGS = ("Rye bread", "Canoe", "Sauna ticket", "Guided tour", "Locker", "Wetsuit", "Day pass", "Mooring")
_NOTE = "refunded in full when it is cancelled at least three days before the booked date"
_PROSE = (
    "The club was founded by twelve rowers. Its boats lie by the old mill, and members may use all of them. "
    * 12
)


def _tables(form: str, source: random.Random) -> Table:
    """A table of a form, as it should come back."""
    head = ["Item", "Price", "Deposit", "Note" if form == "wrapped" else "Stock"]
    rows = [
        [
            f"{name}",
            f"{source.randint(1, 90)}.{source.randint(10, 99)} EUR",
            str(source.randint(5, 80)),
            str(n + 3),
        ]
        for n, name in enumerate(source.sample(_THINGS, 6))
    ]
    for n, row in enumerate(rows):
        if form == "wrapped" and n % 2:
            row[3] = _NOTE
        if form == "gaps" and n % 2:
            row[2] = ""
    return [head, *rows]


def _draw(path: Path, table: Table, layout: str, form: str) -> None:
    from fpdf import FPDF

    pdf = FPDF()
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, "Prices of the season.\n\n")
    with pdf.table(borders_layout=layout, text_align="LEFT", width=170, align="LEFT") as drawn:
        for n, cells in enumerate(table):
            row = drawn.row()
            if form == "span" and n == 3:
                row.cell("All prices below are for members", colspan=len(cells))
                row = drawn.row()
            for cell in cells:
                row.cell(cell)
    pdf.add_page()
    pdf.multi_cell(0, 6, _PROSE)
    pdf.output(str(path))


def _ours(path: Path) -> Iterator[list[str]]:
    for file in discover([path]):
        for document in read_documents(file):
            for line in document.text.splitlines():
                if is_row(line) and not is_rule(line):
                    yield [line[start:end] for start, end in cells_of(line)]


def _plumber(path: Path, *, fall_back: bool) -> Iterator[list[str]]:
    import pdfplumber

    aligned = {"vertical_strategy": "text", "horizontal_strategy": "text"}
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_text()  # the rest of the page has to be read as well
            tables: list[list[list[Any]]] = page.extract_tables()
            if not tables and fall_back:
                tables = page.extract_tables(aligned)
            for row in (row for table in tables for row in table):
                yield [" ".join((cell or "").split()) for cell in row]


_SYSTEMS: dict[str, Callable[[Path], Iterator[list[str]]]] = {
    "ours": _ours,
    "pdfplumber": lambda path: _plumber(path, fall_back=False),
    "pdfplumber or text": lambda path: _plumber(path, fall_back=True),
}


def _score(
    read: Callable[[Path], Iterator[list[str]]], drawn: Sequence[tuple[Path, Table]]
) -> tuple[int, int, int, float]:
    """Rows that came back whole, rows that were drawn, rows made of prose, and seconds of a processor."""
    whole = prose = 0
    began = time.process_time()
    for path, table in drawn:
        found = list(read(path))
        whole += sum(row in found for row in table)
        prose += sum("rowers" in " ".join(row) or "boats" in " ".join(row) for row in found)
    return whole, sum(len(table) for _, table in drawn), prose, time.process_time() - began


def main() -> None:
    """Print the table."""
    source = random.Random(7)
    print(f"{'rules':<18} {'form':<9} {'system':<19} {'rows':>7} {'prose':>6} {'s':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for layout in _LAYOUTS:
            for form in _FORMS:
                drawn = []
                for n in range(_EACH):
                    path, table = Path(folder) / f"{layout}{form}{n}.pdf", _tables(form, source)
                    _draw(path, table, layout, form)
                    drawn.append((path, table))
                for name, read in _SYSTEMS.items():
                    whole, of, prose, seconds = _score(read, drawn)
                    print(
                        f"{layout.lower():<18} {form:<9} {name:<19} {whole:>3}/{of:<3} {prose:>6} {seconds:>6.2f}"
                    )


if __name__ == "__main__":
    main()
