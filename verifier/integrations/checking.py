"""What all adapters share: check an answer as a framework hands it over, and say whether it may pass and why not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, Self, Unpack

from verifier.config import Settings
from verifier.core.errors import ConfigError, IngestError
from verifier.integrations.retrieved import Retrieved, Search, legible
from verifier.interfaces.library import Options, configured, in_thread, verify, verify_against
from verifier.interfaces.opened import KnowledgeBase, OpenBases
from verifier.types import Decision, Evidence, Report
from verifier.verification.contexts import Context
from verifier.verification.grounded import NotGrounded
from verifier.verification.render.summary import end_line, label, rows
from verifier.verification.retrieve import KnowledgeSource

__all__ = ["Check", "Outcome", "Unchecked", "place", "said", "summary", "why"]

Unchecked = Literal["block", "pass"]
"""What becomes of an answer in which nothing can be checked."""


@dataclass(frozen=True)
class Outcome:
    """Whether an answer may pass, by the decision of its report, and why.

    ``report`` is ``None`` where there was nothing to check it against; such an answer does not pass.
    """

    passed: bool
    why: str
    """For an answer that does not pass, each claim that failed, with evidence and what differs; else the end line."""
    report: Report | None

    @property
    def score(self) -> float:
        """Groundedness, in [0, 1]; 0 where no claim was checked. To be shown, not to decide by."""
        return (self.report.groundedness or 0.0) if self.report is not None else 0.0

    @property
    def decision(self) -> str:
        """``approved``, ``rejected`` or ``nothing_to_check``; ``rejected`` without a report."""
        return (self.report.decision if self.report is not None else Decision.REJECTED).value

    def summary(self) -> dict[str, object]:
        """The outcome as JSON values, small enough for a message or a span: :func:`summary` and whether it passed."""
        if self.report is None:
            return {
                "decision": self.decision,
                "passed": False,
                "groundedness": None,
                "claims": [],
                "rule": self.why,
            }
        return {**summary(self.report), "passed": self.passed}


def summary(report: Report) -> dict[str, object]:
    """A report in few words, as JSON values: the decision and its rule, verdicts and reasons, and no evidence."""
    claims = [
        {"text": one.text, "start": one.start, "end": one.end, "verdict": label(one), "reason": one.reason}
        for one in rows(report)
    ]
    return {
        "decision": report.decision.value,
        "groundedness": report.groundedness,
        "claims": claims,
        "rule": report.rule,
    }


class Check:
    """What answers are checked against and by which rule; every adapter holds one. Safe to share by threads.

    Args:
        kb: a knowledge base, its folder or an open store. Without one, ``search``; without either, the contexts that
            come with each answer.
        search: finds contexts for a claim, as another framework's retriever does.
        nothing_to_check: whether an answer without a single claim, such as a greeting, is blocked, as the report's
            decision has it, or passes.
        options: as for ``verifier.verify``: ``settings``, ``strict``, ``min_groundedness``, ``fail_on`` ...

    Raises:
        ConfigError: both ``kb`` and ``search`` are given, or another word for ``nothing_to_check``.
    """

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        if kb is not None and search is not None:
            raise ConfigError("give a knowledge base or a retriever, not both")
        if nothing_to_check not in ("block", "pass"):
            raise ConfigError(f"nothing_to_check = {nothing_to_check!r}; known: block, pass")
        self._kb, self._search, self._options = kb, search, options
        self._unchecked = nothing_to_check
        self._bases = OpenBases()

    @cached_property
    def settings(self) -> Settings:
        """The configuration: ``settings`` or the file and the environment, with the options in it."""
        return configured(**self._options)

    @property
    def has_source(self) -> bool:
        """Whether answers are checked against a knowledge base or a retriever, and not against their contexts."""
        return self._kb is not None or self._search is not None

    def report(self, answer: str, contexts: Iterable[Context] = (), prompt: str | None = None) -> Report:
        """The whole report of an answer; ``contexts`` count only where there is no source. Blank ones are left out.

        Raises:
            IngestError: there is nothing to check against.
            TypeError, ConfigError, MissingExtra, KnowledgeBaseError: as for ``verifier.verify``.
        """
        source = self._source()
        if source is not None:
            return verify_against(answer, source, prompt, settings=self.settings)
        return verify(answer, legible(contexts), prompt, settings=self.settings)

    def outcome(self, answer: str, contexts: Iterable[Context] = (), prompt: str | None = None) -> Outcome:
        """Whether an answer may pass. One that there is nothing to check against does not.

        Raises:
            TypeError, ConfigError, MissingExtra, KnowledgeBaseError: as for ``verifier.verify``.
        """
        try:
            report = self.report(answer, contexts, prompt)
        except IngestError as error:
            return Outcome(False, str(error), None)
        unchecked = report.decision is Decision.NOTHING_TO_CHECK and self._unchecked == "pass"
        return Outcome(report.approved or unchecked, why(report), report)

    async def aoutcome(
        self, answer: str, contexts: Iterable[Context] = (), prompt: str | None = None
    ) -> Outcome:
        """:meth:`outcome` in a thread; where the await is cancelled, the check ends at its next step."""
        return await in_thread(partial(self.outcome, answer, contexts, prompt))

    def find(self, query: str, top_k: int) -> list[Evidence]:
        """The passages of the knowledge base nearest to a query, best first; none for a blank one.

        Raises:
            ConfigError: there is no knowledge base.
            KnowledgeBaseError, BackendError: it cannot be searched.
        """
        source = self._source()
        if source is None:
            raise ConfigError("a search needs a knowledge base: give kb, its folder or an open store")
        if not query.strip():
            return []
        [found] = source.retrieve([query], top_k=top_k, namespace=self.settings.kb.namespace)
        return found

    def _source(self) -> KnowledgeSource | None:
        if self._search is not None:
            return Retrieved(self._search, self.settings.chunking.max_chars)
        return None if self._kb is None else self._bases.source(self._kb, self.settings)

    def close(self) -> None:
        """Close the knowledge base, if it was opened here."""
        self._bases.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def why(report: Report) -> str:
    """For a report that is not approved, each claim that failed, with evidence and what differs; else its end line."""
    try:
        report.assert_grounded()
    except NotGrounded as error:
        return str(error)
    return end_line(report)


def place(item: Evidence) -> dict[str, str | int | float | bool | None]:
    """Where a passage stands, and its document's own metadata, as flat JSON values for other frameworks' documents."""
    own: dict[str, str | int | float | bool | None] = {
        "source": item.source,
        "doc_id": item.doc_id,
        "start": item.start,
        "end": item.end,
        "score": item.score,
    }
    if item.page is not None:
        own["page"] = item.page
    if item.headings:
        own["headings"] = " > ".join(item.headings)
    return {**item.metadata, **own}


def said(value: object, what: str = "the answer") -> str:
    """An answer that is a text.

    Raises:
        TypeError: it is something else; a structured answer is not passed over unchecked.
    """
    if not isinstance(value, str):
        raise TypeError(
            f"{what} is of type {type(value).__name__}: give text=, a function that makes a text of it"
        )
    return value
