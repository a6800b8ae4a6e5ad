"""OpenTelemetry's own SDK; Langfuse's and Phoenix's real clients against a local server that takes what they send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from langfuse import Langfuse
from opentelemetry import trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from phoenix.client import Client

from tests.frameworks.collector import Collector, collecting
from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier import Report, verify
from verifier.core.errors import ConfigError
from verifier.integrations.langfuse import score_report
from verifier.integrations.opentelemetry import emit_evaluation
from verifier.integrations.phoenix import annotate_span

MIXED = "Refunds are paid within 60 days. The return must be sent in its box."


@pytest.fixture
def report() -> Report:
    return verify(MIXED, [REFUNDS])


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as server:
        yield server


def emitted(report: Report, **options: Any) -> tuple[list[Any], trace.SpanContext]:
    """The records that the SDK exports, and the span that was current."""
    exporter, logs = InMemoryLogRecordExporter(), LoggerProvider()
    logs.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    with TracerProvider().get_tracer("tests").start_as_current_span("chat") as span:
        emit_evaluation(report, logger_provider=logs, **options)
    return [one.log_record for one in exporter.get_finished_logs()], span.get_span_context()


def test_an_event_tells_the_decision_beside_the_span_of_the_call(report: Report) -> None:
    [event], span = emitted(report, response_id="chatcmpl-1")
    assert event.event_name == "gen_ai.evaluation.result"
    assert (event.trace_id, event.span_id) == (span.trace_id, span.span_id)
    told = dict(event.attributes)
    assert "evidence says: within 30 days" in told.pop("gen_ai.evaluation.explanation")
    assert told == {
        "gen_ai.evaluation.name": "groundedness",
        "gen_ai.evaluation.score.label": "rejected",
        "gen_ai.evaluation.score.value": 0.5,
        "gen_ai.response.id": "chatcmpl-1",
    }


def test_claims_are_events_of_their_own_and_words_may_stay_at_home(report: Report) -> None:
    events, _ = emitted(report, claims=True, words=False)
    labels = [
        (one.attributes["gen_ai.evaluation.name"], one.attributes["gen_ai.evaluation.score.label"])
        for one in events
    ]
    assert labels == [
        ("groundedness", "rejected"),
        ("groundedness.claim", "contradicted"),
        ("groundedness.claim", "supported"),
    ]
    assert not any("gen_ai.evaluation.explanation" in one.attributes for one in events)
    [event], _ = emitted(verify("Hello!", [REFUNDS]))
    assert event.attributes["gen_ai.evaluation.score.label"] == "nothing_to_check"
    assert "gen_ai.evaluation.score.value" not in event.attributes


def test_langfuse_gets_scores_of_the_trace(report: Report, collector: Collector) -> None:
    client = Langfuse(public_key="pk-lf-test", secret_key="sk-lf-test", base_url=collector.url)
    with client.start_as_current_observation(name="chat"):
        trace_id = client.get_current_trace_id()
        score_report(client, report)
    client.flush()
    scores = collector.scores()
    assert {name: (one["value"], one["dataType"], one["traceId"]) for name, one in scores.items()} == {
        "grounded": (0.0, "BOOLEAN", trace_id),
        "decision": ("rejected", "CATEGORICAL", trace_id),
        "groundedness": (0.5, "NUMERIC", trace_id),
    }
    assert "evidence says: within 30 days" in scores["grounded"]["comment"]
    assert scores["grounded"]["metadata"]["claims"][0]["verdict"] == "contradicted"
    with pytest.raises(ConfigError, match="no current trace"):
        score_report(client, report)
    client.shutdown()


def test_langfuse_gets_no_words_where_none_are_wanted(collector: Collector) -> None:
    client = Langfuse(public_key="pk-lf-quiet", secret_key="sk-lf-quiet", base_url=collector.url)
    score_report(client, verify("Hello!", [REFUNDS]), trace_id="a" * 32, observation_id="b" * 16, words=False)
    client.flush()
    scores = collector.scores()
    assert sorted(scores) == ["decision", "grounded"]
    assert scores["grounded"]["observationId"] == "b" * 16
    assert not scores["grounded"].get("comment")
    client.shutdown()


def test_phoenix_gets_an_annotation_of_the_span(report: Report, collector: Collector) -> None:
    client = Client(base_url=collector.url)
    annotate_span(client, report, "c" * 16)
    [(path, body)] = collector.sent
    assert path.startswith("/v1/span_annotations")
    [annotation] = body["data"]
    assert (annotation["span_id"], annotation["name"], annotation["annotator_kind"]) == (
        "c" * 16,
        "groundedness",
        "CODE",
    )
    assert (annotation["result"]["label"], annotation["result"]["score"]) == ("rejected", 0.5)
    assert "evidence says: within 30 days" in annotation["result"]["explanation"]
    collector.status = 404
    with pytest.raises(httpx.HTTPError):
        annotate_span(client, report, "c" * 16)


@pytest.mark.parametrize("page", ["opentelemetry", "langfuse", "phoenix"])
def test_the_pages_do_what_they_say(page: str, collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(f"integrations/{page}", monkeypatch, server=collector.url)
    if page == "langfuse":
        assert collector.scores()["grounded"]["value"] == 0.0
    if page == "phoenix":
        assert collector.sent[0][1]["data"][0]["result"]["label"] == "rejected"
