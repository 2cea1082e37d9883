"""Which pages may use what, as tables; the heads themselves are in `test_request_policy`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from service.portal.data_store_policy import DataStorePolicy
from service.portal.portal import Portal
from service.security import request_head
from service.security.hosts import Hosts
from service.security.origin_policy import OriginPolicy
from service.security.request_head import RequestHead
from sessions import names
from sessions.errors import PermissionDenied
from sessions.resources.search_requests import DataStoreSpec, SearchRequest

pytestmark = pytest.mark.anyio
A, B, E, FRIEND = (f"https://{name}.example" for name in ("a", "b", "e", "friend"))
COLLECTION = "projects/p/locations/global/collections/default_collection"
PORTAL = Portal(
    data_stores=(
        DataStorePolicy(name="a", origins=(A,)),
        DataStorePolicy(name=names.canonical(f"{COLLECTION}/engines/own"), origins=(E, A)),
    )
)


async def behind(engine: str) -> Sequence[str]:
    """Return the stores of an engine, whose id names them."""
    ids = {"ab": "ab", "b": "b", "own": "a"}.get(names.last_id(engine))
    if ids is None:
        raise names.absent(engine)
    return [named(f"dataStores/{each}") for each in ids]


def named(what: str) -> str:
    return names.canonical(f"{COLLECTION}/{what}")


def policy(*shared: str) -> OriginPolicy:
    return OriginPolicy(Hosts(["own.example"]), shared or [FRIEND], lambda: PORTAL, behind)


def head(*lines: str, method: str = "POST") -> RequestHead:
    pairs = [line.partition(": ") for line in ("Host: own.example", *lines)]
    headers = [(name.lower().encode(), value.encode()) for name, _, value in pairs]
    return request_head.read(method, "/v1/x", "https", headers)


@pytest.mark.parametrize(
    ("page", "what", "may"),
    [
        (A, "dataStores/a", True),
        (A, "dataStores/b", False),
        (B, "dataStores/a", False),
        (B, "dataStores/b", False),
        (FRIEND, "dataStores/b", True),
        (FRIEND, "dataStores/a", False),
        ("null", "dataStores/a", False),
        ("null", "dataStores/b", False),
        (A + ":443", "dataStores/a", False),
        (A + ":8443", "dataStores/a", False),
        (A + ".", "dataStores/a", False),
        (A + "/", "dataStores/a", False),
        (A.upper(), "dataStores/a", False),
        (A.replace("a.", "\u0430."), "dataStores/a", False),
        (A.replace("a.", "xn--80a."), "dataStores/a", False),
        (A.replace("https", "http"), "dataStores/a", False),
        (A + ".evil.example", "dataStores/a", False),
        ("", "dataStores/a", True),
        ("", "engines/ab", True),
        (FRIEND, "engines/b", True),
        (FRIEND, "engines/ab", False),
        (A, "engines/ab", False),
        (A, "engines/own", True),
        (E, "engines/own", False),
        (FRIEND, "engines/own", False),
        (FRIEND, "engines/absent", True),
    ],
)
async def test_a_page_uses_what_it_is_listed_for(page: str, what: str, may: bool) -> None:
    """By the name of a data store, and through each engine that it is behind."""
    name = f"{named(what)}/servingConfigs/default_config"
    if may:
        await policy().check(page, name)
    else:
        with pytest.raises(PermissionDenied, match="origin"):
            await policy().check(page, name)


@pytest.mark.parametrize(("store", "may"), [("a", False), ("b", True)])
async def test_what_a_message_names_is_held_to_it_as_well(store: str, may: bool) -> None:
    message = SearchRequest(
        data_store_specs=(DataStoreSpec(data_store=named(f"dataStores/{store}")),)
    )
    name = f"{named('engines/b')}/servingConfigs/default_config"
    if may:
        await policy().check_message(FRIEND, message, name)
    else:
        with pytest.raises(PermissionDenied, match="origin"):
            await policy().check_message(FRIEND, message, name)


@pytest.mark.parametrize(
    ("lines", "page"),
    [
        ((), ""),
        (("Origin: https://own.example",), ""),
        (("Sec-Fetch-Site: same-origin", "Origin: https://x.example"), ""),
        (("Sec-Fetch-Site: cross-site", "Origin: https://own.example"), "https://own.example"),
        (("Sec-Fetch-Site: cross-site",), "null"),
        ((f"Origin: {A}",), A),
        ((f"Origin: {A}", f"Origin: {A}"), A),
        ((f"Origin: {A}", f"Origin: {B}"), "null"),
        (("Origin: null",), "null"),
        (("Origin: ",), "null"),
    ],
    ids=str,
)
def test_the_page_is_that_of_another_site(lines: tuple[str, ...], page: str) -> None:
    assert policy().page(head(*lines)) == page


@pytest.mark.parametrize(
    ("origin", "store", "refused"),
    [
        (A, "a", False),
        (FRIEND, "a", True),
        ("https://evil.example", "a", True),
        ("null", "a", True),
        ("https://own.example", "a", False),
        (A, "b", True),
    ],
)
def test_who_lists_pages_for_a_data_store_lets_no_other_in(
    origin: str, store: str, *, refused: bool
) -> None:
    """Not those that may use all others, and not to read."""
    for writes in (True, False) if store == "a" else (True,):
        found = policy().refusal(
            head(f"Origin: {origin}"), named(f"dataStores/{store}"), writes=writes
        )
        assert (found is not None) is refused


def test_those_who_may_use_it_read_what_is_told_of_it() -> None:
    assert set(policy().readers(named("dataStores/a"))) == {A}
    assert set(policy().readers(named("dataStores/b"))) == {FRIEND}
    assert set(policy().readers("")) == {FRIEND}
    assert set(policy("*").readers(named("dataStores/a"))) == {A}


@pytest.mark.parametrize(
    ("lines", "may"),
    [
        ((), True),
        (("Origin: https://own.example",), True),
        ((f"Origin: {FRIEND}",), True),
        ((f"Origin: {A}",), True),
        ((f"Origin: {A}", f"Origin: {B}"), False),
        (("Origin: null",), False),
        ((f"Origin: {B}",), False),
        (("Origin: https://own.example", "Sec-Fetch-Site: same-site"), False),
        (("Sec-Fetch-Site: cross-site",), False),
    ],
    ids=str,
)
def test_a_page_that_may_use_anything_may_connect(lines: tuple[str, ...], may: bool) -> None:
    assert policy().may_connect(head(*lines)) is may


@pytest.mark.parametrize(
    ("shared", "what", "framers"),
    [
        ((FRIEND,), "dataStores/a", [A]),
        ((FRIEND,), "dataStores/b", [FRIEND]),
        ((), "dataStores/b", [FRIEND]),
        (("*",), "dataStores/b", ["*"]),
        (("*",), "dataStores/a", [A]),
        (("*",), "engines/own", [A]),
        ((FRIEND,), "engines/nowhere", [FRIEND]),
    ],
)
async def test_who_may_use_something_may_show_it_in_a_frame(
    shared: tuple[str, ...], what: str, framers: list[str]
) -> None:
    assert await policy(*shared).framers(named(what)) == framers


async def test_the_demo_portal_uses_what_lists_no_pages_and_reads_no_replies() -> None:
    demo = "http://localhost:8080"
    of_demo = OriginPolicy(Hosts(), [FRIEND], lambda: PORTAL, behind, lambda: [demo])
    await of_demo.check(demo, named("dataStores/b"))
    assert of_demo.may_connect(head(f"Origin: {demo}"))
    assert not policy().may_connect(head(f"Origin: {demo}"))
    assert demo not in of_demo.readers(named("dataStores/b"))
    assert demo not in await of_demo.framers(named("dataStores/b"))
    with pytest.raises(PermissionDenied):
        await of_demo.check(demo, named("dataStores/a"))
