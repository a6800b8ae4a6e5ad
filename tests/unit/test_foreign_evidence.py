"""English claims over evidence in other languages: nothing that nobody has read makes them wrong."""

from __future__ import annotations

import pytest

from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer, temporary_store
from verifier.types import ClaimVerdict, Document, Evidence, Verdict
from verifier.verification.languages import legible_windows

GERMAN = "Die Brücke von Orby wurde 1904 gebaut und ist 80 Meter lang. Sie ist für Lastwagen gesperrt."
RUSSIAN = "Маяк Орби построен в 1872 году. Он высотой 31 метр."


@pytest.fixture(scope="module")
def shared() -> SharedSignals:
    return SharedSignals.of(Settings())


def judged(shared: SharedSignals, claim: str, *texts: str) -> ClaimVerdict:
    with temporary_store(Settings()) as store:
        store.ingest(Document(f"{n}.txt", f"/{n}", text) for n, text in enumerate(texts))
        (verdict,) = build_scorer(Settings(), store, shared).verify(claim).claims
    return verdict


@pytest.mark.parametrize(
    ("text", "claim", "language"),
    [
        (GERMAN, "The Orby bridge was built in 1904.", "German"),
        (GERMAN, "The Orby bridge is 90 metres long.", "German"),
        (RUSSIAN, "The Orby lighthouse was built in 1872.", "Cyrillic"),
        ("奥比灯塔建于1872年。它高31米。", "The lighthouse is 35 metres tall.", "Chinese characters"),
        ("El faro de Orby se construyó en 1872 y mide 31 metros.", "The lighthouse fell in 1901.", "Spanish"),
    ],
)
def test_what_stands_only_in_another_language_is_unverifiable_and_says_why(
    shared: SharedSignals, text: str, claim: str, language: str
) -> None:
    verdict = judged(shared, claim, text)
    assert verdict.verdict is Verdict.UNVERIFIABLE
    assert verdict.reason == f"the passages found are in {language}, which the embedded models do not read"
    assert [item.source for item in verdict.evidence] == ["0.txt"]


def test_passages_that_can_be_read_count_as_before(shared: SharedSignals) -> None:
    english = "The Orby bridge was built in 1904."
    assert judged(shared, english, GERMAN, english).verdict is Verdict.SUPPORTED
    assert (
        judged(shared, "The Orby bridge was built in 1914.", GERMAN, english).verdict is Verdict.CONTRADICTED
    )


def test_a_claim_is_fabricated_only_if_nothing_found_is_unreadable(shared: SharedSignals) -> None:
    claim, bakery = "The Zellin opera house burned down in 1963.", "The bakery opens at six."
    mixed = judged(shared, claim, GERMAN, bakery)
    assert judged(shared, claim, bakery).verdict is Verdict.FABRICATED
    assert mixed.verdict is Verdict.UNVERIFIABLE
    assert mixed.reason.startswith("some of the passages found are in German")


def test_english_sentences_of_a_passage_in_another_language_are_read() -> None:
    text = f"{GERMAN} The bridge is closed to lorries. Orby 1904."
    item = Evidence("d", "a.txt", text, 0, len(text), 1.0)
    assert [window.as_evidence().text for window in legible_windows(item)] == [
        "The bridge is closed to lorries."
    ]
