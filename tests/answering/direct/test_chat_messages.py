"""What a model is told of the contents of a request."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from service.answering.direct import chat_messages
from service.generation.chat_model.chat_requests import ChatMessage, ImagePart, TextPart
from sessions.errors import InvalidArgument
from sessions.resources.contents import Blob, Content, Part
from sessions.resources.generate_content import MediaResolution
from tests.answering.direct.images import image


def said(role: str, *texts: str) -> Content:
    return Content(role=role, parts=tuple(Part(text=text) for text in texts))


def picture(data: bytes | None = None) -> Part:
    return Part(inline_data=Blob(mime_type="image/png", data=image() if data is None else data))


def test_turns_keep_their_order_behind_the_instruction() -> None:
    contents = [said("", "a"), said("model", "b"), said("user", "c")]
    assert chat_messages.messages(contents, "Be brief.") == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "a"),
        ChatMessage("assistant", "b"),
        ChatMessage("user", "c"),
    )


def test_contents_of_one_role_in_a_row_are_one_message() -> None:
    contents = [
        said("user", "a", "b"),
        said("model", "c"),
        said("model", "d"),
        said("user", "e"),
        said("user", "f"),
    ]
    told = chat_messages.messages(contents, "")
    assert [message.content for message in told] == ["a\nb", "cd", "e\nf"]


def test_thoughts_are_not_told_again() -> None:
    thought = Content(role="model", parts=(Part(text="Hm.", thought=True),))
    told = chat_messages.messages([said("user", "a"), thought, said("user", "b")], "")
    assert [message.role for message in told] == ["user", "user"]


def test_an_image_stands_where_it_was_sent() -> None:
    parts = (Part(text="a"), picture(), Part(text="b"))
    (message,) = chat_messages.messages([Content(role="user", parts=parts)], "")
    assert isinstance(message.content, tuple)
    assert [type(part) for part in message.content] == [TextPart, ImagePart, TextPart]
    assert chat_messages.has_images([message])
    assert chat_messages.text_of(message) == "a\nb"


def test_an_image_is_looked_at_as_finely_as_wanted() -> None:
    fine = msgspec.structs.replace(picture(), media_resolution={"level": "MEDIA_RESOLUTION_HIGH"})
    contents = [Content(role="user", parts=(fine, picture()))]
    low = MediaResolution.MEDIA_RESOLUTION_LOW
    for resolution, details in ((None, ["high", None]), (low, ["high", "low"])):
        (message,) = chat_messages.messages(contents, "", resolution)
        images = [one for one in message.content or () if isinstance(one, ImagePart)]
        assert [one.image_url.detail for one in images] == details


REFUSED: list[tuple[Any, str]] = [
    ([], "contents"),
    ([said("tool", "a")], "contents[0].role"),
    ([said("user", "a"), said("model", "b")], "contents[1].role"),
    ([said("user", " ")], "contents[0].parts"),
    ([said("user")], "contents[0].parts"),
    ([said("user", "x" * 1_000_001)], "contents"),
    ([Content(parts=(picture(),) * 17)], "contents"),
    ([Content(parts=(picture(b"?"),))], "contents[0].parts[0].inlineData.data"),
    (
        [Content(role="model", parts=(picture(),)), said("user", "a")],
        "contents[0].parts[0].inlineData",
    ),
]


@pytest.mark.parametrize(("contents", "field"), REFUSED)
def test_what_cannot_be_told_is_refused_by_its_path(contents: list[Content], field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        chat_messages.messages(contents, "")
    assert refused.value.field == field
