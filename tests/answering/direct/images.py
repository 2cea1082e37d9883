"""Images as requests bring them."""

from __future__ import annotations

import functools
import io

from PIL import Image


@functools.cache
def image(kind: str = "PNG", size: tuple[int, int] = (3, 2), mode: str = "L") -> bytes:
    """Return a small picture in one of Pillow's formats."""
    data = io.BytesIO()
    Image.new(mode, size).save(data, kind)
    return data.getvalue()
