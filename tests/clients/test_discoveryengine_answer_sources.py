"""Where the sources of answers come from: searches and given results."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import asking
from tests.clients.asking import (
    QUERY,
    SAID,
    Town,
    answer,
    ask,
    documents,
    given,
    post,
    searched,
)
from tests.clients.discovery import Service


@pytest.fixture(scope="module")
def town(service: Service) -> Town:
    return asking.town(service.url)


BROAD = "What does a parking permit or a café terrace cost?"


def test_the_search_is_bounded_filtered_boosted_and_ordered(town: Town) -> None:
    assert {*documents(answer(town, town.store, BROAD))} == {"permit", "terrace"}
    assert len(documents(answer(town, town.store, BROAD, **searched(maxReturnResults=1)))) == 1
    trade = 'kind: ANY("trade") AND year < 2'
    assert documents(answer(town, town.store, BROAD, **searched(filter=trade))) == ["terrace"]
    for boost, first in ((1, "terrace"), (-1, "permit")):
        spec = {"conditionBoostSpecs": [{"condition": trade, "boost": boost}]}
        assert documents(answer(town, town.store, BROAD, **searched(boostSpec=spec)))[0] == first
    for order, first in (
        ("year", "terrace"),
        ("year desc", "permit"),
        ("kind desc,year", "permit"),
    ):
        assert documents(answer(town, town.store, BROAD, **searched(orderBy=order)))[0] == first
    last = answer(town, town.store, BROAD, **searched(orderBy="year", maxReturnResults=1))
    assert documents(last) == ["terrace"]


def test_what_is_wanted_of_one_data_store_concerns_no_other(town: Town) -> None:
    def found(*specs: Any, **params: Any) -> set[str]:
        search = searched(dataStoreSpecs=specs, **params)
        return set(documents(answer(town, town.engine, **search)))

    short = town.short()
    assert found() >= {"permit", "loans"}
    assert found({"dataStore": short}) == {"permit", "terrace"}
    traffic, books = 'kind: ANY("traffic")', 'kind: ANY("books")'
    mine, theirs = {"dataStore": short, "filter": traffic}, {"dataStore": town.library}
    assert found(mine, theirs) == {"permit", "loans"}
    assert found(mine, {**theirs, "filter": books}) == {"permit", "loans"}
    assert found(mine, {**theirs, "filter": books}, filter=books) == {"loans"}
    assert found({"dataStore": short, "numResults": 1}, theirs) == {"permit", "loans"}
    twice = post(
        town.v1,
        town.engine,
        {"query": {"text": QUERY}, **searched(dataStoreSpecs=[mine, {"dataStore": town.store}])},
    )
    assert asking.violation(twice) == "searchSpec.searchParams.dataStoreSpecs[1].dataStore"


def test_a_boost_of_one_data_store_moves_its_documents(town: Town) -> None:
    def first(store: str) -> str:
        spec = {"conditionBoostSpecs": [{"condition": "NOT year > 9", "boost": -0.9}]}
        specs: list[Any] = [
            {"dataStore": name} for name in (town.store, town.library) if name != store
        ]
        specs.append({"dataStore": store, "boostSpec": spec})
        return documents(answer(town, town.engine, **searched(dataStoreSpecs=specs)))[0]

    assert (first(town.store), first(town.library)) == ("loans", "permit")


def test_chunks_are_told_where_they_are_asked_for(town: Town) -> None:
    told = answer(town, town.chunked, **searched(searchResultMode="CHUNKS"))
    info = told["references"][0]["chunkInfo"]
    document = f"{town.chunked}/branches/0/documents/permit"
    assert info["chunk"].startswith(f"{document}/chunks/")
    assert SAID in info["content"]
    assert 0 < info["relevanceScore"] <= 1
    assert info["documentMetadata"]["document"] == document
    assert info["documentMetadata"]["uri"] == "https://x.example/permit"
    result = told["steps"][0]["actions"][0]["observation"]["searchResults"][0]
    assert result["chunkInfo"][0]["chunk"] == info["chunk"]
    assert "snippetInfo" not in result


def test_chunks_of_a_data_store_without_any_are_a_failed_precondition(town: Town) -> None:
    body = {"query": {"text": QUERY}, **searched(searchResultMode=2)}
    error = post(town.v1, town.store, body).body["error"]
    assert (error["code"], error["status"]) == (400, "FAILED_PRECONDITION")
    assert "search_result_mode" in error["message"]
    assert "DOCUMENTS" in error["message"]


FERRY = "The ferry to the island costs 7 € for adults."


def test_given_documents_are_the_only_sources(town: Town) -> None:
    name = f"{town.store}/branches/0/documents/ferry"
    info: dict[str, Any] = {"document": name, "uri": "https://x.example/ferry", "title": "Ferry"}
    info["documentContexts"] = [{"pageIdentifier": "4", "content": FERRY}]
    info["extractiveSegments"] = [{"content": "The ferry to the island costs 8 €."}]
    spec = {"includeCitations": True}
    query = "How much is the ferry to the island?"
    told = answer(
        town,
        town.store,
        query,
        answerGenerationSpec=spec,
        **given({"unstructuredDocumentInfo": info}),
    )
    assert told["answerText"] == FERRY
    assert told["citations"] == [
        {"endIndex": str(len(FERRY.encode())), "sources": [{"referenceId": "0"}]}
    ]
    (reference,) = told["references"]
    found = reference["unstructuredDocumentInfo"]
    assert (found["document"], found["title"]) == (name, "Ferry")
    assert found["chunkContents"][0]["pageIdentifier"] == "4"
    del info["documentContexts"]
    told = answer(town, town.store, query, **given({"unstructuredDocumentInfo": info}))
    assert told["answerText"] == "The ferry to the island costs 8 €."
    del info["extractiveSegments"]
    info["extractiveAnswers"] = [{"content": FERRY}]
    told = answer(town, town.store, query, **given({"unstructuredDocumentInfo": info}))
    assert told["answerSkippedReasons"] == ["NO_RELEVANT_CONTENT"]


def test_given_results_keep_their_kinds(town: Town) -> None:
    name = f"{town.store}/branches/0/documents/ferry"
    chunk = {"chunk": f"{name}/chunks/c9", "content": FERRY, "documentMetadata": {"title": "Ferry"}}
    parts = [{"content": f"Part {number} tells of harbours."} for number in range(5)]
    document = {"document": f"{name}-2", "documentContexts": parts}
    told = answer(
        town,
        town.store,
        "How much is the ferry to the island?",
        answerGenerationSpec={"includeCitations": True},
        **given({"chunkInfo": chunk}, {"unstructuredDocumentInfo": document}),
    )
    assert [[*reference] for reference in told["references"]] == [
        ["unstructuredDocumentInfo"],
        ["chunkInfo"],
    ]
    assert len(told["references"][0]["unstructuredDocumentInfo"]["chunkContents"]) == 5
    assert told["references"][1]["chunkInfo"]["chunk"] == f"{name}/chunks/c9"
    assert told["citations"][0]["sources"] == [{"referenceId": "1"}]


def test_the_results_of_an_earlier_search_are_used_again(town: Town) -> None:
    search = town.v1.client("SearchService").search(
        {
            "serving_config": f"{town.store}/servingConfigs/default_config",
            "query": "parking permit",
            "session": f"{town.store}/sessions/-",
            "filter": 'kind: ANY("traffic")',
        }
    )
    info = search.session_info
    query: Any = {"text": BROAD, "query_id": info.query_id}
    reply = ask(town.v1, town.store, session=info.name, query=query)
    assert [r.unstructured_document_info.title for r in reply.answer.references] == [
        "Parking permits"
    ]
    turns = reply.session.turns
    assert [(turn.query.query_id, bool(turn.answer)) for turn in turns] == [
        (info.query_id, False),
        (info.query_id, True),
    ]


def test_a_query_of_no_earlier_search_is_a_new_one(town: Town) -> None:
    query: Any = {"text": QUERY, "query_id": f"{town.v1.location}/questions/5"}
    (turn,) = ask(
        town.v1, town.store, session=f"{town.store}/sessions/-", query=query
    ).session.turns
    assert turn.query.query_id.startswith(f"{town.v1.location}/questions/")
    assert turn.query.query_id != query["query_id"]
