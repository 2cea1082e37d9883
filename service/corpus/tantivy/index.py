"""Find chunks with tantivy, in this process, kept fresh from Redis.

Each data store has an index of its own (`data_store_index`); `index_upkeep` keeps them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from service.corpus.document_access import DocumentPolicy
from service.corpus.following.followed_index import FollowedIndex
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index_upkeep import IndexUpkeep
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.corpus.tantivy.table_vectors import TableVectors
from service.corpus.vectors.vector_search import VectorSearch
from service.language.synonyms import BUILT_IN, Synonyms

_SEARCHES: Final = 4
"""Searches that threads are busy with at a time; tantivy leaves the interpreter to others."""


class TantivyIndex(FollowedIndex[IndexUpkeep, IndexReader]):
    """An `index.FollowingIndex` in this process.

    With a *folder* the next start begins where this process ends. *observe*, if given, is told of
    each failure, which is tried again. The rest is as `FollowedIndex` has it.
    """

    def __init__(
        self,
        store: DocumentStore,
        *,
        folder: Path | None = None,
        observe: Callable[[BaseException], None] | None = None,
        vectors: VectorSearch | None = None,
        synonyms: Synonyms = BUILT_IN,
        policy: Callable[[str], Awaitable[DocumentPolicy]] | None = None,
        searched: Callable[[str, float], None] | None = None,
    ) -> None:
        embed = None if vectors is None else vectors.keep_up
        super().__init__(
            IndexUpkeep(store, folder=folder, observe=observe, embed=embed),
            searches=_SEARCHES,
            vectors=None if vectors is None else TableVectors(vectors),
            synonyms=synonyms,
            policy=policy,
            searched=searched,
        )
