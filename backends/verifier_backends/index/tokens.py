"""Index terms of a text: folded, stemmed words of any script, the same for documents and queries."""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass, field

import Stemmer

from verifier.core.errors import ConfigError
from verifier.core.patterns import compiled_later

__all__ = ["STOP_WORDS", "Analyzer", "words"]

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Kana, Han and Hangul: scripts whose words are not set apart by spaces, or carry their particles along."""

_NUMBER = r"\d+(?:[.,]\d+)+"
_ASCII_TOKEN = compiled_later(rf"{_NUMBER}|\w+(?:'\w+)*", re.ASCII)
_TOKEN = compiled_later(rf"{_NUMBER}|[{_CJK}]+|[^\W{_CJK}]+(?:'[^\W{_CJK}]+)*")
_CJK_RUN = compiled_later(rf"[{_CJK}]+")
_DIACRITIC = compiled_later("[\u0300-\u036f]")
_THOUSANDS = compiled_later(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")

STOP_WORDS = frozenset(
    """a an and are as at be been but by for from had has have he her his i in is it its of on or she that the
    their them there they this to was were which who will with you""".split()  # noqa: SIM905
)
"""English words without content. Negations, quantifiers and prepositions that change a meaning stay terms."""


def _fold(text: str) -> str:
    """Case, compatibility forms, Latin diacritics and typographic apostrophes levelled."""
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _DIACRITIC.sub("", decomposed)).casefold().replace("\u2019", "'")


def words(text: str) -> list[str]:
    """The folded words of ``text`` in order; digits keep their decimals, CJK runs become character bigrams.

    >>> words("Dvořák's 1,250.5 kg, isn't it? 東京都")
    ["dvorak's", '1250.5', 'kg', "isn't", 'it', '東京', '京都']
    """
    if text.isascii():
        tokens: list[str] = _ASCII_TOKEN.findall(text.lower())
    else:
        tokens = [piece for token in _TOKEN.findall(_fold(text)) for piece in _bigrams(token)]
    if "," in text:
        return [token.replace(",", "") if _THOUSANDS.fullmatch(token) else token for token in tokens]
    return tokens


def _bigrams(token: str) -> list[str]:
    if len(token) < 3 or not _CJK_RUN.match(token):
        return [token]
    return [token[i : i + 2] for i in range(len(token) - 1)]


@dataclass(frozen=True)
class Analyzer:
    """Turns text into index terms.

    Args:
        language: a Snowball stemmer's name (``english``, ``german`` ...), or ``None`` to leave words whole.
        stop_words: whether English words without content are left out.
    """

    language: str | None = "english"
    stop_words: bool = False
    _local: threading.local = field(default_factory=threading.local, repr=False, compare=False)

    def terms(self, text: str) -> list[str]:
        """The index terms of ``text``, repeated as often as they occur.

        >>> Analyzer(stop_words=True).terms("The refunds are paid, refunded")
        ['refund', 'paid', 'refund']

        Raises:
            ConfigError: there is no stemmer for ``language``.
        """
        kept = words(text)
        if self.stop_words:
            kept = [word for word in kept if word not in STOP_WORDS]
        return self.stems(kept)

    def stems(self, tokens: list[str]) -> list[str]:
        """The stem of each word; the words themselves where ``language`` is ``None``."""
        if self.language is None:
            return tokens
        stemmed: list[str] = self._stemmer().stemWords(tokens)
        return stemmed

    def _stemmer(self) -> Stemmer.Stemmer:
        # One for each thread: a Snowball stemmer keeps its working buffer in itself.
        if not hasattr(self._local, "stemmer"):
            try:
                self._local.stemmer = Stemmer.Stemmer(self.language)
            except KeyError as error:
                known = ", ".join(Stemmer.algorithms())
                raise ConfigError(f"no stemmer for language {self.language!r}; known: {known}") from error
        return self._local.stemmer
