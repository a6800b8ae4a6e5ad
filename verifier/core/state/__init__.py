"""Counts that several processes keep together: open the state at an address."""

from verifier.core.state.base import Bucket, Minute, State
from verifier.core.state.opening import open_state, place_of

__all__ = ["Bucket", "Minute", "State", "open_state", "place_of"]
