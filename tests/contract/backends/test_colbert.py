"""The contract suite over late interaction: our index in each form of storage, and two engines of the three.

``tests/colbert_ai`` runs it over the third, in an environment of its own (``make test-colbert``).
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from verifier_backends.colbert import ColBERTBackend
from verifier_backends.encoders import EmbeddedEncoder
from verifier_backends.late.embedded import EmbeddedTokens
from verifier_backends.late.engine import TokenEngine
from verifier_backends.late.multi_vector import MultiVectorTokens
from verifier_backends.testing import BackendContract
from verifier_backends.testing.cases import QUERY, TEXTS

from tests.support.late import WordVectors, write_stanford_checkpoint
from verifier.knowledge.testing import StoreContract


def backend_over(encoder, **options):
    """A backend whose engine has this encoder, so that a model is loaded once for a whole suite."""
    backend = ColBERTBackend()
    settings = {"compression": "int8", "candidates": 512, "exact_tokens": 65_536}
    backend._engine = TokenEngine(encoder, **{**settings, **options})
    return backend


class TestWordVectorsInFloat(BackendContract, StoreContract):
    column = "colbert (float32)"

    def make_backend(self):
        return backend_over(EmbeddedTokens(WordVectors()), compression="float32")


class TestWordVectorsInTwoBits(BackendContract, StoreContract):
    """Too few tokens for centroids: int8 is kept until there are enough of them."""

    column = "colbert (residual2)"

    def make_backend(self):
        return backend_over(EmbeddedTokens(WordVectors()), compression="residual2")


class TestCandidates(BackendContract, StoreContract):
    """As in a large index: texts are chosen by their mean vector first."""

    column = "colbert (candidates)"

    def make_backend(self):
        return backend_over(EmbeddedTokens(WordVectors()), exact_tokens=0)


@cache
def embedded():
    return EmbeddedTokens(EmbeddedEncoder(threads=1))


class TestEmbedded(BackendContract, StoreContract):
    column = "colbert"
    long_text_sentences = 250  # 1,750 tokens, 7 windows

    def make_backend(self):
        return backend_over(embedded())


@cache
def checkpoint():
    # One thread: for texts this short more of them only wait for each other.
    import torch

    torch.set_num_threads(1)
    folder = TemporaryDirectory()
    path = write_stanford_checkpoint(Path(folder.name), [*TEXTS.values(), QUERY])
    encoder = MultiVectorTokens(str(path), device="cpu")
    encoder.query_vectors([QUERY])
    return folder, encoder


@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs the extra 'st'")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestMultiVectorEncoder(BackendContract, StoreContract):
    column = "colbert (sentence-transformers)"
    long_text_sentences = 250  # 1,750 tokens, 7 windows; as a query 60

    def make_backend(self):
        return backend_over(checkpoint()[1])
