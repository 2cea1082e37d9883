"""Read contents as text, and as the turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.answering.requests import field_checks
from service.generation import token_counts
from service.generation.generator import PastTurn
from sessions.errors import InvalidArgument
from sessions.resources.contents import Content, Part

MAX_LENGTH: Final = 1_000_000
"""Characters of all contents together."""
_USER: Final = ("", "user")
_MODEL: Final = "model"
_PARTS: Final = (
    "inline_data",
    "file_data",
    "function_call",
    "function_response",
    "executable_code",
    "code_execution_result",
)
_ENCODER: Final = msgspec.json.Encoder()


def turns_of(given: Sequence[Content]) -> list[PastTurn]:
    """Return the turns of a conversation; the last one has no answer yet.

    Contents of one role in a row are one: a streamed reply may come back in its pieces.
    """
    if not given:
        raise InvalidArgument("contents: give at least one", field="contents")
    parts: list[tuple[list[str], list[str]]] = [([], [])]
    for at, content in enumerate(given):
        field = f"contents[{at}]"
        text = text_of(content, field)
        if content.role not in (*_USER, _MODEL):
            raise InvalidArgument(f"{field}.role: give user or model", field=f"{field}.role")
        if content.role != _MODEL and parts[-1][1]:
            parts.append(([], []))
        if text:
            parts[-1][content.role == _MODEL].append(text)
    turns = [PastTurn("\n".join(query).strip(), "".join(answer)) for query, answer in parts]
    field = f"contents[{len(given) - 1}]"
    if given[-1].role == _MODEL:
        raise InvalidArgument(f"{field}.role: the last content must be user", field=f"{field}.role")
    if not turns[-1].query.strip():
        raise InvalidArgument(f"{field}.parts: say something", field=f"{field}.parts")
    longest = field_checks.MAX_QUERY
    field_checks.check_at_most(len(turns[-1].query), longest, f"{field}.parts", "characters")
    if sum(len(turn.query) + len(turn.answer) for turn in turns) > MAX_LENGTH:
        raise InvalidArgument(f"contents: at most {MAX_LENGTH} characters", field="contents")
    return turns


def last_text(given: Sequence[Content]) -> tuple[str, tuple[PastTurn, ...]]:
    """Return what the last content asks, and the turns before it.

    Raises:
        InvalidArgument: there is none, or it is no question in text.
    """
    turns = turns_of(given)
    return turns[-1].query, tuple(turn for turn in turns[:-1] if turn.query)


def count(given: Sequence[Content]) -> int:
    """Return how many tokens *given* have."""
    return sum(
        token_counts.count(part.text or call_text(part))
        for one in given
        for part in one.parts
        if not part.thought
    )


def text_of(content: Content | None, field: str, *, with_calls: bool = False) -> str:
    """Return the text of *content*, thoughts left out, and calls and their results if wanted.

    Raises:
        InvalidArgument: a part is something else.
    """
    return "\n".join(_texts(content, field, with_calls=with_calls)) if content else ""


def check_length(text: str, field: str) -> str:
    """Return *text*, unless it is longer than anything that is read at once.

    Raises:
        InvalidArgument: it is; *field* is named.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"{field}: at most {MAX_LENGTH} characters", field=field)
    return text


def call_text(part: Part) -> str:
    """Return what *part* says of a call or its result in words, to count: "" for other parts."""
    if (call := part.function_call) is not None:
        partial = (arg.string_value or "0" for arg in call.partial_args)
        whole = _ENCODER.encode(call.args).decode() if call.args else ""
        return " ".join(filter(None, (call.name, whole, *partial)))
    if (result := part.function_response) is not None:
        return f"{result.name} {_ENCODER.encode(result.response or {}).decode()}"
    return ""


def _texts(content: Content, field: str, *, with_calls: bool) -> Iterator[str]:
    for at, part in enumerate(content.parts):
        where = f"{field}.parts[{at}]"
        if with_calls and (called := call_text(part)):
            yield called
            continue
        for name in _PARTS:
            if getattr(part, name) is not None:
                head, tail = name.split("_", 1)
                path = f"{where}.{head}{''.join(word.title() for word in tail.split('_'))}"
                raise InvalidArgument(f"{path}: only text is read here", field=path)
        if part.text and not part.thought:
            yield part.text
