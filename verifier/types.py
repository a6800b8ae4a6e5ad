"""The words of the main line as frozen types: Document, Passage, Claim, Evidence, ClaimVerdict, Report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from verifier_signals.types import Finding, Relation, SignalScore

from verifier.core.lines import line_ends, paragraph_ends
from verifier.core.text import plain
from verifier.readers import Call

__all__ = [
    "Aligned",
    "Basis",
    "Call",
    "Claim",
    "ClaimVerdict",
    "Contribution",
    "Decision",
    "Detail",
    "Document",
    "Edit",
    "Evidence",
    "Finding",
    "HiddenText",
    "Ledger",
    "Origin",
    "Page",
    "Passage",
    "Quote",
    "ReaderSaid",
    "ReaderUse",
    "Report",
    "SignalScore",
    "SkippedSpan",
    "Span",
    "Status",
    "Substitution",
    "UnknownSource",
    "ValuePair",
    "Verdict",
]

_WORD = re.compile(r"\w+")

Span = tuple[int, int]
"""Half-open offsets in code points: ``text[start:end]``."""


class Verdict(StrEnum):
    """What the knowledge base says of one claim (DESIGN, verdicts)."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    FABRICATED = "fabricated"
    UNVERIFIABLE = "unverifiable"


class Status(StrEnum):
    """Whether a piece of the response was checked."""

    CHECKED = "checked"
    SKIPPED = "skipped"
    ABSTAINED = "abstained"
    """It says that the sources do not tell something: neither right nor wrong of the world."""
    ERROR = "error"


class Decision(StrEnum):
    """What the gate says of the whole response."""

    APPROVED = "approved"
    REJECTED = "rejected"
    NOTHING_TO_CHECK = "nothing_to_check"


class Detail(StrEnum):
    """How much of a report is told; a brief one leaves out what each signal found and weighed."""

    BRIEF = "brief"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a paginated document: its number as printed by a reader (from 1) and its span in the text."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A source file, read to plain text. All offsets elsewhere point into ``text``.

    ``source`` is the name shown to people (a path relative to what was ingested, or a row of it,
    ``prices.csv#7``); ``uri`` is what identifies the source on this machine (an absolute path, plus the row).
    ``media_type`` says how ``text`` is to be chunked: ``text/plain``, ``text/markdown`` ...
    """

    source: str
    uri: str
    text: str
    media_type: str = "text/plain"
    title: str = ""
    pages: tuple[Page, ...] = ()
    metadata: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """The stored unit: a piece of a document. ``document.text[start:end] == text``.

    ``headings`` is the path of headings above it, outermost first. ``context`` is text that the passage needs
    to be understood and that stands elsewhere in the document (a table's header row, a list's stem); it is
    indexed with the passage and never quoted as evidence.
    """

    text: str
    start: int
    end: int
    page: int | None = None
    headings: tuple[str, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Substitution:
    """A piece of a claim's text read as something else: a pronoun as its referent, or context put in front.

    ``start``/``end`` are offsets into the claim's ``text`` (equal for an insertion).
    """

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement: ``response[start:end] == text``, quoted as it stands.

    ``hypothesis`` is the claim as retrieval and signals read it: ``text`` with its ``substitutions`` made.
    """

    text: str
    start: int
    end: int
    substitutions: tuple[Substitution, ...] = ()
    unresolved: str = ""
    """The pronoun that it is about and that nothing before it explains; such a claim is never supported, unless the
    evidence has it at the same place: behind the same sentence, or as the only thing that is spoken of."""
    context: tuple[str, ...] = ()
    """The sentence of the response that it is, or is a part of, behind those that its opening pronoun points back to;
    empty where these are not plain."""
    asked: frozenset[str] = frozenset()
    """Words of ``hypothesis``, casefolded, that only the prompt says; no trace of them makes nothing fabricated."""
    splits: tuple[str, ...] = ()
    """The ids of the checks that made several claims of its sentence; none where it is the whole sentence."""

    @property
    def hypothesis(self) -> str:
        """The claim made self-contained.

        >>> Claim("It costs 5 EUR.", 0, 15, (Substitution(0, 2, "The pass"),)).hypothesis
        'The pass costs 5 EUR.'
        """
        out, at = [], 0
        for sub in self.substitutions:
            out += [self.text[at : sub.start], sub.replacement]
            at = sub.end
        return "".join([*out, self.text[at:]])

    def is_asked(self, value: str) -> bool:
        """Whether a value of ``hypothesis`` is said by the prompt alone.

        >>> Claim("5 days.", 0, 7, asked=frozenset({"zephyr", "pay"})).is_asked("Zephyr")
        True
        """
        return bool(self.asked) and self.asked.issuperset(_WORD.findall(value.casefold()))

    def to_text_span(self, span: Span) -> Span | None:
        """Carry a span of ``hypothesis`` back into ``text``; ``None`` where it touches a replacement.

        A replacement that only sets the text otherwise (a plain space for a no-break one) is none: the span then
        covers what it stands for.

        >>> made = (Substitution(0, 2, "The pass"), Substitution(10, 11, " "))
        >>> claim = Claim("It costs 5\\u00a0EUR.", 0, 15, made)
        >>> claim.to_text_span((15, 20)), claim.to_text_span((0, 8))
        ((9, 14), None)
        """
        if span[0] >= span[1]:
            return None
        origins: list[Span | None] = []
        at = 0
        for sub in self.substitutions:
            origins += [(index, index + 1) for index in range(at, sub.start)]
            written = plain(self.text[sub.start : sub.end]).text
            same = written.split() == sub.replacement.split() and bool(written)
            origins += [(sub.start, sub.end) if same else None] * len(sub.replacement)
            at = sub.end
        origins += [(index, index + 1) for index in range(at, len(self.text))]
        covered = origins[slice(*span)]
        known = [origin for origin in covered if origin is not None]
        return (known[0][0], known[-1][1]) if known and len(known) == len(covered) else None


@dataclass(frozen=True, slots=True)
class SkippedSpan:
    """A piece of the response that is no claim, and why: ``heading``, ``question``, ``greeting``, ``opinion`` ...

    One with the reason ``abstention`` says that something is not told; ``topic`` is what, empty where nothing names it.
    """

    text: str
    start: int
    end: int
    reason: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class HiddenText:
    """A sentence of the response that whoever reads the rendered answer does not see: ``response[start:end]``."""

    text: str
    start: int
    end: int
    where: str
    """``a comment``, ``the attribute title`` ..."""


@dataclass(frozen=True, slots=True)
class UnknownSource:
    """A source that the response cites and that is not there: ``response[start:end] == text``."""

    text: str
    start: int
    end: int
    why: str
    """``no document is called that``, ``the list of sources does not have it``."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of a document retrieved for a claim: ``document.text[start:end] == text``.

    ``score`` is the backend's ranking value (higher is better, its unit the backend's). ``retrieved_by`` is
    ``vector``, ``keyword`` (the fallback), ``source`` (a text given on the spot) or ``table`` (a row of the file of
    one that was found).
    """

    doc_id: str
    source: str
    text: str
    start: int
    end: int
    score: float
    page: int | None = None
    headings: tuple[str, ...] = ()
    context: str = ""
    retrieved_by: str = "vector"
    metadata: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    line: int | None = None
    """In which it begins, from 1; ``None`` where ``document.text`` is not what the file holds."""
    paragraph: int | None = None
    """In which it begins, counted from the heading above, which is 0; ``None`` where a place is told otherwise."""

    def line_at(self, at: int) -> int | None:
        """The line in which an offset into the document stands, one within this evidence."""
        return None if self.line is None else self.line + line_ends(self.text[: at - self.start])

    def paragraph_at(self, at: int) -> int | None:
        """The paragraph in which an offset into the document stands, one within this evidence."""
        return None if self.paragraph is None else self.paragraph + paragraph_ends(self.text, at - self.start)

    @property
    def section(self) -> str | None:
        """The heading from which its paragraph is counted."""
        return self.headings[-1] if self.headings and self.paragraph is not None else None

    def narrowed(self, start: int, end: int) -> Evidence:
        """The part of it between two offsets into the document."""
        text = self.text[start - self.start : end - self.start]
        line, paragraph = self.line_at(start), self.paragraph_at(start)
        return replace(self, text=text, start=start, end=end, line=line, paragraph=paragraph)

    @property
    def quotation(self) -> Quote:
        """Its text with its place."""
        place = (self.page, self.line, self.paragraph, self.section)
        return Quote(self.text, self.start, self.end, self.doc_id, self.source, *place)


@dataclass(frozen=True, slots=True)
class Quote:
    """A value as it is written, and where: ``source_text[start:end] == text``.

    Without ``doc_id`` the offsets are into the response, else into that document. ``start`` and ``end`` are ``None``
    where the value is read into the text from elsewhere: a pronoun's referent, a column's name.
    """

    text: str
    start: int | None = None
    end: int | None = None
    doc_id: str | None = None
    source: str | None = None
    page: int | None = None
    line: int | None = None
    """In which it begins, from 1, where that is known."""
    paragraph: int | None = None
    """In which it begins, counted from the heading ``section``, which is 0; of formats that are cited so."""
    section: str | None = None


@dataclass(frozen=True, slots=True)
class ValuePair:
    """What the claim says, and what the evidence says of it; ``evidence`` is ``None`` where it says nothing."""

    signal: str
    kind: str
    relation: Relation
    claim: Quote
    evidence: Quote | None
    note: str = ""
    check: str = ""
    """The id of the check that found it; empty where no check did."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A stretch of the response and the stretch of a document that traceability found it in, both half-open."""

    start: int
    end: int
    doc_id: str
    evidence_start: int
    evidence_end: int


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one feature adds to the logit of each verdict: its weight times its value, divided by the temperature.

    The fusion's bias is one of them, of the signal ``""`` and with the value 1. A verdict's logit is their sum.
    """

    feature: str
    signal: str
    value: float
    logits: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a claim after which its evidence no longer contradicts it, found by judging it by that again.

    ``response[start:end] == before``; with ``after`` in its place the claim reads ``text``, and its verdict is
    ``verdict``: ``supported``, or ``unverifiable`` where only the conflict is gone.
    """

    before: str
    after: str
    start: int
    end: int
    text: str
    verdict: Verdict

    @property
    def label(self) -> str:
        """The change in few words.

        >>> Edit("60 days", "30 days", 7, 14, "Within 30 days.", Verdict.SUPPORTED).label
        '60 days -> 30 days'
        >>> Edit("always ", "", 8, 15, "Fees are refunded.", Verdict.UNVERIFIABLE).label
        'drop "always" (then unverifiable)'
        """
        before, after = self.before.strip(" ,"), self.after.strip(" ,")
        change = f'drop "{before}"' if before else f'add "{after}"'
        if before and after:
            change = f"{before} -> {after}"
        return change if self.verdict is Verdict.SUPPORTED else f"{change} (then {self.verdict.value})"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Why a claim has its verdict: the rule that fired, the values that decided, and what each feature weighed.

    ``probabilities`` are the fusion's, by verdict, before its rules move any of them. ``fix`` is the smallest edit that
    would make a contradicted claim pass, by what was read of its evidence; ``fix_sought`` tells "none was found" from
    "none was looked for".
    """

    rule: str
    pair: ValuePair | None
    probabilities: Mapping[str, float]
    contributions: tuple[Contribution, ...]
    aligned: tuple[Aligned, ...] = ()
    fix: Edit | None = None
    fix_sought: bool = False


@dataclass(frozen=True, slots=True)
class ReaderSaid:
    """What a reader said of a claim, and what of it was found.

    ``state`` is ``settled``, ``abstained`` or ``failed``, ``answer`` (``supported``, ``contradicted``, ``not_found``)
    stands where it is ``settled``. ``quotations`` are the ones that stand in a document, ``lost`` the others.
    ``left_out`` counts the passages that were found for the claim and not put before the reader. ``objection`` is what
    was held against its first answer, where it was asked twice. ``calls`` are the requests that led to it.
    """

    state: str
    answer: str | None
    note: str
    probabilities: Mapping[str, float] | None = None
    quotations: tuple[Quote, ...] = ()
    lost: tuple[str, ...] = ()
    left_out: int = 0
    objection: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class ReaderUse:
    """What a reader took for one response: it was asked about ``read`` of its ``claims``, in so many ``calls``.

    The counts are of all requests that brought a reply, of use or not, also where a cache had kept the answer. Tokens
    are the server's counts, ``None`` where it gives none for some; ``cost`` is ``None`` where no prices are known.
    """

    identity: str
    claims: int
    read: int
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class Basis:
    """What of the knowledge base a verdict rests on, to tell later whether that has changed.

    ``retrieved`` names the passages that were found for the claim, in order, each as ``<digest> <source>:<start>``;
    ``tables`` is a digest of the files of rows that were read whole for it, empty without any. ``words`` has in how
    many of ``passages`` each word stands that was looked up for it.
    """

    retrieved: tuple[str, ...]
    words: Mapping[str, int]
    passages: int
    tables: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """What was checked, under what and against what: enough to check it again.

    ``configuration`` is a digest of models, weights, options and release; ``knowledge`` one of all that the knowledge
    base says and of the files that it could not read, empty for texts given on the spot. ``unread`` counts those files.
    """

    response: str
    prompt: str | None
    configuration: str
    knowledge: str = ""
    unread: int = 0


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """The answer for one claim, or the reason why it has none.

    ``verdict`` is ``None`` unless ``status`` is ``checked``. ``support`` is in [0, 1]. ``confidence`` is the
    calibrated probability that ``verdict`` is right. ``decided_by`` names the signal that decided.
    """

    text: str
    start: int
    end: int
    status: Status
    verdict: Verdict | None
    reason: str
    confidence: float | None = None
    support: float | None = None
    conflict: bool = False
    decided_by: str | None = None
    hypothesis: str = ""
    signals: Mapping[str, SignalScore] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    ledger: Ledger | None = None
    """``None`` for what was not weighed: skipped spans, errors, languages that cannot be read."""
    reader: ReaderSaid | None = None
    """``None`` where no reader was asked about the claim."""
    line: int | None = None
    """Of the response, in which it begins, from 1; ``None`` before it stands in a report."""
    basis: Basis | None = None
    """``None`` for what was not looked up, and in reports of earlier versions."""
    checks: tuple[str, ...] = ()
    """The ids of the checks of claim extraction that applied: the skip, or the splits of the claim's sentence."""


@dataclass(frozen=True, slots=True)
class Report:
    """The answer for one response. ``claims`` holds every claim and every skipped span, in text order."""

    decision: Decision
    groundedness: float | None
    """Share of checked claims that are supported; ``None`` when none was checked."""
    coverage: float
    """Share of the response's non-space characters that belong to a claim or a skipped span; 1 or a defect."""
    claims: tuple[ClaimVerdict, ...]
    rule: str
    """The rule of the gate that gave ``decision``, in plain words."""
    notes: tuple[str, ...] = ()
    """What a reader must know about how the check was made: no NLI model, fallback retrieval used ..."""
    kb: Mapping[str, object] = field(default_factory=dict)
    config: Mapping[str, object] = field(default_factory=dict)
    reader: ReaderUse | None = None
    """``None`` where no reader beside the signals is configured."""
    hidden: tuple[HiddenText, ...] = ()
    """Sentences that whoever reads the rendered answer does not see."""
    unknown_sources: tuple[UnknownSource, ...] = ()
    """Sources that the response cites and that are not there."""
    detail: Detail = Detail.FULL
    origin: Origin | None = None
    """``None`` in reports of earlier versions."""

    @property
    def approved(self) -> bool:
        """Whether the gate lets the response through."""
        return self.decision is Decision.APPROVED

    def to_df(self) -> Any:
        """A pandas ``DataFrame`` with a row for each claim: its verdict, the values that differ, the nearest evidence.

        Raises:
            MissingExtra: pandas is not installed.
        """
        from verifier.verification.claim_rows import claim_table

        return claim_table(self).to_df()

    def assert_grounded(self, *, strict: bool | None = None, min_groundedness: float | None = None) -> Report:
        """This report, if it is approved.

        Args:
            strict: whether every checked claim must be supported; by default as the report's rule has it.
            min_groundedness: least share of supported claims, in [0, 1]; by default that of the report's rule.

        Raises:
            NotGrounded: an ``AssertionError`` that shows each claim that failed, with evidence and what differs.
            ConfigError: ``min_groundedness`` is not in [0, 1].
        """
        __tracebackhide__ = True
        from verifier.verification.grounded import assert_grounded

        return assert_grounded(self, strict=strict, min_groundedness=min_groundedness)
