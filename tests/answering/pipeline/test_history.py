"""What the earlier turns of a session give to the next query."""

from __future__ import annotations

import pytest

from service.answering.pipeline import history
from service.answering.pipeline.history import TURNS, History
from service.answering.views.replies import FALLBACK
from service.generation.generator import PastTurn
from sessions import names
from sessions.codec import json_codec
from sessions.errors import Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers, conversations, sessions
from tests.redis_servers import Server
from tests.streaming.lossy_redis import Lossy
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

SESSION = names.session(names.SAMPLE_DATA_STORE, "1")


async def test_an_outage_is_no_empty_history(redis_server: Server, keys: Keys) -> None:
    """It is told, so that the answer waits; a follow-up without its context would be wrong."""
    lossy = Lossy(redis_server.socket)
    async with lossy.opened(), connection.connect(lossy.url) as redis:
        said = answers.Answer(answer_text="At ten.", state=answers.State.SUCCEEDED)
        told = names.answer(SESSION, "1")
        turn = sessions.Turn(query=sessions.Query(text="When does it open?"), answer=told)
        key, turns = keys.answer(told), keys.turns(SESSION)
        await redis.execute(key, "HSET", key, "json", json_codec.dump(said))
        await redis.execute(turns, "RPUSH", turns, json_codec.dump(turn))
        earlier = History(redis, keys)
        lossy.lose(b"HGET")
        with pytest.raises(Unavailable):
            await earlier.before(names.answer(SESSION, "2"), SESSION)
        await eventually(lambda: redis.available)
        past = await earlier.before(names.answer(SESSION, "2"), SESSION)
    assert past == (PastTurn("When does it open?", "At ten."),)


async def said(redis: Redis, keys: Keys, number: int, answer: answers.Answer | None = None) -> str:
    """Keep a turn of the session and its answer; return the answer's name."""
    told = names.answer(SESSION, str(number))
    if answer is None:
        answer = answers.Answer(answer_text=f"a{number}", state=answers.State.SUCCEEDED)
    turn = sessions.Turn(query=sessions.Query(text=f"q{number}"), answer=told)
    key, turns = keys.answer(told), keys.turns(SESSION)
    await redis.execute(key, "HSET", key, "json", json_codec.dump(answer))
    await redis.execute(turns, "RPUSH", turns, json_codec.dump(turn))
    return told


async def test_the_last_ten_turns_give_context_oldest_first(redis: Redis, keys: Keys) -> None:
    """The turn that is asked now is not among them, wherever it stands."""
    told = [await said(redis, keys, number) for number in range(1, 14)]
    earlier = History(redis, keys)
    everything = [PastTurn(f"q{number}", f"a{number}") for number in range(1, 14)]
    assert TURNS == 10
    assert list(await earlier.before(told[-1], SESSION)) == everything[2:12]
    assert list(await earlier.before("another", SESSION)) == everything[3:13]
    assert list(await earlier.before(told[-2], SESSION)) == [*everything[2:11], everything[12]]


async def test_few_turns_all_give_context(redis: Redis, keys: Keys) -> None:
    told = [await said(redis, keys, number) for number in (1, 2)]
    earlier = History(redis, keys)
    assert list(await earlier.before("another", SESSION)) == [
        PastTurn("q1", "a1"),
        PastTurn("q2", "a2"),
    ]
    assert list(await earlier.before(told[1], SESSION)) == [PastTurn("q1", "a1")]
    assert not await earlier.before("x", names.session(names.SAMPLE_DATA_STORE, "none"))


async def test_what_failed_or_was_ignored_is_no_context(redis: Redis, keys: Keys) -> None:
    reason = answers.AnswerSkippedReason.JAIL_BREAKING_QUERY_IGNORED
    silent = (
        answers.Answer(answer_text="so far", state=answers.State.FAILED),
        answers.Answer(answer_text="no", answer_skipped_reasons=(reason,)),
        answers.Answer(state=answers.State.SUCCEEDED),
    )
    for number, answer in enumerate(silent, 1):
        await said(redis, keys, number, answer)
    await said(redis, keys, 4)
    gone = await said(redis, keys, 5)
    await redis.execute(b"", "DEL", keys.answer(gone))
    earlier = History(redis, keys)
    assert list(await earlier.before("another", SESSION)) == [PastTurn("q4", "a4")]


async def test_what_the_documents_did_not_answer_is_context_without_the_refusal(
    redis: Redis, keys: Keys
) -> None:
    reason = answers.AnswerSkippedReason.OUT_OF_DOMAIN_QUERY_IGNORED
    refusal = answers.Answer(answer_text="no", answer_skipped_reasons=(reason,))
    await said(redis, keys, 1, refusal)
    earlier = History(redis, keys)
    assert list(await earlier.before("another", SESSION)) == [PastTurn("q1", "")]


def cited(*numbers: int) -> tuple[answers.Citation, ...]:
    """Return a citation of each reference of these numbers."""
    return tuple(
        answers.Citation(sources=(answers.CitationSource(reference_id=str(number)),))
        for number in numbers
    )


def referring(*documents: str) -> tuple[answers.Reference, ...]:
    """Return a reference to each of the *documents*."""
    return tuple(
        answers.Reference(
            unstructured_document_info=answers.UnstructuredDocumentInfo(document=document)
        )
        for document in documents
    )


@pytest.mark.parametrize(
    ("citations", "documents"),
    [
        (cited(2, 1, 2), ("c", "b")),
        (cited(1, 9), ("b",)),
        ((), ("a",)),
        (cited(0, 1, 2, 3), ("a", "b", "c")),
    ],
)
def test_a_turn_tells_which_documents_its_answer_came_from(
    citations: tuple[answers.Citation, ...], documents: tuple[str, ...]
) -> None:
    """What is asked next is mostly about them; without citations about the first that was found."""
    answer = answers.Answer(
        answer_text="a", citations=citations, references=referring("a", "b", "c", "d")
    )
    assert history.as_turn("q", answer) == PastTurn("q", "a", documents)
    refused = answers.Answer(
        answer_text="no",
        references=referring("a"),
        answer_skipped_reasons=(answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,),
    )
    assert history.as_turn("q", refused) == PastTurn("q", "")


async def test_the_last_ten_exchanges_of_a_conversation_give_context(
    redis: Redis, keys: Keys
) -> None:
    """Its messages are kept one by one; the last is the one that is answered now."""
    name = names.conversation(names.SAMPLE_DATA_STORE, "1")
    turns = keys.turns(name)
    asked = conversations.ConversationMessage()
    for number in range(1, 13):
        asked = conversations.ConversationMessage(
            user_input=conversations.TextInput(input=f"q{number}")
        )
        summary = conversations.summaries.Summary(summary_text=f"a{number}")
        if number == 12:  # what was told with markers is context without them
            whole = conversations.summaries.SummaryWithMetadata(summary="a12")
            summary = conversations.summaries.Summary(
                summary_text="a12 [1]", summary_with_metadata=whole
            )
        reply = conversations.ConversationMessage(reply=conversations.Reply(summary=summary))
        for message in (asked, reply):
            await redis.execute(turns, "RPUSH", turns, json_codec.dump(message))
    await redis.execute(turns, "RPUSH", turns, json_codec.dump(asked))
    earlier = History(redis, keys)
    found = await earlier.before(names.answer(name, "13"), name)
    assert list(found) == [PastTurn(f"q{number}", f"a{number}") for number in range(3, 13)]


async def test_a_reply_that_told_nothing_is_no_context(redis: Redis, keys: Keys) -> None:
    name = names.conversation(names.SAMPLE_DATA_STORE, "2")
    turns, message = keys.turns(name), conversations.ConversationMessage
    reason = conversations.summaries.SummarySkippedReason.LLM_ADDON_NOT_ENABLED
    told = [
        conversations.summaries.Summary(summary_text=FALLBACK),
        conversations.summaries.Summary(summary_text="no", summary_skipped_reasons=(reason,)),
        None,
        conversations.summaries.Summary(summary_text="yes"),
    ]
    for number, summary in enumerate(told):
        asked = message(user_input=conversations.TextInput(input=f"q{number}"))
        reply = message(reply=conversations.Reply(summary=summary))
        for each in (asked, reply):
            await redis.execute(turns, "RPUSH", turns, json_codec.dump(each))
    found = await History(redis, keys).before(names.answer(name, "13"), name)
    assert list(found) == [PastTurn("q3", "yes")]


@pytest.mark.parametrize("damage", [b"", b"\xff", b'{"query', b'{"query": 1}'])
async def test_a_damaged_turn_or_answer_is_no_context(
    redis: Redis, keys: Keys, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The others are: what is asked next must not fail for it."""
    told = [await said(redis, keys, number) for number in range(1, 5)]
    turns, key = keys.turns(SESSION), keys.answer(told[2])
    await redis.execute(turns, "LSET", turns, 0, damage)
    await redis.execute(key, "HSET", key, "json", b"[]")
    found = await History(redis, keys).before("another", SESSION)
    assert list(found) == [PastTurn("q2", "a2"), PastTurn("q4", "a4")]
    assert [vars(record)["resource"] for record in caplog.records] == [SESSION, told[2]]


async def test_a_reply_is_never_taken_for_that_to_another_question(
    redis: Redis, keys: Keys
) -> None:
    name = names.conversation(names.SAMPLE_DATA_STORE, "3")
    turns, message = keys.turns(name), conversations.ConversationMessage
    for number in range(1, 4):
        asked = message(user_input=conversations.TextInput(input=f"q{number}"))
        summary = conversations.summaries.Summary(summary_text=f"a{number}")
        reply = message(reply=conversations.Reply(summary=summary))
        for each in (asked, reply):
            await redis.execute(turns, "RPUSH", turns, json_codec.dump(each))
    for damaged in (1, 2):  # the first reply and the second question
        await redis.execute(turns, "LSET", turns, damaged, b"{")
    found = await History(redis, keys).before(names.answer(name, "13"), name)
    assert list(found) == [PastTurn("q3", "a3")]
