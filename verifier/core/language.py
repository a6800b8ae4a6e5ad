"""Detect the language of a text in Latin letters, where it is not English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from verifier.core.lexicon import lexicon

__all__ = ["english_share", "foreign_language"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OPENERS = "\"'“‘„«¿¡( \n\t*_#>-"
_NEAR = 20
"""Code points before a word in which the end of the sentence before it is looked for."""
_ENOUGH = 2
"""Function words of a language that tell it in a text of any length."""
_ENOUGH_SHARE = 0.3
"""Share of the words that tells it in a short text, where there may be only one."""


@dataclass(frozen=True, slots=True)
class _Language:
    name: str
    strong: frozenset[str]
    weak: frozenset[str]
    english: frozenset[str]
    """English function words that this language does not have."""
    particles: frozenset[str]
    """The weak words that are no English ones."""
    letters: frozenset[str]

    def weigh(self, forms: list[str], total: int, small: frozenset[str]) -> int:
        """How well the words fit this language; 0 where it is not told.

        Args:
            forms: the words that may be function words, in lower case.
            total: how many words there are in all.
            small: the forms that stand in small letters. A capital word alone tells nothing: ``Ole met Per.``
        """
        if not any(map(self._tells, small)):
            return 0
        strong = sum(form in self.strong for form in forms)
        lettered = sum(map(self._is_lettered, forms))
        if not strong:
            own = lettered + sum(form in self.particles for form in forms)
            told = any(form not in self.particles for form in forms[1:]) and not any(
                form in self.english for form in forms
            )
            return own if told and own >= max(_ENOUGH, _ENOUGH_SHARE * total) else 0
        own = strong + lettered + sum(form in self.weak for form in forms)
        told = own >= min(_ENOUGH, _ENOUGH_SHARE * total)
        english = sum(form in self.english and form not in self.weak for form in forms)
        return own + strong if told and own > english else 0

    def _tells(self, form: str) -> bool:
        """Whether a word in small letters is of this language and no English one, as ``i`` is none."""
        own = form in self.strong or form in self.particles or (form == "i" and form in self.weak)
        return own or self._is_lettered(form)

    def _is_lettered(self, form: str) -> bool:
        """Whether a word that is no function word has a letter of the language."""
        return form not in self.strong and form not in self.weak and not self.letters.isdisjoint(form)


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("languages.toml").read_text(encoding="utf-8"))


@cache
def _english() -> frozenset[str]:
    return lexicon(_tables()["english"])


@cache
def _languages() -> tuple[_Language, ...]:
    tables = {name: table for name, table in _tables().items() if name != "english"}
    english = _english()
    return tuple(
        _Language(
            name,
            lexicon(table["strong"]),
            lexicon(table["weak"]),
            english - lexicon(table["shared"]),
            lexicon(table["weak"]) - english,
            frozenset(table["letters"]),
        )
        for name, table in sorted(tables.items())
    )


def english_share(text: str) -> float:
    """The share of the words that are English function words, in [0, 1]; 0 for a text without words.

    >>> english_share("The gate is blue."), english_share("Maria Olivares, 1872")
    (0.5, 0.0)
    """
    forms, total, _ = _lower_forms(text)
    return sum(form in _english() for form in forms) / total if total else 0.0


def foreign_language(text: str) -> str | None:
    """Name the language of a text in Latin letters other than English, told by its function words.

    Cautious: at least two of them, or three in ten of the words, and more of them than English ones; both, and no
    English one at all, where every one may come from a name or loan word (``de``, ``la``, ``van``). A capitalised
    word counts only where it opens the text or a sentence, so that names do not, and only beside one in small letters.

    Returns:
        The English name of the language (``German``), of several where they cannot be told apart (``Danish or
        Norwegian``); ``None`` for English, for another script, and where the words do not tell.

    >>> foreign_language("Die Rückgabefrist beträgt 30 Tage und ist kostenlos.")
    'German'
    >>> foreign_language("Charles de Gaulle was born in Lille.") is None
    True
    """
    forms, total, small = _lower_forms(text)
    weights = {language.name: language.weigh(forms, total, small) for language in _languages()}
    most = max(weights.values())
    return " or ".join(name for name, weight in weights.items() if weight == most) if most else None


def _lower_forms(text: str) -> tuple[list[str], int, frozenset[str]]:
    """The words that may be function words, in lower case; how many words there are in all; those in small letters."""
    forms: list[str] = []
    small: set[str] = set()
    total = 0
    for match in _WORD.finditer(text):
        total += 1
        word = match[0].replace("’", "'")
        before = text[max(0, match.start() - _NEAR) : match.start()].rstrip(_OPENERS)
        opens = not before or before[-1] in ".!?:"
        if word.islower() or (opens and (word[1:].islower() or len(word) == 1)):
            forms.append(word.lower())
        if word.islower():
            small.add(word)
    return forms, total, frozenset(small)
