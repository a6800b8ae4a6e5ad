"""Decode the bytes of a text file, or say why they cannot be decoded."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import NamedTuple

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata, ReadOptions

__all__ = ["Decoded", "decode", "read_bytes", "read_text"]

_BYTE_ORDER_MARKS = (  # the marks of UTF-32 begin with those of UTF-16, so they come first
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = "".join(map(chr, [*range(1, 9), 11, *range(14, 27), *range(28, 32), 127]))
_NO_CONTROL = str.maketrans("", "", _CONTROL)
_MAX_CONTROL_SHARE = 0.01
_IN_WIDE_USE = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r"),
    *("iso8859_2", "iso8859_15", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
"""Encodings that a guess may choose. The other ninety that Python knows only add ways to be wrong."""
_GUESS_FROM = 1 << 18  # bytes: enough to judge by, and the time to guess stays bounded
_TIE = 0.05
_MIN_COHERENCE = 0.1
_WESTERN = "cp1252"
"""The commonest of them by far, for it is what Windows writes in Western Europe and America."""
_NOT_CENTRAL = re.compile(
    "["
    + "".join(
        byte.decode(_WESTERN, "ignore")
        for byte in (bytes([code]) for code in range(0x80, 0x100))
        if byte.decode(_WESTERN, "ignore") != byte.decode("cp1250", "ignore")
    )
    + "]"
)
"""What the bytes of cp1252 mean and those of its neighbour cp1250 do not: ``è``, which is ``č`` there."""
_OF_FIGURES = re.compile(r"£(?=\s?\d)|²|(?<=m)³(?!\w)|(?<![^\W\d_])[¼½¾](?!\w)")
"""Signs beside figures, where the letters that cp1250 has in their place cannot stand."""
_LETTERS = re.compile(r"[^\W\d_]+")
_WESTERN_SHARE = 0.25
"""The most that bytes beyond ASCII make up of a Western text. Of the sentences of ``tests/unit/test_language.py``
that cp1252 can hold, the one with the most has 16 %; of a text in another alphabet they make up most."""


class Decoded(NamedTuple):
    """A file's text, and the encoding it was read with."""

    text: str
    encoding: str

    @property
    def metadata(self) -> Metadata:
        """``encoding``, unless it is what one expects."""
        return {} if self.encoding == "utf-8" else {"encoding": self.encoding}


def read_bytes(path: Path, options: ReadOptions) -> bytes:
    """Read a whole file.

    Raises:
        IngestError: it is empty, too large, or cannot be opened.
    """
    try:
        with path.open("rb") as file:
            data = file.read(options.max_bytes + 1)
    except OSError as error:
        raise IngestError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > options.max_bytes:
        raise IngestError(f"larger than the limit of {options.max_bytes / 1e6:g} MB")
    if not data:
        raise IngestError("empty")
    return data


def read_text(path: Path, options: ReadOptions) -> Decoded:
    """Read a whole text file.

    Raises:
        IngestError: as ``read_bytes`` and ``decode`` do, or because it is blank.
    """
    decoded = decode(read_bytes(path, options), options.encoding)
    if not decoded.text.strip():
        raise IngestError("empty (only white space)")
    return decoded


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode text: by its byte-order mark, else as UTF-8, else with ``encoding``, else by a confident guess.

    Line ends stay as they are; a byte-order mark is dropped.

    Raises:
        IngestError: the bytes are no text, or their encoding is not clear.

    >>> decode("naïve".encode("utf-8-sig"))
    Decoded(text='naïve', encoding='utf-8-sig')
    """
    decoded = _decode(data, encoding)
    if "\0" in decoded.text:
        raise IngestError("binary data, not text (it holds NUL bytes)")
    control = len(decoded.text) - len(decoded.text.translate(_NO_CONTROL))
    if control > _MAX_CONTROL_SHARE * len(decoded.text):
        share = control / len(decoded.text)
        raise IngestError(f"binary data, not text ({share:.0%} of it are control characters)")
    return decoded


def _decode(data: bytes, encoding: str | None) -> Decoded:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return Decoded(_strictly(data, name), name)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise IngestError("binary data, not text (it holds NUL bytes)") from None
    name = encoding or _guess(data)
    return Decoded(_strictly(data, name), name)


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise IngestError(f"not valid {encoding}: byte {error.start} does not fit") from error
    except LookupError as error:
        raise IngestError(f"unknown encoding {encoding!r}") from error


def _guess(data: bytes) -> str:
    """Name the encoding, if one alone explains the bytes as words of a language.

    Files in which ``è`` might as well be ``č`` are refused: a wrong letter in a name would be noticed much
    later, as a claim that is contradicted.
    """
    from charset_normalizer import from_bytes

    sample = data[:_GUESS_FROM]
    sample = sample[: sample.rfind(b"\n") + 1] or sample
    if _is_western(data):
        return _WESTERN
    matches = list(from_bytes(sample, cp_isolation=list(_IN_WIDE_USE)))
    if not matches:
        raise IngestError("binary data, or text in an encoding that must be named with --encoding")
    best = matches[0]
    rivals = [
        match.encoding
        for match in matches[1:]
        if match.chaos <= best.chaos + _TIE
        and match.coherence >= best.coherence - _TIE
        and str(match) != str(best)
    ]
    if rivals or best.coherence < _MIN_COHERENCE:
        found = [name for name in (best.encoding, *rivals) if name != _WESTERN]
        names = " or ".join([_WESTERN, *found] if _may_be_western(data) else [best.encoding, *rivals])
        raise IngestError(
            f"encoding not clear (perhaps {names}); save it as UTF-8 or name its encoding with --encoding"
        )
    return best.encoding


def _is_western(data: bytes) -> bool:
    """Whether the bytes are Latin text that cp1252 and cp1250 read alike: ``café – 5 €``, also ``£5``, ``3 m²``.

    Each word has a letter of ASCII, and capitals where words have them; other alphabets show neither.
    """
    try:
        text = _OF_FIGURES.sub(" ", data.decode(_WESTERN))
    except UnicodeDecodeError:
        return False
    if _NOT_CENTRAL.search(text):
        return False
    words = {word for word in _LETTERS.findall(text) if not word.isascii()}
    latin = all(
        re.search("[A-Za-z]", word) and (word[1:].islower() or word.isupper() or len(word) == 1)
        for word in words
    )
    return latin and _beyond_ascii(data) <= _WESTERN_SHARE


def _may_be_western(data: bytes) -> bool:
    try:
        data.decode(_WESTERN)
    except UnicodeDecodeError:
        return False
    return _beyond_ascii(data) <= _WESTERN_SHARE


def _beyond_ascii(data: bytes) -> float:
    """The share of bytes beyond ASCII among all that are not white space."""
    dense = b"".join(data.split())
    return sum(byte >= 0x80 for byte in dense) / len(dense) if dense else 0.0
