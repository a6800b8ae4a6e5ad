"""Every check fires on its examples, is silent on the others, can be switched off, and is named in its findings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from verifier_signals.base import Signal
from verifier_signals.checks import (
    CHECKS,
    TOLD_OF_ALL,
    Check,
    Example,
    catalogue,
    installed_rules,
    named,
)
from verifier_signals.entity import EntitySignal
from verifier_signals.negation import NegationSignal
from verifier_signals.number import NumberSignal
from verifier_signals.types import Finding, Relation, TextPair

from verifier.config import load
from verifier.core.errors import ConfigError
from verifier.core.registry import CHECKS as CHECK_PLUGINS
from verifier.factory import build_signals
from verifier.types import Evidence
from verifier.verification.decision.joined_facts import related
from verifier.verification.evidence.windows import windows_of
from verifier.verification.vocabulary import Vocabulary

SIGNALS = {"entity": EntitySignal, "number": NumberSignal, "negation": NegationSignal}


def findings(check: Check, example: Example, *disable: str) -> tuple[Finding, ...]:
    """What the check's signal finds in an example; the lines of evidence are passages where it reads several."""
    if check.family == "passages":
        return tuple(_over_passages(example, frozenset(disable)))
    signal = SIGNALS[check.signal](disable=disable)
    return signal.score([TextPair(example.evidence, example.claim)])[0].findings


def _over_passages(example: Example, disabled: frozenset[str]) -> Iterator[Finding]:
    lines = example.evidence.split("\n")
    passages = [
        Evidence(f"d{n}", f"t.csv#{n}" if ": " in line else f"{n}.md", line, 0, len(line), 1.0)
        for n, line in enumerate(lines, 1)
    ]
    windows = [window for one in passages for window in windows_of(one)]
    found = related(example.claim, windows, lambda _file: (), disabled)
    yield from () if found is None else found.score.findings


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.id)
def test_a_check_fires_on_its_examples_and_says_what_it_may_say(check: Check) -> None:
    for example in check.fires:
        found = [one for one in findings(check, example) if one.check == check.id]
        assert found, f"{check.id} is silent on {example}"
        assert {one.relation for one in found} <= check.relations


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.id)
def test_a_check_is_silent_on_what_it_does_not_mean(check: Check) -> None:
    for example in check.silent:
        assert check.id not in {one.check for one in findings(check, example)}, (
            f"{check.id} fires on {example}"
        )


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.id)
def test_a_check_that_is_switched_off_finds_nothing(check: Check) -> None:
    for example in check.fires:
        assert check.id not in {one.check for one in findings(check, example, check.id)}


@pytest.mark.parametrize("check", CHECKS.values(), ids=lambda check: check.id)
def test_every_finding_of_an_example_names_a_check(check: Check) -> None:
    for example in check.fires:
        assert {one.check for one in findings(check, example)} <= set(CHECKS)


def test_a_family_stands_for_all_its_checks() -> None:
    units = {check.id for check in CHECKS.values() if check.signal == "number" and check.family == "units"}
    assert len(units) > 1
    assert NumberSignal(disable=["units"]).disabled == NumberSignal(disable="units").disabled == units


@pytest.mark.parametrize(
    ("given", "said"),
    [("nothing", "there is no check or family 'nothing'"), (3, r"signals\.number\.disable = 3")],
)
def test_a_configuration_may_name_one_check_without_a_list(given: object, said: str) -> None:
    def built(value: object) -> list[Signal]:
        return build_signals(
            load(overrides={"signals.number.disable": value}, environ={}).settings, Vocabulary()
        )

    assert {signal.name: getattr(signal, "disable", None) for signal in built("units")}["number"] == "units"
    with pytest.raises(ConfigError, match=said):
        built(given)


@pytest.mark.parametrize("signal", SIGNALS.values())
def test_an_unknown_check_is_refused_with_the_nearest(signal: type) -> None:
    with pytest.raises(ConfigError, match=r"signals\.\w+\.disable: there is no check or family 'nothing'"):
        signal(disable=["nothing"]).score([TextPair("It is so.", "It is so.")])
    with pytest.raises(ConfigError, match=r"did you mean number\.unit-mismatch"):
        NumberSignal(disable=["number.unit-missmatch"]).score([TextPair("It is so.", "It is so.")])


def test_a_check_of_another_signal_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"negation\.denied"):
        NumberSignal(disable=["negation.denied"]).score([TextPair("It is so.", "It is so.")])


def test_two_checks_may_not_have_one_id() -> None:
    check = CHECKS[TOLD_OF_ALL]
    with pytest.raises(ValueError, match="two checks have the id"):
        catalogue((check, check))


@pytest.mark.parametrize(
    ("name", "examples", "message"),
    [
        ("Number.Other", 2, "is not the id of a check"),
        ("number", 2, "is not the id of a check"),
        ("number.other", 1, "needs two examples"),
    ],
)
def test_a_check_without_examples_or_a_proper_id_is_refused(name: str, examples: int, message: str) -> None:
    some = (Example("It is so.", "It is not so."),) * examples
    with pytest.raises(ValueError, match=message):
        Check(name, "values", "Something differs.", frozenset(Relation), some, some)


def test_a_rule_of_a_package_that_does_not_work_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_name: str) -> type:
        raise ValueError("check negation.port needs two examples")

    monkeypatch.setattr(CHECK_PLUGINS, "names", lambda: ["port"])
    monkeypatch.setattr(CHECK_PLUGINS, "load", broken)
    installed_rules.cache_clear()
    try:
        with pytest.raises(
            ConfigError, match="check 'port' of an installed package does not work: check negation"
        ):
            installed_rules()
    finally:
        installed_rules.cache_clear()


def test_no_check_named_leaves_all_on() -> None:
    assert named((), CHECKS, "signals.number.disable") == frozenset()
