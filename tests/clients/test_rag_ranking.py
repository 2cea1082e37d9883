"""Contexts are found by embeddings and by words, weighed as asked, and ranked by a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web
from anyio.from_thread import start_blocking_portal
from google.api_core import exceptions

from service.settings import Settings
from tests import doubles
from tests.clients import asking
from tests.clients.aiplatform import Rag
from tests.clients.conftest import running_service
from tests.clients.discovery import Service
from tests.doubles import OpenAIServer
from tests.embeddings.doubles import embeddings
from tests.redis_servers import Server
from tests.waiting import LONG, until

QUERY = "swimming lessons for children"
FILES = {
    "words": "For lessons in cooking ask at the desk. There children cook soup on Fridays.",
    "meaning": "The swimmingpools have lessonplans and childrenclubs.",
    "other": "The library lends books for four weeks.",
}
"""One that has words of the query, one that has its parts of words, and one that has neither."""


class Model(OpenAIServer):
    """Embeds by the parts of words, and answers chats as *scores* say."""

    def __init__(self) -> None:
        self.scores = ""
        super().__init__(self._reply)

    async def _reply(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith("/embeddings"):
            return await embeddings()(request)
        return await doubles.stream(self.scores)(request)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with (
        start_blocking_portal("asyncio") as portal,
        portal.wrap_async_context_manager(Model()) as server,
    ):
        yield server


@pytest.fixture(scope="module")
def modelled(
    model: Model, module_redis: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """Serve with a model that writes and one that embeds."""
    settings = Settings(
        port=0,
        data_dir=tmp_path_factory.mktemp("modelled"),
        redis_url=module_redis.service_url,
        sample=False,
        embedding_base_url=model.base_url,
        embedding_model="parts",
        llm_base_url=model.base_url,
        llm_model="scripted",
    )
    with running_service(settings) as running:
        yield running


@pytest.fixture(scope="module")
def beta(modelled: Service) -> Rag:
    return Rag("v1beta1", modelled.url)


@pytest.fixture(scope="module")
def corpus(beta: Rag) -> str:
    """A corpus whose files have their embeddings."""
    made = beta.corpus(**FILES)
    # The last file has no word of the query: once it is found, all have their embeddings.
    until(lambda: len(found(beta, made)) == len(FILES))
    return made


def found(rag: Rag, corpus: str, **config: Any) -> list[Any]:
    return rag.retrieve(corpus, QUERY, **config)


def shown(contexts: list[Any]) -> list[str]:
    return [context.source_display_name for context in contexts]


def test_a_hybrid_retrieval_tells_both_distances(beta: Rag, corpus: str) -> None:
    both = found(beta, corpus, hybrid_search={"alpha": 0.25})
    assert len(both) == 3
    for context in both:
        assert 0 < context.distance <= 2
        assert 0 < context.sparse_distance <= 1
        weighed = 0.25 * context.distance + 0.75 * context.sparse_distance
        assert context.score == pytest.approx(weighed, abs=1e-5)
    balanced = found(beta, corpus, hybrid_search={})
    assert balanced == found(beta, corpus, hybrid_search={"alpha": 0.5})
    plain = found(beta, corpus)
    assert [context.score for context in plain] == [context.distance for context in plain]
    assert not any(context.sparse_distance for context in plain)


def test_the_weight_decides_between_meaning_and_words(beta: Rag, corpus: str) -> None:
    dense = found(beta, corpus, hybrid_search={"alpha": 1})
    sparse = found(beta, corpus, hybrid_search={"alpha": 0})
    assert (shown(dense)[0], shown(sparse)[0]) == ("meaning.md", "words.md")
    assert [context.score for context in dense] == [context.distance for context in dense]
    assert [context.score for context in sparse] == [each.sparse_distance for each in sparse]


def test_thresholds_hold_for_the_distance_of_embeddings(beta: Rag, corpus: str) -> None:
    nearest, second, _ = sorted(found(beta, corpus), key=lambda context: context.distance)
    between = (nearest.distance + second.distance) / 2
    for alpha in (0, 1):
        config = {"hybrid_search": {"alpha": alpha}}
        by_distance = {"filter": {"vector_distance_threshold": between}}
        by_likeness = {"filter": {"vector_similarity_threshold": 1 - between}}
        assert shown(found(beta, corpus, **by_distance, **config)) == ["meaning.md"]
        assert shown(found(beta, corpus, **by_likeness, **config)) == ["meaning.md"]


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_a_model_ranks_contexts(modelled: Service, model: Model, corpus: str, version: str) -> None:
    """It is asked about them as they are ordered: the one by meaning is the first."""
    rag = Rag(version, modelled.url)
    rag.location = corpus.partition("/ragCorpora")[0]
    model.scores = "1: 2\n2: 9.5\n3: 5"
    ranking = {"ranking": {"llm_ranker": {"model_name": "gemini-2.0-flash"}}}
    before, ranked = found(rag, corpus), found(rag, corpus, **ranking)
    assert shown(ranked) == [shown(before)[at] for at in (1, 2, 0)]
    assert [context.score for context in ranked] == [0.95, 0.5, 0.2]
    assert QUERY in str(model.asked[-1].body["messages"])
    by_relevance = found(rag, corpus, ranking={"rank_service": {"model_name": "semantic-ranker"}})
    scores = [context.score for context in by_relevance]
    assert scores == sorted(scores, reverse=True)
    assert len(found(rag, corpus, top_k=1, **ranking)) == 1


def test_a_model_that_ranks_nothing_is_an_error(beta: Rag, model: Model, corpus: str) -> None:
    model.scores = "That depends."
    with pytest.raises(exceptions.ServiceUnavailable, match="llmRanker"):
        found(beta, corpus, ranking={"llm_ranker": {}})


def test_facts_and_asked_contexts_are_ranked_alike(beta: Rag, model: Model, corpus: str) -> None:
    model.scores = "1: 3\n2: 8\n3: 1"
    config: Any = {"ranking": {"llm_ranker": {}}, "hybrid_search": {"alpha": 0.5}, "top_k": 2}
    contexts = found(beta, corpus, **config)
    types = beta.types
    augmented = beta.rag.augment_prompt(
        types.AugmentPromptRequest(
            parent=beta.location,
            contents=[beta.content(QUERY)],
            vertex_rag_store=beta.store(corpus, **config),
        )
    )
    assert [fact.title for fact in augmented.facts] == shown(contexts)
    assert [fact.score for fact in augmented.facts] == [0.8, 0.3]
    assert [fact.vector_distance for fact in augmented.facts] == [c.distance for c in contexts]
    assert [fact.chunk for fact in augmented.facts] == [c.chunk for c in contexts]
    asked = beta.rag.async_retrieve_contexts(
        types.AsyncRetrieveContextsRequest(
            parent=beta.location,
            query=types.RagQuery(text=QUERY),
            tools=[beta.tool(corpus, **config)],
        )
    )
    assert list(asked.result(timeout=LONG).contexts.contexts) == contexts


@pytest.mark.parametrize("verb", ["retrieveContexts", "askContexts", "augmentPrompt"])
def test_without_a_model_its_ranking_is_refused_by_its_path(service: Service, verb: str) -> None:
    rag = Rag("v1", service.url)
    resource = {"ragResources": [{"ragCorpus": rag.corpus()}]}
    config: Any = {"ragRetrievalConfig": {"ranking": {"llmRanker": {}}}}
    body, field = {
        "retrieveContexts": (
            {"vertexRagStore": resource, "query": {"text": "a", **config}},
            "query",
        ),
        "askContexts": (
            {
                "query": {"text": "a"},
                "tools": [{"retrieval": {"vertexRagStore": resource | config}}],
            },
            "tools[0].retrieval.vertexRagStore",
        ),
        "augmentPrompt": (
            {"contents": [{"parts": [{"text": "a"}]}], "vertexRagStore": resource | config},
            "vertexRagStore",
        ),
    }[verb]
    reply = rag.call(f"{rag.location}:{verb}", "POST", body)
    assert reply.status == 400
    assert asking.violation(reply) == f"{field}.ragRetrievalConfig.ranking.llmRanker"
