"""Retrieval and what is made of it, by the official RAG client of both versions."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients import asking, discovery
from tests.clients.aiplatform import FEES, HOURS, Rag
from tests.clients.discovery import Service
from tests.waiting import LONG

DESK = f"{HOURS} Whoever lost a passport abroad turns to the embassy or the local police."
QUERY = "How much is the renewal of a passport?"


@pytest.fixture(params=["v1", "v1beta1"])
def rag(request: Any, service: Service) -> Rag:
    return Rag(request.param, service.url)


@pytest.fixture
def v1(service: Service) -> Rag:
    return Rag("v1", service.url)


def test_the_nearest_context_comes_first(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES, hours=DESK)
    found = rag.retrieve(corpus, QUERY)
    assert [context.source_display_name for context in found] == ["fees.md", "hours.md"]
    scores = [context.score for context in found]
    assert scores == sorted(scores)
    assert 0 <= scores[0] < 0.5 < scores[1] <= 2
    assert found[0].source_uri == "fees.md"
    assert found[0].text == found[0].chunk.text
    assert "A passport renewal costs 80 €." in found[0].text
    if rag.version == "v1beta1":
        assert found[0].distance == found[0].score


def test_top_k_and_thresholds_bound_what_comes(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES, hours=DESK)
    assert len(rag.retrieve(corpus, QUERY, top_k=1)) == 1
    near = rag.retrieve(corpus, QUERY, filter={"vector_distance_threshold": 0.5})
    assert [context.source_display_name for context in near] == ["fees.md"]
    similar = rag.retrieve(corpus, QUERY, filter={"vector_similarity_threshold": 0.5})
    assert similar == near
    assert rag.retrieve(corpus, QUERY, filter={"vector_distance_threshold": 0.01}) == []
    # What programs send that were written for other metrics.
    assert rag.retrieve(corpus, QUERY, filter={"vector_distance_threshold": 10}) == rag.retrieve(
        corpus, QUERY
    )
    assert rag.retrieve(corpus, QUERY, filter={"vector_similarity_threshold": 10}) == []


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", -0.1, "1e999"])
def test_a_threshold_is_a_number(v1: Rag, number: object) -> None:
    corpus = v1.corpus(fees=FEES)
    near = {"filter": {"vectorDistanceThreshold": number}}
    similar = {"filter": {"vectorSimilarityThreshold": number if number != -0.1 else -1.1}}
    for config in (near, similar):
        body = {
            "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
            "query": {"text": QUERY, "ragRetrievalConfig": config},
        }
        reply = v1.call(f"{v1.location}:retrieveContexts", "POST", body)
        assert asking.violation(reply).startswith("query.ragRetrievalConfig.filter.vector")


def test_where_nothing_matches_the_list_is_there_and_empty(rag: Rag) -> None:
    """Programs index ``contexts.contexts`` without a look."""
    body = {
        "vertexRagStore": {"ragResources": [{"ragCorpus": rag.corpus(fees=FEES)}]},
        "query": {"text": "Xylophone?"},
    }
    reply = rag.call(f"{rag.location}:retrieveContexts", "POST", body)
    assert reply.body == {"contexts": {"contexts": []}}


def test_files_and_metadata_narrow_what_is_searched(v1: Rag) -> None:
    corpus = v1.corpus()
    said = """{'rag_file': {'display_name': 'a', 'user_metadata': '{"year": 2025}'}}"""
    old = v1.upload(corpus, "a.md", FEES.encode(), said)["ragFile"]["name"]
    v1.upload(corpus, "b.md", FEES.encode(), said.replace("2025", "2026").replace("'a'", "'b'"))
    (newer,) = v1.retrieve(corpus, QUERY, filter={"metadata_filter": "year > 2025"})
    assert newer.source_display_name == "b"
    only = {"ragCorpus": corpus, "ragFileIds": [old.rpartition("/")[2]]}
    body = {"vertexRagStore": {"ragResources": [only]}, "query": {"text": QUERY}}
    found = v1.call(f"{v1.location}:retrieveContexts", "POST", body).body["contexts"]["contexts"]
    assert [context["sourceDisplayName"] for context in found] == ["a"]


def test_the_path_with_a_slash_is_the_same(v1: Rag) -> None:
    corpus = v1.corpus(fees=FEES)
    store = {"rag_resources": [{"rag_corpus": corpus}]}
    body: Any = {"vertex_rag_store": store, "query": {"text": QUERY, "ragRetrievalConfig": {}}}
    one = v1.call(f"{v1.location}:retrieveContexts", "POST", body)
    other = v1.call(f"{v1.location}/:retrieveContexts", "POST", body)
    assert one.status == 200
    assert one.body == other.body


def test_the_older_forms_retrieve_the_same(service: Service) -> None:
    beta = Rag("v1beta1", service.url)
    corpus = beta.corpus(fees=FEES, hours=HOURS)
    types = beta.types
    request = types.RetrieveContextsRequest(
        parent=beta.location,
        vertex_rag_store=types.RetrieveContextsRequest.VertexRagStore(
            rag_corpora=[corpus], vector_distance_threshold=0.5
        ),
        query=types.RagQuery(text=QUERY, similarity_top_k=1),
    )
    found = beta.rag.retrieve_contexts(request).contexts.contexts
    assert [context.source_display_name for context in found] == ["fees.md"]


def test_a_reranking_scores_by_relevance(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES, hours=DESK)
    found = rag.retrieve(corpus, QUERY, ranking={"rank_service": {"model_name": "m"}})
    scores = [context.score for context in found]
    assert found[0].source_display_name == "fees.md"
    assert scores == sorted(scores, reverse=True)


def test_distances_and_the_index_are_joined_by_weight(service: Service) -> None:
    beta = Rag("v1beta1", service.url)
    corpus = beta.corpus(fees=FEES, hours=HOURS)
    found = beta.retrieve(corpus, QUERY, hybrid_search={"alpha": 0.5})
    assert found[0].source_display_name == "fees.md"
    store = {"rag_resources": [{"rag_corpus": corpus}]}
    body: Any = {"vertexRagStore": store, "query": {"text": QUERY, "ranking": {"alpha": 0.5}}}
    older = beta.call(f"{beta.location}:retrieveContexts", "POST", body)
    assert older.body["contexts"]["contexts"][0]["score"] == found[0].score


def test_a_corpus_over_a_serving_config_retrieves_from_it(v1: Rag, service: Service) -> None:
    api = discovery.api("v1", service.url, v1.project)
    api.location = v1.location
    api.collection = f"{v1.location}/collections/default_collection"
    store = api.data_store()
    api.import_(
        store, api.document("fees", FEES, title="The fees", uri="https://portal.example/fees")
    )
    made = v1.data.create_rag_corpus(
        parent=v1.location,
        rag_corpus=v1.types.RagCorpus(
            display_name="S",
            vertex_ai_search_config={"serving_config": f"{store}/servingConfigs/default_search"},
        ),
    ).result(timeout=LONG)
    assert "vector_db_config" not in made
    (context,) = v1.retrieve(made.name, QUERY)
    assert context.source_uri == "https://portal.example/fees"
    assert context.source_display_name == "The fees"
    assert v1.call(f"{made.name}/ragFiles:upload", "POST", {}).status == 400


WRONG: list[Any] = [
    ({"vertexRagStore": None}, "vertexRagStore"),
    ({"vertexRagStore": {}}, "vertexRagStore.ragResources"),
    ({"vertexRagStore": {"ragCorpora": ["a"]}}, "vertexRagStore.ragCorpora[0]"),
    ({"vertexRagStore": {"ragResources": [{}, {}]}}, "vertexRagStore.ragResources"),
    ({"query": {}}, "query.text"),
    (
        {"query": {"text": "a", "ragRetrievalConfig": {"topK": -1}}},
        "query.ragRetrievalConfig.topK",
    ),
    (
        {"query": {"text": "a", "ragRetrievalConfig": {"filter": {"metadataFilter": "a ="}}}},
        "query.ragRetrievalConfig.filter.metadataFilter",
    ),
    (
        {
            "query": {
                "text": "a",
                "ragRetrievalConfig": {
                    "filter": {"vectorDistanceThreshold": 0.1, "vectorSimilarityThreshold": 0.1}
                },
            }
        },
        "query.ragRetrievalConfig.filter",
    ),
    ({"nothing": 1}, "nothing"),
]


@pytest.mark.parametrize(("change", "field"), WRONG, ids=[field for _, field in WRONG])
def test_what_cannot_be_retrieved_is_refused_by_its_path(v1: Rag, change: Any, field: str) -> None:
    resource = {"ragCorpus": f"{v1.location}/ragCorpora/1"}
    body = {"vertexRagStore": {"ragResources": [resource]}, "query": {"text": "a"}} | change
    refused = v1.call(f"{v1.location}:retrieveContexts", "POST", body)
    assert refused.status == 400
    found = refused.body["error"]["details"][1]["fieldViolations"][0]["field"]
    assert found.startswith(field)


def test_a_corpus_that_is_not_there_is_not_found(rag: Rag) -> None:
    with pytest.raises(exceptions.NotFound):
        rag.retrieve(f"{rag.location}/ragCorpora/1", QUERY)


def test_a_question_is_answered_from_contexts(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES, hours=HOURS)
    reply = rag.rag.ask_contexts(
        rag.types.AskContextsRequest(
            parent=rag.location,
            query=rag.types.RagQuery(text=QUERY),
            tools=[rag.tool(corpus, top_k=3)],
        )
    )
    assert "A passport renewal costs 80 €." in reply.response
    assert reply.contexts.contexts[0].source_display_name == "fees.md"


def test_a_query_has_the_last_word_on_how_to_retrieve(v1: Rag) -> None:
    corpus = v1.corpus(fees=FEES, hours=DESK)
    config = {"top_k": 1}
    reply = v1.rag.ask_contexts(
        v1.types.AskContextsRequest(
            parent=v1.location,
            query=v1.types.RagQuery(text=QUERY, rag_retrieval_config=config),
            tools=[v1.tool(corpus, top_k=5)],
        )
    )
    assert len(reply.contexts.contexts) == 1


def test_contexts_come_as_an_operation(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES)
    operation = rag.rag.async_retrieve_contexts(
        rag.types.AsyncRetrieveContextsRequest(
            parent=rag.location, query=rag.types.RagQuery(text=QUERY), tools=[rag.tool(corpus)]
        )
    )
    assert operation.operation.name.startswith(f"{rag.location}/operations/")
    (context,) = operation.result(timeout=LONG).contexts.contexts
    assert context.source_display_name == "fees.md"
    again = rag.data.get_operation({"name": operation.operation.name})
    assert again.response.Unpack(rag.types.AsyncRetrieveContextsResponse.pb()())


def augmented(rag: Rag, corpus: str, *contents: Any) -> Any:
    return rag.rag.augment_prompt(
        rag.types.AugmentPromptRequest(
            parent=rag.location,
            contents=contents,
            vertex_rag_store=rag.store(corpus, top_k=1),
            model=rag.types.AugmentPromptRequest.Model(model="m"),
        )
    )


def test_a_prompt_gets_its_facts_before_it(rag: Rag) -> None:
    reply = augmented(rag, rag.corpus(fees=FEES, hours=HOURS), rag.content(QUERY))
    (fact,) = reply.facts
    assert (fact.title, fact.query) == ("fees.md", QUERY)
    assert fact.score == fact.vector_distance < 0.5
    (content,) = reply.augmented_prompt
    assert fact.summary in content.parts[0].text
    assert content.parts[1].text == QUERY


def test_a_prompt_that_follows_up_is_understood(v1: Rag) -> None:
    earlier = (
        v1.content("What does the express service cost?"),
        v1.content("It costs 35 € more.", "model"),
    )
    last = v1.content("How many days does it take?")
    reply = augmented(v1, v1.corpus(fees=FEES, hours=HOURS), *earlier, last)
    assert "express service" in reply.facts[0].query
    assert tuple(reply.augmented_prompt[:2]) == earlier


def test_a_content_is_held_against_facts(rag: Rag) -> None:
    reply = rag.rag.corroborate_content(
        rag.types.CorroborateContentRequest(
            parent=rag.location,
            content=rag.content("É claro. A renewal costs 80 €. Dogs may fly to the moon."),
            facts=[
                rag.types.Fact(summary="The library lends books."),
                rag.types.Fact(summary="In Lisbon a renewal costs 80 €."),
            ],
        )
    )
    costs, dogs = reply.claims[-2:]
    text = "É claro. A renewal costs 80 €. Dogs may fly to the moon.".encode()
    assert text[costs.start_index : costs.end_index].decode() == "A renewal costs 80 €."
    assert (list(costs.fact_indexes), list(dogs.fact_indexes)) == ([1], [])
    assert costs.score > 0.6 > dogs.score
    assert 0 < reply.corroboration_score < 1


MISSING: list[Any] = [
    ("askContexts", {"query": {"text": "a"}}, "tools"),
    ("askContexts", {"query": {}}, "query.text"),
    ("asyncRetrieveContexts", {"query": {"text": "a"}}, "tools"),
    ("augmentPrompt", {"contents": [{"parts": [{"text": "a"}]}]}, "vertexRagStore"),
    ("augmentPrompt", {}, "contents"),
    ("corroborateContent", {}, "content"),
    ("corroborateContent", {"content": {"parts": [{"text": "a"}]}}, "facts"),
    (
        "corroborateContent",
        {
            "content": {"parts": [{"text": "a"}]},
            "facts": [{}],
            "parameters": {"citationThreshold": 2},
        },
        "parameters.citationThreshold",
    ),
]


@pytest.mark.parametrize(("verb", "body", "field"), MISSING)
def test_what_is_missing_is_named(v1: Rag, verb: str, body: Any, field: str) -> None:
    refused = v1.call(f"{v1.location}:{verb}", "POST", body)
    assert refused.status == 400
    assert refused.body["error"]["details"][1]["fieldViolations"][0]["field"] == field
