"""The forms of a ``where`` filter become one plain form; an unknown form is refused with the form wanted."""

from __future__ import annotations

from typing import Any

import pytest
from verifier_backends.filters import matches, plain_filter

from verifier.config import Settings
from verifier.factory import temporary_store
from verifier.types import Document


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ({}, {}),
        ({"lang": "en"}, {"lang": "en"}),
        ({"lang": {"$eq": "en"}}, {"lang": "en"}),
        ({"owner": {"$eq": None}}, {"owner": None}),
        ({"lang": {"$in": ("en", "de")}}, {"lang": ["en", "de"]}),
        ({"$and": [{"lang": {"$in": ["en"]}}, {"year": 2024}]}, {"lang": ["en"], "year": 2024}),
        ({"$and": [{"lang": ["en", "de"]}, {"lang": {"$in": ["de", "fr"]}}]}, {"lang": ["de"]}),
        ({"lang": {"$in": ["en", "de"], "$eq": "en"}}, {"lang": ["en"]}),
        ({"$": 1}, {"$": 1}),
    ],
)
def test_the_forms_of_other_databases_become_plain(given: dict[str, Any], plain: dict[str, Any]) -> None:
    assert plain_filter(given) == plain


@pytest.mark.parametrize(
    "given",
    [
        {"lang": {"$ne": "en"}},
        {"lang": {"$nin": ["en"]}},
        {"lang": {"en": True}},
        {"lang": {"$in": "en"}},
        {"lang": {"$eq": ["en"]}},
        {"$or": [{"lang": "en"}]},
        {"$and": {"lang": "en"}},
        {"$and": ["lang"]},
    ],
)
def test_an_unknown_form_is_refused_with_the_form_wanted(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"where=\{.*\['en'"):
        plain_filter(given)
    with pytest.raises(ValueError, match="where="):
        matches({"lang": "en"}, given)


def test_a_store_reads_both_forms_alike_and_refuses_the_same() -> None:
    with temporary_store(Settings()) as store:
        store.ingest(
            Document(f"{lang}.txt", f"/{lang}", f"The {lang} gate is blue.", metadata={"lang": lang})
            for lang in ("en", "de", "fr")
        )
        plain = store.retrieve(["Which gate is blue?"], where={"lang": ["en", "de"]})
        assert len(plain[0]) == 2
        assert store.retrieve(["Which gate is blue?"], where={"lang": {"$in": ["en", "de"]}}) == plain
        with pytest.raises(ValueError, match=r"where=\{'lang': \['en'\]\}"):
            store.retrieve(["Which gate is blue?"], where={"lang": {"$nin": ["en"]}})
