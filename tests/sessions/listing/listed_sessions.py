"""Sessions to be listed, and the ids on all pages of a list."""

from __future__ import annotations

from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore
from tests.sessions.store_doubles import DATA_STORE


async def listed_ids(store: SessionStore, query: ListQuery) -> list[str]:
    """Return the ids on all pages."""
    found: list[str] = []
    while True:
        page, token = await store.list(query)
        found += [names.last_id(session.name) for session in page]
        if not token:
            return found
        query = query._replace(page_token=token)


async def fill(store: SessionStore) -> None:
    """Create a (pinned, of ann), b (of bob), c (of ann, labelled), d (named)."""
    await store.create(DATA_STORE, Session(is_pinned=True, user_pseudo_id="ann"), resource_id="a")
    await store.create(DATA_STORE, Session(user_pseudo_id="bob"), resource_id="b")
    await store.create(DATA_STORE, Session(labels=("x", "y")), resource_id="c", user="ann")
    await store.create(DATA_STORE, Session(display_name="D d"), resource_id="d")
