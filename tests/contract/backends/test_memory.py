"""The contract suite over the exact backend in memory."""

from backends.encoders import HashingEncoder
from backends.memory import InMemoryBackend
from backends.testing import BackendContract
from verifier.knowledge.testing import StoreContract


class TestInMemory(BackendContract, StoreContract):
    column = "memory"

    def make_backend(self):
        return InMemoryBackend(HashingEncoder())
