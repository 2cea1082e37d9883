"""Put the contents of a request into the messages of a chat model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import msgspec

from service.answering.direct.function_turns import FunctionTurns
from service.generation.chat_model.chat_requests import (
    ChatMessage,
    ImagePart,
    ImageUrl,
    TextPart,
    ToolCall,
)
from sessions.errors import InvalidArgument
from sessions.resources.contents import Content, Part
from sessions.resources.generate_content import MediaResolution

MAX_LENGTH: Final = 1_000_000
"""Characters of all contents together."""
MAX_IMAGES: Final = 16
"""Images of all contents together: each is some thousand tokens to a model."""
_MODEL: Final = "model"
_ROLES: Final = {"": "user", "user": "user", "function": "user", _MODEL: "assistant"}

_DETAILS: Final[dict[str, Literal["low", "auto", "high"]]] = {
    "MEDIA_RESOLUTION_LOW": "low",
    "MEDIA_RESOLUTION_MEDIUM": "auto",
    "MEDIA_RESOLUTION_HIGH": "high",
    "MEDIA_RESOLUTION_ULTRA_HIGH": "high",
}
"""What chat completions call the resolutions of media."""

_Part = TextPart | ImagePart


class _Turn:
    """What one role says in a row: parts, calls of functions, and results of such calls."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.parts: list[_Part] = []
        self.calls: list[ToolCall] = []
        self.results: list[ChatMessage] = []

    @property
    def messages(self) -> Iterator[ChatMessage]:
        """What a model is told of the turn: results come right after their calls."""
        yield from self.results
        if self.parts or self.calls:
            content = _joined(self.role, self.parts) if self.parts else None
            yield ChatMessage(self.role, content, tuple(self.calls))


def messages(
    given: Sequence[Content], instruction: str, resolution: MediaResolution | None = None
) -> tuple[ChatMessage, ...]:
    """Return what a model is told: the *instruction*, if any, then the contents in their order.

    Contents of one role in a row are one message: a streamed reply may come back in its pieces, and
    many models want roles to alternate. Thoughts are left out. Images are looked at with
    *resolution* where their part does not name another.

    Raises:
        InvalidArgument: a content cannot be used; the field is named by its path.
    """
    if not given:
        raise InvalidArgument("contents: give at least one", field="contents")
    turns = list[_Turn]()
    functions = FunctionTurns()
    for at, content in enumerate(given):
        field = f"contents[{at}]"
        role = _ROLES.get(content.role)
        if role is None:
            raise InvalidArgument(f"{field}.role: give user or model", field=f"{field}.role")
        if not turns or turns[-1].role != role:
            if role == "assistant":
                functions.end_turn(f"contents[{at - 1}]")
            turns.append(_Turn(role))
        for number, part in enumerate(content.parts):
            sized = _with_resolution(part, resolution)
            _add(sized, turns[-1], functions, f"{field}.parts[{number}]")
    _check_last(given, turns[-1])
    functions.end_turn(f"contents[{len(given) - 1}]")
    _check_size(turns)
    said = [message for turn in turns for message in turn.messages]
    return (ChatMessage("system", instruction), *said) if instruction else tuple(said)


def _with_resolution(part: Part, resolution: MediaResolution | None) -> Part:
    if resolution is None or part.inline_data is None or part.media_resolution is not None:
        return part
    return msgspec.structs.replace(part, media_resolution={"level": resolution.name})


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


def _add(part: Part, turn: _Turn, functions: FunctionTurns, field: str) -> None:
    """Add what *part*, which stands in *field*, says to *turn*."""
    is_model = turn.role == "assistant"
    if part.thought:
        return
    if part.text:
        turn.parts.append(TextPart(part.text))
    elif part.inline_data is not None:
        turn.parts.append(_image(part, is_model, f"{field}.inlineData"))
    elif part.function_call is not None:
        path = f"{field}.functionCall"
        if not is_model:
            raise InvalidArgument(f"{path}: models call functions, users do not", field=path)
        turn.calls.append(functions.call(part.function_call, path))
    elif part.function_response is not None:
        path = f"{field}.functionResponse"
        if is_model:
            raise InvalidArgument(f"{path}: users respond, models do not", field=path)
        turn.results.append(functions.result(part.function_response, path))


def _image(part: Part, is_model: bool, field: str) -> ImagePart:
    if is_model:
        raise InvalidArgument(f"{field}: images are read from users only", field=field)
    if part.inline_data is None:
        raise AssertionError("the part holds an image")
    # What reads images is loaded where somebody sends one, and not at each start.
    from service.answering.direct import inline_images  # noqa: PLC0415

    detail = _DETAILS.get(str((part.media_resolution or {}).get("level")))
    return ImagePart(ImageUrl(inline_images.data_url(part.inline_data, field), detail))


def _joined(role: str, parts: Sequence[_Part]) -> str | tuple[_Part, ...]:
    """Return *parts* as one text where they are nothing else: not every server takes lists."""
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if len(texts) < len(parts):
        return tuple(parts)
    return ("" if role == "assistant" else "\n").join(texts)


def _check_last(given: Sequence[Content], last: _Turn) -> None:
    field = f"contents[{len(given) - 1}]"
    if last.role == "assistant":
        raise InvalidArgument(f"{field}.role: the last content must be user", field=f"{field}.role")
    says = any(isinstance(part, ImagePart) or part.text.strip() for part in last.parts)
    if not says and not last.results:
        raise InvalidArgument(f"{field}.parts: say something", field=f"{field}.parts")


def _check_size(turns: Sequence[_Turn]) -> None:
    parts = [part for turn in turns for part in turn.parts]
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    told = [call.function.arguments for turn in turns for call in turn.calls]
    told += [result.text for turn in turns for result in turn.results]
    if sum(map(len, (*texts, *told))) > MAX_LENGTH:
        raise InvalidArgument(f"contents: at most {MAX_LENGTH} characters", field="contents")
    if len(parts) - len(texts) > MAX_IMAGES:
        raise InvalidArgument(f"contents: at most {MAX_IMAGES} images", field="contents")
