"""The contract of ``VectorBackend`` as a test suite that anybody can run over a backend.

Subclass it in a test module of your own and say how your backend is made; pytest finds the rest::

    from verifier_backends.testing import BackendContract

    class TestMyBackend(BackendContract):
        def make_backend(self):
            return MyBackend()

Each message says what to mend. A capability that the backend does not declare is tested as a refusal.
"""

from __future__ import annotations

from verifier_backends.testing.reading import ReadingContract
from verifier_backends.testing.writing import WritingContract

__all__ = ["BackendContract"]


class BackendContract(ReadingContract, WritingContract):
    """The whole suite. ``make_backend`` is called afresh for every test and must return an empty backend."""
