"""The page that ``verifier report`` writes, in a real browser: keys, clicks, filters, print, colours, hostile text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import requests_of, serious
from tests.support.cli import run
from verifier.interfaces.formats.base import Run, Unread
from verifier.interfaces.formats.html import HtmlFormat
from verifier.interfaces.formats.testing import sample
from verifier.types import Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<img src=x onerror=\"window.ran='yes'\"><script>window.ran='yes'</script>"
DRAFT = f"""# Fees & times {HOSTILE}

The parking fee is EUR 5 a day. Dogs are free. The museum opens at 9:00. \U0001f600 Cats cost EUR 3 in Oslo.

- **Refunds** take 60 days.

Kind regards,
Jane

Is this one long line of text that somebody has wrapped in the middle of a sentence
since it was long?

Any questions? {HOSTILE}

<!-- The fee is 99 EUR for cats. -->

"""
PRICES = "# Prices\n\nThe parking fee is EUR 7 a day.\n"
SOURCES = {
    "fees.md": f"# Fees\n\nThe parking fee is EUR 5 a day. Dogs are free. {HOSTILE}\n",
    "prices</script><script>window.ran=1<.md".replace("/", "\u2215"): PRICES,
    "times.txt": "Opening times\n\nThe museum opens at 10:00.\nRefunds take 30 days.\n",
    "cut.pdf": "%PDF-1.4 cut",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file, for a draft with something of everything in it."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "sources").mkdir()
    for name, text in SOURCES.items():
        (folder / "sources" / name).write_text(text, encoding="utf-8")
    (folder / "draft.md").write_text(DRAFT, encoding="utf-8")
    made = run("report", "draft.md", "sources", cwd=folder, VERIFIER_SIGNALS__NLI="false")
    assert made.returncode == 3, made.stderr
    assert "not read: cut.pdf" in made.stderr
    assert "draft.md.html: rejected" in made.stdout
    return folder / "draft.md.html"


@pytest.fixture(scope="module")
def shared(browser: Browser) -> Iterator[Page]:
    """A page that is offline from the start."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.fixture
def page(shared: Page, report: Path) -> Page:
    """The report, freshly opened."""
    shared.set_viewport_size({"width": 1280, "height": 800})
    shared.emulate_media(media="screen", color_scheme="light")
    shared.goto(report.as_uri())
    return shared


def focused(page: Page) -> str:
    told = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.className"
    return str(page.evaluate(told))


def title(page: Page) -> str:
    return page.locator(".vf-panel .vf-title").inner_text().replace("\n", " ")


def test_the_draft_is_shown_with_each_claim_marked_by_colour_and_shape(page: Page) -> None:
    claims = page.locator(".vf-draft .vf-claim[role=button]")
    labels = claims.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert labels[0] == "Claim 1, unverifiable: The parking fee is EUR 5 a day."
    assert [label.split(",")[1].split(":")[0].strip() for label in labels[1:5]] == [
        "supported",
        "contradicted",
        "unverifiable",  # nothing has a trace of it, and a source could not be read
        "contradicted",
    ]
    signs = page.locator(".vf-draft .vf-number svg path").evaluate_all(
        "all => all.map(one => one.getAttribute('d'))"
    )
    assert len(set(signs)) == 3
    assert page.locator(".vf-draft li .vf-strong").inner_text() == "Refunds"
    assert "Kind regards,\nJane" in page.locator(".vf-draft").inner_text()
    assert "middle of a sentence since it was long?" in page.locator(".vf-draft").inner_text()
    assert "\U0001f600 Cats" in page.locator(".vf-draft").inner_text()


def test_what_was_not_checked_is_hidden_or_could_not_be_read_is_said(page: Page) -> None:
    alerts = page.locator(".vf-alert").all_inner_texts()
    assert alerts[0].startswith("Not everything could be read")
    assert "cut.pdf" in alerts[0]
    assert "The fee is 99 EUR for cats." in alerts[1]
    assert page.locator(".vf-hidden").inner_text() == "The fee is 99 EUR for cats."
    assert "Any questions?" in page.locator(".vf-skipped[data-why=question]").all_inner_texts()
    page.get_by_role("button", name="not checked").click()
    shown = page.evaluate("getComputedStyle(document.querySelector('p > .vf-skipped'), '::after').content")
    assert shown != "none"


def test_j_and_k_go_from_claim_to_claim_and_tell_a_screen_reader(page: Page) -> None:
    page.keyboard.press("j")
    assert title(page).startswith("Claim 1: ")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == "Claim 3, contradicted: The museum opens at 9:00."
    assert page.locator("[aria-live]").inner_text().startswith("Claim 3 of 6, contradicted, ")
    expanded = page.locator("[data-claim][aria-expanded=true]")
    assert [one.get_attribute("data-claim") for one in expanded.all()] == ["3"]
    page.keyboard.press("k")
    assert focused(page).startswith("Claim 2, supported")
    page.keyboard.press("ArrowDown")
    assert focused(page).startswith("Claim 3")


def test_enter_goes_to_the_evidence_and_escape_back_to_the_claim(page: Page) -> None:
    page.locator("[data-claim='5'][role=button]").focus()
    page.keyboard.press("Enter")
    assert focused(page) == "vf-title"
    assert "Contradicted" in title(page)
    page.keyboard.press("Escape")
    assert focused(page).startswith("Claim 5, contradicted")
    assert title(page) == "Look at these first"


def test_a_click_shows_both_quotations_and_what_differs_with_page_and_line(page: Page) -> None:
    page.locator("[data-claim='5'][role=button]").click()
    panel = page.locator(".vf-panel")
    assert panel.locator(".vf-said .vf-differs").inner_text() == "60 days"
    source = panel.locator(".vf-quotation:not(.vf-said)").first
    assert source.locator("mark.vf-differs").inner_text() == "30 days"
    assert source.locator(".vf-source").inner_text().startswith("times.txt line")
    assert panel.locator(".vf-difference").inner_text() == "60 days differs from 30 days"
    assert "->" not in panel.inner_text()


def test_sources_that_disagree_stand_side_by_side(page: Page) -> None:
    page.keyboard.press("j")
    assert "sources disagree" in title(page)
    sides = page.locator(".vf-panel .vf-sides .vf-quotation")
    boxes = [side.bounding_box() for side in sides.all()]
    assert [box and box["y"] for box in boxes] == [boxes[0] and boxes[0]["y"]] * 2
    assert [side.locator(".vf-name").inner_text() for side in sides.all()] == ["Agrees", "Differs"]
    assert sides.nth(1).locator("mark.vf-differs").inner_text() == "EUR 7"


def test_a_filter_takes_marks_away_and_leaves_the_text(page: Page) -> None:
    before = page.locator(".vf-draft").inner_text()
    page.locator(".vf-filter[data-label=contradicted]").click()
    assert page.locator(".vf-filter[data-label=contradicted]").get_attribute("aria-pressed") == "false"
    assert page.locator(".vf-draft .vf-is-contradicted").count() == 0
    assert "The museum opens at 9:00." in page.locator(".vf-draft").inner_text()
    for _ in range(3):
        page.keyboard.press("j")
    assert focused(page).startswith("Claim 4")
    page.locator(".vf-filter[data-label=contradicted]").click()
    assert page.locator(".vf-draft").inner_text() == before


def test_print_shows_every_claim_with_its_evidence_and_no_controls(page: Page) -> None:
    page.emulate_media(media="print")
    entries = page.locator(".vf-list li[value]")
    assert entries.count() == 6
    assert "differs from" in entries.nth(2).inner_text()
    assert not any(
        page.locator(name).first.is_visible() for name in (".vf-panel", ".vf-filters", ".vf-tools")
    )
    assert page.locator(".vf-draft").is_visible()


def test_it_is_dark_where_the_system_is_and_the_switch_turns_it(page: Page) -> None:
    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.querySelector('.vf')).backgroundColor"))

    light = ground()
    page.emulate_media(color_scheme="dark")
    dark = ground()
    page.get_by_role("button", name="Light").click()
    assert (ground(), light != dark) == (light, True)


def test_nothing_of_the_texts_runs_and_nothing_is_asked_from_outside(page: Page, report: Path) -> None:
    asked = requests_of(page)
    page.reload()
    for _ in range(6):
        page.keyboard.press("j")
    assert asked == [report.as_uri()]
    assert page.evaluate("window.ran") is None
    assert page.locator(".vf img, .vf script").count() == 0
    assert "<script>window.ran='yes'</script>" in page.locator(".vf-draft").inner_text()
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))"
    )
    assert page.evaluate("window.ran") is None  # the page's own policy forbids it
    assert len(report.read_bytes()) < 200_000


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_that_keeps_people_out(page: Page, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.keyboard.press("j")
    assert serious(page) == []


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_claim_stays_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("[data-claim='5'][role=button]").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    claim = page.locator("[data-claim='5'][role=button]").bounding_box()
    panel = page.locator(".vf-panel").bounding_box()
    assert claim is not None
    assert panel is not None
    assert claim["y"] + claim["height"] <= panel["y"]


def test_of_several_drafts_one_is_shown_and_listens_to_keys(page: Page, tmp_path: Path) -> None:
    every = Run(
        (sample("Fees are 5 EUR.", Verdict.SUPPORTED, "good.md"), sample("Fees are 6 EUR.", None, "bad.md")),
        (Unread("scan.pdf", "no words"),),
        several=True,
    )
    (tmp_path / "all.html").write_text(HtmlFormat().render(every), encoding="utf-8")
    page.goto((tmp_path / "all.html").as_uri())
    assert page.title() == "2 texts: 1 approved, 1 rejected; 1 could not be read"
    assert "scan.pdf no words" in page.locator(".vf-alert").inner_text()
    assert page.locator("section:visible h2").first.inner_text() == "bad.md"
    page.get_by_role("button", name="good.md").click()
    page.keyboard.press("j")
    assert [panel.is_visible() for panel in page.locator(".vf-panel").all()] == [True, False]
    assert page.locator("[aria-expanded=true]").count() == 1
    assert serious(page) == []
    page.emulate_media(media="print")
    assert page.locator(".vf-draft:visible").count() == 2
