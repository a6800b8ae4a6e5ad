"""A real ``verifier mcp`` process, asked over its standard input and output by MCP's own client."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.frameworks.conftest import PARKING, REFUNDS
from tests.frameworks.pages import run_page

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."


def with_client(asked: Callable[[Client], Awaitable[Any]], *arguments: str) -> Any:
    """What ``asked`` gives, over a server of its own."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "verifier", "mcp", *arguments],
        env={"VERIFIER_SIGNALS__NLI": "false", "PYTHONPATH": ":".join(sys.path)},
    )

    async def run() -> Any:
        async with Client(stdio_client(command)) as client:
            return await asked(client)

    return anyio.run(run)


def test_a_client_verifies_explains_and_searches(kb: Path) -> None:
    async def ask(client: Client) -> list[Any]:
        told = (
            await client.call_tool("verify", {"answer": f"{TRUE} The car park costs 9 EUR a day."})
        ).structured_content
        why = await client.call_tool("explain", {"report": told["report"], "claim": 2})
        found = await client.call_tool("search", {"query": "when are refunds paid", "top_k": 1})
        given = {"answer": FALSE, "contexts": [REFUNDS, PARKING]}
        return [
            (await client.list_tools()).tools,
            told,
            why.content[0].text,
            found.structured_content["result"],
            (await client.call_tool("verify", given)).structured_content,
        ]

    tools, told, why, found, given = with_client(ask, "--kb", str(kb))
    assert sorted(tool.name for tool in tools) == ["explain", "search", "verify"]
    assert all(tool.description for tool in tools)
    assert told["decision"] == "rejected"
    assert [claim["verdict"] for claim in told["claims"]] == ["supported", "contradicted"]
    assert why.startswith("2. contradicted")
    assert "decided by: number" in why
    assert (found[0]["text"], found[0]["source"]) == (REFUNDS, "refunds.md")
    assert "context 1" in given["claims"][0]["reason"]


def test_what_cannot_be_done_is_an_error_with_words(tmp_path: Path) -> None:
    async def ask(client: Client) -> list[Any]:
        asked = [
            ("verify", {"answer": TRUE}),
            ("search", {"query": "refunds"}),
            ("explain", {"report": "none", "claim": 1}),
            ("search", {"query": "refunds", "top_k": 0}),
        ]
        return [await client.call_tool(name, given) for name, given in asked]

    unchecked, *failed = with_client(ask)
    assert (unchecked.structured_content["passed"], unchecked.structured_content["report"]) == (False, None)
    assert all(one.is_error for one in failed)
    said = [one.content[0].text for one in failed]
    assert "give kb" in said[0]
    assert "verify the text again" in said[1]
    assert "greater than or equal to 1" in said[2]


def test_a_knowledge_base_that_is_named_and_not_there_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "verifier", "mcp", "--kb", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no knowledge base at" in done.stderr


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/mcp", monkeypatch)
