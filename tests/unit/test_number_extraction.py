"""Where values are looked for: the places that are passed over hold none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_signals.values import extraction
from verifier_signals.values.dates import CALENDAR_WORDS
from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.rates import FREQUENCY_WORDS

from verifier.core.lexicon import lexicon

_WORDS = sorted(NUMBER_WORDS | FREQUENCY_WORDS | CALENDAR_WORDS)
_FORMS = [*_WORDS, *map(str.title, _WORDS), *map(str.upper, _WORDS)]
_OTHERS = sorted(lexicon("a an other day the Osk EUR US$ Rs. 5 2024 ½ 3rd v2 - ( . ) + ± * _ é ’s"))
_PIECES = st.sampled_from([*_FORMS, *_OTHERS, "- ", "\n", "\n   "]) | st.just(" ")


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_only_places_without_a_candidate_are_passed_over(text: str) -> None:
    words = extraction._openings(text)
    at, found = 0, []
    while (match := extraction._candidate(text, at, words)) is not None:
        found.append((match.span(), match.lastgroup))
        at = match.end()
    assert found == [(match.span(), match.lastgroup) for match in extraction._CANDIDATE.finditer(text)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("a minimum of 5 kg", "at_least"),
        ("no fewer than about 5 kg", "at_least"),
        ("as many as 5 dogs", "at_most"),
        ("limited to only 5 dogs", "at_most"),
        ("exceeding 5 kg", "above"),
        ("in excess of just 5 kg", "above"),
        ("> 5 kg", "above"),
        ("(under the 5 kg", "below"),
        ("max. 5 kg", "at_most"),
        ("The smallest order is 5 kg", "at_least"),
        ("the 5 kg", "point"),
    ],
)
def test_a_cue_is_found_before_hedges_and_signs(text: str, form: str) -> None:
    assert extraction.parse(text)[0].form.value == form
