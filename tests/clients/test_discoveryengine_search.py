"""The official search clients of every version, against the running service."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api

CHUNKED: Any = {
    "document_processing_config": {
        "chunking_config": {"layout_based_chunking_config": {"chunk_size": 100}}
    }
}
PERMIT = """# Parking permits

A parking permit costs 40 euro a year & is valid for one car.

## How to apply

Apply online with your licence plate. The permit is sent by post within two weeks."""
POOL = """# Swimming pool

The pool opens at seven. Parking at the pool is free for two hours."""
WASTE = "# Waste\n\nBins are emptied on Tuesday. Glass goes to the container."


@pytest.fixture
def config(api: Api) -> str:
    store = api.data_store(**CHUNKED)
    fill(api, store)
    return f"{store}/servingConfigs/default_search"


def fill(api: Api, store: str) -> None:
    api.import_(
        store,
        api.document("permit", PERMIT, rating=4.5, tags=["car", "street"], day="2024-03-01"),
        api.document("pool", POOL, rating=3.0, tags=["sport", "Street"], day="2024-01-01"),
        api.document("waste", WASTE, rating=5.0, tags=["home"], url="https://x.example/waste"),
    )


def search(api: Api, config: str, query: str = "parking", **request: Any) -> Any:
    client = api.client("SearchService")
    return client.search({"serving_config": config, "query": query, **request})


def ids(pager: Any) -> list[str]:
    return [result.id for result in pager]


def test_results_are_documents_best_first(api: Api, config: str) -> None:
    pager = search(api, config, "how much is a parking permit?")
    assert ids(pager)[0] == "permit"
    assert pager.total_size >= 1
    assert pager.attribution_token
    first = next(iter(pager)).document
    assert first.name.endswith("/branches/0/documents/permit")
    assert dict(first.struct_data)["rating"] == 4.5
    assert dict(first.derived_struct_data) == {"title": "Parking permits", "link": ""}


def test_an_empty_query_lists_what_the_filter_lets_pass(api: Api, config: str) -> None:
    assert ids(search(api, config, "")) == ["permit", "pool", "waste"]
    assert ids(search(api, config, "", filter="rating >= 4.5")) == ["permit", "waste"]
    assert ids(search(api, config, "", order_by="rating desc")) == ["waste", "permit", "pool"]
    assert ids(search(api, config, "", order_by="day")) == ["pool", "permit", "waste"]


def test_filters_and_boosts_decide_what_comes_and_where(api: Api, config: str) -> None:
    assert set(ids(search(api, config))) == {"permit", "pool"}
    assert ids(search(api, config, filter='tags: ANY("sport")')) == ["pool"]
    assert ids(search(api, config, filter='NOT id: ANY("permit")')) == ["pool"]
    boost = {"condition_boost_specs": [{"condition": 'id: ANY("permit")', "boost": -1.0}]}
    assert ids(search(api, config, boost_spec=boost))[0] == "pool"
    assert ids(search(api, config, order_by="rating")) == ["pool", "permit"]


def test_content_comes_under_the_documented_keys(api: Api, config: str) -> None:
    """Third-party retrievers index these without checks."""
    pager = search(
        api,
        config,
        "parking permit costs",
        content_search_spec={
            "snippet_spec": {"return_snippet": True},
            "extractive_content_spec": {
                "max_extractive_answer_count": 1,
                "max_extractive_segment_count": 1,
                "return_extractive_segment_score": True,
                "num_next_segments": 1,
            },
        },
    )
    derived = next(iter(pager)).document.derived_struct_data
    (snippet,) = derived["snippets"]
    assert snippet["snippet_status"] == "SUCCESS"
    assert "<b>parking</b> <b>permit</b> <b>costs</b> 40 euro a year &amp; is" in snippet["snippet"]
    (answer,) = derived["extractive_answers"]
    assert "A parking permit costs 40 euro a year & is valid for one car." in answer["content"]
    (segment,) = derived["extractive_segments"]
    assert segment["content"] in PERMIT.replace("# ", "").replace("#", "")
    assert 0 <= segment["relevanceScore"] <= 1
    assert segment["id"]


@pytest.mark.parametrize("count", [1, 3, 5])
def test_as_many_extractive_answers_come_as_are_wanted(api: Api, config: str, count: int) -> None:
    pager = search(
        api,
        config,
        "parking permit costs",
        content_search_spec={
            "extractive_content_spec": {
                "max_extractive_answer_count": count,
                "max_extractive_segment_count": 1,
            }
        },
    )
    derived = next(iter(pager)).document.derived_struct_data
    (segment,) = derived["extractive_segments"]
    found = [answer["content"] for answer in derived["extractive_answers"]]
    assert 1 <= len(set(found)) == len(found) <= count
    assert len(found) >= min(count, 3)
    assert all(text in segment["content"] and text != segment["content"] for text in found)


def test_a_document_without_text_has_no_snippet(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.types.Document(id="a", struct_data={"title": "Tram lines", "n": 1.0}))
    pager = search(
        v1,
        f"{store}/servingConfigs/default_config",
        "tram lines",
        content_search_spec={"snippet_spec": {"return_snippet": True}},
    )
    (snippet,) = next(iter(pager)).document.derived_struct_data["snippets"]
    assert snippet["snippet_status"] == "NO_SNIPPET_AVAILABLE"


def test_chunks_come_with_their_neighbours(api: Api) -> None:
    store = api.data_store(**CHUNKED)
    text = "\n\n".join(
        f"# Part {n}\n\n" + f"Rule {n} says that thing {n} is fine. " * 14 for n in range(4)
    )
    api.import_(store, api.document("rules", text, "text/markdown", kind="law"))
    pager = search(
        api,
        f"{store}/servingConfigs/default_config",
        "rule 2",
        content_search_spec={
            "search_result_mode": "CHUNKS",
            "chunk_spec": {"num_previous_chunks": 1, "num_next_chunks": 1},
        },
    )
    chunk = next(iter(pager)).chunk
    assert chunk.name.startswith(f"{store}/branches/0/documents/rules/chunks/")
    assert chunk.name.endswith(f"/{chunk.id}")
    assert "Rule 2" in chunk.content
    assert dict(chunk.document_metadata.struct_data) == {"kind": "law"}
    assert 0 <= chunk.relevance_score <= 1
    assert len(chunk.chunk_metadata.previous_chunks) == 1
    assert len(chunk.chunk_metadata.next_chunks) == 1


def test_chunks_of_a_store_without_chunking_are_refused(v1: Api) -> None:
    """The words of the message are what a known retriever looks for, to try again."""
    config = f"{v1.data_store()}/servingConfigs/default_config"
    with pytest.raises(exceptions.BadRequest) as raised:
        search(v1, config, content_search_spec={"search_result_mode": "CHUNKS"})
    assert "search_result_mode" in str(raised.value)
    assert "DOCUMENTS" in str(raised.value)
    reply = v1.call(
        f"{config}:search", "POST", {"contentSearchSpec": {"searchResultMode": "CHUNKS"}}
    )
    assert reply.body["error"]["status"] == "FAILED_PRECONDITION"


def test_facets_count_values_and_intervals(api: Api, config: str) -> None:
    pager = search(
        api,
        config,
        "",
        filter='tags: ANY("car", "sport")',
        facet_specs=[
            {"facet_key": {"key": "tags", "order_by": "count desc"}, "limit": 2},
            {"facet_key": {"key": "tags", "case_insensitive": True, "prefixes": ["STR"]}},
            {
                "facet_key": {
                    "key": "rating",
                    "intervals": [{"maximum": 3.0}, {"exclusive_minimum": 3.0}],
                }
            },
            {"facet_key": {"key": "tags"}, "excluded_filter_keys": ["tags"]},
        ],
    )
    counted = [
        [(value.value or value.interval.maximum, value.count) for value in facet.values]
        for facet in pager.facets
    ]
    assert counted[0] == [("Street", 1), ("car", 1)]
    assert counted[1] == [("Street", 1), ("street", 1)]
    assert counted[2] == [(3.0, 1), (0.0, 1)]
    assert ("home", 1) in counted[3]


@pytest.mark.parametrize("query", ["", "rule"])
@pytest.mark.parametrize("order_by", ["", "rank desc"])
def test_pages_repeat_and_skip_nothing_while_documents_come_and_go(
    v1: Api, query: str, order_by: str
) -> None:
    store = v1.data_store()
    wanted = [f"d{n:02}" for n in range(20)]
    v1.import_(store, *(v1.document(i, f"Rule {i}.", rank=float(n)) for n, i in enumerate(wanted)))
    config = f"{store}/servingConfigs/default_config"
    seen: list[str] = []
    pager = search(v1, config, query, order_by=order_by, page_size=7)
    for number, page in enumerate(pager.pages):
        seen += [result.id for result in page.results]
        v1.import_(store, v1.document(f"a{number}", f"Rule rule {number}.", rank=99.0))
        assert page.total_size == 20
    assert len(seen) == len(set(seen))
    assert set(wanted) <= set(seen)


def test_an_offset_skips_and_a_token_is_bound_to_its_query(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, *(v1.document(f"d{n}", f"Text {n}.") for n in range(5)))
    path = f"{store}/servingConfigs/default_config:search"
    page = v1.call(path, "POST", {"offset": 1, "pageSize": 2}).body
    assert [result["id"] for result in page["results"]] == ["d1", "d2"]
    body = {"pageToken": page["nextPageToken"], "pageSize": 5}
    rest = v1.call(path, "POST", body).body
    assert [result["id"] for result in rest["results"]] == ["d3", "d4"]
    assert rest["totalSize"] == 5
    for other in ({"query": "x"}, {"filter": 'id: ANY("d1")'}, {"pageToken": "rubbish"}):
        refused = v1.call(path, "POST", {**body, **other})
        assert refused.status == 400
        assert refused.body["error"]["details"][1]["fieldViolations"][0]["field"] == "pageToken"


def test_scores_and_thresholds_speak_of_relevance(v1: Api) -> None:
    store = v1.data_store()
    fill(v1, store)
    api, config = v1, f"{store}/servingConfigs/default_config"
    spec = {"return_relevance_score": True}
    results = list(search(api, config, "parking permit", relevance_score_spec=spec))
    scores = {result.id: result.model_scores["relevance_score"].values[0] for result in results}
    assert 0 <= scores["pool"] < scores["permit"] <= 1
    high = search(api, config, "parking permit", relevance_threshold="HIGH")
    assert all(scores[i] >= 0.5 for i in ids(high))


def test_a_summary_is_only_made_when_asked_for(api: Api, config: str) -> None:
    query = "How much does a parking permit cost?"
    assert not search(api, config, query).summary.summary_text
    spec = {"summary_spec": {"summary_result_count": 2, "include_citations": True}}
    summary = search(api, config, query, content_search_spec=spec).summary
    assert "40 euro" in summary.summary_text
    assert "[1]" in summary.summary_text
    whole = summary.summary_with_metadata
    assert "[1]" not in whole.summary
    reference = whole.references[0]
    assert reference.document.endswith("/documents/permit")
    nothing = search(api, config, "qwertz uiopü", content_search_spec=spec).summary
    assert nothing.summary_skipped_reasons


def test_a_search_is_recorded_in_its_session(api: Api, config: str) -> None:
    parent = config.partition("/servingConfigs/")[0]
    sessions = api.client("ConversationalSearchService")
    info = search(api, config, session=f"{parent}/sessions/-", user_pseudo_id="ann").session_info
    session = sessions.get_session(name=info.name)
    assert session.user_pseudo_id == "ann"
    assert session.display_name == "parking"
    again = search(api, config, "waste", session=info.name).session_info
    turns = sessions.get_session(name=info.name).turns
    assert [turn.query.text for turn in turns] == ["parking", "waste"]
    assert [turn.query.query_id for turn in turns] == [info.query_id, again.query_id]
    assert not any(turn.answer for turn in turns)
    with pytest.raises(exceptions.NotFound):
        search(api, config, session=f"{parent}/sessions/404")


def test_all_pages_of_a_search_are_one_turn(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, *(v1.document(f"d{n}", f"Rule {n}.") for n in range(5)))
    config = f"{store}/servingConfigs/default_config"
    pager = search(v1, config, "rule", session=f"{store}/sessions/-", page_size=2)
    turns = {(page.session_info.name, page.session_info.query_id) for page in pager.pages}
    ((session, _),) = turns
    assert not session.endswith("-")
    assert len(v1.client("SessionService").get_session(name=session).turns) == 1


def test_an_answer_is_written_from_what_its_search_found(api: Api, config: str) -> None:
    """The query of the answer finds the pool as well; its search was about permits only."""
    parent = config.partition("/servingConfigs/")[0]
    info = search(
        api, config, session=f"{parent}/sessions/-", filter='id: ANY("permit")'
    ).session_info
    reply = api.client("ConversationalSearchService").answer_query(
        {
            "serving_config": config,
            "session": info.name,
            "query": {"text": "What does parking cost?", "query_id": info.query_id},
        }
    )
    documents = {
        reference.unstructured_document_info.document.rpartition("/")[2]
        for reference in reply.answer.references
    }
    assert documents == {"permit"}
    plain = api.client("ConversationalSearchService").answer_query(
        {"serving_config": config, "query": {"text": "What does parking cost?"}}
    )
    assert len(plain.answer.references) == 2


def test_results_can_be_stored_with_an_earlier_query(v1: Api) -> None:
    store = v1.data_store()
    fill(v1, store)
    config = f"{store}/servingConfigs/default_config"
    info = search(v1, config, session=f"{store}/sessions/-").session_info
    spec = {"query_id": info.query_id, "search_result_persistence_count": 1}
    again = search(v1, config, "waste", session=info.name, session_spec=spec).session_info
    assert again == info
    assert len(v1.client("SessionService").get_session(name=info.name).turns) == 1
    unknown = {"query_id": f"{v1.location}/questions/1"}
    with pytest.raises(exceptions.NotFound):
        search(v1, config, session=info.name, session_spec=unknown)


def test_the_light_search_is_the_same_search(service: Any, v1: Api) -> None:
    store = v1.data_store()
    fill(v1, store)
    config = f"{store}/servingConfigs/default_config"
    found = v1.client("SearchService").search_lite({"serving_config": config, "query": "waste"})
    assert ids(found) == ["waste"]


@pytest.mark.parametrize("config", ["default_config", "default_search", "default_serving_config"])
def test_every_serving_config_exists_unasked(v1: Api, config: str) -> None:
    store = v1.data_store()
    client = v1.client("SearchService")
    short = client.serving_config_path(v1.project, "global", "portal", config)
    assert ids(search(v1, short)) == []
    with pytest.raises(exceptions.NotFound):
        search(v1, f"{store}/servingConfigs/other")
    with pytest.raises(exceptions.NotFound):
        search(v1, short.replace("portal", "absent"))
