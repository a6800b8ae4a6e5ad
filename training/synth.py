"""Make synthetic pairs of documents and labelled pairs: edited sentences, missing evidence.

Four makers. :func:`edited` sets a sentence, edited by rule, against a window of its document; the label follows from
the edit. :func:`left_out` sets it there without one of its phrases, and whole where the phrase is missing.
:func:`without_evidence` sets it against a passage that lacks it, :func:`irrelevant` a claim against any passage.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from training.adjuncts import adjuncts_dropped
from training.data import Pair
from training.edits import BREAKING, KEEPING, Rule, names_in, swap_name
from verifier.core.text import sentence_spans

__all__ = [
    "TEMPLATED",
    "Neighbours",
    "documents",
    "edited",
    "in_chance_order",
    "left_out",
    "sentences_of",
    "short_pairs",
    "synthesise",
    "without_evidence",
]

DOCUMENT_SETS = (
    "redocred_claims.dev",
    "redocred_claims.test",
    "multirc_qa.train",
    "boolq_qa.val",
    "fever_nli.dev",
    "evidence_inference.train",
    "scifact_rte.train",
    "rte.train",
)
"""Sets whose premises are running text of several sentences."""

SHORT_SETS = (
    "lingnli",
    "fever_nli",
    "semiauto",
    "rte",
    "cad_nli",
    "snli",
    "fever_symmetric",
    "scifact_rte",
    "entailmentbank",
)
"""Sets with short premises, most of them a sentence."""

CLOSE_SETS = ("lingnli", "semiauto", "rte", "scifact_rte")
"""Those of which a close premise hardly ever entails the claim of another; captions are too much alike for that."""

TEMPLATED = (
    "boolq",
    "multirc",
    "breaking_nli",
    "hans",
    "help",
    "med",
    "monli",
    "semantic_fragments",
    "dnc",
    "bank",
)
"""Sets whose claims are made from a template, or about a single word: no phrase is left out of those."""

EVERYWHERE = frozenset({"unchanged", "spoken", "synonym", "opposite", "negated", "wrong year"})
"""Rules that fit almost any sentence, and would crowd out the others."""

Document = list[str]


def sentences_of(text: str) -> Document:
    """The sentences of a text that can stand by themselves: 5 to 60 words."""
    found = [re.sub(r"\s+", " ", text[start:end]) for start, end in sentence_spans(text)]
    return [sentence for sentence in found if 5 <= len(sentence.split()) <= 60]


def documents(pairs: Iterable[Pair]) -> list[Document]:
    """The different premises of :data:`DOCUMENT_SETS`, each as its sentences, in order of appearance."""
    texts = dict.fromkeys(pair.premise for pair in pairs if pair.source in DOCUMENT_SETS)
    return [found for found in map(sentences_of, texts) if found]


class Neighbours:
    """Finds a text that shares rare words with a given one: a topically close wrong passage."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._words = [set(re.findall(r"[a-z]{4,}", text.lower())) for text in texts]
        counts = Counter(word for words in self._words for word in words)
        self._postings: dict[str, list[int]] = defaultdict(list)
        for index, words in enumerate(self._words):
            for word in sorted(words, key=lambda word: (counts[word], word))[:12]:
                if 2 <= counts[word] <= 400:
                    self._postings[word].append(index)

    def close_to(self, index: int, rng: random.Random) -> int | None:
        """One of the three texts that share most words with text ``index``, itself and its copies left out."""
        shared = Counter(
            other for word in self._words[index] for other in self._postings.get(word, ()) if other != index
        )
        best = [other for other, _ in shared.most_common(6) if self.texts[other] != self.texts[index]][:3]
        return rng.choice(best) if best else None


def _window(document: Document, at: int, rng: random.Random, longest: int = 75) -> tuple[int, int]:
    """A run of whole sentences around sentence ``at``: one to six of them, about ``longest`` words at most."""
    first, last = at, at + 1
    for _ in range(rng.choice((0, 0, 1, 2, 2, 3, 5))):
        grow_left = rng.random() < 0.5
        new_first, new_last = (
            (max(first - 1, 0), last) if grow_left else (first, min(last + 1, len(document)))
        )
        if sum(len(sentence.split()) for sentence in document[new_first:new_last]) > longest:
            break
        first, last = new_first, new_last
    return first, last


def in_chance_order(rules: Mapping[str, Rule], rng: random.Random) -> list[tuple[str, Rule]]:
    """The rules in random order; three times in four those that fit almost any sentence come last."""
    order = list(rules.items())
    rng.shuffle(order)
    return sorted(order, key=lambda item: item[0] in EVERYWHERE) if rng.random() < 0.75 else order


def edited(document: Document, at: int, others: list[str], rng: random.Random) -> Iterator[Pair]:
    """One true and one false edit of sentence ``at`` against a window around it; ``others`` are names to swap in."""
    sentence = document[at]
    first, last = _window(document, at, rng)
    premise = " ".join(document[first:last])
    for name, rule in in_chance_order(KEEPING, rng):
        text = rule(sentence, rng)
        if text is not None:
            if name != "spoken" and rng.random() < 0.3:
                text = KEEPING["clause dropped"](text, rng) or text
            yield Pair(premise, text, "entailment", f"synthetic/{name}")
            break
    made = ((name, rule(sentence, rng)) for name, rule in in_chance_order(BREAKING, rng))
    swapped = swap_name(sentence, [name for name in names_in(premise) if name not in sentence] or others, rng)
    broken = next(((name, text) for name, text in made if text), None)
    if swapped is not None and (broken is None or rng.random() < 0.35):
        yield Pair(premise, swapped, "contradiction", "synthetic/name swapped")
    elif broken is not None:
        text = broken[1]
        if rng.random() < 0.3:
            # The edit must survive the shortening, or the label would not follow from it.
            shorter = KEEPING["clause dropped"](text, rng)
            text = (
                shorter
                if shorter and shorter not in (KEEPING["clause dropped"](sentence, rng), sentence)
                else text
            )
            text = broken[1] if text in sentence else text
        yield Pair(premise, text, "contradiction", f"synthetic/{broken[0]}")


def left_out(premise: str, sentence: str, rng: random.Random) -> Iterator[Pair]:
    """A true sentence without a phrase, and half the time the whole one against what lacks the phrase.

    Args:
        premise: what entails the sentence, word for word or not.
        sentence: the claim.
        rng: where chance comes from.
    """
    shorter = adjuncts_dropped(sentence, rng)
    if shorter is None:
        return
    yield Pair(premise, shorter, "entailment", "synthetic/adjunct dropped")
    if rng.random() < 0.5:
        lacking = premise.replace(sentence, shorter) if sentence in premise else shorter
        gone = set(re.findall(r"\w{4,}", sentence)) - set(re.findall(r"\w{4,}", shorter))
        # Another sentence may say what this one no longer does.
        if gone and not gone & set(re.findall(r"\w{4,}", lacking)):
            yield Pair(lacking, sentence, "neutral", "synthetic/adjunct added")


def without_evidence(document: Document, at: int, wrong: Document, rng: random.Random) -> Iterator[Pair]:
    """Sentence ``at`` against its document without it, and against a close ``wrong`` document."""
    sentence = document[at]
    claim = KEEPING["clause dropped"](sentence, rng) or sentence
    rest = document[:at] + document[at + 1 :]
    if len(rest) >= 2:
        first, last = _window(rest, min(at, len(rest) - 1), rng)
        # Its neighbours may say the same in other words; only that it is not contradicted word for word is sure.
        yield Pair(" ".join(rest[first:last]), claim, "not_entailment", "synthetic/evidence removed")
    elif wrong and sentence not in wrong:
        first, last = _window(wrong, rng.randrange(len(wrong)), rng)
        yield Pair(" ".join(wrong[first:last]), claim, "neutral", "synthetic/wrong passage")


def irrelevant(claim: str, texts: Sequence[Document], rng: random.Random) -> Pair:
    """A claim against a window of any document: what most windows of a long premise are to a claim."""
    text = rng.choice(texts)
    first, last = _window(text, rng.randrange(len(text)), rng)
    return Pair(" ".join(text[first:last]), claim, "neutral", "synthetic/irrelevant passage")


def short_pairs(pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs of :data:`SHORT_SETS` whose premise has at most 45 words."""
    return [pair for pair in pairs if pair.source.startswith(SHORT_SETS) and len(pair.premise.split()) <= 45]


def synthesise(pairs: Sequence[Pair], rows: int, seed: int) -> list[Pair]:
    """About ``rows`` synthetic pairs from the training pairs.

    Five in ten are edits and claims without their evidence, three leave a phrase out, one is a claim against an
    irrelevant passage and one a claim against the premise of a close other pair.
    """
    rng = random.Random(seed)
    texts, short = documents(pairs), short_pairs(pairs)
    if not texts or not short:
        return []
    made = list(_from_documents(texts, rows * 5 // 10, rng))
    made.extend(islice(_left_out(texts, pairs, rng), rows * 3 // 10))
    made.extend(
        irrelevant(pair.hypothesis, texts, rng) for pair in rng.sample(short, min(rows // 10, len(short)))
    )
    premises = sorted({pair.premise for pair in short})
    nearest = Neighbours(premises)
    place_of = {premise: index for index, premise in enumerate(premises)}
    general = [pair for pair in short if pair.source.startswith(CLOSE_SETS)]
    for pair in rng.sample(general, min(rows // 10, len(general))):
        near = nearest.close_to(place_of[pair.premise], rng)
        if near is not None:
            close = Pair(premises[near], pair.hypothesis, "not_entailment", "synthetic/close premise")
            made.append(close)
    return made


def _left_out(texts: Sequence[Document], pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """Pairs of :func:`left_out`, from sentences of the documents and from entailed claims by chance."""
    asked = [(pair.premise, pair.hypothesis) for pair in pairs if _may_lose(pair)]
    for text in texts:
        for at, sentence in enumerate(text):
            first, last = _window(text, at, rng)
            asked.append((" ".join(text[first:last]), sentence))
    rng.shuffle(asked)
    for premise, sentence in asked:
        yield from left_out(premise, sentence, rng)


def _may_lose(pair: Pair) -> bool:
    return (
        pair.label == "entailment" and not pair.source.startswith(TEMPLATED) and pair.hypothesis.endswith(".")
    )


def _from_documents(texts: Sequence[Document], rows: int, rng: random.Random) -> Iterator[Pair]:
    """About ``rows`` edited sentences and claims without their evidence."""
    close = Neighbours([" ".join(text) for text in texts])
    names = sorted({name for text in texts for name in names_in(" ".join(text))})
    places = [(index, at) for index, text in enumerate(texts) for at in range(len(text))]
    rng.shuffle(places)
    made = 0
    for index, at in places:
        if made >= rows:
            return
        fresh = list(edited(texts[index], at, rng.sample(names, min(5, len(names))), rng))
        if rng.random() < 0.6:
            wrong = close.close_to(index, rng)
            fresh.extend(without_evidence(texts[index], at, texts[wrong] if wrong is not None else [], rng))
        made += len(fresh)
        yield from fresh
