"""Cut one page out of what a search found, and say where the next one begins."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from service.answering.requests import order_by
from service.answering.retrieval import document_ranking
from service.answering.retrieval.document_ranking import Item, Key
from sessions.listing import page_requests
from sessions.resources.search_requests import SearchRequest

MAX_DOCUMENTS: Final = 100
"""Documents of one page, at most."""
MAX_CHUNKS: Final = 50
"""Chunks of one page, at most."""

_DEFAULT_SIZE: Final = 10
_DIGEST: Final = 6
"""Bytes that stand for a result in a page token: two of the 1,000 that a search looks at share them
once in half a billion searches, and each byte more makes the last token 1.3 KB longer."""


class SearchCursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a traversal stands: how much there is, and what was shown.

    By relevance, *seen* are digests of all that was shown, for the order may change between two
    pages; in the order of a field, *after* is where the last one stands. *session* and *query_id*
    are the turn that the first page was recorded as.
    """

    total: int
    seen: bytes = b""
    after: Key = ()
    session: str = ""
    query_id: str = ""


class SearchPage(NamedTuple):
    """What one page shows of the items found, and where the next one begins, if there is one."""

    items: Sequence[Item]
    cursor: SearchCursor
    is_last: bool


def page(request: SearchRequest, items: Sequence[Item], cursor: SearchCursor | None) -> SearchPage:
    """Cut the page at *cursor*, or the first, out of *items*, and say where the next begins."""
    order = order_by.parse(request.order_by, field="orderBy")
    by_key = bool(order) or not request.query.strip()
    most = MAX_CHUNKS if request.by_chunk else MAX_DOCUMENTS
    size = page_requests.size(request.page_size, default=_DEFAULT_SIZE, maximum=most)
    if by_key:
        items = document_ranking.ordered(items, order)
    if cursor is not None:
        if by_key:
            items = [
                i
                for i in items
                if document_ranking.follows(document_ranking.key(i, order), cursor.after, order)
            ]
        else:
            seen = {cursor.seen[at : at + _DIGEST] for at in range(0, len(cursor.seen), _DIGEST)}
            items = [item for item in items if _digest(item) not in seen]
    else:
        cursor = SearchCursor(
            len(items), b"".join(_digest(item) for item in items[: request.offset])
        )
        items = items[request.offset :]
    kept = items[:size]
    cursor = msgspec.structs.replace(
        cursor,
        total=max(cursor.total, len(kept)),
        seen=b"" if by_key else cursor.seen + b"".join(_digest(item) for item in kept),
        after=document_ranking.key(kept[-1], order) if by_key and kept else (),
    )
    return SearchPage(kept, cursor, not kept or len(kept) == len(items))


def _digest(item: Item) -> bytes:
    return hashlib.blake2b(item.name.encode(), digest_size=_DIGEST).digest()
