"""Build every Redis key; nobody else concatenates one.

A session (or conversation), its turns, its answers with their logs, its queue, its idempotency
keys and the lease index that they share carry one hash tag ``{p<n>}``, ``n = crc32(session) mod
partitions``, so that each change of state is one script in one slot. What lists resources lives
in other slots. All keys begin with the prefix (``c`` by default, unique per test).

Contents:

=====================  ======  ==============================================================
``c:{pN}:s:<name>``    hash    the session or conversation: ``json`` (the resource without turns
                               or messages), ``created``, ``updated`` (epoch microseconds),
                               ``active`` (the running answer or "")
``c:{pN}:t:<name>``    list    its turns (or messages), JSON, oldest first; append-only
``c:{pN}:q:<name>``    list    names of answers that wait for their turn
``c:{pN}:a:<answer>``  hash    ``state``, ``json`` (Answer), ``owner``, ``epoch``, ``session``,
                               ``kind``, ``request``, ``opening``, ``cancel``, ``attempts``,
                               ``deadline`` (epoch ms)
``c:{pN}:l:<answer>``  stream  its event log, ids ``<epoch>-<seq>``
``c:{pN}:i:<…>``       string  idempotency key -> answer name, 24 h
``c:{pN}:leases``      zset    answer -> epoch ms at which its lease runs out
``c:{pN}:trash``       zset    deleted sessions whose answers are still to be unlinked
=====================  ======  ==============================================================
"""

from __future__ import annotations

import zlib
from typing import Final

PARTITIONS: Final = 64
"""How many partitions a new installation gets; written to `Keys.install` and checked at start."""


class Keys:
    """The keys of one installation."""

    def __init__(self, prefix: str = "c", partitions: int = PARTITIONS) -> None:
        self.prefix = prefix
        self.partitions = partitions
        self.install = f"{prefix}:install".encode()
        """Hash with ``schema`` and ``partitions``, written once."""
        self._tags = [f"{prefix}:{{p{n}}}:" for n in range(partitions)]

    def partition(self, owner: str) -> int:
        """Return the partition of the session or conversation named *owner*."""
        return zlib.crc32(owner.encode()) % self.partitions

    def _tag(self, owner: str) -> str:
        return self._tags[zlib.crc32(owner.encode()) % self.partitions]

    def session(self, owner: str) -> bytes:
        """Hash of a session or conversation."""
        return f"{self._tag(owner)}s:{owner}".encode()

    def turns(self, owner: str) -> bytes:
        """List of its turns or messages."""
        return f"{self._tag(owner)}t:{owner}".encode()

    def queue(self, owner: str) -> bytes:
        """List of its answers that wait for their turn."""
        return f"{self._tag(owner)}q:{owner}".encode()

    def trashed(self, owner: str) -> bytes:
        """Where the turns of a deleted session wait to be unlinked."""
        return f"{self._tag(owner)}x:{owner}".encode()

    def idempotency(self, owner: str, key: str) -> bytes:
        """String that remembers the answer of a submission with the client's *key*."""
        return f"{self._tag(owner)}i:{owner}:{key}".encode()

    def answer(self, answer: str) -> bytes:
        """Hash of an answer."""
        return f"{self._tag(owner_of(answer))}a:{answer}".encode()

    def log(self, answer: str) -> bytes:
        """Event log of an answer."""
        return f"{self._tag(owner_of(answer))}l:{answer}".encode()

    def channel(self, answer: str) -> bytes:
        """Channel on which the acknowledged entries of an answer are told to other replicas."""
        return f"{self._tag(owner_of(answer))}c:{answer}".encode()

    def leases(self, partition: int) -> bytes:
        """Lease index of a partition."""
        return f"{self._tags[partition]}leases".encode()

    def trash(self, partition: int) -> bytes:
        """Index of the deleted sessions of a partition."""
        return f"{self._tags[partition]}trash".encode()

    def control(self, replica: str) -> bytes:
        """Channel on which a replica is told to look at an answer (cancel)."""
        return f"{self.prefix}:ctl:{replica}".encode()

    def listing(self, parent: str, collection: str) -> bytes:
        """Sorted set of the resources of *collection* under *parent*, by update time in µs."""
        return f"{self.prefix}:ix:{collection}:{parent}".encode()

    def resource(self, name: str) -> bytes:
        """JSON of a small resource: a data store, an engine, an operation, a RAG corpus."""
        return f"{self.prefix}:r:{name}".encode()

    def corpus(self, data_store: str, part: str) -> bytes:
        """A part of a data store's content (documents, chunks, feed), all in one slot."""
        return f"{self.prefix}:{{d{zlib.crc32(data_store.encode())}}}:{part}:{data_store}".encode()


def owner_of(answer: str) -> str:
    """Return the session or conversation that *answer* belongs to."""
    return answer.rsplit("/", 2)[0]
