"""Name what an index keeps in Redis of the vectors that one model gives to the chunks of a store.

==============================  ======  ========================================================
``vector-<format>-<model>:…``   hash    a chunk, by its document's number and its place: ``facts``
                                        (its tags), ``id`` (of its document), ``vector``
``vectored-<format>-<model>``   hash    ``position``: the number up to which all documents have
                                        vectors; ``count`` of these; ``graph``, see `vector_engine`
``models-<format>``             zset    model -> epoch ms at which a replica last said that it
                                        compares with its vectors
==============================  ======  ========================================================

A *model* is the digest of the model's name and of how many parts its vectors have. What is not in
``models`` has no vectors: each script that writes some looks, and each that deletes chunks deletes
the vectors of all models with them.
"""

from __future__ import annotations

import hashlib
from typing import Final

from sessions.redis.keys import Keys


def model_id(name: str, parts: int) -> str:
    """Return what stands for the vectors of the model of this *name* that have so many *parts*."""
    return hashlib.blake2b(f"{name}\0{parts}".encode(), digest_size=8).hexdigest()


class VectorKeys:
    """The keys of the vectors of one data store that one model made."""

    def __init__(self, keys: Keys, data_store: str, made: str, model: str) -> None:
        """*made* is the format of the index that has the chunks."""
        self.model: Final = model
        self.state: Final = keys.corpus(data_store, f"vectored-{made}-{model}")
        self.flat: Final = keys.corpus(data_store, f"vector-{made}-{model}")
        """The name of the index that looks at all vectors."""
        self.graph: Final = keys.corpus(data_store, f"graph-{made}-{model}")
        """The name of the one that looks at those near on the way to the nearest."""

    @property
    def prefix(self) -> bytes:
        """What the keys begin with that are in either."""
        return self.flat + b":"

    def chunk(self, number: int, place: int) -> bytes:
        """Return the key of the vector of a chunk."""
        return b"%b:%d:%d" % (self.flat, number, place)
