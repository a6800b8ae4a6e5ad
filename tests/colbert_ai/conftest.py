"""What these tests of ``make test-colbert`` share: a real small checkpoint, and one thread."""

import pytest
import torch
from verifier_backends.testing.cases import QUERY, TEXTS

from tests.support.late import write_stanford_checkpoint


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    torch.set_num_threads(1)
    texts = [*TEXTS.values(), QUERY, "Saffron is harvested by hand at dawn."]
    return str(write_stanford_checkpoint(tmp_path_factory.mktemp("colbert") / "checkpoint", texts))
