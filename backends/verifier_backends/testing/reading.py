"""Contract tests of a filled backend: order, empty queries, purity, filters, scripts."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable

from verifier_backends.filters import matches
from verifier_backends.testing.cases import (
    FILTERS,
    ITEMS,
    METADATA,
    QUERY,
    TEXTS,
    UNKNOWN_FILTERS,
    Suite,
    assert_ordered,
    ids,
    raises,
)
from verifier_backends.types import Hit, Item

__all__ = ["ReadingContract"]


class ReadingContract(Suite):
    """What a query must answer."""

    def test_the_best_hit_comes_first_and_scores_never_rise(self) -> None:
        hits = self.filled().query(QUERY, 6)
        assert hits, f"query({QUERY!r}) found nothing among texts of which one answers it word by word"
        assert hits[0]["id"] == "invoice", f"'invoice' answers best, but {hits[0]['id']!r} came first"
        assert_ordered(hits)

    def test_equal_texts_are_ordered_by_id(self) -> None:
        backend = self.filled()
        for doc_id in ("tie-c", "tie-a", "tie-d", "tie-b"):
            backend.add(doc_id, TEXTS["invoice"])
        expected = ["invoice", "tie-a", "tie-b", "tie-c", "tie-d"]
        for n in (5, 3):
            found = ids(backend.query(TEXTS["invoice"], n))
            assert found == expected[:n], f"equal scores must be ordered by id, also at the cut: got {found}"

    def test_a_hit_is_what_was_stored(self) -> None:
        for hit in self.filled().query(QUERY, 6):
            assert set(hit) == {"id", "text", "score", "metadata"}, f"a hit has other keys: {sorted(hit)}"
            assert hit["text"] == TEXTS[hit["id"]], "a hit's text is not the text stored under its id"
            assert hit["metadata"] == METADATA[hit["id"]], "a hit's metadata are not those stored"
            assert type(hit["score"]) is float, f"score must be a Python float, not {type(hit['score'])}"

    def test_n_results_cuts_the_ranking_and_changes_nothing_else(self) -> None:
        backend = self.filled()
        everything = backend.query(QUERY, 1000)
        assert len(everything) <= len(ITEMS), "more hits than stored texts"
        for n in range(len(everything) + 2):
            self.assert_same(backend.query(QUERY, n), everything[:n], f"query(n_results={n})")

    def test_an_empty_backend_finds_nothing(self) -> None:
        backend = self.make_backend()
        assert backend.count() == 0, "make_backend() must return an empty backend"
        assert backend.query(QUERY) == [], "a query on an empty backend must give []"
        assert backend.query_many([QUERY, QUERY]) == [[], []], "query_many must give [] for each text"
        assert backend.query_many([QUERY], 3, {"lang": "en"}) == [[]], "also under a filter"

    def test_nothing_asked_nothing_found(self) -> None:
        backend = self.filled()
        for blank in ("", " ", "\n\t "):
            assert backend.query(blank, 3) == [], f"a query of blank text ({blank!r}) must give []"
        assert backend.query(QUERY, 0) == [], "n_results=0 must give []"
        assert backend.query_many([], 3) == [], "query_many([]) must give []"
        found = [bool(hits) for hits in backend.query_many(["", QUERY, " "], 3)]
        assert found == [False, True, False], "a blank text in a batch must give [] in its own place only"

    def test_adding_nothing_changes_nothing(self) -> None:
        backend = self.filled()
        backend.add_many([])
        assert backend.count() == len(ITEMS), "add_many([]) must change nothing"

    def test_bad_arguments_raise_value_error(self) -> None:
        backend = self.filled()
        calls: dict[str, Callable[[], object]] = {
            "add('', text)": lambda: backend.add("", "text"),
            "add(id, '')": lambda: backend.add("x", ""),
            "add(id, blank)": lambda: backend.add("x", " \n"),
            "add_many with a blank text": lambda: backend.add_many([Item("y", " ")]),
            "query(text, -1)": lambda: backend.query(QUERY, -1),
            "query_many(texts, -1)": lambda: backend.query_many([QUERY], -1),
        }
        for name, call in calls.items():
            with raises(ValueError, name):
                call()
        assert backend.count() == len(ITEMS), "a refused call must store nothing"

    def test_hits_and_arguments_are_not_shared_with_the_backend(self) -> None:
        backend = self.make_backend()
        metadata: dict[str, str | int | float | bool | None] = {"lang": "en"}
        backend.add("invoice", TEXTS["invoice"], metadata)
        metadata["lang"] = "changed by the caller"
        first = backend.query(QUERY, 1)
        expected = copy.deepcopy(first)
        first[0]["metadata"]["lang"] = first[0]["text"] = "changed by the caller"
        again = backend.query(QUERY, 1)
        assert again == expected, "changing a hit must not change the backend: return copies of metadata"
        assert again[0]["metadata"] == {"lang": "en"}, "the backend must copy the metadata it is given"

    def test_the_same_calls_give_the_same_hits(self) -> None:
        assert self.filled().query(QUERY, 6) == self.filled().query(QUERY, 6), "not deterministic"

    def test_a_batch_gives_what_single_queries_give(self) -> None:
        backend = self.filled()
        texts = [*TEXTS.values(), QUERY, "zyxwv", "", QUERY]
        for text, hits in zip(texts, backend.query_many(texts, 4), strict=True):
            self.assert_same(hits, backend.query(text, 4), f"query_many at {text!r}")

    def test_add_many_gives_what_single_adds_give(self) -> None:
        single = self.make_backend()
        for item in ITEMS:
            single.add(*item)
        self.assert_same(single.query(QUERY, 6), self.filled().query(QUERY, 6), "add one by one")

    def test_staged_items_are_invisible_until_committed(self) -> None:
        backend = self.make_backend()
        commit = backend.stage(iter(ITEMS))
        assert backend.count() == 0, "stage() must store nothing before its result is called"
        commit()
        self.assert_same(backend.query(QUERY, 6), self.filled().query(QUERY, 6), "stage and commit")

    def test_filters_select_before_n_results_cuts(self) -> None:
        backend = self.filled()
        for text in (QUERY, TEXTS["glacier"]):
            everything = backend.query(text, len(ITEMS))
            for where in FILTERS:
                wanted = [hit for hit in everything if matches(METADATA[hit["id"]], where)]
                for n in (1, 2, 6):
                    found = backend.query_many([text], n, where)[0]
                    assert_ordered(found)
                    strays = [hit["id"] for hit in found if hit["id"] not in ids(wanted)]
                    assert not strays, f"where={where} let through {strays}"
                    assert len(found) == len(wanted[:n]), f"where={where} hid a match from n_results={n}"

    def test_a_filter_in_a_form_that_is_not_known_is_a_value_error_that_shows_the_form(self) -> None:
        for backend in (self.filled(), self.make_backend()):
            for where in UNKNOWN_FILTERS:
                with raises(
                    ValueError,
                    f"a search with where={where} (verifier_backends.filters.plain_filter)",
                    "where={",
                ):
                    backend.query_many([QUERY], 2, where)

    def test_texts_of_any_script_and_length_are_kept_to_the_character(self) -> None:
        texts = {
            "han": "东京都是日本的首都。",
            "emoji": "👩‍🔬 measured 37 °C — naïve café",
            "arabic": "الفاتورة مستحقة خلال ثلاثين يوما",
            "nul": "zero\x00byte and \u2028 separators\r\n",
            "long": "A very long text about lighthouses. " * self.long_text_sentences,
            "symbols": "!!! ??? ...",
        }
        backend = self.make_backend()
        backend.add_many(Item(doc_id, text) for doc_id, text in texts.items())
        backend.add("id with spaces / and ünïcode", "plain lighthouse")
        assert backend.count() == len(texts) + 1, "a text of another script or without words was lost"
        for text in texts.values():
            for hit in backend.query(text, 10):
                expected = texts.get(hit["id"], "plain lighthouse")
                assert hit["text"] == expected, f"the text of {hit['id']!r} came back changed"
        found = ids(backend.query("very long lighthouses text", 2))
        assert "long" in found, "a long text is not found"

    def test_async_twins_give_the_same_hits(self) -> None:
        async def run() -> tuple[list[Hit], list[list[Hit]]]:
            backend = self.make_backend()
            await backend.aadd_many(ITEMS)
            return await backend.aquery(QUERY, 3), await backend.aquery_many([QUERY], 3, {"lang": "en"})

        one, many = asyncio.run(run())
        backend = self.filled()
        self.assert_same(one, backend.query(QUERY, 3), "aquery")
        self.assert_same(many[0], backend.query_many([QUERY], 3, {"lang": "en"})[0], "aquery_many")
