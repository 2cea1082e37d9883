"""Let the frames of one connection name a project by its number, and answer them in that form."""

from __future__ import annotations

from typing import Final

import msgspec

from service.project_numbers import ProjectNumbers
from sessions import resource_states
from streaming.protocol import frames

_NAMES: Final = ("servingConfig", "name", "answer")
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT: Final = msgspec.json.Decoder(str)


class FrameProjectNumbers:
    """By which assigned number the open requests of a connection name their project."""

    __slots__ = ("_most", "_numbers", "named")

    def __init__(self, numbers: ProjectNumbers, *, most: int) -> None:
        """Remember that of *most* requests: of more than may be open, none is let in."""
        self._numbers = numbers
        self._most = most
        self.named: dict[str, str] = {}
        """The number that each id came with; where there is none, no frame need be looked into."""

    def resolve(self, text: str) -> str:
        """Return a frame with the ids of projects in its names, and remember which form it had."""
        if not self._numbers:
            return text
        try:
            fields = _FIELDS.decode(text)
            names = {key: _TEXT.decode(fields[key]) for key in _NAMES if key in fields}
            id = _TEXT.decode(fields.get("id", b'""'))  # noqa: A001 - as the field is called
        except (msgspec.DecodeError, RecursionError, ValueError):
            return text  # it is no frame, and is told so
        numbers = [self._numbers.number_in(name) for name in names.values()]
        number = next(filter(None, numbers), "")  # two names in one frame are one too many
        self.named.pop(id, None)
        if not number:
            return text
        if len(self.named) < self._most:
            self.named[id] = number
        for key, name in names.items():
            fields[key] = msgspec.Raw(msgspec.json.encode(self._numbers.resolved(name)))
        return msgspec.json.encode(fields).decode()

    def show(self, frame: str) -> str:
        """Return *frame* with the project named as in the request that it answers."""
        decoded = frames.decode_server(frame)
        if not isinstance(decoded, frames.Accepted | frames.Element | frames.Failure):
            return frame
        number = self.named.get(decoded.id, "")
        answer = decoded.response.answer if isinstance(decoded, frames.Element) else None
        if isinstance(decoded, frames.Failure) or (
            answer and resource_states.is_terminal(answer.state)
        ):
            self.named.pop(decoded.id, None)
        return frames.encode(self._numbers.shown(decoded, number))
