from __future__ import annotations

import asyncio

import pytest

from service.answering.methods.embed_content import MOST_WAITING, EmbeddingMethods
from service.answering.requests.models import Models
from service.embeddings.embedder import LONGEST
from service.thread_pools import ThreadPools
from sessions.errors import ResourceExhausted
from sessions.resources.embeddings import PredictRequest
from tests.embeddings.doubles import HashingEmbedder

pytestmark = pytest.mark.anyio

MODEL = "publishers/google/models/text-embedding-005"
MANY = MOST_WAITING // LONGEST // 2


def request(texts: int) -> PredictRequest:
    return PredictRequest(instances=({"content": "x" * LONGEST},) * texts)


async def test_texts_that_would_wait_too_long_are_refused_and_others_are_embedded() -> None:
    embedder = HashingEmbedder()
    embedder.waits = asyncio.Event()
    methods = EmbeddingMethods(embedder, Models("m", ()), ThreadPools())
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(methods.predict(MODEL, request(MANY)))
        second = tasks.create_task(methods.predict(MODEL, request(MANY - 1)))
        await asyncio.sleep(0)  # both begin
        with pytest.raises(ResourceExhausted):
            await methods.predict(MODEL, request(2))
        third = tasks.create_task(methods.predict(MODEL, request(1)))
        await asyncio.sleep(0)
        embedder.waits.set()
    embedded = [len(one.result().predictions) for one in (first, second, third)]
    assert embedded == [MANY, MANY - 1, 1]
    again = await methods.predict(MODEL, request(2))
    assert len(again.predictions) == 2
