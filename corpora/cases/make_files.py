"""Make the PDF and Word files of ``corpora/cases/files`` from the texts below.

Run ``pip install fpdf2 python-docx && python corpora/cases/make_files.py`` after a change of the texts. The files are
committed, so nobody else needs fpdf2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from fpdf import FPDF

FILES = Path(__file__).parent / "files"
DATE = datetime(2025, 5, 12, tzinfo=UTC)
Rows = Sequence[Sequence[str]]


def page(size: float = 11, font: str = "Helvetica") -> FPDF:
    pdf = FPDF(format="A5")
    pdf.set_creation_date(DATE)
    pdf.set_font(font, size=size)
    pdf.add_page()
    return pdf


def lines(pdf: FPDF, texts: Sequence[str], x: float = 15, y: float = 25, step: float = 6) -> float:
    """Draw lines below each other; returns where the next one would stand."""
    for text in texts:
        pdf.text(x, y, text)
        y += step
    return y


def by_columns(
    pdf: FPDF, columns: Rows, x: float = 15, y: float = 25, width: float = 45, step: float = 6
) -> None:
    """Draw columns one after the other, an empty text leaving a gap."""
    for n, column in enumerate(columns):
        for m, text in enumerate(column):
            if text:
                pdf.text(x + n * width, y + m * step, text)


def by_rows(pdf: FPDF, rows: Rows, x: float = 15, y: float = 25, width: float = 45, step: float = 6) -> None:
    """Draw rows one after the other, an empty text leaving a gap."""
    for m, row in enumerate(rows):
        for n, text in enumerate(row):
            if text:
                pdf.text(x + n * width, y + m * step, text)


def in_cells(pdf: FPDF, rows: Rows, x: float = 15, y: float = 25, width: float = 38, step: float = 8) -> None:
    """Draw cells with borders, an empty text leaving the cell out."""
    for m, row in enumerate(rows):
        for n, text in enumerate(row):
            if text:
                pdf.set_xy(x + n * width, y + m * step)
                pdf.cell(width, step, text, border=1)


def raised(pdf: FPDF, parts: Sequence[tuple[str, str]], x: float = 15, y: float = 25) -> None:
    """Draw one line of texts, each followed by a smaller raised one."""
    for text, small in parts:
        pdf.set_font(size=11)
        pdf.text(x, y, text)
        x += pdf.get_string_width(text)
        pdf.set_font(size=7)
        if small:
            pdf.text(x, y - 1.6, small)
            x += pdf.get_string_width(small)


def spaced(pdf: FPDF, words: Sequence[str], x: float = 15, y: float = 25, size: float = 11) -> None:
    """Draw a line piece by piece, with a gap as wide as a space between the pieces."""
    for word in words:
        pdf.text(x, y, word)
        x += pdf.get_string_width(word) + 0.28 * size * 25.4 / 72


def garbled(pdf: FPDF, shift: int, texts: Sequence[str]) -> None:
    """Draw lines whose letters are each ``shift`` places further on, as with a font that says wrong what it draws."""
    moved = [
        "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else c for c in text) for text in texts
    ]
    lines(pdf, moved)


BROKEN = [
    "The current flows in the op-",
    "posite direction to the surface drift. A well-known",
    "pilot measured a speed of 2.4 knots in the har-",
    "bour mouth. The north-south passage is closed from 1 No-",
    "vember.",
]
MOOR = ["The Moor line carries 40", "trains each day. It was", "opened in 1901."]
CASTLE = ["The Castle line carries 65", "trains each day. It was", "opened in 1934."]
SPACED = "The|m|arket|is|held|on|S|aturday|from|7|:30|in|the|cen|tre|of|Orby."
SEASONS = [["Room", "Season", "Price"], ["Attic", "Summer", "EUR 90"], ["Attic", "Winter", "EUR 60"]]
GARDEN = ["Garden", "Summer", "EUR 120"]
SPANNED = [*SEASONS[:2], ["", "Winter", "EUR 60"], GARDEN, ["", "Winter", "EUR 80"]]
FERRY = [
    ["The island ferry leaves", "The night ferry leaves"],
    ["from the old pier at ten", "from the new quay at nine"],
    ["in the morning. A return", "in the evening. A cabin"],
    ["ticket costs 18 euros.", "for two costs 74 euros."],
]
CLINIC = [
    ["Doctor", "Day", "Floor"],
    ["Dr Falk", "Monday", "2"],
    ["", "Thursday", "3"],
    ["Dr Ames", "Tuesday", "1"],
    ["", "Friday", "4"],
]
TRAIL = [
    "The lower trail is suit-",
    "able for wheelchairs. The up-",
    "per trail is steep and re-",
    "quires climbing gear. A five-",
    "year permit costs 210 euros at the vis-",
    "itor centre.",
]
POOL = [
    ["Pool", "Depth", "Lanes"],
    ["Main", "1.8 m", "8"],
    ["Teaching", "0.9 m", "4"],
    ["Diving", "3.6 m", "2"],
]
GUIDE = [
    "The cave is closed from",
    "October to March. Tours",
    "start at eleven.",
    "",
    "Dogs are not allowed.",
]
SHOP = ["The shop sells maps and", "honey. It opens at nine", "and takes no cards.", "", "Maps cost 6 euros."]
LETTER = "M|useum|tickets|for|ad|ults|cost|12|euros|and|the|gal|lery|opens|on|W|ednesday."
CIPHER = [
    "The old mill stands by the river and grinds rye for the whole valley.",
    "It was built by the family of the miller and has been open to visitors",
    "since the spring of the year in which the bridge was repaired.",
    "The wheel turns on most days of the week when the water is high.",
]


def make_pdf(name: str, *draw: Callable[[FPDF], object]) -> None:
    """A file with one page for each of the drawings."""
    pdf = page()
    for n, one in enumerate(draw):
        if n:
            pdf.add_page()
        pdf.set_font(size=11)
        one(pdf)
    pdf.output(str(FILES / name))


def make_pdfs() -> None:
    make_pdf("broken.pdf", lambda pdf: lines(pdf, BROKEN))
    make_pdf(
        "broken_book.pdf",
        lambda pdf: lines(pdf, ["The visitors' book was pre-", "sented to the mayor in Oc-", "tober 1950."]),
    )
    make_pdf(
        "broken_refund.pdf",
        lambda pdf: lines(pdf, ["All cus-", "tomers re-", "ceive a re-", "fund within 14 days."]),
    )
    make_pdf("spaced.pdf", lambda pdf: spaced(pdf, SPACED.split("|")))
    make_pdf("two_columns.pdf", lambda pdf: by_columns(pdf, [MOOR, CASTLE], width=65))
    make_pdf("table_by_columns.pdf", lambda pdf: by_columns(pdf, list(zip(*SEASONS, GARDEN, strict=True))))
    make_pdf("table_spanned.pdf", lambda pdf: in_cells(pdf, SPANNED))
    make_pdf(
        "raised.pdf", lambda pdf: raised(pdf, [("The lab counted 10", "6"), (" cells in the dish.", "")])
    )
    make_pdf("columns_by_rows.pdf", lambda pdf: by_rows(pdf, FERRY, width=65))
    make_pdf("clinic.pdf", lambda pdf: in_cells(pdf, CLINIC))
    make_pdf("trail.pdf", lambda pdf: lines(pdf, TRAIL))
    make_pdf("pool.pdf", lambda pdf: by_columns(pdf, list(zip(*POOL, strict=True))))
    make_pdf("cave_shop.pdf", lambda pdf: by_rows(pdf, list(zip(GUIDE, SHOP, strict=True)), width=65))
    make_pdf("letters.pdf", lambda pdf: spaced(pdf, LETTER.split("|"), size=11))
    make_pdf(
        "powers.pdf",
        lambda pdf: raised(
            pdf, [("A sample holds 3 x 10", "5"), (" spores; the garden covers 40 m", "2"), (".", "")]
        ),
    )
    make_pdf(
        "garbled.pdf",
        lambda pdf: lines(pdf, ["The old mill was built in 1811."]),
        lambda pdf: garbled(pdf, 5, CIPHER),
    )
    make_pdf(
        "running_heads.pdf",
        *(
            lambda pdf, n=n, text=text: lines(pdf, ["Orby harbour rules", *text, f"Page {n} of 3"])
            for n, text in enumerate(
                [
                    ["Boats up to 12 metres", "may moor at the east", "pier without a permit."],
                    ["A permit for longer boats", "costs 80 euros a month", "and is sold at the office."],
                    ["The harbour office opens", "at eight on weekdays and", "is closed on Sundays."],
                ],
                1,
            )
        ),
    )


def strike(run: Any) -> None:
    run.font.strike = True


def tracked(paragraph: Any, tag: str, text: str) -> None:
    """Add a tracked insertion or deletion to a paragraph."""
    change = OxmlElement(f"w:{tag}")
    change.set(qn("w:id"), "1")
    change.set(qn("w:author"), "A")
    run, body = OxmlElement("w:r"), OxmlElement("w:delText" if tag == "del" else "w:t")
    body.text = text
    body.set(qn("xml:space"), "preserve")
    run.append(body)
    change.append(run)
    paragraph._p.append(change)


def new_word() -> Any:
    word = Document()
    word.core_properties.created = word.core_properties.modified = DATE.replace(tzinfo=None)
    word.core_properties.author = ""
    return word


def save(word: Any, name: str) -> None:
    """Write a Word file that is the same to the byte whenever it is made."""
    made = BytesIO()
    word.save(made)
    with ZipFile(made) as parts, ZipFile(FILES / name, "w", ZIP_DEFLATED) as out:
        for part in parts.namelist():
            out.writestr(ZipInfo(part, DATE.timetuple()[:6]), parts.read(part), ZIP_DEFLATED)


def table(word: Any, rows: Rows) -> Any:
    made = word.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(made.add_row().cells, row, strict=True):
            cell.text = text
    return made


LOG = [
    ["Log no.", "Type", "Date"],
    ["17", "Letter", "3 May 2014"],
    ["18", "E-mail", "9 May 2014"],
    ["19", "Memo", "1 June 2014"],
]
BOATS = [["Boat", "Berth", "Length"], ["Kestrel", "A4", "9 m"], ["Curlew", "B2", "12 m"]]


def make_docx() -> None:
    word = new_word()
    word.sections[0].header.paragraphs[0].text = "Orby Mill was founded in 1811."
    word.add_paragraph("The mill grinds rye.")
    save(word, "mill_head.docx")

    word = new_word()
    table(word, LOG)
    save(word, "log.docx")

    word = new_word()
    section = word.sections[0]
    section.header.paragraphs[0].text = "Valid from 1 March 2025"
    section.footer.paragraphs[0].text = "Published by the Tarn Valley Council"
    word.add_heading("Parking", 1)
    word.add_paragraph("Parking on the market square costs 2 euros an hour.")
    save(word, "parking.docx")

    word = new_word()
    paragraph = word.add_paragraph("The workshop starts at ")
    strike(paragraph.add_run("9:00"))
    paragraph.add_run(" 10:30. ")
    strike(paragraph.add_run("Lunch is included."))
    paragraph.add_run(" Tea is free.")
    save(word, "struck.docx")

    word = new_word()
    paragraph = word.add_paragraph("The loan period is ")
    tracked(paragraph, "del", "14")
    tracked(paragraph, "ins", "21")
    paragraph.add_run(" days.")
    save(word, "tracked.docx")

    word = new_word()
    word.add_heading("Moorings", 1)
    table(word, BOATS)
    save(word, "moorings.docx")


if __name__ == "__main__":
    FILES.mkdir(exist_ok=True)
    make_pdfs()
    make_docx()
