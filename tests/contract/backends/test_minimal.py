"""The contract suite over a third party's backend that has the three abstract methods only."""

from verifier_backends.testing import BackendContract

from tests.support.minimal_backend import MinimalBackend
from verifier.knowledge.testing import StoreContract


class TestMinimalThirdParty(BackendContract, StoreContract):
    column = "third party (add, query, count)"

    def make_backend(self):
        return MinimalBackend()
