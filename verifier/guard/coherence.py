"""The coherence score: how coherent a response is with its prompt and the facts, and whether it passes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

from verifier.core.cache import CacheKey, ScoreCache
from verifier.core.errors import ConfigError, VerifierError
from verifier.core.lines import Lines
from verifier.core.text import LONE_SURROGATE, has_lone_surrogate
from verifier.guard.judge import LLMJudge, blended, needs_judge
from verifier.guard.logical import read_logical
from verifier.guard.review import Judged, LogicalReading, PartError, Review, ReviewDecision
from verifier.types import Claim, ClaimVerdict, Evidence, Status, Verdict
from verifier.verification.claims import ClaimExtractor, extract_answer, extract_claims, name_of
from verifier.verification.report import is_failing, with_line
from verifier.verification.retrieve import KnowledgeSource
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.unchecked import skipped

__all__ = ["CoherenceScorer", "JudgeRule", "coherence_of", "divergence_of"]

UNCHECKED = "not checked against documents"


def coherence_of(h_logical: float, h_factual: float, *, w_logic: float = 0.6, w_fact: float = 0.4) -> float:
    """``1 - (w_logic * h_logical + w_fact * h_factual)``.

    >>> coherence_of(0.0, 0.0), round(coherence_of(0.5, 0.25), 6), coherence_of(1.0, 1.0)
    (1.0, 0.6, 0.0)
    """
    return 1.0 - (w_logic * h_logical + w_fact * h_factual)


def divergence_of(claim: ClaimVerdict) -> float:
    """How far a checked claim is from what the documents say: 1 - its support; 1 where it has none."""
    return 1.0 - (claim.support or 0.0)


@dataclass(frozen=True)
class JudgeRule:
    """When a judge is asked about a claim, and how it moves the claim's divergence."""

    always: bool = False
    margin: float = 0.3
    weight: float = 0.3
    yes: float = 0.2
    no: float = 0.8


class CoherenceScorer:
    """Reviews responses: against their prompt, against themselves, and claim by claim against a knowledge base.

    The steps, in order: the cache; H_logical; H_factual; the judge, for claims whose divergence is uncertain (or for
    all); the composite; the gate. ``approved`` needs a coherence of at least ``threshold``, no error in any part, and
    (``veto``) no claim whose verdict is in ``fail_on`` or whose language cannot be read: by the formula alone, a
    response that is invented from end to end but does not contradict itself would have a coherence of 0.6.

    Args:
        scorer: reads claims against texts; its signals and fusion serve both parts.
        source: the knowledge base; ``None`` for none.
        namespace: the part of it that is read; the scorer's own must be the same.
        threshold, w_logic, w_fact: of the gate and of the formula.
        factual: whether H_factual is the divergence of the worst claim, or the mean of all.
        unknown: what to do where H_factual is not known, for want of a knowledge base or because nothing was
            retrieved: ``reject``, ``abstain`` (no decision) or ``logical_only`` (1 - H_logical is the coherence).
        fail_on, veto: which verdicts reject by themselves, and whether they do.
        max_pairs: pairs of the response's own claims that are compared; notes say where not all were.
        max_chars: a longer response is refused whole.
        extractor: what takes a response apart into claims.
        judge, judge_rule: a language model to ask, and when; a judge that fails is an error of the review. It is
            not asked about claims without evidence, nor where the facts are unknown or another part failed.
        cache: keeps reviews, but for those with an error or made while the knowledge base changed.
        configuration: names everything that reviews depend on and that is not an argument here; part of the cache's
            keys, and needed where there is a cache.
        workers: how many reviews ``review_many`` and its twin make at once.

    Raises:
        ConfigError: an option is out of its bounds, the weights do not sum to 1, the scorer reads another
            namespace, or a cache is given without ``configuration``.
    """

    def __init__(
        self,
        scorer: VerifiedScorer,
        source: KnowledgeSource | None,
        *,
        namespace: str = "default",
        threshold: float = 0.5,
        w_logic: float = 0.6,
        w_fact: float = 0.4,
        factual: Literal["worst", "mean"] = "worst",
        unknown: Literal["reject", "abstain", "logical_only"] = "reject",
        fail_on: Collection[str] = ("contradicted", "fabricated"),
        veto: bool = True,
        max_pairs: int = 400,
        max_chars: int = 100_000,
        extractor: ClaimExtractor = extract_claims,
        judge: LLMJudge | None = None,
        judge_rule: JudgeRule = JudgeRule(),
        cache: ScoreCache[Review] | None = None,
        configuration: Mapping[str, object] | None = None,
        workers: int = 4,
    ) -> None:
        if not (abs(w_logic + w_fact - 1.0) <= 1e-9 and min(w_logic, w_fact) >= 0):
            raise ConfigError(f"w_logic = {w_logic!r}, w_fact = {w_fact!r}: expected shares that sum to 1")
        if not 0.0 <= threshold <= 1.0:
            raise ConfigError(f"threshold = {threshold!r}: expected a number from 0 to 1")
        for name, value, least in (
            ("max_pairs", max_pairs, 0),
            ("max_chars", max_chars, 1),
            ("workers", workers, 1),
        ):
            if value < least:
                raise ConfigError(f"{name} = {value!r}: expected at least {least}")
        if strange := set(fail_on) - set(Verdict):
            raise ConfigError(
                f"fail_on = {sorted(strange)}: no such verdicts; known: {', '.join(sorted(Verdict))}"
            )
        if namespace != scorer.options["namespace"]:
            raise ConfigError(
                f"namespace = {namespace!r}, and the scorer reads {scorer.options['namespace']!r}: expected the same"
            )
        if unknown not in ("reject", "abstain", "logical_only"):
            raise ConfigError(f"unknown = {unknown!r}; known: abstain, logical_only, reject")
        if factual not in ("worst", "mean"):
            raise ConfigError(f"factual = {factual!r}; known: mean, worst")
        if cache is not None and configuration is None:
            raise ConfigError("a cache needs configuration=, or an edit of it could serve old reviews")
        self.threshold, self.w_logic, self.w_fact = threshold, w_logic, w_fact
        self.cache = cache
        self._scorer, self._source, self._namespace = scorer, source, namespace
        self._factual, self._unknown = factual, unknown
        self._fail_on, self._veto = (tuple(sorted(fail_on)) if veto else ()), veto
        self._max_pairs, self._max_chars = max_pairs, max_chars
        self._extract, self._judge, self._judge_rule = extractor, judge, judge_rule
        self._configuration = dict(configuration or {})
        self._workers = workers

    # -- the public calls -------------------------------------------------------------------------------

    def review(self, prompt: str, response: str) -> Review:
        """Review a response to a prompt; either may be empty.

        An empty response has nothing to check. Errors of a part are in the review, which is then rejected.

        Raises:
            ConfigError, MissingExtra, KnowledgeBaseError: the configuration cannot work as it is.
        """
        if self.cache is None:
            return self._review(prompt, response)
        state = self._state()
        key = CacheKey(prompt, response, state, self.fingerprint, self._namespace)
        found = self.cache.get_or_compute(
            key,
            lambda: self._review(prompt, response),
            keep=lambda review: not review.errors and self._state() == state,
        )
        return found.value.as_cached() if found.cached else found.value

    async def areview(self, prompt: str, response: str) -> Review:
        """The same as :meth:`review`, in a thread, for an event loop."""
        return await asyncio.to_thread(self.review, prompt, response)

    def review_many(self, cases: Iterable[tuple[str, str]]) -> list[Review]:
        """A review for each ``(prompt, response)``, several at once, in their order."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(lambda case: self.review(*case), cases))

    async def areview_many(self, cases: Iterable[tuple[str, str]]) -> list[Review]:
        """The same as :meth:`review_many`, for an event loop."""
        return await asyncio.to_thread(self.review_many, cases)

    @property
    def fingerprint(self) -> str:
        """Names everything that reviews depend on, but for the texts and the knowledge base."""
        parts = {
            "threshold": self.threshold,
            "weights": [self.w_logic, self.w_fact],
            "factual": self._factual,
            "unknown": self._unknown,
            "fail_on": self._fail_on,
            "veto": self._veto,
            "bounds": [self._max_pairs, self._max_chars],
            "judge": self._judge and self._judge.identity,
            "judge_rule": repr(self._judge_rule),
            "nli": self._scorer.nli,
            "fusion": repr(self._scorer.fusion),
            "signals": sorted(self._scorer.signals),
            "scorer": self._scorer.options,
            "extractor": name_of(self._extract),
            "source": self._source is not None,
            "configuration": self._configuration,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()

    # -- the steps --------------------------------------------------------------------------------------

    def _review(self, prompt: str, response: str) -> Review:
        blank = Review(
            decision=ReviewDecision.REJECTED,
            coherence=None,
            h_logical=None,
            h_factual=None,
            threshold=self.threshold,
            reason="",
            notes=() if prompt.strip() else ("there is no prompt to compare with",),
            kb=self._describe(),
        )
        if len(response) > self._max_chars:
            long = f"the response has {len(response)} characters, more than max_chars = {self._max_chars}"
            return _unread(blank, long)
        if has_lone_surrogate(prompt + response):
            return _unread(blank, LONE_SURROGATE)
        found = extract_answer(response, prompt, self._extract)
        spans = [skipped(span) for span in found.skipped]
        blank = replace(blank, notes=(*blank.notes, *found.notes))
        if not found.claims:
            reason = "the response states nothing that could be checked"
            return replace(
                blank, decision=ReviewDecision.NOTHING_TO_CHECK, reason=reason, claims=tuple(spans)
            )
        logical, errors = self._logical(prompt, found.claims)
        checked, unknown = self._check(found.claims)
        lines = Lines(response)
        ordered = sorted([*checked, *spans], key=lambda claim: (claim.start, claim.end))
        claims = tuple(with_line(claim, lines) for claim in ordered)
        errors += _errors_of(claims)
        judged = () if unknown or errors else self._ask_judge(prompt, claims)
        errors += tuple(
            PartError("judge", f"{item.judgement.error}: {claims[item.claim].text!r}")
            for item in judged
            if item.judgement.error
        )
        review = replace(
            blank,
            h_logical=None if logical is None else logical.divergence,
            h_factual=None if unknown else self._h_factual(claims, judged),
            logical=logical,
            claims=claims,
            evidence=_evidence(claims),
            judge=judged,
            errors=errors,
            notes=(*blank.notes, *_notes(logical, unknown)),
        )
        return self._decide(review, unknown)

    def _logical(
        self, prompt: str, claims: Sequence[Claim]
    ) -> tuple[LogicalReading | None, tuple[PartError, ...]]:
        try:
            return read_logical(self._scorer, prompt, claims, max_pairs=self._max_pairs), ()
        except VerifierError as error:
            return None, (PartError("logical", str(error)),)

    def _check(self, claims: Sequence[Claim]) -> tuple[list[ClaimVerdict], str]:
        """The claims against the knowledge base, and why the facts are unknown where they are."""
        if self._source is None:
            return [_unchecked(claim) for claim in claims], "there is no knowledge base"
        try:
            if not self._source.passage_count(self._namespace):
                unknown = f"namespace {self._namespace!r} of the knowledge base is empty"
                return [_unchecked(claim) for claim in claims], unknown
        except VerifierError:
            pass  # it will be an error of every claim
        verdicts = self._scorer.judge(claims, self._source)
        read = [verdict for verdict in verdicts if verdict.decided_by != "language"]
        bare = read and all(item.status is Status.CHECKED and not item.evidence for item in read)
        return verdicts, "nothing was retrieved for any claim" if bare else ""

    def _ask_judge(self, prompt: str, claims: Sequence[ClaimVerdict]) -> tuple[Judged, ...]:
        if self._judge is None:
            return ()
        rule = self._judge_rule
        asked = [
            number
            for number, claim in enumerate(claims)
            if claim.status is Status.CHECKED
            and claim.evidence
            and claim.decided_by != "reader"  # a stronger judge has read it already
            and needs_judge(divergence_of(claim), margin=rule.margin, always=rule.always)
        ]
        cases = [(claims[n].hypothesis, [item.text for item in claims[n].evidence]) for n in asked]
        judgements = self._judge.judge_many(cases, question=prompt or None) if cases else []
        return tuple(
            Judged(
                claim=number,
                before=divergence_of(claims[number]),
                after=blended(
                    divergence_of(claims[number]), judgement, weight=rule.weight, yes=rule.yes, no=rule.no
                ),
                judgement=judgement,
            )
            for number, judgement in zip(asked, judgements, strict=True)
        )

    def _h_factual(self, claims: Sequence[ClaimVerdict], judged: Sequence[Judged]) -> float | None:
        """H_factual; ``None`` where a claim is in error."""
        if any(claim.status is Status.ERROR for claim in claims):
            return None
        after = {item.claim: item.after for item in judged}
        divergences = [
            after.get(number, divergence_of(claim))
            for number, claim in enumerate(claims)
            if claim.status is Status.CHECKED
        ]
        return max(divergences) if self._factual == "worst" else sum(divergences) / len(divergences)

    def _decide(self, review: Review, unknown: str) -> Review:
        """The composite and the gate."""
        if review.errors:
            first = review.errors[0]
            return replace(review, reason=f"the {first.part} part failed: {first.reason}")
        if unknown and self._unknown != "logical_only":
            abstains = self._unknown == "abstain"
            decision = ReviewDecision.ABSTAINED if abstains else ReviewDecision.REJECTED
            return replace(review, decision=decision, reason=f"the facts are unknown: {unknown}")
        assert review.h_logical is not None
        if unknown:
            if review.logical is None or not review.logical.compared:
                reason = f"{unknown}, and there is nothing in prompt and response to compare"
                return replace(review, decision=ReviewDecision.NOTHING_TO_CHECK, reason=reason)
            coherence = 1.0 - review.h_logical
            weighed = f"1 - H_logical {review.h_logical:.2f}, the facts being unknown"
        else:
            assert review.h_factual is not None
            coherence = coherence_of(
                review.h_logical, review.h_factual, w_logic=self.w_logic, w_fact=self.w_fact
            )
            weighed = (
                f"1 - ({self.w_logic:g} * H_logical {review.h_logical:.2f}"
                f" + {self.w_fact:g} * H_factual {review.h_factual:.2f})"
            )
        passes = coherence >= self.threshold
        reason = f"coherence {coherence:.2f} = {weighed}, threshold {self.threshold:g}"
        if self._veto and not unknown and (failing := self._failing(review.claims)):
            passes, reason = False, f"{_named(failing)}; {reason}"
        return replace(
            review,
            decision=ReviewDecision.APPROVED if passes else ReviewDecision.REJECTED,
            coherence=coherence,
            reason=reason,
        )

    def _failing(self, claims: Sequence[ClaimVerdict]) -> ClaimVerdict | None:
        """The worst claim that rejects by itself."""
        failing = [claim for claim in claims if is_failing(claim, self._fail_on)]
        return max(failing, key=divergence_of, default=None)

    # -- the knowledge base -----------------------------------------------------------------------------

    def _state(self) -> str:
        """Names what the knowledge base holds, and under which names, as it is now."""
        if self._source is None:
            return "none"
        # Content alone does not tell a document from the same one under another name; the revision does.
        return f"{getattr(self._source, 'revision', 0)}:{self._source.content_hash(self._namespace)}"

    def _describe(self) -> dict[str, object]:
        if self._source is None:
            return {}
        try:
            return {
                "namespace": self._namespace,
                "content_hash": self._source.content_hash(self._namespace),
                "passages": self._source.passage_count(self._namespace),
            }
        except VerifierError as error:
            return {"namespace": self._namespace, "error": str(error)}


def _unchecked(claim: Claim) -> ClaimVerdict:
    return ClaimVerdict(
        claim.text, claim.start, claim.end, Status.SKIPPED, None, UNCHECKED, hypothesis=claim.hypothesis
    )


def _unread(blank: Review, why: str) -> Review:
    """The review of a response that is not read at all."""
    error = PartError("input", f"{why}; nothing of it was checked")
    return replace(blank, reason=error.reason, errors=(error,))


def _errors_of(claims: Sequence[ClaimVerdict]) -> tuple[PartError, ...]:
    """Each thing that failed, once, however many claims it hit."""
    reasons = dict.fromkeys(claim.reason for claim in claims if claim.status is Status.ERROR)
    return tuple(PartError("factual", reason) for reason in reasons)


def _evidence(claims: Sequence[ClaimVerdict]) -> tuple[Evidence, ...]:
    """What the claims were checked against, the worst claim's first, each piece once."""
    ordered = sorted((claim for claim in claims if claim.evidence), key=divergence_of, reverse=True)
    pieces = {
        (item.doc_id, item.start, item.end): item for claim in reversed(ordered) for item in claim.evidence
    }
    places = dict.fromkeys((e.doc_id, e.start, e.end) for claim in ordered for e in claim.evidence)
    return tuple(pieces[place] for place in places)


def _notes(logical: LogicalReading | None, unknown: str) -> Iterable[str]:
    if logical is not None and logical.pairs_read < logical.pairs:
        yield (
            f"of {logical.pairs} pairs of the response's own claims {logical.pairs_read} were compared, "
            "those that share most words"
        )
    if unknown:
        yield f"the facts are unknown: {unknown}"


def _named(claim: ClaimVerdict) -> str:
    verdict = claim.verdict.value if claim.verdict else "unread"
    return f"{verdict}: {' '.join(claim.text.split())!r} ({claim.reason})"
