"""The smallest backend that the base class allows: ``add``, ``query`` and ``count``."""

import re

from verifier_backends.base import VectorBackend


class MinimalBackend(VectorBackend):
    """Shared words over all words; no capability beyond the three methods."""

    def __init__(self):
        self.items = {}

    def add(self, doc_id, text, metadata=None):
        if not doc_id or not text.strip():
            raise ValueError("empty id or blank text")
        self.items = {**self.items, doc_id: (text, dict(metadata or {}))}

    def query(self, text, n_results=3):
        if n_results < 0:
            raise ValueError("n_results must be at least 0")
        asked = set(re.findall(r"\w+", text.lower()))
        hits = []
        for doc_id, (stored, metadata) in self.items.items():
            words = set(re.findall(r"\w+", stored.lower()))
            if asked and text.strip():
                score = len(asked & words) / max(1, len(asked | words))
                hits.append({"id": doc_id, "text": stored, "score": score, "metadata": dict(metadata)})
        return sorted(hits, key=lambda hit: (-hit["score"], hit["id"]))[:n_results]

    def count(self):
        return len(self.items)
