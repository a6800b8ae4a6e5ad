"""The ``pinecone`` backend: an index of Pinecone's hosted service (extra ``pinecone``)."""

from verifier_backends.pinecone.backend import PineconeBackend

__all__ = ["PineconeBackend"]
