"""``[reader]`` of the types that read as the NLI signal: what becomes of the signals' tables, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from verifier_signals.nli import NLISignal

from verifier.config import load
from verifier.core.errors import ConfigError
from verifier.factory import build_signals
from verifier.readers.settings import signal_tables
from verifier.verification.vocabulary import Vocabulary

ON = {"nli": True, "number": True, "entity": False}


def test_the_embedded_reader_and_readers_of_other_types_leave_the_signals_alone() -> None:
    old = {**ON, "nli": {"model": "./folder"}}
    assert signal_tables({"type": "embedded"}, ON) == ON
    assert signal_tables({"type": "embedded"}, old) == old
    assert signal_tables({"type": "chat", "model": "large"}, old) == old


def test_a_classifier_is_the_model_of_the_nli_signal() -> None:
    reader = {"type": "classifier", "model": "owner/name", "revision": "0" * 40}
    options = {"model": "owner/name", "revision": "0" * 40}
    assert signal_tables(reader, ON) == {**ON, "nli": options}
    assert signal_tables(reader, {"number": True}) == {"number": True, "nli": options}


def test_options_of_the_old_table_are_kept_beside_those_of_the_reader() -> None:
    reader = {"type": "classifier", "model": "owner/name"}
    tables = signal_tables(reader, {"nli": {"model": "owner/name", "threads": 2}})
    assert tables == {"nli": {"model": "owner/name", "threads": 2}}


@pytest.mark.parametrize(
    ("reader", "nli", "said"),
    [
        (
            {"type": "classifier", "model": "a/b"},
            {"model": "c/d"},
            "reader.model = 'a/b' and signals.nli.model = 'c/d' name two models; keep one of them",
        ),
        (
            {"type": "classifier", "model": "a/b", "threads": 1, "dtype": "float16"},
            {"model": "a/b", "threads": 2, "dtype": "float16"},
            "reader.threads = 1 and signals.nli.threads = 2 differ; keep one of them",
        ),
        (
            {"type": "classifier", "model": "a/b"},
            False,
            (
                'reader.type = "classifier" reads by the signal nli, and signals.nli = false switches that off; '
                "keep one of them"
            ),
        ),
        (
            {"type": "classifier"},
            True,
            "[reader] type = \"classifier\" needs a value for 'model': a folder, or the id of one on the hub",
        ),
        (
            {"type": "embedded", "model": "a/b", "threads": 2},
            True,
            (
                "reader.model is no option of the reader 'embedded', which has none; "
                'for another model set reader.type = "classifier"'
            ),
        ),
    ],
)
def test_what_contradicts_itself_is_one_clear_line(reader: dict[str, Any], nli: Any, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        signal_tables(reader, {"nli": nli})
    assert str(refused.value) == said


def test_an_unknown_option_is_named_as_it_was_given_with_those_there_are() -> None:
    with pytest.raises(
        ConfigError, match=r"unknown key reader\.modle for reader 'classifier'; known: .*model, "
    ):
        signal_tables({"type": "classifier", "modle": "a/b"}, ON)


def test_the_factory_gives_the_readers_model_to_the_signal() -> None:
    given = {
        "reader.type": "classifier",
        "reader.model": "owner/name",
        "reader.read": "all",
        "reader.threads": 2,
    }
    settings = load(overrides=given, environ={}).settings
    [nli] = [signal for signal in build_signals(settings, Vocabulary()) if isinstance(signal, NLISignal)]
    assert (nli.model, nli.options.threads) == ("owner/name", 2)


def test_a_model_without_a_type_is_refused_with_the_type_to_set() -> None:
    settings = load(overrides={"reader.model": "owner/name"}, environ={}).settings
    with pytest.raises(ConfigError, match=r'set reader\.type = "classifier"'):
        build_signals(settings, Vocabulary())
