"""Answers and conversations through the official clients of every version (api.md 10 to 13)."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests import waiting
from tests.clients.discovery import Api, call

PERMIT = """# Parking permits

A parking permit costs 40 euro a year. It is valid for one car.

## How to apply

Apply online with your licence plate. The permit is sent by post within two weeks."""
QUERY = "How much does a parking permit cost?"


@pytest.fixture
def store(api: Api) -> str:
    store = api.data_store()
    api.import_(store, api.document("permit", PERMIT, url="https://x.example/permit"))
    return store


def ask(api: Api, parent: str, text: str = QUERY, **request: Any) -> Any:
    return api.client("ConversationalSearchService").answer_query(
        {
            "serving_config": f"{parent}/servingConfigs/default_serving_config",
            "query": {"text": text},
            **request,
        }
    )


def test_an_answer_without_a_session_cites_what_it_says(api: Api, store: str) -> None:
    reply = ask(api, store, answer_generation_spec={"include_citations": True})
    answer = reply.answer
    assert answer.state.name == "SUCCEEDED"
    assert "40 euro" in answer.answer_text
    assert answer.name == ""
    assert reply.answer_query_token
    citation = answer.citations[0]
    cited = answer.answer_text.encode()[citation.start_index : citation.end_index].decode()
    assert "40 euro" in cited
    reference = answer.references[int(citation.sources[0].reference_id)]
    assert reference.unstructured_document_info.document.endswith("/documents/permit")
    assert reference.unstructured_document_info.uri == "https://x.example/permit"


@pytest.mark.parametrize("under", ["data store", "engine"])
def test_an_answer_in_a_session_is_kept_there(api: Api, store: str, under: str) -> None:
    parent = store if under == "data store" else api.engine(["portal"])
    client = api.client("ConversationalSearchService")
    reply = ask(api, parent, session=f"{parent}/sessions/-", user_pseudo_id="ann")
    assert reply.session.name.startswith(f"{parent}/sessions/")
    assert reply.session.user_pseudo_id == "ann"
    assert client.get_answer(name=reply.answer.name) == reply.answer
    again = ask(api, parent, "How is it sent?", session=reply.session.name)
    session = client.get_session(name=reply.session.name)
    assert [turn.query.text for turn in session.turns] == [QUERY, "How is it sent?"]
    assert [turn.answer for turn in session.turns] == [reply.answer.name, again.answer.name]
    assert session.display_name == QUERY


def test_details_of_the_turns_come_when_asked_for(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("permit", PERMIT))
    reply = ask(v1, store, session=f"{store}/sessions/-")
    client = v1.client("SessionService")
    request = {"name": reply.session.name, "include_answer_details": True}
    assert client.get_session(request).turns[0].detailed_answer == reply.answer
    assert not client.get_session(name=reply.session.name).turns[0].detailed_answer.name


def test_an_asynchronous_answer_is_polled(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("permit", PERMIT))
    reply = ask(v1, store, session=f"{store}/sessions/-", asynchronous_mode=True)
    assert reply.answer.name
    client = v1.client("ConversationalSearchService")
    waiting.until(lambda: client.get_answer(name=reply.answer.name).state.name == "SUCCEEDED")
    with pytest.raises(exceptions.BadRequest):
        ask(v1, store, asynchronous_mode=True)


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_stream_tells_the_answer_piece_by_piece(service: Any, v1: Api, version: str) -> None:
    api = Api(version, v1.url, v1.project)
    store = api.data_store()
    api.import_(store, api.document("permit", PERMIT))
    client = api.client("ConversationalSearchService")
    stream = client.stream_answer_query(
        {
            "serving_config": f"{store}/servingConfigs/default_config",
            "query": {"text": QUERY},
            "session": f"{store}/sessions/-",
            "answer_generation_spec": {"include_citations": True},
        }
    )
    elements = list(stream)
    *streaming, last = [element.answer for element in elements]
    assert {answer.state.name for answer in streaming} <= {"IN_PROGRESS", "STREAMING"}
    assert last.state.name == "SUCCEEDED"
    assert "".join(answer.answer_text for answer in streaming) == last.answer_text
    assert client.get_answer(name=last.name) == last
    assert len({element.session.name for element in elements}) == 1


def test_the_stream_is_served_where_the_client_has_no_method_for_it(v1: Api) -> None:
    store = v1.data_store()
    path = f"{v1.url}/v1alpha/{store}/servingConfigs/default_config:streamAnswer"
    elements = call(path, "POST", {"query": {"text": "Anything?"}}).body
    assert elements[-1]["answer"]["state"] == "SUCCEEDED"
    assert elements[-1]["answer"]["answerSkippedReasons"] == ["NO_RELEVANT_CONTENT"]


def test_what_cannot_be_answered_is_refused_or_skipped(api: Api, store: str) -> None:
    with pytest.raises(exceptions.BadRequest):
        ask(api, store, " ")
    with pytest.raises(exceptions.NotFound):
        ask(api, store, session=f"{store}/sessions/404")
    with pytest.raises(exceptions.NotFound):
        ask(api, f"{api.collection}/dataStores/absent")
    skipped = ask(api, store, "Who won the chess championship in 1972?").answer
    assert skipped.answer_skipped_reasons
    assert skipped.answer_text


def test_a_conversation_lives_through_its_methods(api: Api, store: str) -> None:
    client = api.client("ConversationalSearchService")
    made = client.create_conversation(
        parent=store, conversation=api.types.Conversation(user_pseudo_id="ann")
    )
    assert made.name.startswith(f"{store}/conversations/")
    reply = client.converse_conversation(
        {
            "name": made.name,
            "query": {"input": QUERY},
            "summary_spec": {"include_citations": True},
        }
    )
    assert "40 euro" in reply.reply.summary.summary_text
    assert "[1]" in reply.reply.summary.summary_text
    assert reply.search_results[0].document.derived_struct_data["extractive_answers"]
    stored = client.get_conversation(name=made.name)
    assert stored == reply.conversation
    assert [bool(message.user_input.input) for message in stored.messages] == [True, False]
    assert [one.name for one in client.list_conversations(parent=store)] == [made.name]
    states = api.types.Conversation.State
    done = client.update_conversation(
        conversation=api.types.Conversation(name=made.name, state=states.COMPLETED),
        update_mask={"paths": ["state"]},
    )
    assert done.state == states.COMPLETED
    with pytest.raises(exceptions.BadRequest):
        client.converse_conversation({"name": made.name, "query": {"input": "More?"}})
    client.delete_conversation(name=made.name)
    with pytest.raises(exceptions.NotFound):
        client.get_conversation(name=made.name)


def test_converse_opens_a_conversation_of_its_own(api: Api, store: str) -> None:
    client = api.client("ConversationalSearchService")
    reply = client.converse_conversation(
        {
            "name": f"{store}/conversations/-",
            "query": {"input": QUERY},
            "conversation": {"user_pseudo_id": "ann"},
        }
    )
    assert reply.conversation.user_pseudo_id == "ann"
    assert client.get_conversation(name=reply.conversation.name) == reply.conversation
