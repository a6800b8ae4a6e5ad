"""Recognition of names by models: the head over the embedded encoder, and a spaCy pipeline made on the spot."""

from __future__ import annotations

import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import Sort
from verifier_signals.names.trained import (
    FOLDER,
    LONGEST,
    TAGS,
    EncodedTokens,
    HeadNames,
    NameHead,
    SpacyNames,
    spans_of,
)
from verifier_signals.types import Outcome, TextPair

from verifier.core.errors import ConfigError, MissingExtra
from verifier.core.models import embedded_model


@pytest.fixture(scope="module")
def names() -> HeadNames:
    return HeadNames()


def test_names_are_found_with_their_sorts_and_those_of_the_rules_beside_them(names: HeadNames) -> None:
    text = "Maria Olsson left Siemens in Hamburg and now audits ISO 27001."
    found = {name.text: name.sort for name in names(text)}
    assert found["Maria Olsson"] == Sort.PERSON
    assert found["Siemens"] == Sort.ORGANISATION
    assert found["Hamburg"] == Sort.PLACE
    assert "ISO 27001" in found


@pytest.mark.parametrize(
    "text", ["", "  \n", "There was nothing left to do.", "Цены выросли.", "word " * (3 * LONGEST)]
)
def test_texts_without_names_have_none(names: HeadNames, text: str) -> None:
    assert names(text) == ()


def test_names_in_a_sentence_of_many_parts_are_found_where_they_stand(names: HeadNames) -> None:
    text = "and so on " * LONGEST + "until Maria Olsson came to Hamburg."
    assert [text[name.start : name.end] for name in names(text)] == ["Maria Olsson", "Hamburg"]


def test_the_signal_compares_the_names_that_the_head_finds() -> None:
    pair = TextPair("The plant is run by Maria Olsson.", "The plant is run by Peter Lind.")
    [score] = EntitySignal(head=True).score([pair])
    assert score.outcome is Outcome.CONFLICTING


def test_a_tag_inside_a_name_never_opens_one() -> None:
    random = np.random.default_rng(7)
    head = _random_head(random)
    for length in (1, 2, 17):
        inputs = random.normal(size=(length, 5)).astype(np.float32)
        tags = head.tags(EncodedTokens([(at, at + 1) for at in range(length)], inputs))
        assert len(tags) == length
        for before, tag in zip(["O", *tags], tags, strict=False):
            assert not tag.startswith("I-") or before[2:] == tag[2:]


def test_the_best_sequence_is_that_of_all_sequences() -> None:
    random = np.random.default_rng(3)
    head = _random_head(random)
    inputs = random.normal(size=(4, 5)).astype(np.float32)
    scores = np.maximum(inputs @ head.hidden + head.hidden_bias, 0) @ head.output + head.output_bias
    opening = [at for at, tag in enumerate(TAGS) if not tag.startswith("I")]
    best = max(
        (
            (one, two, three, four)
            for one in opening
            for two in range(9)
            for three in range(9)
            for four in range(9)
        ),
        key=lambda path: (
            sum(scores[at, tag] for at, tag in enumerate(path))
            + sum(head.follows[pair] for pair in pairwise(path))
        ),
    )
    assert head.tags(EncodedTokens([(0, 1)] * 4, inputs)) == [TAGS[at] for at in best]


def test_neighbouring_names_are_two() -> None:
    tokens = [(0, 3), (4, 7), (8, 11)]
    assert spans_of(tokens, ["B-LOC", "B-PER", "I-PER"]) == {(0, 3): "LOC", (4, 11): "PER"}


def test_a_head_of_another_model_is_refused(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "head")
    config = json.loads((FOLDER / "config.json").read_text())
    (tmp_path / "head" / "config.json").write_text(json.dumps(config | {"encoder": "0" * 64}))
    with pytest.raises(ConfigError, match=r"another model; learn it again: python -m training names"):
        HeadNames(tmp_path / "head")("Maria Olsson left.")


@pytest.mark.parametrize("damage", ["missing", "cut", "other"])
def test_a_damaged_head_is_one_clear_error(tmp_path: Path, damage: str) -> None:
    shutil.copytree(FOLDER, tmp_path / "head")
    weights = tmp_path / "head" / "head.npz"
    if damage == "missing":
        weights.unlink()
    elif damage == "cut":
        weights.write_bytes(weights.read_bytes()[:200])
    else:
        np.savez(weights, hidden=np.zeros(3))
    with pytest.raises(ConfigError, match="cannot read the named-entity head"):
        HeadNames(tmp_path / "head")("Maria Olsson left.")


def test_two_ways_to_find_names_are_one_too_many() -> None:
    with pytest.raises(ConfigError, match="not with both"):
        EntitySignal(spacy="en_core_web_sm", head=True)


def test_the_shipped_head_was_learnt_over_the_shipped_model() -> None:
    model = embedded_model("verifier_signals", "nli")
    assert model is not None
    NameHead.load(FOLDER, model.fingerprint())


def _random_head(random: np.random.Generator) -> NameHead:
    """Five inputs, six units; what cannot follow is as in a learnt one."""
    count = len(TAGS)
    follows = random.normal(size=(count, count)).astype(np.float32)
    for one, before in enumerate(TAGS):
        for two, tag in enumerate(TAGS):
            if tag.startswith("I-") and before[2:] != tag[2:]:
                follows[one, two] = -np.inf
    shapes = ((5, 6), (6,), (6, count), (count,))
    arrays = [random.normal(size=shape).astype(np.float32) for shape in shapes]
    return NameHead(arrays[0], arrays[1], arrays[2], arrays[3], follows)


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
