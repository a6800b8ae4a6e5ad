"""A machine that ingests into a shared knowledge base: ``python -m tests.support.shared_writer URL NAME COUNT [SLOW]``.

It says how many passages it embedded. With SLOW, its encoder says that it began, and never ends.
"""

import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from verifier_backends.encoders import HashingEncoder

from tests.support.shared_base import shared_store
from tests.support.stores import doc


class Endless(HashingEncoder):
    """Begins with its second batch, and never ends."""

    batches = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches += 1
        if self.batches > 1:  # after the probe
            sys.stdout.write("embedding\n")
            sys.stdout.flush()
            time.sleep(600)
        return super().encode(texts)


def main() -> None:
    url, name, number, *slow = sys.argv[1:]
    encoder = Endless(dimension=64) if slow else HashingEncoder(dimension=64)
    documents = [doc(f"{name}{n}", f"Paragraph {n} of {name} is about lot {n}.") for n in range(int(number))]
    with shared_store(url, encoder) as store:
        sys.stdout.write(f"{store.ingest(documents).passages_embedded}\n")


if __name__ == "__main__":
    main()
