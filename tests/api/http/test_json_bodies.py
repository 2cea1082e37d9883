from __future__ import annotations

import pytest

from tests.api.http.plain_requests import send
from tests.clients.discovery import Api, Service


def test_parameters_and_fields_may_be_in_snake_case(v1: Api) -> None:
    body = {"display_name": "x", "content_config": "NO_CONTENT"}
    reply = v1.call(f"{v1.collection}/dataStores?data_store_id=snake", "POST", body)
    assert reply.body["response"]["displayName"] == "x"
    assert reply.body["response"]["contentConfig"] == "NO_CONTENT"


def test_enums_are_numbers_where_that_is_asked_for(v1: Api) -> None:
    path = f"{v1.collection}/dataStores?dataStoreId=n&%24alt=json%3Benum-encoding%3Dint"
    body = {"displayName": "x", "contentConfig": "NO_CONTENT"}
    assert v1.call(path, "POST", body).body["response"]["contentConfig"] == 1


def test_a_body_that_is_not_json_is_refused(v1: Api) -> None:
    path = f"{v1.data_store()}/branches/0/documents:import"
    for body in (b"{", b"[]", b'"x"', b"\xff\xfe", b"{}{}", b"nul"):
        reply = v1.call(path, "POST", body)
        assert reply.status == 400
        assert reply.body["error"]["status"] == "INVALID_ARGUMENT"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(service: Service) -> None:
    path = "/v1/projects/p/locations/l/dataStores/s/branches/0/documents:import"
    headers = {"Content-Type": "application/json", "Content-Length": str(33 << 20)}
    reply = send(service, "POST", path, headers)
    assert reply.status == 413
    assert reply.body["error"]["details"][0]["reason"] == "BODY_TOO_LARGE"


@pytest.mark.parametrize(
    "path",
    [
        "{store}/servingConfigs/default_config:answer",
        "{store}/servingConfigs/default_config:streamAnswer",
        "{store}/servingConfigs/default_config:search",
        "{store}/conversations/-:converse",
        "{store}/userEvents:write",
        "projects/p/locations/l/dataStores",
        "projects/p/locations/l/ragCorpora",
    ],
)
def test_a_question_is_no_place_for_megabytes(service: Service, v1: Api, path: str) -> None:
    """Nothing else is done while a body is read, so few routes take large ones."""
    headers = {"Content-Type": "application/json", "Content-Length": str(3 << 20)}
    reply = send(service, "POST", "/v1/" + path.format(store=v1.data_store()), headers)
    assert reply.status == 413
    assert reply.body["error"]["details"][0]["reason"] == "BODY_TOO_LARGE"


@pytest.mark.parametrize(
    "path",
    [
        "{store}/branches/0/documents:import",
        "{store}/branches/0/documents",
        "{store}/sessions",
        "{store}/conversations",
        "projects/p/locations/l/groundingConfigs/g:check",
        "projects/p/locations/l/rankingConfigs/r:rank",
        "projects/p/locations/l/publishers/p/models/m:generateContent",
        "projects/p/locations/l:augmentPrompt",
        "projects/p/locations/l/ragCorpora/1/ragFiles:import",
    ],
)
def test_what_brings_documents_turns_or_contents_may_be_large(v1: Api, path: str) -> None:
    body = b"{" + b" " * (3 << 20) + b"}"
    assert v1.call(path.format(store=v1.data_store()), "POST", body).status in (200, 400, 404)


def test_an_empty_body_is_an_empty_message(service: Service, v1: Api) -> None:
    path = f"/v1/{v1.data_store()}/servingConfigs/default_config:search"
    assert send(service, "POST", path).status == 200


def test_get_and_delete_ignore_their_content_type(service: Service, v1: Api) -> None:
    store = v1.data_store()
    headers = {"Content-Type": "application/json", "Content-Length": "0"}
    assert send(service, "GET", f"/v1/{store}", headers).status == 200
    assert send(service, "DELETE", f"/v1/{store}", headers).status == 200
