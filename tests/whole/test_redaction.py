"""What people type is nowhere to be found, and no model was told it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis as redis_client
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from service.composition.app import create_app
from service.settings import Settings
from tests import redis_servers
from tests.doubles import OpenAIServer, stream
from tests.privacy import remains
from tests.streaming.sockets import served
from tests.waiting import LONG
from tests.whole import planted_texts
from tests.whole.house import STORE, House
from tests.whole.planted_texts import SAID, SECRETS

ABSENT = {"EmbedContent", "BatchEmbedContents", "Predict", "FollowAnswer"}
"""Methods that find nothing to work with: no embedder, and no answer of that id."""
NOT_OURS = ("asyncio", "uvicorn", "websockets", "aiohttp")
"""Loggers of the test's own clients and servers, and one that the service keeps at warnings."""

pytestmark = pytest.mark.anyio


@pytest.fixture
async def model() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(stream("The fence is red. [1]")) as server:
        yield server


@pytest.fixture
async def inside(
    redis_binary: str, tmp_path: Path, model: OpenAIServer
) -> AsyncIterator[tuple[House, Any]]:
    portal = tmp_path / "portal.toml"
    portal.write_text('[redaction]\nmask = ["email", "phone", "card", "iban"]\n')
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as server,
    ):
        client: Any = redis_client.Redis
        with client.from_url(server.url) as redis:
            redis.config_set("rdbcompression", "no")  # or texts would hide in what is compressed
            settings = Settings(
                data_dir=tmp_path / "d",
                redis_url=server.url,
                sample=False,
                portal=portal,
                llm_base_url=model.base_url,
                llm_model="m",
                llm_rewrite=True,
            )
            application = create_app(settings)
            async with application.opened():
                await application.ready.wait()
                house = House(application)
                await house.furnish_stores()
                house.ids["rag_corpus"] = await house.new_corpus()
                yield house, redis


async def test_nothing_that_is_masked_is_kept_logged_or_told_to_a_model(
    inside: tuple[House, Any],
    model: OpenAIServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    house, redis = inside
    outcomes = await planted_texts.plant(house)
    frames = await _frames(house)
    said = [each for each in outcomes if each.taken and each.method not in ABSENT]
    refused = [each for each in said if each.status >= 400]
    assert not refused, "\n".join(
        f"{each.method} {each.taken} {each.said[:300]}" for each in refused
    )
    assert sum(each.taken for each in said) > 100, said
    # Both doors were open, and what came through them is there.
    assert "[email]" in frames
    parts = tuple(part for each in SECRETS for part in (each, each.replace(" ", "")))
    assert remains.found(redis, tmp_path / "d", ("[email]", "[iban]")), "or this proves nothing"
    assert remains.found(redis, tmp_path / "d", parts) == []
    told = json.dumps([each.body for each in model.asked])
    assert "[card]" in told
    assert not [each for each in parts if each in told]
    ours = [record for record in caplog.records if not record.name.startswith(NOT_OURS)]
    logged = "\n".join(repr(record.__dict__) for record in ours)
    assert "answer_finished" in logged
    assert not [each for each in parts if each in logged]


async def _frames(house: House) -> str:
    """Ask by each frame, and return all that came back, and the session as it is read again."""
    config, session = f"{STORE}/servingConfigs/default_config", f"{STORE}/sessions/s-bert"
    talk = f"{STORE}/conversations/c-bert"
    asked = {"query": {"text": SAID}, "session": session}
    said = {"query": {"input": SAID}}
    sent = [
        {"type": "answer", "id": "1", "servingConfig": config, "request": asked},
        {"type": "converse", "id": "2", "name": talk, "request": said},
    ]
    came: list[str] = []
    async with (
        served(house.application.asgi) as address,
        connect(f"ws://{address}/v1/ws", subprotocols=[Subprotocol("colloquy.v1")]) as socket,
    ):
        for frame in sent:
            await socket.send(json.dumps(frame))
        ended = 0
        async with asyncio.timeout(LONG):
            while ended < len(sent):
                came.append(str(await socket.recv()))
                assert '"type":"error"' not in came[-1], came[-1]
                ended += '"state":"SUCCEEDED"' in came[-1] or '"state":"FAILED"' in came[-1]
    for name in (session, talk):
        _, content = await house.call("", "GET", f"/v1/{name}")
        came.append(content.decode())
    return came[-1] + came[-2]
