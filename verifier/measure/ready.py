"""Make signals and scorers that are ready for use; weights that nobody has learnt yet are learnt now.

Weights come from the first of these that has some: the fusion file of the configuration, those shipped for the NLI
model's fingerprint, those kept in the user's cache folder, and the labelled claims of the package, here and now.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from verifier_signals.base import Signal

from verifier import factory
from verifier.config import Settings
from verifier.core.alone import alone_with
from verifier.core.errors import ConfigError, SignalError
from verifier.core.once import made_once
from verifier.factory import SharedSignals, reading_settings
from verifier.knowledge.records import Progress
from verifier.readers.settings import MODEL_SIGNAL, signal_tables
from verifier.verification.decision.verdict import Fusion
from verifier.verification.retrieve import KnowledgeSource
from verifier.verification.scorer import VerifiedScorer

if TYPE_CHECKING:
    from verifier.measure.kept import Origin

__all__ = ["ReadySignals", "Weights", "build_scorer"]

LOG = logging.getLogger("verifier")

_OF_NO_SCORE = frozenset({"threads", "batch_tokens", "cache_size"})
"""Options of the NLI signal that no score depends on."""


@dataclass(frozen=True)
class Weights:
    """Which weights there are for the NLI model ``nli``, before any are learnt.

    ``source`` is ``shipped``, ``kept`` (at ``path``) or ``none``; a ``none`` with a ``path`` is a file there that
    cannot be used.
    """

    nli: str
    source: Literal["shipped", "kept", "none"]
    fusion: Fusion | None = None
    path: Path | None = None


@dataclass(frozen=True)
class ReadySignals(SharedSignals):
    """Signals whose weights are found, or else learnt, when the first scorer is built over them.

    Args:
        settings: those that the signals were built from.
        bars: opened while something takes long; gives what is told of its stages, or ``None``.
        tell: told, in one line, what takes long and why.
    """

    settings: Settings = field(default_factory=Settings)
    bars: Callable[[], AbstractContextManager[Progress | None]] = nullcontext
    tell: Callable[[str], None] = LOG.warning

    @classmethod
    def of(
        cls,
        settings: Settings,
        bars: Callable[[], AbstractContextManager[Progress | None]] = nullcontext,
        tell: Callable[[str], None] = LOG.warning,
    ) -> ReadySignals:
        """Built now; loaded, and their weights learnt, on first use.

        Raises:
            ConfigError: the table of a signal, or of the reader, is wrong.
        """
        own = SharedSignals.of(settings)
        return cls(own.signals, own.vocabulary, own.consultant, settings, bars, tell)

    @property
    def fusion(self) -> Fusion | None:
        """The weights; ``None`` where the scorer finds them by itself: configured, or shipped for the embedded model.

        Raises:
            ConfigError, MissingExtra: the NLI model cannot be loaded, or weights cannot be learnt.
            BackendError, SignalError: retrieval, or the model, failed as weights were learnt.
        """
        return self._fusion

    @made_once
    def _fusion(self) -> Fusion | None:
        if self.settings.verdict.fusion or self._is_plain:
            return None
        try:
            found = self.find()
        except SignalError:  # a model that cannot be loaded will be an error of every claim
            return None
        return found.fusion if found.fusion is not None else self._learn_alone(found)

    @property
    def model(self) -> str:
        """What the NLI model is called."""
        return str(getattr(self._model, "title", "the NLI model"))

    def find(self) -> Weights:
        """The weights there are; the configuration's own file is not looked at. Loads the NLI model.

        Raises:
            ConfigError, MissingExtra, SignalError: it cannot be loaded.
        """
        usable = self._model is not None and getattr(self._model, "available", True)
        nli = str(getattr(self._model, "fingerprint", "none")) if usable else "none"
        with suppress(ConfigError):
            return Weights(nli, "shipped", Fusion.embedded(nli))
        from verifier.measure.kept import Shelf

        kept = Shelf.of_user().find(nli, self._origin)
        if kept is None:
            return Weights(nli, "none")
        return Weights(nli, "kept" if kept.fusion else "none", kept.fusion, kept.path)

    def learn(self) -> tuple[Fusion, Path | None]:
        """:meth:`learn_only`, and keep the weights; without a path where they cannot be kept."""
        from verifier.measure.kept import Shelf

        fusion = self.learn_only()
        try:
            return fusion, Shelf.of_user().put(fusion, self._origin)
        except OSError as error:
            self.tell(
                f"the weights cannot be kept, and are learnt again next time: {error.strerror or error}; "
                "VERIFIER_CACHE_DIR names another folder"
            )
            return fusion, None

    def learn_only(self) -> Fusion:
        """Learn weights from the labelled claims of the package, whatever there is already.

        Raises:
            ConfigError, MissingExtra, BackendError, SignalError: they cannot be learnt.
        """
        from verifier.measure.first_use import duration, learn_weights

        def foretell(claims: int, seconds: float) -> None:
            self.tell(
                f"learning verdict weights for {self.model} from {claims} labelled claims of the package: about "
                f"{duration(seconds)}, once"
            )

        with self.bars() as progress:
            return learn_weights(self, self.model, progress=progress, foretell=foretell)

    def _learn_alone(self, found: Weights) -> Fusion:
        """Learn weights, unless another process does so meanwhile."""
        if found.path is not None:
            self.tell(f"the weights kept in {found.path} cannot be used, and are learnt anew")
        with self._turn(found.nli):
            again = self.find()
            return again.fusion if again.fusion is not None else self.learn()[0]

    @contextmanager
    def _turn(self, nli: str) -> Iterator[None]:
        from verifier.measure.kept import Shelf

        place = Shelf.of_user().place(nli, self._origin)
        if place is None:
            yield
            return
        with suppress(OSError):  # what follows says that nothing can be kept
            place.parent.mkdir(parents=True, exist_ok=True)
        waiting = f"another process is learning verdict weights for {self.model}; waiting for it"
        with alone_with(place.with_name(f".{place.stem}.lock"), lambda: self.tell(waiting)):
            yield

    @property
    def _model(self) -> Signal | None:
        return next((signal for signal in self.signals if signal.name == MODEL_SIGNAL), None)

    @property
    def _tables(self) -> dict[str, Any]:
        return signal_tables(reading_settings(self.settings)[1], self.settings.signals)

    @property
    def _is_plain(self) -> bool:
        """Whether the NLI model is the embedded one as it is, or switched off: weights for it are shipped."""
        table = self._tables.get(MODEL_SIGNAL, False)
        return not isinstance(table, Mapping) or not table.keys() - _OF_NO_SCORE

    @property
    def _origin(self) -> Origin:
        from verifier.measure.kept import Origin, rules_version

        on = {
            name: table for name, table in self._tables.items() if table is not False and name != MODEL_SIGNAL
        }
        return Origin(self.model, on, rules_version(), datetime.now(UTC).date().isoformat())


def build_scorer(
    settings: Settings,
    source: KnowledgeSource,
    shared: SharedSignals | None = None,
    *,
    progress: Progress | None = None,
) -> VerifiedScorer:
    """The scorer over ``source``, with weights.

    The first one with an NLI model that the package has no weights for learns them: from labelled claims that the
    package ships, once, in some minutes, after a line in the log of ``verifier`` that says how many. They are kept in
    the user's cache folder.

    Args:
        settings: the whole configuration.
        source: where evidence comes from.
        shared: signals that other scorers use too.
        progress: told of the stages where weights are learnt.

    Raises:
        ConfigError, MissingExtra: the configuration cannot work as it is.
        BackendError, SignalError: weights could not be learnt, since retrieval or the model failed.
    """
    if shared is None:
        shared = ReadySignals.of(settings, lambda: nullcontext(progress))
    return factory.build_scorer(settings, source, shared)
