"""Exchanged sides, ends and parallel parts of a sentence in a claim against its premise."""

from __future__ import annotations

import pytest
from verifier_signals.roles import role_clashes


def _swapped(claim: str, premise: str) -> bool:
    return any(clash.swapped for clash in role_clashes(claim, premise))


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        (
            "The office was moved from Solvik to Halden.",
            "The firm moved its office from Halden to Solvik in 1902.",
        ),
        ("The novel was translated from English into Dutch.", "It was translated from Dutch into English."),
        ("The patient was switched from drops to tablets.", "He was switched from tablets to drops in May."),
        ("Sales fell from 5 to 3 million.", "Sales rose from 3 to 5 million."),
    ],
)
def test_reversed_ends_are_exchanged(claim: str, premise: str) -> None:
    assert _swapped(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("The distance from Aster to Bell is 9 km.", "From Bell to Aster it is 9 km."),
        (
            "The office was moved from Solvik to Halden.",
            "It was moved from Halden to Solvik and back from Solvik to Halden.",
        ),
        ("The piano was moved from Solvik to Halden.", "The office was relocated from Halden to Solvik."),
        ("The shop is open from May to June.", "The shop is open from May to June."),
    ],
)
def test_what_is_true_both_ways_is_not_exchanged(claim: str, premise: str) -> None:
    assert not _swapped(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        (
            "With the new dye 11 % of the samples faded, with the old one 4 %.",
            "With the new dye 4 % of the samples faded, with the old one 11 %.",
        ),
    ],
)
def test_figures_and_names_in_parallel_parts_are_exchanged(claim: str, premise: str) -> None:
    assert _swapped(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("31 % recovered on the drug and 18 % on placebo.", "On placebo 18 % recovered, on the drug 31 %."),
        (
            "Ivo Sten kept the books and Ada Brand led the workshop.",
            "Ada Brand led the workshop, Ivo Sten kept the books.",
        ),
        (
            "Pupils pay 7 euros, and adults 12 euros.",
            "Adults pay 12 euros. In the evening adults pay 7 euros, pupils 4.",
        ),
        ("Ada Brand sang, and Ivo Sten danced.", "Ada Brand painted the walls, Ivo Sten repaired the roof."),
        ("The hall is 12 m wide and 30 m long.", "The hall measures 30 m by 12 m."),
    ],
)
def test_parallel_parts_that_agree_are_not_exchanged(claim: str, premise: str) -> None:
    assert not _swapped(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Veld Bank is the parent company of Orla Energy.", "Veld Bank is a subsidiary of Orla Energy."),
        ("Kai Lund was Mia Roe's assistant.", "Mia Roe worked for Kai Lund until 1975."),
        ("Elm Dairy is a customer of Nordic Foods.", "Elm Dairy supplies Nordic Foods with packaging."),
        ("Kai Lund is Mia Roe's landlord.", "Kai Lund rents the flat from Mia Roe."),
        ("Mia Roe was the teacher of Kai Lund.", "Kai Lund taught Mia Roe the violin."),
        (
            "The landlord is liable to the tenant for damage.",
            "The tenant is liable to the landlord for damage.",
        ),
        ("The buyer must give the seller an invoice.", "The seller must give the buyer an invoice."),
        ("Kai Lund lent his cousin Mia Roe the money.", "Kai Lund had a cousin. Mia Roe lent him the money."),
        ("Tern Books got the rights from Ivo Sten.", "Ivo Sten was granted the rights by Tern Books."),
    ],
)
def test_converse_words_tell_the_sides(claim: str, premise: str) -> None:
    assert _swapped(claim, premise) or role_clashes(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Veld Bank is the parent company of Orla Energy.", "Orla Energy is a subsidiary of Veld Bank."),
        ("Mia Roe was Kai Lund's assistant.", "Mia Roe worked for Kai Lund until 1975."),
        ("Nordic Foods is a customer of Elm Dairy.", "Elm Dairy supplies Nordic Foods with packaging."),
        ("Mia Roe is Kai Lund's landlady.", "Kai Lund rents the flat from Mia Roe."),
        (
            "The landlord is liable to the tenant for defects.",
            "The tenant is liable to the landlord for damage; the landlord is liable to the tenant for defects.",
        ),
        ("The buyer must give the seller a receipt.", "The seller must give the buyer an invoice."),
        ("Ivo Sten got the rights from Tern Books.", "Tern Books granted Ivo Sten the rights."),
    ],
)
def test_converse_words_that_agree_are_silent(claim: str, premise: str) -> None:
    assert not role_clashes(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        (
            "Fires are merely unwise from April to September and forbidden in the other months.",
            "Fires are forbidden from April to September and merely unwise in the other months.",
        ),
        (
            "The engineer Lena Voss drew the hall, and the architect Paul Renner built its lens.",
            "The architect Paul Renner drew the hall, and the engineer Lena Voss built its lens.",
        ),
        (
            "She doubled the toll for lime, on which farmers depended, and cut it for coal.",
            "She cut the toll for lime, on which farmers depended, and doubled it for coal.",
        ),
    ],
)
def test_words_that_changed_places_in_a_repeated_sentence_are_exchanged(claim: str, premise: str) -> None:
    assert _swapped(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("Books and maps are lent for three weeks.", "Maps and books are lent for three weeks."),
        (
            "The small kiln costs half as much as the large one in winter.",
            "The large kiln costs twice as much as the small one in winter.",
        ),
        (
            "In May the river was closed to all boats for a week.",
            "The river was closed to all boats in May for a week.",
        ),
    ],
)
def test_a_series_another_relation_and_a_moved_phrase_are_not(claim: str, premise: str) -> None:
    assert not _swapped(claim, premise)
