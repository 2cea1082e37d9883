"""What a client sees of a model that misbehaves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from service.generation.output_limits import LONGEST
from tests import doubles
from tests.doubles import OpenAIServer
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
STORE = "projects/colloquy/locations/global/collections/default_collection/dataStores/library"
CONFIG = f"{STORE}/servingConfigs/default_search"
PAGES = {
    "loans.md": "# Loans\n\n## How long may I keep a book?\n\nA book may be kept for four weeks.\n",
    "cards.md": "# Cards\n\n## How do I get a card?\n\nBring a photo identity card to the desk.\n",
}


@pytest.fixture(scope="module")
async def model() -> AsyncIterator[OpenAIServer]:
    """Run a model that a test scripts."""
    async with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="module")
async def service(
    tmp_path_factory: pytest.TempPathFactory, model: OpenAIServer
) -> AsyncIterator[Service]:
    """Serve two pages, and write with the model."""
    folder: Path = tmp_path_factory.mktemp("models")
    pages = folder / "pages"
    pages.mkdir()
    for name, text in PAGES.items():
        (pages / name).write_text(text, "utf-8")
    settings = {"COLLOQUY_LLM_BASE_URL": model.base_url, "COLLOQUY_LLM_MODEL": "scripted"}
    async with services(folder / "data", tuple(settings.items())) as (running,):
        await running.given("import", str(pages), "--data-store", "library")
        async with running.in_a_thread():
            yield running


async def ended(service: Service) -> tuple[dict[str, Any], str]:
    """Ask twice, and return the last element of the stream and the reason of the error reply."""
    body = {"query": {"text": "How long may I keep a book?"}, "session": f"{STORE}/sessions/-"}
    address = f"{service.rest}/v1/{CONFIG}"
    async with aiohttp.ClientSession() as client:
        async with client.post(f"{address}:streamAnswer", json=body) as stream:
            last = json.loads(await stream.text())[-1]
        async with client.post(f"{address}:answer", json=body) as reply:
            error = (await reply.json())["error"]
    return last["answer"], error["details"][0]["reason"]


async def test_a_model_that_writes_without_end_is_stopped(
    service: Service, model: OpenAIServer
) -> None:
    """Whatever it repeats: the text ends at a bound, and what was told is kept."""
    much = [doubles.data(doubles.event(unit * 2_000)) for unit in ("A. ", "word ", "Yes [1]. ")]
    model.script(doubles.chunks(much * 12))  # twice what is let through
    answer, reason = await ended(service)
    assert (answer["state"], reason) == ("FAILED", "MODEL_TOO_LONG")
    assert 0.5 * LONGEST < len(answer["answerText"]) <= LONGEST


@pytest.mark.parametrize(
    "garbage", [b'{"choices":[{"delta":{"content":"\xff"}}]}', b'{"x":' + b"[" * 9_999]
)
async def test_garbage_from_a_model_is_told_as_such(
    service: Service, model: OpenAIServer, garbage: bytes
) -> None:
    events = [doubles.data(doubles.event("Four weeks [1].")), b"data: " + garbage + b"\n\n"]
    model.script(doubles.chunks(events))
    answer, reason = await ended(service)
    assert (answer["state"], reason) == ("FAILED", "MODEL_MALFORMED")
    assert answer["answerText"].startswith("Four weeks")
