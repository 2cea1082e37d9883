"""Paths, versions, methods and parameters that are not there."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.api.http import versions
from tests.clients.discovery import Api, Reply, Service, call


def test_a_path_that_is_not_there_is_an_error_of_ours(service: Service) -> None:
    for path in (
        "/",
        "/nothing",
        "/v1/nothing",
        "/v9/projects/p",
        "/v1/projects/p/locations/l/x:y",
    ):
        reply = send(service, "PUT" if path == "/" else "GET", path)
        assert reply.status in (404, 405)
        assert reply.body["error"]["code"] == reply.status
        assert reply.body["error"]["details"][0]["@type"].endswith("ErrorInfo")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_known_path_with_another_method_is_405(v1: Api, method: str) -> None:
    reply = v1.call(f"{v1.collection}/dataStores", method, {} if method != "DELETE" else None)
    assert reply.status == 405
    assert reply.body["error"]["code"] == 405


def test_routes_exist_in_the_versions_of_their_family_only(v1: Api) -> None:
    store = v1.data_store()
    for version in ("v1", "v1beta", "v1alpha", "v1beta1", "ui"):
        expected = 200 if version in versions.SEARCH else 404
        assert call(f"{v1.url}/{version}/{store}").status == expected
        assert call(f"{v1.url}/{version}/{v1.location}/dataStores").status == expected


@pytest.mark.parametrize(
    "path",
    [
        "{store}?view=full",
        "{store}/branches/0/documents?pageSiez=1",
        "{store}/sessions?filters=x",
        "{store}/branches/0/operations?name=x",
        "{collection}/dataStores?parent=x",
    ],
)
def test_a_parameter_that_is_not_there_is_named(v1: Api, path: str) -> None:
    store = v1.data_store()
    reply = v1.call(path.format(store=store, collection=v1.collection))
    assert reply.status == 400
    (violation,) = reply.body["error"]["details"][1]["fieldViolations"]
    assert violation["field"] == path.partition("?")[2].partition("=")[0]


def test_standard_parameters_are_ignored_everywhere(v1: Api) -> None:
    standard = "key=k&alt=json&$alt=json&prettyPrint=true&quotaUser=u&fields=*&$userProject=p"
    for path in (v1.data_store(), f"{v1.collection}/dataStores"):
        assert v1.call(f"{path}?{standard}").status == 200


def test_parameters_and_fields_may_be_in_snake_case(v1: Api) -> None:
    body = {"display_name": "x", "content_config": "NO_CONTENT"}
    reply = v1.call(f"{v1.collection}/dataStores?data_store_id=snake", "POST", body)
    assert reply.body["response"]["displayName"] == "x"
    assert reply.body["response"]["contentConfig"] == "NO_CONTENT"


def test_enums_are_numbers_where_that_is_asked_for(v1: Api) -> None:
    path = f"{v1.collection}/dataStores?dataStoreId=n&%24alt=json%3Benum-encoding%3Dint"
    body = {"displayName": "x", "contentConfig": "NO_CONTENT"}
    assert v1.call(path, "POST", body).body["response"]["contentConfig"] == 1


def test_an_encoded_colon_belongs_to_the_id(v1: Api) -> None:
    store = v1.data_store()
    reply = v1.call(f"{store}/branches/0/documents/a%3Aimport")
    assert reply.status == 404
    assert "a:import" in reply.body["error"]["message"]


def test_a_doubled_slash_in_front_is_one(service: Service, v1: Api) -> None:
    store = v1.data_store()
    assert send(service, "GET", f"//v1/{store}").body["name"] == store


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


def send(service: Service, method: str, path: str, headers: dict[str, str] | None = None) -> Reply:
    """Send a request as it stands: no client library touches its path or its headers."""
    connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=10)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        body: Any = json.loads(response.read() or b"null")
        return Reply(response.status, response.headers, body)
    finally:
        connection.close()
