"""Forged page tokens at every list: 400, never our failure."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Final
from urllib.parse import quote

import msgspec
import pytest

from tests.clients import asking
from tests.clients.discovery import Api, call

LISTS: Final = {
    "sessions": "{store}/sessions?pageSize=1",
    "sorted sessions": "{store}/sessions?pageSize=1&orderBy=create_time",
    "conversations": "{store}/conversations?pageSize=1",
    "documents": "{store}/branches/0/documents?pageSize=1",
    "data stores": "{collection}/dataStores?pageSize=1",
    "engines": "{collection}/engines?pageSize=1",
    "operations": "{collection}/operations?pageSize=1",
}
STATES: Final[list[Any]] = [
    ["walk", 2**63, 2**63, b"x", True],
    ["walk", 0, -1, b"", False],
    ["kept", "x", 2**63],
    ["kept", "x", -(2**63)],
    "[",
    "",
    [2**64 - 1, b"x"],
    [5, b"", [], "projects/p/other", "q"],
]


@pytest.fixture
def names(v1: Api) -> dict[str, str]:
    store = v1.data_store()
    v1.data_store("second")
    v1.engine(["portal"], "one")
    v1.engine(["portal"], "two")
    v1.import_(store, v1.document("a", "A permit."), v1.document("b", "A second permit."))
    for kind in ("sessions", "conversations"):
        for _ in range(2):
            v1.call(f"{store}/{kind}", "POST", {})
    return {"store": store, "collection": v1.collection}


def _as_of_old(state: Any, *bound: str) -> str:
    """Return a token as it was when anybody could compute its check."""
    body = msgspec.msgpack.encode(state)
    said = msgspec.msgpack.encode((bound, body))
    check = hashlib.blake2b(said, digest_size=9, person=b"page token").digest()
    return base64.urlsafe_b64encode(check + body).rstrip(b"=").decode()


def test_a_forged_token_is_refused_at_every_list(v1: Api, names: dict[str, str]) -> None:
    for path in LISTS.values():
        where = path.format(**names)
        good = v1.call(where).body["nextPageToken"]
        assert v1.call(f"{where}&pageToken={good}").status == 200
        parent = where.partition("?")[0].rpartition("/")[0]
        order = "create_time" if "orderBy" in path else ""
        for state in STATES:
            for forged in (
                _as_of_old(state, parent, "", order),
                _as_of_old(state, parent, "documents"),
                base64.urlsafe_b64encode(bytes(12) + msgspec.msgpack.encode(state)).decode(),
            ):
                reply = v1.call(f"{where}&pageToken={forged}")
                assert (reply.status, asking.violation(reply)) == (400, "pageToken")


def test_a_token_of_one_list_opens_no_other(v1: Api, names: dict[str, str]) -> None:
    lists = [path.format(**names) for path in LISTS.values()]
    tokens = [v1.call(where).body["nextPageToken"] for where in lists]
    for at, where in enumerate(lists):
        for of, token in enumerate(tokens):
            assert v1.call(f"{where}&pageToken={token}").status == (200 if at == of else 400)


def test_a_search_goes_on_only_where_it_began(v1: Api, names: dict[str, str]) -> None:
    body: dict[str, Any] = {"query": "permit", "pageSize": 1}
    search = "{}/servingConfigs/default_config:search"
    token = v1.call(search.format(names["store"]), "POST", body).body["nextPageToken"]
    again = {**body, "pageToken": token}
    assert v1.call(search.format(names["store"]), "POST", again).status == 200
    engine = f"{names['collection']}/engines/one"
    for where, changed in (
        (engine, again),
        (names["store"], {**again, "query": "second"}),
        (names["store"], {**again, "pageToken": _as_of_old([1, b""], "x")}),
    ):
        reply = v1.call(search.format(where), "POST", changed)
        assert (reply.status, asking.violation(reply)) == (400, "pageToken")


def test_a_rag_list_has_such_tokens_too(v1: Api) -> None:
    for _ in range(2):
        call(f"{v1.url}/v1beta1/{v1.location}/ragCorpora", "POST", {"displayName": "c"})
    where = f"{v1.url}/v1beta1/{v1.location}/ragCorpora?pageSize=1"
    token = call(where).body["nextPageToken"]
    assert call(f"{where}&pageToken={token}").status == 200
    assert call(f"{where}&pageToken={_as_of_old('[', v1.location, '', '')}").status == 400


@pytest.mark.parametrize(
    "number", ["2147483648", "-1", "9223372036854775808", "9" * 5000, "1e400", "NaN", "٣"]
)
def test_no_size_and_no_offset_is_too_much(v1: Api, names: dict[str, str], number: str) -> None:
    for path in LISTS.values():
        where = path.format(**names).replace("pageSize=1", "x=1").replace("x=1&", "")
        where = where.removesuffix("?x=1")
        joint = "&" if "?" in where else "?"
        reply = v1.call(f"{where}{joint}pageSize={quote(number)}")
        assert (reply.status, asking.violation(reply)) == (400, "pageSize")
    for field in ("pageSize", "offset"):
        reply = v1.call(
            f"{names['store']}/servingConfigs/default_config:search",
            "POST",
            {"query": "permit", field: number},
        )
        assert (reply.status, asking.violation(reply)) == (400, field)
