"""Feedback on answers, against a running service."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.errors import NotFound
from tests.clients import discovery
from tests.clients.discovery import Api, Service
from tests.clients.keyed import Keyed


@pytest.fixture
def answered(service: Service, v1: Api) -> str:
    """A session with one answer, by its full name."""
    store = v1.data_store()
    v1.import_(store, v1.document("fence", "# The fence\n\nThe fence is painted red."))
    return ask(service.url, store)


def ask(url: str, store: str, **headers: str) -> str:
    query = {"query": {"text": "What colour is the fence?"}, "session": f"{store}/sessions/-"}
    place = f"{url}/v1/{store}/servingConfigs/default_config:answer"
    reply = discovery.call(place, "POST", query, **headers)
    name: str = reply.body["session"]["name"]
    return name


def event(session: str, **feedback: Any) -> dict[str, Any]:
    about = {"session": session, "questionIndex": 0}
    given = {"feedbackType": "DISLIKE", "conversationInfo": about, **feedback}
    return {"eventType": "add-feedback", "userPseudoId": "ann", "feedback": given}


def write(url: str, session: str, body: Any, **headers: str) -> discovery.Reply:
    store = session.partition("/sessions/")[0]
    return discovery.call(f"{url}/v1/{store}/userEvents:write", "POST", body, **headers)


def counted(service: Service, line: str) -> float:
    lines = service.application.container.metrics.text().decode().splitlines()
    return sum(float(each.rpartition(" ")[2]) for each in lines if each.startswith(line))


def test_feedback_is_kept_and_counted_by_its_kind(service: Service, answered: str) -> None:
    kinds = ('colloquy_feedback_total{type="DISLIKE"}', "colloquy_feedback_reasons_total{")
    before = [counted(service, kind) for kind in kinds]
    given = event(answered, reasons=["INACCURATE_RESPONSE", "BAD_CITATION"], comment="It is blue.")
    reply = write(service.url, answered, given)
    assert reply.status == 200
    assert reply.body["feedback"]["comment"] == "It is blue."
    assert [counted(service, kind) for kind in kinds] == [before[0] + 1, before[1] + 2]
    assert "ann" not in service.application.container.metrics.text().decode()


@pytest.mark.parametrize(
    ("feedback", "field"),
    [
        ({"feedbackType": "FEEDBACK_TYPE_UNSPECIFIED"}, "feedbackType"),
        ({"conversationInfo": {}}, "conversationInfo.session"),
        ({"conversationInfo": {"session": "projects/x"}}, "conversationInfo.session"),
        ({"comment": "x" * 4001}, "comment"),
        ({"reasons": ["NOT_RELEVANT"] * 11}, "reasons"),
    ],
)
def test_feedback_says_what_it_is_about(
    service: Service, answered: str, feedback: dict[str, Any], field: str
) -> None:
    reply = write(service.url, answered, event(answered, **feedback))
    assert reply.status == 400
    assert reply.body["error"]["message"].startswith(f"userEvent.feedback.{field}")


@pytest.mark.parametrize("index", [1, -1])
def test_feedback_is_on_an_answer_that_is_there(
    service: Service, answered: str, index: int
) -> None:
    about = {"session": answered, "questionIndex": index}
    reply = write(service.url, answered, event(answered, conversationInfo=about))
    assert reply.status == 400
    assert "questionIndex" in reply.body["error"]["message"]
    gone = f"{answered}0"
    reply = write(service.url, answered, event(gone))
    assert (reply.status, reply.body["error"]["status"]) == (404, NotFound("").status)


def test_feedback_is_of_the_data_store_of_its_answer(
    service: Service, v1: Api, answered: str
) -> None:
    other = f"{v1.data_store('other')}/sessions/1"
    reply = write(service.url, other, event(answered))
    assert reply.status == 400
    assert "another data store" in reply.body["error"]["message"]


def test_a_user_has_no_say_in_the_answers_of_others(keyed: Keyed) -> None:
    ann, bob = ({"Authorization": f"Bearer {keyed.token(each)}"} for each in ("ann", "bob"))
    session = ask(keyed.service.url, keyed.data_store, **ann)
    body = event(session)
    del body["userPseudoId"]
    assert write(keyed.service.url, session, body, **bob).status == 404
    assert write(keyed.service.url, session, body, **ann).body["userPseudoId"] == "ann"
