"""Streamed answers, by the official clients and to the byte."""

from __future__ import annotations

import contextlib
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest

from tests import doubles, waiting
from tests.clients import asking
from tests.clients.asking import QUERY, SAID, Town, Written, ask, get, post, stream
from tests.clients.discovery import Service, call

ALL: Any = {
    "answer_generation_spec": {"include_citations": True},
    "grounding_spec": {"include_grounding_supports": True},
    "related_questions_spec": {"enable": True},
}
SOURCE = "The ferry to the island costs 7 € for adults and 3 € for children."
PIECES = ("The ferry to the island ", "costs 7 € for ad", "ults and 3 € for children", " [1].")


@pytest.fixture(scope="module")
def town(service: Service) -> Town:
    return asking.town(service.url)


def ferry(**more: Any) -> Any:
    """Return a request for an answer from one given chunk."""
    chunk = {"chunk": "c", "content": SOURCE, "document_metadata": {"title": "Ferry"}}
    spec = {"search_result_list": {"search_results": [{"chunk_info": chunk}]}}
    return {"query": {"text": "What does the ferry cost?"}, "search_spec": spec, **more}


def gated(written: Written, *pieces: str) -> Any:
    """Let the model say *pieces*, then wait for the returned gate."""
    gate = written.gate()

    async def wait(number: int) -> None:
        if number > len(pieces):
            await gate.wait()

    written.model.script(doubles.chunks(doubles.completion(*pieces), before_each=wait))
    return gate


def check_laws(elements: list[Any]) -> None:
    """Hold what is promised of the elements of a stream (guide/answer-life-cycle.md)."""
    *before, last = elements
    states = [element.answer.state.name for element in before]
    assert set(states) <= {"IN_PROGRESS", "STREAMING"}
    assert "IN_PROGRESS" not in states[1:]
    assert last.answer.state.name == "SUCCEEDED"
    assert "".join(e.answer.answer_text for e in before) == last.answer.answer_text
    tellings = [e for e in before if e.answer.references]
    assert [e.answer.references for e in tellings] == [last.answer.references]
    first_text = next(n for n, e in enumerate(before) if e.answer.answer_text)
    assert before.index(tellings[0]) <= first_text
    told = [citation for e in before for citation in e.answer.citations]
    assert told == list(last.answer.citations)
    same = {(e.answer.name, e.session.name, e.answer_query_token) for e in elements}
    assert len(same) == 1
    assert all(e.answer_query_token for e in elements)


@pytest.mark.parametrize("version", ["v1", "v1beta"])
@pytest.mark.parametrize("form", ["short", "long", "engine"])
def test_the_client_reads_a_stream_by_its_laws(town: Town, version: str, form: str) -> None:
    api = town.api(version)
    parent = {"short": town.short(), "long": town.store, "engine": town.engine}[form]
    elements = stream(api, parent, session=f"{parent}/sessions/-", **ALL)
    check_laws(elements)
    last = elements[-1]
    assert last.session.name.startswith(town.engine if form == "engine" else town.store)
    client = api.client("ConversationalSearchService")
    assert client.get_answer(name=last.answer.name) == last.answer
    assert last.answer.related_questions
    assert last.answer.grounding_supports
    assert last.answer.complete_time >= last.answer.create_time


def test_a_stream_without_a_session_names_nothing(town: Town) -> None:
    elements = stream(town.v1, town.store, **ALL)
    check_laws(elements)
    assert {(e.answer.name, e.session.name) for e in elements} == {("", "")}
    again = stream(town.v1, town.store)
    assert again[0].answer_query_token != elements[0].answer_query_token


def test_a_stream_tells_the_same_as_an_answer(town: Town) -> None:
    whole = ask(town.v1, town.store, **ALL).answer
    last = stream(town.v1, town.store, **ALL)[-1].answer
    for field in ("create_time", "complete_time"):
        setattr(last, field, getattr(whole, field))
    assert last == whole


def test_a_stream_always_rephrases(town: Town) -> None:
    session = ask(town.v1, town.store, session=f"{town.store}/sessions/-").session.name
    off = {"query_rephraser_spec": {"disable": True, "max_rephrase_steps": 5}}
    last = stream(
        town.v1, town.store, "How long does it take?", session=session, query_understanding_spec=off
    )[-1]
    (step,) = last.answer.steps
    assert "parking permit" in step.actions[0].search_action.query


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
def test_the_array_is_framed_to_the_byte(town: Town, version: str) -> None:
    path = f"{town.short()}/servingConfigs/default_search:streamAnswer"
    response, body = asking.raw(town.api(version), path, {"query": {"text": QUERY}})
    assert response.status == 200
    assert response.headers["content-type"] == "application/json; charset=UTF-8"
    assert response.headers["transfer-encoding"] == "chunked"
    assert "content-encoding" not in response.headers
    assert body[:2] == b"[{"
    assert body.endswith(b"}\n]")
    between = body[1:-2].split(b"\n,\n")
    elements = [json.loads(element) for element in between]
    assert json.loads(body) == elements
    assert elements[-1]["answer"]["state"] == "SUCCEEDED"
    assert SAID in elements[-1]["answer"]["answerText"]


def test_elements_have_enums_as_the_request_wants_them(town: Town) -> None:
    body = {"query": {"text": QUERY}}
    numbers = post(town.v1, town.store, body, "streamAnswer", "?$alt=json;enum-encoding=int").body
    names = post(town.v1, town.store, body, "streamAnswer").body
    assert {e["answer"]["state"] for e in numbers} == {4, 3}
    assert {e["answer"]["state"] for e in names} == {"STREAMING", "SUCCEEDED"}
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    _, events = asking.raw(town.v1, f"{path}?alt=sse&$alt=json;enum-encoding=int", body)
    assert b'"state":3' in events


def test_events_are_told_to_browsers(town: Town) -> None:
    path = f"{town.store}/servingConfigs/default_config:streamAnswer?alt=sse"
    response, body = asking.raw(town.v1, path, {"query": {"text": QUERY}})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    events = body.decode().split("\n\n")
    assert events.pop() == ""
    lines = [re.findall(r"^data: (.*)$", event, re.M) for event in events]
    assert all(len(found) == 1 for found in lines)
    elements = [json.loads(found) for (found,) in lines]
    assert elements[-1]["answer"]["state"] == "SUCCEEDED"
    pieces = [e["answer"].get("answerText", "") for e in elements[:-1]]
    assert "".join(pieces) == elements[-1]["answer"]["answerText"]


def test_a_skipped_answer_ends_at_once(town: Town) -> None:
    elements = stream(
        town.v1,
        town.store,
        "Hello, how are you today?",
        answer_generation_spec={"ignore_non_answer_seeking_query": True},
    )
    last = elements[-1].answer
    assert [reason.name for reason in last.answer_skipped_reasons] == [
        "NON_ANSWER_SEEKING_QUERY_IGNORED"
    ]
    assert last.answer_text.startswith("A summary could not be generated")
    assert "".join(e.answer.answer_text for e in elements[:-1]) in ("", last.answer_text)


def test_what_is_refused_is_no_stream(town: Town) -> None:
    refused = post(town.v1, town.store, {"query": {"text": ""}}, "streamAnswer")
    assert asking.violation(refused) == "query.text"
    missing = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/404"}
    assert post(town.v1, town.store, missing, "streamAnswer").status == 404


def test_a_model_writes_what_is_cited_by_bytes(written: Written) -> None:
    town = written.town
    written.model.script(doubles.stream(*PIECES))
    elements = stream(town.v1, town.store, **ferry(**ALL))
    check_laws(elements)
    last = elements[-1].answer
    assert last.answer_text == SOURCE
    (citation,) = last.citations
    assert (citation.start_index, citation.end_index) == (0, len(SOURCE.encode()))


def test_an_answer_can_be_watched_while_it_is_written(written: Written) -> None:
    town = written.town
    gate = gated(written, "The ferry to the island costs 7 € for adults. ", "And ")
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    body = ferry(session=f"{town.store}/sessions/-")
    connection, response = asking.opened(town.v1, path, body)
    with contextlib.closing(connection):
        first, rest = asking.first(response)
        name = first["answer"]["name"]
        waiting.until(lambda: "7 €" in get(town.v1, name).get("answerText", ""))
        told = get(town.v1, name)
        assert told["state"] == "STREAMING"
        assert "completeTime" not in told
        (turn,) = get(town.v1, first["session"]["name"])["turns"]
        assert turn["answer"] == name
        detailed = f"{first['session']['name']}?includeAnswerDetails=true"
        assert get(town.v1, detailed)["turns"][0]["detailedAnswer"] == told
        written.open(gate)
        elements = json.loads(b"[{}" + rest + response.read())
    assert elements[-1]["answer"] == get(town.v1, name)
    assert elements[-1]["answer"]["state"] == "SUCCEEDED"
    assert get(town.v1, detailed)["turns"][0]["detailedAnswer"] == elements[-1]["answer"]


def test_an_answer_goes_on_without_its_reader(written: Written) -> None:
    town = written.town
    gate = gated(written, "The ferry to the island costs 7 € for adults. ")
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    connection, response = asking.opened(town.v1, path, ferry(session=f"{town.store}/sessions/-"))
    name = asking.first(response)[0]["answer"]["name"]
    response.close()
    connection.close()
    written.open(gate)
    waiting.until(lambda: get(town.v1, name)["state"] == "SUCCEEDED")
    assert "7 €" in get(town.v1, name)["answerText"]


def test_without_a_session_nobody_is_left_to_write_for(written: Written) -> None:
    town = written.town
    gated(written, "The ferry to the island costs 7 € for adults. ")
    written.model.left.clear()
    asked = len(written.model.asked)
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    connection, response = asking.opened(town.v1, path, ferry())
    asking.first(response)
    waiting.until(lambda: len(written.model.asked) > asked)
    response.close()
    connection.close()
    waiting.until(written.model.left.is_set)


def test_a_model_that_breaks_off_ends_the_stream_properly(written: Written) -> None:
    town = written.town
    broken = doubles.completion(*PIECES)[:3]
    for session in ({}, {"session": f"{town.store}/sessions/-"}):
        written.model.script(doubles.chunks(broken, cut_off=True))
        elements = stream(town.v1, town.store, **ferry(**session))
        *before, last = elements
        assert last.answer.state.name == "FAILED"
        assert last.answer.answer_text == "".join(e.answer.answer_text for e in before)
        if session:
            kept = town.v1.client("ConversationalSearchService").get_answer(name=last.answer.name)
            assert kept == last.answer
            assert kept.complete_time


def heard(service: Service, path: str, last: str = "") -> list[tuple[str, Any]]:
    """Return the ids and elements of a stream of events that is read by a GET to its end."""
    headers = {"Last-Event-ID": last} if last else {}
    request = urllib.request.Request(f"{service.url}/{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        return events_in(response.read())


def events_in(body: bytes) -> list[tuple[str, Any]]:
    found = re.findall(r"^id: (.*)\ndata: (.*)$", body.decode(), re.M)
    return [(position, json.loads(data)) for position, data in found]


def laws_of_resuming(seen: list[tuple[str, Any]], more: list[tuple[str, Any]]) -> None:
    """What was seen and what is told then are the whole, nothing twice and nothing lost."""
    text = ""
    for _, element in [*seen, *more]:
        if element.get("reset"):
            text = ""
        if element["answer"]["state"] == "STREAMING":
            text += element["answer"].get("answerText", "")
    last = more[-1][1]["answer"]
    assert last["state"] == "SUCCEEDED"
    assert text == last["answerText"]
    assert [e["answer"]["state"] for _, e in more].count("SUCCEEDED") == 1


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1alpha"])
def test_an_answer_is_followed_again_from_any_event_on(
    town: Town, service: Service, version: str
) -> None:
    for parent in (town.store, town.store.replace("/collections/default_collection", "")):
        path = f"{parent}/servingConfigs/default_config:streamAnswer?alt=sse"
        body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
        seen = events_in(asking.raw(town.v1, path, body)[1])
        name = seen[0][1]["answer"]["name"]
        again = f"{version}/{name.replace(town.store, parent)}:stream?alt=sse"
        for n in (1, len(seen) // 2, len(seen) - 1):
            position = seen[n - 1][0]
            more = heard(service, again, position)
            laws_of_resuming(seen[:n], more)
            assert more == heard(service, f"{again}&after={position}")
            assert more[-1] == seen[-1]
            assert not any("reset" in element for _, element in more)
        laws_of_resuming([], heard(service, again))


def test_what_was_heard_last_counts_more_than_where_it_began(town: Town, service: Service) -> None:
    """A browser connects again to the address that it has, with the id of its last event."""
    path = f"{town.store}/servingConfigs/default_config:streamAnswer?alt=sse"
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    seen = events_in(asking.raw(town.v1, path, body)[1])
    again = f"v1/{seen[0][1]['answer']['name']}:stream?alt=sse&after={seen[0][0]}"
    assert heard(service, again, seen[-2][0]) == [seen[-1]]


def test_a_position_that_is_gone_resets(town: Town, service: Service) -> None:
    path = f"{town.store}/servingConfigs/default_config:streamAnswer?alt=sse"
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    seen = events_in(asking.raw(town.v1, path, body)[1])
    again = f"v1/{seen[0][1]['answer']['name']}:stream?alt=sse"
    for position in ("1-99999", "7-0"):
        more = heard(service, again, position)
        assert [element.get("reset") for _, element in more] == [True, None]
        laws_of_resuming(seen, more)


def test_an_answer_is_followed_while_it_is_written(written: Written) -> None:
    town = written.town
    gate = gated(written, "The ferry to the island costs 7 € for adults. ", "And ")
    path = f"{town.store}/servingConfigs/default_config:streamAnswer"
    connection, response = asking.opened(town.v1, path, ferry(session=f"{town.store}/sessions/-"))
    name = asking.first(response)[0]["answer"]["name"]
    waiting.until(lambda: "7 €" in get(town.v1, name).get("answerText", ""))
    with urllib.request.urlopen(f"{town.v1.url}/v1/{name}:stream?alt=sse", timeout=20) as follower:
        snapshot = events_in(follower.readline() + follower.readline())
        assert "7 €" in snapshot[0][1]["answer"]["answerText"]
        url = f"{town.v1.url}/v1/{name}:stream?alt=sse&after={snapshot[0][0]}"
        with urllib.request.urlopen(url, timeout=20) as late:
            assert late.readline() == b":\n"  # there is nothing yet, and the stream is open
            written.open(gate)
            laws_of_resuming(snapshot, events_in(late.read()))
        laws_of_resuming(snapshot, events_in(follower.read()))
    response.close()
    connection.close()


def test_without_events_it_is_an_array(town: Town) -> None:
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    name = post(town.v1, town.store, body).body["answer"]["name"]
    elements = get(town.v1, f"{name}:stream")
    assert elements[-1]["answer"] == get(town.v1, name)
    assert elements[0]["answer"]["answerText"] == elements[-1]["answer"]["answerText"]


def test_what_cannot_be_followed_is_refused(town: Town) -> None:
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    name = post(town.v1, town.store, body).body["answer"]["name"]
    for missing in (f"{town.store}/sessions/1/answers/404", f"{town.store}x/sessions/1/answers/1"):
        assert town.v1.call(f"{missing}:stream?alt=sse").status == 404
    for wrong in ("x", "1", "1-", "-1-0", "1-0-0", "9" * 20 + "-0", "٣-٤"):
        query = urllib.parse.urlencode({"alt": "sse", "after": wrong})
        assert asking.violation(town.v1.call(f"{name}:stream?{query}")) == "after"
        if wrong.isascii():
            reply = call(f"{town.v1.url}/v1/{name}:stream?alt=sse", **{"Last-Event-ID": wrong})
            assert asking.violation(reply) == "Last-Event-ID"


def test_a_question_is_not_asked_again_by_a_reader_that_comes_back(town: Town) -> None:
    config = f"{town.store}/servingConfigs/default_config:streamAnswer?alt=sse"
    before = town.v1.call(f"{town.store}/sessions?pageSize=1000").body
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    url = f"{town.v1.url}/v1/{config}"
    reply = call(url, "POST", body, **{"Last-Event-ID": "1-3"})
    assert asking.violation(reply) == "Last-Event-ID"
    assert town.v1.call(f"{town.store}/sessions?pageSize=1000").body == before


def test_the_head_of_a_stream_has_an_end(town: Town) -> None:
    body = {"query": {"text": QUERY}, "session": f"{town.store}/sessions/-"}
    name = post(town.v1, town.store, body).body["answer"]["name"]
    url = f"{town.v1.url}/v1/{name}:stream?alt=sse"
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=20) as head:
        assert (head.status, head.read()) == (200, b"")
        assert head.headers["content-type"] == "text/event-stream; charset=utf-8"
    missing = urllib.request.Request(url.replace(name, name + "9"), method="HEAD")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(missing, timeout=20)
    refused.value.close()
    assert refused.value.code == 404
