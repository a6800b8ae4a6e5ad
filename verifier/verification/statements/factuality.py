"""Factuality (veridicality): whether a document asserts a sentence, denies, asks, plans it, ..., clause by clause.

A small transformer (Vaswani et al. 2017, normalised first) reads the embedded encoder's vectors of a sentence, of its
frame (headings, stems of lists, neighbours) and of how its pieces are written, narrowed to a few dimensions. Each
sentence is encoded once, by itself, and kept: it is its neighbours' frame too. ``python -m training factuality`` learns
the model. :func:`support_bar` tells what a statement's factuality means for a claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, read
from verifier_signals.syntax.verbs import VerbGroup

from verifier.core.errors import ConfigError
from verifier.core.kept import code_stamp, kept
from verifier.core.lexicon import lexicon
from verifier.core.models import check_files, embedded_model, read_config
from verifier.core.onnx import OnnxGraph, PairTokenizer, side_by_side
from verifier.core.recent import RecentlyUsed, digest
from verifier.core.text import LIST_ITEM, sentence_spans
from verifier.types import Span
from verifier.verification.statements.types import Factuality, FramedSentence

__all__ = [
    "FOLDER",
    "GRAPHS",
    "KINDS",
    "MARKS",
    "PLACES",
    "ClauseFactuality",
    "EncodedPieces",
    "EncodedSentence",
    "FactualityHead",
    "FrameReader",
    "chances_by",
    "chances_of",
    "clause_spans",
    "decided",
    "factuality_of",
    "framed_sentences",
    "parts_by",
    "support_bar",
]

# -- reading of a sentence and its frame -----------------------------------------------------------------------

PLACES = ("itself", "heading", "outer heading", "before", "two before", "after", "two after")
"""What a piece can belong to, seen from the sentence in question."""
MARKS = ("whole", "quoted", "label", "labelled", "asks", "leads", "short", "shared")
"""How a piece is written: it stands for its whole sentence; in quotation marks; ahead of the sentence's colon; behind
it; in a sentence that ends with a question mark, with a colon, that is short; or is a piece of the sentence in question
too (or, in that one, of its frame)."""

LONGEST, LONGEST_NEAR, LONGEST_FAR = 160, 28, 12
"""Pieces that are read of a sentence, of one that frames it, and of one behind that; the middle of a longer one is left
out."""
SHORT = 7
"""Pieces of a short sentence, at most: ``That is not true.``"""
LABEL = 6
"""Pieces of a label, at most: ``The true state of things: ...``"""

_QUOTED = re.compile(r"[\"“„«]([^\"”“»\n]*)[\"”“»]|(?<!\w)['‘]([^'’\n]+)['’](?!\w)")
_MARKUP = re.compile(r"[*_#`>|~]+")


@dataclass(frozen=True, slots=True)
class EncodedPieces:
    """A sentence as the encoder reads it: the first row stands for the whole.

    ``values`` (1 + pieces, 2 * hidden), the vectors of the pieces in their sentence and those of them by themselves, or
    (1 + pieces, width) once they are narrowed; ``marks`` (1 + pieces, marks) without ``shared``; ``ids`` of the pieces
    and their ``spans`` in the sentence.
    """

    values: NDArray[np.float32]
    marks: NDArray[np.float32]
    ids: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class EncodedSentence:
    """A sentence with its frame: its own pieces first, ``spans`` of these in it (without the first, for the whole).

    ``values`` (n, as those of :class:`EncodedPieces`), ``marks`` (n, marks), ``places`` (n,), indices into
    :data:`PLACES`.
    """

    values: NDArray[np.float32]
    marks: NDArray[np.float32]
    places: NDArray[np.int64]
    spans: tuple[Span, ...]


class FrameReader:
    """Turns framed sentences into what the head reads.

    Args:
        tokenizer: of the encoder.
        encoder: its graph: ``input_ids`` in, ``vectors`` and ``words`` (1, tokens, hidden) out, those of the pieces in
            their sentence and by themselves.
        narrow: what is made of the values of a sentence before they are kept; they themselves by default.
        kept: how many sentences' values are kept.
    """

    def __init__(
        self,
        tokenizer: Path,
        encoder: Path,
        *,
        narrow: Callable[[NDArray[np.float32]], NDArray[np.float32]] = np.asarray,
        kept: int = 8192,
    ) -> None:
        self._narrow = narrow
        self._tokenizer = PairTokenizer.from_file(tokenizer)
        self._encoder = OnnxGraph(encoder, ("input_ids",), ("vectors", "words"))
        self._read = lru_cache(maxsize=kept)(self._pieces)

    def __call__(self, framed: FramedSentence) -> EncodedSentence:
        """The vectors of a sentence and its frame."""
        own = self._read(_plain(framed.text))
        parts = [(0, own), *((at, self._frame_of(at, text)) for at, text in _frame(framed))]
        around = {piece for _, part in parts[1:] for piece in part.ids}
        shared = [
            [0.0, *(float(piece in (around if at == 0 else own.ids)) for piece in part.ids)]
            for at, part in parts
        ]
        return EncodedSentence(
            np.concatenate([part.values for _, part in parts]),
            np.column_stack(
                [np.concatenate([part.marks for _, part in parts]), np.concatenate(shared)]
            ).astype(np.float32),
            np.concatenate([np.full(len(part.values), at) for at, part in parts]),
            own.spans,
        )

    def prepare(self, sentences: Sequence[FramedSentence]) -> None:
        """Have the encoder read what several sentences and their frames hold, on as many cores as there are."""
        texts = [
            *dict.fromkeys(
                _plain(text)
                for one in sentences
                for text in (one.text, *(around for _, around in _frame(one)))
            )
        ]
        side_by_side(self._read, texts, [len(text) for text in texts], None)

    def _frame_of(self, place: int, text: str) -> EncodedPieces:
        far = PLACES[place].startswith(("two", "outer"))
        return _ends(self._read(_plain(text)), LONGEST_FAR if far else LONGEST_NEAR)

    def _pieces(self, sentence: str) -> EncodedPieces:
        [encoding] = self._tokenizer.encode([sentence])
        before, behind = self._tokenizer.frame
        ids, spans = list(encoding.ids), [tuple(span) for span in encoding.offsets]
        if len(ids) > LONGEST:
            half = LONGEST // 2
            ids, spans = ids[:half] + ids[-half:], spans[:half] + spans[-half:]
        given = np.array([*before, *ids, *behind], dtype=np.int64)
        vectors, words = self._encoder.run({"input_ids": given}, len(given))
        read = slice(len(before) - 1, len(before) + len(ids))
        values = np.hstack([vectors[0, read], words[0, read]]).astype(np.float32)
        return EncodedPieces(self._narrow(values), _marks(sentence, spans), tuple(ids), tuple(spans))


def _ends(read: EncodedPieces, most: int) -> EncodedPieces:
    """The beginning and the end of a long sentence."""
    size = len(read.ids)
    if size <= most:
        return read
    last = most // 3
    at = [*range(most - last), *range(size - last, size)]
    rows = [0, *(one + 1 for one in at)]
    return EncodedPieces(
        read.values[rows],
        read.marks[rows],
        tuple(read.ids[one] for one in at),
        tuple(read.spans[one] for one in at),
    )


def _plain(sentence: str) -> str:
    """The sentence without bullets and marks of emphasis; every character keeps its place."""
    bullet = LIST_ITEM.match(sentence)
    kept = " " * bullet.end() + sentence[bullet.end() :] if bullet else sentence
    return _MARKUP.sub(lambda match: " " * len(match[0]), kept)


def _frame(framed: FramedSentence) -> Iterator[tuple[int, str]]:
    """What frames a sentence, the nearest first of each kind, with its place."""
    for kind, texts in (
        (("heading", "outer heading"), framed.above[::-1]),
        (("before", "two before"), framed.before[::-1]),
        (("after", "two after"), framed.after),
    ):
        yield from (
            (PLACES.index(place), text) for place, text in zip(kind, texts, strict=False) if text.strip()
        )


def _marks(sentence: str, spans: Sequence[Span]) -> NDArray[np.float32]:
    """(1 + pieces, marks - 1)"""
    quotes = [match.span() for match in _QUOTED.finditer(sentence)]
    told = sentence.rstrip(" *_\"'”’)")
    asks, leads, short = told.endswith("?"), told.endswith(":"), len(spans) <= SHORT
    colon = next((at for at, span in enumerate(spans[: LABEL + 1]) if sentence[slice(*span)] == ":"), -1)
    rows = [(True, False, False, False, asks, leads, short)]
    for at, (start, end) in enumerate(spans):
        quoted = any(left <= start and end <= right for left, right in quotes)
        rows.append((False, quoted, at < colon, -1 < colon < at, asks, leads, short))
    return np.array(rows, dtype=np.float32)


# -- model -----------------------------------------------------------------------------------------------------

FOLDER = Path(str(files("verifier_signals"))) / "models" / "factuality"
"""Where the shipped head is, beside the model whose encoder it reads."""
GRAPHS = ("narrow.onnx", "head.onnx")
"""What reads the values of one sentence, and what reads those of a sentence and its frame."""
KINDS = tuple(Factuality)
"""What the head tells apart, in the order of its outputs."""
_LEARN = "learn it again: python -m training factuality"
_PACKAGE = Path(__file__).parents[2]

_Array = NDArray[np.float32]


class FactualityHead:
    """The two graphs of a folder.

    ``asserted_at`` and ``denied_at``, in (0, 1), are the least probabilities at which a clause counts as asserted, and
    one that does not as denied, chosen on plain texts as the head was learnt (``training.factuality``).

    Args:
        folder: with :data:`GRAPHS` and ``config.json``.
        encoder: fingerprint of the model whose encoder gives the vectors; ``None`` not to look.

    Raises:
        ConfigError: there is no head, it is damaged, or it was learnt over the vectors of another model.
    """

    def __init__(self, folder: Path, encoder: str | None) -> None:
        lacking = [name for name in (*GRAPHS, "config.json") if not (folder / name).is_file()]
        if lacking:
            raise ConfigError(f"the factuality head in {folder} lacks {', '.join(lacking)}; {_LEARN}")
        config = read_config(folder / "config.json")
        check_files(folder, config)
        if encoder is not None and config.get("encoder") != encoder:
            raise ConfigError(f"the factuality head in {folder} was learnt over another model; {_LEARN}")
        self.asserted_at = float(config.get("asserted_at", 0.5))
        self.denied_at = float(config.get("denied_at", 0.5))
        narrow, head = (folder / name for name in GRAPHS)
        self._narrow = OnnxGraph(narrow, ("values",))
        self._head = OnnxGraph(head, ("narrowed", "marks", "places"))

    def narrow(self, values: _Array) -> _Array:
        """(pieces, width): what one sentence's values (pieces, 2 * hidden) come to, each word beside its neighbours."""
        [made] = self._narrow.run({"values": values}, len(values))
        return np.asarray(made[0], dtype=np.float32)

    def __call__(self, read: EncodedSentence) -> _Array:
        """(pieces, kinds): the logits of each of the sentence's own pieces, in the order of :data:`KINDS`, from values
        that are narrowed."""
        given: dict[str, NDArray[Any]] = {"narrowed": read.values, "marks": read.marks, "places": read.places}
        [logits] = self._head.run(given, len(read.values))
        return np.asarray(logits[0, 1 : len(read.spans) + 1], dtype=np.float32)


# -- frames ----------------------------------------------------------------------------------------------------

NEIGHBOURS = 2
"""Sentences before and after one that may tell whether it is asserted."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
"""Years in headings are left out: ``Refund policy 2023`` plans nothing, and ends nothing."""
_UNTICKED = re.compile(r"\s*(?:[-*+•]\s+)?(?:\[ ?\]|☐)\s")


def framed_sentences(
    text: str, sentences: Sequence[Span], above: Sequence[tuple[str, ...]]
) -> list[FramedSentence]:
    """Each sentence with the headings and stems ``above`` it and its neighbours.

    Args:
        text: the passage.
        sentences: their spans in it, in order.
        above: for each, what governs it, outermost first.
    """
    told = [text[start:end] for start, end in sentences]
    return [
        FramedSentence(
            one,
            tuple(_YEAR.sub("", heading) for heading in above[at]),
            tuple(told[max(at - NEIGHBOURS, 0) : at]),
            tuple(told[at + 1 : at + 1 + NEIGHBOURS]),
            _UNTICKED.match(one) is not None,
        )
        for at, one in enumerate(told)
    ]


# -- clauses and sentences -------------------------------------------------------------------------------------

ASSERTED_SHARE = 0.4
"""Share of a sentence's pieces in asserted clauses from which it counts as asserted, those clauses apart that are not:
``Until 2019 it was 5 EUR; since then it is 9 EUR``."""


_TOLD: RecentlyUsed[Factuality] = RecentlyUsed(16384)
"""What was told of sentences in their frames."""


class ClauseFactuality(NamedTuple):
    """A clause of a sentence, and whether the document asserts it."""

    span: Span
    factuality: Factuality


def factuality_of(sentences: Sequence[FramedSentence]) -> list[Factuality]:
    """The factuality of each sentence, by that of its clauses.

    Raises:
        ConfigError: this installation has no embedded model, or no head for it.
    """
    keys = [_key_of(one) for one in sentences]
    found = {key: kind for key in keys if (kind := _TOLD.get(key)) is not None}
    found |= _kept(key for key in keys if key not in found)
    fresh = {key: one for key, one in zip(keys, sentences, strict=True) if key not in found}
    if fresh:
        told = _read(fresh)
        found |= told
        if (readings := kept()) is not None:
            readings.put({key: bytes([KINDS.index(kind)]) for key, kind in told.items()})
    _TOLD.update(found.items())
    return [found[key] for key in keys]


def _key_of(framed: FramedSentence) -> bytes:
    """Names a sentence with its frame, the head, and the code that reads it."""
    counts = f"{len(framed.above)} {len(framed.before)} {framed.unticked} {_head_stamp()}"
    return digest(counts, framed.text, *framed.above, *framed.before, *framed.after)


@lru_cache(maxsize=1)
def _head_stamp() -> str:
    """Names the shipped head, the model whose encoder it reads, and the code that takes sentences apart for it."""
    code = (Path(str(files("verifier_signals"))), *(_PACKAGE / name for name in ("core", "verification")))
    return digest((FOLDER / "config.json").read_text("utf-8"), code_stamp(*code)).hex()


def _kept(keys: Iterable[bytes]) -> dict[bytes, Factuality]:
    """What an earlier process has told of these sentences, where the knowledge base keeps it."""
    readings, asked = kept(), list(keys)
    if readings is None or not asked:
        return {}
    return {
        key: KINDS[value[0]]
        for key, value in readings.get(asked).items()
        if len(value) == 1 and value[0] < len(KINDS)
    }


def _read(fresh: Mapping[bytes, FramedSentence]) -> dict[bytes, Factuality]:
    if len(fresh) > 1:
        _opened()[0].prepare([*fresh.values()])
    return {key: _of_sentence(one) for key, one in fresh.items()}


def _of_sentence(framed: FramedSentence) -> Factuality:
    if framed.unticked:
        return Factuality.PLANNED
    if framed.text.rstrip(" \"”'’*_)").endswith("?"):
        return Factuality.ASKED
    return decided(_parts_of(framed))


def decided(parts: Sequence[ClauseFactuality]) -> Factuality:
    """What a sentence is as a whole: asserted where enough of it is, else as most of it is."""
    sizes = dict.fromkeys(KINDS, 0)
    for (start, end), kind in parts:
        sizes[kind] += end - start
    asserted = sizes.pop(Factuality.ASSERTED)
    rest = sum(sizes.values())
    if asserted >= ASSERTED_SHARE * (asserted + rest):
        return Factuality.ASSERTED
    return max(sizes, key=lambda kind: sizes[kind])


@lru_cache(maxsize=8192)
def _parts_of(framed: FramedSentence) -> tuple[ClauseFactuality, ...]:
    """The clauses of a sentence, each with its factuality; neighbours of the same kind are one part.

    Raises:
        ConfigError: this installation has no embedded model, or no head for it.
    """
    return parts_by(*_opened(), framed)


def parts_by(
    reader: FrameReader, head: FactualityHead, framed: FramedSentence
) -> tuple[ClauseFactuality, ...]:
    """The same by a given head, whose ``narrow`` the reader uses."""
    encoded = reader(framed)
    if not encoded.spans:
        return ()
    logits = head(encoded)
    found: list[ClauseFactuality] = []
    for inside, (start, end) in _clauses(framed.text, encoded.spans):
        kind = _kind(logits[inside].mean(axis=0), head)
        if found and found[-1].factuality is kind:
            found[-1] = ClauseFactuality((found[-1].span[0], end), kind)
        else:
            found.append(ClauseFactuality((start, end), kind))
    return tuple(found)


def clause_spans(sentence: str) -> list[Span]:
    """The clauses of a sentence, which cover all of it."""
    reading = read(sentence)
    starts = [reading.tokens[clause.first].start for clause in reading.clauses]
    starts = [0, *starts[1:]]
    return list(zip(starts, [*starts[1:], len(sentence)], strict=True))


def chances_of(framed: FramedSentence) -> list[dict[Factuality, float]]:
    """The probabilities of each clause of a sentence that the document asserts it, denies it, ..., in their order."""
    return chances_by(*_opened(), framed)


def chances_by(
    reader: FrameReader, head: FactualityHead, framed: FramedSentence
) -> list[dict[Factuality, float]]:
    """The same by a given head, whose ``narrow`` the reader uses."""
    encoded = reader(framed)
    if not encoded.spans:
        return []
    logits = head(encoded)
    return [_by_kind(logits[inside].mean(axis=0)) for inside, _ in _clauses(framed.text, encoded.spans)]


def _clauses(sentence: str, pieces: Sequence[Span]) -> Iterator[tuple[list[int], Span]]:
    """The clauses that have pieces, each with the indices of these."""
    for start, end in clause_spans(sentence):
        inside = [at for at, span in enumerate(pieces) if start <= span[0] < end]
        if inside:
            yield inside, (start, end)


def _kind(logits: NDArray[np.float32], head: FactualityHead) -> Factuality:
    """The likeliest kind, by the head's thresholds: what is not surely denied is merely not asserted."""
    chances = _by_kind(logits)
    if chances.pop(Factuality.ASSERTED) >= head.asserted_at:
        return Factuality.ASSERTED
    if chances[Factuality.DENIED] < head.denied_at:
        del chances[Factuality.DENIED]
    return max(chances, key=lambda kind: chances[kind])


def _by_kind(logits: NDArray[np.float32]) -> dict[Factuality, float]:
    chances = np.exp(logits - logits.max())
    return dict(zip(KINDS, (chances / chances.sum()).tolist(), strict=True))


@lru_cache(maxsize=1)
def _opened() -> tuple[FrameReader, FactualityHead]:
    model = embedded_model("verifier_signals", "nli")
    if model is None or model.encoder is None:
        raise ConfigError(
            "whether a document asserts a sentence is read by the embedded model, which is missing"
        )
    head = FactualityHead(FOLDER, model.fingerprint())
    return FrameReader(model.tokenizer, model.encoder, narrow=head.narrow), head


# -- what it means for a claim ---------------------------------------------------------------------------------

_DENYING_WORDS = lexicon("not never no nobody nothing none neither nor cannot without")
_FUTURE = lexicon("will shall won't")
_PAST_BE = lexicon("was were wasn't weren't had hadn't did didn't")
_WITHIN = 0.9
"""Share of a claim's words that stand in one clause from which it is that clause that the claim repeats."""
_LONGEST = 600
"""Code points of a premise whose clauses are read; longer ones are several sentences joined."""


def support_bar(factuality: Factuality, premise: str, claim: str) -> Factuality | None:
    """What keeps a statement of that factuality from supporting a claim, ``None`` for nothing.

    It may where it is asserted, and where the claim asserts no more than it does (``The fee was 5 EUR until 2019.`` of
    a fee that ended). What is asserted as a whole supports nothing that stands in a clause of it that is not, such as
    its condition.

    Args:
        factuality: of the statement, as its document has it.
        premise: its words.
        claim: what it is to support.
    """
    if factuality is Factuality.ASSERTED:
        return _unasserted_clause(premise, claim)
    return None if factuality is _of_claim(claim) or _says_no_more(factuality, claim) else factuality


def _says_no_more(factuality: Factuality, claim: str) -> bool:
    """Whether the claim's own words tell that it says what such a statement does."""
    lows = set(read(claim).lows)
    match factuality:
        case Factuality.DENIED:
            return bool(lows & _DENYING_WORDS) or any(low.endswith(("n't", "n’t")) for low in lows)
        case Factuality.PLANNED:
            return bool(lows & _FUTURE)
        case Factuality.ENDED:
            return _in_past(claim)
        case _:
            return False


@lru_cache(maxsize=4096)
def _of_claim(claim: str) -> Factuality:
    return _of_sentence(FramedSentence(claim))


def _in_past(claim: str) -> bool:
    """Whether all that a claim says is told in the past."""
    reading = read(claim)
    verbs = [group for clause in reading.clauses for group in clause.verbs]
    return bool(verbs) and all(_is_past(reading, group) for group in verbs)


def _is_past(reading: Reading, group: VerbGroup) -> bool:
    first, main = reading.tokens[group.first].word, reading.tokens[group.main].word
    if group.first != group.main or first.low in _PAST_BE:
        return first.low in _PAST_BE
    return main.verb is not None and main.verb.form == "past"


@lru_cache(maxsize=4096)
def _unasserted_clause(premise: str, claim: str) -> Factuality | None:
    """What the clause is that has nearly all words of a claim, in a sentence that says more than that clause."""
    wanted = {word.key for word in content_words(claim)}
    if not wanted or len(premise) > _LONGEST:
        return None
    for start, end in sentence_spans(premise):
        sentence = premise[start:end]
        if len(read(sentence).clauses) < 2 or not _covers(sentence, wanted):
            continue
        for span, kind in _parts_of(FramedSentence(sentence)):
            if kind is not Factuality.ASSERTED and _covers(sentence[slice(*span)], wanted):
                return kind if _of_claim(claim) is Factuality.ASSERTED else None
    return None


def _covers(text: str, wanted: set[str]) -> bool:
    found = {word.key for word in content_words(text)}
    return len(wanted & found) >= _WITHIN * len(wanted)
