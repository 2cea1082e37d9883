"""Streamed answers, by the official clients and to the byte (api.md 12)."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests import doubles, waiting
from tests.clients import asking
from tests.clients.asking import QUERY, SAID, Town, Written, ask, get, post, stream
from tests.clients.discovery import Service
from tests.redis_servers import Server

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


@pytest.fixture(scope="module")
def written(redis_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    with asking.written(redis_server.url, tmp_path_factory.mktemp("written")) as running:
        yield running


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
    """Hold what is promised of the elements of a stream (api.md 12.2)."""
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
        written.open(gate)
        elements = json.loads(b"[{}" + rest + response.read())
    assert elements[-1]["answer"] == get(town.v1, name)
    assert elements[-1]["answer"]["state"] == "SUCCEEDED"


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
    waiting.until(written.model.left.is_set, within=1.0)


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
