"""What figures and dates of several places say of a comparison, a superlative or an order in time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from verifier_signals.ranking import EvidencePiece, settle_ranking
from verifier_signals.ranking.tables import best_labels, row_in
from verifier_signals.types import Relation

from verifier.types import Evidence
from verifier.verification.decision.joined_facts import related
from verifier.verification.evidence.windows import windows_of

RIVERS = (
    "Rivers of Halden. River: Orr; Length: 212 km; Basin 2019: 3,400 km²; Basin 2023: 3,350 km²; Bridges: 9",
    "Rivers of Halden. River: Vessel; Length: 148 km; Basin 2019: 1,900 km²; Basin 2023: 1,900 km²; Bridges: 14",
    "Rivers of Halden. River: Little Tamm; Length: 61 km; Basin 2019: 800 km²; Basin 2023: 790 km²; Bridges: 14",
)
FERRIES = (
    "Boat: Line A; First sailing: 06:10; Adult: €4.20; Children: €2.10; Kind: local",
    "Boat: Line B; First sailing: 07:45; Adult: €3.90; Children: €2.60; Kind: local",
    "Boat: Line C; First sailing: 05:30; Adult: €9.00; Children: €4.50; Kind: express",
)
WEIGHTS = ("Property: Mass; Falk: 3.1 kg; Brisk: 2.7 kg", "Property: Cord; Falk: 2 m; Brisk: 5 m")
CHOIR = (
    "The choir of Tolm. It was founded in 1921.",
    "The choir of Tolm. The new organ was dedicated on 4 May 1937.",
    "The choir of Tolm. The tower burnt down in 1934.",
    "The choir of Tolm. Anna Brill sang in 61 concerts and Peter Hale in 48.",
    "The choir of Tolm. A survey counted 240 tenors and 310 sopranos in the county.",
)
PLANS = (
    "provider: Tolvane; plan: Reed 20; kind: with phone; monthly_price_eur: 19.50; data_gb: 20; setup_fee_eur: 15",
    "provider: Tolvane; plan: Sedge 50; kind: card only; monthly_price_eur: 14.00; data_gb: 50; setup_fee_eur: 5",
)
PROFITS = (
    "Net profit (£m); Q1 2024: 7.1; Q4 2023: 8.4; Q1 2023: 6.9",
    "Sales (£m); Q1 2024: 90; Q4 2023: 85; Q1 2023: 95",
)
LAMPS = (
    "Lamp; Glim 1; Glim 2",
    "Price a lamp; Glim 1: €39; Glim 2: €34",
    "Warranty; Glim 1: 2 years; Glim 2: 4 years",
)
FIRMS = (
    "Dorne, a repairer of boats with 54 staff, had sales of 9 million euros.",
    "Pell runs 11 boats, has 39 staff and had sales of 7 million euros.",
)
MERGER = tuple(f"Dorne Slips and Pell Boats to merge. The companies. {text}" for text in FIRMS)
SOLD = "News. 3 June 2025: Glim 2 goes on sale. "
LOG = (
    "Log of 3 June. Time: 14:05; Event: pump restarted by the night crew",
    "Log of 3 June. Time: 13:40; Event: valve opened by Ines Corto",
)


def verdict(claim: str, texts: Sequence[str], *, numbered: bool = False) -> bool | None:
    """What comes of a claim against these rows or sentences, ``None`` where nothing does."""
    heads = [text.index(". ") + 2 if ". " in text else 0 for text in texts]
    pieces = [
        EvidencePiece(text, "one table", n if numbered else 0, start)
        for n, (text, start) in enumerate(zip(texts, heads, strict=True), 1)
    ]
    found = settle_ranking(claim, pieces)
    return None if found is None else found.holds


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        ("The Orr is longer than the Vessel.", RIVERS, True),
        ("The Vessel is longer than the Orr.", RIVERS, False),
        ("More bridges cross the Orr than the Vessel.", RIVERS, False),
        ("The Vessel has fewer bridges than the Orr.", RIVERS, False),
        ("In 2023 the Little Tamm had a larger basin than the Vessel.", RIVERS, False),
        ("The Orr is not as long as the Vessel.", RIVERS, False),
        ("The Vessel is twice as long as the Orr.", RIVERS, False),
        ("For adults Line B is cheaper than Line A.", FERRIES, True),
        ("For children Line B is cheaper than Line A.", FERRIES, False),
        ("The Falk is heavier than the Brisk.", WEIGHTS, True),
        ("The Brisk weighs more than the Falk.", WEIGHTS, False),
        ("Tolvane's Sedge 50 plan is dearer per month than its Reed 20 plan.", PLANS, False),
        ("A month of the Reed 20 plan costs more than a month of the Sedge 50 plan.", PLANS, True),
        ("The net profit was lower in the fourth quarter of 2023 than in the first of 2024.", PROFITS, False),
        ("Sales were higher in Q1 2024 than in Q4 2023.", PROFITS, True),
        ("A Glim 2 is more expensive than the Glim 1 it replaces.", LAMPS, False),
        ("The Glim 2 has a longer warranty than the Glim 1.", LAMPS, True),
        ("Pell had higher sales than Dorne.", FIRMS, False),
        ("Dorne's sales were higher than those of Pell.", FIRMS, True),
    ],
)
def test_a_comparison_of_rows_or_columns_follows_their_figures(
    claim: str, texts: Sequence[str], holds: bool
) -> None:
    assert verdict(claim, texts) is holds


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        ("The Orr is the longest river.", RIVERS, True),
        ("The Vessel is the longest of the three rivers.", RIVERS, False),
        ("The Vessel is the second longest of the rivers.", RIVERS, True),
        ("No river of Halden is longer than the Little Tamm.", RIVERS, False),
        ("The Orr is longer than any other river of Halden.", RIVERS, True),
        ("Of the local boats, Line A is the cheapest for children.", FERRIES, True),
        ("Line B is the cheapest local boat for children.", FERRIES, False),
    ],
)
def test_a_superlative_is_checked_against_every_row(claim: str, texts: Sequence[str], holds: bool) -> None:
    assert verdict(claim, texts) is holds


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The Vessel has more bridges than the Little Tamm, and the Orr is longer than the Vessel.", RIVERS),
        ("The Orr is older than the Vessel.", RIVERS),
        ("The Orr is the longest river in the country.", RIVERS),
        ("The Orr is longer than the Dunn.", RIVERS),
        ("The Orr is twice as long as the Vessel.", RIVERS),
        ("The Vessel is crossed by the most bridges.", RIVERS),
        ("Line A is cheaper than Line B.", FERRIES),
        ("The Orr carries more than 40 ships.", RIVERS),
        ("The Falk is dearer than the Brisk.", WEIGHTS),
        ("The Reed 30 plan is dearer per month than the Sedge 50 plan.", PLANS),
        ("Pell had a longer history than Dorne.", FIRMS),
        ("Net profit was higher in the third quarter of 2024 than in the first.", PROFITS),
    ],
)
def test_what_the_figures_leave_open_is_not_settled(claim: str, texts: Sequence[str]) -> None:
    assert verdict(claim, texts) is None


def test_a_rank_is_borne_out_only_by_all_rows_of_a_table() -> None:
    assert verdict("The Orr is the longest river.", RIVERS, numbered=True) is True
    pieces = [
        EvidencePiece(text, "rivers.csv", number, 18) for text, number in zip(RIVERS, (1, 3, 4), strict=True)
    ]
    assert settle_ranking("The Orr is the longest river.", pieces) is None
    denied = settle_ranking("The Vessel is the longest river.", pieces)
    assert denied is not None
    assert denied.holds is False


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        ("The tower burnt down before the organ was dedicated.", CHOIR, True),
        ("The organ had been dedicated by the time the tower burnt down.", CHOIR, False),
        ("The tower burnt down after the organ had been dedicated.", CHOIR, False),
        ("Ines Corto opened the valve before the pump was restarted.", LOG, True),
        ("When Ines Corto opened the valve, the pump had already restarted.", LOG, False),
        ("Anna Brill sang in more concerts than Peter Hale.", CHOIR, True),
        ("Anna Brill sang in fewer concerts than Peter Hale.", CHOIR, False),
        ("The survey counted more tenors than sopranos.", CHOIR, False),
    ],
)
def test_dates_and_figures_of_sentences_settle_too(claim: str, texts: Sequence[str], holds: bool) -> None:
    assert verdict(claim, texts) is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The Orr is not shorter than the Vessel.", True),
        ("The Orr is not longer than the Vessel.", False),
        ("The Vessel isn't any longer than the Orr.", True),
        ("The Vessel is no shorter than the Orr.", False),
        ("The Orr does not have more bridges than the Vessel.", True),
        ("The Vessel does not have more bridges than the Orr.", False),
    ],
)
def test_a_denied_comparison_is_the_contrary_one(claim: str, holds: bool) -> None:
    assert verdict(claim, RIVERS) is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The Orr is not the longest river.", False),
        ("The Vessel is not the longest river.", True),
        ("The Vessel isn't the second longest river.", False),
        ("The Little Tamm was never the second longest river.", True),
    ],
)
def test_a_denied_rank_is_the_contrary_of_the_rank(claim: str, holds: bool) -> None:
    assert verdict(claim, RIVERS) is holds


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The tower was rebuilt before the organ was dedicated.", CHOIR),
        ("Anna Brill left before Peter Hale did.", CHOIR),
        ("Anna Brill sang better than Peter Hale.", CHOIR),
        ("Maria Brill sang in more concerts than Peter Hale.", CHOIR),
        ("The pump was inspected after the valve was opened.", LOG),
        ("The choir sang before the mayor.", CHOIR),
    ],
)
def test_events_and_people_without_a_date_or_figure_are_not_settled(claim: str, texts: Sequence[str]) -> None:
    assert verdict(claim, texts) is None


YARD = (
    "The Alder Bridge was opened to traffic on 3 May 2019.",
    "The Beech Tunnel was opened on 17 August 2021.",
    "The lease of the bakery runs from 1 April 2024.",
    "Rents in the yard rise on 1 June 2024.",
    "The essay is due by 3 June.",
    "The fair opens on 1 June.",
    "Olden Hart bought a boat in 1990.",
    "Mary Finch bought the mill in 1985.",
    "The Gate was to be finished by 2 March 2018.",
)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The Alder Bridge was opened before the Beech Tunnel.", True),
        ("The Beech Tunnel was opened before the Alder Bridge.", False),
        ("Before the Beech Tunnel, the Alder Bridge was opened.", True),
        ("The lease of the bakery begins before rents in the yard rise.", True),
        ("The lease of the bakery starts after the rents in the yard go up.", False),
        ("The fair opens before the essay is due.", True),
        ("The fair opens after the essay has to be handed in.", None),
        ("The fair opens after the deadline for the essay.", False),
        ("The essay was finished before the fair opened.", None),
        ("Olden Hart bought the mill before Mary Finch did.", None),
        ("The Beech Tunnel was opened before Olden Hart came.", None),
        ("The lease of the bakery ended before the rents in the yard rise.", None),
        ("The Gate was finished before the Alder Bridge was opened.", None),
    ],
)
def test_deadlines_beginnings_and_events_without_a_verb_are_put_in_order(
    claim: str, holds: bool | None
) -> None:
    assert verdict(claim, YARD) is holds


TABLE = "| Hall | Seats | Built |\n|---|---|---|\n| Ash | 420 | 1931 |\n| Elm | 380 | 1925 |\n"


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        (
            "The mill is longer than the barn.",
            ("# Mills. The mill is 84 m long; the barn is 61 m long.",),
            True,
        ),
        (
            "Orla Ferries has more staff than Veld Marine.",
            ("Orla has 390 staff.", "Veld employs 540 staff."),
            False,
        ),
        (
            "Veld Marine has more staff than Orla Ferries.",
            ("Orla has 390 staff.", "Veld employs 540 staff."),
            True,
        ),
    ],
)
def test_short_forms_and_words_of_headings_name_a_side(
    claim: str, texts: tuple[str, ...], holds: bool
) -> None:
    found = settle_ranking(claim, [EvidencePiece(text, "doc") for text in texts])
    assert found is not None
    assert found.holds is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("At the time of the announcement Pell Boats had a larger workforce than Dorne Slips.", False),
        ("At the time of the announcement Dorne Slips had a larger workforce than Pell Boats.", True),
        ("When the merger was announced, Pell Boats had higher sales than Dorne Slips.", False),
    ],
)
def test_names_in_a_heading_still_name_a_side(claim: str, holds: bool) -> None:
    found = settle_ranking(
        claim, [EvidencePiece(text, "news.md", 0, len(MERGER[0]) - len(FIRMS[0])) for text in MERGER]
    )
    assert found is not None
    assert found.holds is holds


def test_a_dated_heading_is_no_label_of_the_row_below_it() -> None:
    pieces = [EvidencePiece(SOLD + text, "news.md", 0, len(SOLD)) for text in LAMPS[1:]]
    found = settle_ranking("A Glim 2 is more expensive than the Glim 1 it replaces.", pieces)
    assert found is not None
    assert found.holds is False


def no_tables(_: str) -> list[Evidence]:
    return []


REGATTA = (
    "Minutes. The sprint will take place at Orr on 14 and 15 June 2025, the relay at Tolm Weir on 6 May 2025.",
    "Season. It opens with the farce *Night Hats* (6 November), then *Ash Gate* (11 December), *Elm Row* (5 March).",
)
FALLS = (
    "Side effect: Falls; 40 mg: 12; Placebo: 5",
    "Side effect: Cramps; 40 mg: 3 %; Placebo: 5 %",
)


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        ("In the plan for 2025, the sprint comes before the relay.", REGATTA, False),
        ("In the plan for 2025, the relay comes before the sprint.", REGATTA, True),
        ("Ash Gate is put on ahead of Night Hats.", REGATTA, False),
        ("Night Hats is put on before Elm Row.", REGATTA, None),
        ("Falls were no more frequent on 40 mg than on placebo.", FALLS, False),
        ("Falls were more common on 40 mg than on placebo.", FALLS, True),
    ],
)
def test_dates_behind_what_they_date_and_columns_of_counts_settle(
    claim: str, texts: Sequence[str], holds: bool | None
) -> None:
    assert verdict(claim, texts) is holds


BARGES = (
    "barge: Grey Auk; line: Tolm; deck: 40 m; holds 2024: 420",
    "barge: Red Tern; line: Tolm; deck: 38 m; remarks: new",
    "barge: Blue Kite; line: Tolm; deck: 52 m; holds 2024: 380",
)


def test_a_comparison_is_open_where_the_row_of_a_side_leaves_its_column_empty() -> None:
    pieces = [EvidencePiece(text, "barges.csv", number) for number, text in enumerate(BARGES, 1)]
    found = settle_ranking("The Red Tern had more holds in 2024 than the Grey Auk.", pieces)
    assert found is not None
    assert found.holds is None
    assert settle_ranking("The Red Tern had more masts than the Grey Auk.", pieces) is None


def test_the_two_values_are_quoted_where_they_stand() -> None:
    evidence = Evidence("d", "halls.md", TABLE, 0, len(TABLE), 1.0, headings=("Halls",))
    found = related("Elm has more seats than Ash.", list(windows_of(evidence)), no_tables)
    assert found is not None
    assert not found.holds
    (finding,) = found.score.findings
    assert (finding.relation, finding.note) == (Relation.CONFLICT, "380 against 420")
    assert finding.evidence_span is not None
    place = found.window.place_of(finding.evidence_span)
    assert place is not None
    assert TABLE[slice(*place[1])] == finding.evidence_value == "420"


def test_a_claim_that_compares_nothing_is_looked_up_in_its_own_row() -> None:
    evidence = Evidence("d", "halls.md", TABLE, 0, len(TABLE), 1.0)
    found = related("Elm has 380 seats.", list(windows_of(evidence)), no_tables)
    assert found is not None
    assert (found.holds, found.single) == (True, True)
    assert related("Elm burnt down.", list(windows_of(evidence)), no_tables) is None


BOATS = (("Ash", 14), ("Elm", 22), ("Oak", 9), ("Yew", 31))


def boat(number: int) -> Evidence:
    name, length = BOATS[number - 1]
    text = f"boat: {name}\nlength_m: {length}"
    return Evidence(f"d{number}", f"boats.csv#{number}", text, 0, len(text), 1.0)


def all_boats(name: str) -> list[Evidence]:
    return [boat(number) for number in range(1, 5)] if name == "boats.csv" else []


@pytest.mark.parametrize(
    ("claim", "of_some", "of_all"),
    [
        ("The Elm is the longest boat.", None, False),
        ("The Yew is the longest boat.", None, True),
        ("No boat is longer than the Yew.", None, True),
        ("The Oak is the shortest boat.", True, True),
        ("The Ash is the shortest boat.", False, False),
        ("The Ash is longer than the Yew.", None, False),
    ],
)
def test_a_file_of_rows_is_read_whole(claim: str, of_some: bool | None, of_all: bool | None) -> None:
    windows = [window for number in (1, 2, 3) for window in windows_of(boat(number))]
    some, whole = (related(claim, windows, tables) for tables in (no_tables, all_boats))
    assert (whole and whole.holds) is of_all
    if of_some is not None:
        assert some is not None
        assert some.holds is of_some


def test_rows_of_another_file_are_left_as_they_were_found() -> None:
    text = "| Boat | Length |\n|---|---|\n| Fir | 40 m |\n| Bay | 12 m |\n"
    windows = list(windows_of(Evidence("d", "yard.md", text, 0, len(text), 1.0)))
    found = related("The Bay is longer than the Fir.", windows, all_boats)
    assert found is not None
    assert not found.holds


def test_what_every_row_is_called_by_names_no_row() -> None:
    rows = (
        "river: Sorrel; river length: 53 km; operator: Sorrel River Board",
        "river: Tamble; river length: 87 km; operator: Tamble Catchment Office",
        "river: Vantle; river length: 112 km; operator: Vantle Water Authority",
    )
    pieces = [EvidencePiece(row, "rivers.csv", number) for number, row in enumerate(rows, 1)]
    assert settle_ranking("The river on which she rowed is shorter than the Tamble.", pieces) is None
    found = settle_ranking("The Sorrel River is shorter than the Tamble.", pieces)
    assert found is not None
    assert found.holds


@pytest.mark.parametrize(
    "names", ["Single Return", "Peak Weekend", "Summer Winter", "Day Week", "North South"]
)
def test_of_several_columns_that_tell_the_first_is_shown(names: str) -> None:
    first, second = names.split()
    rows = (
        f"Ticket: Gold; {first} fare: £31.00; {second} fare: £49.50",
        f"Ticket: Silver; {first} fare: £18.50; {second} fare: £34.00",
    )
    found = settle_ranking("Gold is the cheapest ticket.", [EvidencePiece(row, "fares.csv") for row in rows])
    assert found is not None
    assert rows[1][found.theirs.start : found.theirs.end] == "£18.50"


def test_columns_that_fit_a_claim_equally_well_keep_the_order_of_the_table() -> None:
    row = row_in(
        EvidencePiece("Lock: Elm; Rise in m: 3; Drop in m: 4; Length in m: 30; Width in m: 5", "locks.csv"), 0
    )
    assert row is not None
    assert best_labels(row.cells, frozenset()) == ["Rise in m", "Drop in m", "Length in m", "Width in m"]
