"""What every generator must do; it runs over each implementation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import pytest

from service.generation.chat_model.text_filters.no_answer import NO_ANSWER
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import Generator, Piece, Prompt, Source
from service.language.sentences import spans
from tests import doubles
from tests.doubles import OpenAIServer
from tests.generation.chat_model.asking import Make

pytestmark = pytest.mark.anyio

TEXT: Final = "The card fee is $65 for eight years."
SOURCES: Final = (
    Source(title="Hours", text="The office opens at nine."),
    Source(title="Fees", text=TEXT),
)
ANSWERED: Final = Prompt(query="What is the card fee?", sources=SOURCES)
NOT_ANSWERED: Final = Prompt(query="Who won the world cup in 1998?", sources=SOURCES)


def extractive(server: OpenAIServer, make: Make) -> Generator:
    return ExtractiveGenerator(spans)


def openai(server: OpenAIServer, make: Make) -> Generator:
    """A model that does what its prompt says: it marks its sources, or says that it cannot."""

    async def reply(request: doubles.web.Request) -> doubles.web.StreamResponse:
        is_answered = ANSWERED.query in await request.text()
        said = [TEXT[:10], TEXT[10:-1], " [2]."] if is_answered else [NO_ANSWER]
        return await doubles.stream(*said)(request)

    server.script(reply)
    return make()


GENERATORS: Final[list[Callable[[OpenAIServer, Make], Generator]]] = [extractive, openai]


@pytest.fixture(params=GENERATORS, ids=lambda build: build.__name__)
def generator(request: pytest.FixtureRequest, server: OpenAIServer, make: Make) -> Generator:
    built: Generator = request.param(server, make)
    return built


async def written(generator: Generator, prompt: Prompt) -> list[Piece]:
    return [piece async for piece in generator.generate(prompt)]


async def test_it_says_from_which_sources_it_writes(generator: Generator) -> None:
    """A sentence has its sources at its end: in the text, or beside it, never both."""
    pieces = await written(generator, ANSWERED)
    text = "".join(piece.text for piece in pieces)
    beside = {source for piece in pieces for source in piece.sources}
    assert text.startswith(TEXT[:-1])
    assert ("[2]" in text, 1 in beside) == (generator.marks_inline, not generator.marks_inline)
    assert beside <= {*range(len(SOURCES))}


async def test_it_writes_nothing_where_the_sources_hold_no_answer(generator: Generator) -> None:
    assert "".join(piece.text for piece in await written(generator, NOT_ANSWERED)) == ""


async def test_it_goes_on_where_it_says_that_it_does(generator: Generator) -> None:
    """What a take-over found written, and what follows, is what would have been written."""
    if not generator.continues:
        return
    whole = "".join(piece.text for piece in await written(generator, ANSWERED))
    for at in range(len(whole) + 1):
        told = Prompt(query=ANSWERED.query, sources=SOURCES, written=whole[:at])
        rest = "".join(piece.text for piece in await written(generator, told))
        assert whole[:at] + rest == whole


async def test_it_writes_several_answers_at_once(generator: Generator) -> None:
    prompts = [ANSWERED, NOT_ANSWERED] * 5
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(written(generator, prompt)) for prompt in prompts]
    texts = ["".join(piece.text for piece in task.result()) for task in running]
    assert texts == texts[:2] * 5
    assert texts[0].startswith(TEXT[:-1])
