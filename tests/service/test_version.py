"""Whatever tells the version tells the one of `service.version`; so does the wheel (test_wheel)."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest
from websockets.sync.client import connect

from service.__main__ import main
from service.commands import doctor
from service.settings import Settings
from service.version import VERSION
from streaming.protocol import frames
from tests.clients.discovery import Service, call


def test_the_command_tells_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["colloquy", "--version"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert capsys.readouterr().out == f"colloquy {VERSION}\n"


@pytest.mark.parametrize("document", ["openapi.json", "asyncapi.json"])
def test_the_published_documents_tell_it(service: Service, document: str) -> None:
    published: Any = call(f"{service.url}/{document}").body
    assert published["info"]["version"] == VERSION


def test_the_first_frame_of_a_socket_tells_it(service: Service) -> None:
    address = service.url.replace("http", "ws", 1) + "/v1/ws"
    with connect(address, subprotocols=[frames.SUBPROTOCOL]) as socket:  # pyright: ignore[reportArgumentType]
        assert json.loads(socket.recv())["version"] == VERSION


@pytest.mark.anyio
async def test_doctor_tells_it(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    redis = service.application.settings.redis_url
    await doctor.run(argparse.Namespace(), Settings(redis_url=redis, port=1))
    assert f"ok       colloquy {VERSION}\n" in capsys.readouterr().out
