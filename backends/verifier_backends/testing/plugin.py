"""A pytest plugin that writes the table of contract suites into a Markdown page, or fails where the page differs.

``pytest -p verifier_backends.testing.plugin --backend-table docs/backends.md``; with ``--check-backend-table`` the page
is compared and not written. Either way a check that failed or was skipped fails the run.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from verifier_backends.testing.cases import Suite
from verifier_backends.testing.table import Outcome, replaced, table

__all__ = ["pytest_addoption", "pytest_configure", "pytest_runtest_makereport"]

_PROPERTY = "backend check"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options, of which one names the page."""
    group = parser.getgroup("backends")
    group.addoption("--backend-table", metavar="PAGE", help="write the table of backends and checks into it")
    group.addoption("--check-backend-table", metavar="PAGE", help="fail where its table says otherwise")


def pytest_configure(config: pytest.Config) -> None:
    """Collect where the reports of all processes arrive."""
    asked = config.getoption("--backend-table") or config.getoption("--check-backend-table")
    if asked and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Collector(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note on the report of a suite's check which backend it was about, and whether it was a refusal."""
    report = yield
    instance, function = getattr(item, "instance", None), getattr(item, "function", None)
    # A test that a module adds to the suite for its own backend is no check of the contract.
    if isinstance(instance, Suite) and getattr(function, "__module__", "") != type(instance).__module__:
        column = instance.column or type(instance).__name__.removeprefix("Test")
        noted = [column, getattr(function, "__name__", item.name), instance.refused or ""]
        report.user_properties.append((_PROPERTY, noted))
    return report


class _Collector:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._outcomes: dict[tuple[str, str], Outcome] = {}
        self._problem = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, noted in report.user_properties:
            if name == _PROPERTY and isinstance(noted, list) and (report.when == "call" or not report.passed):
                self._take(report, *noted)

    def _take(self, report: pytest.TestReport, backend: str, check: str, capability: str) -> None:
        known = self._outcomes.get((backend, check))
        if known is not None and known.result in ("failed", "skipped"):
            return
        result = "refused" if report.passed and capability else report.outcome
        self._outcomes[backend, check] = Outcome(backend, check, result, capability)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        wrong = [f"{o.backend}: {o.check} {o.result}" for o in self._outcomes.values() if _is_wrong(o)]
        self._problem = "; ".join(wrong) or self._settled()
        if self._problem and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _settled(self) -> str:
        """Write the page, or say what is wrong with it."""
        written, compared = (self._config.getoption(f"--{c}backend-table") for c in ("", "check-"))
        page = Path(written or compared)
        before = page.read_text(encoding="utf-8")
        after = replaced(before, table(self._outcomes.values()))
        if written:
            page.write_text(after, encoding="utf-8")
        elif before != after:
            return f"the table in {page} is out of date; run: python -m verifier_backends.testing --output {page}"
        return ""

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._problem:
            terminalreporter.write_line(f"backends and checks: {self._problem}", red=True)


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.result in ("failed", "skipped")
