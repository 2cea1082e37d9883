"""Responses that are written before there is a request to ask the application about."""

from __future__ import annotations

from typing import Final

import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from sessions.errors import InvalidArgument, ServiceError, Unimplemented
from streaming.protocol.rpc_status import status


def response(code: int, error: ServiceError, *headers: bytes) -> bytes:
    """Return the response that tells *error*, with more *headers*, and ends the connection.

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
        *headers,
    ]
    return b"%b%b\r\n\r\n%b" % (STATUS_LINE[code], b"\r\n".join(head), body)


def refused_handshake(refusal: bytes) -> bytes:
    """Return the plain *refusal* of a handshake as all others are, "" being one without words."""
    head, _, why = refusal.partition(b"\r\n\r\n")
    first, *headers = head.split(b"\r\n")
    code = int(first.split()[1]) if refusal else 400
    message = why.decode().strip() or "this is no handshake"
    error = (
        Unimplemented(message, reason="METHOD_NOT_ALLOWED")
        if code == 405
        else InvalidArgument(message, reason="BAD_REQUEST")
    )
    kept = [header for header in headers if header.lower().startswith(_KEPT)]
    return response(code, error, *kept)


_KEPT: Final = (b"allow:", b"date:", b"sec-websocket-version:", b"upgrade:")
"""Headers that tell what would have been taken."""
