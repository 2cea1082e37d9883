"""Who observes the stages of an answer hears of each when it begins and when it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

import pytest

from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.stages import Stage
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from service.generation.generator import Piece
from service.generation.output_limits import LONGEST
from service.thread_pools import ThreadPools
from sessions.codec import json_codec
from sessions.errors import ResourceExhausted
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from sessions.resources.answer_query import AnswerQueryRequest
from tests.answering.doubles import ScriptedGenerator, ScriptedIndex, hit

pytestmark = pytest.mark.anyio
PARENT = "projects/p/locations/l/collections/c/dataStores/d"
QUERY = {"query": {"text": "What is the fee of a library card?"}}


class Observed:
    """Notes the stages, and which of them are under way."""

    def __init__(self) -> None:
        self.begun: list[Stage] = []
        self.under_way: list[Stage] = []

    @contextlib.contextmanager
    def __call__(self, stage: Stage) -> Generator[None]:
        """Stand around *stage*."""
        self.begun.append(stage)
        self.under_way.append(stage)
        try:
            yield
        finally:
            self.under_way.remove(stage)


async def observed(
    redis: Redis, keys: Keys, generator: ScriptedGenerator, stages: Observed
) -> None:
    catalogue = Catalogue(redis, keys, DocumentStore(redis, keys), ())
    await catalogue.ensure_data_store(PARENT)
    index = ScriptedIndex(hit(0, "The fee is 5 euros. It is paid once."))
    pipeline = Pipeline(index, generator, catalogue, ThreadPools(), stages=stages)
    request = json_codec.load(AnswerQueryRequest, json_codec.dump(QUERY))
    asked = PipelineRequest(parent=PARENT, request=request)
    async for _ in pipeline.run(asked, (), answers.Answer()):
        pass


async def test_each_stage_is_told_once_and_in_order(redis: Redis, keys: Keys) -> None:
    stages = Observed()
    generator = ScriptedGenerator(Piece("The fee is 5 euros.", (0,)))
    await observed(redis, keys, generator, stages)
    assert stages.begun == list(Stage)
    assert stages.under_way == []


async def test_a_stage_that_fails_ends_as_well(redis: Redis, keys: Keys) -> None:
    generator = ScriptedGenerator(Piece("x" * (LONGEST + 1)))
    stages = Observed()
    with pytest.raises(ResourceExhausted):
        await observed(redis, keys, generator, stages)
    assert stages.begun[-1] is Stage.GENERATING
    assert stages.under_way == []
