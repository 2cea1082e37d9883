"""Write the elements of an answer as the frames of one WebSocket reader."""

from __future__ import annotations

from json.encoder import encode_basestring  # type: ignore[attr-defined]
from typing import Final

from sessions.resources import answers, conversations
from streaming.log.positions import Position
from streaming.protocol import frames
from streaming.reading.elements import Envelope, PlacedElement


class Template:
    """Writes the frames that tell one reader pieces of text, without building an element.

    An `Element` frame is written once, with marks where the position and the text go; what
    stands around the marks is the same in every frame.
    """

    __slots__ = ("_after", "_before", "_between")

    def __init__(self, id: str, wrapping: Envelope) -> None:
        answer = answers.Answer(state=answers.State.STREAMING, answer_text=_MARK)
        frame = frames.encode(frames.Element(id, _MARK, wrapping.wrap(answer)))
        self._before, self._between, self._after = frame.rsplit(f'"{_MARK}"', 2)

    def text(self, position: Position, text: str) -> str:
        """Return the frame that tells *text*."""
        return (
            f'{self._before}"{position[0]}-{position[1]}"{self._between}'
            f"{encode_basestring(text)}{self._after}"
        )


# No id that a client may choose contains it, since it is longer.
_MARK: Final = "0" * (frames.ID_LENGTH + 1)


def frame(
    id: str,
    element: PlacedElement,
    converse: conversations.ConverseConversationResponse | None = None,
) -> str:
    """Return the frame that tells *element*."""
    return frames.encode(
        frames.Element(
            id=id,
            position=str(element.position),
            response=element.response,
            reset=element.reset,
            error=element.error,
            converse=converse,
        )
    )
