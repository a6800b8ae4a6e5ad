"""The fusion: a claim's verdict with a calibrated probability, and the signal that decided.

The fusion is a multinomial logistic regression over named features: small enough to be read, calibrated by
construction on the data it was learnt from, and monotone where it must be, by sign constraints on its weights
(``verifier.measure.calibrate`` learns it). Rules stand above it and are stated in ``Fusion``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from verifier.core.errors import ConfigError
from verifier.readers import Answer
from verifier.types import Verdict
from verifier.verification.consultation.answers import Consulted, reader_verdict
from verifier.verification.decision.features import (
    CONFLICTS,
    FEATURES,
    IN_FAVOUR,
    READER,
    WindowScores,
    conflicting_checks,
    feature_names,
    signal_of,
)
from verifier.verification.decision.summary import ClaimCase, ReadClaim, summarise

__all__ = [
    "ANY_CHECK",
    "BEYOND_ODDS",
    "DENIED_CONTRADICTION",
    "LEARN_THEM",
    "LEAST_PRECISION",
    "STATED_SUPPORT",
    "Decided",
    "Fusion",
    "Veto",
    "as_worded",
    "support_of",
]

LEARN_THEM = (
    "learn them: verifier calibrate LABELLED.jsonl --learn-weights --kb DIR --output fusion.json, "
    'then set [verdict] fusion = "fusion.json"'
)
"""What mends a fusion of another NLI model."""

STATED_SUPPORT = 8 / 9
"""Support of what a document states word for word: Laplace's rule of succession over the seven claims of the labelled
sets that have been read (``corpora/verdicts``, all but ``fresh_*``) that are stated so and over which no two documents
disagree, all of them supported (``tests/integration/test_stated.py`` counts them). So few do not teach a weight."""


BEYOND_ODDS = 0.48
"""What the odds of support of a claim that repeats a sentence and adds words that no window has are multiplied by: the
odds that such claims hold over those of the mean support that the weights give them. Half of the weight is that of
claims written to be told apart (``training/written``, held back: 27 % hold), half that of public training sets (54 %);
``python -m benchmarks.near_copies`` reckons it."""


DENIED_CONTRADICTION = 0.9
"""The least probability of ``contradicted`` where a document says of the claim that it is not so."""


OF_ANOTHER_CONTRADICTION = 5 / 6
"""The least probability of ``contradicted`` where the evidence says of another what a claim says of its subject, and of
that something else in its place: Laplace's rule of succession over the four such claims of the labelled sets that have
been read (``corpora/verdicts``, all but ``fresh_*`` and ``untouched``), all of them contradicted."""


LEAST_PRECISION = 0.8
"""A check that is right less often than this, where it vetoes, leaves the verdict to the weights."""

ANY_CHECK = "any"
"""Name in ``Fusion.vetoes`` of all checks together."""


class Veto(NamedTuple):
    """The conflict feature that forbids ``supported``, and how often such a conflict is right, in [0, 1]."""

    feature: str
    precision: float


def support_of(read: ReadClaim | ClaimCase, support: float) -> float:
    """The probability of support that the wording leaves of that by the weights; a reader has seen the wording."""
    if read.consulted is not None and read.consulted.answer is not None:
        return support
    if read.stated:
        return max(support, STATED_SUPPORT)
    if not read.beyond:
        return support
    return support * BEYOND_ODDS / (1.0 - support + support * BEYOND_ODDS)


@dataclass(frozen=True, slots=True)
class Decided:
    """A verdict before it is put into words.

    ``probabilities`` sum to 1; ``decided_by`` names a signal; ``feature`` is the one that weighed most;
    ``vetoed`` says which conflict forbids ``supported``, where one does; ``withheld``, that the claim is probably
    what it says (supported or contradicted), but not certain enough.
    """

    verdict: Verdict
    probabilities: Mapping[Verdict, float]
    decided_by: str
    feature: str
    conflict: bool = False
    vetoed: str | None = None
    withheld: Verdict | None = None

    @property
    def confidence(self) -> float:
        """Probability that the verdict is right."""
        return self.probabilities[self.verdict]


@dataclass(frozen=True)
class Fusion:
    """Weights of the fusion, and the rules above it.

    ``logit(v) = bias[v] + sum_f weights[v][f] * feature[f]``, divided by ``temperature``, then softmax. Where the
    fusion was recalibrated on other claims than it was learnt from, the log-odds of ``supported`` are then multiplied
    by ``support_slope``, above 0, and raised by ``support_offset`` (Platt 1999); the others keep their proportions.

    Rules, in order:

    0. What a document states word for word (``ClaimCase.stated``) is supported with a probability of at least
       ``STATED_SUPPORT``. The odds of what repeats a sentence and adds words that nothing has
       (``ClaimCase.beyond``) are multiplied by ``BEYOND_ODDS``; what support loses counts for ``unverifiable``.
    1. Two sources that disagree (``ClaimCase.sources_disagree``, from ``confirmed_at``): ``unverifiable``, with the
       conflict flagged; what spoke for ``supported`` counts for ``unverifiable``.
    2. What a document says but does not assert (``ClaimCase.unasserted``) is not supported by it: ``contradicted``,
       with a probability of at least ``DENIED_CONTRADICTION``, where the document denies it, else ``unverifiable``.
    3. Where a conflict of at least ``veto_at`` stands in the window that speaks best for the claim, support has no more
       than the share of such claims that are supported all the same; the rest of it counts for ``contradicted``. That
       share is one less the precision of the check that found it (``vetoes``, by id; ``ANY_CHECK`` for one that is not
       named there). A check that is right less than eight times in ten vetoes nothing.
       So does it where the evidence says of another than its subject what it says (``ClaimCase.of_another``), with a
       probability of at least ``OF_ANOTHER_CONTRADICTION``, if it says something else of that in its place; else what
       spoke for ``supported`` counts for ``unverifiable``.
    4. The most probable verdict; among equals the first of contradicted, fabricated, unverifiable, supported. It is
       ``unverifiable`` and not ``fabricated`` where the knowledge base mentions all that the claim has.
    5. ``supported`` with a probability below ``supported_at`` is withheld, and ``contradicted`` with one below
       ``contradicted_at``: ``unverifiable``. The calibration sets both thresholds from labelled claims, so that false
       support and false denial stay under their targets (``figures["guarantee"]``, ``figures["denial"]``).

    A fusion with a ``reader`` weighs claims that a reader has read; its weights give the probabilities, and what holds
    of the reader's answer gives the verdict (:meth:`rule_of_reader`). ``settled_at`` says, by verdict, from which
    probability of the other fusion on a reader need not be asked.
    """

    nli: str
    weights: Mapping[str, Mapping[str, float]]
    bias: Mapping[str, float]
    temperature: float
    supported_at: float
    veto_at: float
    same_thing: float
    confirmed_at: float
    learnt_from: Mapping[str, Any]
    figures: Mapping[str, Any]
    support_slope: float = 1.0
    support_offset: float = 0.0
    reader: str = ""
    settled_at: Mapping[str, float] = field(default_factory=dict)
    contradicted_at: float = 0.0
    vetoes: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Fusion:
        """Read a fusion file.

        Raises:
            ConfigError: the file is missing, malformed, holds features that this version does not know, or a weight
                that turns one the wrong way.
        """
        try:
            return cls._of(json.loads(path.read_text(encoding="utf-8")), str(path))
        except OSError as error:
            raise ConfigError(f"cannot read fusion file {path}: {error.strerror}") from error
        except ValueError as error:
            raise ConfigError(f"fusion file {path} is malformed: {error}") from error

    @classmethod
    def embedded(cls, nli: str) -> Fusion:
        """The fusion shipped for this NLI model's fingerprint, ``"none"`` for no model.

        Raises:
            ConfigError: none was learnt with that model; the message gives the command that learns one.
        """
        folder = files("verifier.verification").joinpath("fusions")
        for entry in sorted(folder.iterdir(), key=lambda item: item.name):
            fusion = cls._of(json.loads(entry.read_text(encoding="utf-8")), entry.name)
            if fusion.nli == nli and not fusion.reader:
                return fusion
        raise ConfigError(
            f"no weights were learnt with NLI model {nli}, and those of another would misread it; {LEARN_THEM}"
        )

    @classmethod
    def of_kind(cls, kind: str) -> Fusion:
        """The fusion shipped for claims that a reader of this kind has read; that of chat models where there is none.

        It was learnt from the readings of one large model, and is calibrated for no other.
        """
        folder = files("verifier.verification").joinpath("fusions")
        file = folder.joinpath(f"{kind}.json")
        if not file.is_file():
            file = folder.joinpath("chat.json")
        return cls._of(json.loads(file.read_text(encoding="utf-8")), file.name)

    @classmethod
    def _of(cls, raw: Mapping[str, Any], where: str) -> Fusion:
        try:
            fusion = cls(**raw)
        except TypeError as error:
            raise ConfigError(f"fusion file {where} is malformed: {error}") from error
        if not fusion._is_of_numbers():
            raise ConfigError(
                f"fusion file {where} is malformed: every weight and threshold must be a number"
            )
        known = {name for name in feature_names(fusion.weights.values()) if "." in name} | set(FEATURES)
        unknown = {name for row in fusion.weights.values() for name in row} - known
        if unknown or set(fusion.weights) != {verdict.value for verdict in Verdict}:
            raise ConfigError(
                f"fusion file {where} does not fit this version; learn it again: verifier calibrate"
            )
        if not (fusion.support_slope > 0 and fusion.temperature > 0):
            raise ConfigError(f"fusion file {where}: support_slope and temperature must be above 0")
        if not all(0 <= share <= 1 for share in fusion.vetoes.values()):
            raise ConfigError(f"fusion file {where}: the precisions in vetoes must be from 0 to 1")
        if not 0 < fusion.veto_at <= 1:
            raise ConfigError(f"fusion file {where}: veto_at must be above 0 and at most 1")
        for name in FEATURES:
            if not fusion._keeps_its_way(name):
                allowed = "raise" if name in IN_FAVOUR else "lower"
                raise ConfigError(
                    f"fusion file {where}: the feature {name} may only {allowed} support, against each other "
                    "verdict, and its weights do otherwise"
                )
        return fusion

    def _is_of_numbers(self) -> bool:
        """Whether every number is one: against NaN no comparison holds, and nothing would be withheld any more."""
        tables = (self.bias, self.settled_at, self.vetoes, *self.weights.values())
        own = [self.supported_at, self.contradicted_at, self.confirmed_at, self.veto_at]
        own += [self.temperature, self.support_slope, self.support_offset]
        values: list[object] = [*own, *(value for table in tables for value in table.values())]
        return all(isinstance(value, int | float) and math.isfinite(value) for value in values)

    def _keeps_its_way(self, feature: str) -> bool:
        """Whether a feature moves the odds of ``supported`` against each other verdict, if at all, as it may.

        What counts is how far the weight of the other verdict is above that of ``supported``.
        """
        own = self.weights[Verdict.SUPPORTED].get(feature, 0.0)
        above = (self.weights[verdict].get(feature, 0.0) - own for verdict in Verdict)
        return all(lift <= 0 for lift in above) if feature in IN_FAVOUR else all(lift >= 0 for lift in above)

    def save(self, path: Path) -> None:
        """Write the file that ``load`` reads: sorted keys, one value a line."""
        path.write_text(json.dumps(asdict(self), indent=1, sort_keys=True) + "\n", encoding="utf-8")

    @property
    def third_parties(self) -> frozenset[str]:
        """The signals that are not ours and that the weights ask for."""
        return frozenset(
            signal_of(name) for row in self.weights.values() for name in row if name not in FEATURES
        )

    def refuse_others(self, signals: Set[str], nli: str) -> None:
        """Nothing, where the weights were learnt with these signals and this NLI model alone.

        Raises:
            ConfigError: they were not.
        """
        if self.reader:
            raise ConfigError("these weights were learnt with a reader: they belong under [reader] fusion")
        if missing := self.third_parties - signals:
            raise ConfigError(
                f"the weights ask for signals that are not switched on: {', '.join(sorted(missing))}"
            )
        if self.nli != nli:
            raise ConfigError(
                f"the weights were learnt with NLI model {self.nli}, and this is {nli}; {LEARN_THEM}"
            )

    def probabilities(self, features: Mapping[str, float]) -> dict[Verdict, float]:
        """The four probabilities, summing to 1."""
        logits = {
            verdict: (
                self.bias[verdict]
                + sum(weight * features.get(name, 0.0) for name, weight in self.weights[verdict].items())
            )
            / self.temperature
            for verdict in Verdict
        }
        others = [logits[verdict] for verdict in Verdict if verdict is not Verdict.SUPPORTED]
        rest = max(others) + math.log(sum(math.exp(value - max(others)) for value in others))
        odds = logits[Verdict.SUPPORTED] - rest
        logits[Verdict.SUPPORTED] = rest + self.support_slope * odds + self.support_offset
        top = max(logits.values())
        exps = {verdict: math.exp(value - top) for verdict, value in logits.items()}
        total = sum(exps.values())
        return {verdict: value / total for verdict, value in exps.items()}

    def case_of(self, read: ReadClaim) -> ClaimCase:
        """A claim as these weights take it: its readings, summed up."""
        return summarise(read, same_thing=self.same_thing)

    def decide(self, case: ClaimCase) -> Decided:
        """Apply the weights, then the rules: those of readers to a claim that one has answered."""
        return self.rule(case, self.probabilities(case.features))

    def rule_of_reader(
        self, case: ClaimCase, consulted: Consulted, chances: Mapping[Verdict, float]
    ) -> Decided:
        """The verdict on a claim that a reader has answered.

        1. Sources that the reader finds to disagree, *supported* over a proven conflict of values or names in the words
           that it quotes, and *contradicted* over a document that states the claim word for word, are a conflict:
           ``unverifiable``.
        2. What a reader shows is the verdict; what it does not find is ``fabricated`` or ``unverifiable``, whichever
           the weights hold for likelier.
        3. A reader that quotes nothing is weighed: the likeliest verdict.
        4. ``supported`` with a probability below ``supported_at`` is withheld.
        """
        insisted = consulted.insisted
        conflict = (
            consulted.reading.disputed
            or (insisted and consulted.answer is Answer.SUPPORTED and consulted.proven >= self.veto_at)
            or (insisted and consulted.answer is Answer.CONTRADICTED and case.stated)
        )
        verdict = reader_verdict(consulted, chances)
        if not consulted.quotes_needed:
            verdict = max(_PREFERENCE, key=lambda item: chances[item])
        withheld = verdict is Verdict.SUPPORTED and chances[verdict] < self.supported_at
        if conflict:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.UNVERIFIABLE)
        if conflict or withheld:
            verdict = Verdict.UNVERIFIABLE
        return Decided(
            verdict=verdict,
            probabilities=chances,
            decided_by=READER,
            feature=f"reader_{consulted.answer}",
            conflict=conflict,
            withheld=Verdict.SUPPORTED if withheld and not conflict else None,
        )

    def rule(self, case: ClaimCase, chances: Mapping[Verdict, float]) -> Decided:
        """Apply the rules to probabilities that are known already."""
        chances = self._by_own_words(case, chances)
        if case.consulted is not None and case.consulted.answer is not None:
            return self.rule_of_reader(case, case.consulted, chances)
        chances = as_worded(case, chances)
        vetoed = self.veto(case.pro) if case.pro is not None else None
        conflict = case.sources_disagree(self.confirmed_at)
        if conflict:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.UNVERIFIABLE)
        elif case.denied:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.CONTRADICTED)
            chances = _at_least(chances, Verdict.CONTRADICTED, DENIED_CONTRADICTION)
        elif case.unasserted is not None:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.UNVERIFIABLE)
        elif case.of_another is not None and case.of_another.conflict:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.CONTRADICTED)
            chances = _at_least(chances, Verdict.CONTRADICTED, OF_ANOTHER_CONTRADICTION)
        elif vetoed is not None:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.CONTRADICTED, keep=1.0 - vetoed.precision)
        elif case.of_another is not None or case.left_out:
            chances = _moved(chances, Verdict.SUPPORTED, Verdict.UNVERIFIABLE)
        traced = bool(case.readings) and not case.untraced and not self.third_parties
        if case.unasserted is not None or traced:
            chances = _moved(chances, Verdict.FABRICATED, Verdict.UNVERIFIABLE)
        verdict = max(_PREFERENCE, key=lambda item: chances[item])
        least = {Verdict.SUPPORTED: self.supported_at, Verdict.CONTRADICTED: self.contradicted_at}
        withheld = verdict if not conflict and chances[verdict] < least.get(verdict, 0.0) else None
        feature = self._weightiest(verdict, case.features)
        if conflict and case.dispute is not None:
            feature = (
                max(CONFLICTS, key=case.dispute[1].named) if case.dispute[1].barred is None else "polarity"
            )
        if conflict or withheld:
            verdict = Verdict.UNVERIFIABLE
        return Decided(
            verdict=verdict,
            probabilities=chances,
            decided_by=signal_of(feature),
            feature=feature,
            conflict=conflict,
            vetoed=None if vetoed is None else vetoed.feature,
            withheld=withheld,
        )

    def _by_own_words(self, case: ClaimCase, chances: Mapping[Verdict, float]) -> Mapping[Verdict, float]:
        """The probabilities with no more for *fabricated* than the claim earns without the words of its prompt."""
        if not case.claim.asked:
            return chances
        own = self.probabilities({**case.features, **case.own})[Verdict.FABRICATED] if case.untraced else 0.0
        spared = max(chances[Verdict.FABRICATED] - own, 0.0)
        return {
            **chances,
            Verdict.FABRICATED: chances[Verdict.FABRICATED] - spared,
            Verdict.UNVERIFIABLE: chances[Verdict.UNVERIFIABLE] + spared,
        }

    def veto(self, pro: WindowScores) -> Veto | None:
        """The strongest conflict of the window that speaks best for a claim, where it forbids ``supported``."""
        strongest = max(CONFLICTS, key=pro.named)
        if pro.named(strongest) < self.veto_at:
            return None
        known = self.vetoes.get(ANY_CHECK, 1.0)
        precision = max((self.vetoes.get(check, known) for check in conflicting_checks(pro)), default=known)
        return Veto(strongest, precision) if precision >= LEAST_PRECISION else None

    def _weightiest(self, verdict: Verdict, features: Mapping[str, float]) -> str:
        """The feature that lifts this verdict most above the mean of the others.

        What contradicts is a conflict, wherever there is one: a contradiction is never put down to what is missing.
        """

        def lift(name: str) -> float:
            own = self.weights[verdict].get(name, 0.0)
            others = [self.weights[other].get(name, 0.0) for other in Verdict if other is not verdict]
            return (own - sum(others) / len(others)) * features[name]

        names = feature_names([features])

        conflicts = [name for name in (*CONFLICTS, "ruled_out", "nli_contradiction") if features[name] > 0]
        eligible = conflicts if verdict is Verdict.CONTRADICTED and conflicts else names
        return max(eligible, key=lambda name: (lift(name), -names.index(name)))


def as_worded(case: ClaimCase, chances: Mapping[Verdict, float]) -> Mapping[Verdict, float]:
    """The probabilities that the wording leaves: what support gains the others lose in their proportions, and what it
    loses counts for ``unverifiable``."""
    own = chances[Verdict.SUPPORTED]
    support = support_of(case, own)
    if support < own:
        return {
            **chances,
            Verdict.SUPPORTED: support,
            Verdict.UNVERIFIABLE: chances[Verdict.UNVERIFIABLE] + own - support,
        }
    return _at_least(chances, Verdict.SUPPORTED, support)


def _at_least(chances: Mapping[Verdict, float], verdict: Verdict, least: float) -> Mapping[Verdict, float]:
    """The probabilities with at least so much for one verdict; the others lose it in their proportions."""
    own = chances[verdict]
    if own >= least:
        return chances
    scale = (1.0 - least) / (1.0 - own)
    return {one: least if one is verdict else chance * scale for one, chance in chances.items()}


def _moved(
    chances: Mapping[Verdict, float], ruled_out: Verdict, to: Verdict, *, keep: float = 0.0
) -> Mapping[Verdict, float]:
    """The probabilities where one verdict has at most ``keep``, and what it had beyond that counts for another."""
    kept = min(chances[ruled_out], keep)
    return {**chances, ruled_out: kept, to: chances[to] + chances[ruled_out] - kept}


_PREFERENCE = (Verdict.CONTRADICTED, Verdict.FABRICATED, Verdict.UNVERIFIABLE, Verdict.SUPPORTED)
