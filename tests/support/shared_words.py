"""The smallest reranker that the base class allows: ``identity`` and ``score``."""

import re

import numpy as np
from verifier_backends.rerankers import Reranker


class SharedWords(Reranker):
    """The share of the query's words that a text has; ``asked`` counts the texts that it was given."""

    identity = "shared-words"

    def __init__(self):
        self.asked = 0

    def score(self, query, texts):
        self.asked += len(texts)
        wanted = set(re.findall(r"\w+", query.lower()))
        found = [len(wanted & set(re.findall(r"\w+", text.lower()))) for text in texts]
        return np.array(found, dtype=np.float64) / max(1, len(wanted))
