"""What programs written for the official clients index without a look.

Retrievers of LangChain and LlamaIndex and the published samples of the clients read results this
way; here the clients alone stand for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from tests.clients.discovery import Api

MARKDOWN = """# Parking permits

A parking permit costs 40 euro a year and is valid for one car.

## How to apply

Apply online with your licence plate. The permit is sent by post within two weeks."""
PAGE = "<html><title>Pool</title><body><p>The pool opens at seven. Parking is free.</p></body>"
QUERY = "How much is a parking permit?"
OFFICIAL_MODELS = [
    "gemini-2.5-flash/answer_gen/v1",
    "gemini-2.5-flash/answer_gen/stable",
    "gemini-2.0-flash-001/answer_gen/preview",
    "gemini-2.5-flash",
    "preview",
]


@pytest.fixture
def store(api: Api) -> str:
    """A data store with documents of every kind: a text, a page, and nothing but fields."""
    store = api.data_store()
    api.import_(
        store,
        api.document("permit", MARKDOWN, url="https://x.example/permit"),
        api.document("pool", PAGE, "text/html"),
        api.types.Document(
            {"id": "fields", "struct_data": {"text": "Parking permits are red.", "rating": 4.5}}
        ),
    )
    return store


def everything(api: Api) -> Any:
    """All that a search can show of a document."""
    return api.types.SearchRequest.ContentSearchSpec(
        {
            "snippet_spec": {"return_snippet": True},
            "summary_spec": {"summary_result_count": 3, "include_citations": True},
            "extractive_content_spec": {
                "max_extractive_answer_count": 1,
                "max_extractive_segment_count": 1,
                "num_previous_segments": 1,
                "num_next_segments": 1,
                "return_extractive_segment_score": True,
            },
        }
    )


def check_shown(results: Sequence[Any]) -> None:
    """Read each result as the published samples do: by index, without a default."""
    assert {result.document.id for result in results} == {"permit", "pool", "fields"}
    for result in results:
        shown = result.document.derived_struct_data
        assert shown["title"]
        assert isinstance(shown["link"], str)
        assert shown["snippets"][0]["snippet"]
        assert shown["snippets"][0]["snippet_status"] == "SUCCESS"
        assert shown["extractive_answers"][0]["content"]
        assert shown["extractive_answers"][0]["pageNumber"] == ""


def test_a_search_shows_what_samples_index(api: Api, store: str) -> None:
    page = api.client("SearchService").search(
        {
            "serving_config": f"{store}/servingConfigs/default_config",
            "query": QUERY,
            "content_search_spec": everything(api),
        }
    )
    assert page.summary.summary_text
    check_shown(page.results)
    for result in page.results:
        segment = result.document.derived_struct_data["extractive_segments"][0]
        assert segment["content"]
        assert segment["pageNumber"] == ""
        assert 0 <= segment["relevanceScore"] <= 1
        assert all(one["content"] for one in segment["previous_segments"])
        assert all(one["content"] for one in segment["next_segments"])


def test_a_conversation_shows_what_samples_index(api: Api, store: str) -> None:
    """The published sample of a conversation reads snippets that its request cannot ask for."""
    client = api.client("ConversationalSearchService")
    conversation = client.create_conversation(
        parent=store, conversation=api.types.Conversation(user_pseudo_id="visitor")
    )
    for query in (QUERY, "What colour is a parking permit?"):
        response = client.converse_conversation(
            {
                "name": conversation.name,
                "query": {"input": query},
                "serving_config": f"{store}/servingConfigs/default_config",
                "safe_search": True,
                "summary_spec": {"summary_result_count": 3, "include_citations": True},
            }
        )
        assert response.reply.summary.summary_text
        check_shown(response.search_results)


def test_a_retriever_makes_sources_of_links_and_page_numbers(api: Api, store: str) -> None:
    """LangChain's appends the page number to the link, so an absent page adds nothing."""
    page = api.client("SearchService").search(
        {
            "serving_config": f"{store}/servingConfigs/default_config",
            "query": QUERY,
            "content_search_spec": everything(api),
        }
    )
    sources: dict[str, str] = {}
    for result in page.results:
        document = MessageToDict(
            api.types.Document.pb(result.document), preserving_proto_field_name=True
        )
        shown = document["derived_struct_data"]
        for kind in ("extractive_answers", "extractive_segments"):
            sources[document["id"]] = shown["link"] + shown[kind][0].get("pageNumber", "")
    assert sources == {"permit": "https://x.example/permit", "pool": "", "fields": ""}


@pytest.mark.parametrize("model", OFFICIAL_MODELS)
def test_the_model_that_samples_name_is_the_configured_one(v1: Api, model: str) -> None:
    api, store = v1, v1.data_store()
    v1.import_(store, v1.document("fees", "# Fees\n\nA parking permit costs 40 euro a year."))
    config = f"{store}/servingConfigs/default_config"
    answered = api.client("ConversationalSearchService").answer_query(
        {
            "serving_config": config,
            "query": {"text": QUERY},
            "query_understanding_spec": {
                "query_rephraser_spec": {"disable": False, "max_rephrase_steps": 1},
                "query_classification_spec": {
                    "types": ["ADVERSARIAL_QUERY", "NON_ANSWER_SEEKING_QUERY"]
                },
            },
            "answer_generation_spec": {
                "model_spec": {"model_version": model},
                "prompt_spec": {"preamble": "Give a detailed answer."},
                "include_citations": True,
                "answer_language_code": "en",
            },
            "user_pseudo_id": "user-pseudo-id",
        }
    )
    assert "40 euro" in answered.answer.answer_text
    assert answered.answer.citations
    spec = {"model_spec": {"version": model}}
    found = api.client("SearchService").search(
        {
            "serving_config": config,
            "query": QUERY,
            "content_search_spec": {"summary_spec": spec},
        }
    )
    assert found.summary.summary_text


def test_the_operations_of_a_data_store_are_those_on_its_documents(api: Api, store: str) -> None:
    """The published sample lists under the data store what was started under its branch."""
    client = api.client("DocumentService")
    (listed,) = client.list_operations({"name": store}).operations
    assert listed.name.startswith(f"{store}/branches/0/operations/import-documents-")
    assert client.get_operation({"name": listed.name}).done
    page = client.list_operations({"name": store, "page_size": 1, "filter": "done=true"})
    assert [one.name for one in page.operations] == [listed.name]
