"""JUnit XML: by the schema that Jenkins and surefire share, and as junitparser reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml
from lxml import etree

from tests.support.checked import mixed
from verifier.interfaces.formats.base import Run
from verifier.interfaces.formats.junit import JUnitFormat
from verifier.interfaces.formats.testing import sample
from verifier.types import Verdict

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "fixtures" / "junit" / "junit.xsd"))


@pytest.fixture(scope="module")
def written() -> str:
    return JUnitFormat().render(mixed())


def _suites(written: str) -> dict[str, dict[str, object]]:
    """By name of the suite, each case's name with its one result, or none."""
    suites = JUnitXml.fromstring(written.encode())
    return {
        suite.name: {case.name: case.result[0] if case.result else None for case in suite} for suite in suites
    }


def test_it_keeps_the_schema(written: str) -> None:
    SCHEMA.assertValid(etree.fromstring(written.encode()))
    SCHEMA.assertValid(etree.fromstring(JUnitFormat().render(Run(())).encode()))


def test_a_case_a_claim_whose_failure_shows_claim_evidence_and_difference(written: str) -> None:
    cases = _suites(written)["answers/a, b.md"]
    assert cases["Monthly plans cannot be refunded."] is None
    [name] = [name for name in cases if name.startswith("An annual plan is refunded in full within 60")]
    failure = cases[name]
    assert isinstance(failure, Failure)
    assert failure.type == "contradicted"
    assert "claim says within 60 days, evidence says within 30 days" in failure.message
    assert failure.text.splitlines()[0] == "answers/a, b.md, line 3, column 35"
    assert "  evidence: “An annual plan is refunded in full within 30 days." in failure.text


def test_what_could_not_be_checked_or_read_is_an_error(written: str) -> None:
    suites = _suites(written)
    for suite, case, kind in (
        ("stdin", "Refunds take 30 days.", "error"),
        ("empty.md", "nothing to check", "nothing-to-check"),
        ("scan.pdf", "the file can be read", "unread"),
    ):
        found = suites[suite][case]
        assert isinstance(found, Error)
        assert found.type == kind
    totals = JUnitXml.fromstring(written.encode())
    assert (totals.tests, totals.failures, totals.errors) == (8, 3, 3)


def test_equal_claims_of_a_text_have_names_of_their_own_and_no_letter_breaks_the_xml() -> None:
    text = sample("Fee \ufffe\x08 5 < 6 & 7.", Verdict.FABRICATED)
    report = replace(text.report, claims=text.report.claims * 2)
    written = JUnitFormat().render(Run((replace(text, report=report),)))
    SCHEMA.assertValid(etree.fromstring(written.encode()))
    name = "Fee \\ufffe\\x08 5 < 6 & 7."
    assert list(_suites(written)["reply.md"]) == [name, f"{name} (2)"]
