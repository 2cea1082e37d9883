"""Take a multipart body apart, of a form or not (RFC 2046, 7578)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from sessions.errors import InvalidArgument

MOST: Final = 16
"""Parts of a body; more is refused."""
_HEADERS: Final = 16 * 1024
_BOUNDARY: Final = re.compile(r'boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
_PARAMETER: Final = re.compile(r';\s*([\w*]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))')


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One part: its headers by lower-case name, its *name* and *filename* in the form, its data."""

    headers: Mapping[str, str]
    name: str = ""
    filename: str = ""
    data: bytes


def parts(content_type: str, body: bytes) -> list[Part]:
    """Return the parts of *body*.

    Raises:
        InvalidArgument: it is no such body.
    """
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise _malformed("the Content-Type names no boundary")
    return [_part(raw) for raw in _cut(body, f"--{found[1] or found[2]}".encode())]


def _cut(body: bytes, delimiter: bytes) -> Iterator[bytes]:
    """Yield what stands between delimiters, each at the beginning of a line."""
    at = 0 if body.startswith(delimiter) else body.find(b"\r\n" + delimiter) + 2
    if at == 1:
        raise _malformed("the boundary does not occur")
    count = 0
    while True:
        start = at + len(delimiter)
        if body.startswith(b"--", start):
            return
        start = body.find(b"\r\n", start) + 2
        end = body.find(b"\r\n" + delimiter, start - 2)
        count += 1
        if start == 1 or end < 0 or count > MOST:
            raise _malformed("a part does not end, or there are too many")
        yield body[start : max(start, end)]
        at = end + 2


def _part(raw: bytes) -> Part:
    if raw.startswith(b"\r\n"):
        head, data = b"", raw[2:]
    else:
        head, gap, data = raw.partition(b"\r\n\r\n")
        if not gap or len(head) > _HEADERS:
            raise _malformed("the headers of a part do not end")
    headers: dict[str, str] = {}
    for line in head.decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    told = {
        name.lower(): re.sub(r"\\(.)", r"\1", quoted) if quoted else bare
        for name, quoted, bare in _PARAMETER.findall(headers.get("content-disposition", ""))
    }
    return Part(
        headers=headers, name=told.get("name", ""), filename=told.get("filename", ""), data=data
    )


def _malformed(why: str) -> InvalidArgument:
    return InvalidArgument(f"the body is not multipart: {why}", reason="MALFORMED_MULTIPART")
