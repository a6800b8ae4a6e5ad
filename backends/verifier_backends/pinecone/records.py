"""The records that Pinecone keeps for items, and back: any id, any text, no value lost.

Pinecone takes ids of 512 ASCII characters, 40 KB of metadata, and no vector of zeros. So an id is escaped; a text
with its metadata that does not fit is cut into pieces, which lie in a namespace beside; and every vector has one
more number, which is 0, and 1 where the others are all 0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.flat import PAYLOAD, flat_keys
from verifier_backends.types import Hit, Item

__all__ = [
    "ID",
    "LONG",
    "MARK",
    "Piece",
    "Record",
    "beacon",
    "doc_id_of",
    "extended",
    "fits",
    "hit_of",
    "piece_ids",
    "record_of",
    "weight",
    "wire_id",
]

ID, LONG, MARK = "id", "long", "mark"
"""Keys of our own beside the flat ones: the escaped id, whether there are pieces, and the write."""

_DIGEST, _PIECES = "digest", "pieces"

_LONGEST_ID = 512
_METADATA_BYTES = 40_000
"""Pinecone takes 40 KB; the mark of a write comes on top."""

_PIECE = 18_000
"""Characters of a piece. In JSON inside JSON each may become two."""

_DECIMALS = 8
"""Of a coordinate: finer than a float32 of a unit vector can tell, and 12 bytes on the wire at most."""

_NUMBER_BYTES, _FRAME = 12, 200
"""Bytes of a coordinate with its comma, and of what stands around a record, the mark among it."""


@dataclass(frozen=True)
class Piece:
    """A part of a text that is too long for one record."""

    id: str
    content: str

    @property
    def metadata(self) -> dict[str, Any]:
        """As it is kept, without the mark."""
        return {PAYLOAD: self.content}


@dataclass(frozen=True)
class Record:
    """An item as Pinecone keeps it."""

    id: str
    metadata: Mapping[str, Any]
    pieces: Sequence[Piece] = ()


def record_of(item: Item) -> Record:
    """The record of an item.

    Raises:
        BackendRejected: its id is longer, or its metadata alone are more, than Pinecone takes.

    >>> record_of(Item("é", "text", {"lang": "en"})).metadata
    {'id': '\\\\u00e9', 'long': False, 'h:lang': True, 'k:lang': 's:"en"', 'item': '["text", {"lang": "en"}]'}
    """
    own = wire_id(item.doc_id)
    if not fits(own):
        raise BackendRejected(
            f"Pinecone takes ids of at most {_LONGEST_ID} characters, escapes included; this one takes {len(own)}: "
            f"{item.doc_id[:40]!r}..."
        )
    metadata = dict(item.metadata or {})
    content, keys = json.dumps([item.text, metadata]), flat_keys(metadata)
    short = {ID: own, LONG: False, **keys, PAYLOAD: content}
    if _size(short) <= _METADATA_BYTES:
        return Record(own, short)
    digest = hashlib.sha256(f"{own} {content}".encode()).hexdigest()
    parts = [content[start : start + _PIECE] for start in range(0, len(content), _PIECE)]
    long = {ID: own, LONG: True, **keys, _DIGEST: digest, _PIECES: len(parts)}
    if _size(long) > _METADATA_BYTES:
        raise BackendRejected(
            f"the metadata of {item.doc_id!r} take {_size(long)} bytes in Pinecone, which holds {_METADATA_BYTES}; "
            "keep fewer or shorter keys and values"
        )
    return Record(own, long, [Piece(f"{digest}-{n}", part) for n, part in enumerate(parts)])


def weight(part: Record | Piece, dimension: int) -> int:
    """What it takes in a request, at most, in bytes."""
    return _size(part.metadata) + _NUMBER_BYTES * dimension + 2 * len(part.id) + _FRAME


def piece_ids(metadata: Mapping[str, Any]) -> list[str]:
    """Ids of the pieces that a long record is made of, in order; none for a short one."""
    if not metadata[LONG]:
        return []
    return [f"{metadata[_DIGEST]}-{n}" for n in range(int(metadata[_PIECES]))]


def hit_of(own: str, metadata: Mapping[str, Any], score: float) -> Hit:
    """The item of a record whose content is whole, as a hit."""
    text, stored = json.loads(metadata[PAYLOAD])
    return Hit(id=doc_id_of(own), text=text, score=score, metadata=stored)


def wire_id(doc_id: str) -> str:
    """An id in ASCII, as Pinecone takes them.

    >>> wire_id("id with ünïcode")
    'id with \\\\u00fcn\\\\u00efcode'
    """
    return json.dumps(doc_id)[1:-1]


def doc_id_of(own: str) -> str:
    """The id that ``wire_id`` escaped."""
    return str(json.loads(f'"{own}"'))


def fits(own: str) -> bool:
    """Whether an escaped id is short enough; one that is not is nowhere."""
    return len(own) <= _LONGEST_ID


def extended(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Rows with one more number, shape [n, dimension + 1]; a row of zeros gets a direction that is nobody's else."""
    rows = np.round(vectors.astype(np.float64), _DECIMALS)
    return np.hstack([rows, ~rows.any(axis=1, keepdims=True)])


def beacon(dimension: int) -> list[float]:
    """The direction of rows of zeros, for records that are not searched and requests that only filter."""
    return [0.0] * (dimension - 1) + [1.0]


def _size(metadata: Mapping[str, Any]) -> int:
    return len(json.dumps(metadata, ensure_ascii=False).encode())
