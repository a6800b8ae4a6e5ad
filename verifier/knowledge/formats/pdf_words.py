"""Join words that the layout of a page has torn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from verifier.core.lexicon import lexicon

__all__ = ["Vocabulary", "is_word", "whole_words"]

_BROKEN = re.compile(r"(?<![\w-])((?:\w++-(?=\w))*)(\w++)[-\u2010\u00ad][ \t]*\n[ \t]*(?=([a-zà-öø-ÿ]\w*))")
_TOKEN = re.compile(r"\w+(?:-\w+)*")
_LEAST_LEFT = 2
"""Letters that typesetters leave at least at the end of a line when they break a word (TeX: ``\\lefthyphenmin``)."""
_PREFIXES = lexicon("""
    anti co counter cross ex extra half inter mid multi near non post pre quasi re self semi sub super ultra
    """)
"""Parts of compounds that are no words of their own."""
_PIECES = re.compile(r"(?<![\w.,:;'’-])[^\W\d_]++(?: [^\W\d_]++)+(?![\w'’-])")
_MOST_PIECES = 6
_SHORTEST = 4
"""Letters of a word that may be put together from pieces."""
_TORN_VALUE = re.compile(r"(?<=\d) (?=:\d\d(?!\d)|,\d{3}(?!\d))")
_TORN_FIGURE = re.compile(r"(?<=\d) (?=[.,]\d)|(?<=\d:) (?=\d\d(?!\d))")
_RUN_OF_LETTERS = re.compile(r"(?<!\S)[^\W\d_](?: [^\W\d_]){3,}(?!\S)")


class Vocabulary:
    """The words of one document, for what no list of words has.

    Args:
        texts: its pages.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        for text in texts:
            words = [word.lower() for word in _TOKEN.findall(_BROKEN.sub(" ", text))]
            self._counts.update(words)
            self._pairs.update(pairwise(words))

    def has(self, word: str) -> bool:
        """Whether the document has the word, not broken at the end of a line."""
        return self._counts[word.lower()] > 0

    def keeps_together(self, first: str, second: str) -> bool:
        """Whether one of two pieces is hardly ever met without the other, so that it may be no word by itself."""
        first, second = first.lower(), second.lower()
        return 2 * self._pairs[first, second] >= min(self._counts[first], self._counts[second])

    def knows(self, word: str) -> bool:
        """Whether it is a word of the language or of the document."""
        return is_word(word) or self.has(word)


@lru_cache(maxsize=4096)
def is_word(word: str) -> bool:
    """Whether a form is English: in the lexicon, an inflection of a word there, a month or a day of the week.

    >>> is_word("presented"), is_word("Saturday"), is_word("aturday"), is_word("harbour")
    (True, True, False, True)
    """
    from verifier_signals.lexicon import verb_of
    from verifier_signals.spelling import one_spelling
    from verifier_signals.stems import lemma

    low = word.lower()
    verb = verb_of(low)
    bases = {low, lemma(low)} if verb is None else {low, lemma(low), verb.lemma}
    return not _listed().isdisjoint(bases | {one_spelling(base) for base in bases})


@cache
def _listed() -> frozenset[str]:
    from verifier_signals.lexicon import common_words
    from verifier_signals.lexicon.calendar import MONTHS, WEEKDAYS
    from verifier_signals.syntax import FUNCTION_WORDS

    return common_words() | frozenset(FUNCTION_WORDS) | frozenset(MONTHS) | frozenset(WEEKDAYS)


def whole_words(text: str, vocabulary: Vocabulary) -> str:
    """The text with words made whole that were broken at the end of a line or spaced out.

    Only hyphens at the ends of lines and spaces are taken away, and the line ends between the parts of a word.

    >>> whole_words("The op-\\nposite bank of the well-\\nknown har-\\nbour", Vocabulary([]))
    'The opposite bank of the well-known harbour'
    >>> whole_words("The m arket is on S aturday from 7 :30.", Vocabulary([]))
    'The market is on Saturday from 7:30.'
    """

    def joined(match: re.Match[str]) -> str:
        before, first, last = match[1], match[2], match[3]
        soft = "\u00ad" in match[0]
        whole = soft or (not before and _is_one_word(first, last, vocabulary))
        return f"{before}{first}" if whole else f"{before}{first}-"

    text = _BROKEN.sub(joined, text).replace("\u00ad", "")
    text = _RUN_OF_LETTERS.sub(lambda match: _closed(match[0], vocabulary), text)
    surely = _PIECES.sub(lambda match: _put_together(match[0].split(" "), vocabulary, sure=True), text)
    if surely != text:  # words are torn on this page: those whose pieces happen to be words may be as well
        text = _PIECES.sub(lambda match: _put_together(match[0].split(" "), vocabulary, sure=False), surely)
        text = _TORN_FIGURE.sub("", text)
    return _TORN_VALUE.sub("", text)


def _is_one_word(first: str, last: str, vocabulary: Vocabulary) -> bool:
    """Whether the hyphen between two parts is the typesetter's, and not the word's own."""
    whole = first + last
    if vocabulary.has(whole):
        return True
    if len(first) < _LEAST_LEFT or any(map(str.isdigit, first)) or vocabulary.has(f"{first}-{last}"):
        return False
    if is_word(whole):
        return True
    return not (is_word(last) and (is_word(first) or first.lower() in _PREFIXES))


def _closed(letters: str, vocabulary: Vocabulary) -> str:
    """``I n v o i c e`` as a word, where it is one."""
    whole = letters.replace(" ", "")
    return whole if vocabulary.knows(whole) else letters


def _put_together(pieces: list[str], vocabulary: Vocabulary, *, sure: bool) -> str:
    """Neighbouring pieces as one word, where they make one and none of them is a word; not ``sure``: not all are."""
    out: list[str] = []
    at = 0
    while at < len(pieces):
        size = next(
            (
                n
                for n in range(min(_MOST_PIECES, len(pieces) - at), 1, -1)
                if _is_torn(pieces[at : at + n], vocabulary, sure)
            ),
            1,
        )
        out.append("".join(pieces[at : at + size]))
        at += size
    return " ".join(out)


def _is_torn(pieces: Sequence[str], vocabulary: Vocabulary, sure: bool) -> bool:
    """Whether pieces are one word that spaces have torn. A lone letter is no proof: ``plan B at noon``."""
    whole = "".join(pieces)
    first, *others = pieces
    if (
        len(whole) < _SHORTEST
        or not all(map(str.islower, others))
        or not (first.islower() or first.istitle())
    ):
        return False
    strange = [piece for piece in pieces if not is_word(piece)]
    if not any(len(piece) > 1 for piece in strange) or (sure and len(strange) < len(pieces)):
        return False
    if 2 * len(strange) < len(pieces) or not vocabulary.knows(whole):
        return False
    return all(vocabulary.keeps_together(*pair) for pair in pairwise(pieces))
