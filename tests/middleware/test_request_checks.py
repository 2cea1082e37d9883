"""Strangers meet a wall wherever they knock, and nothing behind it has changed."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from tests.clients.discovery import Api, Service
from tests.middleware.raw_http import send

STRANGER = "Origin: https://evil.example"
REBOUND = "Host: evil.example:8080"
JSON = "Content-Type: application/json"


@pytest.mark.parametrize(
    "path", ["/", "/metrics", "/openapi.json", "/widget/icon.svg", "/v1/nothing", "/nothing"]
)
def test_nothing_is_shown_under_the_name_of_another(service: Service, path: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        reply = send(service, method, path, REBOUND)
        assert reply.status == 421
    assert send(service, "GET", path, REBOUND).reason == "HOST_NOT_ALLOWED"


@pytest.mark.parametrize("path", ["/livez", "//livez", "/readyz"])
def test_probes_come_by_any_name(service: Service, path: str) -> None:
    assert send(service, "GET", path, REBOUND).status == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/v1/nothing", "/v1/projects/p/locations/l/x:y"])
@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_what_is_not_there_is_refused_to_strangers_likewise(
    service: Service, method: str, path: str
) -> None:
    assert send(service, method, path, STRANGER).reason == "ORIGIN_NOT_ALLOWED"


def test_the_page_of_a_stranger_writes_nothing(service: Service, v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("kept", "# Kept\n\nThis text is kept."))
    documents = f"/v1/{store}/branches/0/documents"
    attempts: list[tuple[str, str, bytes]] = [
        ("POST", f"{documents}?documentId=bad", b'{"structData": {"title": "bad"}}'),
        ("POST", f"{documents}:purge", b'{"filter": "*", "force": true}'),
        ("PATCH", f"{documents}/kept", b'{"structData": {"title": "bad"}}'),
        ("DELETE", f"{documents}/kept", b""),
        ("DELETE", f"/v1/{store}", b""),
        ("POST", f"/v1beta/{store}/sessions", b"{}"),
        ("POST", f"//v1/{store}/sessions", b"{}"),
    ]
    for method, path, body in attempts:
        for lines in ((STRANGER, JSON), (STRANGER,), ("Sec-Fetch-Site: cross-site", JSON)):
            assert send(service, method, path, *lines, body=body).reason == "ORIGIN_NOT_ALLOWED"
        if body:
            reply = send(service, method, path, "Content-Type: text/plain", body=body)
            assert reply.reason == "CONTENT_TYPE_NOT_SUPPORTED"
    (left,) = v1.call(f"{store}/branches/0/documents").body["documents"]
    assert left["id"] == "kept"
    assert v1.call(f"{store}/sessions").body == {}


def test_what_names_nothing_is_told_to_who_may_ask_only(service: Service) -> None:
    path = "/v1/projects/p/locations/l/dataStores/d/sessions/%2e%2e"
    assert send(service, "DELETE", path, STRANGER).reason == "ORIGIN_NOT_ALLOWED"
    assert send(service, "DELETE", path, REBOUND).reason == "HOST_NOT_ALLOWED"
    told = send(service, "DELETE", path)
    assert told.reason == "INVALID_ID"
    assert told.headers["Cache-Control"] == "no-store"


def test_an_event_is_not_collected_for_a_stranger(service: Service, v1: Api) -> None:
    event = "%7B%22eventType%22:%22search%22,%22userPseudoId%22:%22u%22%7D"
    path = f"/v1/{v1.data_store()}/userEvents:collect?userEvent={event}"
    assert send(service, "GET", path, "Sec-Fetch-Site: cross-site").status == 403
    assert send(service, "GET", path).status == 200


@pytest.mark.parametrize("line", [REBOUND, STRANGER, "Content-Type: text/plain"])
def test_who_is_refused_is_not_asked_for_a_body(service: Service, line: str) -> None:
    """The refusal comes without a byte of it, and without 100 Continue."""
    lines = (line, f"Content-Length: {1 << 30}", "Expect: 100-continue")
    assert send(service, "POST", "/v1/x", *lines).status in (403, 415, 421)


def _handshake(service: Service, origin: str | None, **options: Any) -> str:
    url = f"{service.url.replace('http', 'ws', 1)}/v1/ws"
    asked = None if origin is None else Origin(origin)
    spoken = [Subprotocol("colloquy.v1")]
    dial: Any = connect
    with dial(url, origin=asked, subprotocols=spoken, **options) as line:
        try:
            return str(line.recv(10))
        except ConnectionClosed as closed:
            return str(closed.rcvd.code if closed.rcvd else "")


def test_a_socket_is_closed_to_the_page_of_a_stranger(service: Service) -> None:
    assert "ready" in _handshake(service, None)
    assert "ready" in _handshake(service, service.url)
    for origin in ("https://evil.example", "null", "http://127.0.0.1:9"):
        assert _handshake(service, origin) == "4403"
    same_site = {"Sec-Fetch-Site": "same-site"}
    assert _handshake(service, service.url, additional_headers=same_site) == "4403"


def test_a_socket_is_not_opened_under_the_name_of_another(service: Service) -> None:
    address = urlsplit(service.url)
    line = socket.create_connection((address.hostname, address.port))
    with line, pytest.raises(InvalidStatus) as refused:
        connect(f"ws://evil.example:{address.port}/v1/ws", sock=line).close()
    response = refused.value.response
    assert response.status_code == 421
    assert b"HOST_NOT_ALLOWED" in (response.body or b"")


def test_a_path_written_oddly_is_not_there(service: Service, v1: Api) -> None:
    """The router decodes what the reader of names does not; a handler would miss its name."""
    store = v1.data_store()
    for path in (f"/v1%2F{store}", f"/%76%31/{store}", f"//v1%2f{store}"):
        assert send(service, "GET", path).reason == "ROUTE_NOT_FOUND"
    corpus = "projects/p/locations/l/ragCorpora/1/ragFiles/:upload"
    kind = "Content-Type: multipart/form-data; boundary=x"
    for prefix in ("/%75pload/v1/", "/upload/%76%31/", "/upload%2Fv1/", "/upload/v1%2F"):
        reply = send(service, "POST", prefix + corpus, kind, body=b"--x--")
        assert reply.reason == "ROUTE_NOT_FOUND"


@pytest.mark.parametrize("path", ["/nothing", "/livez", "/v1/ws/x", "/v1/projects/p"])
def test_a_socket_that_is_not_there_is_not_found(service: Service, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(service.url.replace("http", "ws", 1) + path).close()
    assert refused.value.response.status_code == 404
    assert b"ROUTE_NOT_FOUND" in (refused.value.response.body or b"")
