"""Take a multipart body apart while it comes, of a form or not (RFC 2046, 7578).

The parsing is the library's. Ours is what it has not: parts that need not be those of a form, and
that each part goes where `RequestBodies` has room, so that no large file lies in memory.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

import msgspec
from multipart import (  # pyright: ignore[reportMissingTypeStubs] - it has types, and no marker
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
)

from service.api.http.request_bodies import RequestBody
from sessions.errors import InvalidArgument

MAX_PARTS: Final = 16
"""Parts of a body; more is refused."""
_HEADER: Final = 16 * 1024
_BOUNDARY: Final = re.compile(r'boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)


class BodyPart(msgspec.Struct, frozen=True, kw_only=True):
    """One part: its headers by lower-case name, its *name* and *filename* in the form, its data."""

    headers: Mapping[str, str]
    name: str = ""
    filename: str = ""
    data: RequestBody


async def parts(
    content_type: str, body: AsyncIterator[bytes], keep: Callable[[], RequestBody]
) -> list[BodyPart]:
    """Return the parts of *body*; *keep* is asked where the data of each goes.

    Raises:
        InvalidArgument: it is no such body.
        ResourceExhausted: there is no room to keep it.
    """
    match = _BOUNDARY.search(content_type)
    if match is None:
        raise _malformed("the Content-Type names no boundary")
    parser = _Parser(
        match[1] or match[2],
        max_segment_count=MAX_PARTS,
        max_header_size=_HEADER,
        max_header_count=32,
    )
    made: list[BodyPart] = []
    try:
        async for chunk in body:
            for event in parser.parse(chunk) if chunk else ():
                if isinstance(event, MultipartSegment):
                    made.append(_part(event, keep()))
                elif event:
                    await made[-1].data.add(bytes(event))
        parser.close()
    except (MultipartError, UnicodeError) as exc:
        raise _malformed(str(exc)) from exc
    return made


class _Parser(PushMultipartParser):
    """One that takes the parts of other bodies than forms, which need not say what they are."""

    def _create_segment(self, headerlist: list[tuple[str, str]]) -> MultipartSegment:
        return MultipartSegment(headerlist)


def _part(segment: MultipartSegment, data: RequestBody) -> BodyPart:
    return BodyPart(
        headers={name.lower(): value for name, value in segment.headerlist},
        name=segment.name or "",
        filename=segment.filename or "",
        data=data,
    )


def _malformed(why: str) -> InvalidArgument:
    return InvalidArgument(f"the body is not multipart: {why}", reason="MALFORMED_MULTIPART")
