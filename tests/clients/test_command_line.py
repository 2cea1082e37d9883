"""What the commands that speak to a running service say where they are not let in."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from service.__main__ import parser
from service.commands import chat, doctor
from service.security.api_keys.api_key import Scope
from service.settings import Settings
from tests.clients.discovery import Service
from tests.clients.keyed import Keyed

SOON = 8.0
"""Seconds that are less than a client waits for a service which says nothing."""


def asked(service: Service, store: str, key: str = "") -> int:
    """Ask a question as ``colloquy chat`` does, and return its exit status."""
    url = f"ws{service.url.removeprefix('http')}/v1/ws"
    command = ["chat", "What is the fee?", "--url", url, "--data-store", store, "--quiet"]
    began = time.monotonic()
    status = asyncio.run(chat.run(parser().parse_args(command), Settings(api_key=key)))
    assert time.monotonic() - began < SOON
    return status


def test_chat_says_which_key_is_missing_and_how_to_make_one(
    keyed: Keyed, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(keyed.service, keyed.data_store) == 1
    said = capsys.readouterr().out
    assert "COLLOQUY_API_KEY" in said
    assert "colloquy keys create --scope server" in said


def test_chat_says_what_is_wrong_with_a_key(
    keyed: Keyed, capsys: pytest.CaptureFixture[str]
) -> None:
    key, revoked = keyed.make(Scope.SERVER)
    keyed.revoke(key)
    _, reader = keyed.make(Scope.READ_ONLY)
    for shown, said in (
        (keyed.wrong, "the service refuses the API key"),
        (revoked, "the service refuses the API key"),
        (reader, "may not ask for answers"),
    ):
        assert asked(keyed.service, keyed.data_store, shown) == 1
        (line,) = capsys.readouterr().out.splitlines()
        assert said in line
        assert shown not in line
    assert asked(keyed.service, keyed.data_store, keyed.server) == 0


def test_chat_does_not_wait_for_a_certificate_that_is_not_trusted(
    secure: tuple[Service, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(secure[0], "guide") == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert "certificate of the service is not trusted" in line
    assert "SSL_CERT_FILE" in line


def test_chat_does_not_wait_for_tls_where_there_is_none(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(service._replace(url=service.url.replace("http", "https")), "guide") == 1
    assert "use ws:// instead of wss://" in capsys.readouterr().out


def test_the_doctor_finds_a_service_that_speaks_tls(
    secure: tuple[Service, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = int(secure[0].url.rpartition(":")[2])
    settings = Settings(
        port=port, data_dir=tmp_path, redis_url=secure[0].application.container.settings.redis_url
    )
    asyncio.run(doctor.run(parser().parse_args(["doctor"]), settings))
    (line,) = (each for each in capsys.readouterr().out.splitlines() if " service " in each)
    assert f"https://127.0.0.1:{port}/readyz speaks TLS" in line
