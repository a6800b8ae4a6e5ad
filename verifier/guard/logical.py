"""How likely the claims of a response contradict its prompt or each other."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations

from verifier.core.deadline import each
from verifier.core.errors import SignalError
from verifier.core.text import normalise, words
from verifier.guard.review import LogicalReading
from verifier.types import Claim, ClaimVerdict, Evidence, Status, Verdict
from verifier.verification.claims import extract_claims
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["OwnClaims", "read_logical"]


class OwnClaims:
    """The claims of a response as a source of evidence for each other: each is given its partners, never itself."""

    def __init__(self, partners: Mapping[str, Sequence[str]]) -> None:
        self._partners = partners
        self._number = {text: number for number, text in enumerate(partners, start=1)}
        self._bags = [frozenset(_words(text)) for text in partners]

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """The partners of each claim; how many there are was settled before."""
        del top_k, namespace
        return [[self._evidence(text) for text in self._partners.get(query, ())] for query in queries]

    def term_document_frequency(self, terms: Iterable[str], namespace: str = "default") -> dict[str, int]:
        """In how many claims each term occurs."""
        del namespace
        wanted = {term: set(_words(term)) for term in terms}
        return {term: sum(parts <= bag for bag in self._bags) for term, parts in wanted.items()}

    def passage_count(self, namespace: str = "default") -> int:
        """Number of claims."""
        del namespace
        return len(self._bags)

    def content_hash(self, namespace: str | None = None) -> str:
        """SHA-256 over the claims in order."""
        del namespace
        return hashlib.sha256("\0".join(self._partners).encode("utf-8", "surrogatepass")).hexdigest()

    def _evidence(self, text: str) -> Evidence:
        name = f"claim {self._number[text]}"
        return Evidence(name, name, text, 0, len(text), score=0.0, retrieved_by="source")


def read_logical(
    scorer: VerifiedScorer, prompt: str, claims: Sequence[Claim], *, max_pairs: int
) -> LogicalReading:
    """Read the claims against what the prompt states (its questions state nothing), and against each other.

    A later claim is read against the earlier ones, the ``max_pairs`` pairs that share most words; the probability is
    that of the verdict ``contradicted``, for which NLI and the rule signals are fused. NLI alone finds two true
    statements of different things contradictory as often as not.

    Raises:
        SignalError: a claim could not be read.
    """
    texts = list(dict.fromkeys(claim.hypothesis for claim in claims))
    statements = [claim.hypothesis for claim in extract_claims(prompt).claims]
    partners, pairs = _partners(texts, max_pairs)
    against_prompt = _worst(scorer, texts, GivenTexts.of(*statements)) if statements else (0.0, "")
    later = [text for text in texts if partners[text]]
    against_own = _worst(scorer, later, OwnClaims(partners)) if later else (0.0, "")
    return LogicalReading(
        prompt=against_prompt[0],
        inner=against_own[0],
        statements=len(statements),
        pairs_read=sum(map(len, partners.values())),
        pairs=pairs,
        reason=max(against_prompt, against_own)[1],
    )


def _worst(scorer: VerifiedScorer, texts: Sequence[str], source: GivenTexts | OwnClaims) -> tuple[float, str]:
    """The highest probability of a contradiction, with the claim and what the signals say of it.

    A reader is not asked: there are hundreds of pairs, and it is there for the knowledge base.
    """
    found = scorer.by_signals().judge([Claim(text, 0, len(text)) for text in texts], source)
    for verdict in found:
        if verdict.status is Status.ERROR or verdict.ledger is None:
            raise SignalError(f"{verdict.reason}: {verdict.text!r}")
    return max((_contradicted(verdict), f"{verdict.text!r}: {verdict.reason}") for verdict in found)


def _contradicted(verdict: ClaimVerdict) -> float:
    return verdict.ledger.probabilities[Verdict.CONTRADICTED] if verdict.ledger else 0.0


def _partners(texts: Sequence[str], max_pairs: int) -> tuple[dict[str, list[str]], int]:
    """For each claim the earlier ones it is read against, and how many pairs there are in all."""
    bags = [frozenset(_words(text)) for text in texts]
    spread = Counter(word for bag in bags for word in bag)
    total = len(texts) * (len(texts) - 1) // 2
    near = (
        (-sum(1.0 / spread[word] for word in bags[one] & bags[two]), two, one)
        for one, two in each(combinations(range(len(texts)), 2))
    )
    kept = sorted(nsmallest(max_pairs, near), key=lambda pair: pair[1:])
    partners: dict[str, list[str]] = {text: [] for text in texts}
    for _, two, one in kept:
        partners[texts[two]].append(texts[one])
    return partners, total


def _words(text: str) -> list[str]:
    folded = normalise(text).text
    return [folded[start:end] for start, end in words(folded)]
