"""Publish the AsyncAPI document of the WebSocket, made from the types of its frames."""

from __future__ import annotations

import functools
from typing import Any, Final, get_args

import msgspec
from litestar import Response, get

from service.api.pages.json_schemas import REFERENCE, Schema, Schemas, summary
from service.version import VERSION
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import ConverseConversationRequest
from streaming.protocol import close_codes, frames

ADDRESS: Final = "/v1/ws"
_ABOUT: Final = (
    f"The frames of the WebSocket subprotocol {frames.SUBPROTOCOL} and the codes that close it."
)
_RAW: Final[dict[tuple[type[Any], str], Any]] = {
    (frames.Ask, "request"): AnswerQueryRequest,
    (frames.Converse, "request"): ConverseConversationRequest,
    (frames.Request, "body"): dict[str, Any],
    (frames.Response, "body"): dict[str, Any],
}
_CLIENT: Final[tuple[type[msgspec.Struct], ...]] = get_args(frames.AnyClientFrame)
_SERVER: Final[tuple[type[msgspec.Struct], ...]] = get_args(frames.AnyServerFrame)


@get("/asyncapi.json", include_in_schema=False)
async def asyncapi_document() -> Response[bytes]:
    """Serve the AsyncAPI document."""
    return Response(_encoded(), media_type="application/json; charset=UTF-8")


@functools.cache
def _encoded() -> bytes:
    return msgspec.json.encode(document())


def document() -> Schema:
    """Return the AsyncAPI 3 document of the subprotocol, as its server sees it."""
    schemas = Schemas([*_CLIENT, *_SERVER], _RAW)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Colloquy over WebSocket",
            "version": VERSION,
            "description": _ABOUT,
        },
        "defaultContentType": "application/json",
        "channels": {
            "answers": {
                "address": ADDRESS,
                "description": f"Offer the subprotocol {frames.SUBPROTOCOL}.",
                "messages": {
                    _name(frame): {"$ref": f"#/components/messages/{_name(frame)}"}
                    for frame in (*_CLIENT, *_SERVER)
                },
                "bindings": {"ws": {"method": "GET"}},
                "x-subprotocol": frames.SUBPROTOCOL,
                "x-close-codes": {
                    str(code): _close(end) for code, end in close_codes.CLOSES.items()
                },
            }
        },
        "operations": {
            "receive": _operation("receive", _CLIENT),
            "send": _operation("send", _SERVER),
        },
        "components": {
            "messages": {_name(frame): _message(frame, schemas) for frame in (*_CLIENT, *_SERVER)},
            "schemas": schemas.components,
        },
    }


def _name(frame: type[msgspec.Struct]) -> str:
    return str(frame.__struct_config__.tag)


def _message(frame: type[msgspec.Struct], schemas: Schemas) -> Schema:
    return {
        "name": _name(frame),
        "summary": summary(frame),
        "payload": {"$ref": REFERENCE + schemas.name(frame)},
    }


def _operation(action: str, kinds: tuple[type[msgspec.Struct], ...]) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/answers"},
        "messages": [{"$ref": f"#/channels/answers/messages/{_name(kind)}"} for kind in kinds],
    }


def _close(end: close_codes.Close) -> Schema:
    return {"reason": end.reason, "comeBack": end.come_back}
