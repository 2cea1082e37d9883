"""Build every Redis key; nobody else concatenates one.

A session (or conversation), its turns, its answers with their logs, its queue, its idempotency keys
and the lease index that they share carry one hash tag ``{p<n>}``, ``n = crc32(session) mod
partitions``, so that each change of state is one script in one slot. What lists the sessions of a
parent shares ``{x<crc32(parent)>}``, in another slot (`sessions.listing.list_index`); the small
resources of a location and what lists them share ``{r<crc32(location)>}``
(`sessions.stores.record_store`). All keys begin with the prefix (``c`` by default, unique per
test).

Contents:

=====================  ======  ==============================================================
``c:{pN}:s:<name>``    hash    the session or conversation: ``json`` (the resource without turns
                               or messages), ``created``, ``updated`` (epoch microseconds),
                               ``active`` (the running answer or ""), ``ended`` (µs of the last
                               turn or message), ``completed`` (µs at which a conversation was
                               completed), ``title`` (text of the first query; sessions only)
``c:{pN}:t:<name>``    list    its turns (or messages), JSON, oldest first; append-only
``c:{pN}:n:<name>``    list    names of all its answers, accepted or ended, oldest first; whoever
                               accepts an answer pushes its name, so that a deletion finds it
``c:{pN}:q:<name>``    list    names of answers that wait for their turn
``c:{pN}:x:<name>``    list    what was ``n`` when the session was deleted
``c:{pN}:w:<…>``       list    turns on their way into ``t``, a minute at most
``c:{pN}:a:<answer>``  hash    ``state``, ``json`` (Answer), ``owner``, ``epoch``, ``session``,
                               ``kind``, ``request``, ``opening``, ``cancel``, ``attempts``,
                               ``deadline`` (epoch ms), ``started`` (its first event, JSON) while
                               it runs; ``outcome`` and, where it FAILED, ``error`` (its last
                               event, JSON) when it has ended
``c:{pN}:l:<answer>``  stream  its event log, ids ``<epoch>-<seq>``
``c:{pN}:i:<…>``       string  idempotency key -> answer name, 24 h
``c:{pN}:f:<…>``       string  what a search of a session found, for an answer of the same query
``c:{pN}:leases``      zset    answer -> epoch ms at which its lease runs out
``c:{pN}:trash``       zset    deleted sessions whose answers are still to be unlinked
``c:{…}:mark``         string  what is written before replicas are waited for, a second; the
                               tag is that of what waits for them
``c:{xN}:<part>:…``    zset    what lists a collection of sessions under one parent
``c:parents``          set     what has, or had, sessions or conversations under it
``c:{rN}:r:<name>``    string  a small resource, JSON
``c:{rN}:n:…``         zset    ids of the small resources of one collection under one parent
``c:{dN}:…:<store>``    …       what is kept of a data store: documents, feed, events, queries
``c:{lN}:<kind>:…``    …       what is left of a quota; a minute, or until its requests have ended
``c:{uploads}:…``      …       the resumable uploads that are not ended, ten minutes
``c:purges``           hash    operation -> whose data is being purged; ``c:purge:…`` who is at it
``c:export:…``         string  whose data may be downloaded once, by whom, an hour
``c:audit``            stream  administrative acts, each chained to the one before; append-only
``c:{keys}:keys``      hash    id of an API key -> JSON; revoked and expired ones stay
``c:{keys}:state``     string  drawn anew at each change of them
``c:{keys}:uses``      hash    id of an API key -> epoch seconds of its last use
``c:{tokens}:keys``    hash    the secrets by which tokens of users and visitors are signed
``c:{visitors}:v:…``   hash    a visitor who came back, or became a user: ``generation``,
                               ``renewed``, ``ended``, a month; ``user`` and ``merge``, for ever
``c:{visitors}:due``   zset    merges of visitors whose sessions are to be looked for once more
``c:{visitors}:ended:marks``
                       zset    marks of visitors' principals -> epoch ms at which they ended,
                               eleven minutes
=====================  ======  ==============================================================
"""

from __future__ import annotations

import hashlib
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
        """Hash, written once: ``schema``, ``partitions``, ``page_token_key`` and ``id``."""
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

    def answers(self, owner: str) -> bytes:
        """List of the names of all its answers, in the order of acceptance."""
        return f"{self._tag(owner)}n:{owner}".encode()

    def trashed(self, owner: str) -> bytes:
        """Where the names of a deleted session's answers wait for those to be unlinked."""
        return f"{self._tag(owner)}x:{owner}".encode()

    def staged(self, owner: str, nonce: str) -> bytes:
        """List of turns that are on their way into `turns`; *nonce* is its writer's own."""
        return f"{self._tag(owner)}w:{nonce}:{owner}".encode()

    def idempotency(self, owner: str, key: str) -> bytes:
        """String that remembers the answer of a submission with the client's *key*."""
        return f"{self._tag(owner)}i:{owner}:{key}".encode()

    def search_results(self, owner: str, query: str) -> bytes:
        """String that keeps what the search *query* (its id) of the session *owner* found."""
        return f"{self._tag(owner)}f:{owner}:{query}".encode()

    def answer(self, answer: str) -> bytes:
        """Hash of an answer."""
        return f"{self._tag(owner_of(answer))}a:{answer}".encode()

    def log(self, answer: str) -> bytes:
        """Event log of an answer."""
        return f"{self._tag(owner_of(answer))}l:{answer}".encode()

    def channel(self, answer: str) -> bytes:
        """Channel on which the acknowledged entries of an answer are told to other replicas."""
        return f"{self._tag(owner_of(answer))}c:{answer}".encode()

    def inbox(self, replica: str, answer: str) -> bytes:
        """Channel on which *replica* is told entries of answers in the partition of *answer*."""
        return f"{self._tag(owner_of(answer))}b:{replica}".encode()

    def leases(self, partition: int) -> bytes:
        """Lease index of a partition."""
        return f"{self._tags[partition]}leases".encode()

    def trash(self, partition: int) -> bytes:
        """Index of the deleted sessions of a partition."""
        return f"{self._tags[partition]}trash".encode()

    def control(self, replica: str) -> bytes:
        """Channel on which a replica is told to look at an answer (cancel)."""
        return f"{self.prefix}:ctl:{replica}".encode()

    def follow_requests(self, replica: str) -> bytes:
        """Channel on which a replica is asked to tell its answers to the inboxes of others."""
        return f"{self.prefix}:fol:{replica}".encode()

    def list_index(self, parent: str, collection: str) -> bytes:
        """Sorted set of the resources of *collection* under *parent*, by update time in µs.

        Only `sessions.listing.list_index` reads or writes it and its parts.
        """
        return self.list_index_part(parent, collection, "ix")

    def parents(self) -> bytes:
        """Set of the data stores and engines under which sessions or conversations were listed."""
        return f"{self.prefix}:parents".encode()

    def list_index_part(self, parent: str, collection: str, part: str) -> bytes:
        """Build the key of one *part* of what lists a collection, in the slot of the others."""
        tag = zlib.crc32(parent.encode())
        return f"{self.prefix}:{{x{tag:x}}}:{part}:{collection}:{parent}".encode()

    def user_bucket(self, parent: str, collection: str, user: str) -> bytes:
        """Set of the ids of the resources whose users share a bucket of 65,536 with *user*."""
        # A million keys with the parent in them would outweigh what they hold: its digest will do.
        tag = zlib.crc32(parent.encode())
        place = hashlib.blake2b(f"{collection}:{parent}".encode(), digest_size=6).hexdigest()
        bucket = zlib.crc32(user.encode()) & 0xFFFF
        return f"{self.prefix}:{{x{tag:x}}}:u:{place}:{bucket:x}".encode()

    def quota(self, project: str, kind: str, holder: str, part: str) -> bytes:
        """A *part* of the quota of one *holder* within *project*, all of a project in one slot.

        The holder is told by a digest: an address or a user's name is nobody's to read here.
        """
        tag = zlib.crc32(project.encode()) % self.partitions
        who = hashlib.blake2b(f"{project}\0{holder}".encode(), digest_size=12).hexdigest()
        return f"{self.prefix}:{{l{tag}}}:{kind}:{who}:{part}".encode()

    def resource(self, name: str) -> bytes:
        """JSON of a small resource: a data store, an engine, an operation, a RAG corpus."""
        return f"{self._location_tag(name)}r:{name}".encode()

    def resources(self, parent: str, collection: str) -> bytes:
        """Sorted set of the ids of the small resources of *collection* under *parent*."""
        return f"{self._location_tag(parent)}n:{collection}:{parent}".encode()

    def _location_tag(self, name: str) -> str:
        location = "/".join(name.split("/", 4)[:4])
        return f"{self.prefix}:{{r{zlib.crc32(location.encode()):x}}}:"

    def audit(self) -> bytes:
        """Stream of the administrative acts; the only key that nothing deletes or shortens."""
        return f"{self.prefix}:audit".encode()

    def purges(self) -> bytes:
        """Hash of the purges of users that are not done: operation -> whose data, JSON."""
        return f"{self.prefix}:purges".encode()

    def purge(self, operation: str) -> bytes:
        """String that tells that a process works at a purge."""
        return f"{self.prefix}:purge:{operation}".encode()

    def export(self, operation: str) -> bytes:
        """String that says whose data may be downloaded, and by whom, for an hour."""
        return f"{self.prefix}:export:{operation}".encode()

    def forgotten(self) -> bytes:
        """Channel on which replicas are told of whom to forget what they have in memory."""
        return f"{self.prefix}:forgotten".encode()

    def uploads(self) -> bytes:
        """Hash of the resumable uploads that are not ended, in one slot with all they brought."""
        return f"{self.prefix}:{{uploads}}:uploads".encode()

    def upload(self, upload: str, part: str) -> bytes:
        """A part of a resumable upload: what was ``said`` at its beginning, or its ``bytes``."""
        return f"{self.prefix}:{{uploads}}:{part}:{upload}".encode()

    def api_keys(self, part: str) -> bytes:
        """A part of what is kept of API keys, or the channel of their ``changes``."""
        return f"{self.prefix}:{{keys}}:{part}".encode()

    def signing_keys(self) -> bytes:
        """Hash of the secrets by which tokens of users and visitors are signed, by their ids."""
        return f"{self.prefix}:{{tokens}}:keys".encode()

    def visitor(self, visitor: str) -> bytes:
        """Hash of a visitor; *visitor* is the project and the subject, joined by a slash.

        The visitor is told by a digest: that one has ended is remembered beyond a purge.
        """
        who = hashlib.blake2b(visitor.encode(), digest_size=16).hexdigest()
        return f"{self.prefix}:{{visitors}}:v:{who}".encode()

    def visitors(self) -> str:
        """Glob pattern of the hashes of all visitors."""
        return f"{self.prefix}:{{visitors}}:v:*"

    def visitor_merges(self) -> bytes:
        """Sorted set of the merges of visitors that are to be finished, by time."""
        return f"{self.prefix}:{{visitors}}:due".encode()

    def visitors_ended(self, part: str) -> bytes:
        """The ``marks`` of visitors who ended lately, by time, or the channel of ``changes``."""
        return f"{self.prefix}:{{visitors}}:ended:{part}".encode()

    def corpus(self, data_store: str, part: str) -> bytes:
        """A part of a data store's content (documents, chunks, feed), all in one slot."""
        return f"{self.prefix}:{{d{zlib.crc32(data_store.encode())}}}:{part}:{data_store}".encode()


def owner_of(answer: str) -> str:
    """Return the session or conversation that *answer* belongs to."""
    return answer.rsplit("/", 2)[0]


def mark_of(key: bytes) -> bytes:
    """Return what is written, in the slot of *key*, before replicas are waited for."""
    prefix, _, rest = key.partition(b":")
    tag, closed, _ = rest.partition(b"}")
    return b"%b:%b}:mark" % (prefix, tag) if closed else b"%b:{%b}:mark" % (prefix, key)
