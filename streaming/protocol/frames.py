"""The frames of the WebSocket subprotocol ``colloquy.v1``.

A frame is a JSON text message ``{"type": …}``. What a client sent that is no frame has one of two
ends (`Malformed`): where the connection can go on, an `Error` under the id of what was sent,
otherwise the close code 4400:

=========================================================  ====================================
what came                                                  what happens
=========================================================  ====================================
a binary message                                           4400
no JSON, or no JSON object                                 4400
an id that is absent or unusable, and any fault below      4400
``type`` absent, unknown, or not a string                  ``error``, field ``type``
a field that is unknown, absent or of a wrong type         ``error``, that field
a request, name or position that does not hold             ``error``, that field
=========================================================  ====================================

What is no WebSocket message never gets here: the server's library closes with 1007 for a text that
is not UTF-8, with 1002 for a breach of RFC 6455.

``auth``, ``cancel`` and ``ping`` carry no id: their faults are 4400, but for a ``cancel`` of
something that is no answer, which is told in an ``error`` without an id.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources import answer_query, conversations
from sessions.resources.operations import Status

SUBPROTOCOL: Final = "colloquy.v1"

ID_LENGTH: Final = 128
"""How many characters the id of a request may have; it may not be empty."""

CLIENT_BYTES: Final = 16
"""Random bytes of the secret that `Ready` gives to a client."""


class ClientFrame(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    rename="camel",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What a client says.

    Fields that say nothing are left out: an older service refuses those that it does not know.
    """


class Auth(ClientFrame, frozen=True, tag="auth"):
    """Say who speaks; the first frame where authentication is on, ignored where it is off.

    Sent again, with a new token of the same principal, it lets the connection live on. A token of
    another principal, or one for other data stores, ends it with 4401.
    """

    token: str


class Ask(ClientFrame, frozen=True, tag="answer"):
    """Ask; the same *id* of the same *client* again is the same answer, for 24 h.

    *request* is AnswerQueryRequest. *client* is what the first `Ready` gave to this client; without
    it, what this connection's gave. *traceparent*, of the W3C Trace Context, says which trace this
    is a part of, where the service traces; as everywhere, one that does not hold is ignored.
    """

    id: str
    serving_config: str
    request: msgspec.Raw
    client: str = ""
    traceparent: str = ""


class Converse(ClientFrame, frozen=True, tag="converse"):
    """Ask in the conversation *name*, as `Ask` does; *request* is ConverseConversationRequest."""

    id: str
    name: str
    request: msgspec.Raw
    client: str = ""
    traceparent: str = ""


class Resume(ClientFrame, frozen=True, tag="resume"):
    """Follow *answer* from what comes *after* a position on; without one from a snapshot."""

    id: str
    answer: str
    after: str | None = None
    traceparent: str = ""


class Cancel(ClientFrame, frozen=True, tag="cancel"):
    """End *answer*; its text so far is kept."""

    answer: str


class Request(ClientFrame, frozen=True, tag="request"):
    """Call a method of the REST API over this connection, as who speaks here.

    *path* begins with ``/v1`` and may have a query; *body* is JSON where the method takes one. What
    streams, uploads or downloads is not called so. Answered by `Response` under *id*; where the
    connection is lost before, whether the method was carried out is not known.
    """

    id: str
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    body: msgspec.Raw = msgspec.Raw()
    traceparent: str = ""


class Ping(ClientFrame, frozen=True, tag="ping"):
    """Ask for a `Pong`."""


AnyClientFrame = Auth | Ask | Converse | Resume | Cancel | Request | Ping


class ServerFrame(
    msgspec.Struct, frozen=True, tag_field="type", rename="camel", omit_defaults=True
):
    """What the service says."""


class Limits(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What one connection may do; told in `Ready`."""

    max_frame_bytes: int = 1 << 20
    """Larger frames close the connection with 1009."""

    max_open_answers: int = 16
    """Answers that may be followed at once; more are refused with RESOURCE_EXHAUSTED."""

    frames_per_second: int = 20
    """Frames that a client may send, in the long run."""

    frame_burst: int = 100
    """Frames that a client may send at once; over it the connection closes with 4429."""

    bytes_per_second: int = 256 << 10
    """Bytes of frames that a client may send, in the long run: they are read one after another."""

    byte_burst: int = 4 << 20
    """Bytes that a client may send at once; over it the connection closes with 4429."""

    max_open_requests: int = 16
    """`Request`s that may wait for their `Response` at once; more are RESOURCE_EXHAUSTED."""

    auth_seconds: int = 5
    """How long the service waits for the `Auth` frame where it needs one."""


class Ready(ServerFrame, frozen=True, tag="ready"):
    """The connection may be used; the first frame, and where needed the reply to each `Auth`.

    *client* is a secret: whoever asks with it is the same client, on whichever connection.
    *expires_in* is how many seconds the token holds; then the connection closes with 4401, unless a
    new `Auth` came before. Without it the token has no end.
    """

    limits: Limits
    version: str
    client: str = ""
    expires_in: float | None = None


class Accepted(ServerFrame, frozen=True, tag="accepted"):
    """What was sent as *id* is followed from here on, whoever goes away.

    *session* is the session, or the conversation, that *answer* belongs to.
    """

    id: str
    answer: str
    session: str


class Element(ServerFrame, frozen=True, tag="element"):
    """The next element of the answer that was accepted as *id*.

    *reset* says that all that came before must be dropped. *error* is why a FAILED answer ended;
    *converse* is the whole response, in the last element of what was asked by `Converse`.
    """

    id: str
    position: str
    response: answer_query.AnswerQueryResponse
    reset: bool = False
    error: Status | None = None
    converse: conversations.ConverseConversationResponse | None = None


class Failure(ServerFrame, frozen=True, tag="error"):
    """What was sent as *id* is refused, or no longer followed; other ids are untouched."""

    error: Status
    id: str = ""


class Response(ServerFrame, frozen=True, tag="response"):
    """What the REST API answered to the `Request` of that *id*: its HTTP status and its JSON."""

    id: str
    status: int
    body: msgspec.Raw


class Pong(ServerFrame, frozen=True, tag="pong"):
    """The answer to a `Ping`."""


class GoAway(ServerFrame, frozen=True, tag="goaway"):
    """The service will restart: connect again in *retry_after* seconds, and resume."""

    retry_after: float


AnyServerFrame = Ready | Accepted | Element | Failure | Response | Pong | GoAway


class Malformed(Exception):
    """A text that is no frame; *id* is "" where the connection cannot go on."""

    def __init__(self, id: str, error: InvalidArgument) -> None:
        super().__init__(error.message)
        self.id = id
        self.error = error


class _Element(ServerFrame, frozen=True, tag="element"):
    """An `Element` whose documents are still to be read, by the rules for stored ones."""

    id: str
    position: str
    response: msgspec.Raw
    reset: bool = False
    error: Status | None = None
    converse: msgspec.Raw = msgspec.Raw()


_client: Final = msgspec.json.Decoder(AnyClientFrame)
_server: Final = msgspec.json.Decoder(
    Ready | Accepted | _Element | Failure | Response | Pong | GoAway
)
_fields: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_CLIENT: Final = re.compile(r"[A-Za-z0-9_-]{22,128}")
"""Of 128 bits or more: one that a client makes up itself must not be met by chance either."""
_PATH: Final = re.compile(r" - at `\$\.([^`]*)`$")
_NAMED: Final = re.compile(r"(?:unknown|required) field `([^`]*)`")


def decode(text: str) -> AnyClientFrame:
    """Read what a client sent.

    Raises:
        Malformed: it is no frame.
    """
    try:
        frame = _client.decode(text)
    except msgspec.ValidationError as exc:
        raise Malformed(id_of(text), _violation(str(exc))) from exc
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as exc:
        raise Malformed("", InvalidArgument("a frame is a JSON object")) from exc
    if isinstance(frame, Ask | Converse | Resume | Request) and not 0 < len(frame.id) <= ID_LENGTH:
        raise Malformed("", InvalidArgument(f"id: give 1 to {ID_LENGTH} characters", field="id"))
    if isinstance(frame, Ask | Converse) and frame.client and not _CLIENT.fullmatch(frame.client):
        raise Malformed(
            frame.id,
            InvalidArgument("client: give what the frame ready gave, or nothing", field="client"),
        )
    return frame


def encode(frame: AnyServerFrame | AnyClientFrame) -> str:
    """Write *frame* as it goes over the wire, enums by name."""
    return json_codec.encode(frame).decode()


def decode_server(text: str | bytes) -> AnyServerFrame:
    """Read what the service sent; fields that this client does not know are ignored.

    Raises:
        msgspec.DecodeError: it is no frame that this client knows.
    """
    frame = _server.decode(text)
    if not isinstance(frame, _Element):
        return frame
    converse = bytes(frame.converse)
    return Element(
        id=frame.id,
        position=frame.position,
        response=json_codec.load(answer_query.AnswerQueryResponse, bytes(frame.response)),
        reset=frame.reset,
        error=frame.error,
        converse=json_codec.load(conversations.ConverseConversationResponse, converse)
        if converse
        else None,
    )


def id_of(text: str | bytes) -> str:
    """Return the id of *text*, which is no good frame; "" where it has none to be answered by."""
    try:
        given = msgspec.json.decode(_fields.decode(text).get("id", b'""'), type=str)
    except (msgspec.DecodeError, RecursionError):
        return ""
    return given if len(given) <= ID_LENGTH else ""


def _violation(message: str) -> InvalidArgument:
    """Turn what msgspec says into an error that names the field by its path."""
    path = _PATH.search(message)
    named = _NAMED.search(message)
    parts = [match[1] for match in (path, named) if match]
    field = ".".join(parts)
    text = _PATH.sub("", message)
    return InvalidArgument(f"{field}: {text}" if field else text, field=field)
