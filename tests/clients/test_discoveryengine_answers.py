"""Answers through the official clients of every version."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.api_core import exceptions

from tests import waiting
from tests.clients import asking
from tests.clients.asking import (
    QUERY,
    SAID,
    Town,
    answer,
    ask,
    get,
    post,
)
from tests.clients.discovery import Api, Service


@pytest.fixture(scope="module")
def town(service: Service) -> Town:
    return asking.town(service.url)


@pytest.fixture(params=["v1", "v1beta", "v1alpha"])
def api(request: Any, town: Town) -> Api:
    return town.api(request.param)


def check_spans(told: Any, spans: Any) -> None:
    """Hold the laws of segments: whole sentences, in order, apart, of references that are."""
    data, at = told["answerText"].encode(), 0
    for span in spans:
        start, end = int(span.get("startIndex", 0)), int(span["endIndex"])
        assert at <= start < end <= len(data)
        text = data[start:end].decode()
        assert text == text.strip()
        assert not data[end : end + 1].strip()
        assert not data[at:start].strip() or span.get("sources")
        sources = [source["referenceId"] for source in span.get("sources", ())]
        assert len(set(sources)) == len(sources)
        assert all(0 <= int(source) < len(told["references"]) for source in sources)
        at = end


@pytest.mark.parametrize("form", ["short", "long", "engine"])
def test_an_answer_without_a_session_cites_what_it_says(api: Api, town: Town, form: str) -> None:
    parent = {"short": town.short(), "long": town.store, "engine": town.engine}[form]
    reply = ask(api, parent, answer_generation_spec={"include_citations": True})
    told = reply.answer
    assert (told.state.name, told.name, reply.session.name) == ("SUCCEEDED", "", "")
    citation = told.citations[0]
    cited = told.answer_text.encode()[citation.start_index : citation.end_index].decode()
    assert cited == SAID
    reference = told.references[int(citation.sources[0].reference_id)]
    info = reference.unstructured_document_info
    assert info.document == f"{town.store}/branches/0/documents/permit"
    assert (info.uri, info.title) == ("https://x.example/permit", "Parking permits")
    assert SAID in info.chunk_contents[0].content


def test_every_token_is_its_own_and_nothing_is_kept(town: Town) -> None:
    client = town.v1.client("SessionService")
    before = {session.name for session in client.list_sessions(parent=town.store)}
    replies = [ask(town.v1, town.store) for _ in range(2)]
    replies += [ask(town.v1, town.store, session=f"{town.store}/sessions/-") for _ in range(2)]
    assert len({reply.answer_query_token for reply in replies} - {""}) == 4
    after = {session.name for session in client.list_sessions(parent=town.store)}
    assert after - before == {reply.session.name for reply in replies[2:]}


@pytest.mark.parametrize("form", ["short", "long", "engine"])
def test_an_answer_in_a_session_is_kept_there(api: Api, town: Town, form: str) -> None:
    parent = {"short": town.short(), "long": town.store, "engine": town.engine}[form]
    canonical = town.engine if form == "engine" else town.store
    client = api.client("ConversationalSearchService")
    reply = ask(api, parent, session=f"{parent}/sessions/-", user_pseudo_id="ann")
    assert reply.answer.name.startswith(f"{canonical}/sessions/")
    assert (reply.session.user_pseudo_id, reply.session.state.name) == ("ann", "IN_PROGRESS")
    assert client.get_answer(name=reply.answer.name) == reply.answer
    again = ask(api, parent, "How is it sent?", session=reply.session.name)
    session = client.get_session(name=reply.session.name)
    assert session == again.session
    assert [turn.query.text for turn in session.turns] == [QUERY, "How is it sent?"]
    assert [turn.answer for turn in session.turns] == [reply.answer.name, again.answer.name]
    assert session.turns[0].query.query_id.startswith(f"{api.location}/questions/")
    assert session.display_name == QUERY


def test_times_follow_each_other(town: Town) -> None:
    for _ in range(5):
        reply = ask(town.v1, town.store, session=f"{town.store}/sessions/-")
        session, told = reply.session, reply.answer
        times = [session.start_time, told.create_time, told.complete_time, session.end_time]
        assert times == sorted(times)
        assert told.create_time.utcoffset().total_seconds() == 0


def test_a_follow_up_is_read_in_the_light_of_its_session(town: Town) -> None:
    session = ask(town.v1, town.store, session=f"{town.store}/sessions/-").session.name

    def searches(**request: Any) -> str:
        reply = ask(
            town.v1, town.store, "How long does it take to get it?", session=session, **request
        )
        return reply.answer.steps[0].actions[0].search_action.query

    assert "parking permit" in searches()
    off: Any = {"query_understanding_spec": {"query_rephraser_spec": {"disable": True}}}
    assert searches(**off) == "How long does it take to get it?"


def test_concurrent_answers_all_find_their_place(town: Town) -> None:
    session = ask(town.v1, town.store, session=f"{town.store}/sessions/-").session.name
    texts = [f"{QUERY} {number}" for number in range(4)]

    def concurrently(text: str) -> Any:
        return ask(town.v1, town.store, text, session=session)

    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(concurrently, texts))
    turns = town.v1.client("SessionService").get_session(name=session).turns
    assert sorted(turn.query.text for turn in turns[1:]) == texts
    assert {turn.answer for turn in turns[1:]} == {reply.answer.name for reply in replies}


@pytest.mark.filterwarnings("ignore:Unrecognized State")  # v1alpha knows no STREAMING
def test_an_asynchronous_answer_is_polled(api: Api, town: Town) -> None:
    reply = ask(api, town.store, session=f"{town.store}/sessions/-", asynchronous_mode=True)
    assert reply.answer == api.types.Answer(name=reply.answer.name, state="IN_PROGRESS")
    assert reply.session.turns[0].answer == reply.answer.name
    client = api.client("ConversationalSearchService")
    waiting.until(lambda: client.get_answer(name=reply.answer.name).state == 3)
    assert SAID in client.get_answer(name=reply.answer.name).answer_text


def test_what_is_not_there_is_not_found(api: Api, town: Town) -> None:
    with pytest.raises(exceptions.NotFound):
        ask(api, town.store, session=f"{town.store}/sessions/404")
    with pytest.raises(exceptions.NotFound):
        ask(api, f"{api.collection}/dataStores/absent")
    with pytest.raises(exceptions.NotFound):
        api.client("ConversationalSearchService").answer_query(
            {"serving_config": f"{town.store}/servingConfigs/mine", "query": {"text": QUERY}}
        )
    with pytest.raises(exceptions.NotFound):
        api.client("ConversationalSearchService").get_answer(
            name=f"{town.store}/sessions/1/answers/1"
        )


def test_citations_and_supports_count_bytes_of_whole_sentences(town: Town) -> None:
    told = answer(
        town,
        town.store,
        "What does a café terrace cost, and what must it keep free?",
        answerGenerationSpec={"includeCitations": True},
        groundingSpec={"includeGroundingSupports": True},
    )
    assert len(told["answerText"].encode()) > len(told["answerText"])
    assert len(told["citations"]) > 1
    check_spans(told, told["citations"])
    check_spans(told, told["groundingSupports"])
    assert "startIndex" not in told["citations"][0]
    assert told["groundingScore"] == 1.0
    for support in told["groundingSupports"]:
        assert support["groundingCheckRequired"] is True
        assert 0 <= support["groundingScore"] <= 1


def test_what_is_not_asked_for_is_not_told(town: Town) -> None:
    told = answer(town, town.store)
    extras = {"citations", "groundingSupports", "groundingScore", "relatedQuestions"}
    extras |= {"safetyRatings", "queryUnderstandingInfo", "answerSkippedReasons", "name"}
    assert not extras & told.keys()


def test_related_questions_are_others(town: Town) -> None:
    told = answer(town, town.store, relatedQuestionsSpec={"enable": True})
    related = told["relatedQuestions"]
    assert "How do I apply for a parking permit?" in related
    assert len(set(related) - {QUERY}) == len(related) <= 5


def test_a_document_of_fields_only_is_a_structured_reference(town: Town) -> None:
    told = answer(town, town.store, "How much is the toll of the harbour bridge?")
    info = told["references"][0]["structuredDocumentInfo"]
    assert info["document"].endswith("/documents/bridge")
    assert info["title"] == "Harbour bridge"
    assert info["structData"]["year"] == 3.0
    assert "toll" in told["answerText"]


def test_steps_tell_what_was_searched_and_found(town: Town) -> None:
    (step,) = answer(town, town.store)["steps"]
    assert (step["state"], step["description"]) == ("SUCCEEDED", "Rephrase the query and search.")
    (action,) = step["actions"]
    assert action["searchAction"] == {"query": QUERY}
    result = action["observation"]["searchResults"][0]
    assert result["document"] == f"{town.store}/branches/0/documents/permit"
    assert (result["title"], result["uri"]) == ("Parking permits", "https://x.example/permit")
    assert result["structData"]["kind"] == "traffic"
    (snippet,) = result["snippetInfo"]
    assert snippet["snippetStatus"] == "SUCCESS"
    assert "40 €" in snippet["snippet"]


def test_enums_are_numbers_where_they_are_asked_for(town: Town) -> None:
    body = {"query": {"text": QUERY}, "safetySpec": {"enable": True}}
    for query in ("?$alt=json;enum-encoding=int", "?%24alt=json%3Benum-encoding%3Dint"):
        told = post(town.v1, town.store, body, query=query).body["answer"]
        assert (told["state"], told["steps"][0]["state"]) == (3, 3)
        assert told["safetyRatings"][0]["category"] == 1
    told = post(town.v1, town.store, body).body["answer"]
    assert (told["state"], told["steps"][0]["state"]) == ("SUCCEEDED", "SUCCEEDED")


def test_requests_are_read_in_either_spelling_of_their_fields(town: Town) -> None:
    body = {
        "query": {"text": QUERY},
        "answer_generation_spec": {
            "include_citations": True,
            "model_spec": {"modelVersion": "stable"},
        },
        "groundingSpec": {"include_grounding_supports": True, "filtering_level": "2"},
        "endUserSpec": {"endUserMetadata": [{"chunkInfo": {"content": "Has two cars."}}]},
        "userLabels": {"team": "blue"},
        "queryUnderstandingSpec": {"disableSpellCorrection": True},
    }
    told = post(town.v1, town.store, body).body["answer"]
    assert told["citations"]
    assert told["groundingScore"] == 1.0


def test_an_answer_stays_as_it_was(town: Town) -> None:
    reply = ask(town.v1, town.store, session=f"{town.store}/sessions/-")
    first = get(town.v1, reply.answer.name)
    ask(town.v1, town.store, "And the terrace?", session=reply.session.name)
    assert get(town.v1, reply.answer.name) == first
