"""The spaCy adapter, with a pipeline made on the spot: it needs spaCy, but no trained model."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import Sort
from verifier_signals.names.trained import SpacyNames
from verifier_signals.types import Outcome, TextPair

from verifier.core.errors import ConfigError, MissingExtra

LOWER_CASE = TextPair("the help desk is run by larkdesk support.", "the help desk is run by brisk answers.")


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline that knows two names in small letters, which no rule over capitals can find."""
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "ORG", "pattern": "larkdesk support"},
            {"label": "ORG", "pattern": "brisk answers"},
            {"label": "DATE", "pattern": "last Tuesday"},
        ]
    )
    folder = tmp_path_factory.mktemp("pipeline")
    nlp.to_disk(folder)
    return folder


def test_names_of_the_pipeline_are_found_beside_those_of_the_rules(pipeline: Path) -> None:
    names = SpacyNames(str(pipeline))("last Tuesday we wrote to larkdesk support about ISO 27001.")
    assert [(name.text, name.sort) for name in names] == [
        ("larkdesk support", Sort.ORGANISATION),
        ("ISO 27001", Sort.OTHER),
    ]


def test_the_signal_compares_the_names_that_the_pipeline_finds(pipeline: Path) -> None:
    [by_rules] = EntitySignal().score([LOWER_CASE])
    [by_pipeline] = EntitySignal(spacy=str(pipeline)).score([LOWER_CASE])
    assert by_rules.outcome is Outcome.NOT_APPLICABLE
    assert by_pipeline.outcome is Outcome.CONFLICTING


def test_a_pipeline_that_is_not_installed_is_a_configuration_error() -> None:
    pytest.importorskip("spacy")
    with pytest.raises(ConfigError, match="no pipeline 'xx_not_there'"):
        EntitySignal(spacy="xx_not_there").score([LOWER_CASE])


def test_without_spacy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtra, match=r"rag-claim-verifier\[spacy\]"):
        EntitySignal(spacy="en_core_web_sm").score([LOWER_CASE])
