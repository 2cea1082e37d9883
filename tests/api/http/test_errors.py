"""Paths and methods that are not there, and failures told in one form."""

from __future__ import annotations

import pytest

from tests.api.http.plain_requests import send
from tests.clients.discovery import Api, Service


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
