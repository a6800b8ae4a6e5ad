"""Word files of a given size whose text unpacks, spans or nests to far more."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable

__all__ = ["dense", "entities", "merged", "nested", "paragraphs", "spanning"]

_SPACE = "http://schemas.openxmlformats.org"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_TYPES = (
    f'<Types xmlns="{_SPACE}/package/2006/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>'
)
_RELATIONS = (
    f'<Relationships xmlns="{_SPACE}/package/2006/relationships"><Relationship Id="r1" '
    f'Type="{_SPACE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)
_LARGEST = 150_000_000
_FIRST = 1 << 22
_WORDS = "The fee for a lost card is five euros. "


def _word(body: str, before: str = "") -> bytes:
    document = f'{before}<w:document xmlns:w="{_SPACE}/wordprocessingml/2006/main"><w:body>{body}</w:body></w:document>'
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", document)
    return buffer.getvalue()


def _largest(size: int, body: Callable[[int], str]) -> bytes:
    """The file with the most of something that packs to ``size`` and unpacks to less than the reader's own limit."""
    count = _FIRST
    while len(made := body(count)) > _LARGEST or len(data := _word(made)) > size:
        count = count * 2 // 3
    return data


def _cell(text: str, properties: str) -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"


def paragraphs(size: int) -> bytes:
    """Millions of paragraphs."""
    return _largest(size, lambda count: "<w:p><w:r><w:t>a</w:t></w:r></w:p>" * count)


_PARAGRAPH = "<w:p><w:r><w:t>{:x}</w:t></w:r></w:p>"


def dense(size: int) -> bytes:
    """As many short paragraphs that all differ as a reader takes: they pack too little to be refused."""
    draw = random.Random(1)
    return _largest(
        size, lambda count: "".join(_PARAGRAPH.format(draw.getrandbits(40)) for _ in range(count // 70))
    )


def spanning(size: int) -> bytes:
    """A table whose cells span ten thousand columns each."""
    cell = _cell("a", '<w:gridSpan w:val="9999"/>')
    return _largest(
        size, lambda count: f"<w:tbl>{('<w:tr>' + cell * 50 + '</w:tr>') * (count // 50)}</w:tbl>"
    )


def merged(size: int) -> bytes:
    """A long cell that is merged with those of thousands of rows below it."""
    first = "<w:tr>" + _cell(_WORDS * 2000, '<w:vMerge w:val="restart"/>') + "</w:tr>"
    below = "<w:tr>" + _cell("", "<w:vMerge/>") + "</w:tr>"
    return _largest(size, lambda count: f"<w:tbl>{first}{below * (count // 4)}</w:tbl>")


def nested(size: int) -> bytes:
    """Tables within the cells of tables, as deep as the parser of XML lets them be."""
    begin, end = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p>", "</w:tc></w:tr></w:tbl>"
    block = begin * 60 + end * 60
    return _largest(size, lambda count: block * (count // 500))


def entities(size: int) -> bytes:
    """Entities made of entities, ten of each."""
    defined = ['<!ENTITY e0 "laughs at the fee ">']
    defined += [f'<!ENTITY e{n} "' + f"&e{n - 1};" * 10 + '">' for n in range(1, 10)]
    data = _word("<w:p><w:r><w:t>a &e9;</w:t></w:r></w:p>", f"<!DOCTYPE d [{''.join(defined)}]>")
    return data[:size]
