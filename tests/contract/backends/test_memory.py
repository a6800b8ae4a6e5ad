"""The contract suite over the exact backend in memory."""

from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract


class TestInMemory(BackendContract, StoreContract):
    column = "memory"

    def make_backend(self):
        return InMemoryBackend(HashingEncoder())
