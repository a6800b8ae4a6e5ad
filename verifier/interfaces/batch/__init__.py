"""A file of answers in, a file of reports out: read, checked by several processes and written in order, row by row."""

from verifier.interfaces.batch.run import run_batch

__all__ = ["run_batch"]
