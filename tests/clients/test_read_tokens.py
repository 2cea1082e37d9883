"""A token for one document reads its text, and does nothing else."""

from __future__ import annotations

import json
import time
from typing import Any

import jwt
import pytest

from service.security.api_keys.api_key import Scope
from service.security.tokens.read_tokens import LIFE
from tests.clients import discovery
from tests.clients.discovery import Api, Reply, Service
from tests.clients.keyed import Keyed

PAGE = "# The fence\n\nThe fence is red.\n\n- It is high.\n\n## Who paints it?\n\nWe do."


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def document(keyed: Keyed) -> str:
    return f"{keyed.data_store}/branches/0/documents/fees"


def mint(keyed: Keyed, token: str, name: str = "") -> Reply:
    url = f"{keyed.service.url}/v1/{name or document(keyed)}:mintReadToken"
    return discovery.call(url, "POST", {}, **bearer(token))


def read(keyed: Keyed, token: str, name: str = "") -> Reply:
    url = f"{keyed.service.url}/v1/{name or document(keyed)}:getProcessedDocument"
    return discovery.call(url, **bearer(token))


def test_a_document_is_read_block_by_block(service: Service, v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("fence", PAGE))
    name = f"{store}/branches/0/documents/fence"
    url = f"{service.url}/v1alpha/{name}:getProcessedDocument"
    reply = discovery.call(f"{url}?processedDocumentType=PARSED_DOCUMENT")
    assert reply.body["document"] == name
    layout = json.loads(reply.body["jsonData"])
    assert layout["title"] == "The fence"
    blocks: list[Any] = [one["textBlock"] for one in layout["documentLayout"]["blocks"]]
    assert [(one["type"], one["text"]) for one in blocks] == [
        ("heading-1", "The fence"),
        ("paragraph", "The fence is red."),
        ("list-item", "- It is high."),
        ("heading-2", "Who paints it?"),
        ("paragraph", "We do."),
    ]
    assert discovery.call(f"{url}?processedDocumentType=CHUNKED_DOCUMENT").status == 501
    assert discovery.call(url.replace("/fence:", "/none:")).status == 404
    assert (
        discovery.call(url.replace("/fence:getP", "/none:mintReadToken"), "POST", {}).status == 404
    )


def test_a_user_may_hand_on_one_document_for_five_minutes(keyed: Keyed) -> None:
    minted = mint(keyed, keyed.token("ann"))
    assert minted.status == 200
    token = minted.body["token"]
    said = jwt.decode(token, options={"verify_signature": False})
    assert said["exp"] - said["iat"] <= LIFE < 300
    assert "fee" in json.loads(read(keyed, token).body["jsonData"])["title"].lower()


@pytest.mark.parametrize(
    ("verb", "tail", "body"),
    [
        ("GET", "/branches/0/documents/fees", None),
        ("GET", "/branches/0/documents", None),
        ("GET", "/branches/0/documents/other:getProcessedDocument", None),
        ("GET", "/sessions", None),
        ("GET", "", None),
        ("GET", "/widgetConfigs/default_search_widget_config", None),
        ("POST", "/branches/0/documents/fees:mintReadToken", {}),
        ("POST", ":mintToken", {"subject": "bob"}),
        ("POST", ":mintVisitorToken", {}),
        ("POST", "/servingConfigs/default_config:search", {"query": "fee"}),
        ("POST", "/servingConfigs/default_config:answer", {"query": {"text": "fee"}}),
        ("POST", "/userEvents:write", {"eventType": "search", "userPseudoId": "ann"}),
        ("DELETE", "/branches/0/documents/fees", None),
    ],
)
def test_such_a_token_does_nothing_else(keyed: Keyed, verb: str, tail: str, body: Any) -> None:
    token = mint(keyed, keyed.server).body["token"]
    reply = discovery.call(
        f"{keyed.service.url}/v1/{keyed.data_store}{tail}", verb, body, **bearer(token)
    )
    assert reply.status in (403, 404), reply.body
    assert read(keyed, token).status == 200


def test_such_a_token_ends_with_the_key_that_it_was_minted_with(keyed: Keyed) -> None:
    key, text = keyed.make(Scope.SERVER, project="colloquy", data_stores=[keyed.data_store])
    token = mint(keyed, text).body["token"]
    assert read(keyed, token).status == 200
    keyed.revoke(key)
    reply = read(keyed, token)
    assert (reply.status, reply.body["error"]["details"][0]["reason"]) == (403, "TOKEN_INVALID")


def test_who_may_not_read_a_document_hands_on_nothing(keyed: Keyed) -> None:
    store = keyed.api(keyed.admin).data_store(f"closed-{time.monotonic_ns()}")
    assert mint(keyed, keyed.token("ann"), f"{store}/branches/0/documents/x").status == 404
    key, text = keyed.make(Scope.SERVER, project="another")
    assert mint(keyed, text).status == 404
    keyed.revoke(key)
