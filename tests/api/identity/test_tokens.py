"""Tokens over REST, against a running service that asks nobody who it is."""

from __future__ import annotations

import datetime as dt
import secrets

import pytest

from tests.clients import discovery
from tests.clients.discovery import Api, Service


@pytest.fixture
def store(v1: Api) -> str:
    """A data store, by its full name."""
    name = f"tokens-{secrets.token_hex(4)}"
    place = f"{v1.url}/v1/{v1.collection}/dataStores?dataStoreId={name}"
    assert discovery.call(place, "POST", {"displayName": name}).status == 200
    return f"{v1.collection}/dataStores/{name}"


def test_a_token_comes_with_its_end(service: Service, store: str) -> None:
    reply = discovery.call(
        f"{service.url}/v1/{store}:mintToken", "POST", {"subject": "ann", "ttl": "60s"}
    )
    assert reply.status == 200
    assert reply.body["token"].count(".") == 2
    ends = dt.datetime.fromisoformat(reply.body["expireTime"])
    assert 50 < (ends - dt.datetime.now(dt.UTC)).total_seconds() <= 60
    assert reply.headers["Cache-Control"] == "no-store"


def test_a_token_for_a_data_store_that_is_not_there_is_not_minted(
    service: Service, store: str
) -> None:
    reply = discovery.call(f"{service.url}/v1/{store}-no:mintToken", "POST", {"subject": "ann"})
    assert reply.status == 404


def test_a_visitor_is_renewed_and_becomes_a_user(service: Service, store: str) -> None:
    place = f"{service.url}/v1/{store}"
    made = discovery.call(f"{place}:mintVisitorToken", "POST", {}).body
    visitor = made["userPseudoId"]
    renewed = discovery.call(
        f"{place}:mintVisitorToken", "POST", {"renewalToken": made["renewalToken"]}
    ).body
    assert renewed["userPseudoId"] == visitor
    session = discovery.call(f"{place}/sessions", "POST", {"userPseudoId": visitor}).body["name"]
    merge = {"visitorToken": renewed["token"], "userPseudoId": "ann"}
    discovery.call(f"{place}:mergeVisitor", "POST", merge)
    found = discovery.call(f"{service.url}/v1/{session}").body
    assert found["userPseudoId"] == "ann"
    refused = discovery.call(f"{place}:mergeVisitor", "POST", merge | {"userPseudoId": "bob"})
    assert (refused.status, refused.body["error"]["details"][0]["reason"]) == (
        400,
        "VISITOR_MERGED",
    )
