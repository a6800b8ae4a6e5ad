"""Named entity recognition by models, with the rules for what these leave: a head over the shipped encoder, or spaCy.

The head reads each token's vector and how it and its neighbours are written (the encoder folds capitals), scores the
nine BIO tags of persons, organisations, places and other names (Ramshaw and Marcus 1995), and takes the best sequence
(Viterbi 1967). ``python -m training names`` learns it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError
from verifier.core.models import check_files, embedded_model
from verifier.core.onnx import OnnxGraph, PairTokenizer
from verifier.core.registry import require
from verifier.core.sentences import sentence_spans
from verifier.core.text import unreadable_script
from verifier_signals.names.recognition import names_in
from verifier_signals.names.types import Name, Sort
from verifier_signals.syntax import read

__all__ = [
    "FOLDER",
    "TAGS",
    "EncodedTokens",
    "HeadNames",
    "NameHead",
    "SpacyNames",
    "TokenReader",
    "TrainedNames",
    "spans_of",
]


class TrainedNames(ABC):
    """Finds names with something trained, and with the rules what it leaves: codes, titles, products; also those that
    hold a figure, where it sees a part only (``ISO`` of ``ISO 27001``).

    Safe to call from several threads at once.
    """

    def __call__(self, text: str) -> tuple[Name, ...]:
        """The names of a text in reading order, not overlapping."""
        found: tuple[Name, ...] = self._remembered(text)
        return found

    @abstractmethod
    def spans(self, text: str) -> Mapping[tuple[int, int], str | None]:
        """Its own names, span to sort, without those of the rules; ``None`` for a sort that the rules are to tell."""

    @cached_property
    def _remembered(self) -> Any:
        return lru_cache(maxsize=2048)(self._names)

    def _names(self, text: str) -> tuple[Name, ...]:
        if unreadable_script(text) is not None:
            return ()
        tokens = read(text).tokens
        starts, ends = [token.start for token in tokens], [token.end for token in tokens]
        ruled = names_in(text)
        numbered = [name for name in ruled if any(map(str.isdecimal, name.text))]
        names: list[Name] = []
        taken: set[int] = set()
        for (start, end), sort in self.spans(text).items():
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            while first < last and (tokens[first].word.function or tokens[first].word.punct):
                first += 1
            whole = any(
                name.first <= first and last <= name.last and last - first < name.last - name.first
                for name in numbered
            )
            if first < last and not whole:
                names.append(Name(text, tokens, first, last, sort))
                taken.update(range(first, last))
        names += [name for name in ruled if taken.isdisjoint(range(name.first, name.last))]
        return tuple(sorted(names, key=lambda name: name.first))


Span = tuple[int, int]

FOLDER = Path(__file__).parents[1] / "models" / "names"
"""Where the shipped head is: ``head.npz`` and ``config.json``."""
KINDS: Mapping[str, str | None] = {
    "PER": Sort.PERSON,
    "ORG": Sort.ORGANISATION,
    "LOC": Sort.PLACE,
    "MISC": None,
}
"""What is annotated, and the sort of name that it is; the rules tell the sort of the others."""
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
LONGEST = 256
"""Pieces of the tokenizer that are encoded at once; a longer sentence is read in parts."""
_LEARN = "learn it again: python -m training names"


@dataclass(frozen=True, slots=True)
class EncodedTokens:
    """The tokens of one sentence, and what the head reads of them."""

    spans: Sequence[Span]
    """Characters of the text."""
    inputs: NDArray[np.float32]
    """(tokens, hidden + 3 * shapes): the mean of its pieces' vectors; how it, the last and the next are written."""


class TokenReader:
    """Turns sentences into what the head reads.

    Args:
        tokenizer: of the encoder.
        encoder: its graph: ``input_ids`` in, ``vectors`` (1, tokens, hidden) out.
    """

    def __init__(self, tokenizer: Path, encoder: Path) -> None:
        self._tokenizer = PairTokenizer.from_file(tokenizer)
        self._encoder = OnnxGraph(encoder, ("input_ids",), ("vectors",))

    def __call__(self, text: str) -> list[EncodedTokens]:
        """Every sentence that has a token, in order."""
        tokens = [(token.start, token.end) for token in read(text).tokens]
        found = []
        for start, end in sentence_spans(text):
            own = [span for span in tokens if start <= span[0] < end]
            if own:
                vectors = self._vectors(text[start:end], start, own)
                found.append(EncodedTokens(own, np.hstack([vectors, _written(text, own)])))
        return found

    def _vectors(self, sentence: str, offset: int, tokens: Sequence[Span]) -> NDArray[np.float32]:
        """(tokens, hidden)"""
        [encoding] = self._tokenizer.encode([sentence])
        before, behind = self._tokenizer.frame
        parts = []
        for at in range(0, max(len(encoding.ids), 1), LONGEST):
            ids = np.array([*before, *encoding.ids[at : at + LONGEST], *behind], dtype=np.int64)
            [made] = self._encoder.run({"input_ids": ids}, len(ids))
            parts.append(made[0, len(before) : len(ids) - len(behind)].astype(np.float32))
        pieces = np.concatenate(parts)
        sums = np.zeros((len(tokens), pieces.shape[1]), dtype=np.float32)
        counts = np.zeros((len(tokens), 1), dtype=np.float32)
        at = 0
        for (start, _), piece in zip(encoding.offsets, pieces, strict=True):
            while at < len(tokens) - 1 and tokens[at][1] <= start + offset:
                at += 1
            sums[at] += piece
            counts[at] += 1
        return np.asarray(sums / np.maximum(counts, 1), dtype=np.float32)


def _written(text: str, tokens: Sequence[Span]) -> NDArray[np.float32]:
    """(tokens, 24): how each token, the one before and the one behind are written."""
    shapes = np.array([_shape(text[start:end]) for start, end in tokens], dtype=np.float32)
    shapes = np.column_stack([shapes, np.arange(len(tokens)) == 0]).astype(np.float32)
    nothing = np.zeros((1, shapes.shape[1]), dtype=np.float32)
    return np.hstack([shapes, np.vstack([nothing, shapes[:-1]]), np.vstack([shapes[1:], nothing])])


def _shape(surface: str) -> tuple[bool, ...]:
    return (
        surface[:1].isupper(),
        len(surface) > 1 and surface.isupper(),
        any(map(str.isupper, surface[1:])),
        surface[:1].islower(),
        surface[:1].isalpha(),
        any(map(str.isdigit, surface)),
        not any(map(str.isalnum, surface)),
    )


@dataclass(frozen=True, slots=True)
class NameHead:
    """A network of one hidden layer over token inputs, and what may follow what.

    Arrays: ``hidden`` (inputs, units) and ``hidden_bias`` (units,), ``output`` (units, tags) and ``output_bias``
    (tags,), ``follows`` (tags, tags): the score of the second tag behind the first, ``-inf`` where it cannot stand.
    """

    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    output: NDArray[np.float32]
    output_bias: NDArray[np.float32]
    follows: NDArray[np.float32]

    @classmethod
    def load(cls, folder: Path, encoder: str) -> NameHead:
        """Read a head that was learnt over this encoder's vectors.

        Args:
            folder: with ``head.npz`` and ``config.json``.
            encoder: fingerprint of the model whose encoder gives the vectors.

        Raises:
            ConfigError: there is none, it is damaged, or it was learnt over the vectors of another model.
        """
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            with (folder / "head.npz").open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                head = cls(**{name: arrays[name].astype(np.float32) for name in cls.__slots__})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise ConfigError(f"cannot read the named-entity head in {folder}; {_LEARN}") from error
        check_files(folder, config)
        if config.get("encoder") != encoder:
            raise ConfigError(
                f"the named-entity head in {folder} was learnt over the vectors of another model; {_LEARN}"
            )
        return head

    def tags(self, tokens: EncodedTokens) -> list[str]:
        """The best sequence of tags, one a token."""
        active = np.maximum(tokens.inputs @ self.hidden + self.hidden_bias, 0.0)
        scores = active @ self.output + self.output_bias
        best = scores[0] + np.array([-np.inf if tag.startswith("I") else 0.0 for tag in TAGS])
        came_from = []
        for row in scores[1:]:
            reached = best[:, None] + self.follows
            came_from.append(reached.argmax(axis=0))
            best = reached.max(axis=0) + row
        path = [int(best.argmax())]
        for origin in reversed(came_from):
            path.append(int(origin[path[-1]]))
        return [TAGS[at] for at in reversed(path)]


def spans_of(tokens: Sequence[Span], tags: Sequence[str]) -> dict[Span, str]:
    """The tagged names, span to kind.

    >>> spans_of([(0, 4), (5, 11), (12, 17)], ["B-PER", "I-PER", "O"])
    {(0, 11): 'PER'}
    """
    found: dict[Span, str] = {}
    begun: int | None = None
    for at, tag in enumerate((*tags, "O")):
        if begun is not None and not tag.startswith("I-"):
            found[tokens[begun][0], tokens[at - 1][1]] = tags[begun][2:]
            begun = None
        if tag.startswith("B-"):
            begun = at
    return found


class HeadNames(TrainedNames):
    """Finds names with the named-entity head over the embedded encoder, and with the rules what it leaves.

    Args:
        folder: of the head; the shipped one by default.

    Raises:
        ConfigError: on first use, where the installation has no embedded model or no head for it.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    def spans(self, text: str) -> dict[Span, str | None]:
        """The head's own names, span to sort, without those of the rules."""
        reader, head = self._opened
        return {
            span: KINDS[kind]
            for tokens in reader(text)
            for span, kind in spans_of(tokens.spans, head.tags(tokens)).items()
        }

    @cached_property
    def _opened(self) -> tuple[TokenReader, NameHead]:
        model = embedded_model("verifier_signals", "nli")
        if model is None or model.encoder is None:
            raise ConfigError(
                "head = true of the entity signal needs the embedded model, which is not installed"
            )
        return TokenReader(model.tokenizer, model.encoder), NameHead.load(self.folder, model.fingerprint())


_SORTS = {
    "PERSON": Sort.PERSON,
    "PER": Sort.PERSON,
    "ORG": Sort.ORGANISATION,
    "GPE": Sort.PLACE,
    "LOC": Sort.PLACE,
    "FAC": Sort.PLACE,
    "WORK_OF_ART": Sort.TITLE,
    "PRODUCT": Sort.OTHER,
    "LAW": Sort.OTHER,
    "EVENT": Sort.OTHER,
    "MISC": Sort.OTHER,
}
"""Labels that are names; nationalities, languages, dates and figures are none."""


class SpacyNames(TrainedNames):
    """Finds names with a spaCy pipeline, and with the rules what it leaves.

    Args:
        pipeline: an installed pipeline (``en_core_web_sm``) or the folder of one.

    Raises:
        MissingExtra: on first use, where spaCy is not installed.
        ConfigError: on first use, where there is no such pipeline.
    """

    def __init__(self, pipeline: str) -> None:
        self.pipeline = pipeline
        self._lock = Lock()

    def spans(self, text: str) -> dict[tuple[int, int], str | None]:
        """The pipeline's own names, span to sort, without those of the rules."""
        with self._lock:
            found = self._pipeline(text).ents
        return {
            (item.start_char, item.end_char): _SORTS[item.label_] for item in found if item.label_ in _SORTS
        }

    @cached_property
    def _pipeline(self) -> Any:
        spacy = require("spacy", extra="spacy")
        try:
            return spacy.load(self.pipeline)
        except OSError as error:
            raise ConfigError(
                f"spaCy has no pipeline {self.pipeline!r}; install one (python -m spacy download en_core_web_sm) "
                "or give the folder of one"
            ) from error
