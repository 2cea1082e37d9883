from __future__ import annotations

from typing import Any

import pytest

from service.api.http.request_address import ADDRESS
from service.api.http.verbs import translate
from tests.api.http.plain_requests import send
from tests.clients.discovery import Api, Service

STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"


def scope(path: str, query: str = "") -> dict[str, Any]:
    return {
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
    }


@pytest.mark.parametrize(
    ("path", "routed", "name", "version"),
    [
        (f"/v1/{STORE}/sessions", f"/v1/{STORE}/sessions", f"{STORE}/sessions", "v1"),
        (
            "/v1beta/projects/p/locations/l/dataStores/d/servingConfigs/s:answer",
            f"/v1/{STORE}/servingConfigs/s/:answer",
            f"{STORE}/servingConfigs/s",
            "v1beta",
        ),
        (
            "/v1beta1/projects/p/locations/l/:retrieveContexts",
            "/v1/projects/p/locations/l/:retrieveContexts",
            "projects/p/locations/l",
            "v1beta1",
        ),
        (
            "/v1/projects/p/locations/l:retrieveContexts",
            "/v1/projects/p/locations/l/:retrieveContexts",
            "projects/p/locations/l",
            "v1",
        ),
        (
            f"//v1alpha/{STORE}/branches/default_branch/documents/a%3Ab",
            f"/v1/{STORE}/branches/0/documents/a:b",
            f"{STORE}/branches/0/documents/a:b",
            "v1alpha",
        ),
        (
            "/ui/projects/p/locations/l/operations/7",
            "/v1/projects/p/locations/l/operations/7",
            "projects/p/locations/l/operations/7",
            "ui",
        ),
        (
            "/upload/v1/projects/p/locations/l/ragCorpora/1/ragFiles:upload",
            "/upload/v1/projects/p/locations/l/ragCorpora/1/ragFiles/:upload",
            "projects/p/locations/l/ragCorpora/1/ragFiles",
            "v1",
        ),
    ],
)
def test_a_path_is_brought_into_one_form(path: str, routed: str, name: str, version: str) -> None:
    asked = scope(path)
    translate(asked)
    assert asked["path"] == routed
    assert (asked[ADDRESS].name, asked[ADDRESS].version) == (name, version)


@pytest.mark.parametrize("path", ["/", "/readyz", "/v1", "/v2/projects/p", "/widget/x.js"])
def test_what_is_no_api_path_stays_as_it_is(path: str) -> None:
    asked = scope(path)
    translate(asked)
    assert asked["path"] == path
    assert ADDRESS not in asked


def test_parameters_may_be_spelt_in_snake_case() -> None:
    asked = scope(f"/v1/{STORE}/sessions", "page_size=3&order_by=update_time%20desc&%24alt=json")
    translate(asked)
    assert asked["query_string"] == b"pageSize=3&orderBy=update_time+desc&%24alt=json"


def test_an_encoded_slash_does_not_move_a_segment() -> None:
    asked = scope(f"/v1/{STORE}/sessions/a%2Fb")
    translate(asked)
    assert asked["path"] == f"/v1/{STORE}/sessions/a%2Fb"


def test_an_encoded_colon_belongs_to_the_id(v1: Api) -> None:
    store = v1.data_store()
    reply = v1.call(f"{store}/branches/0/documents/a%3Aimport")
    assert reply.status == 404
    assert "a:import" in reply.body["error"]["message"]


def test_a_doubled_slash_in_front_is_one(service: Service, v1: Api) -> None:
    store = v1.data_store()
    assert send(service, "GET", f"//v1/{store}").body["name"] == store
