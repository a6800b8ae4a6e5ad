"""``VerifiedScorer``: from a response to its report, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import asdict, replace
from functools import cached_property
from itertools import islice

from verifier_signals.base import Signal

from verifier.core.errors import ConfigError, MissingExtra, SignalError, VerifierError
from verifier.core.registry import SIGNALS
from verifier.core.text import unreadable
from verifier.knowledge.records import Progress
from verifier.readers import Foretold, Reader
from verifier.types import Basis, Claim, ClaimVerdict, Edit, Evidence, Origin, Report, Status
from verifier.verification.abstentions import set_aside
from verifier.verification.basis import Standing, configuration_digest, knowledge_of, stands_nowhere
from verifier.verification.cited_sources import unknown_note
from verifier.verification.claims import ClaimExtractor, extract_answer, extract_claims, hidden_in, name_of
from verifier.verification.consultation.consulting import Consultant
from verifier.verification.decision.feature_checks import features_of
from verifier.verification.decision.summary import ClaimCase, ReadClaim
from verifier.verification.decision.verdict import Decided, Fusion
from verifier.verification.edits.search import Candidate, Judged, find_fixes
from verifier.verification.examination import Examiner
from verifier.verification.explanation.ledger import placed
from verifier.verification.languages import left_open
from verifier.verification.panel import SignalPanel
from verifier.verification.progress import Placing, Settled, Watcher
from verifier.verification.report import DecisionRule, build_report
from verifier.verification.retrieve import KnowledgeSource, unread_note, unread_of
from verifier.verification.statements.double_negation import affirming
from verifier.verification.unchecked import errored, foreign, unresolved, untraced
from verifier.verification.verdicts import (
    described,
    notes_on,
    notes_on_disabled,
    notes_on_signals,
    notes_on_weights,
    sources_not_there,
    verdict_of,
)
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
        vocabulary = vocabulary or Vocabulary()
        signals = default_signals(vocabulary) if signals is None else signals
        available = {signal.name: signal for signal in signals if getattr(signal, "available", True)}
        self._examiner = Examiner(
            SignalPanel(available, max_windows, least_reach, model_windows),
            vocabulary,
            neutral=features_of(disable),
            top_k=top_k,
            namespace=namespace,
            consultant=consultant,
        )
        self._notes = (
            *notes_on_signals([signal.name for signal in signals], available),
            *notes_on_disabled(disable),
            *notes_on_weights(fusion),
        )
        self._given_fusion = fusion
        self._rule = DecisionRule(tuple(fail_on), min_groundedness, strict, allow_hidden)
        self._suggest_fixes = suggest_fixes
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
        given.refuse_others(set(self.signals), self.nli)
        return given

    @property
    def signals(self) -> Mapping[str, Signal]:
        """The signals in use, by name."""
        return self._examiner.panel.signals

    @property
    def _namespace(self) -> str:
        return self._examiner.namespace

    @property
    def _consultant(self) -> Consultant | None:
        return self._examiner.consultant

    @property
    def options(self) -> Mapping[str, object]:
        """What verdicts depend on beside the signals and :attr:`fusion`, by name."""
        panel, neutral = self._examiner.panel, self._examiner.neutral
        return {
            "top_k": self._examiner.top_k,
            "max_windows": panel.max_windows,
            "least_reach": panel.least_reach,
            "model_windows": panel.model_windows,
            "namespace": self._namespace,
            "extractor": name_of(self._extract),
            "config": self._config,
            **({"reader": self._consultant.identity} if self._consultant else {}),
            **({"disable": sorted(neutral)} if neutral else {}),
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
        return self._examiner.find(claims, source)

    @property
    def nli(self) -> str:
        """Fingerprint of the NLI model in use, ``"none"`` without one."""
        return str(getattr(self.signals.get("nli"), "fingerprint", "none"))

    @property
    def reader(self) -> str:
        """Identity of the reader that is asked beside the signals, empty without one."""
        return self._consultant.reader.identity if self._consultant is not None else ""

    def within(self, namespace: str | None) -> VerifiedScorer:
        """This scorer over another namespace of its source, ``None`` for its own; signals and weights are shared."""
        if namespace is None or namespace == self._namespace:
            return self
        other = copy(self)
        other._examiner = replace(self._examiner, namespace=namespace)
        return other

    def by_signals(self) -> VerifiedScorer:
        """This scorer without its reader; signals and weights are shared."""
        if self._consultant is None:
            return self
        other = copy(self)
        other._examiner = replace(self._examiner, consultant=None)
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
        other._examiner = replace(self._examiner, consultant=replace(self._consultant, reader=reader))
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
        open_ = self._examiner.open_claims(claims, source or self._source, languages, self.fusion)[1]
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
        kb = described(source, self._namespace)
        unread_files = unread_of(source, self._namespace)
        origin = Origin(
            "", None, self.configuration, knowledge_of(source, self._namespace), len(unread_files)
        )
        reports = []
        for (response, prompt), found in zip(cases, extracted, strict=True):
            verdicts = list(islice(settled, len(found.claims)))
            unknown = sources_not_there(response, source, self._namespace)
            report = build_report(
                response,
                [
                    *verdicts,
                    *set_aside(found.skipped, source, top_k=self._examiner.top_k, namespace=self._namespace),
                ],
                rule=self._rule,
                hidden=hidden_in(response),
                unknown=unknown,
                notes=[
                    *self._notes,
                    *notes_on(verdicts, self._consultant, sought=seek),
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
                reads = self._examiner.consult(block, source or self._source, languages, self.fusion)
                found = [self._decide(one) for one in reads]
                fixes = self._fixes(found, source) if seek else [None] * len(found)
                for item, fix, one in zip(found, fixes, reads, strict=True):
                    verdict = verdict_of(item, self._fusion_of(item.case), fix, sought=seek)
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
        same_thing = self.fusion.same_thing if deciding else None
        claims = [affirming(claim) for claim in claims]
        return self._examiner.examine(claims, source or self._source, same_thing=same_thing)

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
        return self._examiner.consult(claims, source or self._source, languages, self.fusion, every=True)

    def _decide(self, read: ReadClaim) -> Judged:
        case = self.fusion.case_of(read)
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
            reads = self._examiner.read(
                claims, evidence, windows, source or self._source, same_thing=self.fusion.same_thing
            )
            return [self._decide(read).decided for read in reads]

        return find_fixes(found, judge)


def _reading(claim: Claim) -> _Reading:
    """What claims that read alike have in common."""
    return claim.hypothesis, claim.asked, claim.context


def default_signals(vocabulary: Vocabulary) -> list[Signal]:
    """One of every installed signal with its default options, told of the vocabulary where it asks for it."""
    classes = [SIGNALS.load(name) for name in SIGNALS.names()]
    return [cls(**vocabulary.arguments_of(cls)) for cls in classes]


def _batches(claims: Sequence[Claim], size: int) -> Iterator[Sequence[Claim]]:
    for start in range(0, len(claims), size):
        yield claims[start : start + size]


def _unheard(verdict: ClaimVerdict, language: str | None) -> bool:
    """Whether nothing has read a claim in that language: neither the signals nor the reader."""
    return language is not None and verdict.status is Status.CHECKED and verdict.decided_by != "reader"
