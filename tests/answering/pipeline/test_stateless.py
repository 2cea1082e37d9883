"""Answers that belong to no session: as long as somebody reads, and within their time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import pytest

from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.requests.queries import PipelineRequest
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from service.generation.generator import Piece, Prompt
from service.thread_pools import ThreadPools
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from sessions.resources.answer_query import AnswerQueryRequest
from tests.answering.doubles import ScriptedGenerator, ScriptedIndex, hit
from tests.waiting import eventually

pytestmark = pytest.mark.anyio
PARENT = "projects/p/locations/l/collections/c/dataStores/d"
ASK = PipelineRequest(
    parent=PARENT,
    request=json_codec.decode(AnswerQueryRequest, b'{"query": {"text": "What is the fee?"}}'),
)
DEADLINE = 1.5


class Stalling(ScriptedGenerator):
    """Says what it has to say, and then nothing more."""

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        async with contextlib.aclosing(super().generate(prompt)) as pieces:
            async for piece in pieces:
                yield piece
        await asyncio.Event().wait()


@pytest.fixture
async def catalogue(redis: Redis, keys: Keys) -> Catalogue:
    made = Catalogue(redis, keys, DocumentStore(redis, keys), ())
    await made.ensure_data_store(PARENT)
    return made


def sessionless(catalogue: Catalogue, *pieces: str) -> StatelessAnswers:
    index = ScriptedIndex(hit(0, "The fee is 5 euros. It is paid once."))
    generator = Stalling(*map(Piece, pieces))
    return StatelessAnswers(Pipeline(index, generator, catalogue, ThreadPools()), deadline=DEADLINE)


async def test_time_that_runs_out_while_nothing_is_read_is_told_all_the_same(
    catalogue: Catalogue,
) -> None:
    """The deadline is that of the answer; whoever reads it slowly is not interrupted."""
    clock = asyncio.get_running_loop().time
    due = clock() + 2 * DEADLINE
    told: list[answers.Answer] = []
    elements = sessionless(catalogue, "The fee is 5 euros. ", "It is paid once.").elements(ASK)
    async with contextlib.aclosing(elements):
        async for element in elements:
            assert element.response.answer
            told.append(element.response.answer)
            if told[-1].answer_text:
                await eventually(lambda: clock() > due)
    *pieces, end = told
    assert end.state is answers.State.FAILED
    assert end.answer_text == "".join(piece.answer_text for piece in pieces) != ""


async def test_time_that_runs_out_before_anything_is_told_is_an_error(
    catalogue: Catalogue,
) -> None:
    with pytest.raises(DeadlineExceeded):
        await sessionless(catalogue).answer(ASK)
