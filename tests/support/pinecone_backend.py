"""Backends over the local Pinecone server, and texts to put there."""

import random

from verifier_backends.encoders import HashingEncoder
from verifier_backends.pinecone import PineconeBackend

from tests.support.pinecone_state import Clock

WORDS = [a + b + c for a in "blmnprst" for b in "aeiou" for c in "dkngs"]
ENCODER = HashingEncoder(dimension=64)


def texts(n, seed=0):
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=8)) for _ in range(n)]


def made(server, **options):
    return PineconeBackend(ENCODER, host=server.url, **options)


def late(server, patience=10.0, **options):
    """A backend whose time, and the server's, is the clock it comes with."""
    clock = server.clock = Clock()
    return made(server, patience=patience, sleep=clock.sleep, clock=clock, **options), clock
