"""What is a frame, what is none, and which end of a connection means what."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.resources import answer_query, answers, conversations
from sessions.resources.answers import State
from streaming.protocol import frames, rpc_status

ANSWER = "projects/p/locations/l/collections/c/dataStores/d/sessions/1/answers/2"


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ('{"type":"auth","token":"t"}', frames.Auth("t")),
        ('{"type":"ping"}', frames.Ping()),
        ('{"type":"cancel","answer":"a"}', frames.Cancel("a")),
        ('{"type":"resume","id":"1","answer":"a"}', frames.Resume("1", "a")),
        ('{"type":"resume","id":"1","answer":"a","after":null}', frames.Resume("1", "a")),
        ('{"type":"resume","id":"1","answer":"a","after":"1-2"}', frames.Resume("1", "a", "1-2")),
    ],
)
def test_a_documented_frame_is_read(text: str, frame: frames.AnyClientFrame) -> None:
    assert frames.decode(text) == frame


@pytest.mark.parametrize("name", ["answer", "converse"])
def test_a_request_is_kept_as_it_was_sent(name: str) -> None:
    """It is read later, by the rules for request bodies, which are more tolerant than frames."""
    where = "servingConfig" if name == "answer" else "name"
    body = '{"query": {"text": "é", "query_id": null}}'
    frame = frames.decode(f'{{"type":"{name}","id":"1","{where}":"x","request":{body}}}')
    assert isinstance(frame, frames.Ask | frames.Converse)
    assert bytes(frame.request).decode() == body


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "7",
        "null",
        '"answer"',
        "{",
        '{"type":"dance"}',
        '{"type":"answer","servingConfig":"x","request":{}}',
        '{"type":"answer","id":"","servingConfig":"x","request":{}}',
        '{"type":"answer","id":7,"servingConfig":"x","request":{}}',
        '{"type":"resume","id":"' + "x" * 129 + '","answer":"a"}',
        '{"type":"cancel"}',
        '{"type":"ping","more":1}',
        '{"type":"answer","id":"\\ud800","servingConfig":"x","request":{}}',
        '{"type":"answer","id":"1","servingConfig":"x","request":' + "[" * 100_000,
        '{"id":"1","type":' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=lambda text: text[:30],
)
def test_what_cannot_be_answered_under_an_id_ends_the_connection(text: str) -> None:
    with pytest.raises(frames.Malformed) as malformed:
        frames.decode(text)
    assert not malformed.value.id


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"id":"1"}', "type"),
        ('{"id":"1","type":null}', "type"),
        ('{"id":"1","type":"dance"}', "type"),
        ('{"id":"1","type":"answer","servingConfig":"x","request":{},"more":1}', "more"),
        ('{"id":"1","type":"answer","request":{}}', "servingConfig"),
        ('{"id":"1","type":"answer","servingConfig":7,"request":{}}', "servingConfig"),
        ('{"id":"1","type":"converse","name":"x"}', "request"),
        ('{"id":"1","type":"resume","answer":[]}', "answer"),
        ('{"id":"1","type":"resume","answer":"a","after":7}', "after"),
        ('{"id":"1","type":"ping"}', "id"),
    ],
)
def test_what_has_an_id_is_answered_under_it_with_the_field(text: str, field: str) -> None:
    with pytest.raises(frames.Malformed) as malformed:
        frames.decode(text)
    assert (malformed.value.id, malformed.value.error.field) == ("1", field)


@given(
    st.text(max_size=40)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps)
)
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(frames.Malformed):
        frames.decode(text)


ELEMENT = frames.Element(
    id="1",
    position="1-7",
    response=answer_query.AnswerQueryResponse(
        answer=answers.Answer(name=ANSWER, state=State.FAILED, answer_text="é"),
        answer_query_token="t",
    ),
    error=rpc_status.failure(1, "CANCELLED", "cancelled"),
)


def test_an_element_is_written_as_documented() -> None:
    assert json.loads(frames.encode(ELEMENT)) == {
        "type": "element",
        "id": "1",
        "position": "1-7",
        "response": {
            "answer": {"name": ANSWER, "state": "FAILED", "answerText": "é"},
            "answerQueryToken": "t",
        },
        "error": {
            "code": 1,
            "message": "cancelled",
            "details": [
                {
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "CANCELLED",
                    "domain": "discoveryengine.googleapis.com",
                }
            ],
        },
    }


@pytest.mark.parametrize(
    "frame",
    [
        frames.Ready(frames.Limits(), "1.0", "c"),
        frames.Accepted("1", ANSWER, "s"),
        ELEMENT,
        msgspec.structs.replace(ELEMENT, reset=True, error=None),
        msgspec.structs.replace(
            ELEMENT,
            converse=conversations.ConverseConversationResponse(related_questions=("Why?",)),
        ),
        frames.Failure(rpc_status.failure(5, "RESOURCE_NOT_FOUND", "no"), "1"),
        frames.Pong(),
        frames.GoAway(1.5),
    ],
)
def test_a_client_reads_what_the_service_writes(frame: frames.AnyServerFrame) -> None:
    assert frames.decode_server(frames.encode(frame)) == frame


def test_a_client_ignores_what_it_does_not_know() -> None:
    """A newer service may say more: fields of a frame, of the answer, of the limits."""
    text = (
        '{"type":"element","id":"1","position":"1-1","later":1,'
        '"response":{"answer":{"answerText":"a","later":{}}}}'
    )
    frame = frames.decode_server(text)
    assert isinstance(frame, frames.Element)
    assert frame.response.answer == answers.Answer(answer_text="a")


def test_a_bad_frame_is_answered_under_an_id_that_could_be_one() -> None:
    for length, answered in ((1, True), (128, True), (129, False)):
        text = json.dumps({"type": "resume", "id": "x" * length, "answer": 7})
        with pytest.raises(frames.Malformed) as malformed:
            frames.decode(text)
        assert malformed.value.id == ("x" * length if answered else "")


def test_what_is_wrong_with_a_frame_is_said_behind_the_field() -> None:
    with pytest.raises(frames.Malformed) as malformed:
        frames.decode('{"type":"resume","id":"1","answer":7}')
    assert malformed.value.error.message == "answer: Expected `str`, got `int`"
    with pytest.raises(frames.Malformed) as malformed:
        frames.decode('["a list"]')
    assert malformed.value.error.message.startswith("Expected `object`")


def test_a_frame_has_no_field_that_says_nothing() -> None:
    """While a service is upgraded, a newer client speaks to older replicas, which refuse more."""
    ask = json.loads(frames.encode(frames.Ask("1", "c", msgspec.Raw(b"{}"))))
    assert ask == {"type": "answer", "id": "1", "servingConfig": "c", "request": {}}
    resume = json.loads(frames.encode(frames.Resume("1", "a")))
    assert resume == {"type": "resume", "id": "1", "answer": "a"}
