"""File types that cannot be read, why, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["UNREAD"]

_WORD = "save it as .docx or .pdf"
_SHEETS = "save it as .xlsx or .csv"
_SLIDES = "save it as .pptx or .pdf"

UNREAD: Mapping[str, str] = {
    ".doc": f"an old Word file, which cannot be read; {_WORD}",
    ".dot": f"an old Word template, which cannot be read; {_WORD}",
    ".rtf": f"a Rich Text file, which cannot be read; {_WORD}",
    ".wps": f"a Works file, which cannot be read; {_WORD}",
    ".wpd": f"a WordPerfect file, which cannot be read; {_WORD}",
    ".pages": f"a Pages file, which cannot be read; {_WORD}",
    ".xls": f"an old Excel file, which cannot be read; {_SHEETS}",
    ".xlsb": f"a binary Excel file, which cannot be read; {_SHEETS}",
    ".numbers": f"a Numbers file, which cannot be read; {_SHEETS}",
    ".ppt": f"an old PowerPoint file, which cannot be read; {_SLIDES}",
    ".pps": f"an old PowerPoint file, which cannot be read; {_SLIDES}",
    ".mobi": "a Kindle book, which cannot be read; convert it to .epub",
    ".azw": "a Kindle book, which cannot be read; convert it to .epub",
    ".azw3": "a Kindle book, which cannot be read; convert it to .epub",
    ".djvu": "a DjVu file, which cannot be read; convert it to .pdf",
    ".xps": "an XPS file, which cannot be read; convert it to .pdf",
    ".heic": "a HEIC picture, which cannot be read; save it as .jpg or .png",
    ".msg": "an Outlook message, which cannot be read; save it as .html or .txt",
}
"""Kinds of documents that this release knows of and does not read, by the end of the name in lower case. A document
that was not read may hold what a claim says: it is told as such, where a file of no known kind is only left out."""
