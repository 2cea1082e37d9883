from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api import multipart
from sessions.errors import InvalidArgument


def body(*parts: bytes, boundary: bytes = b"b1") -> bytes:
    joined = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts)
    return joined + b"--" + boundary + b"--\r\n"


FORM = "multipart/form-data; boundary=b1"
METADATA = b'Content-Disposition: form-data; name="metadata"\r\n\r\n{}'


def test_a_form_is_taken_apart() -> None:
    file = (
        b'Content-Disposition: form-data; name="file"; filename="a \\"b\\".md"\r\n'
        b"Content-Type: text/markdown\r\n\r\n# Hi\r\n\r\n--b\r\n"
    )
    metadata, part = multipart.parts(FORM, body(METADATA, file))
    assert (metadata.name, metadata.data) == ("metadata", b"{}")
    assert (part.name, part.filename, part.data) == ("file", 'a "b".md', b"# Hi\r\n\r\n--b\r\n")
    assert part.headers["content-type"] == "text/markdown"


def test_what_is_no_form_has_no_names() -> None:
    related = body(b"Content-Type: application/json\r\n\r\n{}", b"\r\nbytes")
    first, second = multipart.parts('multipart/related; boundary="b1"', related)
    assert (first.name, first.data, second.data) == ("", b"{}", b"bytes")


def test_a_preamble_is_passed_over() -> None:
    (part,) = multipart.parts(FORM, b"nothing\r\n" + body(METADATA))
    assert part.data == b"{}"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_data_comes_through_as_it_is(data: bytes) -> None:
    parts = multipart.parts(
        "multipart/form-data; boundary=0123456789abcdef",
        body(METADATA, b"A: b\r\n\r\n" + data, boundary=b"0123456789abcdef"),
    )
    assert parts[1].data == data


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60).map(lambda junk: junk.replace(b"x", b"--b1").replace(b"y", b"\r\n")))
def test_junk_is_refused_or_read_and_never_breaks(junk: bytes) -> None:
    with contextlib.suppress(InvalidArgument):
        multipart.parts(FORM, junk)


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
        multipart.parts(FORM, wrong)


def test_a_body_without_boundary_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        multipart.parts("multipart/form-data", body(METADATA))
