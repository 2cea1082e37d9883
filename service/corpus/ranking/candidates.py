"""Join the chunks that the words of a query find with those that its meaning finds."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from service.corpus.document_filters import Filter
from service.corpus.ranking.store_reader import ChunkPlace, MatchedChunk, StoreReader
from service.corpus.vectors import fusion
from service.corpus.vectors.comparison import Comparison, NearChunk


class Candidates(NamedTuple):
    """What the words of a query find in one data store, best first.

    *condition* tells which of its documents may be found; *moved* returns by what the scores of
    documents are multiplied, by their numbers.
    """

    data_store: str
    reader: StoreReader
    found: Sequence[MatchedChunk]
    condition: Filter
    moved: Callable[[Collection[int]], Mapping[int, float]]


class MeaningSearch(NamedTuple):
    """Searches data stores by what a query means.

    *share* is what its vector weighs beside its words, see `fusion.share`. *compare* compares the
    vector with those of the chunks that may be found in the data store of some candidates, and is
    asked for the cosines of these; None where there is nothing to compare with.
    """

    share: float | None
    compare: Callable[[Candidates], Comparison | None]


def join(groups: Sequence[Candidates], search: MeaningSearch, limit: int) -> list[Candidates]:
    """Return the *groups* with what the meaning of the query finds, all in one scale.

    Of each group there are the first *limit*, each with its score by words alone besides, and its
    cosine.
    """
    comparisons = [search.compare(group) for group in groups]
    near = [each.best() if each is not None else () for each in comparisons]
    greatest = [chunks[0].cosine for chunks in near if chunks]
    if not greatest:
        return list(groups)
    spread = fusion.spread([each for each in comparisons if each is not None], max(greatest))
    best = max((c.score for group in groups for c in group.found), default=0.0) or 1.0
    scale = _Scale(best, fusion.share(search.share, spread), spread)
    return [
        _joined(group, comparison, chunks, scale, limit)
        for group, comparison, chunks in zip(groups, comparisons, near, strict=True)
    ]


class _Scale(NamedTuple):
    """How scores by words and by meaning become one."""

    best: float
    """The best score by words."""
    share: float
    """What the greatest cosine weighs beside that."""
    spread: fusion.Spread

    def score(self, words: float, cosine: float | None, moved: float) -> float:
        """Return the score of what has so many *words*, and whose document is *moved* so far."""
        meant = self.share * self.spread.standing(cosine) if cosine is not None else 0.0
        return words / self.best + meant * moved


def _joined(
    group: Candidates,
    comparison: Comparison | None,
    chunks: Sequence[NearChunk],
    scale: _Scale,
    limit: int,
) -> Candidates:
    """Return the first *limit* of *group* and of the nearest *chunks*, all in one *scale*."""
    numbers = group.reader.numbers({chunk.document_id for chunk in chunks})
    moved = group.moved({*numbers.values(), *(one.document for one in group.found)})
    places = group.reader.places(group.found)
    scored: list[tuple[float, float | None, MatchedChunk]] = []
    for candidate, place in zip(group.found, places, strict=True):
        cosine = comparison.cosine(*place) if comparison is not None else None
        score = scale.score(candidate.score, cosine, moved[candidate.document])
        scored.append((score, cosine, candidate))
    scored.sort(key=lambda one: (-one[0], one[2].document))
    # Only what comes among the first is made, and looked for in the index.
    found = [
        one._replace(score=score, words=one.score, cosine=cosine)
        for score, cosine, one in scored[:limit]
    ]
    least = found[-1].score if len(found) == limit else -math.inf
    known = set(places)
    wanted: dict[ChunkPlace, tuple[float, float]] = {}
    for chunk in chunks:
        place = ChunkPlace(chunk.document_id, chunk.place)
        if place not in known and chunk.document_id in numbers:
            score = scale.score(0.0, chunk.cosine, moved[numbers[chunk.document_id]])
            if score >= least:
                wanted[place] = score, chunk.cosine
    for place, located in zip(wanted, group.reader.locate(list(wanted)), strict=True):
        if located is not None:
            score, cosine = wanted[place]
            found.append(located._replace(score=score, words=0.0, cosine=cosine))
    ordered = sorted(found, key=lambda one: (-one.score, one.document))
    return group._replace(found=ordered[:limit])
