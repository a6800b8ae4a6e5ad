"""``python -m verifier_backends.testing [TESTS...] --output PAGE``: run contract suites and write their table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verifier.core.registry import require

DEFAULT_TESTS = "tests/contract/backends"


def main() -> int:
    """Run the suites under the paths given, with any options of pytest's; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m verifier_backends.testing", description=__doc__)
    parser.add_argument("--output", required=True, help="Markdown page with the two marks of the table")
    arguments, for_pytest = parser.parse_known_args()
    if not Path(arguments.output).is_file():
        parser.error(f"{arguments.output} is not there; the page must exist and have the two marks")
    pytest = require("pytest", extra="dev")
    options = ["-q", "-p", "verifier_backends.testing.plugin", "--backend-table", arguments.output]
    # This module has imported some of ours before pytest could look at their assertions, of which they have none.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *(for_pytest or [DEFAULT_TESTS])]))


if __name__ == "__main__":
    sys.exit(main())
