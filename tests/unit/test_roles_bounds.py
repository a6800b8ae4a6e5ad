"""What a premise cannot say by its words, no reading of it finds."""

from __future__ import annotations

import pytest
from verifier_signals.names import names_in
from verifier_signals.roles import events_in
from verifier_signals.roles.attribution import _attachments, _sentences
from verifier_signals.roles.displacement import facts_in
from verifier_signals.roles.events import possible_event_kinds, possible_keys
from verifier_signals.roles.holders import holders_in, roles_in

TEXTS = [
    "Morrowline was acquired by the Durrant Group, and Orr & Co took over Velm in 1,962.",
    "The board replaced Ada Orr with Ben Lee; an amendment by Cy Dunn followed the sale of Velm to Halden.",
    "Oslo's takeover of Riga, a gift of the Crane Trust, ended the triumph over Elm.",
    "Ada Orr reports to Ben Lee, the chief information officer, who gave up 3 of 40 well-known mills.",
    "CEO: Ada Orr. The board is chaired by Ben Lee, and Cy Dunn (treasurer) shut the mill.",
    "Aboard were Mara Veil, who had rowed across the Baltic, and Pim Dekker, a nurse from Utrecht.",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_tells_no_deeds_but_those_that_its_words_can_tell(text: str) -> None:
    told = {event.kind for event in events_in(text)}
    assert told
    assert told <= possible_event_kinds(text)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_says_nothing_but_what_its_words_can_say(text: str) -> None:
    parts = (*facts_in(text), *_attachments(text, names_in), *_sentences(text, names_in))
    said = frozenset().union(*(part.keys for part in parts))
    assert said
    assert said <= possible_keys(text)


@pytest.mark.parametrize("text", TEXTS)
def test_nobody_holds_a_role_that_no_word_names(text: str) -> None:
    assert {holder.role for holder in holders_in(text)} <= roles_in(text)


def test_the_bounds_leave_out_what_no_word_can_say() -> None:
    text = "Orlow lies by the sea."
    assert "transfer" not in possible_event_kinds(text)
    assert "sink" not in possible_keys(text)
    assert "chair" not in roles_in(text)
