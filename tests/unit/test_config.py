"""Layers of configuration: who wins, what is refused, where a value comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.config import SIGNALS, Settings, load
from verifier.core.errors import ConfigError


def test_later_layers_win_and_each_value_knows_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "verifier.toml"
    file.write_text('[retrieval]\ntop_k = 3\nmax_windows = 4\n[kb]\npath = "from-file"\n')
    configured = load(
        file,
        {"kb.path": "from-command-line", "kb.namespace": None},
        {"VERIFIER_RETRIEVAL__TOP_K": "9", "VERIFIER_KB__PATH": "from-environment", "HOME": "/root"},
    )
    rows = {key: (value, origin) for key, value, origin in configured.rows()}
    assert rows["kb.path"] == ("from-command-line", "command line")
    assert rows["retrieval.top_k"] == (9, "environment")
    assert rows["retrieval.max_windows"] == (4, str(file))
    assert rows["kb.namespace"] == ("default", "default")


def test_yaml_says_the_same_as_toml(tmp_path: Path) -> None:
    toml, yaml = tmp_path / "a.toml", tmp_path / "a.yaml"
    toml.write_text('[backend]\ntype = "memory"\n[backend.encoder]\ntype = "hashing"\ndimension = 64\n')
    yaml.write_text("backend:\n  type: memory\n  encoder:\n    type: hashing\n    dimension: 64\n")
    assert load(toml, environ={}).settings == load(yaml, environ={}).settings


def test_a_table_that_names_its_type_replaces_the_one_below(tmp_path: Path) -> None:
    file = tmp_path / "verifier.toml"
    file.write_text('[backend]\ntype = "hybrid"\nrrf_k = 10\n')
    configured = load(file, environ={"VERIFIER_BACKEND__TYPE": "bm25"})
    assert configured.settings.backend == {"type": "bm25"}


def test_environment_values_are_read_as_toml_and_else_as_text() -> None:
    environ = {"VERIFIER_SIGNALS__NLI": "false", "VERIFIER_KB__NAMESPACE": "team a"}
    settings = load(environ=environ).settings
    assert settings.signals["nli"] is False
    assert settings.kb.namespace == "team a"


def test_settings_that_switch_off_one_signal_leave_the_others_on() -> None:
    made = Settings.model_validate({"signals": {"nli": False}})
    assert made.signals == {**dict.fromkeys(SIGNALS, True), "nli": False}
    assert made == load(overrides={"signals.nli": False}, environ={}).settings


def test_the_data_folder_and_the_file_are_no_settings(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text("[retrieval]\ntop_k = 2\n")
    configured = load(environ={"VERIFIER_DATA": "/data", "VERIFIER_CONFIG": str(file)})
    assert configured.settings.retrieval.top_k == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[retreival]\ntop_k = 1\n", "unknown key 'retreival'.*known: backend, cache, chunking, claims"),
        (
            "[retrieval]\ntopk = 1\n",
            "unknown key 'retrieval.topk'.*known: least_reach, max_windows, model_windows, top_k",
        ),
        ("[retrieval]\ntop_k = 'many'\n", "retrieval.top_k = 'many'"),
        ("[retrieval]\ntop_k = 0\n", "retrieval.top_k = 0"),
        ("[decision]\nfail_on = ['wrong']\n", r"decision.fail_on = 'wrong' \(.*verifier.toml\)"),
        ("retrieval = 3\n", "expected a table"),
        (
            "[signals]\nnumber = 'off'\n",
            r"signals.number = 'off' \(.*verifier.toml\): expected true, false, or a",
        ),
        ("[signals]\ntraceability = false\n", "traceability cannot be switched off"),
        ("[retrieval\n", "malformed"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "verifier.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message) as raised:
        load(file, environ={})
    assert "\n" not in str(raised.value)


def test_a_missing_or_strange_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "absent.toml", environ={})
    (tmp_path / "settings.ini").write_text("")
    with pytest.raises(ConfigError, match=r"expected \.toml"):
        load(tmp_path / "settings.ini", environ={})
    (tmp_path / "list.yaml").write_text("- a\n- b\n")
    with pytest.raises(ConfigError, match="expected tables"):
        load(tmp_path / "list.yaml", environ={})


def test_an_unknown_variable_with_our_prefix_is_refused() -> None:
    with pytest.raises(ConfigError, match="unknown key 'foo'"):
        load(environ={"VERIFIER_FOO": "1"})
