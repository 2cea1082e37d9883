"""Multipart bodies, in whatever pieces they come."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.http import multipart_bodies
from service.api.http.request_bodies import RequestBodies
from sessions.errors import InvalidArgument


def body(*parts: bytes, boundary: bytes = b"b1") -> bytes:
    joined = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    return joined + b"--" + boundary + b"--\r\n"


class Read(NamedTuple):
    """A part, and its data."""

    part: multipart_bodies.BodyPart
    data: bytes


def parts(content_type: str, whole: bytes, size: int = 7) -> list[Read]:
    """Return the parts of a body that comes in pieces of *size* bytes."""

    async def coming() -> AsyncIterator[bytes]:
        for at in range(0, len(whole), size):
            yield whole[at : at + size]

    async def read() -> list[Read]:
        bodies = RequestBodies(Path(tempfile.gettempdir()))
        found = await multipart_bodies.parts(content_type, coming(), bodies.new)
        return [Read(part, await part.data.read()) for part in found]

    return asyncio.run(read())


FORM = "multipart/form-data; boundary=b1"
METADATA = b'Content-Disposition: form-data; name="metadata"\r\n\r\n{}'


def test_a_form_is_taken_apart() -> None:
    file = (
        b'Content-Disposition: form-data; name="file"; filename="a \\"b\\".md"\r\n'
        b"Content-Type: text/markdown\r\n\r\n# Hi\r\n\r\n--b\r\n"
    )
    metadata, (part, data) = parts(FORM, body(METADATA, file))
    assert (metadata.part.name, metadata.data) == ("metadata", b"{}")
    assert (part.name, part.filename, data) == ("file", 'a "b".md', b"# Hi\r\n\r\n--b\r\n")
    assert part.headers["content-type"] == "text/markdown"


def test_what_is_no_form_has_no_names() -> None:
    related = body(b"Content-Type: application/json\r\n\r\n{}", b"\r\nbytes")
    first, second = parts('multipart/related; boundary="b1"', related)
    assert (first.part.name, first.data, second.data) == ("", b"{}", b"bytes")


def test_a_preamble_is_passed_over() -> None:
    (part,) = parts(FORM, b"nothing\r\n" + body(METADATA))
    assert part.data == b"{}"


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_data_comes_through_as_it_is(data: bytes) -> None:
    found = parts(
        "multipart/form-data; boundary=0123456789abcdef",
        body(METADATA, b"A: b\r\n\r\n" + data, boundary=b"0123456789abcdef"),
    )
    assert found[1].data == data


@settings(max_examples=150)
@given(st.binary(max_size=60).map(lambda junk: junk.replace(b"x", b"--b1").replace(b"y", b"\r\n")))
def test_junk_is_refused_or_read_and_never_breaks(junk: bytes) -> None:
    with contextlib.suppress(InvalidArgument):
        parts(FORM, junk)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"--b1\r\nA: b\r\n\r\nno end",
        b"--b1",
        b"--b1\r\nno headers end\r\n--b1--",
        body(*[METADATA] * 17),
    ],
)
def test_a_broken_body_is_refused(wrong: bytes) -> None:
    with pytest.raises(InvalidArgument):
        parts(FORM, wrong)


def test_a_body_without_boundary_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        parts("multipart/form-data", body(METADATA))
