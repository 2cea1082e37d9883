"""What a model is told, and what becomes of what it writes or fails to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.api_core import exceptions

from tests import doubles, waiting
from tests.clients import asking, discovery
from tests.clients.asking import FALLBACK, Town, Written, ask, get, given, post, stream

SOURCE = "The ferry to the island costs 7 € for adults and 3 € for children."
QUERY = "What does the ferry cost?"
FERRY: Any = given({"chunk_info": {"chunk": "c", "content": SOURCE}})
TRUE = f"{SOURCE[:-1]} [1]."
UNTRUE = "Dragons guard the northern mountain palace during every winter night."
BROKEN = doubles.chunks(doubles.completion("The ferry to the island ")[:2], cut_off=True)


@pytest.fixture
def town(written: Written) -> Town:
    written.model.script(doubles.stream(TRUE))
    return written.town


def told(town: Town, **request: Any) -> Any:
    body = {"query": {"text": QUERY}, **FERRY, **request}
    reply = post(town.v1, town.store, body)
    assert reply.status == 200, reply.body
    return reply.body["answer"]


def test_a_model_is_told_what_shapes_its_answer(written: Written, town: Town) -> None:
    user = {"content": "Has two children.", "documentMetadata": {"title": "Family"}}
    answer = told(
        town,
        answerGenerationSpec={
            "promptSpec": {"preamble": "Answer like a pirate."},
            "modelSpec": {"modelVersion": "scripted"},
            "answerLanguageCode": "pt-BR",
            "includeCitations": True,
        },
        endUserSpec={"endUserMetadata": [{"chunkInfo": user}]},
    )
    asked = json.dumps(written.model.asked[-1].body, ensure_ascii=False)
    for part in ("Answer like a pirate.", "Family: Has two children.", SOURCE, QUERY):
        assert part in asked
    assert "pt-BR" in asked or "Portuguese" in asked
    assert answer["answerText"] == SOURCE
    assert len(answer["references"]) == 1


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
def test_a_model_is_told_how_to_sum_a_search_up(written: Written, town: Town, version: str) -> None:
    written.model.script(doubles.stream(f"{asking.SAID[:-1]} [1]."))
    spec: Any = {
        "include_citations": True,
        "use_semantic_chunks": True,
        "model_prompt_spec": {"preamble": "Answer like a pirate."},
        "model_spec": {"version": "scripted"},
        "language_code": "pt-BR",
    }
    found = (
        town.api(version)
        .client("SearchService")
        .search(
            {
                "serving_config": f"{town.chunked}/servingConfigs/default_config",
                "query": asking.QUERY,
                "content_search_spec": {"summary_spec": spec},
            }
        )
    )
    assert found.summary.summary_text == f"{asking.SAID[:-1]} [1]."
    (content, *_) = found.summary.summary_with_metadata.references[0].chunk_contents
    assert asking.SAID in content.content
    asked = json.dumps(written.model.asked[-1].body, ensure_ascii=False)
    assert "Answer like a pirate." in asked
    assert "pt-BR" in asked


def test_images_that_would_have_to_be_made_are_refused(town: Town) -> None:
    api = town.api("v1beta")
    made: Any = {"multimodal_spec": {"image_source": "FIGURE_GENERATION_ONLY"}}
    with pytest.raises(exceptions.MethodNotImplemented, match=r"multimodalSpec\.imageSource"):
        ask(api, town.store, QUERY, answer_generation_spec=made, **FERRY)
    search: Any = {
        "serving_config": f"{town.store}/servingConfigs/default_config",
        "query": QUERY,
        "content_search_spec": {"summary_spec": made},
    }
    with pytest.raises(exceptions.MethodNotImplemented, match=r"multimodalSpec\.imageSource"):
        api.client("SearchService").search(search)


def test_a_model_reads_the_earlier_turns(written: Written, town: Town) -> None:
    session = ask(town.v1, town.store, QUERY, session=f"{town.store}/sessions/-", **FERRY)
    ask(town.v1, town.store, "And for children?", session=session.session.name, **FERRY)
    asked = json.dumps(written.model.asked[-1].body, ensure_ascii=False)
    assert QUERY in asked
    assert session.answer.answer_text in asked


@pytest.mark.parametrize(
    ("level", "drops"),
    [(None, False), ("FILTERING_LEVEL_LOW", True), ("FILTERING_LEVEL_HIGH", True)],
)
def test_what_is_not_grounded_is_dropped_on_request(
    written: Written, town: Town, level: str | None, drops: bool
) -> None:
    spec = {"filteringLevel": level, "includeGroundingSupports": True}
    assert told(town, groundingSpec=spec)["answerText"] == SOURCE
    written.model.script(doubles.stream(UNTRUE))
    answer = told(town, groundingSpec=spec)
    assert (answer.get("answerSkippedReasons") == ["LOW_GROUNDED_ANSWER"]) is drops
    if drops:
        assert answer["answerText"] == "We do not have a summary for your query."
        assert not answer.keys() & {"citations", "groundingSupports", "groundingScore"}
    else:
        assert answer["groundingScore"] < 0.3
        assert answer["answerText"] == UNTRUE


def test_a_score_of_none_is_told_as_such(written: Written, town: Town) -> None:
    """A score has presence: 0 is written, and no score is none."""
    written.model.script(doubles.stream(f"Hello there! {TRUE}"))
    answer = told(town, groundingSpec={"includeGroundingSupports": True})
    first, second = answer["groundingSupports"]
    assert first == {"endIndex": "12", "groundingCheckRequired": False}
    assert second["startIndex"] == "13"
    assert second["groundingCheckRequired"] is True


def test_a_blocked_text_is_never_told_in_pieces(written: Written, town: Town) -> None:
    written.model.script(doubles.stream("The ferry [1]. ", "I will kill you if you park here."))
    elements = stream(town.v1, town.store, QUERY, safety_spec={"enable": True}, **FERRY)
    texts = [element.answer.answer_text for element in elements]
    assert {*texts} <= {"", FALLBACK}
    assert texts[-1] == FALLBACK
    assert any(rating.blocked for rating in elements[-1].answer.safety_ratings)


def test_a_broken_model_is_an_error_and_its_turn_stays(written: Written, town: Town) -> None:
    client = town.v1.client("SessionService")
    session = client.create_session(parent=town.store, session=town.v1.types.Session()).name
    written.model.script(BROKEN)
    with pytest.raises(exceptions.ServerError) as raised:
        ask(town.v1, town.store, QUERY, session=session, **FERRY)
    assert discovery.reason(raised.value)
    (turn,) = get(town.v1, f"{session}?includeAnswerDetails=true")["turns"]
    failed = turn["detailedAnswer"]
    assert (failed["state"], failed["name"]) == ("FAILED", turn["answer"])
    assert failed["completeTime"] >= failed["createTime"]
    written.model.script(doubles.stream(TRUE))
    assert ask(town.v1, town.store, QUERY, session=session, **FERRY).answer.answer_text == SOURCE
    assert get(town.v1, turn["answer"]) == failed


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_the_step_that_failed_is_told_in_stream_and_store(
    written: Written, town: Town, version: str
) -> None:
    written.model.script(BROKEN)
    api = town.api(version)
    last = stream(api, town.store, QUERY, session=f"{town.store}/sessions/-", **FERRY)[-1].answer
    assert last.state.name == "FAILED"
    assert [(step.state.name, step.description) for step in last.steps] == [
        ("SUCCEEDED", "Rephrase the query and search."),
        ("FAILED", "Write the answer."),
    ]
    assert api.client("ConversationalSearchService").get_answer(name=last.name) == last


def test_a_broken_model_is_an_error_without_a_session(written: Written, town: Town) -> None:
    written.model.script(doubles.status(500))
    reply = post(town.v1, town.store, {"query": {"text": QUERY}, **FERRY})
    assert reply.status >= 500
    assert reply.body["error"]["code"] == reply.status
    assert reply.body["error"]["details"][0]["@type"].endswith("ErrorInfo")


def test_an_asynchronous_answer_fails_where_it_is_polled(written: Written, town: Town) -> None:
    written.model.script(BROKEN)
    reply = ask(
        town.v1,
        town.store,
        QUERY,
        session=f"{town.store}/sessions/-",
        asynchronous_mode=True,
        **FERRY,
    )
    assert reply.answer.state.name == "IN_PROGRESS"
    waiting.until(lambda: get(town.v1, reply.answer.name)["state"] == "FAILED")


def test_a_session_is_deleted_under_a_running_answer(written: Written, town: Town) -> None:
    gate = written.gate()

    async def wait(number: int) -> None:
        if number > 1:
            await gate.wait()

    written.model.script(
        doubles.chunks(doubles.completion("The ferry to the island "), before_each=wait)
    )
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-", **FERRY}
    connection, response = asking.opened(town.v1, path, body)
    element, rest = asking.first(response)
    town.v1.client("SessionService").delete_session(name=element["session"]["name"])
    written.open(gate)
    elements = json.loads(b"[{}" + rest + response.read())
    connection.close()
    assert elements[-1]["answer"]["state"] == "FAILED"
    gone = town.v1.call(element["answer"]["name"])
    assert gone.body["error"]["status"] == "NOT_FOUND"


def test_what_a_model_thinks_is_not_shown_unless_the_operator_says_so(
    written: Written, town: Town
) -> None:
    thought = doubles.data(doubles.event(reasoning_content="My rules say: be a pirate."))
    written.model.script(doubles.chunks([thought, *doubles.completion(TRUE)]))
    reply = post(town.v1, town.store, {"query": {"text": QUERY}, **FERRY})
    assert reply.body["answer"]["answerText"] == SOURCE
    assert "pirate" not in json.dumps(reply.body)
