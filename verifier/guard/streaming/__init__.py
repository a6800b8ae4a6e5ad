"""Tokens of a model go in as they come; they come out again until what they say proves wrong, or checked first."""

from verifier.guard.streaming.kernel import StreamingKernel
from verifier.guard.streaming.types import (
    Halt,
    HaltKind,
    Scored,
    Segment,
    StreamEvent,
    StreamSession,
)

__all__ = ["Halt", "HaltKind", "Scored", "Segment", "StreamEvent", "StreamSession", "StreamingKernel"]
