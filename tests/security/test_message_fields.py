"""The names and users in messages are found at every depth."""

from __future__ import annotations

from service.security import message_fields
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import Conversation, ConverseConversationRequest
from sessions.resources.documents import AclInfo
from sessions.resources.engines import Engine
from sessions.resources.generate_content import GenerateContentRequest
from sessions.resources.search_requests import DataStoreSpec, SearchRequest, UserInfo
from sessions.resources.sessions import ReadSessionRequest, Session, Turn
from sessions.resources.tools import Retrieval, Tool, VertexRagStore
from sessions.resources.user_events import ImportUserEventsRequest, UserEvent, UserEventInlineSource


def test_names_are_found_by_their_paths() -> None:
    search = SearchRequest(
        session="a", data_store_specs=(DataStoreSpec(), DataStoreSpec(data_store="b"))
    )
    assert [*message_fields.names_in(search, "")] == [
        ("session", "a"),
        ("dataStoreSpecs[1].dataStore", "b"),
    ]
    store = VertexRagStore(rag_corpora=("c", "d"))
    generate = GenerateContentRequest(tools=(Tool(retrieval=Retrieval(vertex_rag_store=store)),))
    path = "tools[0].retrieval.vertexRagStore.ragCorpora"
    assert [*message_fields.names_in(generate, "")] == [(path, "c"), (path, "d")]


def test_bare_ids_are_names_in_the_collection() -> None:
    found = [*message_fields.names_in(Engine(data_store_ids=("a",)), "projects/p")]
    assert found == [("dataStoreIds", "projects/p/dataStores/a")]


def test_users_are_found_and_filled_in() -> None:
    events = ImportUserEventsRequest(
        inline_source=UserEventInlineSource(
            user_events=(UserEvent(user_pseudo_id="a", user_info=UserInfo(user_id="b")),)
        )
    )
    at = "inlineSource.userEvents[0]."
    assert [*message_fields.users_in(events)] == [
        (f"{at}userPseudoId", "a"),
        (f"{at}userInfo.userId", "b"),
    ]
    assert [*message_fields.users_in(message_fields.with_user(events, "c"))] == [
        (f"{at}userPseudoId", "c"),
        (f"{at}userInfo.userId", "b"),
    ]
    converse = ConverseConversationRequest(conversation=Conversation())
    said = message_fields.with_user(converse, "c").conversation
    assert said == Conversation(user_pseudo_id="c")


def test_nothing_else_is_changed() -> None:
    session = Session(display_name="a", turns=(Turn(answer="b"),))
    assert message_fields.with_user(session, "c") == Session(
        display_name="a", turns=(Turn(answer="b"),), user_pseudo_id="c"
    )
    query = AnswerQueryRequest(user_labels={"userPseudoId": "d"})
    assert message_fields.with_user(query, "c").user_labels == {"userPseudoId": "d"}


def test_what_has_no_place_for_users_stays_as_it_is() -> None:
    read = ReadSessionRequest(name="a")
    assert message_fields.with_user(read, "c") is read


def test_who_may_read_a_document_is_not_who_sends_it() -> None:
    assert [*message_fields.users_in(AclInfo())] == []


def test_a_plain_read_names_one_thing() -> None:
    read = ReadSessionRequest(name="a")
    assert message_fields.is_plain(read, "a")
    assert not message_fields.is_plain(read, "b")
    assert not message_fields.is_plain(Engine(name="a"), "a")
    assert not message_fields.is_plain(AnswerQueryRequest(session="a"), "a")
