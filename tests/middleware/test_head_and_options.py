"""HEAD, OPTIONS and 405 as RFC 9110 has them."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from tests.clients.discovery import Api, Service
from tests.middleware.raw_http import send


@pytest.mark.parametrize(
    "path", ["/", "/docs", "/widget/icon.svg", "/openapi.json", "/livez", "/v1/{store}", "/nope"]
)
def test_head_says_what_get_would_without_the_body(service: Service, v1: Api, path: str) -> None:
    path = path.format(store=v1.data_store())
    got, head = send(service, "GET", path), send(service, "HEAD", path)
    assert (head.status, head.body) == (got.status, b"")
    del got.headers["date"], head.headers["date"]
    assert head.headers.items() == got.headers.items()
    assert int(head.headers["content-length"]) == len(got.body)


def test_the_connection_goes_on_behind_a_head(service: Service) -> None:
    head = b"HEAD /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    get = b"GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(head + get)
        first, _, rest = line.makefile("rb").read().partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 ")
    assert rest.startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/{store}", {"GET", "HEAD", "PATCH", "DELETE", "OPTIONS"}),
        ("/v1alpha/{store}/sessions", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/v1/{store}/servingConfigs/default_config:answer", {"POST", "OPTIONS"}),
        ("/v1/projects/p/locations/l/ragCorpora/1", {"GET", "HEAD", "PATCH", "DELETE", "OPTIONS"}),
        ("/upload/v1/projects/p/locations/l/ragCorpora/1/ragFiles:upload", {"POST", "OPTIONS"}),
        ("/readyz", {"GET", "HEAD", "OPTIONS"}),
        ("/v1/ws", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_allow_has_the_methods_of_the_path(
    service: Service, v1: Api, path: str, methods: set[str]
) -> None:
    path = path.format(store=v1.data_store())
    options = send(service, "OPTIONS", path)
    assert (options.status, options.allowed, options.body) == (204, methods, b"")
    for method in {"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "PROPFIND"} - methods:
        reply = send(service, method, path)
        assert (reply.status, reply.allowed) == (405, methods)
        if method != "HEAD":
            assert reply.reason == "METHOD_NOT_ALLOWED"
            assert b'"UNIMPLEMENTED"' in reply.body


def test_a_version_without_the_path_has_no_methods(service: Service, v1: Api) -> None:
    store = v1.data_store()
    for path in (f"/v1beta1/{store}", f"/ui/{store}", "/nope", "/v1/nope"):
        assert send(service, "OPTIONS", path).reason == "ROUTE_NOT_FOUND"
    for path in (f"/v1beta1/{store}", f"/ui/{store}"):
        assert send(service, "PUT", path).reason == "ROUTE_NOT_FOUND"


def test_a_socket_wants_an_upgrade(service: Service) -> None:
    reply = send(service, "GET", "/v1/ws")
    assert (reply.status, reply.reason) == (426, "UPGRADE_REQUIRED")
    assert reply.headers["Upgrade"] == "websocket"


def test_the_whole_server_has_options(service: Service) -> None:
    assert send(service, "OPTIONS", "*").status == 204
