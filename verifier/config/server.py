"""The ``[server]`` table: where it listens, who may ask, and how much of everything it takes."""

from __future__ import annotations

from pydantic import Field

from verifier.config.base import Section

__all__ = ["MOST_CHARACTERS", "ServerSettings"]

MOST_CHARACTERS = 1_000_000
"""Of any one text of a request, whatever the settings say."""


class ServerSettings(Section):
    """The HTTP server."""

    host: str = Field(default="127.0.0.1", description="another than a loopback address needs keys")
    port: int = Field(default=8765, ge=0, le=65535, description="0 takes a free one")
    keys: str | None = Field(default=None, description="file of API keys, made by `verifier keys add`")
    page: bool = Field(
        default=True,
        description="a page at / and a reference at /docs; they need no key, what they show does",
    )
    processes: int = Field(
        default=1, ge=1, le=256, description="that serve one knowledge base at one address; --workers"
    )
    state: str | None = Field(
        default=None,
        description="where counts that hold for several processes are kept: an SQLite file, or redis://HOST:PORT/DB; "
        "for several of one machine serving.db in the knowledge base's folder",
    )
    workers: int = Field(default=2, ge=1, le=64, description="threads of each process that check responses")
    max_batch: int = Field(default=8, ge=1, le=256, description="responses that are checked together")
    queue: int = Field(default=128, ge=1, description="requests that may wait; beyond it the answer is 503")
    queue_chars: int = Field(default=4_000_000, ge=1, description="characters of all that wait, together")
    large_chars: int = Field(
        default=20_000, ge=1, description="longer responses wait in a line of their own, so that others pass"
    )
    quick_seconds: float = Field(
        default=2.0,
        gt=0,
        description="of processor time that short responses may take before they go on behind the long ones",
    )
    request_seconds: float = Field(default=60.0, gt=0, description="until a request is given up")
    connections: int = Field(
        default=512, ge=1, description="open at a time; beyond it the one that has waited longest is cut"
    )
    header_seconds: float = Field(
        default=10.0, gt=0, description="until the head of a request must have arrived"
    )
    keep_alive_seconds: float = Field(
        default=20.0, gt=0, description="that a connection may wait for its next request"
    )
    body_seconds: float = Field(
        default=20.0, gt=0, description="until a body must have arrived, or an answer be taken"
    )
    max_body: int = Field(default=2_000_000, ge=1024, description="bytes of a JSON body")
    max_text: int = Field(
        default=MOST_CHARACTERS,
        ge=1,
        le=MOST_CHARACTERS,
        description="characters of a response, a source, a document, a candidate, each",
    )
    max_prompt: int = Field(
        default=100_000,
        ge=1,
        le=MOST_CHARACTERS,
        description="characters of a prompt, an item of a context",
    )
    max_query: int = Field(
        default=10_000,
        ge=1,
        le=MOST_CHARACTERS,
        description="characters of a search query, a value of metadata",
    )
    max_depth: int = Field(default=32, ge=2, le=500, description="nesting of a JSON body")
    max_upload: int = Field(default=25_000_000, ge=1024, description="bytes of an uploaded file")
    max_held: int = Field(
        default=200_000_000, ge=1024, description="bytes of all bodies under way; beyond it the answer is 503"
    )
    upload_workers: int = Field(default=2, ge=1, le=64, description="uploads that are read at a time")
    ask_workers: int = Field(
        default=8, ge=1, le=256, description="requests that ask a language model at a time"
    )
    upload_seconds: float = Field(default=60.0, gt=0, description="that reading an upload may take")
    upload_memory: int = Field(
        default=1_500_000_000, ge=100_000_000, description="bytes that reading it may take"
    )
    streams: int = Field(default=16, ge=1, description="streams under way at a time")
    stream_seconds: float = Field(default=600.0, gt=0, description="that a stream may take in all")
    stream_idle_seconds: float = Field(default=60.0, gt=0, description="that a stream may bring nothing")
    requests_per_minute: int = Field(
        default=600, ge=1, description="of each key, or of each address without keys"
    )
    cors_origins: tuple[str, ...] = Field(default=(), description="web pages that may call; none by default")
    drain_seconds: float = Field(
        default=30.0, ge=0, description="for what was accepted, when it is shut down"
    )
    notice_seconds: float = Field(
        default=0.0,
        ge=0,
        description="that /readyz says it is about to stop before it takes no more requests",
    )
    telemetry: bool = Field(default=False, description="OpenTelemetry spans, sent where OTEL_* variables say")
