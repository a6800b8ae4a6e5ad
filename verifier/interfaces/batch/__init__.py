"""Check a file of answers: read row by row, checked by several processes, written in order."""

from verifier.interfaces.batch.run import run_batch

__all__ = ["run_batch"]
