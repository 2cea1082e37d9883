"""Who asks and leaves: what nobody waits for ends, and what is kept goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from tests.waiting import LONG, eventually
from tests.whole.asking import (
    STORE,
    STORED,
    TOLD,
    WHOLE,
    Asking,
    Pausing,
    replicas,
)
from tests.whole.processes import Service

pytestmark = pytest.mark.anyio


class Lasting(NamedTuple):
    """A service that nobody tells to stop, and its model."""

    service: Service
    model: Pausing


@pytest.fixture(scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lasting]:
    pausing = Pausing()
    async with (
        pausing.server,
        replicas(tmp_path_factory.mktemp("lasting"), pausing, grace=30) as (service,),
        service.in_a_thread(),
    ):
        yield Lasting(service, pausing)


@pytest.fixture
def lasting(started: Lasting) -> Lasting:
    """The service, with a model that waits anew."""
    started.model.waiting = 0
    started.model.go.clear()
    started.model.server.left.clear()
    return started


@pytest.mark.parametrize("question", [*WHOLE])
async def test_a_question_ends_with_who_asked_it(lasting: Lasting, question: str) -> None:
    service, model = lasting
    async with Asking(service) as client:
        asked = client.ask(*WHOLE[question])
        await eventually(lambda: model.waiting == 1)
        asked.cancel()
    async with asyncio.timeout(LONG):
        await model.server.left.wait()


async def test_an_answer_of_a_session_goes_on_without_its_asker(lasting: Lasting) -> None:
    service, model = lasting
    async with Asking(service) as client:
        asked = client.ask(*STORED["session"])
        await eventually(lambda: model.waiting == 1)
        asked.cancel()
        await asyncio.wait([asked])
        listed = f"/v1/{STORE}/sessions"  # it is in the list soon after it was accepted

        async def is_listed() -> bool:
            return "sessions" in (await client.get(listed)).document

        await eventually(is_listed)
        (session,) = (await client.get(listed)).document["sessions"]
        name = session["turns"][0]["answer"]

        async def is_whole() -> bool:
            return bool((await client.get(f"/v1/{name}")).document.get("answerText") == TOLD)

        assert not await is_whole()
        model.go.set()
        await eventually(is_whole)
