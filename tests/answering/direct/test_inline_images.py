"""Which images are handed on to a model, and what the others are refused for."""

from __future__ import annotations

import base64
import struct
import zlib

import pytest

from service.answering.direct import inline_images
from sessions.errors import InvalidArgument
from sessions.resources.contents import Blob
from tests.answering.direct.images import image


@pytest.mark.parametrize("kind", inline_images.FORMATS)
def test_an_image_is_handed_on_as_what_it_is(kind: str) -> None:
    data = image(kind)
    url = inline_images.data_url(Blob(mime_type="image/whatever", data=data), "f")
    head, _, body = url.partition(",")
    assert head == f"data:image/{kind.lower()};base64"
    assert base64.b64decode(body) == data


def vast() -> bytes:
    """Return a PNG of some bytes that claims to have a million pixels a side."""
    header = struct.pack(">IIBBBBB", 10**6, 10**6, 8, 0, 0, 0, 0)
    chunk = b"IHDR" + header
    end = struct.pack(">I", len(header)) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return b"\x89PNG\r\n\x1a\n" + end + image()[33:]


@pytest.mark.parametrize(
    ("mime_type", "data", "field"),
    [
        ("audio/wav", image(), "f.mimeType"),
        ("", image(), "f.mimeType"),
        ("image/png", b"", "f.data"),
        ("image/png", b"no image", "f.data"),
        ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "f.data"),
        ("image/png", image()[:20], "f.data"),
        ("image/bmp", image("BMP"), "f.data"),
        ("image/png", image() + b"x" * inline_images.MAX_BYTES, "f.data"),
        ("image/png", image("PNG", (8_000, 6_000), "1"), "f.data"),
        ("image/png", vast(), "f.data"),
    ],
)
def test_what_is_no_image_that_models_take_is_refused(
    mime_type: str, data: bytes, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        inline_images.data_url(Blob(mime_type=mime_type, data=data), "f")
    assert refused.value.field == field
