"""What a frame asks to be done, and the names in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streaming.log.positions import Position
from streaming.protocol.connection_commands import (
    CancelAnswer,
    Command,
    FollowAnswer,
    SubmitConversation,
    SubmitQuery,
)
from tests.streaming.protocol.machine_helpers import (
    ANSWER,
    CLIENT,
    CONFIG,
    CONVERSATION,
    OTHER,
    SESSION,
    STORE,
    connect,
    say,
    sent,
)


@pytest.mark.parametrize(
    ("frame", "command"),
    [
        (
            {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": {}},
            SubmitQuery("1", CONFIG, b"{}", CLIENT),
        ),
        (
            {"type": "converse", "id": "1", "name": CONVERSATION, "request": {}},
            SubmitConversation("1", CONVERSATION, b"{}", CLIENT),
        ),
        (
            {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": {}, "client": OTHER},
            SubmitQuery("1", CONFIG, b"{}", OTHER),
        ),
        (
            {"type": "converse", "id": "1", "name": CONVERSATION, "request": {}, "client": OTHER},
            SubmitConversation("1", CONVERSATION, b"{}", OTHER),
        ),
        ({"type": "resume", "id": "1", "answer": ANSWER}, FollowAnswer("1", ANSWER, None)),
        (
            {"type": "resume", "id": "1", "answer": ANSWER, "after": "2-17"},
            FollowAnswer("1", ANSWER, Position(2, 17)),
        ),
        ({"type": "cancel", "answer": ANSWER}, CancelAnswer(ANSWER)),
    ],
)
def test_a_frame_becomes_a_command(frame: dict[str, Any], command: Command) -> None:
    connection = connect()
    assert connection.receive(json.dumps(frame), 0.0) == [command]
    assert sent(connection) == []


@pytest.mark.parametrize("bad", ["..", ".", "a%2Fb", "a\\b", "a\x1bb", "\uff0e\uff0e", "1/", ""])
def test_a_name_has_no_id_that_no_resource_has(bad: str) -> None:
    for field, frame in (
        ("servingConfig", {"type": "answer", "servingConfig": f"{STORE}/servingConfigs/{bad}"}),
        ("name", {"type": "converse", "name": f"{STORE}/conversations/{bad}"}),
        ("answer", {"type": "resume", "answer": f"{SESSION}/answers/{bad}"}),
        ("answer", {"type": "cancel", "answer": f"{STORE}/sessions/{bad}/answers/1"}),
    ):
        connection = connect()
        rest: dict[str, Any] = {} if frame["type"] in {"resume", "cancel"} else {"request": {}}
        identified = {} if frame["type"] == "cancel" else {"id": "1"}
        assert say(connection, **frame, **rest, **identified) == []
        error = sent(connection)[0]["error"]
        assert error["code"] == 3
        assert field in error["message"]


def test_names_may_be_given_in_their_short_form() -> None:
    connection = connect()
    short = CONFIG.replace("collections/default_collection/", "")
    command = say(connection, "answer", id="1", servingConfig=short, request={})[0]
    assert isinstance(command, SubmitQuery)
    assert command.serving_config == CONFIG
