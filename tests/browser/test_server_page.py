"""The server's page in a real browser: an answer pasted or dropped, claims that come, search, upload, what is saved."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.support.browser import requests_of, serious
from tests.support.server import Server, make_keys, serving
from verifier.interfaces.server.keys import Right

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<img src=x onerror=\"window.ran='yes'\"><script>window.ran='yes'</script>"
REFUNDS = (
    f"Refunds are paid within 14 days of the return. The handling fee is 5 EUR. {HOSTILE}\n\nWe open at 9:00."
)
ANSWER = "Refunds are paid within 60 days of the return. The handling fee is 5 EUR. Hello!"
MANY = " ".join(f"Item {n} is refunded within {n} days of the return." for n in range(30))
LONG = " ".join(MANY.replace("Item", f"Thing {n}") for n in range(10))
PHONE, DESKTOP = (390, 844), (1280, 860)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The keys of the server, in ``keys.json`` of ``keys["folder"]``."""
    folder = tmp_path_factory.mktemp("page")
    owners = {
        "reader": (["default"], [Right.CHECK]),
        "writer": (["default", "other"], [Right.CHECK, Right.WRITE]),
        "ops": (["*"], [Right.METRICS]),
    }
    return {**make_keys(folder / "keys.json", owners), "folder": str(folder)}


@pytest.fixture(scope="module")
def server(keys: dict[str, str]) -> Iterator[Server]:
    """A server with keys; the last test ends it."""
    settings = {"server.max_upload": 100_000, "server.keys": f"{keys['folder']}/keys.json"}
    texts = {name: {"note.md": "Nothing of use."} for name in ("other", "secret")}
    texts["default"] = {"refunds.md": REFUNDS}
    with serving(Path(keys["folder"]), settings, documents=texts) as running:
        yield running


_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""


@contextmanager
def opened(
    browser: Browser, url: str, key: str = "", size: tuple[int, int] = DESKTOP, scheme: str = "light"
) -> Iterator[Page]:
    """The page, which must break no policy, raise nothing, ask nobody else, run nothing of others and fit the width."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, accept_downloads=True
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.add_init_script(_WATCH)
    if key:
        context.add_init_script(f"sessionStorage.setItem('rag-claim-verifier-key', '{key}')")
    page = context.new_page()
    asked, errors = requests_of(page), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: "Policy" in said.text and errors.append(said.text))
    page.goto(url)
    yield page
    assert not errors
    assert page.evaluate("violations") == []
    assert {urlsplit(one).netloc for one in asked if not one.startswith("blob:")} == {urlsplit(url).netloc}
    assert page.evaluate("window.ran") is None
    assert page.locator("body img, body script").count() == 0
    assert fits(page)
    context.close()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def dropped(page: Page, where: str, files: dict[str, str]) -> None:
    """Let go of files over an element, as a hand with a mouse does."""
    make = """(files) => {
        const held = new DataTransfer();
        for (const [name, text] of Object.entries(files)) held.items.add(new File([text], name));
        return held;
    }"""
    page.dispatch_event(where, "drop", {"dataTransfer": page.evaluate_handle(make, files)})


def opened_as(page: Page, word: str) -> None:
    """Wait until the answer has that word."""
    from playwright.sync_api import expect

    expect(page.locator("#answer")).to_have_value(re.compile(word), timeout=30_000)


def checked(page: Page, answer: str | None = None) -> None:
    """Have it checked to the end."""
    if answer is not None:
        page.fill("#answer", answer)
    page.click("#go")
    page.wait_for_selector("#exports:not([hidden])")


# Checking


@pytest.mark.parametrize(
    ("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone, dark", "desktop, light"]
)
def test_a_pasted_answer_is_checked_and_shown_and_nobody_is_kept_out(
    browser: Browser, server: Server, keys: dict[str, str], size: tuple[int, int], scheme: str
) -> None:
    with opened(browser, server.url, keys["writer"], size, scheme) as page:
        page.wait_for_selector("#kb-note:text('1 document')")
        assert serious(page) == []
        page.fill("#answer", ANSWER)
        page.press("#answer", "Control+Enter")
        page.wait_for_selector("#exports:not([hidden])")
        assert page.inner_text("#said") == "Rejected. 2 claims judged."
        assert page.is_visible(".vf-rejected")
        page.locator(".vf-draft [data-claim]").first.click()
        assert "within 14 days" in page.inner_text(".vf-panel")
        assert fits(page)
        assert serious(page) == []
        page.click("#back")
        assert page.input_value("#answer") == ANSWER


def test_verdicts_are_shown_as_they_come(browser: Browser, server: Server, keys: dict[str, str]) -> None:
    with opened(browser, server.url, keys["writer"]) as page:
        page.evaluate(
            """() => {
                window.seen = [];
                new MutationObserver(() => seen.push(document.querySelector("#state").textContent))
                    .observe(document.querySelector("#state"), { childList: true });
            }"""
        )
        checked(page, LONG)
        told = [re.fullmatch(r"(\d+) of 300 claims judged", line) for line in page.evaluate("seen")]
        numbers = [int(one[1]) for one in told if one]
        assert numbers == sorted(numbers)
        assert any(0 < number < 300 for number in numbers)


def test_an_answer_and_sources_that_are_dropped_are_read_and_what_could_not_be_is_told(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    with opened(browser, server.url, keys["writer"]) as page:
        dropped(page, "#answer-drop", {"draft.md": "# Fees\n\nThe lamp costs 9 EUR."})
        opened_as(page, "lamp")
        dropped(page, "#source-drop", {"fees.csv": "item,fee\nlamp,9 EUR\n", "broken.pdf": "%PDF-1.7 cut"})
        checked(page)
        assert page.inner_text("#view h2").startswith("draft.md")
        assert "checked against fees.csv" in page.inner_text(".vf-outcome")
        assert "broken.pdf" in page.inner_text(".vf-alert")
        page.locator(".vf-draft [data-claim]").first.click()
        assert "fees.csv#1" in page.inner_text(".vf-panel")
        page.click("#back")
        page.click("[aria-label='Remove fees.csv']")
        page.click("#go")
        assert page.inner_text("#check-problem") == "None of the files could be read."


def test_what_is_missing_refused_or_stopped_is_said_where_it_is(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    with opened(browser, server.url, keys["writer"]) as page:
        page.wait_for_selector("#check:not([hidden])")
        page.click("#go")
        assert page.inner_text("#check-problem") == "There is no answer to check yet."
        assert page.evaluate("document.activeElement.id") == "answer"
        page.check("#against-files", force=True)
        page.fill("#answer", "x" * 1_000_001)
        page.click("#go")
        assert page.inner_text("#check-problem") == "There are no files to check against yet."
        page.check("#against-kb", force=True)
        page.click("#go")
        page.wait_for_selector("#again:not([hidden])")
        assert (
            page.inner_text("#outcome-problem") == "Response: string should have at most 1000000 characters."
        )
        page.click("#back")
        page.fill("#answer", LONG * 4)
        page.click("#go")
        page.wait_for_selector(".vf-draft [data-claim]")
        page.locator("#stop").dispatch_event("click")  # a real click waits until claims stop moving the page
        assert page.inner_text("#said").startswith("Stopped.")
        assert page.is_hidden("#exports")


def test_markup_of_others_is_text_wherever_it_stands(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    name = f"{HOSTILE}.md".replace("/", "\u2215")
    with opened(browser, server.url, keys["writer"]) as page:
        dropped(page, "#answer-drop", {name: f"The fee is 9 EUR {HOSTILE} in Oslo.\n\n<!-- {HOSTILE} -->"})
        opened_as(page, "Oslo")
        dropped(page, "#source-drop", {name: f"The fee is 5 EUR {HOSTILE} in Oslo.", f"{HOSTILE}.pdf": "x"})
        checked(page)
        page.locator(".vf-draft [data-claim]").first.click()
        assert "<script>" in page.inner_text(".vf-panel")
        assert "<img" in page.inner_text("#view h2")


# What is taken along


def test_the_report_is_saved_and_copied(browser: Browser, server: Server, keys: dict[str, str]) -> None:
    hostile = f"{ANSWER} {HOSTILE} The \u2028 fee & all </script> is 9 EUR."
    with opened(browser, server.url, keys["writer"]) as page:
        checked(page, hostile)
        with page.expect_download() as saved:
            page.click("#save-json")
        report = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
        assert saved.value.suggested_filename == "answer-checked.json"
        with server.client(keys["writer"]) as client:
            assert report == client.post("/v1/verify", json={"response": hostile}).json()
        with page.expect_download() as saved:
            page.click("#save-html")
        html = Path(saved.value.path()).read_text(encoding="utf-8")
        page.click("#copy")
        page.wait_for_selector("#copy:text('Copied')")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("Rejected, checked against 1 document in default.\n\n1. contradicted")
    alone = browser.new_context(offline=True)
    alone.add_init_script(_WATCH)
    page = alone.new_page()
    page.set_content(html)
    page.wait_for_selector(".vf-rejected")
    assert page.locator(".vf-draft [data-claim].vf-is-contradicted").count() >= 1
    assert (page.evaluate("window.ran"), page.evaluate("violations")) == (None, [])
    alone.close()


# The knowledge base


def test_the_knowledge_base_is_searched_listed_and_added_to(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    files = {
        "new.md": b"The zeppelin leaves at noon.",
        "broken.pdf": b"%PDF-1.7 cut",
        "large.txt": b"x" * 200_000,
    }
    with opened(browser, f"{server.url}/#knowledge", keys["writer"], PHONE) as page:
        page.wait_for_selector("#documents li")
        found(page, "handling fee", "refunds.md")
        page.set_input_files(
            "#upload-file",
            files=[{"name": name, "mimeType": "", "buffer": content} for name, content in files.items()],
        )
        page.wait_for_selector("#documents :text('new.md')")
        stored, broken, large = page.locator("#uploads li").all_inner_texts()
        assert "stored, 1 passage" in stored
        assert "broken.pdf" in broken
        assert "at most 100 kB are taken" in large
        assert page.locator("#uploads .failed").count() == 2
        found(page, "zeppelin", "new.md")
        assert fits(page)
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        assert serious(page) == []
        page.select_option("#browse", "other")
        page.wait_for_selector("#documents :text('note.md')")


def found(page: Page, query: str, source: str) -> None:
    page.fill("#query", query)
    page.press("#query", "Enter")
    page.wait_for_selector(f".results :text('{source}')")


# Keys


def test_a_server_with_keys_asks_for_one_and_shows_what_it_allows(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    with opened(browser, server.url) as page:

        def enter(secret: str) -> None:
            page.wait_for_selector("#key:not([hidden])")
            page.fill("#secret", secret)
            page.press("#secret", "Enter")

        page.wait_for_selector("#key:not([hidden])")
        assert page.is_hidden("#check")
        assert serious(page) == []
        enter("rv_nonsense")
        page.wait_for_selector("#key-problem:not(:empty)")
        assert page.inner_text("#key-problem") == "This key is not known."
        enter(keys["ops"])
        page.wait_for_selector("#message:not([hidden])")
        assert "may not check" in page.inner_text("#message")
        page.click("#forget")
        enter(keys["reader"])
        page.wait_for_selector("#check:not([hidden])")
        assert page.locator("#namespace option").all_inner_texts() == ["default"]
        checked(page, "The handling fee is 5 EUR.")
        page.click("nav a[href='#knowledge']")
        page.wait_for_selector("#documents li")
        assert page.is_hidden("#adding")
        assert page.evaluate("[localStorage.length, document.cookie, sessionStorage.length]") == [0, "", 1]
        page.reload()
        page.wait_for_selector("#documents li")
        assert keys["reader"] not in page.content()
        page.click("#forget")
        page.wait_for_selector("#key:not([hidden])")
        assert page.evaluate("sessionStorage.length") == 0
        enter(keys["writer"])
        page.wait_for_selector("#documents li")
        page.select_option("#browse", "other")
        dropped(page, "#upload-drop", {"b.md": "The tower is 90 m high."})
        page.wait_for_selector("#documents :text('b.md')")


# The reference


def test_the_reference_shows_every_route_of_the_openapi(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    with opened(browser, f"{server.url}/docs", size=PHONE) as page:
        page.wait_for_selector(".route")
        with server.client() as client:
            described = client.get("/openapi.json").json()
        titles = page.locator(".route h3").all_inner_texts()
        assert {re.sub(r"\s", "", title) for title in titles} == {
            f"{method.upper()}{path}" for path, methods in described["paths"].items() for method in methods
        }
        assert "check against these texts and nothing else" in page.inner_text("#post-v1-verify")
        assert serious(page) == []


# The last: it ends the server


def test_a_server_that_goes_in_the_middle_leaves_what_was_judged_and_says_so(
    browser: Browser, server: Server, keys: dict[str, str]
) -> None:
    with opened(browser, server.url, keys["writer"]) as page:
        page.fill("#answer", LONG)
        page.click("#go")
        page.wait_for_selector(".vf-draft [data-claim]")
        server.stop(signal.SIGKILL)
        page.wait_for_selector("#again:not([hidden])")
        assert "The connection ended before the check did." in page.inner_text("#outcome-problem")
        assert page.locator(".vf-draft [data-claim]").count() > 0
        assert page.is_hidden("#exports")
        page.click("#again")
        page.wait_for_selector("#outcome-problem:text('cannot be reached')")
