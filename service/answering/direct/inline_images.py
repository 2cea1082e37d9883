"""Check the images that a request brings, by what is in them, and put them into data URLs.

Only headers are read: the pixels are decoded by the model's server, if at all.
"""

from __future__ import annotations

import base64
import io
import struct
import zlib
from typing import Final

from PIL import Image

from sessions.errors import InvalidArgument
from sessions.resources.contents import Blob

MAX_BYTES: Final = 7 << 20
"""Bytes of one image: what the public API takes inline."""
MAX_PIXELS: Final = 40_000_000
"""Pixels of one image: a small file may claim to be vast, and a model's server decodes it."""
FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF")
"""What models that see are taught to take, by Pillow's names."""
_DAMAGED: Final = (
    *(OSError, ValueError, SyntaxError, EOFError, OverflowError),
    *(struct.error, zlib.error, Image.DecompressionBombError, Image.DecompressionBombWarning),
)
"""What Pillow raises for headers that are none, or that lie."""


def data_url(blob: Blob, field: str) -> str:
    """Return *blob*, which stands in *field*, as the ``data:`` URL of an image.

    Its type is that of its content: what is said of it may be wrong.

    Raises:
        InvalidArgument: it is no image, none that models take, damaged, or too large.
    """
    if not blob.mime_type.lower().startswith("image/"):
        path = f"{field}.mimeType"
        raise InvalidArgument(
            f"{path}: only images are read here; give image/png, image/jpeg, image/webp or "
            "image/gif",
            field=path,
        )
    path = f"{field}.data"
    if len(blob.data) > MAX_BYTES:
        raise InvalidArgument(f"{path}: at most {MAX_BYTES >> 20} MiB an image", field=path)
    try:
        with Image.open(io.BytesIO(blob.data), formats=FORMATS) as image:
            kind, (width, height) = image.format, image.size
    except _DAMAGED as exc:
        raise InvalidArgument(
            f"{path}: is no image in PNG, JPEG, WebP or GIF that can be read", field=path
        ) from exc
    if width * height > MAX_PIXELS:
        raise InvalidArgument(f"{path}: at most {MAX_PIXELS:,} pixels an image", field=path)
    data = base64.b64encode(blob.data).decode("ascii")
    return f"data:image/{(kind or '').lower()};base64,{data}"
