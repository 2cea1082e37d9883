"""What browsers and caches are told, on every kind of reply."""

from __future__ import annotations

import gzip

import pytest

from tests.clients.discovery import Api, Service
from tests.middleware.raw_http import Response, exchange, send

JSON = "Content-Type: application/json"
QUERY = b'{"query": {"text": "How long is a book kept?"}}'


def _replies(service: Service, store: str) -> dict[str, Response]:
    config = f"/v1/{store}/servingConfigs/default_config"
    return {
        "resource": send(service, "GET", f"/v1/{store}"),
        "list": send(service, "GET", f"/v1/{store}/sessions"),
        "head": send(service, "HEAD", f"/v1/{store}"),
        "options": send(service, "OPTIONS", f"/v1/{store}"),
        "created": send(service, "POST", f"/v1/{store}/sessions", JSON, body=b"{}"),
        "operation": send(
            service, "POST", f"/v1/{store}/branches/0/documents:purge", JSON, body=b'{"filter":"*"}'
        ),
        "answer": send(service, "POST", f"{config}:answer", JSON, body=QUERY),
        "array": send(service, "POST", f"{config}:streamAnswer", JSON, body=QUERY),
        "events": send(service, "POST", f"{config}:streamAnswer?alt=sse", JSON, body=QUERY),
        "generated": send(
            service,
            "POST",
            "/v1/publishers/p/models/m:streamGenerateContent?alt=sse",
            JSON,
            body=b'{"contents": [{"role": "user", "parts": [{"text": "x"}]}]}',
        ),
        "health": send(service, "GET", "/livez"),
        "metrics": send(service, "GET", "/metrics"),
        "not found": send(service, "GET", "/nope"),
        "bad": send(service, "POST", f"{config}:answer", JSON, body=b"{"),
        "no method": send(service, "PUT", f"/v1/{store}"),
        "not offered": send(service, "POST", f"/v1/{store}/userEvents:purge"),
        "host": send(service, "GET", "/", "Host: evil.example"),
        "origin": send(service, "POST", "/", "Origin: null"),
        "type": send(service, "POST", "/", body=b"{}"),
        "coding": send(service, "POST", "/", JSON, "Content-Encoding: br", body=b"{}"),
        "too long": send(service, "GET", f"/{'x' * 9000}"),
        "no request": exchange(service, b"GET / HTTP/1.1\r\n\r\n"),
    }


def test_no_reply_is_kept_or_taken_for_what_it_is_not(service: Service, v1: Api) -> None:
    for kind, reply in _replies(service, v1.data_store()).items():
        assert "no-store" in (reply.headers["Cache-Control"] or ""), kind
        assert reply.headers.get_all("X-Content-Type-Options") == ["nosniff"], kind


@pytest.mark.parametrize("path", ["/", "/docs", "/widget/colloquy-chat.js", "/widget/icon.svg"])
def test_pages_may_be_kept_and_are_asked_for_again(service: Service, path: str) -> None:
    reply = send(service, "GET", path)
    assert reply.status == 200
    assert reply.headers.get_all("Cache-Control") == ["no-cache"]
    assert reply.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert (reply.headers["Content-Type"] or "").count("charset") <= 1


@pytest.mark.parametrize(
    "name", ["x" * 300, "x" * 5000, "..", ".", "%2e%2e", "%00", "a%2Fb", "__init__.py", "%ff"]
)
def test_a_name_of_an_asset_is_never_a_path(service: Service, name: str) -> None:
    assert send(service, "GET", f"/widget/{name}").status == 404


def test_a_reply_to_gzip_is_as_any(service: Service, v1: Api) -> None:
    path = f"/v1/{v1.data_store()}/servingConfigs/default_config:answer"
    reply = send(service, "POST", path, JSON, "Content-Encoding: gzip", body=gzip.compress(QUERY))
    assert reply.status == 200
