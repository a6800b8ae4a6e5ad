"""Make kb/recall-notice.pdf and kb/loyalty-programme.docx from the text below.

Run ``pip install fpdf2 python-docx && python corpora/demo/make_binary.py`` after a change of the text. The
files are committed, so nobody else needs fpdf2.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from docx import Document
from fpdf import FPDF

KB = Path(__file__).parent / "kb"
DATE = datetime(2025, 5, 12, tzinfo=UTC)

RECALL = """\
# Safety recall: Ember 2 stove

Notice R-2025-04 of 12 May 2025. Larkfell Outdoor recalls all Ember 2 camping stoves with serial
numbers from E2-40000 to E2-47999. They were sold between 3 September 2023 and 28 February 2025 in
our stores and online.

# What is wrong

The seal of the fuel valve can harden at temperatures below minus 5 degrees Celsius and let gas
escape. We know of 11 cases in which gas leaked. In two of them a tent was damaged by fire. Nobody
has been injured.

Stoves with other serial numbers have a valve from another supplier and are not affected. The Ember
3 has a different construction and is not affected either.
<page>
# What you should do

Stop using the stove at once and unscrew the cartridge outdoors. Bring the stove to any Larkfell
store or order a free return label at recall@larkfell.example. You do not need a receipt.

You may choose between a refund of EUR 89 and a new Ember 3. The offer ends on 31 December 2026.
Please do not send cartridges by post.

# Questions

Call 0800 555 0142 from Monday to Friday, 8:00 to 18:00. The recall is led by Henrik Sollie, head of
product safety, and has been reported to the market surveillance authority.
"""
"""Two pages; a line with ``#`` is a heading."""

LEVELS = [
    ("Level", "Points in a year", "Discount", "Extras"),
    ("Trail", "0", "none", "birthday voucher of EUR 5"),
    ("Ridge", "500", "5 %", "free domestic shipping"),
    ("Summit", "1,500", "10 %", "free domestic shipping, 45 days to return purchases"),
]


def make_pdf(path: Path) -> None:
    pdf = FPDF(format="A5")
    pdf.set_creation_date(DATE)
    pdf.set_title("Safety recall: Ember 2 stove")
    pdf.set_author("Larkfell Outdoor")
    for page in RECALL.split("<page>"):
        pdf.add_page()
        for block in page.strip().split("\n\n"):
            heading = block.startswith("# ")
            text = " ".join(block.removeprefix("# ").split())
            pdf.set_font("Helvetica", style="B" if heading else "", size=13 if heading else 10)
            pdf.multi_cell(0, 7 if heading else 5, text, align="L", new_x="LMARGIN", new_y="NEXT")
            pdf.ln(2)
    pdf.output(str(path))


def make_docx(path: Path) -> None:
    word = Document()
    word.core_properties.title = "Loyalty programme"
    word.core_properties.author = "Larkfell Outdoor"
    word.core_properties.created = word.core_properties.modified = DATE.replace(tzinfo=None)
    word.add_heading("Loyalty programme", level=1)
    word.add_paragraph(
        "The Larkfell Trail Card is free and open to everyone aged 16 or over. You collect one point for each "
        "full euro that you spend on purchases. Rentals earn two points for each euro. Gift cards earn none."
    )
    word.add_heading("Levels", level=2)
    table = word.add_table(rows=0, cols=4, style="Table Grid")
    for row in LEVELS:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    word.add_paragraph("The level is set anew on 1 January from the points of the year before.")
    word.add_heading("Using points", level=2)
    for text in (
        "100 points are worth EUR 3 at the till.",
        "Points expire 18 months after they were earned.",
        "Points cannot be paid out, sold or passed to another card.",
    ):
        word.add_paragraph(text, style="List Bullet")
    word.add_heading("Leaving", level=2)
    word.add_paragraph(
        "You can leave at any time in your account. The remaining points are lost, and your data are deleted "
        "within 60 days. Questions are answered by Aino Castell, head of customer care."
    )
    word.save(str(path))


if __name__ == "__main__":
    make_pdf(KB / "recall-notice.pdf")
    make_docx(KB / "loyalty-programme.docx")
