"""The contract suite over the exact backend in memory."""

from backends.memory import InMemoryBackend
from backends.testing import BackendContract


class TestInMemory(BackendContract):
    column = "memory"

    def make_backend(self):
        return InMemoryBackend()
