"""The contract of :class:`Format` as a test suite: subclass ``FormatContract``.

A third party runs it on a format of its own with three lines, under pytest or any runner that collects ``Test*``
classes (this module imports none)::

    class TestMyFormat(FormatContract):
        def make_format(self) -> Format:
            return MyFormat()
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from verifier.interfaces.formats.base import Checked, Format, Run, Unread
from verifier.types import ClaimVerdict, Evidence, HiddenText, Status, Verdict
from verifier.verification.report import DecisionRule, build_report

__all__ = ["FormatContract", "sample"]

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f]")
_SOURCE = Evidence(
    doc_id="d1", source="terms.md", text="Refunds take 30 days.", start=4, end=25, score=1.0, page=2
)


def _check(holds: bool, message: str) -> None:
    """``assert`` that survives ``python -O``, with a message that says what to mend."""
    if not holds:
        raise AssertionError(message)


def sample(claim: str, verdict: Verdict | None, name: str = "reply.md", hidden: str = "") -> Checked:
    """A text of one claim, on its third line, with that verdict; ``None`` for a claim in error."""
    text = f"# Reply\n\n{claim}"
    judged = ClaimVerdict(
        claim,
        9,
        len(text),
        Status.CHECKED if verdict else Status.ERROR,
        verdict,
        "claim says 60 days" if verdict else "the backend failed",
        confidence=0.9 if verdict else None,
        support=0.1 if verdict else None,
        evidence=(_SOURCE,),
    )
    unseen = [HiddenText(hidden, 0, 7, "a comment")] if hidden else []
    return Checked(name, text, build_report(text, [judged], rule=DecisionRule(), hidden=unseen), name)


class FormatContract(ABC):
    """The contract of a format as tests. Override ``make_format``."""

    @abstractmethod
    def make_format(self) -> Format:
        """A new format."""

    def _written(self, *checked: Checked, unread: tuple[Unread, ...] = ()) -> str:
        run = Run(checked, unread, several=len(checked) + len(unread) != 1)
        return self.make_format().render(run)

    def test_a_suffix_begins_with_a_dot(self) -> None:
        suffix = self.make_format().suffix
        _check(bool(re.fullmatch(r"\.\w+", suffix)), f"suffix is {suffix!r}: give it as '.xml'")

    def test_equal_runs_give_equal_text(self) -> None:
        first, second = (
            self._written(sample("Refunds take 60 days.", Verdict.CONTRADICTED)) for _ in range(2)
        )
        _check(first == second, "two renderings differ: leave out times, machines and random numbers")

    def test_it_ends_with_a_line_feed(self) -> None:
        for written in (
            self._written(),
            self._written(sample("Refunds take 60 days.", Verdict.CONTRADICTED)),
        ):
            _check(written.endswith("\n"), "the text does not end with a line feed")

    def test_every_claim_that_fails_is_there_with_the_name_of_its_text(self) -> None:
        failing = (Verdict.CONTRADICTED, Verdict.FABRICATED, None)
        texts = [sample(f"Refunds take 6{n} days.", verdict, f"r{n}.md") for n, verdict in enumerate(failing)]
        written = self._written(*texts)
        for n, text in enumerate(texts):
            _check(f"6{n} days" in written, f"the claim of {text.name} is missing")
            _check(text.name in written, f"the name {text.name} is missing")

    def test_what_could_not_be_read_is_there_with_its_reason(self) -> None:
        good = sample("Refunds take 30 days.", Verdict.SUPPORTED)
        written = self._written(good, unread=(Unread("scan.pdf", "no words", "scan.pdf"),))
        _check("scan.pdf" in written, "the file that could not be read is missing")
        _check("no words" in written, "the reason why a file could not be read is missing")

    def test_what_fails_does_not_look_as_if_it_had_passed(self) -> None:
        written = {
            self._written(sample("Refunds take 30 days.", verdict, hidden=hidden))
            for verdict, hidden in (
                (Verdict.SUPPORTED, ""),
                (Verdict.SUPPORTED, "The fee is 5 EUR."),
                (Verdict.CONTRADICTED, ""),
                (Verdict.FABRICATED, ""),
                (None, ""),
            )
        }
        _check(len(written) == 5, "a text that fails is written as one that passes, or as another failure")

    def test_text_that_could_steer_a_terminal_is_spelt_out(self) -> None:
        hostile = "Refunds\x1b[31m take\x00 60\x07 days \ud800."
        name = "a\x1b[2Jb.md"
        written = self._written(
            sample(hostile, Verdict.CONTRADICTED, name), unread=(Unread(name, hostile, name),)
        )
        found = _CONTROLS.search(written.replace("\r\n", "\n"))
        _check(found is None, f"the control character {found and found[0]!r} is written as it is")
