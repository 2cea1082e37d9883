"""Join the chunks that the words of a query find with those that its meaning finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from service.corpus.tantivy.reader.index_reader import IndexReader, MatchedChunk
from service.corpus.vectors import fusion
from service.corpus.vectors.vector_search import Meaning
from service.corpus.vectors.vector_table import Comparison, VectorTable


class Candidates(NamedTuple):
    """What the words of a query find in one data store, best first.

    *allowed* are the numbers of the documents that may be found, None for all; *moved* is by what
    the score of a document is multiplied.
    """

    data_store: str
    reader: IndexReader
    found: Sequence[MatchedChunk]
    allowed: frozenset[int] | None
    moved: Callable[[int], float]


class MeaningSearch(NamedTuple):
    """What a query means, and where the vectors of the data stores are."""

    meaning: Meaning
    table: Callable[[str], VectorTable | None]


def join(groups: Sequence[Candidates], search: MeaningSearch, limit: int) -> list[Candidates]:
    """Return the *groups* with what the meaning of the query finds, all in one scale.

    Each has its score by words alone besides, and its cosine.
    """
    comparisons = [_compared(group, search) for group in groups]
    near = [each.best() if each is not None else [] for each in comparisons]
    greatest = [chunks[0].cosine for chunks in near if chunks]
    if not greatest:
        return list(groups)
    spread = fusion.spread([each for each in comparisons if each is not None], max(greatest))
    share = fusion.share(search.meaning.share, spread)
    best = max((c.score for group in groups for c in group.found), default=0.0) or 1.0

    def fused(words: float, cosine: float | None, moved: float) -> float:
        meant = share * spread.standing(cosine) if cosine is not None else 0.0
        return words / best + meant * moved

    joined: list[Candidates] = []
    for group, comparison, chunks in zip(groups, comparisons, near, strict=True):
        found: dict[tuple[str, int], MatchedChunk] = {}
        for candidate, place in zip(group.found, group.reader.places(group.found), strict=True):
            document_id = group.reader.document_id(candidate.document)
            cosine = comparison.cosine(document_id, place) if comparison is not None else None
            score = fused(candidate.score, cosine, group.moved(candidate.document))
            found[document_id, place] = candidate._replace(
                score=score, words=candidate.score, cosine=cosine
            )
        lowest = sorted((c.score for c in found.values()), reverse=True)[:limit][-1:]
        for chunk in chunks:
            key = chunk.document_id, chunk.place
            number = group.reader.number(chunk.document_id)
            if key in found or number is None:
                continue
            score = fused(0.0, chunk.cosine, group.moved(number))
            # What comes after all that is wanted need not be looked for in the index.
            if len(found) >= limit and lowest and score < lowest[0]:
                continue
            if (located := group.reader.locate(number, chunk.place)) is not None:
                found[key] = located._replace(score=score, words=0.0, cosine=chunk.cosine)
        ordered = sorted(found.values(), key=lambda c: (-c.score, c.document))
        joined.append(group._replace(found=ordered))
    return joined


def _compared(group: Candidates, search: MeaningSearch) -> Comparison | None:
    table = search.table(group.data_store)
    if table is None:
        return None
    allowed = None if group.allowed is None else group.reader.ids(group.allowed)
    return table.compare(search.meaning.vector, group.reader, allowed)
