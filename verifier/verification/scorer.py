"""``VerifiedScorer``: from a response to its report, stage by stage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import asdict, replace
from functools import cached_property
from itertools import islice

from verifier_signals.base import Signal
from verifier_signals.checks import SAID_OF_ANOTHER
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import leaves_open
from verifier_signals.types import Relation

from verifier.core.errors import (
    BackendError,
    ConfigError,
    MissingExtra,
    SignalError,
    VerifierError,
    failing_as,
)
from verifier.core.kept import keeping
from verifier.core.registry import SIGNALS
from verifier.core.text import unreadable
from verifier.knowledge.records import Progress
from verifier.readers import Foretold, Reader, State
from verifier.types import (
    Basis,
    Claim,
    ClaimVerdict,
    Edit,
    Evidence,
    Origin,
    Report,
    Span,
    Status,
    UnknownSource,
    Verdict,
)
from verifier.verification.abstentions import set_aside
from verifier.verification.basis import (
    Bases,
    Standing,
    configuration_digest,
    knowledge_of,
    stands_nowhere,
    words_that_count,
)
from verifier.verification.cited_sources import unknown_note, unknown_sources
from verifier.verification.claims import ClaimExtractor, extract_answer, extract_claims, hidden_in
from verifier.verification.consultation.consulting import (
    Consultant,
    in_foreign_language,
    notes_of,
    said_by_reader,
)
from verifier.verification.consultation.quotations import sentence_of
from verifier.verification.decision.document_dates import heads_of
from verifier.verification.decision.feature_checks import features_of
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.joined_facts import Related, related
from verifier.verification.decision.subjects import OfAnother, marked, told_of_another
from verifier.verification.decision.summary import ClaimCase, ReadClaim, summarise
from verifier.verification.decision.verbatim import (
    has_cell,
    holds_context,
    is_part_of,
    said_beyond,
    states,
)
from verifier.verification.decision.verdict import LEARN_THEM, Decided, Fusion
from verifier.verification.edits.search import Candidate, Judged, find_fixes
from verifier.verification.evidence.premises import in_claims_words, of_asked_columns, with_order
from verifier.verification.evidence.windows import Window, asserted, take_apart
from verifier.verification.explanation.ledger import ledger_of, placed
from verifier.verification.explanation.reasons import explain
from verifier.verification.languages import left_open, legible_windows
from verifier.verification.panel import MODEL_SIGNAL, RANKING_SIGNAL, SignalPanel
from verifier.verification.progress import Placing, Settled, Watcher
from verifier.verification.report import DecisionRule, build_report
from verifier.verification.retrieve import KnowledgeSource, gather, tables_of, unread_note, unread_of
from verifier.verification.statements import support_bar
from verifier.verification.statements.double_negation import affirming
from verifier.verification.truecasing import as_read
from verifier.verification.unchecked import errored, foreign, unread, unresolved, untraced
from verifier.verification.vocabulary import Vocabulary

__all__ = ["VerifiedScorer"]

BLOCK = 32
"""Claims examined together; an ordinary response is one block, so each signal sees one batch. A longer one takes no
longer in several, and its memory and its progress do not go with its length."""


WATCHED_BLOCK = 4
"""The same where somebody watches: as few as cost little more one block after the other, so that verdicts come soon."""


_Reading = tuple[str, frozenset[str], tuple[str, ...]]


class VerifiedScorer:
    """Checks responses against a knowledge source, claim by claim.

    Args:
        source: where evidence comes from.
        signals: the signals to use, all installed ones by default; ``traceability`` must be among them, since it
            chooses what the others read.
        fusion: weights; by default the shipped ones that were learnt with the NLI model in ``signals``.
        vocabulary: the one that the signals were given, if any, so that they see the right knowledge base.
        top_k: passages retrieved for each claim.
        max_windows: sentence windows, of all its passages together, that the rule signals read for each claim.
        least_reach: of what the best of these covers of the claim, how much another must be able to speak about to be
            read by more than traceability, in [0, 1] (``benchmarks.ablation`` tells what it costs).
        model_windows: how many of these, best first, the NLI model reads at most: it costs a hundred times as much.
            For a verdict it leaves out those that are about something else (:func:`least_alignment`).
        fail_on, min_groundedness, strict, allow_hidden: when a response is approved (:class:`DecisionRule`).
        suggest_fixes: whether to look for the smallest edit that would make a contradicted claim pass, unless a call
            says otherwise. It is judged by windows that were read already, and still costs about as much as the claim.
        disable: ids of the checks of features that are fed to the weights as 0 (``feature.coverage``); a note says so.
        namespace: the namespace of ``source`` to read.
        extractor: what takes a response apart into claims.
        consultant: the reader that is asked about what the signals leave open, and how; ``None`` for none. With one,
            edits are not looked for: each would have to be read as well.
        config: the effective configuration, put into reports.
    """

    def __init__(
        self,
        source: KnowledgeSource,
        signals: Sequence[Signal] | None = None,
        *,
        fusion: Fusion | None = None,
        vocabulary: Vocabulary | None = None,
        top_k: int = 10,
        max_windows: int = 12,
        least_reach: float = 0.8,
        model_windows: int = 3,
        fail_on: Sequence[str] = ("contradicted", "fabricated"),
        min_groundedness: float = 0.5,
        strict: bool = False,
        allow_hidden: bool = False,
        suggest_fixes: bool = False,
        disable: Set[str] = frozenset(),
        namespace: str = "default",
        extractor: ClaimExtractor | None = None,
        consultant: Consultant | None = None,
        config: Mapping[str, object] | None = None,
    ) -> None:
        self._source = source
        self._vocabulary = vocabulary or Vocabulary()
        signals = default_signals(self._vocabulary) if signals is None else signals
        available = {signal.name: signal for signal in signals if getattr(signal, "available", True)}
        self._panel = SignalPanel(available, max_windows, least_reach, model_windows)
        self._neutral = features_of(disable)
        self._notes = (*_notes(signals, available), *_fed_as_nothing(disable))
        self._given_fusion = fusion
        self._top_k = top_k
        self._rule = DecisionRule(tuple(fail_on), min_groundedness, strict, allow_hidden)
        self._suggest_fixes, self._namespace = suggest_fixes, namespace
        self._consultant = consultant
        self._extract = extractor or extract_claims
        self._config = dict(config or {})

    @cached_property
    def fusion(self) -> Fusion:
        """The weights in use.

        Raises:
            ConfigError: the one given was learnt with another NLI model, or none was given and none is shipped for
                this one.
        """
        given = self._given_fusion
        if given is None:
            return Fusion.embedded(self.nli)
        if given.reader:
            raise ConfigError("these weights were learnt with a reader: they belong under [reader] fusion")
        if missing := given.third_parties - set(self.signals):
            raise ConfigError(
                f"the weights ask for signals that are not switched on: {', '.join(sorted(missing))}"
            )
        if given.nli != self.nli:
            raise ConfigError(
                f"the weights were learnt with NLI model {given.nli}, and this is {self.nli}; {LEARN_THEM}"
            )
        return given

    @property
    def signals(self) -> Mapping[str, Signal]:
        """The signals in use, by name."""
        return self._panel.signals

    @property
    def options(self) -> Mapping[str, object]:
        """What verdicts depend on beside the signals and :attr:`fusion`, by name."""
        panel = self._panel
        return {
            "top_k": self._top_k,
            "max_windows": panel.max_windows,
            "least_reach": panel.least_reach,
            "model_windows": panel.model_windows,
            "namespace": self._namespace,
            "extractor": name_of(self._extract),
            "config": self._config,
            **({"reader": self._consultant.identity} if self._consultant else {}),
            **({"disable": sorted(self._neutral)} if self._neutral else {}),
        }

    @property
    def configuration(self) -> str:
        """A digest of all that verdicts depend on beside the knowledge base and what is found there."""
        try:
            weights: object = asdict(replace(self.fusion, learnt_from={}, figures={}))
        except (ConfigError, SignalError) as error:
            weights = str(error)
        return configuration_digest(self.options, list(self.signals), self.nli, weights)

    def find(self, claims: Sequence[Claim], source: KnowledgeSource) -> list[tuple[list[Evidence], Basis]]:
        """For each claim its passages, and what a verdict would rest on now, but for the counts of words.

        Raises:
            BackendError: retrieval failed.
        """
        with failing_as(BackendError, "retrieval"):
            found = gather(source, claims, top_k=self._top_k, namespace=self._namespace)
            bases = self._bases(source)
            return [
                (evidence, bases.of(as_read(claim, evidence), evidence, {}))
                for claim, evidence in zip(claims, found, strict=True)
            ]

    @property
    def nli(self) -> str:
        """Fingerprint of the NLI model in use, ``"none"`` without one."""
        return _nli_fingerprint(self.signals)

    @property
    def reader(self) -> str:
        """Identity of the reader that is asked beside the signals, empty without one."""
        return self._consultant.reader.identity if self._consultant is not None else ""

    def within(self, namespace: str | None) -> VerifiedScorer:
        """This scorer over another namespace of its source, ``None`` for its own; signals and weights are shared."""
        if namespace is None or namespace == self._namespace:
            return self
        other = copy(self)
        other._namespace = namespace
        return other

    def by_signals(self) -> VerifiedScorer:
        """This scorer without its reader; signals and weights are shared."""
        if self._consultant is None:
            return self
        other = copy(self)
        other._consultant = None
        return other

    def extracting(self, extractor: ClaimExtractor) -> VerifiedScorer:
        """This scorer with another way to take responses apart; signals and weights are shared."""
        other = copy(self)
        other._extract = extractor
        return other

    def asking(self, reader: Reader) -> VerifiedScorer:
        """This scorer with a reader that gives the answers of its own, and comes by them otherwise; the rest is shared.

        Raises:
            ConfigError: no reader is configured that is asked beside the signals.
        """
        if self._consultant is None:
            raise ConfigError("no reader is configured that is asked beside the signals")
        other = copy(self)
        other._consultant = replace(self._consultant, reader=reader)
        return other

    def foretell(
        self, response: str, *, prompt: str | None = None, source: KnowledgeSource | None = None
    ) -> Foretold:
        """What a check of a response would ask the reader; the signals read it, and nothing is sent.

        What is asked a second time, since signals hold something against an answer, is not in it.

        Raises:
            BackendError, SignalError: retrieval or a signal failed.
            ConfigError: no reader is configured that is asked beside the signals.
        """
        if self._consultant is None:
            raise ConfigError(
                "no reader is configured that is asked beside the signals: nothing is ever sent"
            )
        found = extract_answer(response, prompt or "", self._extract)
        claims = [*{claim.hypothesis: claim for claim in map(affirming, found.claims)}.values()]
        languages = {claim: unreadable(claim.text) for claim in claims}
        open_ = self._open(claims, source, languages)[1]
        asked = self._consultant.asked(open_, source or self._source)
        return self._consultant.reader.foretell([one.case for one in asked])._replace(claims=len(claims))

    def verify(
        self,
        response: str,
        *,
        prompt: str | None = None,
        source: KnowledgeSource | None = None,
        suggest_fixes: bool | None = None,
        progress: Progress | None = None,
        watcher: Watcher | None = None,
    ) -> Report:
        """Check a response.

        The prompt, where given, only completes answers that say nothing without it (``In 1990.``); evidence is
        retrieved for each claim, never for the prompt. ``suggest_fixes`` overrides the constructor's; ``progress`` is
        told how many claims are judged, ``watcher`` of each of them.

        An error of the backend or of a signal becomes ``status = error`` of the claims it hit; it is never a
        pass. The same source, configuration and response give the same report.
        """
        [report] = self.verify_many(
            [(response, prompt)],
            source=source,
            suggest_fixes=suggest_fixes,
            progress=progress,
            watcher=Placing(watcher, response) if watcher else None,
        )
        return report

    def verify_many(
        self,
        cases: Sequence[tuple[str, str | None]],
        *,
        source: KnowledgeSource | None = None,
        suggest_fixes: bool | None = None,
        progress: Progress | None = None,
        watcher: Watcher | None = None,
        standing: Standing = stands_nowhere,
    ) -> list[Report]:
        """A report for each (response, prompt), the same as :meth:`verify` gives; the claims of all are one batch.

        For a ``watcher`` the claims of all are counted through. ``standing`` gives the verdicts that need not be found
        again (:mod:`verifier.verification.recheck`).
        """
        source = source or self._source
        if self._consultant is not None:
            _ = self._consultant.fusion  # weights of another reader are wrong for every claim
        # Opening the NLI model takes about as long as taking the responses apart, and most of it on another core.
        with ThreadPoolExecutor(1) as pool:
            opened = pool.submit(lambda: self.fusion)
            extracted = [extract_answer(response, prompt or "", self._extract) for response, prompt in cases]
            with suppress(SignalError):  # it will be an error of every claim
                opened.result()
        seek = self._suggest_fixes if suggest_fixes is None else suggest_fixes
        claims = [claim for found in extracted for claim in found.claims]
        stands = standing([[affirming(claim) for claim in found.claims] for found in extracted])
        open_ = [claim for claim, verdict in zip(claims, stands, strict=True) if verdict is None]
        judged = iter(self.judge(open_, source, suggest_fixes=seek, progress=progress, watcher=watcher))
        settled = (verdict or next(judged) for verdict in stands)
        kb = self._describe(source)
        unread_files = unread_of(source, self._namespace)
        origin = Origin(
            "", None, self.configuration, knowledge_of(source, self._namespace), len(unread_files)
        )
        reports = []
        for (response, prompt), found in zip(cases, extracted, strict=True):
            verdicts = list(islice(settled, len(found.claims)))
            unknown = self._unknown_sources(response, source)
            report = build_report(
                response,
                [
                    *verdicts,
                    *set_aside(found.skipped, source, top_k=self._top_k, namespace=self._namespace),
                ],
                rule=self._rule,
                hidden=hidden_in(response),
                unknown=unknown,
                notes=[
                    *self._notes_for(verdicts, sought=seek),
                    *found.notes,
                    *unread_note(unread_files),
                    *([unknown_note(unknown)] if unknown else ()),
                ],
                kb=kb,
                config=self._config,
                reader=self._consultant.reader.identity if self._consultant else None,
            )
            reports.append(replace(report, origin=replace(origin, response=response, prompt=prompt)))
        return reports

    def judge(
        self,
        claims: Sequence[Claim],
        source: KnowledgeSource | None = None,
        *,
        suggest_fixes: bool = False,
        progress: Progress | None = None,
        watcher: Watcher | None = None,
    ) -> list[ClaimVerdict]:
        """A verdict for each claim, in order. Claims that read alike are examined once.

        They are examined in blocks of ``BLOCK``, so that memory does not grow with the response; where somebody
        watches, of ``WATCHED_BLOCK``. With ``suggest_fixes``, edits of contradicted claims are tried, unless there is
        a reader.
        """
        seek = suggest_fixes and self._consultant is None
        claims = [affirming(claim) for claim in claims]
        languages = {claim: unreadable(claim.text) for claim in claims}
        read = [claim for claim in claims if languages[claim] is None or self._reads_all_languages]
        alike: dict[_Reading, Claim] = {}
        for claim in read:
            alike.setdefault(_reading(claim), claim)
        verdicts: dict[_Reading, ClaimVerdict] = {}
        passages: dict[_Reading, list[str]] = {}
        unread_files = unread_of(source or self._source, self._namespace)

        def judged(claim: Claim) -> ClaimVerdict | None:
            reading, language = _reading(claim), languages[claim]
            if reading not in verdicts and reading in alike:
                return None
            if reading not in verdicts or _unheard(verdicts[reading], language):
                return replace(foreign(claim, language or ""), checks=claim.splits)
            found = placed(verdicts[reading], claim)
            return replace(unresolved(found, claim, passages.get(reading, ())), checks=claim.splits)

        settled = Settled(claims, judged, watcher)
        for block in _batches([*alike.values()], WATCHED_BLOCK if watcher else BLOCK):
            if progress is not None:
                progress("claims", len(verdicts), len(alike))
            try:
                reads = self._consulted(block, source, languages)
                found = [self._decide(one) for one in reads]
                fixes = self._fixes(found, source) if seek else [None] * len(found)
                for item, fix, one in zip(found, fixes, reads, strict=True):
                    verdict = self._verdict(item, fix, sought=seek)
                    verdict = untraced(left_open(verdict, one.retrieved), len(unread_files))
                    verdict = replace(verdict, basis=one.basis)
                    verdicts[_reading(item.case.claim)] = verdict
                    texts = (reading.window.evidence.text for reading in item.case.readings)
                    passages[_reading(item.case.claim)] = list(dict.fromkeys(texts))
            except (ConfigError, MissingExtra) as error:
                if self._consultant is not None:
                    raise  # a reader that cannot work at all is no fault of these claims
                verdicts |= {_reading(claim): errored(claim, error) for claim in block}
            except VerifierError as error:
                verdicts |= {_reading(claim): errored(claim, error) for claim in block}
            if watcher is not None:
                settled.take()
        return settled.take()

    @property
    def _reads_all_languages(self) -> bool:
        return self._consultant is not None and self._consultant.reader.traits.multilingual

    def _consulted(
        self,
        claims: Sequence[Claim],
        source: KnowledgeSource | None,
        languages: Mapping[Claim, str | None],
        *,
        every: bool = False,
    ) -> list[ReadClaim]:
        """The claims as signals read them, those that are open also as the reader does; ``every``: all of them.

        Claims in a language that the signals do not know, or whose evidence is in one, are read by the reader alone.
        """
        reads, open_ = self._open(claims, source, languages, every=every)
        consultant = self._consultant
        if consultant is None or not open_:
            return reads
        guards = [name for name in self.signals if name != MODEL_SIGNAL]
        source = source or self._source
        with self._vocabulary.over(source, self._namespace):
            told = consultant.consult(open_, source, guards, self._panel.score)
        said = {read.claim: read for read in told}
        return [said.get(read.claim, read) for read in reads]

    def _open(
        self,
        claims: Sequence[Claim],
        source: KnowledgeSource | None,
        languages: Mapping[Claim, str | None],
        *,
        every: bool = False,
    ) -> tuple[list[ReadClaim], list[ReadClaim]]:
        """The claims as signals read them, and those of them that the reader is to be asked about."""
        english = [claim for claim in claims if languages.get(claim) is None]
        own = {read.claim: read for read in self._examine(english, source, deciding=True)}
        consultant = self._consultant
        if consultant is None:
            return [own[claim] for claim in claims], []
        others = [claim for claim in claims if claim not in own]
        own |= {read.claim: read for read in self._only_retrieved(others, source)}
        if consultant.reader.traits.multilingual:
            own |= {claim: _bare(read) for claim, read in own.items() if in_foreign_language(read)}
        reads = [own[claim] for claim in claims]
        decided = [self._decide(read).decided if read.readings else None for read in reads]
        open_ = [
            read
            for read, some in zip(reads, decided, strict=True)
            if (every and read.retrieved) or consultant.is_open(read, some)
        ]
        return reads, open_

    def _only_retrieved(self, claims: Sequence[Claim], source: KnowledgeSource | None) -> list[ReadClaim]:
        """Claims with the passages that were found for them, of which signals say nothing."""
        if not claims:
            return []
        source = source or self._source
        with failing_as(BackendError, "retrieval"):
            found = gather(source, claims, top_k=self._top_k, namespace=self._namespace)
        return [
            ReadClaim(claim, (), (), 0.0, retrieved=tuple(some), neutral=self._neutral)
            for claim, some in zip(claims, found, strict=True)
        ]

    def examine(
        self, claims: Sequence[Claim], source: KnowledgeSource | None = None, *, deciding: bool = False
    ) -> list[ReadClaim]:
        """Everything up to the verdict: evidence, windows and signals of each claim.

        Args:
            claims: what to read.
            source: where evidence comes from; by default the constructor's.
            deciding: whether no more is asked than a verdict of :attr:`fusion` rests on. The NLI model then does not
                read windows that speak of something else than the best one (:func:`least_alignment`).

        Raises:
            BackendError, SignalError: retrieval or a signal failed.
            ConfigError: ``deciding``, and :attr:`fusion` cannot be had.
        """
        return self._examine([affirming(claim) for claim in claims], source, deciding=deciding)

    def consult(self, claims: Sequence[Claim], source: KnowledgeSource | None = None) -> list[ReadClaim]:
        """:meth:`examine`, and where there is a reader, what it says of every claim: for whoever measures or learns.

        Raises:
            BackendError, SignalError: retrieval, a signal or the reader failed.
            ConfigError, MissingExtra: what is configured cannot work at all.
        """
        if self._consultant is None:
            return self.examine(claims, source)
        claims = [affirming(claim) for claim in claims]
        languages = {claim: unreadable(claim.text) for claim in claims}
        return self._consulted(claims, source, languages, every=True)

    def _examine(
        self, claims: Sequence[Claim], source: KnowledgeSource | None, *, deciding: bool
    ) -> list[ReadClaim]:
        """:meth:`examine` of claims that are read as :func:`affirming` reads them."""
        source = source or self._source
        with failing_as(BackendError, "retrieval"):
            if claims and not source.passage_count(self._namespace):
                raise BackendError(
                    f"namespace {self._namespace!r} of the knowledge base holds nothing to check against"
                )
            found = gather(source, claims, top_k=self._top_k, namespace=self._namespace)
        with keeping(getattr(source, "readings", None)):
            take_apart(item for evidence in found for item in evidence)
            windows = [
                [with_order(window) for item in evidence for window in legible_windows(item)]
                for evidence in found
            ]
            return self._read(claims, found, windows, source, deciding=deciding)

    def _read(
        self,
        claims: Sequence[Claim],
        found: Sequence[Sequence[Evidence]],
        windows: Sequence[Sequence[Window]],
        source: KnowledgeSource,
        *,
        deciding: bool,
    ) -> list[ReadClaim]:
        """Claims by these windows of the evidence that was found for each."""
        with self._vocabulary.over(source, self._namespace):
            texts = [as_read(claim, evidence) for claim, evidence in zip(claims, found, strict=True)]
            windows = [
                [in_claims_words(window, text) for window in of_asked_columns(some, text)]
                for text, some in zip(texts, windows, strict=True)
            ]
            same_thing = self.fusion.same_thing if deciding else None
            heads = heads_of(source)
            others: list[OfAnother | None] = []
            settled: list[Related | None] = []

            def compared() -> None:
                others.extend(self._others(texts, windows))
                settled.extend(self._settled(texts, windows, source))

            readings = self._panel.read(texts, windows, heads, same_thing=same_thing, meanwhile=compared)
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
        return self._vocabulary.counts(words_that_count(text, missing.values()))

    def _bases(self, source: KnowledgeSource) -> Bases:
        return Bases(source, self._namespace, whole_documents=self._consultant is not None)

    def _others(self, texts: Sequence[str], windows: Sequence[Sequence[Window]]) -> list[OfAnother | None]:
        """What the windows of each claim tell of another than its subject."""
        if EntitySignal.name not in self.signals or SAID_OF_ANOTHER in self._disabled(EntitySignal.name):
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
        if NegationSignal.name not in self.signals:
            return [None] * len(texts)
        with failing_as(SignalError, "comparison of figures"):
            tables = tables_of(source, self._namespace)
            return [
                related(text, asserted(some), tables, self._disabled(NegationSignal.name))
                for text, some in zip(texts, windows, strict=True)
            ]

    def _disabled(self, signal: str) -> Set[str]:
        """The ids of the checks of a signal that are switched off."""
        return getattr(self.signals[signal], "disabled", frozenset())

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
        strange = dict(zip(missing, self._vocabulary.strangeness([*missing.values()]), strict=True))
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
            neutral=self._neutral,
        )

    def _decide(self, read: ReadClaim) -> Judged:
        case = summarise(read, same_thing=self.fusion.same_thing)
        return Judged(read, case, self._fusion_of(case).decide(case))

    def _fusion_of(self, case: ClaimCase) -> Fusion:
        """The weights of a claim: another set where a reader has answered."""
        answered = case.consulted is not None and case.consulted.answer is not None
        return self._consultant.fusion if answered and self._consultant is not None else self.fusion

    def _fixes(self, found: Sequence[Judged], source: KnowledgeSource | None) -> list[Edit | None]:
        """The edit that would make each contradicted claim pass; ``None`` for the others, and where none does."""

        def judge(candidates: Sequence[Candidate]) -> list[Decided]:
            claims = [affirming(Claim(one.text, 0, len(one.text))) for one in candidates]
            evidence = [one.read.retrieved for one in candidates]
            windows = [one.windows for one in candidates]
            reads = self._read(claims, evidence, windows, source or self._source, deciding=True)
            return [self._decide(read).decided for read in reads]

        return find_fixes(found, judge)

    def _verdict(self, item: Judged, fix: Edit | None, *, sought: bool) -> ClaimVerdict:
        case, decided = item.case, item.decided
        consulted = case.consulted
        said = None if consulted is None else said_by_reader(consulted)
        if consulted is not None and consulted.reading.state is State.FAILED:
            return unread(case.claim, consulted.reading.note, said)
        sought = sought and decided.verdict is Verdict.CONTRADICTED
        ledger = replace(ledger_of(case, decided, self._fusion_of(case)), fix=fix, fix_sought=sought)
        reading = case.con if decided.verdict is Verdict.CONTRADICTED and case.con else case.pro
        if case.unasserted is not None and decided.verdict is not Verdict.SUPPORTED:
            reading = case.unasserted
        spoken = (*(case.dispute or ()), reading) if decided.conflict else (reading, case.pro, case.con)
        return ClaimVerdict(
            text=case.claim.text,
            start=case.claim.start,
            end=case.claim.end,
            status=Status.CHECKED,
            verdict=decided.verdict,
            reason=explain(case, decided),
            confidence=decided.confidence,
            support=decided.probabilities[Verdict.SUPPORTED],
            conflict=decided.conflict,
            decided_by=decided.decided_by,
            hypothesis=case.claim.hypothesis,
            signals=dict(reading.scores) if reading else {},
            evidence=_evidence(spoken, () if consulted is None else map(sentence_of, consulted.quoted)),
            ledger=ledger,
            reader=said,
        )

    def _unknown_sources(self, response: str, source: KnowledgeSource) -> tuple[UnknownSource, ...]:
        """The sources that are cited and not there; none where names cannot be asked for, which the claims tell."""
        try:
            with failing_as(BackendError, "the knowledge source"):
                return unknown_sources(response, source, self._namespace)
        except VerifierError:
            return ()

    def _describe(self, source: KnowledgeSource) -> dict[str, object]:
        try:
            with failing_as(BackendError, "the knowledge source"):
                return {
                    "content_hash": source.content_hash(self._namespace),
                    "namespace": self._namespace,
                    "passages": source.passage_count(self._namespace),
                }
        except VerifierError as error:
            return {"namespace": self._namespace, "error": str(error)}

    def _notes_for(self, verdicts: Sequence[ClaimVerdict], *, sought: bool) -> list[str]:
        notes = list(self._notes)
        if self._given_fusion is not None and (said := self._given_fusion.learnt_from.get("note")):
            notes.append(str(said))
        unread = {
            finding.note
            for verdict in verdicts
            for score in verdict.signals.values()
            for finding in score.findings
            if finding.kind == "unread"
        }
        if sought and self._consultant is not None:
            notes.append("no edits were searched for: with a reader, each edit would have to be read as well")
        notes += [f"evidence that the NLI model could not read: {reason}" for reason in sorted(unread)]
        if self._consultant is not None:
            notes += notes_of(self._consultant, verdicts)
        fallen_back = sum(
            any(item.retrieved_by == "keyword" for item in verdict.evidence) for verdict in verdicts
        )
        if fallen_back:
            notes.append(
                f"vector search found nothing for {fallen_back} claims; keyword search was used instead"
            )
        return notes


def _reading(claim: Claim) -> _Reading:
    """What claims that read alike have in common."""
    return claim.hypothesis, claim.asked, claim.context


def name_of(extractor: ClaimExtractor) -> str:
    """What an extractor is called: its own ``identity`` where it has one, else the function's or the class's name."""
    named = extractor if hasattr(extractor, "__qualname__") else type(extractor)
    return str(getattr(extractor, "identity", f"{named.__module__}.{named.__qualname__}"))


def default_signals(vocabulary: Vocabulary) -> list[Signal]:
    """One of every installed signal with its default options, told of the vocabulary where it asks for it."""
    classes = [SIGNALS.load(name) for name in SIGNALS.names()]
    return [cls(**vocabulary.arguments_of(cls)) for cls in classes]


def _batches(claims: Sequence[Claim], size: int) -> Iterator[Sequence[Claim]]:
    for start in range(0, len(claims), size):
        yield claims[start : start + size]


def _notes(signals: Sequence[Signal], available: Mapping[str, Signal]) -> Iterable[str]:
    names = {signal.name for signal in signals}
    if "nli" in names and "nli" not in available:
        yield (
            "no NLI model is installed: verdicts rest on the rule signals alone and are more cautious; "
            "set signals.nli.model to a model folder or hub id"
        )
    if "nli" not in names:
        yield "the NLI signal is switched off: verdicts rest on the rule signals alone"


def _fed_as_nothing(checks: Set[str]) -> Iterator[str]:
    """What is to be said of features that are switched off."""
    if checks:
        yield f"switched off, and fed to the weights as 0: {', '.join(sorted(checks))}"


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


def _nli_fingerprint(signals: Mapping[str, Signal]) -> str:
    return str(getattr(signals.get("nli"), "fingerprint", "none"))


def _evidence(
    readings: Iterable[WindowScores | None], quoted: Iterable[Evidence] = ()
) -> tuple[Evidence, ...]:
    """What a reader quotes, then the passages of the windows that speak about the claim, the deciding one first, each
    place once."""
    windows = (reading.window.as_evidence() for reading in readings if reading is not None)
    return tuple({(item.doc_id, item.start, item.end): item for item in (*quoted, *windows)}.values())


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


def _unheard(verdict: ClaimVerdict, language: str | None) -> bool:
    """Whether nothing has read a claim in that language: neither the signals nor the reader."""
    return language is not None and verdict.status is Status.CHECKED and verdict.decided_by != "reader"
