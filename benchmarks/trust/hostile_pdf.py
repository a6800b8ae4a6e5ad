"""PDF files of a given size whose text unpacks or repeats to far more."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

__all__ = ["forms", "pages", "range_map", "stream_bomb"]

_SHOWN = b"BT /F1 12 Tf 20 20 Td (The fee for a lost card is five euros.) Tj ET\n"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_LAUGHS = 12
_TOTAL = 75_000_000
_LONG = 2_000


def _stream(content: bytes, about: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    head = b"<< /Filter /FlateDecode /Length %d %b >>" % (len(packed), about)
    return head + b"\nstream\n" + packed + b"\nendstream"


def _file(objects: Sequence[bytes]) -> bytes:
    """A PDF of numbered objects, the first of which is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)


def _one_page(content: bytes, resources: bytes, others: Sequence[bytes] = ()) -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << %b >> >>"
    catalogue = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
    return _file([*catalogue, page % resources, content, *others])


def stream_bomb(size: int) -> bytes:
    """A page whose content packs a thousand to one."""
    content = _stream(_SHOWN * (_TOTAL // len(_SHOWN)))
    return _one_page(content, b"/Font << /F1 5 0 R >>", [_FONT])[:size]


def pages(size: int) -> bytes:
    """Thousands of pages that all show one long text."""
    count = size // 200
    kids = b" ".join(b"%d 0 R" % (5 + n) for n in range(count))
    fonts = b"/Resources << /Font << /F1 3 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R %b >>" % fonts
    first = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count %d /Kids [%b] >>" % (count, kids)]
    return _file([*first, _FONT, _stream(_SHOWN * _LONG), *[page] * count])


def forms(size: int) -> bytes:
    """A page that draws a form ten times, which draws another ten times, and so on."""
    made = []
    for level in range(_LAUGHS):
        last = level == _LAUGHS - 1
        content = _SHOWN if last else b"/X Do\n" * 10
        inner = b"/Font << /F1 5 0 R >>" if last else b"/XObject << /X %d 0 R >>" % (7 + level)
        about = b"/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << %b >>" % inner
        made.append(_stream(content, about))
    return _one_page(_stream(b"/X Do\n" * 10), b"/XObject << /X 6 0 R >>", [_FONT, *made])[:size]


def range_map(size: int) -> bytes:
    """A font whose table gives a text to each of four billion codes."""
    table = (
        b"1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange\n"
        b"1 beginbfrange <00000000> <7FFFFFFF> <00000041> endbfrange\n"
    )
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 6 0 R >>"
    content = _stream(b"BT /F1 12 Tf 20 20 Td <00000001> Tj ET\n")
    return _one_page(content, b"/Font << /F1 5 0 R >>", [font, _stream(table)])[:size]
