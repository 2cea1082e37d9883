"""What is counted of requests over HTTP, by a running service."""

from __future__ import annotations

import re
import secrets

import pytest

from tests.clients import discovery
from tests.clients.discovery import Api, Service
from tests.middleware.raw_http import send


@pytest.fixture
def store(v1: Api) -> str:
    """The full name of a new data store."""
    return v1.data_store()


def counts(service: Service) -> dict[tuple[str, str], float]:
    """Return how many requests were counted, by method and class of the status."""
    text = service.application.container.metrics.text().decode()
    line = r'^colloquy_http_requests_total{method="(\w+)",status="(\w+)"} (\S+)$'
    return {(m, s): float(count) for m, s, count in re.findall(line, text, re.MULTILINE)}


@pytest.mark.parametrize(
    ("method", "path", "key"),
    [
        ("GET", "/v1/{store}", ("GetDataStore", "2xx")),
        ("GET", "/v1/{store}/sessions/x1", ("GetSession", "4xx")),
        ("GET", "/nowhere", ("none", "4xx")),
    ],
)
def test_a_request_is_counted_by_its_api_method(
    service: Service, store: str, method: str, path: str, key: tuple[str, str]
) -> None:
    before = counts(service).get(key, 0)
    send(service, method, path.format(store=store))
    assert counts(service)[key] == before + 1


def test_probes_are_not_counted(service: Service) -> None:
    before = counts(service)
    for path in ("livez", "readyz", "metrics"):
        send(service, "GET", f"/{path}")
    assert counts(service) == before


def test_no_label_takes_what_a_caller_sends(service: Service, store: str) -> None:
    """Or whoever asks for made-up paths would fill the memory of this and of Prometheus."""
    made_up = f"x{secrets.token_hex(6)}"
    for path in (f"/{made_up}", f"/v1/{store}/sessions/{made_up}", f"/v1/{store}:{made_up}"):
        send(service, "GET", path)
    discovery.call(f"{service.url}/v1/{store}/{made_up}", "POST", {"a": made_up})
    assert made_up not in service.application.container.metrics.text().decode()
