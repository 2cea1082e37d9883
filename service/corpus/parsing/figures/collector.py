"""Keep the images of a document: the few that show something, drawn anew and small.

What is kept is what Pillow drew of an image, encoded again: no metadata, no second picture, nothing
that was hidden behind it. It runs in the process that reads the document, and never stops that: an
image that is broken, too large or says nothing is left out.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from collections.abc import Callable
from typing import Any, Final

import msgspec

IMAGES: Final = 40
"""Images that are kept of a document,"""
DOCUMENT_BYTES: Final = 4 * 1024 * 1024
"""and their bytes together: they lie in the memory of Redis."""
IMAGE_BYTES: Final = 256 * 1024
"""Bytes of an image as it is kept: a few of them fit into one message of a WebSocket client."""
SIDE: Final = 1280
"""Pixels of its longer side; a larger one is drawn smaller."""
SOURCE_BYTES: Final = 8 * 1024 * 1024
"""Bytes of an image in its document, above which it is not looked at."""
PIXELS: Final = 25_000_000
"""Pixels that an image may claim to have, which take some 100 MB to draw."""
TEXT: Final = 500
"""Characters that a caption, or the text instead of an image, has at most."""
_ALL_PIXELS: Final = 100_000_000
"""Pixels that are drawn of one document: some four seconds."""
_LOOKS: Final = 2_000
"""Images of a document that are looked at, whatever comes of it."""
_SHORT_SIDE: Final = 32
_AREA: Final = 10_000
"""A smaller image is an icon, a line or a spacer."""
_REPEATED: Final = 4
"""What a document shows so often is its decoration: a logo, a mark."""
_FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP")
_KEPT_MODES: Final = frozenset({"L", "LA", "RGB", "RGBA", "P"})
_QUALITY: Final = 85


class FigureImage(msgspec.Struct, frozen=True, kw_only=True):
    """An image of a document, and the character of its body that it stands beside."""

    data: bytes
    mime: str
    start: int = 0

    @property
    def digest(self) -> bytes:
        """What is the same for the same image only."""
        return hashlib.blake2b(self.data, digest_size=16).digest()


class FigureCollector:
    """The images of one document, each known by its number."""

    def __init__(self) -> None:
        self._figures: list[FigureImage] = []
        self._shown: dict[bytes, int] = {}  # how often, by what tells a source from all others
        self._sources: list[bytes] = []  # of each figure
        self._bytes = 0
        self._pixels = 0

    def take(self, data: bytes) -> int | None:
        """Return the number of the image in *data* if it is to be kept, else None.

        Of one that is shown again only the first is kept.
        """
        return self.take_from(hashlib.blake2b(data, digest_size=16).digest(), lambda: data)

    def take_from(self, source: bytes, read: Callable[[], bytes]) -> int | None:
        """Take the image that *read* returns, as `take` does.

        It is read once and only where there is room: *source* tells it from all others.
        """
        if self._is_known(source) or self._is_full():
            return None
        data = read()
        figure = self._drawn(data) if 0 < len(data) <= SOURCE_BYTES else None
        if figure is None or self._bytes + len(figure.data) > DOCUMENT_BYTES:
            return None
        self._bytes += len(figure.data)
        self._figures.append(figure)
        self._sources.append(source)
        return len(self._figures) - 1

    def affords(self, width: int, height: int) -> bool:
        """Tell whether an image of so many pixels is to be drawn, and count it as drawn."""
        is_drawn = is_worth(width, height) and self._pixels < _ALL_PIXELS
        self._pixels += width * height if is_drawn else 0
        return is_drawn

    def _is_known(self, source: bytes) -> bool:
        """Count that *source* is shown, and tell whether it was before."""
        if len(self._shown) >= _LOOKS and source not in self._shown:
            return True
        self._shown[source] = self._shown.get(source, 0) + 1
        return self._shown[source] > 1

    def get(self, number: int) -> FigureImage | None:
        """Return the image of this *number*, None where it turned out to be decoration."""
        shown = self._shown[self._sources[number]]
        return self._figures[number] if shown < _REPEATED else None

    def _is_full(self) -> bool:
        return len(self._figures) >= IMAGES or self._pixels >= _ALL_PIXELS

    def _drawn(self, data: bytes) -> FigureImage | None:
        """Return the first picture of *data*, drawn anew, None where there is none to be kept."""
        # Only where there is one: it takes as long as all else with which the process begins.
        from PIL import Image, ImageOps  # noqa: PLC0415

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
                    if not is_worth(opened.width, opened.height):
                        return None
                    # A JPEG can be read smaller than it is, at a fraction of the time.
                    opened.draft(None, (SIDE, SIDE))
                    if not self.affords(opened.width, opened.height):
                        return None
                    image = ImageOps.exif_transpose(opened)
                return _encoded(image, lossy=opened.format == "JPEG")
        except Exception:  # noqa: BLE001 - what broken images raise has no end
            return None


def is_worth(width: int, height: int) -> bool:
    """Tell whether an image of so many pixels may show something, and may be drawn."""
    area = width * height
    return min(width, height) >= _SHORT_SIDE and _AREA <= area <= PIXELS


def _encoded(image: Any, *, lossy: bool) -> FigureImage | None:
    """Return *image* as PNG, or as JPEG where it was one or that is too large; None if it is blank.

    An image that is too large all the same is made smaller.
    """
    if image.mode not in _KEPT_MODES or (image.mode == "P" and max(image.size) > SIDE):
        has_alpha = "transparency" in image.info or image.mode in {"La", "RGBa", "PA"}
        image = image.convert("RGBA" if has_alpha else "RGB")
    image.thumbnail((SIDE, SIDE))
    flat = _flat(image)
    if all(low == high for low, high in flat.getextrema()):
        return None
    while is_worth(*flat.size):
        if not lossy and len(data := _saved(image, "PNG")) <= IMAGE_BYTES:
            return FigureImage(data=data, mime="image/png")
        if len(data := _saved(flat, "JPEG", quality=_QUALITY)) <= IMAGE_BYTES:
            return FigureImage(data=data, mime="image/jpeg")
        lossy = True
        flat.thumbnail((flat.width * 3 // 4, flat.height * 3 // 4))
    return None


def _flat(image: Any) -> Any:
    """Return *image* on a white ground, as readers of the document see it."""
    from PIL import Image  # noqa: PLC0415

    if "A" not in image.mode and "transparency" not in image.info:
        return image.convert("RGB")
    ground = Image.new("RGBA", image.size, "white")
    ground.alpha_composite(image.convert("RGBA"))
    return ground.convert("RGB")


def _saved(image: Any, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.info = {key: value for key, value in image.info.items() if key == "transparency"}
    image.save(buffer, kind, **options)
    return buffer.getvalue()
