from __future__ import annotations

import pytest

from service.commands import local_service
from service.settings import Settings


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1:8080"),
        ("0.0.0.0", "127.0.0.1:8080"),
        ("::", "127.0.0.1:8080"),
        ("::1", "[::1]:8080"),
        ("chat.example.org", "chat.example.org:8080"),
    ],
)
def test_a_service_that_listens_everywhere_answers_at_loopback(host: str, address: str) -> None:
    assert local_service.address(Settings(host=host)) == address
