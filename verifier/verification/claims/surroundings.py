"""What stands before a sentence goes in, as it is read; the words that complete an elliptical one come out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.core.text import COLONS
from verifier.verification.claims.answers import answered, is_figure
from verifier.verification.claims.fragments import Fragment
from verifier.verification.claims.lists import is_fragment
from verifier.verification.claims.sections import Lean, Sections
from verifier.verification.claims.worth import closes, is_signature

__all__ = ["LONGEST_CONTEXT", "Surroundings"]

LONGEST_CONTEXT = 300
"""Code points of an introduction or question that are put in front of a claim; models read little more."""
_LONGEST_ELLIPSIS = 60
"""Code points; a longer answer without a verb that is known here has one that is not."""
_YES_NO = re.compile(r"(?:yes|no|correct|right|true|false|exactly)\b", re.IGNORECASE)

_SUMS_UP = re.compile(
    r"(?:together|altogether|in\s(?:total|all)|so),?\s(?:that|this|it|they|these)\b"
    r"|(?:that|this|it)(?:['’]s|\s(?:is|makes|comes\sto|adds\sup\sto|would\sbe))\s[^.;]{1,40}\b(?:together|altogether|in\s(?:total|all))\b"
    r"|(?:that|this|it)\s(?:makes|comes\sto|adds\sup\sto)\s(?:a\stotal\sof\s)?\W?\d",
    re.IGNORECASE,
)
"""``Together that is 107 pounds``: of what, the sentence before tells."""


@dataclass
class Surroundings:
    """The question, title and sentence that bare words may belong to, so that they assert something after all."""

    question: str = ""
    """The question that the next sentence may answer."""
    title: str = ""
    """The heading, or the line that ends with a colon, which the next sentences stand under."""
    named: str = ""
    """Bare words right before."""
    said: str = ""
    """The last full claim of the same block."""
    told: str = ""
    """All claims of the last full sentence of the same block."""
    signing: bool = False
    """Whether the last sentence was a sign-off or a part of one."""
    sections: Sections = field(default_factory=Sections)
    """The titles that statements stand under, without those that tell nothing."""

    def enter_block(self) -> None:
        """A new block begins: its first sentence does not go on from another one."""
        self.said = self.told = ""

    def enter_section(self, title: str) -> None:
        """A heading was read."""
        self.title = title.rstrip(":： ")[-LONGEST_CONTEXT:]
        self.named = ""

    def signs(self, text: str) -> bool:
        """Whether a sentence is the name of who signs, right behind ``Kind regards,``."""
        return self.signing and is_signature(text)

    def skip(self, text: str, reason: str) -> None:
        """A sentence was skipped; a greeting or refusal leaves the question open."""
        self.signing = reason == "greeting" and (self.signing or closes(text))
        if reason == "question":
            self.question = text
        elif reason == "fragment" and text.rstrip(" *_").endswith(COLONS):
            self.enter_section(text)
        elif reason == "fragment":
            self.named = text.strip(" .!…")[:LONGEST_CONTEXT]

    def claim(self, text: str, hypotheses: Sequence[str], fragment: Fragment | None) -> None:
        """The claims of a sentence were added; bare words leave the context open for more of them."""
        self.signing = False
        if fragment is None:
            self.said = hypotheses[-1][-LONGEST_CONTEXT:]
            self.told = " ".join(one.rstrip(".") + "." for one in hypotheses)[-LONGEST_CONTEXT:]
            self.named = ""
            if not self._answers(text):
                self.question = ""

    def context(self, text: str, fragment: Fragment | None) -> str:
        """What to put in front of a sentence that leaves it out; ``""`` where nothing is left out or known."""
        if self.question and self._answers(text):
            return " ".join(self.question.split())[-LONGEST_CONTEXT:] + " "
        if fragment is None:
            return f"{self.told} " if self.told and _SUMS_UP.match(text) else ""
        if self.said:
            return self.said + " "
        if scope := self.sections.scope(text, Lean.LABEL):
            return scope
        title = self.title or (self.named if fragment is Fragment.TELLING else "")
        return f"{title}: " if title else ""

    def stated(self, text: str) -> str | None:
        """What a bare yes or no says of the question, as a sentence; ``None`` where it is no such answer."""
        return answered(" ".join(self.question.split()), text) if self.question else None

    @staticmethod
    def _answers(text: str) -> bool:
        """Whether a sentence is an elliptical answer (``Yes, 30 days.``, ``18 is the maximum.``)."""
        short = len(text) <= _LONGEST_ELLIPSIS
        return short and bool(is_fragment(text) or _YES_NO.match(text) or is_figure(text))
