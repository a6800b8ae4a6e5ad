"""The NLI signal: the probabilities that a premise entails, leaves open or contradicts its hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from verifier.core.deadline import each
from verifier.core.errors import SignalError
from verifier.core.once import made_once
from verifier.core.onnx import EncodedPair, InferenceError, PairTokenizer
from verifier.core.recent import RecentlyUsed, digest
from verifier.core.text import unreadable_script
from verifier_signals.base import Signal
from verifier_signals.nli.kinds import CLASSES, Kind
from verifier_signals.nli.loaded import LoadedModel
from verifier_signals.nli.opening import Engine, ModelOptions, is_available, open_model
from verifier_signals.nli.windows import gathered_spans, pieces_of, window_spans
from verifier_signals.types import Finding, Outcome, Relation, SignalScore, TextPair

__all__ = ["NLIScorer", "NLISignal", "windowed"]

_MOST_UNKNOWN = 0.3
"""Share of tokens without an entry in the vocabulary above which a text counts as not read."""
_LEAST_ROOM = 8
"""One part in so many of a model's input must be left to the premise, or the hypothesis is too long."""

_LONG = 64
"""Tokens above which a premise of several sentences is also read in part."""
_NEAREST = 48
"""Tokens of that part. A fact among six others keeps its entailment (0.72 and more in ``test_nli_model.py``).
With the seventh round's model AUROC rose over 200 rows of each real set from 0.729 to 0.735, balanced accuracy
fell from 0.678 to 0.674. Of the 320 true claims of ``corpora/byhand`` 181 are found with it and 168 without, at the
same false support."""


class _Judgement(NamedTuple):
    entailment: float
    neutral: float
    contradiction: float
    unread: str = ""
    """Why the model could not read the pair; empty when it did."""


_NOTHING_READ = _Judgement(0.0, 1.0, 0.0)


class NLISignal(Signal):
    """Natural language inference over each pair, by the embedded model or any other classifier.

    ``support`` is the probability of entailment, ``outcome`` the likeliest class: entailment is consistent,
    contradiction conflicting, neutral absent; a tie goes to what speaks against the hypothesis. A model with
    two classes (entailment or not) never says contradiction, and its neutral is all that is not entailment.

    A premise that does not fit is read in overlapping windows of whole sentences w, and in one more that gathers the
    sentences nearest to the hypothesis from wherever they stand. Of a premise of over 64 tokens the nearest
    sentences are read by themselves, too, as many as fit into 48. Then ``entailment = max_w e_w``,
    ``contradiction = max_w c_w``, ``neutral = min_w n_w`` (they sum to 1 only over one window): no sentence's
    entailment is lost, and a premise that disagrees with itself shows both. ``benchmarks.aggregation`` compares ways.

    What the model cannot read (a foreign script, mostly unknown words, a hypothesis too long for its input)
    is ``ABSENT`` with one finding of kind ``unread`` whose note says why. It names no values otherwise.

    Args:
        model: a folder with an ONNX export (``model.onnx``, ``tokenizer.json``, ``config.json``), a folder
            with a Hugging Face model, or the id of one on the hub; ``None``: the embedded one.
        kind: what sort of model it is (``verifier_signals.nli.kinds``); ``auto``: what its configuration shows.
        engine: ``onnx``, ``transformers`` (extra ``transformers``) or ``auto``: by what the folder holds.
        labels: what the model's outputs mean, in their order, where its configuration does not say.
        max_tokens: the longest pair to read at once; by default what the model and its tokenizer say they can.
        threads: cores to use. With ``transformers`` it sets torch's number for the whole process.
        batch_tokens: tokens in one batch, padding included (``transformers``; ONNX reads each pair alone).
        revision: the commit on the hub, which a hub id must have.
        device: torch device (``transformers``); by default a GPU if there is one.
        dtype: ``float32``, ``float16`` or ``bfloat16`` (``transformers``); by default ``float32`` on the CPU and half
            precision on a GPU.
        tokenizer: a folder, or ``owner/name@commit``, whose tokenizer a model without one uses.
        remote_code: whether Python code that comes with the model may run (``transformers``).
        cache_size: how many pairs' results are remembered; 0 for none. (A model in two graphs remembers encoded
            texts besides, in a fixed number of bytes: ``verifier.core.split``.)
    """

    name: ClassVar[str] = "nli"
    feature_names: ClassVar[tuple[str, ...]] = CLASSES

    def __init__(
        self,
        model: str | None = None,
        *,
        kind: Kind = "auto",
        engine: Engine = "auto",
        labels: Sequence[str] | None = None,
        max_tokens: int | None = None,
        threads: int | None = None,
        batch_tokens: int = 4096,
        revision: str | None = None,
        device: str | None = None,
        dtype: Literal["float32", "float16", "bfloat16"] | None = None,
        tokenizer: str | None = None,
        remote_code: bool = False,
        cache_size: int = 8192,
    ) -> None:
        self.model = model
        self.options = ModelOptions(
            model=model,
            kind=kind,
            engine=engine,
            labels=labels,
            max_tokens=max_tokens,
            threads=threads,
            batch_tokens=batch_tokens,
            revision=revision,
            device=device,
            dtype=dtype,
            tokenizer=tokenizer,
            remote_code=remote_code,
        )
        self.cache_size = cache_size
        self._cache: RecentlyUsed[_Judgement] = RecentlyUsed(cache_size)

    @property
    def available(self) -> bool:
        """Whether there is a model to ask: one is named, or this installation has the embedded one.

        Raises:
            ConfigError: the embedded model is there but incomplete.
        """
        return is_available(self.options)

    @property
    def title(self) -> str:
        """The model as a person named it: a folder, a hub id with its commit, or the embedded one."""
        return self.options.title

    @property
    def fingerprint(self) -> str:
        """Names the weights and the settings that scores depend on; ``none`` without a model.

        Loads the model.

        Raises:
            ConfigError, MissingExtra, SignalError: the model cannot be loaded.
        """
        return self._loaded.fingerprint if self.available else "none"

    def score(self, pairs: Sequence[TextPair]) -> list[SignalScore]:
        """Score every pair; the same pair is read once.

        Raises:
            ConfigError: an option or the model's configuration is wrong.
            MissingExtra: the engine is not installed.
            SignalError: there is no model, or it cannot be loaded, or it failed.
        """
        found: dict[TextPair, _Judgement] = {}
        asked: list[TextPair] = []
        for pair in dict.fromkeys(TextPair(*pair) for pair in pairs):
            if _blank(pair.hypothesis) or _blank(pair.premise):
                found[pair] = _NOTHING_READ
            elif (kept := self._cache.get(digest(*pair))) is not None:
                found[pair] = kept
            else:
                asked.append(pair)
        if asked:
            fresh = self._judge(asked)
            self._cache.update((digest(*pair), judged) for pair, judged in fresh.items())
            found.update(fresh)
        return [self._as_score(TextPair(*pair), found[TextPair(*pair)]) for pair in pairs]

    def _as_score(self, pair: TextPair, judged: _Judgement) -> SignalScore:
        features = dict(zip(CLASSES, judged[:3], strict=True))
        if _blank(pair.hypothesis):
            return SignalScore(self.name, Outcome.NOT_APPLICABLE, None, (), features)
        findings: tuple[Finding, ...] = ()
        if judged.unread:
            text = pair.hypothesis
            findings = (Finding("unread", Relation.ABSENT, text, (0, len(text)), note=judged.unread),)
        return SignalScore(self.name, _outcome(judged), judged.entailment, findings, features)

    def _judge(self, pairs: Sequence[TextPair]) -> dict[TextPair, _Judgement]:
        """Read pairs with the model, all their windows in one go."""
        model = self._loaded
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = dict(zip(texts, model.tokenizer.encode(texts), strict=True))
        judged: dict[TextPair, _Judgement] = {}
        inputs: list[EncodedPair] = []
        rows: dict[TextPair, slice] = {}
        for pair in each(pairs):
            if reason := self._unread(model, pair, encoded):
                judged[pair] = _NOTHING_READ._replace(unread=reason)
                continue
            windows = windowed(model.tokenizer, model.limit, pair, encoded)
            rows[pair] = slice(len(inputs), len(inputs) + len(windows))
            inputs += windows
        if inputs:
            try:
                all_probabilities = model.probabilities(inputs)
            except InferenceError as error:
                raise SignalError(str(error)) from error
            for pair, own in rows.items():
                entailment, neutral, contradiction = np.clip(all_probabilities[own], 0.0, 1.0).T
                judged[pair] = _Judgement(
                    float(entailment.max()), float(neutral.min()), float(contradiction.max())
                )
        return judged

    def _unread(self, model: LoadedModel, pair: TextPair, encoded: dict[str, Any]) -> str:
        """Why the model cannot read a pair; empty when it can."""
        for side, text in zip(("evidence", "claim"), pair, strict=True):
            if self.model is None and (script := unreadable_script(text)):
                return f"the {side} is in {script} script, which the NLI model does not read"
            if model.tokenizer.unknown_share(encoded[text]) > _MOST_UNKNOWN:
                return f"most of the {side} is not in the NLI model's vocabulary"
        room = model.limit - model.tokenizer.special_tokens - len(encoded[pair.hypothesis].ids)
        if room < min(len(encoded[pair.premise].ids), model.limit // _LEAST_ROOM):
            return f"the claim is too long for the NLI model, which reads {model.limit} tokens"
        return ""

    @made_once
    def _loaded(self) -> LoadedModel:
        return open_model(self.options)


NLIScorer = NLISignal
"""The same class under the name of the first design."""


def _blank(text: str) -> bool:
    """Whether there is not one letter or digit to read."""
    return not any(map(str.isalnum, text))


def _outcome(judged: _Judgement) -> Outcome:
    # A lead within rounding is a tie.
    if judged.entailment > max(judged.neutral, judged.contradiction) + 1e-6:
        return Outcome.CONSISTENT
    return Outcome.CONFLICTING if judged.contradiction >= judged.neutral else Outcome.ABSENT


def windowed(
    tokenizer: PairTokenizer, limit: int, pair: TextPair, encoded: Mapping[str, Any]
) -> list[EncodedPair]:
    """A pair as one input for each window of its premise, and for what is gathered from it.

    Args:
        limit: the longest input, in tokens.
        encoded: what ``tokenizer`` makes of both texts.

    Raises:
        SignalError: the hypothesis leaves no room for a premise.
    """
    premise, hypothesis = encoded[pair.premise], encoded[pair.hypothesis]
    room = limit - tokenizer.special_tokens - len(hypothesis.ids)
    nearest = _nearest(pair, premise.offsets, min(_NEAREST, room)) if len(premise.ids) > _LONG else []
    if len(premise.ids) <= room:
        parts = [part for part in tokenizer.encode(nearest) if len(part.ids) <= room]
        return [tokenizer.join(part, hypothesis) for part in (premise, *parts)]
    budget = room
    while budget > 0:
        windows = tokenizer.encode([*_windows(pair, premise.offsets, budget), *nearest])
        excess = max(len(window.ids) for window in windows) - room
        if excess <= 0:
            return [tokenizer.join(window, hypothesis) for window in windows]
        # A text cut in another place can fall into a few tokens more.
        budget -= excess
        nearest = _nearest(pair, premise.offsets, min(_NEAREST, budget)) if nearest else []
    raise SignalError(f"cannot cut a premise of {len(premise.ids)} tokens into windows of {room}")


def _windows(pair: TextPair, offsets: Sequence[tuple[int, int]], budget: int) -> list[str]:
    """The premise in windows, then its sentences nearest to the hypothesis, where they do not stand in one window."""
    pieces = pieces_of(pair.premise, offsets, budget)
    windows = [pair.premise[start:end] for start, end in window_spans(pieces, budget)]
    return windows + [
        gathered
        for gathered in _nearest(pair, offsets, budget)
        if not any(gathered in window for window in windows)
    ]


def _nearest(pair: TextPair, offsets: Sequence[tuple[int, int]], budget: int) -> list[str]:
    """The sentences nearest to the hypothesis as one text; none where that is the whole premise, or nothing."""
    pieces = pieces_of(pair.premise, offsets, budget)
    spans = gathered_spans(pair.premise, pieces, pair.hypothesis, budget)
    whole = len(spans) == len(pieces)
    return [] if whole or not spans else [" ".join(pair.premise[start:end] for start, end in spans)]
