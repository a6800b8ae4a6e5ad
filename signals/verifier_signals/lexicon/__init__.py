"""A word goes in, what the word tables know of it comes out: opposites, synonyms, verb forms, role frames."""

from __future__ import annotations

from verifier_signals.lexicon.load import (
    CausalPhrase,
    Frame,
    Measures,
    Verb,
    american_spelling,
    antonyms_of,
    base_form,
    causal_phrases,
    common_words,
    complements_of,
    frames,
    irregular_forms_of,
    measures_of,
    nominal_verb,
    scales_of,
    senses_of,
    verb_of,
)

__all__ = [
    "CausalPhrase",
    "Frame",
    "Measures",
    "Verb",
    "american_spelling",
    "antonyms_of",
    "base_form",
    "causal_phrases",
    "common_words",
    "complements_of",
    "frames",
    "irregular_forms_of",
    "measures_of",
    "nominal_verb",
    "scales_of",
    "senses_of",
    "verb_of",
]
