"""What the official clients write, we read; what we write, they read; nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions import wire
from sessions.resources import (
    answers,
    augmentations,
    base,
    candidates,
    conversations,
    data_stores,
    documents,
    engines,
    generation,
    grounding_checks,
    queries,
    rag_corpora,
    rag_files,
    rankings,
    retrievals,
    search_results,
    searches,
)
from sessions.resources import sessions as session_resources
from tests.sessions import oracle

SEEDS: list[tuple[type[base.Resource], str]] = [
    (answers.Answer, "Answer"),
    (session_resources.Session, "Session"),
    (conversations.Conversation, "Conversation"),
    (conversations.Reply, "Reply"),
    (queries.AnswerQueryRequest, "AnswerQueryRequest"),
    (queries.AnswerQueryResponse, "AnswerQueryResponse"),
    (conversations.ConverseConversationRequest, "ConverseConversationRequest"),
    (conversations.ConverseConversationResponse, "ConverseConversationResponse"),
    (session_resources.CreateSessionRequest, "CreateSessionRequest"),
    (session_resources.UpdateSessionRequest, "UpdateSessionRequest"),
    (session_resources.ListSessionsResponse, "ListSessionsResponse"),
    (conversations.CreateConversationRequest, "CreateConversationRequest"),
    (conversations.UpdateConversationRequest, "UpdateConversationRequest"),
    (searches.SearchRequest, "SearchRequest"),
    (search_results.SearchResponse, "SearchResponse"),
    (documents.Document, "Document"),
    (documents.ImportDocumentsRequest, "ImportDocumentsRequest"),
    (data_stores.DataStore, "DataStore"),
    (engines.Engine, "Engine"),
    (grounding_checks.CheckGroundingRequest, "CheckGroundingRequest"),
    (rankings.RankRequest, "RankRequest"),
]
GENERATION: list[tuple[type[base.Resource], str]] = [
    (retrievals.RetrieveContextsRequest, "RetrieveContextsRequest"),
    (retrievals.RetrieveContextsResponse, "RetrieveContextsResponse"),
    (augmentations.AskContextsRequest, "AskContextsRequest"),
    (augmentations.AugmentPromptRequest, "AugmentPromptRequest"),
    (augmentations.CorroborateContentRequest, "CorroborateContentRequest"),
    (generation.GenerateContentRequest, "GenerateContentRequest"),
    (generation.CountTokensRequest, "CountTokensRequest"),
    (rag_corpora.CreateRagCorpusRequest, "CreateRagCorpusRequest"),
    (rag_files.ImportRagFilesRequest, "ImportRagFilesRequest"),
    (candidates.GenerateContentResponse, "GenerateContentResponse"),
]
CASES = [
    pytest.param(ours, official, id=f"{official.__module__.split('.')[2]}-{name}")
    for modules, pairs in ((oracle.SEARCH, SEEDS), (oracle.GENERATION, GENERATION))
    for ours, name in pairs
    for official in oracle.classes(modules, name)
]


@pytest.mark.parametrize(("ours", "official"), CASES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_official_messages_pass_through(
    ours: type[base.Resource], official: Any, data: st.DataObject
) -> None:
    message = data.draw(oracle.messages(official))
    snake = data.draw(st.booleans(), label="snake_case")
    numbers = data.draw(st.booleans(), label="enum numbers")
    text = official.to_json(
        message,
        use_integers_for_enums=numbers,
        preserving_proto_field_name=snake,
        always_print_fields_with_no_presence=data.draw(st.booleans(), label="defaults"),
    )
    value = wire.decode(ours, text.encode())
    for as_numbers in (False, True):
        assert official.from_json(wire.encode(value, numbers=as_numbers)) == message
    assert wire.decode(ours, wire.encode(value)) == value
