"""Whose pages may use which data store."""

from __future__ import annotations

import pytest

from service.portal import DataStorePolicy, Portal
from service.security import request_head
from service.security.hosts import Hosts
from service.security.store_origins import StoreOrigins
from service.security.trusted_origins import Origins
from sessions.errors import PermissionDenied

A, B, FRIEND = "https://a.example", "https://b.example", "https://friend.example"
STORES = "projects/p/locations/global/collections/default_collection/dataStores"
ORIGINS = StoreOrigins(
    Origins(Hosts(["own.example"]), [FRIEND]),
    Portal(data_stores=(DataStorePolicy(name="a", origins=(A,)),)),
)


@pytest.mark.parametrize(
    ("page", "store", "may"),
    [
        (A, "a", True),
        (A, "b", False),
        (B, "a", False),
        (B, "b", False),
        (FRIEND, "b", True),
        (FRIEND, "a", False),
        ("null", "a", False),
        (A + ":443", "a", False),
        (A.upper(), "a", False),
        (A + ".evil.example", "a", False),
        ("", "a", True),
    ],
)
def test_a_page_uses_what_it_is_listed_for(page: str, store: str, may: bool) -> None:
    name = f"{STORES}/{store}/servingConfigs/default_config"
    if may:
        ORIGINS.check(page, name)
    else:
        with pytest.raises(PermissionDenied, match="origin"):
            ORIGINS.check(page, name)


@pytest.mark.parametrize(
    ("headers", "page"),
    [
        ([], ""),
        ([(b"origin", b"https://own.example")], ""),
        ([(b"sec-fetch-site", b"same-origin"), (b"origin", b"https://x.example")], ""),
        ([(b"origin", A.encode())], A),
        ([(b"origin", A.encode()), (b"origin", B.encode())], "null"),
        ([(b"origin", b"null")], "null"),
    ],
)
def test_the_page_is_that_of_another_site(headers: list[tuple[bytes, bytes]], page: str) -> None:
    head = request_head.read("GET", "/v1/ws", "wss", [(b"host", b"own.example"), *headers])
    assert ORIGINS.page(head) == page
