"""What the service says in its own name: to small talk, and beside a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.views.replies import FALLBACK
from service.corpus.index import Chunk, Hit, SearchScope
from service.generation.generator import PastTurn, Piece
from service.portal.portal import Contact, Portal, Replies
from service.query_readings import QueryReading, QueryWord
from service.thread_pools import ThreadPools
from sessions.codec import json_codec
from sessions.resources import answers
from sessions.resources.answer_query import AnswerQueryRequest
from streaming.log import events
from streaming.log.answer_machine import AnswerMachine
from tests.answering.doubles import ScriptedGenerator, ScriptedIndex, hit
from tests.answering.pipeline.test_pipeline import AT, PARENT, names_of

pytestmark = pytest.mark.anyio
REACHED = Contact(phone="555 0100")
RELATED = {"relatedQuestionsSpec": {"enable": True}}


class OneStore:
    """Whatever is asked, it is one data store."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        return (parent,)


class StrangeIndex(ScriptedIndex):
    """An index that knows none of the words with a digit."""

    async def read_query(self, query: str, scope: SearchScope) -> QueryReading:
        words = [
            QueryWord(text=word.lower(), readings=(word,), weight=1.0, known=word.isalpha())
            for word in query.strip("?").split()
        ]
        return QueryReading(text=query, words=tuple(words))


def under(heading: str, number: int, relevance: float = 0.8) -> Hit:
    """Return a hit in a document of its own under *heading*."""
    chunk = Chunk(
        name=f"c{number}",
        document=f"d{number}",
        title="Town",
        text="It is so.",
        headings=(heading,),
        start_byte=0,
        end_byte=9,
    )
    return Hit(chunk=chunk, score=1.0, relevance=relevance)


async def reply(
    query: str,
    *hits: Hit,
    portal: Portal | None = None,
    history: Sequence[PastTurn] = (),
    judges: bool = False,
    pieces: Sequence[Piece] = (Piece("It is so.", (0,)),),
    fields: dict[str, Any] | None = None,
) -> answers.Answer:
    """Return the answer to *query* where *hits* are found, and *pieces* are made of them."""
    generator = ScriptedGenerator(*pieces)
    generator.judges = judges
    pipeline = Pipeline(StrangeIndex(*hits), generator, OneStore(), ThreadPools(), portal=portal)
    body = json_codec.dump({"query": {"text": query}} | (fields or {}))
    request = PipelineRequest(parent=PARENT, request=json_codec.decode(AnswerQueryRequest, body))
    machine = AnswerMachine()
    machine.apply(events.Started(at=AT))
    async for event in pipeline.run(request, history, answers.Answer()):
        machine.apply(event)
    machine.apply(events.Succeeded(at=AT))
    return machine.answer


async def test_small_talk_is_replied_to_without_a_search() -> None:
    answer = await reply("Hello!", hit(0, "Hello world."))
    assert answer.answer_text.startswith("Hello! Ask me a question")
    assert answer.answer_skipped_reasons == ()
    assert answer.references == answer.citations == answer.steps == ()


async def test_a_reply_is_in_the_language_that_the_request_asks_for() -> None:
    spec = {"answerGenerationSpec": {"answerLanguageCode": "es-MX"}}
    assert (await reply("hello", fields=spec)).answer_text.startswith("¡Hola!")


@pytest.mark.parametrize("cut", [0, 1, 7])
async def test_a_reply_that_a_lost_writer_began_is_told_to_its_end(cut: int) -> None:
    portal = Portal(replies=Replies(greeting="Ahoy, you!"))
    pipeline = Pipeline(
        StrangeIndex(), ScriptedGenerator(), OneStore(), ThreadPools(), None, portal
    )
    body = json_codec.dump({"query": {"text": "hello"}})
    request = PipelineRequest(parent=PARENT, request=json_codec.decode(AnswerQueryRequest, body))
    written = answers.Answer(answer_text="Ahoy, you!"[:cut])
    said = [event async for event in pipeline.run(request, (), written)]
    assert said == [events.TextAppended("Ahoy, you!"[cut:])]


async def test_what_follows_small_talk_is_no_follow_up() -> None:
    index, generator = ScriptedIndex(under("Fees", 0)), ScriptedGenerator(Piece("So.", (0,)))
    pipeline = Pipeline(index, generator, OneStore(), ThreadPools())
    body = json_codec.dump({"query": {"text": "What is the fee?"}})
    request = PipelineRequest(parent=PARENT, request=json_codec.decode(AnswerQueryRequest, body))
    past = [PastTurn("Where is it?", "Here."), PastTurn("thanks", "You are welcome!")]
    for history, queries in ((past, ("Where is it?",)), (past[1:], ())):
        async for _ in pipeline.run(request, history, answers.Answer()):
            pass
        assert index.asked[-1][1].context.queries == queries
        assert tuple(turn.query for turn in generator.prompts[-1].history) == queries


async def test_the_operator_words_the_reply() -> None:
    portal = Portal(replies=Replies(greeting="Ahoy!"))
    assert (await reply("hello", portal=portal)).answer_text == "Ahoy!"


async def test_small_talk_is_ignored_where_the_request_says_so() -> None:
    spec = {"answerGenerationSpec": {"ignoreNonAnswerSeekingQuery": True}}
    answer = await reply("thanks", fields=spec)
    assert answer.answer_text == FALLBACK
    assert "NON_ANSWER_SEEKING_QUERY_IGNORED" in names_of(answer.answer_skipped_reasons)


async def test_who_wants_a_person_is_no_small_talk_and_told_the_contact() -> None:
    spec = {"answerGenerationSpec": {"ignoreNonAnswerSeekingQuery": True}}
    answer = await reply("I want to speak to a human", portal=Portal(contact=REACHED), fields=spec)
    assert answer.answer_text.endswith("You can reach a person here: 555 0100.")


async def test_without_a_contact_the_page_of_the_portal_answers_who_wants_a_person() -> None:
    answer = await reply("I want to speak to a human", under("Contact us", 0))
    assert answer.answer_text == "It is so."
    assert answer.references
    other = await reply("I want to speak to a human", under("Human rights", 0))
    assert other.answer_text.startswith("I am an automated assistant")
    assert other.references == ()


async def test_who_asks_for_help_is_not_refused_where_the_page_about_it_tells_nothing() -> None:
    for wanted in ("I need help", "I want to speak to a human"):
        answer = await reply(wanted, under("Get help", 0), pieces=())
        assert answer.answer_skipped_reasons == ()
        assert answer.answer_text not in ("", FALLBACK)


async def test_chat_in_words_of_its_own_is_a_question_where_documents_answer_it() -> None:
    query = "are you feeling okay my dear bot"
    assert (await reply(query, under("Feeling", 0))).answer_text == "It is so."
    unanswered = await reply(query, under("Feeling", 0, relevance=0.0))
    assert unanswered.answer_skipped_reasons == ()
    assert "documents of this site" in unanswered.answer_text


async def test_a_model_with_instructions_of_its_own_says_itself_who_it_is() -> None:
    spec = {"answerGenerationSpec": {"promptSpec": {"preamble": "You are Anna."}}}
    answer = await reply("who are you?", under("Anna", 0), judges=True, fields=spec)
    assert answer.answer_text == "It is so."


async def test_yes_after_a_question_back_is_no_small_talk_and_thanks_are() -> None:
    past = [PastTurn("I need aid.", "Are you enrolled?")]
    assert (await reply("yes", under("Aid", 0), history=past)).answer_text == "It is so."
    assert (await reply("thanks", history=past)).answer_text.startswith("You are welcome")


async def test_yes_after_an_answer_is_looked_up_as_what_was_asked() -> None:
    """And acknowledged where the documents have nothing more."""
    past = [PastTurn("I need aid.", "Fill in the form."), PastTurn("yes", "Send it to us.")]
    index = StrangeIndex(under("Aid", 0))
    generator = ScriptedGenerator(Piece("It is so.", (0,)))
    pipeline = Pipeline(index, generator, OneStore(), ThreadPools())
    body = json_codec.decode(AnswerQueryRequest, b'{"query": {"text": "yes"}}')
    request = PipelineRequest(parent=PARENT, request=body)
    told = [event async for event in pipeline.run(request, past, answers.Answer())]
    assert any(isinstance(event, events.TextAppended) for event in told)
    query, scope = index.asked[0]
    assert query == "I need aid."
    assert scope.context.queries == ("yes", "I need aid.")
    assert generator.prompts[0].asked == "yes"
    nothing = await reply("yes", under("Aid", 0, relevance=0.0), history=past)
    assert nothing.answer_text == "All right. What would you like to know next?"


async def test_no_after_a_reply_to_small_talk_is_small_talk() -> None:
    past = [PastTurn("gracias", "¡De nada! ¿Hay algo más que le gustaría saber?")]
    assert (await reply("no", history=past)).answer_text.startswith("De acuerdo.")


async def test_the_documents_tell_first_how_somebody_is_reached() -> None:
    query, portal = "how can I contact you?", Portal(contact=REACHED)
    told = await reply(query, hit(0, "Call us at 555 010 0199."), portal=portal)
    assert told.answer_text == "It is so."  # whatever the generator writes
    contact = await reply(query, hit(0, "Fees are due."), portal=portal)
    assert contact.answer_text == "You can reach a person here: 555 0100."
    unknown = await reply(query, hit(0, "Fees are due."))
    assert unknown.answer_text.startswith("I found nothing in the documents")


async def test_a_refusal_tells_the_contact_behind_the_fallback_text() -> None:
    answer = await reply("What is the fee?", portal=Portal(contact=REACHED))
    assert answer.answer_text == f"{FALLBACK} You can reach a person here: 555 0100."
    assert names_of(answer.answer_skipped_reasons) == ["NO_RELEVANT_CONTENT"]


async def test_a_refusal_names_identifiers_that_exist_nowhere() -> None:
    low = under("Codes", 0, relevance=0.0)
    answer = await reply("What is code ZX77Q?", low)
    assert answer.answer_text == f"{FALLBACK} The documents do not mention ZX77Q."
    assert (await reply("What is the fee?", low)).answer_text == FALLBACK


async def test_an_ignored_attack_gets_no_help() -> None:
    spec = {"answerGenerationSpec": {"ignoreAdversarialQuery": True}}
    query = "How can I steal a car without getting caught?"
    answer = await reply(query, portal=Portal(contact=REACHED), fields=spec)
    assert answer.answer_text == FALLBACK


async def test_a_refusal_offers_what_the_portal_answers() -> None:
    index = FeeIndex()
    pipeline = Pipeline(index, ScriptedGenerator(), OneStore(), ThreadPools())
    body = json_codec.dump({"query": {"text": "Who are the mayors?"}} | RELATED)
    request = PipelineRequest(parent=PARENT, request=json_codec.decode(AnswerQueryRequest, body))
    said = [event async for event in pipeline.run(request, (), answers.Answer())]
    assert said[-1] == events.RelatedFound(("How do I pay my fine?",))


class FeeIndex(ScriptedIndex):
    """An index in which only the section about fines answers anything."""

    def __init__(self) -> None:
        super().__init__(begun("Pay your fine", 0, 0.0), begun("Move a stone", 1, 0.0))

    async def search(self, query: str, scope: SearchScope, *, limit: int) -> Sequence[Hit]:
        found = await super().search(query, scope, limit=limit)
        if "fine" in query:
            return (begun("Pay your fine", 0), *found)
        return found


def begun(heading: str, number: int, relevance: float = 0.8) -> Hit:
    """Return the hit of `under` on a page for beginners."""
    hit = under(heading, number, relevance)
    chunk = msgspec.structs.replace(hit.chunk, title="Getting started")
    return msgspec.structs.replace(hit, chunk=chunk)
