"""The streaming kernel: pass the tokens of a model on until what they say proves wrong, or only after a check."""

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
