"""OpenTelemetry, where the user configures it: a tracer whose spans go where the OTEL_* variables say."""

from __future__ import annotations

from typing import Any

from verifier import __version__
from verifier.core.registry import require

__all__ = ["tracer"]


def tracer() -> Any:
    """A tracer of the program's own provider; where none is set up, of one that sends spans by OTLP over HTTP.

    Spans carry the method, the route and the status, and no text of anybody's.

    Raises:
        MissingExtra: OpenTelemetry is not installed.
    """
    trace = require("opentelemetry.trace", extra="otel", package="opentelemetry-sdk")
    if not _is_set_up(trace):
        sdk = require("opentelemetry.sdk.trace", extra="otel", package="opentelemetry-sdk")
        export = require("opentelemetry.sdk.trace.export", extra="otel", package="opentelemetry-sdk")
        otlp = require(
            "opentelemetry.exporter.otlp.proto.http.trace_exporter",
            extra="otel",
            package="opentelemetry-exporter-otlp-proto-http",
        )
        provider = sdk.TracerProvider()
        provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
        trace.set_tracer_provider(provider)
    return trace.get_tracer("verifier", __version__)


def _is_set_up(trace: Any) -> bool:
    return type(trace.get_tracer_provider()).__name__ != "ProxyTracerProvider"
