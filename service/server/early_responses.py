"""Responses that are written before there is a request to ask the application about."""

from __future__ import annotations

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from sessions.errors import ServiceError
from streaming.protocol.rpc_status import status


def response(code: int, error: ServiceError, *lines: bytes) -> bytes:
    """Return the response that tells *error*, with more header *lines*, and ends the connection.

    It is as any other refusal (RFC 9112 wants the connection closed: what follows what could not be
    read is not known to be a request).
    """
    said = {
        "code": code,
        "message": error.message,
        "status": error.status,
        "details": status(error).details,
    }
    body = msgspec.json.encode({"error": said})
    head = [
        b"content-type: application/json; charset=UTF-8",
        b"cache-control: no-store",
        b"x-content-type-options: nosniff",
        b"connection: close",
        b"content-length: %d" % len(body),
        *lines,
    ]
    return b"%b%b\r\n\r\n%b" % (STATUS_LINE[code], b"\r\n".join(head), body)
