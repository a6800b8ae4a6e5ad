"""Edits of a contradicted claim: the value exchanged, the sentence still in order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_signals.types import Finding, Outcome, Relation, SignalScore

from verifier.types import Evidence
from verifier.verification.decision.features import CONFLICTS, WindowScores
from verifier.verification.edits import proposals
from verifier.verification.edits.forms import article_for, inflected, like
from verifier.verification.edits.gap import filled_gaps
from verifier.verification.edits.proposal import dropped, replaced
from verifier.verification.evidence.windows import whole

FEATURES = {
    "traceability": ("coverage", "order", "novel"),
    "number": ("conflict", "match", "absent"),
    "entity": ("conflict", "match", "absent", "role_conflict", "unknown"),
    "negation": (
        *("polarity", "antonym", "quantifier", "modality", "condition"),
        *("hedge", "reach", "cause", "denial"),
    ),
}
FEATURE_OF = {
    "name": "entity_conflict",
    "role": "role_conflict",
    "unit": "number_conflict",
    "date": "number_conflict",
}


def _reading(claim: str, premise: str, kind: str, ours: str, theirs: str, note: str = "") -> WindowScores:
    """A window whose one conflict sets ``ours`` against ``theirs``."""
    feature = FEATURE_OF.get(kind, "number_conflict" if kind == "number" else kind)
    signal, name = CONFLICTS[feature]
    at, there = claim.index(ours), premise.index(theirs)
    finding = Finding(
        kind, Relation.CONFLICT, ours, (at, at + len(ours)), theirs, (there, there + len(theirs)), note
    )
    scores = {
        which: SignalScore(which, Outcome.CONSISTENT, 0.5, (), dict.fromkeys(names, 0.0))
        for which, names in FEATURES.items()
    }
    values = dict.fromkeys(FEATURES[signal], 0.0) | {name: 1.0}
    scores[signal] = SignalScore(signal, Outcome.CONFLICTING, 0.0, (finding,), values)
    return WindowScores(whole(Evidence("d", "d.md", premise, 0, len(premise), 1.0)), scores)


def _edited(claim: str, premise: str, kind: str, ours: str, theirs: str, note: str = "") -> list[str]:
    reading = _reading(claim, premise, kind, ours, theirs, note)
    return [made.apply(claim) for made in proposals(claim, reading, kind)]


@pytest.mark.parametrize(
    ("kind", "claim", "premise", "ours", "theirs", "edited"),
    [
        (
            "unit",
            "Parcels may be sent back within 60 days of delivery.",
            "Send parcels back within 30 days of delivery.",
            "within 60 days",
            "within 30 days",
            "Parcels may be sent back within 30 days of delivery.",
        ),
        (
            "unit",
            "The boiler holds an 8 litre reserve.",
            "The boiler holds a reserve of 12 litres.",
            "8 litre",
            "12 litres",
            "The boiler holds a 12 litre reserve.",
        ),
        (
            "number",
            "Eight valves feed the upper lock.",
            "The upper lock is fed by six valves.",
            "Eight",
            "six",
            "Six valves feed the upper lock.",
        ),
        (
            "number",
            "The ferry calls at one island each morning.",
            "Each morning the ferry calls at three islands.",
            "one",
            "three",
            "The ferry calls at three islands each morning.",
        ),
        (
            "date",
            "The archive opened on 10 March 2015.",
            "The archive was opened on 10 May 2015.",
            "10 March 2015",
            "10 May 2015",
            "The archive opened on 10 May 2015.",
        ),
        (
            "date",
            "Applications close until 29 November.",
            "Applications are taken between 4 and 22 November.",
            "until 29 November",
            "4 and 22 November",
            "Applications close between 4 and 22 November.",
        ),
        (
            "name",
            "The survey was led by Mira Sandvik.",
            "Jonas Halvorsen led the survey.",
            "Mira Sandvik",
            "Jonas Halvorsen",
            "The survey was led by Jonas Halvorsen.",
        ),
        (
            "name",
            "It runs on a Siemens turbine.",
            "An Alstom turbine drives it.",
            "Siemens",
            "Alstom",
            "It runs on an Alstom turbine.",
        ),
        (
            "role",
            "Brightwater Foods acquired Corran Mills in 2017.",
            "Corran Mills acquired Brightwater Foods in 2017.",
            "Corran Mills",
            "Brightwater Foods",
            "Corran Mills acquired Brightwater Foods in 2017.",
        ),
        (
            "antonym",
            "Salt raises the freezing point of the brine.",
            "Salt lowers the freezing point of brine.",
            "raises",
            "lowers",
            "Salt lowers the freezing point of the brine.",
        ),
        (
            "antonym",
            "The glacier decreases every year.",
            "The glacier increased again.",
            "decreases",
            "increased",
            "The glacier increases every year.",
        ),
        (
            "antonym",
            "The pass is open in winter.",
            "In winter the pass is closed.",
            "open",
            "closed",
            "The pass is closed in winter.",
        ),
        (
            "polarity",
            "A permit is not required for day visits.",
            "For day visits a permit is required.",
            "not required",
            "is required",
            "A permit is required for day visits.",
        ),
        (
            "polarity",
            "A permit is required for day visits.",
            "For day visits no permit is required.",
            "required",
            "no permit is required",
            "A permit is not required for day visits.",
        ),
        (
            "polarity",
            "The cover does not apply to bicycles.",
            "The cover applies to bicycles.",
            "not apply",
            "applies",
            "The cover applies to bicycles.",
        ),
        (
            "polarity",
            "The team measured the current.",
            "The current was not measured.",
            "measured",
            "not measured",
            "The team did not measure the current.",
        ),
        (
            "polarity",
            "Guests can bring dogs.",
            "Guests cannot bring dogs.",
            "can bring",
            "cannot bring",
            "Guests cannot bring dogs.",
        ),
        (
            "polarity",
            "No fees are charged for transfers.",
            "Fees are charged for transfers.",
            "No fees",
            "Fees",
            "Fees are charged for transfers.",
        ),
        (
            "polarity",
            "The pump never failed.",
            "The pump failed twice.",
            "never failed",
            "failed",
            "The pump failed.",
        ),
        (
            "modality",
            "Visitors don't have to wear a badge.",
            "Visitors must wear a badge.",
            "have to wear",
            "must wear",
            "Visitors must wear a badge.",
        ),
        (
            "quantifier",
            "All members voted by post.",
            "Most members voted by post.",
            "All",
            "Most",
            "Most members voted by post.",
        ),
        (
            "quantifier",
            "Trains always stop at Marle.",
            "Trains sometimes stop at Marle.",
            "always",
            "sometimes",
            "Trains stop at Marle.",
        ),
        (
            "modality",
            "Visitors may wear a badge.",
            "Visitors must wear a badge.",
            "may wear",
            "must wear",
            "Visitors must wear a badge.",
        ),
        (
            "modality",
            "Attendance is optional.",
            "Attendance is mandatory.",
            "optional",
            "mandatory",
            "Attendance is required.",
        ),
        (
            "condition",
            "Deposits are always returned.",
            "Deposits are returned only if the key is handed in.",
            "always",
            "only if the key is handed in",
            "Deposits are returned.",
        ),
        (
            "condition",
            "Loans may be renewed even when somebody waits.",
            "Loans may be renewed unless another reader waits.",
            "even when",
            "unless another reader waits",
            "Loans may be renewed unless another reader waits.",
        ),
    ],
)
def test_the_edit_keeps_the_sentence_in_order(
    kind: str, claim: str, premise: str, ours: str, theirs: str, edited: str
) -> None:
    assert edited in _edited(claim, premise, kind, ours, theirs)


def test_a_date_of_a_row_keeps_the_capital_of_its_month() -> None:
    row = "Title: The Gate; Premiere: 10 May 2025"
    made = _edited("The Gate opens on 10 March 2025.", row, "antonym", "10 March 2025", "10 May 2025")
    assert made[0] == "The Gate opens on 10 May 2025."


def test_the_name_of_another_row_is_exchanged_and_not_denied() -> None:
    edited = _edited(
        "The lab is managed by Bo Lind.", "office: lab; lead: Ada Orr", "antonym", "Bo Lind", "Ada Orr"
    )
    assert edited[0] == "The lab is managed by Ada Orr."
    assert "The lab is not managed by Bo Lind." not in edited


def test_without_a_named_conflict_the_evidences_modal_is_taken_over() -> None:
    claim, premise = "Visitors may wear a badge.", "Visitors must wear a badge."
    reading = _reading(claim, premise, "modality", "may", "must")
    silent = WindowScores(
        reading.window, {name: replace(score, findings=()) for name, score in reading.scores.items()}
    )
    made = proposals(claim, silent, "nli_contradiction")
    assert all(one.loose for one in made)
    assert "Visitors must wear a badge." in [one.apply(claim) for one in made]


def test_a_word_of_the_evidence_fills_the_place_of_a_missing_one() -> None:
    claim, premise = (
        "The mast is painted red below deck.",
        "Below the rail the mast is painted blue below deck.",
    )
    made = _gap(claim, premise, {"painted": "painted", "below": "below"}, "red")
    assert made == ["The mast is painted blue below deck."]


def _gap(claim: str, premise: str, shared: dict[str, str], missing: str) -> list[str]:
    """Edits by a window of which only traceability speaks."""
    found = [
        Finding("content", Relation.MATCH, one, _at(claim, one), two, _at(premise, two))
        for one, two in shared.items()
    ]
    found.append(Finding("content", Relation.ABSENT, missing, _at(claim, missing)))
    found.sort(key=lambda item: item.claim_span)
    return [made.apply(claim) for made in filled_gaps(claim, premise, found)]


def _at(text: str, word: str) -> tuple[int, int]:
    return text.rindex(word), text.rindex(word) + len(word)


def test_a_value_that_would_not_read_as_itself_in_its_new_place_is_no_edit() -> None:
    made = _edited(
        "Charge it at minus 5 °C.", "Charge it between 0 and 40 °C.", "unit", "5 °C", "0 and 40 °C"
    )
    assert "Charge it at minus 0 and 40 °C." not in made


def test_an_exchange_leaves_a_name_with_its_explanation_where_it_is() -> None:
    claim = "Judith Amory, the Registrar, reports to Owen Thackray."
    premise = "Owen Thackray reports to Judith Amory, the Registrar."
    assert _edited(claim, premise, "role", "Owen Thackray", "Judith Amory") == []


def test_a_linking_verb_is_denied_and_not_exchanged() -> None:
    made = _edited("The cover remains in force.", "The cover ends at once.", "antonym", "remains", "ends")
    assert made == ["The cover does not remain in force."]


def test_a_noun_before_a_verb_is_not_denied() -> None:
    edits = _edited(
        "Storage costs are paid by the tenant.",
        "Storage costs are not paid by the tenant.",
        "polarity",
        "paid",
        "not paid",
    )
    assert edits[0] == "Storage costs are not paid by the tenant."
    assert not any("does not cost" in edit for edit in edits)


def test_the_case_takes_the_place_of_the_contrary_one() -> None:
    claim, premise = "Members get a partial refund in May.", "Members get a full refund in May."
    assert _edited(claim, premise, "condition", "partial", "full")[0] == premise


def test_a_word_that_only_ends_like_a_quantity_is_none() -> None:
    claim, premise = "None of the valves stopped working.", "Two valves did not work."
    made = _edited(claim, premise, "polarity", "None of the valves", "not work")
    assert "Some of the valves stopped working." in made
    assert not any("Nnone" in one for one in made)


def test_the_smallest_edit_of_what_decided_comes_first() -> None:
    claim, premise = "Trains always stop at Marle.", "Trains stop at Marle only if somebody waits."
    first = _edited(claim, premise, "condition", "always", "only if somebody waits")[0]
    assert first == "Trains stop at Marle."


@given(
    st.sampled_from(
        ["Every lock is checked daily, if it rains.", "Always wear a helmet.", "Go, always, slowly."]
    ),
    st.data(),
)
def test_a_dropped_word_leaves_single_spaces_and_a_capital(claim: str, data: st.DataObject) -> None:
    words = claim.rstrip(".").split()
    at = data.draw(st.integers(0, len(words) - 2))
    start = len(" ".join(words[:at])) + bool(at)
    end = start + len(words[at].rstrip(","))
    for made in dropped(claim, (start, end)):
        edited = made.apply(claim)
        assert "  " not in edited
        assert edited[0].isupper()
        assert edited.endswith(".")


@given(
    st.text(st.characters(categories=["Ll", "Lu", "Nd", "Zs"]), min_size=1), st.text(max_size=12), st.data()
)
def test_an_edit_changes_nothing_outside_its_span(claim: str, after: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(claim) - 1))
    end = data.draw(st.integers(start + 1, len(claim)))
    for made in replaced(claim, (start, end), after):
        edited = made.apply(claim)
        assert edited.startswith(claim[: made.start])
        assert edited.endswith(claim[made.end :])
        assert edited != claim


@pytest.mark.parametrize(
    ("lemma", "form", "expected"),
    [
        ("carry", "s", "carries"),
        ("go", "s", "goes"),
        ("write", "past", "wrote"),
        ("stop", "past", "stopped"),
        ("be", "past", None),
    ],
)
def test_verbs_are_inflected_by_rule_or_table(lemma: str, form: str, expected: str | None) -> None:
    assert inflected(lemma, form) == expected


def test_words_take_each_others_form() -> None:
    assert like("rise", "fell") == "rose"
    assert like("heavier", "lighter") == "heavier"


@pytest.mark.parametrize(
    ("following", "article"), [("hour", "an"), ("unit", "a"), ("MP", "an"), ("11 days", "an")]
)
def test_articles_go_by_sound(following: str, article: str) -> None:
    assert article_for("a", following) == article
