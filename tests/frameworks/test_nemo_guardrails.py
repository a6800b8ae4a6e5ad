"""Our output rail in NeMo Guardrails' own runtime, with its FakeLLMModel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nemoguardrails import LLMRails, RailsConfig
from nemoguardrails.testing.fake_model import FakeLLMModel

from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier.integrations.nemo_guardrails import FLOW, grounded_action

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
REFUSED = "I'm sorry, I can't respond to that."
SETTINGS = "models: []\nrails:\n  output:\n    flows: [check grounded]\n"


def answered(said: str, action: Any, chunks: str | None = None, settings: str = SETTINGS) -> dict[str, Any]:
    """What the rails give out when the model says ``said``."""
    config = RailsConfig.from_content(yaml_content=settings, colang_content=FLOW)
    rails = LLMRails(config, llm=FakeLLMModel(responses=[said]))
    rails.register_action(action)
    context = [{"role": "context", "content": {"relevant_chunks": chunks}}] if chunks else []
    return rails.generate(messages=[*context, {"role": "user", "content": "When are refunds paid?"}])


def test_what_the_knowledge_base_contradicts_is_refused(kb: Path) -> None:
    assert answered(TRUE, grounded_action(kb))["content"] == TRUE
    assert answered(FALSE, grounded_action(kb))["content"] == REFUSED
    mixed = f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day."
    assert answered(mixed, grounded_action(kb))["content"] == REFUSED


def test_what_was_retrieved_is_the_evidence_and_without_any_nothing_passes() -> None:
    assert answered(TRUE, grounded_action(), REFUNDS)["content"] == TRUE
    assert answered(FALSE, grounded_action(), REFUNDS)["content"] == REFUSED
    assert answered(TRUE, grounded_action())["content"] == REFUSED


def test_a_greeting_passes_only_where_it_may(kb: Path) -> None:
    assert answered("Hello!", grounded_action(kb))["content"] == REFUSED
    assert answered("Hello!", grounded_action(kb, nothing_to_check="pass"))["content"] == "Hello!"


def test_an_exception_says_what_failed(kb: Path) -> None:
    told = answered(FALSE, grounded_action(kb), settings=f"{SETTINGS}enable_rails_exceptions: true\n")
    assert told["role"] == "exception"
    assert told["content"]["type"] == "GroundedRailException"
    assert "evidence says: within 30 days (refunds.md" in told["content"]["message"]


def test_a_check_that_fails_lets_nothing_out(tmp_path: Path) -> None:
    assert answered(TRUE, grounded_action(tmp_path / "none"))["content"] != TRUE


def test_an_action_of_a_configurations_own_folder_is_found(kb: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text(SETTINGS)
    (tmp_path / "rails.co").write_text(FLOW)
    (tmp_path / "actions.py").write_text(
        "from verifier.integrations.nemo_guardrails import grounded_action\n"
        f"check_grounded = grounded_action({str(kb)!r})\n"
    )
    rails = LLMRails(RailsConfig.from_path(str(tmp_path)), llm=FakeLLMModel(responses=[FALSE]))
    assert rails.generate(messages=[{"role": "user", "content": "When?"}])["content"] == REFUSED


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/nemo_guardrails", monkeypatch)
