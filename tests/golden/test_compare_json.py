"""The JSON of ``verifier compare`` has the form that it had: ``compare.json`` beside this file.

``python -m tests.golden.test_compare_json`` writes it anew after an intended change of the form.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.support.minimal_backend import MinimalBackend
from verifier.config import Settings
from verifier.factory import open_store
from verifier.interfaces.cli.evaluate import as_json
from verifier.measure.compare import compare
from verifier.measure.queries import Query, QuerySet
from verifier.measure.trial import Candidate

GOLDEN = Path(__file__).with_name("compare.json")
CLAIM = "An annual plan is refunded in full within 30 days of purchase."


class Forgetful(MinimalBackend):
    """Never finds what shares most with the query."""

    def query(self, text, n_results=3):
        return super().query(text, self.count())[1:][:n_results]


class Failing(MinimalBackend):
    def query(self, text, n_results=3):
        raise RuntimeError("it broke")


def form(value: Any) -> Any:
    """The keys as they are; for each value what it is, and texts where they do not depend on fusion weights."""
    if isinstance(value, dict):
        return {key: form(item) for key, item in value.items()}
    if isinstance(value, list):
        return [form(item) for item in value]
    if isinstance(value, float):
        return "number"
    return value


def compared() -> Any:
    with tempfile.TemporaryDirectory() as folder:
        rules = dict.fromkeys(("entity", "number", "negation", "traceability"), True)
        settings = Settings.model_validate(
            {"kb": {"path": folder}, "retrieval": {"top_k": 1}, "signals": {**rules, "nli": False}}
        )
        with open_store(settings, create=True) as store:
            store.add("refunds.md", CLAIM)
            store.add("saddles.md", "The workshop charges 12 euros for every new saddle.")
        queries = QuerySet((Query(CLAIM, (("refunds.md", 1),)),), "golden", ("a note",))
        kinds = (MinimalBackend, Forgetful, Failing)
        found = compare(
            settings,
            [Candidate(kind.__name__, kind, {"type": kind.__name__}) for kind in kinds],
            queries,
            k=1,
        )
    printed = as_json(found.as_dict())
    for without_evidence in ("fabricated", "unverifiable"):  # which of both is up to the fusion's weights
        printed = printed.replace(without_evidence, "not supported")
    plain = json.loads(printed)
    for flip in plain["flips"]:
        for outcome in flip["outcomes"].values():
            outcome["reason"] = "text"
            outcome["decided_by"] = "name or null"
    return form(plain)


def test_the_form_is_the_stored_one() -> None:
    assert compared() == json.loads(GOLDEN.read_text())


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(compared(), indent=2) + "\n")
