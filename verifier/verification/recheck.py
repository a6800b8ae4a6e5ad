"""Verify again those claims of earlier reports whose evidence has changed, and say why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from verifier.knowledge.records import Progress
from verifier.types import Basis, Claim, ClaimVerdict, Evidence, Origin, Report, Status, Verdict
from verifier.verification.basis import knowledge_of, moved_words
from verifier.verification.grounded import rule_of
from verifier.verification.relocate import rebuilt, relocated
from verifier.verification.render.summary import label
from verifier.verification.report import UNREAD_FILES, decide, in_detail
from verifier.verification.retrieve import KnowledgeSource, unread_of
from verifier.verification.scorer import VerifiedScorer

__all__ = ["Cause", "Flip", "Rechecked", "recheck"]

OTHER_SETTINGS = "it was checked by another release, or with other settings or models"
OLD_REPORT = (
    "an earlier version made it and kept neither the text nor what was found; the text was put together from its "
    "claims"
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a claim was verified again: ``what`` has happened to ``where``, a passage, words or nothing nameable."""

    what: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


@dataclass(frozen=True, slots=True)
class Flip:
    """A claim whose verdict is another one now. ``before`` and ``after`` are verdicts, ``error``, ``abstained`` or
    ``skipped``; ``before`` is ``not a claim`` for one that the earlier report does not have."""

    text: str
    start: int
    before: str
    after: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What has become of one report.

    ``causes`` holds the claims of ``report`` that were verified again, by their number from 0, and why; ``whole`` says
    why all of them were, where one reason holds for all.
    """

    before: Report
    report: Report
    causes: Mapping[int, tuple[Cause, ...]]
    whole: str = ""

    @property
    def claims(self) -> int:
        """How many claims there are; spans that are none do not count."""
        return sum(claim.status in (Status.CHECKED, Status.ERROR) for claim in self.report.claims)

    @property
    def flips(self) -> list[Flip]:
        """The claims with another verdict than before, in text order."""
        earlier = {_key(one): label(one) for one in self.before.claims}
        found = []
        for n, claim in enumerate(self.report.claims):
            before, after = earlier.get(_key(claim), "not a claim"), label(claim)
            if before != after:
                found.append(Flip(claim.text, claim.start, before, after, self.causes.get(n, ())))
        return found


def recheck(
    scorer: VerifiedScorer,
    earlier: Sequence[Report],
    source: KnowledgeSource,
    *,
    progress: Progress | None = None,
) -> list[Rechecked]:
    """Bring reports up to what the knowledge base says now; each is decided by the rule it was decided by.

    A claim keeps its verdict where retrieval finds the passages that it rests on, in the same order, and all else that
    the verdict was worked out from is as it was; its quotations are then still in their places. Passages are looked for
    anew for every claim, unless the knowledge base and the configuration are those of the report. So the outcome is
    that of a full check, but for how rare words are, which may drift by ``MOST_DRIFT``.

    Raises:
        BackendError: retrieval failed.
    """
    done: dict[int, Rechecked] = {}
    groups: dict[str, list[int]] = {}
    for at, report in enumerate(earlier):
        groups.setdefault(str(report.kb.get("namespace", "default")), []).append(at)
    for namespace, places in groups.items():
        own = scorer.within(namespace)
        open_ = [at for at in places if not _is_current(own, earlier[at], source, namespace)]
        done |= {at: Rechecked(earlier[at], earlier[at], {}) for at in places if at not in open_}
        renewed = _renewed(own, [earlier[at] for at in open_], source, namespace, progress)
        done |= dict(zip(open_, renewed, strict=True))
    return [done[at] for at in range(len(earlier))]


def _is_current(scorer: VerifiedScorer, report: Report, source: KnowledgeSource, namespace: str) -> bool:
    """Whether knowledge base and configuration are those of the report, and nothing of it failed."""
    origin, own = report.origin, scorer.options["config"]
    if origin is None or not isinstance(own, Mapping) or _has_errors(report):
        return False
    told = knowledge_of(source, namespace)
    tables = all(report.config.get(name) == own.get(name) for name in ("backend", "chunking"))
    return bool(told) and origin.knowledge == told and origin.configuration == scorer.configuration and tables


def _has_errors(report: Report) -> bool:
    return any(claim.status is Status.ERROR for claim in report.claims)


def _renewed(
    scorer: VerifiedScorer,
    earlier: Sequence[Report],
    source: KnowledgeSource,
    namespace: str,
    progress: Progress | None,
) -> Iterator[Rechecked]:
    """The reports of one namespace, whose claims are one batch."""
    if not earlier:
        return
    origins = [report.origin or Origin(rebuilt(report), None, "") for report in earlier]
    standing = _Standing(scorer, earlier, source, len(unread_of(source, namespace)))
    cases = [(origin.response, origin.prompt) for origin in origins]
    reports = scorer.verify_many(cases, source=source, progress=progress, standing=standing)
    for before, now, causes, whole in zip(earlier, reports, standing.causes, standing.whole, strict=True):
        report = _as_before(before, now)
        again = {n: causes[_key(one)] for n, one in enumerate(report.claims) if _key(one) in causes}
        yield Rechecked(before, report, again, whole)


def _as_before(before: Report, now: Report) -> Report:
    """The report decided by the rule that the earlier one states, and in its detail."""
    config = {**now.config, **{name: before.config[name] for name in ("decision",) if name in before.config}}
    decision, rule = decide(
        now.claims, rule_of(before.config), hidden=now.hidden, unknown=now.unknown_sources
    )
    return in_detail(replace(now, decision=decision, rule=rule, config=config), before.detail)


_Key = tuple[int, int, str]


def _key(claim: Claim | ClaimVerdict) -> _Key:
    """Tells the claims of a response apart: several may be read out of one stretch."""
    return claim.start, claim.end, claim.hypothesis


class _Standing:
    """Says which verdicts of earlier reports stand, and remembers why the others do not."""

    def __init__(
        self, scorer: VerifiedScorer, earlier: Sequence[Report], source: KnowledgeSource, unread: int
    ) -> None:
        self._scorer, self._earlier, self._source, self._unread = scorer, earlier, source, unread
        self.causes: list[dict[_Key, tuple[Cause, ...]]] = [{} for _ in earlier]
        self.whole = [self._why_whole(report.origin) for report in earlier]

    def _why_whole(self, origin: Origin | None) -> str:
        if origin is None:
            return OLD_REPORT
        return "" if origin.configuration == self._scorer.configuration else OTHER_SETTINGS

    def __call__(self, claims: Sequence[Sequence[Claim]]) -> list[ClaimVerdict | None]:
        kept = [self._kept(at, some) for at, some in enumerate(claims)]
        pairs = list(chain(*kept))
        open_ = [(claim, verdict) for claim, verdict in zip(chain(*claims), pairs, strict=True) if verdict]
        found = iter(self._scorer.find([claim for claim, _ in open_], self._source) if open_ else ())
        counts = self._counts([verdict for _, verdict in open_])
        return [
            self._judged(at, claim, verdict, next(found) if verdict else None, counts)
            for at, (some, own) in enumerate(zip(claims, kept, strict=True))
            for claim, verdict in zip(some, own, strict=True)
        ]

    def _kept(self, at: int, claims: Sequence[Claim]) -> list[ClaimVerdict | None]:
        """For each claim of a response the verdict that may stand."""
        if self.whole[at]:
            return [None] * len(claims)
        earlier = {
            _key(one): one
            for one in self._earlier[at].claims
            if one.status is Status.CHECKED and one.basis is not None
        }
        return [earlier.get(_key(claim)) for claim in claims]

    def _counts(self, verdicts: Sequence[ClaimVerdict]) -> Mapping[str, int]:
        """In how many passages each word stands now that one of the verdicts rests on."""
        words = {word for verdict in verdicts if verdict.basis for word in verdict.basis.words}
        namespace = str(self._scorer.options["namespace"])
        return self._source.term_document_frequency(sorted(words), namespace) if words else {}

    def _judged(
        self,
        at: int,
        claim: Claim,
        verdict: ClaimVerdict | None,
        found: tuple[list[Evidence], Basis] | None,
        counts: Mapping[str, int],
    ) -> ClaimVerdict | None:
        """The verdict where it stands."""
        if verdict is None or verdict.basis is None or found is None:
            why = [Cause(self.whole[at] or "nothing was kept of what it rests on")]
        else:
            evidence, now = found
            why = [*_causes(verdict.basis, now, counts)]
            if self._unread != _unread_then(self._earlier[at]) and _is_untraced(verdict):
                why.append(Cause("other files could not be read"))
            stands = relocated(verdict, evidence)
            if not why and stands is not None:
                return replace(stands, basis=replace(verdict.basis, retrieved=now.retrieved))
            why = why or [Cause("moved", _sources(verdict))]
        self.causes[at][_key(claim)] = tuple(why)
        return None


def _unread_then(report: Report) -> int:
    return 0 if report.origin is None else report.origin.unread


def _is_untraced(verdict: ClaimVerdict) -> bool:
    """Whether it counts that files were not read."""
    return verdict.verdict is Verdict.FABRICATED or verdict.decided_by == UNREAD_FILES


def _sources(verdict: ClaimVerdict) -> str:
    return ", ".join(dict.fromkeys(item.source for item in verdict.evidence))


def _causes(before: Basis, now: Basis, counts: Mapping[str, int]) -> Iterator[Cause]:
    """What of a claim's grounds is not as it was."""
    old, new = (dict(one.partition(" ")[::2] for one in basis.retrieved) for basis in (before, now))
    gone = [place for digest, place in old.items() if digest not in new]
    come = [place for digest, place in new.items() if digest not in old]
    changed = {_source(place) for place in gone} & {_source(place) for place in come}
    for what, places in (("is no longer found", gone), ("is newly found", come)):
        for place in places:
            if _source(place) not in changed:
                yield Cause(what, _told(place))
            elif places is come:
                yield Cause("changed", _told(place))
    if not gone and not come and [*old] != [*new]:
        yield Cause("the passages found are in another order")
    if before.tables != now.tables:
        yield Cause("a row of a table that it is compared with changed")
    if words := moved_words(before, counts, now.passages):
        yield Cause("in more or fewer passages than before", ", ".join(words))


def _told(place: str) -> str:
    """A passage's place for people: the offset at which it begins in what was read of its source.

    >>> _told("notes: a.md:412")
    'notes: a.md, from character 412'
    """
    source, _, start = place.rpartition(":")
    return f"{source}, from character {start}"


def _source(place: str) -> str:
    """The source of a passage's place.

    >>> _source("notes: a.md:412")
    'notes: a.md'
    """
    return place.rpartition(":")[0]
