"""The contract suite over the approximate backend: while it is exact, and with everything in inverted lists."""

import pytest
from verifier_backends.ann import ANNBackend
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract

pytestmark = pytest.mark.filterwarnings("ignore:builtin type:DeprecationWarning")


class TestANN(BackendContract, StoreContract):
    column = "ann"

    def make_backend(self):
        return ANNBackend()


class TestANNInLists(BackendContract, StoreContract):
    column = "ann, lists"

    def make_backend(self):
        return ANNBackend(scan=1, exact_below=2)
