"""Score a segment of a stream: how well the documents support the claims that it completes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from verifier.core.errors import BackendError, ConfigError, SignalError
from verifier.core.text import LONE_SURROGATE, has_lone_surrogate
from verifier.guard.coherence import coherence_of, divergence_of
from verifier.guard.logical import read_logical
from verifier.guard.streaming.types import Scored, Segment
from verifier.types import Claim, ClaimVerdict, Status, Verdict
from verifier.verification.claims import ClaimExtractor, extract_answer, extract_claims
from verifier.verification.claims.ellipsis import is_bare_answer
from verifier.verification.decision.features import CONFLICTS
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.retrieve import KnowledgeSource
from verifier.verification.scorer import VerifiedScorer

__all__ = ["ClaimScore", "ScoreKind"]

ScoreKind = Literal["support", "not_contradicted", "not_refuted", "best_window", "coherence"]


class ClaimScore:
    """The score of a segment is that of its worst claim, each read with what stands before it and with the prompt.

    * ``support``: the probability of ``supported``.
    * ``not_contradicted``: 1 - the probability of ``contradicted``.
    * ``not_refuted``: 1 - the probabilities of ``contradicted`` and ``fabricated``.
    * ``best_window``: the same, where a conflict counts only in the window that speaks best for the claim: the other
      row of a table, or the other fare of a list, then denies nothing.
    * ``coherence``: the formula of ``CoherenceScorer``, over the segment and its context.

    A bare yes or no invents nothing, since what is untraced in it are the prompt's words: ``fabricated`` does not count
    there. A segment without claims has nothing to check. A claim that could not be checked, or is in a language that
    cannot be read, is no pass: the first raises, the second scores 0.

    Args:
        scorer: checks the claims.
        source: the knowledge base.
        kind: which of the above.
        prompt: what the stream answers.
        extractor: what takes a text apart into claims.
        w_logic, w_fact, max_pairs: for ``coherence``.

    Raises:
        ConfigError: no such kind.
    """

    def __init__(
        self,
        scorer: VerifiedScorer,
        source: KnowledgeSource,
        *,
        kind: ScoreKind = "best_window",
        prompt: str = "",
        extractor: ClaimExtractor = extract_claims,
        w_logic: float = 0.6,
        w_fact: float = 0.4,
        max_pairs: int = 400,
    ) -> None:
        if kind not in get_args(ScoreKind):
            raise ConfigError(f"score = {kind!r}; known: {', '.join(sorted(get_args(ScoreKind)))}")
        self._scorer, self._source, self._kind, self._prompt = scorer, source, kind, prompt
        self._extract = extractor
        self._w_logic, self._w_fact, self._max_pairs = w_logic, w_fact, max_pairs

    def __call__(self, segment: Segment) -> Scored:
        """Check the claims that end in the segment.

        Raises:
            BackendError, SignalError: a claim could not be checked, or the segment holds half a surrogate pair.
        """
        if has_lone_surrogate(segment.text):
            raise SignalError(LONE_SURROGATE)
        found = extract_answer(segment.context + segment.text, self._prompt, self._extract)
        new = [claim for claim in found.claims if claim.end > len(segment.context)]
        if not new:
            return Scored(None)
        verdicts = self._scorer.judge(new, self._source)
        for verdict in verdicts:
            if verdict.status is Status.ERROR:
                raise BackendError(verdict.reason)
        values = self._values(new, verdicts)
        order = sorted(range(len(new)), key=lambda number: values[number])
        worst_first = tuple(verdicts[number] for number in order)
        value, worst = values[order[0]], worst_first[0]
        reason = f"{_name(worst)}: {' '.join(worst.text.split())!r} ({worst.reason})"
        if self._kind == "coherence":
            logical = read_logical(self._scorer, self._prompt, found.claims, max_pairs=self._max_pairs)
            value = coherence_of(logical.divergence, 1.0 - value, w_logic=self._w_logic, w_fact=self._w_fact)
        return Scored(min(max(value, 0.0), 1.0), reason, worst_first)

    def _values(self, claims: Sequence[Claim], verdicts: Sequence[ClaimVerdict]) -> list[float]:
        """The score of each claim."""
        values = [self._value(verdict) for verdict in verdicts]
        if self._kind != "best_window":
            return values
        again = [number for number, verdict in enumerate(verdicts) if _has_conflict(verdict)]
        again = [
            number for number in again if verdicts[number].decided_by != "reader"
        ]  # it has seen all windows
        reads = self._scorer.examine([claims[number] for number in again], self._source, deciding=True)
        for number, read in zip(again, reads, strict=True):
            values[number] = self._in_best_window(read)
        return values

    def _in_best_window(self, read: ReadClaim) -> float:
        """The fusion's answer with the conflicts of the best window in the place of those of all windows."""
        fusion = self._scorer.fusion
        case = fusion.case_of(read)
        there = {name: case.pro.alignment * case.pro.named(name) if case.pro else 0.0 for name in CONFLICTS}
        return _not_refuted(read.claim.text, fusion.probabilities({**case.features, **there}))

    def _value(self, verdict: ClaimVerdict) -> float:
        if verdict.ledger is None:  # a language that cannot be read
            return 0.0
        chances = verdict.ledger.probabilities
        if self._kind == "not_contradicted":
            return 1.0 - chances[Verdict.CONTRADICTED]
        if self._kind in ("not_refuted", "best_window"):
            return _not_refuted(verdict.text, chances)
        return 1.0 - divergence_of(verdict)


def _not_refuted(text: str, chances: Mapping[Verdict, float] | Mapping[str, float]) -> float:
    """1 - the probabilities of contradicted and, where the claim has words of its own, of fabricated."""
    by_name = {str(verdict): chance for verdict, chance in chances.items()}
    invented = 0.0 if is_bare_answer(text) else by_name[Verdict.FABRICATED.value]
    return 1.0 - by_name[Verdict.CONTRADICTED.value] - invented


def _has_conflict(verdict: ClaimVerdict) -> bool:
    weighed = verdict.ledger.contributions if verdict.ledger else ()
    return any(item.feature in CONFLICTS and item.value > 0 for item in weighed)


def _name(verdict: ClaimVerdict) -> str:
    return verdict.verdict.value if verdict.verdict else verdict.status.value
