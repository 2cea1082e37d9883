"""What a generateContent request is read as, and what it is refused for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.answering.methods import prompt_contents
from service.answering.retrieval.context_scopes import DistanceBounds
from service.generation.generator import PastTurn
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, ServiceError, Unimplemented
from sessions.resources.generate_content import GenerateContentRequest

CORPUS = "projects/p/locations/l/ragCorpora/7"
STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"


def said(role: str, *texts: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text} for text in texts]}


def read(*contents: dict[str, Any], **fields: Any) -> prompt_contents.PromptRequest:
    body = {"contents": contents or [said("user", "Hello?")], **fields}
    return prompt_contents.read(
        json_codec.decode(GenerateContentRequest, json.dumps(body).encode(), ignore_unknown=True)
    )


def rag(**fields: Any) -> list[dict[str, Any]]:
    return [
        {"retrieval": {"vertexRagStore": {"rag_resources": [{"rag_corpus": CORPUS}], **fields}}}
    ]


def search(**fields: Any) -> list[dict[str, Any]]:
    return [{"retrieval": {"vertexAiSearch": fields}}]


def test_the_contents_become_turns() -> None:
    prompt = read(
        said("user", "What is the fee?"),
        said("model", "It is "),
        said("model", "5 euros."),
        said("user", "And for children?", "Under twelve."),
    )
    assert prompt.text == "And for children?\nUnder twelve."
    assert prompt.history == (PastTurn("What is the fee?", "It is 5 euros."),)


def test_a_content_without_a_role_is_the_user() -> None:
    assert read({"parts": [{"text": "Hello?"}]}).text == "Hello?"


def test_thoughts_are_left_out() -> None:
    thought = {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "Yes."}]}
    prompt = read(said("user", "Is it?"), thought, said("user", "Sure?"))
    assert prompt.history == (PastTurn("Is it?", "Yes."),)


def test_unknown_fields_are_ignored_at_any_depth() -> None:
    assert read(nothing=1, generationConfig={"nothing": {"at": "all"}}).count == 1


def test_a_corpus_is_reached_with_all_that_is_said_of_it() -> None:
    config = {
        "top_k": 4,
        "filter": {"vector_distance_threshold": 0.4, "metadata_filter": 'id: ANY("1")'},
    }
    prompt = read(tools=rag(rag_retrieval_config=config))
    assert prompt.scope is not None
    assert prompt.scope.parent == CORPUS
    assert (prompt.scope.count, prompt.scope.bounds) == (4, DistanceBounds(below=0.4))
    assert prompt.scope.filter == 'id: ANY("1")'


def test_files_narrow_the_filter() -> None:
    store = {"rag_resources": [{"rag_corpus": CORPUS, "rag_file_ids": ["1", "2"]}]}
    prompt = read(tools=[{"retrieval": {"vertex_rag_store": store}}])
    assert prompt.scope is not None
    assert prompt.scope.filter == 'id: ANY("1", "2")'


def test_the_older_forms_say_the_same() -> None:
    older = [
        {
            "retrieval": {
                "vertexRagStore": {
                    "ragCorpora": [CORPUS],
                    "similarityTopK": 4,
                    "vectorDistanceThreshold": 0.4,
                }
            }
        }
    ]
    newer = rag(ragRetrievalConfig={"topK": 4, "filter": {"vectorDistanceThreshold": 0.4}})
    assert read(tools=older).scope == read(tools=newer).scope


def test_a_data_store_is_reached_in_its_short_form() -> None:
    prompt = read(tools=search(datastore="projects/p/locations/l/dataStores/d", max_results=3))
    assert prompt.scope is not None
    assert (prompt.scope.parent, prompt.scope.count, prompt.scope.bounds) == (STORE, 3, None)


def test_stores_of_an_engine_can_be_narrowed() -> None:
    engine = STORE.replace("dataStores/d", "engines/e")
    spec = {"dataStore": STORE, "filter": 'kind: ANY("a")'}
    scope = read(tools=search(engine=engine, dataStoreSpecs=[spec])).scope
    assert scope is not None
    assert scope.parent == engine
    (narrowed,) = scope.params().data_store_specs
    assert (narrowed.data_store, narrowed.filter) == (STORE, 'kind: ANY("a")')


def test_attribution_can_be_disabled() -> None:
    tools = [{"retrieval": {**rag()[0]["retrieval"], "disableAttribution": True}}]
    request = read(tools=tools).query
    assert request.grounding_spec is not None
    assert not request.grounding_spec.include_grounding_supports


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"contents": []}, "contents"),
    ({"contents": [said("user", " ")]}, "contents[0].parts"),
    ({"contents": [said("user", "a"), said("model", "b")]}, "contents[1].role"),
    ({"contents": [said("tool", "a")]}, "contents[0].role"),
    ({"contents": [said("user", "x" * 10_001)]}, "contents[0].parts"),
    (
        {"contents": [{"parts": [{"text": "a"}, {"inlineData": {"mime_type": "image/png"}}]}]},
        "contents[0].parts[1].inlineData",
    ),
    (
        {"contents": [{"parts": [{"functionResponse": {"name": "f"}}]}]},
        "contents[0].parts[0].functionResponse",
    ),
    ({"systemInstruction": {"parts": [{"fileData": {}}]}}, "systemInstruction.parts[0].fileData"),
    ({"generationConfig": {"temperature": 2.5}}, "generationConfig.temperature"),
    ({"generationConfig": {"topP": -1}}, "generationConfig.topP"),
    ({"generationConfig": {"candidateCount": 9}}, "generationConfig.candidateCount"),
    ({"generationConfig": {"maxOutputTokens": 0}}, "generationConfig.maxOutputTokens"),
    ({"generationConfig": {"stopSequences": list("abcdef")}}, "generationConfig.stopSequences"),
    (
        {"generationConfig": {"responseMimeType": "application/json"}},
        "generationConfig.responseMimeType",
    ),
    (
        {"generationConfig": {"responseSchema": {"type": "OBJECT"}}},
        "generationConfig.responseSchema",
    ),
    ({"generationConfig": {"responseLogprobs": True}}, "generationConfig.responseLogprobs"),
    (
        {"generationConfig": {"responseModalities": ["AUDIO"]}},
        "generationConfig.responseModalities",
    ),
    ({"generationConfig": {"speechConfig": {}}}, "generationConfig.speechConfig"),
    ({"safetySettings": [{"threshold": "OFF"}]}, "safetySettings[0].category"),
    ({"safetySettings": [{"category": 1}, {"category": 1}]}, "safetySettings[1].category"),
    ({"tools": [*rag(), *rag()]}, "tools[1].retrieval"),
    ({"tools": [{"retrieval": {}}]}, "tools[0].retrieval"),
    ({"tools": search()}, "tools[0].retrieval.vertexAiSearch"),
    ({"tools": search(datastore=STORE, engine="e")}, "tools[0].retrieval.vertexAiSearch"),
    ({"tools": search(datastore="d")}, "tools[0].retrieval.vertexAiSearch.datastore"),
    (
        {"tools": search(datastore=STORE, maxResults=21)},
        "tools[0].retrieval.vertexAiSearch.maxResults",
    ),
    ({"tools": search(datastore=STORE, filter="a b")}, "tools[0].retrieval.vertexAiSearch.filter"),
    (
        {"tools": [{"retrieval": {"vertexRagStore": {}}}]},
        "tools[0].retrieval.vertexRagStore.ragResources",
    ),
    (
        {"tools": rag(ragRetrievalConfig={"topK": 101})},
        "tools[0].retrieval.vertexRagStore.ragRetrievalConfig.topK",
    ),
    (
        {"tools": rag(ragRetrievalConfig={"filter": {"vectorDistanceThreshold": -0.1}})},
        "tools[0].retrieval.vertexRagStore.ragRetrievalConfig.filter.vectorDistanceThreshold",
    ),
    (
        {"tools": rag(ragRetrievalConfig={"topK": 3}, similarityTopK=3)},
        "tools[0].retrieval.vertexRagStore.similarityTopK",
    ),
    (
        {"tools": rag(ragRetrievalConfig={"hybridSearch": {"alpha": 2}})},
        "tools[0].retrieval.vertexRagStore.ragRetrievalConfig.hybridSearch.alpha",
    ),
]


@pytest.mark.parametrize(("fields", "field"), REFUSED, ids=[field for _, field in REFUSED])
def test_what_cannot_be_is_refused_by_its_path(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(**({"contents": [said("user", "a")]} | fields))
    assert refused.value.field == field


STORE_FIELD = "tools[0].retrieval.vertexRagStore"
TWICE = {"ragCorpora": [CORPUS], "ragResources": [{"ragCorpus": CORPUS}]}
FILES = [{"ragCorpus": CORPUS, "ragFileIds": ["a"]}]
FAR = {"ragRetrievalConfig": {"filter": {"vectorDistanceThreshold": 0.1}}}
SIMILAR = {"ragRetrievalConfig": {"filter": {"vectorSimilarityThreshold": -2}}}


@pytest.mark.parametrize(
    ("store", "field"),
    [
        (TWICE, STORE_FIELD),
        ({"ragResources": FILES}, f"{STORE_FIELD}.ragResources[0].ragFileIds[0]"),
        ({**FAR, "vectorDistanceThreshold": 0.2}, f"{STORE_FIELD}.vectorDistanceThreshold"),
        (SIMILAR, f"{STORE_FIELD}.ragRetrievalConfig.filter.vectorSimilarityThreshold"),
    ],
)
def test_a_corpus_is_named_once_and_bounded_once(store: dict[str, Any], field: str) -> None:
    whole = {"ragResources": [{"ragCorpus": CORPUS}]} | store
    with pytest.raises(InvalidArgument) as refused:
        read(tools=[{"retrieval": {"vertexRagStore": whole}}])
    assert refused.value.field == field


def test_all_contents_together_are_bounded() -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(said("user", "a"), said("model", "x" * 1_000_001), said("user", "b"))
    assert refused.value.field == "contents"


NOT_OFFERED: list[tuple[dict[str, Any], str]] = [
    ({"tools": [{"googleSearch": {}}]}, "tools[0].googleSearch"),
    ({"tools": [{"codeExecution": {}}]}, "tools[0].codeExecution"),
    ({"tools": [{"urlContext": {}}]}, "tools[0].urlContext"),
    ({"cachedContent": "c"}, "cachedContent"),
    ({"modelArmorConfig": {}}, "modelArmorConfig"),
    ({"tools": rag(storeContext=True)}, "tools[0].retrieval.vertexRagStore.storeContext"),
]


@pytest.mark.parametrize(("fields", "field"), NOT_OFFERED, ids=[field for _, field in NOT_OFFERED])
def test_what_is_not_offered_is_refused_by_name(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Unimplemented) as refused:
        read(**({"contents": [said("user", "a")]} | fields))
    assert refused.value.metadata["field"] == field


def test_ranking_by_a_model_needs_one() -> None:
    tools = rag(ragRetrievalConfig={"ranking": {"llmRanker": {"modelName": "m"}}})
    with pytest.raises(InvalidArgument) as refused:
        read(said("user", "a"), tools=tools)
    field = "tools[0].retrieval.vertexRagStore.ragRetrievalConfig.ranking.llmRanker"
    assert (refused.value.field, refused.value.reason) == (field, "NEEDS_MODEL")


def test_sampling_is_checked_and_changes_nothing() -> None:
    config = {"temperature": 1.5, "topP": 0.5, "topK": 40.0, "seed": 7, "presencePenalty": 0.5}
    assert read(generationConfig=config).query == read().query


def test_refusals_are_service_errors() -> None:
    with pytest.raises(ServiceError):
        read(tools=[{"googleMaps": {}}])
