"""Put the contents of a request into the messages of a chat model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from service.answering.direct import inline_images
from service.generation.chat_model.chat_requests import ChatMessage, ImagePart, ImageUrl, TextPart
from sessions.errors import InvalidArgument
from sessions.resources.contents import Content, Part

MAX_LENGTH: Final = 1_000_000
"""Characters of all contents together."""
MAX_IMAGES: Final = 16
"""Images of all contents together: each is some thousand tokens to a model."""
_MODEL: Final = "model"
_ROLES: Final = {"": "user", "user": "user", _MODEL: "assistant"}

_Part = TextPart | ImagePart


def messages(given: Sequence[Content], instruction: str) -> tuple[ChatMessage, ...]:
    """Return what a model is told: the *instruction*, if any, then the contents in their order.

    Contents of one role in a row are one message: a streamed reply may come back in its pieces, and
    many models want roles to alternate. Thoughts are left out.

    Raises:
        InvalidArgument: a content cannot be used; the field is named by its path.
    """
    if not given:
        raise InvalidArgument("contents: give at least one", field="contents")
    spoken = list[tuple[str, list[_Part]]]()
    for at, content in enumerate(given):
        field = f"contents[{at}]"
        role = _ROLES.get(content.role)
        if role is None:
            raise InvalidArgument(f"{field}.role: give user or model", field=f"{field}.role")
        if not spoken or spoken[-1][0] != role:
            spoken.append((role, []))
        spoken[-1][1].extend(_parts(content, field))
    _check_last(given, spoken[-1])
    _check_size([part for _, parts in spoken for part in parts])
    said = [ChatMessage(role, _joined(role, parts)) for role, parts in spoken if parts]
    return (ChatMessage("system", instruction), *said) if instruction else tuple(said)


def text_of(message: ChatMessage) -> str:
    """Return the text of a *message*."""
    if isinstance(message.content, tuple):
        return "\n".join(part.text for part in message.content if isinstance(part, TextPart))
    return message.content or ""


def has_images(told: Sequence[ChatMessage]) -> bool:
    """Tell whether a model has to see to read what it is *told*."""
    return any(
        isinstance(part, ImagePart)
        for message in told
        if isinstance(message.content, tuple)
        for part in message.content
    )


def _parts(content: Content, field: str) -> Iterator[_Part]:
    for at, part in enumerate(content.parts):
        path = f"{field}.parts[{at}]"
        if part.thought:
            continue
        if part.text:
            yield TextPart(part.text)
        elif part.inline_data is not None:
            yield _image(part, content.role, f"{path}.inlineData")


def _image(part: Part, role: str, field: str) -> ImagePart:
    if role == _MODEL:
        raise InvalidArgument(f"{field}: images are read from users only", field=field)
    if part.inline_data is None:
        raise AssertionError("the part holds an image")
    return ImagePart(ImageUrl(inline_images.data_url(part.inline_data, field)))


def _joined(role: str, parts: Sequence[_Part]) -> str | tuple[_Part, ...]:
    """Return *parts* as one text where they are nothing else: not every server takes lists."""
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) < len(parts):
        return tuple(parts)
    return ("" if role == "assistant" else "\n").join(texts)


def _check_last(given: Sequence[Content], last: tuple[str, list[_Part]]) -> None:
    role, parts = last
    field = f"contents[{len(given) - 1}]"
    if role == "assistant":
        raise InvalidArgument(f"{field}.role: the last content must be user", field=f"{field}.role")
    if not any(isinstance(part, ImagePart) or part.text.strip() for part in parts):
        raise InvalidArgument(f"{field}.parts: say something", field=f"{field}.parts")


def _check_size(parts: Sequence[_Part]) -> None:
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if sum(map(len, texts)) > MAX_LENGTH:
        raise InvalidArgument(f"contents: at most {MAX_LENGTH} characters", field="contents")
    if len(parts) - len(texts) > MAX_IMAGES:
        raise InvalidArgument(f"contents: at most {MAX_IMAGES} images", field="contents")
