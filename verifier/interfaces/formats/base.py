"""The contract of an output format: it writes a run, the texts with their reports, as one text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from verifier.core.lines import Lines, Place
from verifier.types import Decision, Detail, Document, Report, Status

if TYPE_CHECKING:
    from verifier.interfaces.formats.changes import Changes

__all__ = ["Checked", "Format", "Run", "Unread"]


@dataclass(frozen=True, slots=True)
class Checked:
    """One text that was checked, and what came out.

    ``report``'s offsets lead into ``text``. ``path`` is the file that holds it, relative to the working directory where
    it lies below; ``None`` for stdin and ``--text``. ``as_written`` says that ``text`` is what that file holds, to the
    character; not so for PDF, DOCX, HTML and the rows of tables, whose lines are in no file.
    """

    name: str
    text: str
    report: Report
    path: str | None = None
    as_written: bool = True
    changes: Changes | None = None
    """Since the baseline; ``None`` without one."""
    documents: Mapping[str, Document] = field(default_factory=dict)
    """Those that evidence is from, by id, for formats that show what stands around it; not all may be there."""

    @property
    def passes(self) -> bool:
        """Whether the gate lets this text through; with a baseline, whether nothing has got worse."""
        return self.report.approved if self.changes is None else not self.changes.reasons

    @property
    def incomplete(self) -> bool:
        """Whether something of it could not be checked, or it has nothing to check and had something."""
        failed = any(claim.status is Status.ERROR for claim in self.report.claims)
        before = self.changes.before if self.changes else None
        nothing = Decision.NOTHING_TO_CHECK
        return failed or (self.report.decision is nothing and not (before and before.decision is nothing))

    def span(self, start: int, end: int) -> tuple[Place, Place] | None:
        """Where a stretch of the text begins and ends in its file; ``None`` where that file has no such lines."""
        if self.path is None or not self.as_written:
            return None
        lines = Lines(self.text)
        return lines.place(start), lines.place(end)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that should have been checked and could not be read."""

    name: str
    reason: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """All that one call has checked, in order, and what it could not read.

    ``several`` is false where one text was asked for: its report then stands alone, with nothing around it.
    ``detail`` is that in which formats of data write reports.
    """

    checked: tuple[Checked, ...]
    unread: tuple[Unread, ...] = ()
    several: bool = False
    detail: Detail = Detail.FULL

    @property
    def passes(self) -> bool:
        """Whether every text passes and none is missing."""
        return bool(self.checked) and not self.unread and all(text.passes for text in self.checked)

    @property
    def incomplete(self) -> bool:
        """Whether a text, or something of one, could not be checked."""
        return bool(self.unread) or not self.checked or any(text.incomplete for text in self.checked)


class Format(ABC):
    """Writes a run. A subclass is made without arguments and keeps this contract, which
    :class:`verifier.interfaces.formats.testing.FormatContract` executes:

    - Equal runs give equal text: no time, no name of a machine, no random number.
    - It ends with a line feed. Lone surrogates of a text may stay: whoever writes it as UTF-8 spells them out.
    - Every claim that fails is there, with the name of its text; so is every text that was not read, with the reason.
      Nothing that failed looks as if it had passed.
    - Texts are foreign: whatever could steer a terminal, or the program that reads the format, is spelt out.
    - It prints nothing and opens no file. A run without texts is written, too.

    Register it under the entry-point group ``verifier.formats``; ``verify --format NAME`` then finds it.
    """

    suffix: ClassVar[str]
    """What the names of its files end with: ``.xml``."""

    @abstractmethod
    def render(self, run: Run) -> str:
        """The whole run as text."""
