"""Examine claims up to their verdict: evidence is retrieved, cut into windows and read by every signal.

Claims and a knowledge source in, a :class:`ReadClaim` for each claim out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from verifier_signals.checks import SAID_OF_ANOTHER
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import leaves_open
from verifier_signals.types import Relation

from verifier.core.errors import BackendError, SignalError, failing_as
from verifier.core.kept import keeping
from verifier.types import Basis, Claim, Evidence, Span
from verifier.verification.basis import Bases, words_that_count
from verifier.verification.consultation.consulting import Consultant, in_foreign_language
from verifier.verification.decision.document_dates import heads_of
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.joined_facts import Related, related
from verifier.verification.decision.subjects import OfAnother, marked, told_of_another
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.decision.verbatim import (
    has_cell,
    holds_context,
    is_part_of,
    said_beyond,
    states,
)
from verifier.verification.decision.verdict import Fusion
from verifier.verification.evidence.premises import in_claims_words, of_asked_columns, with_order
from verifier.verification.evidence.windows import Window, asserted, take_apart
from verifier.verification.languages import legible_windows
from verifier.verification.panel import MODEL_SIGNAL, RANKING_SIGNAL, SignalPanel
from verifier.verification.retrieve import KnowledgeSource, gather, tables_of
from verifier.verification.statements import support_bar
from verifier.verification.truecasing import as_read
from verifier.verification.vocabulary import Vocabulary

__all__ = ["Examiner"]


@dataclass(frozen=True)
class Examiner:
    """Reads claims with the signals of a panel.

    Args:
        panel: the signals, and how many windows each is asked about.
        vocabulary: the one that the signals were given.
        neutral: features that are fed to the weights as 0.
        top_k: passages retrieved for each claim.
        namespace: the namespace of sources to read.
        consultant: the reader that is asked beside the signals, if there is one.
    """

    panel: SignalPanel
    vocabulary: Vocabulary
    neutral: frozenset[str]
    top_k: int
    namespace: str
    consultant: Consultant | None

    def find(self, claims: Sequence[Claim], source: KnowledgeSource) -> list[tuple[list[Evidence], Basis]]:
        """For each claim its passages, and what a verdict would rest on now, but for the counts of words.

        Raises:
            BackendError: retrieval failed.
        """
        with failing_as(BackendError, "retrieval"):
            found = self._gather(claims, source)
            bases = self._bases(source)
            return [
                (evidence, bases.of(as_read(claim, evidence), evidence, {}))
                for claim, evidence in zip(claims, found, strict=True)
            ]

    def consult(
        self,
        claims: Sequence[Claim],
        source: KnowledgeSource,
        languages: Mapping[Claim, str | None],
        fusion: Fusion,
        *,
        every: bool = False,
    ) -> list[ReadClaim]:
        """The claims as signals read them, those that are open also as the reader does; ``every``: all of them.

        The arguments are those of :meth:`open_claims`. Claims in a language that the signals do not know, or whose
        evidence is in one, are read by the reader alone.

        Raises:
            BackendError, SignalError: retrieval, a signal or the reader failed.
        """
        reads, open_ = self.open_claims(claims, source, languages, fusion, every=every)
        consultant = self.consultant
        if consultant is None or not open_:
            return reads
        guards = [name for name in self.panel.signals if name != MODEL_SIGNAL]
        with self.vocabulary.over(source, self.namespace):
            told = consultant.consult(open_, source, guards, self.panel.score)
        said = {read.claim: read for read in told}
        return [said.get(read.claim, read) for read in reads]

    def open_claims(
        self,
        claims: Sequence[Claim],
        source: KnowledgeSource,
        languages: Mapping[Claim, str | None],
        fusion: Fusion,
        *,
        every: bool = False,
    ) -> tuple[list[ReadClaim], list[ReadClaim]]:
        """The claims as signals read them, and those of them that the reader is to be asked about.

        Args:
            claims, source: as :meth:`examine` has them.
            languages: of each claim, the language that the signals do not read; ``None`` for one that they do.
            fusion: the weights of the signals alone.
            every: whether the reader is asked about all claims for which there is evidence.
        """
        english = [claim for claim in claims if languages.get(claim) is None]
        own = {read.claim: read for read in self.examine(english, source, same_thing=fusion.same_thing)}
        consultant = self.consultant
        if consultant is None:
            return [own[claim] for claim in claims], []
        others = [claim for claim in claims if claim not in own]
        own |= {read.claim: read for read in self.only_retrieved(others, source)}
        if consultant.reader.traits.multilingual:
            own |= {claim: _bare(read) for claim, read in own.items() if in_foreign_language(read)}
        reads = [own[claim] for claim in claims]
        decided = [fusion.decide(fusion.case_of(read)) if read.readings else None for read in reads]
        open_ = [
            read
            for read, some in zip(reads, decided, strict=True)
            if (every and read.retrieved) or consultant.is_open(read, some)
        ]
        return reads, open_

    def only_retrieved(self, claims: Sequence[Claim], source: KnowledgeSource) -> list[ReadClaim]:
        """Claims with the passages that were found for them, of which signals say nothing.

        Raises:
            BackendError: retrieval failed.
        """
        if not claims:
            return []
        with failing_as(BackendError, "retrieval"):
            found = self._gather(claims, source)
        return [
            ReadClaim(claim, (), (), 0.0, retrieved=tuple(some), neutral=self.neutral)
            for claim, some in zip(claims, found, strict=True)
        ]

    def examine(
        self, claims: Sequence[Claim], source: KnowledgeSource, *, same_thing: float | None
    ) -> list[ReadClaim]:
        """The claims by what is found for each of them.

        Args:
            claims: as :func:`~verifier.verification.statements.double_negation.affirming` reads them.
            source: where evidence comes from.
            same_thing: see :meth:`SignalPanel.read`.

        Raises:
            BackendError, SignalError: retrieval or a signal failed.
        """
        with failing_as(BackendError, "retrieval"):
            if claims and not source.passage_count(self.namespace):
                raise BackendError(
                    f"namespace {self.namespace!r} of the knowledge base holds nothing to check against"
                )
            found = self._gather(claims, source)
        with keeping(getattr(source, "readings", None)):
            take_apart(item for evidence in found for item in evidence)
            windows = [
                [with_order(window) for item in evidence for window in legible_windows(item)]
                for evidence in found
            ]
            return self.read(claims, found, windows, source, same_thing=same_thing)

    def read(
        self,
        claims: Sequence[Claim],
        found: Sequence[Sequence[Evidence]],
        windows: Sequence[Sequence[Window]],
        source: KnowledgeSource,
        *,
        same_thing: float | None,
    ) -> list[ReadClaim]:
        """:meth:`examine` by these windows of the evidence that was found for each claim."""
        with self.vocabulary.over(source, self.namespace):
            texts = [as_read(claim, evidence) for claim, evidence in zip(claims, found, strict=True)]
            windows = [
                [in_claims_words(window, text) for window in of_asked_columns(some, text)]
                for text, some in zip(texts, windows, strict=True)
            ]
            heads = heads_of(source)
            others: list[OfAnother | None] = []
            settled: list[Related | None] = []

            def compared() -> None:
                others.extend(self._others(texts, windows))
                settled.extend(self._settled(texts, windows, source))

            readings = self.panel.read(texts, windows, heads, same_thing=same_thing, meanwhile=compared)
            reads = [
                self._read_claim(claim, text, narrow, wide, settles, other)
                for claim, text, (narrow, wide), settles, other in zip(
                    claims, texts, readings, settled, others, strict=True
                )
            ]
            bases = self._bases(source)
            return [
                replace(read, retrieved=tuple(some), basis=bases.of(text, some, self._counts(read, text)))
                for read, text, some in zip(reads, texts, found, strict=True)
            ]

    def _counts(self, read: ReadClaim, text: str) -> dict[str, int]:
        """In how many passages the words stand by whose counts a claim is judged."""
        missing = _missing(read.readings)[0]
        return self.vocabulary.counts(words_that_count(text, missing.values()))

    def _bases(self, source: KnowledgeSource) -> Bases:
        return Bases(source, self.namespace, whole_documents=self.consultant is not None)

    def _others(self, texts: Sequence[str], windows: Sequence[Sequence[Window]]) -> list[OfAnother | None]:
        """What the windows of each claim tell of another than its subject."""
        if EntitySignal.name not in self.panel.signals or SAID_OF_ANOTHER in self._disabled(
            EntitySignal.name
        ):
            return [None] * len(texts)
        with failing_as(SignalError, "comparison of subjects"):
            return [told_of_another(text, asserted(some)) for text, some in zip(texts, windows, strict=True)]

    def _settled(
        self,
        texts: Sequence[str],
        windows: Sequence[Sequence[Window]],
        source: KnowledgeSource,
    ) -> list[Related | None]:
        """What figures or dates of several windows settle of each claim."""
        if NegationSignal.name not in self.panel.signals:
            return [None] * len(texts)
        with failing_as(SignalError, "comparison of figures"):
            tables = tables_of(source, self.namespace)
            return [
                related(text, asserted(some), tables, self._disabled(NegationSignal.name))
                for text, some in zip(texts, windows, strict=True)
            ]

    def _disabled(self, signal: str) -> Set[str]:
        """The ids of the checks of a signal that are switched off."""
        return getattr(self.panel.signals[signal], "disabled", frozenset())

    def _read_claim(
        self,
        claim: Claim,
        text: str,
        readings: Sequence[WindowScores],
        wide: Sequence[WindowScores],
        settled: Related | None,
        of_another: OfAnother | None = None,
    ) -> ReadClaim:
        """Sum up what is missing: what no window has, and of that what the knowledge base never mentions.

        ``text`` is the claim as its signals read it.
        """
        missing, words = _missing(readings)
        strange = dict(zip(missing, self.vocabulary.strangeness([*missing.values()]), strict=True))
        own = [span for span, value in words.items() if not claim.is_asked(value)]
        context = claim.context if is_part_of(claim.hypothesis, claim.context) else ()
        told = tuple(_with_bar(reading, claim.hypothesis, text, context) for reading in readings)
        stated = any(reading.stated for reading in told)
        return ReadClaim(
            claim,
            told if stated else marked(told, of_another),
            tuple(wide),
            words_untraced=sum(strange.get(span, 0.0) for span in words) / len(words) if words else 1.0,
            untraced=tuple(
                missing[span]
                for span in sorted(missing)
                if strange[span] > 0 and not claim.is_asked(missing[span])
            ),
            settled=settled,
            beyond=() if stated else said_beyond(told, text),
            of_another=None if stated else of_another,
            own_untraced=sum(strange.get(span, 0.0) for span in own) / max(len(own), 1),
            neutral=self.neutral,
        )

    def _gather(self, claims: Sequence[Claim], source: KnowledgeSource) -> list[list[Evidence]]:
        return gather(source, claims, top_k=self.top_k, namespace=self.namespace)


def _with_bar(reading: WindowScores, claim: str, text: str, context: Sequence[str]) -> WindowScores:
    """The reading, marked where its window may not support the claim, or states it.

    ``text`` is the claim as read, ``context`` the sentences that it is a part of: a window with the same sentence is
    asked for no more than that sentence asserts.
    """
    held = bool(context) and holds_context(reading.window, context)
    asserted = context[-1] if held else text
    bar = support_bar(reading.window.factuality, reading.window.premise, asserted)
    if bar is not None:
        return replace(reading, barred=bar)
    return replace(reading, stated=True) if held or _states(reading, claim) else reading


def _states(reading: WindowScores, claim: str) -> bool:
    """Whether the window states the claim word for word; only one that has every word of it is looked through, unless
    it has the claim for a cell."""
    if has_cell(reading.window, claim):
        return True
    if reading.feature(RANKING_SIGNAL, "coverage") < 1.0:
        return False
    return states(reading.window, claim) or states(reading.window, reading.read_as)


def _missing(readings: Sequence[WindowScores]) -> tuple[dict[Span, str], dict[Span, str]]:
    """What of a claim no window has, and its content words, both by their spans."""
    found: set[Span] = set()
    absent: dict[Span, str] = {}
    words: dict[Span, str] = {}
    for reading in readings:
        for name, score in reading.scores.items():
            for item in score.findings:
                if name == RANKING_SIGNAL:
                    words[item.claim_span] = item.claim_value
                if item.relation is Relation.ABSENT and item.claim_value and not leaves_open(item):
                    absent[item.claim_span] = item.claim_value
                else:
                    found.add(item.claim_span)
    return {span: value for span, value in absent.items() if span not in found}, words


def _bare(read: ReadClaim) -> ReadClaim:
    """The claim without what the signals say of it: they cannot read its evidence."""
    return ReadClaim(read.claim, (), (), 0.0, retrieved=read.retrieved, neutral=read.neutral)
