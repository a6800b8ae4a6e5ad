"""The plain text of a PDF page and the runs that it is drawn with, each with its place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PageObject

__all__ = ["Run", "runs_of"]

_HELVETICA = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
"""Widths of ``chr(32)`` to ``chr(126)`` in Helvetica, in thousandths of the size (Adobe's core fonts)."""
_FIRST = 32
_OTHER_WIDTH = 556
_FIXED = 600
_NARROWER = 0.9
"""Times beside Helvetica: the same text is so much shorter."""
_FIXED_NAMES = ("courier", "mono", "typewriter", "consol")
_NARROW_NAMES = (
    "times",
    "roman",
    "serif",
    "garamond",
    "georgia",
    "cmr",
    "minion",
    "nimbusrom",
    "palatino",
    "book",
)
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_MOVES = frozenset({b"Td", b"TD", b"Tm", b"T*", b"'", b'"', b"Ts"})
"""Operators after which text stands elsewhere than behind the text before it."""
_PLACES = frozenset({b"BT", b"Td", b"TD", b"Tm", b"T*", b"'", b'"'})
"""Operators that say where the text behind them stands."""
_SHOWS = frozenset({b"Tj", b"TJ"})
_TELLS_GAPS = 7
_LEVEL = 1e-3
"""How far the baseline may lean for text that runs along the page."""


@dataclass(frozen=True, slots=True)
class Run:
    """Text drawn in one go: its text, from where to where, on which baseline and in which size, in points.

    ``y`` grows upwards. ``bold`` tells what its font's name says. ``order`` counts the runs of a page as drawn.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    order: int


def runs_of(page: PageObject) -> tuple[str, list[Run] | None]:
    """The text of a page as pypdf orders it, and its runs; ``None`` where their places cannot be told: text that is
    turned, or drawn inside a form, and before pypdf 7, which does not say where a gap is."""
    import pypdf

    if int(pypdf.__version__.partition(".")[0]) < _TELLS_GAPS:
        return page.extract_text(), None
    parted = _part_at_moves(page)
    seen = _Collector()
    text = page.extract_text(
        visitor_text=seen.text, visitor_operand_before=seen.before, visitor_operand_after=seen.after
    )
    return text, seen.runs if parted and seen.level else None


def _part_at_moves(page: PageObject) -> bool:
    """Have pypdf hand out text whenever it moves: a matrix that changes nothing makes it do so."""
    from pypdf.generic import NameObject, NumberObject

    content = page.get_contents()
    if content is None:
        return False
    nothing = [NumberObject(int(number)) for number in _IDENTITY]
    operations: list[tuple[Any, Any]] = []
    for operands, operator in content.operations:
        if operator in _MOVES:
            operations.append((nothing, b"cm"))
        operations.append((operands, operator))
    content.operations = operations
    page[NameObject("/Contents")] = content
    return True


class _Collector:
    """What pypdf calls while it reads a page."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.level = True
        self._rise = 0.0
        self._rises: list[float] = []
        self._forms = 0
        self._moved = True
        self._pen = 0.0
        self._start: tuple[list[float], list[float]] | None = None
        self._widths: dict[int, _Widths] = {}

    def before(self, operator: bytes, operands: Any, cm: Any, tm: Any) -> None:
        if operator in _SHOWS and self._start is None:
            self._start = list(cm), list(tm)
        if operator in _PLACES:
            self._moved = True
        if operator == b"Ts":
            self._rise = float(operands[0]) if operands else 0.0
        elif operator == b"q":
            self._rises.append(self._rise)
        elif operator == b"Q" and self._rises:
            self._rise = self._rises.pop()
        elif operator == b"Do":
            self._forms += 1

    def after(self, operator: bytes, operands: Any, cm: Any, tm: Any) -> None:  # noqa: ARG002
        if operator == b"Do":
            self._forms -= 1

    def text(self, text: str, cm: Any, tm: Any, font: Any, size: Any) -> None:
        shown = text.strip("\n")
        if not shown:
            return
        # Where the first piece was shown; what pypdf hands out with the text may be where the one before ended.
        cm, tm = self._start or (cm, tm)
        self._start = None
        a, b, c, d = _product(tm, cm)
        x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        across, up = math.hypot(a, b), math.hypot(c, d)
        if self._forms or abs(b) > _LEVEL * across or a <= 0 or d <= 0:
            self.level = False
            return
        widths = self._widths.setdefault(id(font), _Widths(font))
        if not self._moved:  # pypdf tells where the line began, not where the text before ended
            x = self._pen
        # A leading space is pypdf's word that there is a gap; the text itself begins behind it.
        width = widths.of(shown.lstrip(" ") if self._moved else shown) * float(size) * across
        self._moved, self._pen = False, x + width
        if not shown.strip():
            return
        self.runs.append(
            Run(shown, x, x + width, y + self._rise * up, abs(float(size)) * up, widths.bold, len(self.runs))
        )


def _product(tm: Any, cm: Any) -> tuple[float, float, float, float]:
    return (
        tm[0] * cm[0] + tm[1] * cm[2],
        tm[0] * cm[1] + tm[1] * cm[3],
        tm[2] * cm[0] + tm[3] * cm[2],
        tm[2] * cm[1] + tm[3] * cm[3],
    )


class _Widths:
    """Widths of the characters of a font, near enough: its own where it tells them by code, else those of Helvetica.

    Args:
        font: its dictionary, or ``None``.
    """

    def __init__(self, font: Any) -> None:
        self._kept = font  # so that no other font gets its id
        name = str(font.get("/BaseFont", "")).lower() if font is not None else ""
        self.bold = "bold" in name or "black" in name
        self._scale = _NARROWER if any(part in name for part in _NARROW_NAMES) else 1.0
        self._fixed = any(part in name for part in _FIXED_NAMES)
        self._own: dict[int, float] = {}
        if font is not None and "/Widths" in font and "/FirstChar" in font:
            first = int(font["/FirstChar"])
            own = [width.get_object() for width in font["/Widths"].get_object()]
            self._own = {first + n: float(width) for n, width in enumerate(own) if width}

    def of(self, text: str) -> float:
        """The width of a text in sizes of the font."""
        return sum(map(self._width, text)) / 1000

    def _width(self, character: str) -> float:
        code = ord(character)
        own = self._own.get(code)
        if own is not None:
            return own
        if self._fixed:
            return _FIXED
        at = code - _FIRST
        return self._scale * (_HELVETICA[at] if 0 <= at < len(_HELVETICA) else _OTHER_WIDTH)
