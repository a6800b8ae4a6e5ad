"""How much may be made of a file by copying, unpacking and nesting, so that no small file fills the memory."""

from __future__ import annotations

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import Metadata

__all__ = ["LEFT_OUT", "MOST_BAD_ROWS", "ROW_TIMES", "Allowance", "check_unpacked", "most_rows"]

LEFT_OUT = "left_out"
"""The metadata that says what of a file is not in the document, in words for people."""
MOST_BAD_ROWS = 100
"""Rows of one file that are told one by one when they cannot be read."""

ROW_TIMES = 20
"""How many times the size of a table all its rows may be, since each repeats the names of the columns."""

_FREE = 1_000_000
_TIMES = 2
_ROWS_FREE = 20_000
_ROW_BYTES = 20
_UNPACKED_FREE = 10_000_000
_UNPACKED_TIMES = 20
"""Text packs to a tenth. What packs to a twentieth says the same thing over and over."""


class Allowance:
    """So many characters may be made of a file by copying parts of it: some times its size, and a million.

    Args:
        size: characters of the file.
    """

    def __init__(self, size: int, times: int = _TIMES) -> None:
        self.left = _FREE + times * size
        self.missed: dict[str, None] = {}
        """What was not made because nothing was left, each thing once."""

    def take(self, characters: int, what: str) -> bool:
        """Whether so many may be made; if not, ``what`` is noted as missing."""
        if characters > self.left:
            self.missed[what] = None
            return False
        self.left -= characters
        return True

    @property
    def metadata(self) -> Metadata:
        """What is missing, if anything is."""
        return {LEFT_OUT: "; ".join(self.missed)} if self.missed else {}


def most_rows(size: int) -> int:
    """How many rows of a table of so many characters are read: twenty thousand, and one more for twenty characters."""
    return _ROWS_FREE + size // _ROW_BYTES


def check_unpacked(packed: int, unpacked: int) -> None:
    """Refuse an archive before it is unpacked.

    Raises:
        IngestError: it unpacks to more than ten megabytes, and to more than twenty times its size.
    """
    if unpacked > _UNPACKED_FREE + _UNPACKED_TIMES * packed:
        raise IngestError(
            f"unpacks to {unpacked / 1e6:.0f} MB or more, over {_UNPACKED_TIMES} times its size"
        )
