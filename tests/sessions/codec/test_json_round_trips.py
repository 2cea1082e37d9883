"""What the official clients write, we read; what we write, they read; nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions.codec import json_codec
from sessions.resources import (
    answer_query,
    answers,
    augmentations,
    base,
    candidates,
    check_grounding,
    conversations,
    data_stores,
    documents,
    engines,
    generate_content,
    rag_corpora,
    rag_files,
    rank,
    retrieve_contexts,
    search_requests,
    search_results,
)
from sessions.resources import sessions as session_resources
from tests.packages import Package
from tests.sessions import official_messages

SEEDS: list[tuple[type[base.Resource], str]] = [
    (answers.Answer, "Answer"),
    (session_resources.Session, "Session"),
    (conversations.Conversation, "Conversation"),
    (conversations.Reply, "Reply"),
    (answer_query.AnswerQueryRequest, "AnswerQueryRequest"),
    (answer_query.AnswerQueryResponse, "AnswerQueryResponse"),
    (conversations.ConverseConversationRequest, "ConverseConversationRequest"),
    (conversations.ConverseConversationResponse, "ConverseConversationResponse"),
    (session_resources.CreateSessionRequest, "CreateSessionRequest"),
    (session_resources.UpdateSessionRequest, "UpdateSessionRequest"),
    (session_resources.ListSessionsResponse, "ListSessionsResponse"),
    (conversations.CreateConversationRequest, "CreateConversationRequest"),
    (conversations.UpdateConversationRequest, "UpdateConversationRequest"),
    (search_requests.SearchRequest, "SearchRequest"),
    (search_results.SearchResponse, "SearchResponse"),
    (documents.Document, "Document"),
    (documents.ImportDocumentsRequest, "ImportDocumentsRequest"),
    (data_stores.DataStore, "DataStore"),
    (engines.Engine, "Engine"),
    (check_grounding.CheckGroundingRequest, "CheckGroundingRequest"),
    (rank.RankRequest, "RankRequest"),
]
GENERATION: list[tuple[type[base.Resource], str]] = [
    (retrieve_contexts.RetrieveContextsRequest, "RetrieveContextsRequest"),
    (retrieve_contexts.RetrieveContextsResponse, "RetrieveContextsResponse"),
    (augmentations.AskContextsRequest, "AskContextsRequest"),
    (augmentations.AugmentPromptRequest, "AugmentPromptRequest"),
    (augmentations.CorroborateContentRequest, "CorroborateContentRequest"),
    (generate_content.GenerateContentRequest, "GenerateContentRequest"),
    (generate_content.CountTokensRequest, "CountTokensRequest"),
    (rag_corpora.CreateRagCorpusRequest, "CreateRagCorpusRequest"),
    (rag_files.ImportRagFilesRequest, "ImportRagFilesRequest"),
    (candidates.GenerateContentResponse, "GenerateContentResponse"),
]
CASES = [
    pytest.param(ours, package, name, id=f"{str(package).split('.')[2]}-{name}")
    for packages, pairs in (
        (official_messages.SEARCH, SEEDS),
        (official_messages.GENERATION, GENERATION),
    )
    for ours, name in pairs
    for package in packages
]


@pytest.mark.parametrize(("ours", "package", "name"), CASES)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_official_messages_pass_through(
    ours: type[base.Resource], package: Package, name: str, data: st.DataObject
) -> None:
    official = getattr(package, name)
    message = data.draw(official_messages.messages(official))
    snake = data.draw(st.booleans(), label="snake_case")
    numbers = data.draw(st.booleans(), label="enum numbers")
    text = official.to_json(
        message,
        use_integers_for_enums=numbers,
        preserving_proto_field_name=snake,
        always_print_fields_with_no_presence=data.draw(st.booleans(), label="defaults"),
    )
    value = json_codec.decode(ours, text.encode())
    for as_numbers in (False, True):
        assert official.from_json(json_codec.encode(value, numbers=as_numbers)) == message
    assert json_codec.decode(ours, json_codec.encode(value)) == value
