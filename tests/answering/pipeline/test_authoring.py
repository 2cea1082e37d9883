"""What a runner is given of an answer: its events, and what is kept of it when it has ended."""

from __future__ import annotations

import msgspec
import pytest

from service.answering.pipeline.authoring import PipelineAuthor
from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.views import replies
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from service.generation.generator import Piece
from service.thread_pools import ThreadPools
from sessions import names
from sessions.codec import json_codec
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers, conversations
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.sessions import Query
from streaming.log.events import Failed, Succeeded, TextAppended
from streaming.running import terminal_events
from streaming.running.answer_author import Assignment
from tests.answering.doubles import ScriptedGenerator, ScriptedIndex, hit

pytestmark = pytest.mark.anyio
PARENT = "projects/p/locations/l/collections/c/dataStores/d"
QUERY = AnswerQueryRequest(query=Query(text="What is the fee?"))


class Work:
    """An author, and what it was seen to do."""

    def __init__(self, redis: Redis, keys: Keys, catalogue: Catalogue) -> None:
        self.ended: list[answers.Answer] = []
        self.searches_before_ready: list[int] = []
        index = ScriptedIndex(hit(0, "The fee is 5 euros."))
        pipeline = Pipeline(
            index, ScriptedGenerator(Piece("5 euros.", (0,))), catalogue, ThreadPools()
        )

        async def ready() -> None:
            self.searches_before_ready.append(len(index.asked))

        def ended(
            request: PipelineRequest, answer: answers.Answer, terminal: Succeeded | Failed
        ) -> None:
            assert request.parent == PARENT
            self.ended.append(answer)

        self.first_texts: list[float] = []
        told = ready, ended, self.first_texts.append
        self.author = PipelineAuthor(pipeline, History(redis, keys), *told)


@pytest.fixture
async def work(redis: Redis, keys: Keys) -> Work:
    catalogue = Catalogue(redis, keys, DocumentStore(redis, keys), ())
    await catalogue.ensure_data_store(PARENT)
    return Work(redis, keys, catalogue)


def assignment(converse: conversations.ConverseConversationRequest | None = None) -> Assignment:
    request = PipelineRequest(parent=PARENT, request=QUERY, converse=converse)
    session = names.session(PARENT, "1")
    return Assignment(
        answer=names.answer(session, "2"),
        session=session,
        kind="answer",
        request=json_codec.dump(request),
    )


async def test_nothing_is_searched_for_before_the_index_is_there(work: Work) -> None:
    """An answer that is taken over right at start would end as one without sources."""
    events = [event async for event in work.author.generate(assignment())]
    assert TextAppended("5 euros.") in events
    assert work.searches_before_ready == [0]


async def test_the_time_to_the_first_text_is_told_once(work: Work) -> None:
    events = [event async for event in work.author.generate(assignment())]
    assert TextAppended("5 euros.") in events
    (seconds,) = work.first_texts
    assert seconds > 0


async def test_a_text_that_goes_on_has_no_first(work: Work) -> None:
    """Readers saw its beginning from another replica."""
    written = answers.Answer(answer_text="5 ")
    going_on = msgspec.structs.replace(assignment(), written=written)
    events = [event async for event in work.author.generate(going_on)]
    assert any(isinstance(event, TextAppended) for event in events)
    assert work.first_texts == []


async def test_a_conversation_keeps_the_reply_and_a_session_nothing(work: Work) -> None:
    answer = answers.Answer(state=answers.State.SUCCEEDED, answer_text="5 euros.")
    end = Succeeded(at=terminal_events.now())
    assert work.author.closing(assignment(), answer, end) is None
    converse = conversations.ConverseConversationRequest()
    closing = work.author.closing(assignment(converse), answer, end)
    assert closing is not None
    message = json_codec.load(conversations.ConversationMessage, closing)
    assert message.reply is not None
    assert message.reply.reply == "5 euros."
    assert work.ended == [answer, answer]


@pytest.mark.parametrize(
    ("end", "text", "reasons"),
    [
        (terminal_events.out_of_time(), "", ["TIME_OUT"]),
        (terminal_events.out_of_time(), "5 euros", []),
        (terminal_events.cancelled(), "", []),
    ],
)
async def test_a_conversation_keeps_that_the_time_ran_out(
    work: Work, end: Failed, text: str, reasons: list[str]
) -> None:
    failed = answers.Answer(state=answers.State.FAILED, answer_text=text)
    converse = conversations.ConverseConversationRequest()
    closing = work.author.closing(assignment(converse), failed, end)
    assert closing is not None
    reply = json_codec.load(conversations.ConversationMessage, closing).reply
    assert reply is not None
    assert reply.summary is not None
    assert [reason.name for reason in reply.summary.summary_skipped_reasons] == reasons
    assert reply.reply == (text or replies.FALLBACK)
