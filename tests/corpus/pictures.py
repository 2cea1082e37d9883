"""Small images of every kind, and the documents that show them."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from typing import Any

from PIL import Image, ImageDraw


def drawing(size: tuple[int, int] = (200, 120), colour: str = "red", mode: str = "RGB") -> Any:
    """Draw an image that shows a square."""
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((10, 10, size[0] // 2, size[1] // 2), fill=colour)
    return image.convert(mode)


def saved(image: Any, kind: str = "PNG", **options: Any) -> bytes:
    """Return *image* in the format *kind*."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def png(colour: str = "red", size: tuple[int, int] = (200, 120)) -> bytes:
    """Return a PNG that shows a square."""
    return saved(drawing(size, colour))


def claiming(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes that claims to have so many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        sum_ = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", sum_)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = chunk(b"IDAT", zlib.compress(b"\0" * 1_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + rows + chunk(b"IEND", b"")


def inline(data: bytes, kind: str = "png") -> str:
    """Return the ``data:`` address of an image."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
