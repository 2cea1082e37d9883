"""Compare what a query means with the vectors of one data store, in the Query Engine.

In a round trip or two: what is nearest, how near those are that its words found, and how cosines
lie over all, which a sample tells.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from service.corpus.ranking.candidates import Candidates
from service.corpus.ranking.store_reader import ChunkPlace
from service.corpus.redis_search import engine
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.redis_search.vector_keys import VectorKeys
from service.corpus.redis_search.vectors import vector_engine, vector_writer
from service.corpus.redis_search.vectors.vector_engine import CosineSample, FoundVector
from service.corpus.redis_search.vectors.vector_writer import VectorState
from service.corpus.vectors.comparison import NearChunk
from sessions.errors import Unavailable

_FEW: Final = 100
"""Chunks that a sample has at least, where there are so many: a filter leaves few of it."""
_COMPARED: Final = 100
"""Chunks found by words whose cosines are asked for, the best: those after them come among the
first for what they mean alone, and are among the nearest then."""
_STEP: Final = 3
"""Halvings by which a sample is larger than one that had too few."""


class EngineComparison:
    """A `Comparison` with the vectors in the Query Engine."""

    def __init__(
        self,
        near: Sequence[NearChunk],
        cosines: Mapping[ChunkPlace, float],
        sample: CosineSample,
    ) -> None:
        """*sample* tells of as many chunks as there are."""
        self._near = near
        self._cosines = cosines
        self.count = sample.chunks
        self.total = self.count * sample.mean
        self.squares = self.count * (sample.mean**2 + sample.deviation**2)

    def best(self) -> Sequence[NearChunk]:
        """Return the nearest of the chunks, the nearest first."""
        return self._near

    def cosine(self, document_id: str, place: int) -> float | None:
        """Return the cosine of a chunk; None where it has none, or comes too late to matter."""
        return self._cosines.get(ChunkPlace(document_id, place))


def compare(
    view: StoreView,
    keys: VectorKeys,
    state: VectorState,
    vector: array[float],
    group: Candidates,
    lost: Callable[[], None],
) -> EngineComparison | None:
    """Compare *vector* with the chunks that may be found of *group*, and with those found.

    None where there is nothing to compare with, or it cannot be done now; *lost* is called where
    the engine does not have the index.
    """
    names = (keys.graph, keys.flat) if state.graph else (keys.flat, keys.graph)
    # The other one, too: another replica may have moved to the graph just now.
    for name in names:
        with contextlib.suppress(_Lost):
            return _compared(view, keys, name, state.chunks, vector, group)
    lost()
    return None


class _Lost(Exception):
    """The engine does not have an index."""


def _compared(
    view: StoreView,
    keys: VectorKeys,
    name: bytes,
    count: int,
    vector: array[float],
    group: Candidates,
) -> EngineComparison | None:
    some = group.found[:_COMPARED]
    chunks = [keys.chunk(*each.key) for each in some]
    asked = _Asked(view.reads.replies, name, vector, view.query_for(group.condition), count)
    try:
        sample, nearest, compared = asked.replies(chunks)
    except Unavailable as exc:
        if exc.reason == engine.MISSING:
            raise _Lost from exc
        return None  # words alone find as well
    near = _there(nearest, group)
    if not near:
        return None
    places = dict(zip(chunks, group.reader.places(some), strict=True))
    cosines = {ChunkPlace(one.document_id, one.place): one.cosine for one in near}
    cosines |= {places[one.key]: one.cosine for one in compared}
    return EngineComparison(near, cosines, sample)


class _Asked(NamedTuple):
    """What is asked of the index of a *name*, with so many vectors, *within* a query of it."""

    ask: Callable[[Sequence[bytes]], Sequence[Any]]
    name: bytes
    vector: array[float]
    within: str
    size: int

    def replies(
        self, chunks: Sequence[bytes]
    ) -> tuple[CosineSample, Sequence[FoundVector], Sequence[FoundVector]]:
        """Return how all cosines lie, the nearest chunks, and how near *chunks* are."""
        halved = 0
        while self.size >> halved > vector_engine.SAMPLE:
            halved += 1
        asked = [self._sample(halved)]
        if chunks:
            asked.append(vector_engine.cosines(self.name, self.vector, chunks))
        # Where much may be filtered out it is counted first how much: by itself the engine goes
        # the wrong way for a third of 100,000, which takes it ten times as long.
        filtered = bool(self.within) and self.size > vector_writer.GRAPH
        if not filtered:
            asked.append(self._nearest())
        first, *rest = self.ask(asked)
        sample = self._of_all(vector_engine.sampled(first), halved)
        if filtered:
            many = sample.chunks > vector_writer.GRAPH
            policy = vector_engine.MANY if many else vector_engine.FEW
            rest += self.ask([self._nearest(policy)])
        nearest = vector_engine.found(rest.pop())
        return sample, nearest, [one for reply in rest for one in vector_engine.found(reply)]

    def _of_all(self, sample: CosineSample, halved: int) -> CosineSample:
        """Return *sample*, or a larger one where a filter leaves few of it, as one of all."""
        while sample.chunks < _FEW and halved:
            halved = max(0, halved - _STEP)
            (reply,) = self.ask([self._sample(halved)])
            sample = vector_engine.sampled(reply)
        return sample._replace(chunks=sample.chunks << halved)

    def _sample(self, halved: int) -> bytes:
        return vector_engine.sample(self.name, self.vector, self.within, halved)

    def _nearest(self, policy: str = "") -> bytes:
        return vector_engine.nearest(self.name, self.vector, self.within, policy)


def _there(found: Sequence[FoundVector], group: Candidates) -> list[NearChunk]:
    """Return those of the chunks *found* whose documents were not replaced meanwhile."""
    numbers = group.reader.numbers({each.document_id for each in found})
    near: list[NearChunk] = []
    for each in found:
        _, number, place = each.key.rsplit(b":", 2)
        if numbers.get(each.document_id) == int(number):
            near.append(NearChunk(each.document_id, int(place), each.cosine))
    return near
