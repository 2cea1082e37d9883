"""Say to the Query Engine what is asked of vectors, and read what it replies.

Vectors lie in one of two indexes. One looks at every vector: exact, and it takes Redis 1 to 2 ms
for each 10,000 of them. The other is a graph, on which it goes from neighbour to neighbour towards
the nearest: it misses a few, a vector costs it a millisecond to store, and so does each when Redis
starts again.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from redis.commands.search import reducers
from redis.commands.search.aggregation import AggregateRequest
from redis.commands.search.field import TagField, VectorField
from redis.commands.search.query import Query

from service.corpus.redis_search import engine, fact_tags
from service.corpus.redis_search.vector_keys import VectorKeys
from service.corpus.vectors.comparison import BEST
from sessions.redis.resp_socket import pack

SAMPLE: Final = 300
"""Chunks by which it is told how cosines lie over all: their mean is right to a fifteenth of their
deviation, of which the greatest cosine is five away. A thousand would cost Redis 1 ms more."""
_GRAPH: Final[Mapping[str, int]] = {"M": 16, "EF_CONSTRUCTION": 100, "EF_RUNTIME": 200}
FEW: Final = "HYBRID_POLICY ADHOC_BF"
"""Look at every vector that the query names."""
MANY: Final = "HYBRID_POLICY BATCHES"
"""Look at the nearest of all, and on until enough of them are named."""
_DIALECT: Final = 2
_NEAR: Final = "near"


class FoundVector(NamedTuple):
    """A vector that the engine found: its key, its cosine, and the id of its document if asked."""

    key: bytes
    cosine: float
    document_id: str


class CosineSample(NamedTuple):
    """How the cosines of so many *chunks* lie."""

    chunks: int
    mean: float
    deviation: float


def packed(vector: Sequence[float], scale: float = 1.0) -> bytes:
    """Return *vector*, each part times *scale*, as the engine takes it: two bytes a part."""
    return struct.pack(f"<{len(vector)}e", *(part * scale for part in vector))


def create(keys: VectorKeys, parts: int, *, graph: bool) -> list[bytes | str | int]:
    """Return the command that makes an index, which has all vectors that there are as well."""
    like: dict[str, str | int] = {"TYPE": "FLOAT16", "DIM": parts, "DISTANCE_METRIC": "IP"}
    vector = VectorField("vector", "HNSW" if graph else "FLAT", like | _GRAPH if graph else like)
    facts = TagField(fact_tags.FIELD, separator=",", case_sensitive=True)
    kept = ("ON", "HASH", "PREFIX", 1, keys.prefix, "STOPWORDS", 0)
    name = keys.graph if graph else keys.flat
    return ["FT.CREATE", name, *kept, "SCHEMA", *facts.redis_args(), *vector.redis_args()]


def nearest(name: bytes, vector: array[float], within: str, policy: str = "") -> bytes:
    """Pack the question for the nearest vectors *within* a query, "" for all.

    *policy* is `FEW` or `MANY`, by how many the query names, or "" where that is not known.
    """
    knn = _knn(within, BEST, policy)
    asked = Query(knn).return_field("id").return_field(_NEAR).paging(0, BEST)
    return _search(name, asked, vector)


def cosines(name: bytes, vector: array[float], keys: Sequence[bytes]) -> bytes:
    """Pack the question for the cosines of the vectors with these *keys*, one at least."""
    asked = Query(_knn("", len(keys))).return_field(_NEAR).paging(0, len(keys))
    return _search(name, asked, vector, "INKEYS", len(keys), *keys)


def sample(name: bytes, vector: array[float], within: str, halved: int) -> bytes:
    """Pack the question how cosines lie *within* a query, by a sample: all, *halved* so often."""
    among = f"{within} {fact_tags.in_sample(halved)}"
    asked = AggregateRequest(_knn(among, 4 * SAMPLE, FEW)).group_by(
        [],
        reducers.count().alias("count"),
        reducers.avg(f"@{_NEAR}").alias("mean"),
        reducers.stddev(f"@{_NEAR}").alias("deviation"),
    )
    command = ["FT.AGGREGATE", name, *asked.dialect(_DIALECT).build_args()]
    return pack(*command, "TIMEOUT", engine.PATIENCE, "PARAMS", 2, "vector", packed(vector))


def found(reply: Sequence[Any]) -> list[FoundVector]:
    """Read the reply to `nearest` or `cosines`, the nearest first."""
    read: list[FoundVector] = []
    for key, values in zip(reply[1::2], reply[2::2], strict=True):
        told = dict(zip(values[::2], values[1::2], strict=True))
        cosine = 1.0 - float(told[_NEAR.encode()])
        read.append(FoundVector(key, cosine, told.get(b"id", b"").decode()))
    return sorted(read, key=lambda one: -one.cosine)


def sampled(reply: Sequence[Any]) -> CosineSample:
    """Read the reply to `sample`."""
    if len(reply) < 2:
        return CosineSample(0, 0.0, 0.0)
    told = dict(zip(reply[1][::2], map(float, reply[1][1::2]), strict=True))
    return CosineSample(int(told[b"count"]), 1.0 - told[b"mean"], told[b"deviation"])


def _knn(within: str, count: int, policy: str = "") -> str:
    of = f"({within})" if within.strip() else "*"
    return f"{of}=>[KNN {count} @vector $vector {policy} AS {_NEAR}]"


def _search(name: bytes, asked: Query, vector: array[float], *among: bytes | str | int) -> bytes:
    told = asked.timeout(engine.PATIENCE).dialect(_DIALECT).get_args()
    return pack("FT.SEARCH", name, *told, *among, "PARAMS", 2, "vector", packed(vector))
