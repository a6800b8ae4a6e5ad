"""How alike two texts are: by vectors, entailment, characters, words or a rule of the user's."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from verifier_backends.encoders import Encoder
from verifier_signals.base import Signal
from verifier_signals.types import TextPair

from verifier.core.errors import ConfigError, SignalError
from verifier.core.text import folded, words

__all__ = [
    "CharacterSimilarity",
    "CommandSimilarity",
    "EmbeddingSimilarity",
    "EntailmentSimilarity",
    "FunctionSimilarity",
    "Similarity",
    "WordSimilarity",
]

Matrix = NDArray[np.float64]
_Item = TypeVar("_Item")

_SAME_AT = 0.8
"""Where the design's band of high consistency begins; two texts at least so alike count as the same answer."""


class Similarity(Protocol):
    """How alike each two of some texts are.

    ``same_at`` is the value from which two texts count as the same answer.
    """

    @property
    def name(self) -> str:
        """What the measure is called in results and in the configuration."""

    @property
    def same_at(self) -> float:
        """The value, in [0, 1], from which two texts count as the same answer."""

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """Shape [n, n], symmetric, values in [0, 1], ones on the diagonal.

        Raises:
            SignalError: a value could not be had. None is made up.
        """


class EmbeddingSimilarity:
    """The cosine of the texts' vectors; one that points away counts as 0.

    Args:
        encoder: turns texts into unit vectors; a text without features has a zero row and is like none but itself.
        same_at: from which cosine two texts count as the same answer.
    """

    name = "embedding"

    def __init__(self, encoder: Encoder, same_at: float = _SAME_AT) -> None:
        self._encoder, self.same_at = encoder, same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """One batch through the encoder, one matrix product."""
        vectors = np.asarray(self._encoder.encode(texts), dtype=np.float64)
        return _sealed(vectors @ vectors.T, self.name)


class EntailmentSimilarity:
    """How surely each of two texts follows from the other: the lesser of the two probabilities of entailment.

    Both ways, since an answer that says more than another follows from it in one direction only (Kuhn et al. 2023,
    arXiv:2302.09664, equivalence by bidirectional entailment).

    Args:
        nli: a signal whose features hold ``entailment``.
        context: put before every text, such as the question: short answers mean little without it.
        same_at: from which probability two texts count as the same answer.
    """

    name = "entailment"

    def __init__(self, nli: Signal, *, context: str = "", same_at: float = 0.5) -> None:
        self._nli, self._context, self.same_at = nli, context, same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """All ordered pairs in one batch; equal texts are not asked about."""
        read = [f"{self._context} {text}".strip() for text in texts]
        asked = [(i, j) for i in range(len(texts)) for j in range(len(texts)) if read[i] != read[j]]
        scores = self._nli.score([TextPair(read[i], read[j]) for i, j in asked])
        follows = np.ones((len(texts), len(texts)))
        for (i, j), score in zip(asked, scores, strict=True):
            follows[i, j] = score.features["entailment"]
        return _sealed(np.minimum(follows, follows.T), self.name)


class CharacterSimilarity:
    """The share of characters that two texts have in common, in order (normalised Indel similarity)."""

    name: ClassVar[str] = "characters"

    def __init__(self, same_at: float = _SAME_AT) -> None:
        self.same_at = same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """Letter case and accents count for nothing."""
        read = [folded(text) for text in texts]
        ratios = process.cdist(read, read, scorer=fuzz.ratio, dtype=np.float64)
        return _sealed(ratios / 100, self.name)


class WordSimilarity:
    """The share of two texts' distinct words that both have (Jaccard)."""

    name: ClassVar[str] = "words"

    def __init__(self, same_at: float = _SAME_AT) -> None:
        self.same_at = same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """A text without words is like none but itself."""
        bags = [_bag(folded(text)) for text in texts]
        return _pairwise(bags, lambda a, b: len(a & b) / len(a | b) if a | b else 0.0, self.name)


class FunctionSimilarity:
    """A rule of the user's: any function of two texts, for code, tables or whatever needs a measure of its own.

    Args:
        function: gives a number for two texts. Where it depends on their order, the mean of both orders counts.
        name: what results call it.
        same_at: from which value two texts count as the same answer.
    """

    def __init__(
        self, function: Callable[[str, str], float], *, name: str = "function", same_at: float = _SAME_AT
    ) -> None:
        self._function, self.name, self.same_at = function, name, same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """Calls the function for every ordered pair of different positions."""
        return _pairwise(texts, lambda a, b: (self._measured(a, b) + self._measured(b, a)) / 2, self.name)

    def _measured(self, a: str, b: str) -> float:
        try:
            return float(self._function(a, b))
        except Exception as error:
            raise SignalError(f"similarity {self.name!r} failed: {type(error).__name__}: {error}") from error


class CommandSimilarity:
    """A program of the user's: reads ``{"texts": [...]}`` as JSON on stdin, writes the matrix as JSON on stdout.

    Args:
        command: the program and its arguments; no shell is involved.
        timeout: seconds until a silent program counts as failed.
        same_at: from which value two texts count as the same answer.
    """

    name: ClassVar[str] = "command"

    def __init__(self, command: Sequence[str], *, timeout: float = 60.0, same_at: float = _SAME_AT) -> None:
        if not command:
            raise ConfigError("similarity 'command' needs a program")
        self._command, self._timeout, self.same_at = tuple(command), timeout, same_at

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """One run of the program for all texts together."""
        if shutil.which(self._command[0]) is None:
            raise ConfigError(f"similarity 'command': no such program: {self._command[0]}")
        question = json.dumps({"texts": list(texts)})
        try:
            answer = subprocess.run(
                self._command,
                input=question,
                capture_output=True,
                text=True,
                timeout=self._timeout,
                check=True,
            ).stdout
            values = np.array(json.loads(answer), dtype=np.float64)
        except subprocess.TimeoutExpired as error:
            raise SignalError(f"similarity 'command' gave no answer in {self._timeout:g} s") from error
        except subprocess.CalledProcessError as error:
            raise SignalError(f"similarity 'command' ended with exit code {error.returncode}") from error
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise SignalError("similarity 'command' wrote no JSON matrix of numbers") from error
        if values.shape != (len(texts), len(texts)):
            raise SignalError(
                f"similarity 'command' wrote an array of shape {list(values.shape)} for {len(texts)} texts"
            )
        return _sealed((values + values.T) / 2, self.name)


def _bag(folded: str) -> frozenset[str]:
    return frozenset(folded[start:end] for start, end in words(folded))


def _pairwise(items: Sequence[_Item], measure: Callable[[_Item, _Item], float], name: str) -> Matrix:
    values = np.ones((len(items), len(items)))
    for i, first in enumerate(items):
        for j in range(i):
            values[i, j] = values[j, i] = measure(first, items[j])
    return _sealed(values, name)


def _sealed(values: Matrix, name: str) -> Matrix:
    """Clamped to [0, 1], ones on the diagonal.

    Raises:
        SignalError: a value is not a number: clamping would turn it into one.
    """
    if not np.isfinite(values).all():
        at = next(index for index, value in np.ndenumerate(values) if not math.isfinite(value))
        raise SignalError(f"similarity {name!r} of texts {at[0] + 1} and {at[1] + 1} is {values[at]}")
    clamped = np.clip(values, 0.0, 1.0)
    np.fill_diagonal(clamped, 1.0)
    return clamped
