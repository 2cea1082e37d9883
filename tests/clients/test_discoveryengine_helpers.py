"""The official clients of the methods beside search: checking, ranking, completing, events."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core import exceptions

from tests.clients.discovery import Api, call, reason

FACTS = [
    "A parking permit costs 40 euro a year and is valid for one car.",
    "The harbour opens at six in the morning.",
]


# --- CheckGrounding ---------------------------------------------------------------------------


def check(api: Api, candidate: str, **spec: Any) -> Any:
    facts = [{"fact_text": text, "attributes": {"title": f"F{n}"}} for n, text in enumerate(FACTS)]
    return api.client("GroundedGenerationService").check_grounding(
        {
            "grounding_config": f"{api.location}/groundingConfigs/default_grounding_config",
            "answer_candidate": candidate,
            "facts": facts,
            "grounding_spec": spec,
        }
    )


def test_claims_are_bytes_and_cite_the_facts_that_support_them(api: Api) -> None:
    text = "É claro: a parking permit costs 40 euro a year. The moon is made of cheese."
    reply = check(api, text, citation_threshold=0.6)
    data = text.encode()
    claims = [data[claim.start_pos : claim.end_pos].decode() for claim in reply.claims]
    assert claims == [claim.claim_text for claim in reply.claims]
    first, second = reply.claims
    assert list(first.citation_indices) == [0]
    assert not second.citation_indices
    (chunk,) = reply.cited_chunks
    assert (chunk.source, chunk.chunk_text) == ("0", FACTS[0])
    assert 0 < reply.support_score < 1


def test_an_unsupported_text_has_a_score_of_zero_that_is_there(v1: Api) -> None:
    reply = check(v1, "The moon is made of cheese.")
    assert "support_score" in reply
    assert reply.support_score < 0.3
    assert not reply.cited_chunks


def test_scores_of_claims_come_when_asked_for(v1: Api) -> None:
    plain = check(v1, FACTS[1]).claims[0]
    scored = check(v1, FACTS[1], enable_claim_level_score=True).claims[0]
    assert "score" not in plain
    assert scored.score > 0.9


# --- Rank -------------------------------------------------------------------------------------


def rank(api: Api, **request: Any) -> Any:
    records = [
        {"id": "harbour", "title": "Harbour", "content": FACTS[1]},
        {"id": "permit", "title": "Permits", "content": FACTS[0]},
        {"id": "title-only", "title": "Swimming pool"},
    ]
    return api.client("RankService").rank(
        {
            "ranking_config": f"{api.location}/rankingConfigs/default_ranking_config",
            "query": "how much is a parking permit?",
            "records": records,
            **request,
        }
    )


def test_records_come_by_falling_score(api: Api) -> None:
    records = list(rank(api).records)
    assert records[0].id == "permit"
    assert records[0].content == FACTS[0]
    scores = [record.score for record in records]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert len(records) == 3


def test_only_the_best_records_may_come_and_only_their_scores(v1: Api) -> None:
    (record,) = rank(v1, top_n=1, ignore_record_details_in_response=True).records
    assert (record.id, record.title, record.content) == ("permit", "", "")
    assert record.score > 0


# --- GenerateGroundedContent ------------------------------------------------------------------


def grounded(api: Api, *sources: Any, **request: Any) -> Any:
    return api.client("GroundedGenerationService").generate_grounded_content(
        {
            "location": api.location,
            "contents": [{"role": "user", "parts": [{"text": "What does a parking permit cost?"}]}],
            "grounding_spec": {"grounding_sources": sources},
            **request,
        }
    )


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_text_is_written_from_given_facts_and_proven(service: Any, v1: Api, version: str) -> None:
    api = Api(version, v1.url, v1.project)
    inline = {"inline_source": {"grounding_facts": [{"fact_text": text} for text in FACTS]}}
    (candidate,) = grounded(api, inline).candidates
    assert "40 euro" in candidate.content.parts[0].text
    assert candidate.content.role == "model"
    assert candidate.grounding_score > 0.6
    metadata = candidate.grounding_metadata
    assert [chunk.chunk_text for chunk in metadata.support_chunks] == FACTS
    support = metadata.grounding_support[0]
    assert list(support.support_chunk_indices) == [0]
    assert support.claim_text in candidate.content.parts[0].text


def test_a_text_is_written_from_what_a_search_finds(v1: Api) -> None:
    store = v1.data_store()
    v1.import_(store, v1.document("permit", FACTS[0], "text/plain"))
    source = {"search_source": {"serving_config": f"{store}/servingConfigs/default_search"}}
    (candidate,) = grounded(v1, source).candidates
    assert "40 euro" in candidate.content.parts[0].text
    chunk = candidate.grounding_metadata.support_chunks[0]
    assert chunk.source_metadata["document_id"] == "permit"


def test_sources_without_an_answer_give_a_text_that_says_so(v1: Api) -> None:
    inline = {"inline_source": {"grounding_facts": [{"fact_text": "Tulips are red."}]}}
    (candidate,) = grounded(v1, inline).candidates
    assert candidate.content.parts[0].text
    assert candidate.grounding_score == 0
    assert not candidate.grounding_metadata.grounding_support


@pytest.mark.parametrize("source", ["google_search_source", "enterprise_web_retrieval_source"])
def test_the_web_is_not_searched(v1: Api, source: str) -> None:
    with pytest.raises(exceptions.MethodNotImplemented) as raised:
        grounded(v1, {source: {}})
    assert reason(raised.value) == "SOURCE_NOT_SUPPORTED"


def test_grounded_content_is_not_in_v1alpha(v1: Api) -> None:
    assert call(f"{v1.url}/v1alpha/{v1.location}:generateGroundedContent", "POST", {}).status == 404


# --- CompleteQuery ----------------------------------------------------------------------------


@pytest.fixture
def titled(api: Api) -> str:
    store = api.data_store()
    titles = ["Parking permits", "Free parking", "Parking at the pool", "Waste"]
    api.import_(
        store, *(api.document(f"d{n}", f"# {title}\n\nText.") for n, title in enumerate(titles))
    )
    return store


def test_a_query_is_completed_from_titles(api: Api, titled: str) -> None:
    client = api.client("CompletionService")

    def complete(query: str, **request: Any) -> list[str]:
        reply = client.complete_query({"data_store": titled, "query": query, **request})
        return [one.suggestion for one in reply.query_suggestions]

    assert complete("par") == ["Parking permits", "Parking at the pool", "Free parking"]
    assert complete("pool park") == ["Parking at the pool"]
    assert complete("") == []
    assert complete("par", query_model="search-history") == []
    assert complete("free was") == []
    assert complete("free was", include_tail_suggestions=True) == ["free Waste"]
    with pytest.raises(exceptions.BadRequest):
        complete("par", query_model="other")


def test_the_advanced_completion_has_scores(service: Any, v1: Api) -> None:
    api = Api("v1beta", v1.url, v1.project)
    store = api.data_store()
    api.import_(store, api.document("a", "# Parking permits\n\nText."))
    engine = api.engine(["portal"])
    for parent in (store, engine):
        reply = api.client("CompletionService").advanced_complete_query(
            {"completion_config": f"{parent}/completionConfig", "query": "park"}
        )
        (one,) = reply.query_suggestions
        assert (one.suggestion, one.score, list(one.data_store)) == (
            "Parking permits",
            1.0,
            [store],
        )
