"""LiteLLM's own guardrail client and response handler against a real ``verifier serve``."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from litellm.exceptions import GuardrailRaisedException
from litellm.llms.openai.chat.guardrail_translation.handler import OpenAIChatCompletionsHandler
from litellm.proxy.guardrails.guardrail_hooks.generic_guardrail_api import GenericGuardrailAPI
from litellm.types.utils import Choices, Message, ModelResponse

from tests.frameworks.conftest import PARKING, REFUNDS
from tests.frameworks.pages import run_page
from tests.support.server import Server, make_keys, serving
from verifier.interfaces.server.keys import Right

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    keys = tmp_path_factory.mktemp("keys") / "keys.json"
    return {"file": str(keys), **make_keys(keys, {"proxy": (["default"], [Right.CHECK])})}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, secrets: dict[str, str]) -> Iterator[Server]:
    texts = {"default": {"refunds.md": REFUNDS, "parking.md": PARKING}, "other": {"x.md": PARKING}}
    chosen = {"server.keys": secrets["file"]}
    with serving(tmp_path_factory.mktemp("litellm"), chosen, documents=texts) as running:
        yield running


def guardrail(server: Server, secrets: dict[str, str], **params: Any) -> GenericGuardrailAPI:
    return GenericGuardrailAPI(
        api_base=server.url,
        api_key=params.pop("key", secrets["proxy"]),
        guardrail_name="grounded",
        event_hook="post_call",
        additional_provider_specific_params=params,
    )


def moderated(own: GenericGuardrailAPI, *answers: str) -> list[str]:
    """What is left of answers once LiteLLM has had them checked, as its proxy does after a call."""
    choices = [Choices(index=n, message=Message(content=text)) for n, text in enumerate(answers)]
    done = asyncio.run(
        OpenAIChatCompletionsHandler().process_output_response(ModelResponse(choices=choices), own)
    )
    return [choice.message.content for choice in done.choices]


def test_an_approved_answer_passes_and_a_contradicted_one_is_blocked(
    server: Server, secrets: dict[str, str]
) -> None:
    own = guardrail(server, secrets)
    assert moderated(own, TRUE) == [TRUE]
    with pytest.raises(GuardrailRaisedException, match="evidence says within 30 days"):
        moderated(own, FALSE)
    with pytest.raises(GuardrailRaisedException, match=r"groundedness 0\.67"):
        moderated(own, f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day.")


def test_a_replacement_stands_for_the_answer_that_does_not_pass(
    server: Server, secrets: dict[str, str]
) -> None:
    own = guardrail(server, secrets, replacement="I cannot confirm that.")
    assert moderated(own, TRUE, FALSE) == [TRUE, "I cannot confirm that."]


def test_contexts_rule_and_greetings_are_set_in_litellms_configuration(
    server: Server, secrets: dict[str, str]
) -> None:
    contexts = ["Refunds are paid within 60 days of the return."]
    assert moderated(guardrail(server, secrets, contexts=contexts), FALSE) == [FALSE]
    with pytest.raises(GuardrailRaisedException, match="nothing to check"):
        moderated(guardrail(server, secrets), "Hello!")
    assert moderated(guardrail(server, secrets, nothing_to_check="pass"), "Hello!") == ["Hello!"]
    half = f"{TRUE} The staff are friendly to visitors on Mondays."
    lenient = guardrail(server, secrets, fail_on=["contradicted"], min_groundedness=0.4)
    assert moderated(lenient, half) == [half]
    with pytest.raises(GuardrailRaisedException):
        moderated(guardrail(server, secrets, fail_on=["contradicted"], strict=True), half)


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"stict": True}, "422"),
        ({"namespace": "other"}, "403"),
        ({"key": "wrong"}, "401"),
    ],
)
def test_whatever_is_refused_blocks(
    server: Server, secrets: dict[str, str], params: dict[str, Any], told: str
) -> None:
    with pytest.raises(Exception, match=told):
        moderated(guardrail(server, secrets, **params), TRUE)


def test_a_prompt_is_refused_and_not_waved_through(server: Server, secrets: dict[str, str]) -> None:
    asked = guardrail(server, secrets).apply_guardrail(
        inputs={"texts": ["When are refunds paid?"]}, request_data={}, input_type="request"
    )
    with pytest.raises(Exception, match="422"):
        asyncio.run(asked)


def test_the_page_does_what_it_says(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path, documents={"default": {"refunds.md": REFUNDS}}) as running:
        run_page("integrations/litellm", monkeypatch, server=running.url)
