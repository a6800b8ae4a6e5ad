"""Pages drawn as generators draw them are read as a reader reads them: columns, tables, torn words."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.support.drawn_pdf import Drawn, columns, draw, rows
from verifier.knowledge.chunk import chunk
from verifier.knowledge.formats.pdf_plausible import implausible
from verifier.knowledge.formats.pdf_words import Vocabulary, whole_words
from verifier.knowledge.ingest import discover, doubts_about, read_documents
from verifier.types import Document

PROSE = [
    ["The island ferry leaves", "The night ferry leaves"],
    ["from the old pier at ten", "from the new quay at nine"],
    ["in the morning. A return", "in the evening. A cabin"],
    ["ticket costs 18 euros.", "for two costs 74 euros."],
]
PRICES = [["Room", "Season", "Price"], ["Attic", "Summer", "EUR 90"], ["Attic", "Winter", "EUR 60"]]
XS = (50, 200, 350)


def read(path: Path) -> Document:
    (document,) = (document for file in discover([path]) for document in read_documents(file))
    return document


def text_of(path: Path, *pages: list[Drawn]) -> str:
    return read(draw(path, *pages)).text


@pytest.mark.parametrize("order", [rows, columns])
def test_columns_of_running_text_are_read_one_after_the_other(tmp_path: Path, order: object) -> None:
    drawn = order(PROSE, xs=(50, 300))  # type: ignore[operator]
    left, right = ("\n".join(row[side] for row in PROSE) for side in (0, 1))
    assert text_of(tmp_path / "a.pdf", drawn) == f"{left}\n\n{right}"


def test_a_sentence_that_goes_on_in_the_next_column_is_one(tmp_path: Path) -> None:
    drawn = columns([*PROSE[:2], ["in the morning and the", "goes to the mainland."]], xs=(50, 300))
    assert "and the\nThe night" in text_of(tmp_path / "a.pdf", drawn)


@pytest.mark.parametrize("order", [rows, columns])
def test_a_table_is_rows_between_pipes_in_whatever_order_it_is_drawn(tmp_path: Path, order: object) -> None:
    table = (
        "| Room | Season | Price |\n|---|---|---|\n| Attic | Summer | EUR 90 |\n| Attic | Winter | EUR 60 |"
    )
    drawn = order(PRICES, xs=XS)  # type: ignore[operator]
    assert text_of(tmp_path / "a.pdf", drawn) == table


def test_text_around_a_table_stays_apart_from_it(tmp_path: Path) -> None:
    above = [
        Drawn("The rooms of the house are let by the night, and breakfast is included in the price.", 50, 730)
    ]
    below = [
        Drawn("Children under six stay free of charge in the room of their parents all year round.", 50, 640)
    ]
    text = text_of(tmp_path / "a.pdf", [*above, *rows(PRICES, xs=XS), *below])
    assert [part[:5] for part in text.split("\n\n")] == ["The r", "| Roo", "Child"]


def test_a_first_cell_over_several_rows_is_the_first_cell_of_each(tmp_path: Path) -> None:
    spanned = [
        PRICES[0],
        PRICES[1],
        ["", "Winter", "EUR 60"],
        ["Garden", "Summer", "EUR 120"],
        ["", "Winter", "EUR 80"],
    ]
    text = text_of(tmp_path / "a.pdf", rows(spanned, xs=XS))
    assert text.endswith("| Garden | Summer | EUR 120 |\n| Garden | Winter | EUR 80 |")
    assert "| Attic | Winter | EUR 60 |" in text


def test_a_first_cell_between_two_rows_is_the_first_cell_of_both(tmp_path: Path) -> None:
    body = rows([PRICES[0], ["", "Summer", "EUR 90"], ["", "Winter", "EUR 60"]], xs=XS)
    text = text_of(tmp_path / "a.pdf", [*body, Drawn("Attic", 50, 700 - 1.5 * 16)])
    assert "| Attic | Summer | EUR 90 |\n| Attic | Winter | EUR 60 |" in text


def test_an_empty_cell_that_is_no_first_cell_stays_empty(tmp_path: Path) -> None:
    drawn = rows([PRICES[0], ["Attic", "", "EUR 90"], ["Cellar", "Winter", "EUR 40"]], xs=XS)
    assert "| Attic |  | EUR 90 |" in text_of(tmp_path / "a.pdf", drawn)


def test_a_cell_of_two_lines_is_one_cell(tmp_path: Path) -> None:
    drawn = rows(
        [["Item", "Use", "Price"], ["Lamp", "stands in the", "EUR 20"], ["", "garden all year", ""]], xs=XS
    )
    drawn += rows([["Chair", "folds", "EUR 35"]], xs=XS, top=630)
    text = text_of(tmp_path / "a.pdf", drawn)
    assert "| Lamp | stands in the garden all year | EUR 20 |\n| Chair | folds | EUR 35 |" in text


def test_names_and_values_get_no_header(tmp_path: Path) -> None:
    drawn = rows([["Monday", "closed"], ["Tuesday", "9 to 17"], ["Friday", "9 to 19"]], xs=XS[:2])
    assert text_of(tmp_path / "a.pdf", drawn).startswith("|  |  |\n|---|---|\n| Monday | closed |")


def test_bullets_and_numbers_of_lists_are_no_columns(tmp_path: Path) -> None:
    drawn = rows([["-", "Bring a towel."], ["-", "Bring a lamp."], ["3.", "Come early."]], xs=(50, 75))
    assert text_of(tmp_path / "a.pdf", drawn) == "- Bring a towel.\n- Bring a lamp.\n3. Come early."


def test_the_lines_of_a_centred_cell_stay_with_the_row_that_they_stand_around(tmp_path: Path) -> None:
    drawn = rows([PRICES[0], ["Lamp", "folds", "EUR 20"]], xs=XS, top=692, step=26)
    drawn += rows(
        [["", "stands in the"], ["Chair", "garden all"], ["", "year round"]], xs=XS[:2], top=653, step=13
    )
    drawn += [Drawn("EUR 35", XS[2], 640), *rows([["Table", "Round", "EUR 90"]], xs=XS, top=614)]
    text = text_of(tmp_path / "a.pdf", drawn)
    assert "| Lamp | folds | EUR 20 |\n| Chair | stands in the garden all year round | EUR 35 |" in text
    assert "| Table | Round | EUR 90 |" in text


def test_later_passages_of_a_long_table_carry_its_header(tmp_path: Path) -> None:
    long = [["Berth", "Boat", "Length"], *([f"A{n}", f"Heron {n}", f"{n} m"] for n in range(1, 45))]
    passages = chunk(read(draw(tmp_path / "a.pdf", rows(long, xs=XS, top=780, step=16))))
    assert len(passages) > 1
    assert all(passage.context == "| Berth | Boat | Length |" for passage in passages[1:])


def test_raised_figures_are_powers_and_marks_and_raised_letters_stay(tmp_path: Path) -> None:
    drawn = [
        Drawn("It holds 10", 50, 700),
        Drawn("6", 101, 705, 7),
        Drawn(" cells on the 1", 105, 700),
        Drawn("st", 173, 705, 7),
        Drawn(" dish.", 178, 700),
    ]
    assert text_of(tmp_path / "a.pdf", drawn) == "It holds 10⁶ cells on the 1st dish."


def test_offsets_of_pages_and_passages_are_into_the_text_that_is_read(tmp_path: Path) -> None:
    first = [*rows(PRICES, xs=XS), Drawn("The har-", 50, 500), Drawn("bour is shut.", 50, 486)]
    document = read(draw(tmp_path / "a.pdf", first, rows(PROSE, xs=(50, 300))))
    assert "The harbour is shut." in document.text[: document.pages[0].end]
    assert document.text[document.pages[1].start :].startswith("The island ferry")
    for passage in chunk(document):
        assert document.text[passage.start : passage.end] == passage.text


def test_no_character_is_lost_wherever_text_is_drawn(tmp_path: Path) -> None:
    rng = random.Random(7)
    words = [f"{letter}{n}x" for letter in "abcdefgh" for n in range(8)]
    for trial in range(60):
        drawn = [
            Drawn(
                rng.choice(words),
                rng.choice((50, 60, 200, 350)),
                700 - rng.choice((12, 14, 15)) * rng.randint(0, 9),
            )
            for _ in range(rng.randint(2, 30))
        ]
        text = text_of(tmp_path / f"{trial}.pdf", drawn)
        missing = Counter("".join(one.text for one in drawn)) - Counter(text)
        assert not missing, (trial, missing)


def test_a_page_of_many_pieces_takes_little_time(tmp_path: Path) -> None:
    drawn = [Drawn(f"w{n}", 20 + n % 40 * 14, 790 - n // 40 * 2, 2) for n in range(12_000)]
    path = draw(tmp_path / "a.pdf", drawn)
    began = time.process_time()
    read(path)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    ("torn", "whole"),
    [
        ("All cus-\ntomers re-\nceive a re-\nfund.", "All customers receive a refund."),
        ("closed from 1 No-\nvember", "closed from 1 November"),
        ("A well-\nknown north-\nsouth route", "A well-known north-south route"),
        ("by e-\nmail, non-\nswimmers, a five-\nyear plan", "by e-mail, non-swimmers, a five-year plan"),
        ("state-of-the-\nart, mother-in-\nlaw", "state-of-the-art, mother-in-law"),
        ("Lark-\nfell sells tents.", "Larkfell sells tents."),
        ("we co-\noperate", "we co-operate"),
        ("soft\u00adware", "software"),
        ("1990-\n1995 and A-\nB", "1990-\n1995 and A-\nB"),
        ("The m arket is on S aturday in the cen tre.", "The market is on Saturday in the centre."),
        ("from 7 :30, EUR 1 ,200", "from 7:30, EUR 1,200"),
        ("plan B at noon, c at dawn, vitamin D an hour", "plan B at noon, c at dawn, vitamin D an hour"),
        ("s t a t i o n master", "station master"),
        ("A part of it goes in to the sea.", "A part of it goes in to the sea."),
    ],
)
def test_torn_words_are_made_whole_and_others_stay(torn: str, whole: str) -> None:
    vocabulary = Vocabulary([torn, "Larkfell is a shop. Teams co-operate."])
    assert whole_words(torn, vocabulary) == whole


ENGLISH = (
    "The old mill stands by the river and grinds rye for the whole valley since the bridge was built. " * 3
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ENGLISH, None),
        (
            "Die Mühle steht am Fluss und mahlt Roggen für das ganze Tal, seit die Brücke gebaut wurde. " * 3,
            None,
        ),
        ("奥比灯塔建于1872年。它高31米。", None),
        ("EUR 90 EUR 60 12 14 A4 B2 31.5", None),
        ("", None),
        ("(cid:12)(cid:7) mill (cid:88)", "codes of glyphs"),
        ("\ue001\ue002\ue003 \ue004\ue005 mill", "glyphs without a meaning"),
        ("The cafÃ© is on the pier; the fÃªte costs 5 â‚¬ and the crÃ¨me 3 â‚¬.", "wrong encoding"),
        ("T h e o l d m i l l s t a n d s b y t h e r i v e r", "letters with spaces"),
        (ENGLISH.translate({n: (n - 97 + 5) % 26 + 97 for n in range(97, 123)}), "no language"),
    ],
)
def test_a_page_that_is_no_text_is_told_and_any_other_is_not(text: str, reason: str | None) -> None:
    said = implausible(text)
    assert (said is None) if reason is None else (said is not None and reason in said)


def test_garbled_and_empty_pages_are_doubts_with_their_number(tmp_path: Path) -> None:
    page = [Drawn("(cid:12)(cid:7)(cid:88)", 50, 700)]
    document = read(draw(tmp_path / "a.pdf", [Drawn("The mill is old.", 50, 700)], page, []))
    assert doubts_about(document) == [
        "a.pdf: no text on page 3 (scanned?)",
        "a.pdf: garbled text on page 2: codes of glyphs in place of letters (100 % of the text)",
    ]
