"""Read the pictures that the pages of a PDF draw, and the areas of text that they stand beside.

A PDF says where a picture is drawn, and nothing of what it belongs to: that is the nearest text of
its page, and a caption is told by its first word. What fills a page, as a scan does, or lies in a
form that the page draws, is left out, and so are encodings that take long or other programs.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pypdf

from service.corpus.parsing.figures.collector import SIDE, FigureCollector
from service.corpus.parsing.formats.page_lines import Area

Visitor = Callable[[Any, Any, Any, Any], None]
"""Called by pypdf before each operator: with it, its operands and the matrices."""

_MOST: Final = 5_000
"""Pictures that are looked at."""
_WHOLE_PAGE: Final = 0.85
"""A picture of this share of its page is its ground, or all of it."""
_NEAR: Final = 60.0
"""Points between a picture and its caption at most."""
_CAPTION: Final = re.compile(
    r"(?:fig(?:ure|ura)?|abb(?:ildung)?|bild|image|imagen|photo|foto|рис(?:унок)?)\.?\s*\d"
    r"|[图圖図]\s*\d",
    re.I,
)
_SLOW: Final = 2_000_000
"""Pixels of a picture of one to four bits each, which pypdf takes apart one by one."""


class DrawnPicture(NamedTuple):
    """A picture as a page draws it: where from below, in points, and what it is drawn from."""

    page: int
    bottom: float
    top: float
    source: bytes
    image: Any


class DrawnPictures:
    """The pictures of a PDF, in the order in which they are drawn."""

    def __init__(self, figures: FigureCollector) -> None:
        self._figures = figures
        self._drawn: list[DrawnPicture] = []

    def visitor(self, page: pypdf.PageObject, number: int) -> Visitor | None:
        """Return what is to be called while the text of a *page* is read, None for no pictures."""
        images = _images(page)
        if not images:
            return None
        whole = _size(page)

        def look(operator: Any, operands: Any, cm: Any, _: Any) -> None:
            if operator != b"Do" or not operands or len(self._drawn) >= _MOST:
                return
            image = images.get(str(operands[0]))
            a, b, c, d, _x, y = map(float, cm)
            if image is None or abs(a * d - b * c) >= _WHOLE_PAGE * whole:
                return
            heights = (y, y + b, y + d, y + b + d)
            source = getattr(image, "indirect_reference", None)
            identity = b"%d" % (source.idnum if source is not None else id(image))
            self._drawn.append(DrawnPicture(number, min(heights), max(heights), identity, image))

        return look

    def beside(self, areas: Sequence[Area]) -> dict[int, list[DrawnPicture]]:
        """Return the pictures by the place among *areas* of the text nearest to them."""
        by_page: dict[int, list[int]] = {}
        for at, area in enumerate(areas):
            by_page.setdefault(area.page, []).append(at)
        found: dict[int, list[DrawnPicture]] = {}
        for picture in self._drawn:
            if places := by_page.get(picture.page):
                distances = {at: _distance(picture, areas[at]) for at in places}
                captions = [at for at in places if distances[at] <= _NEAR and is_caption(areas[at])]
                nearest = min(captions or places, key=lambda at: distances[at])
                found.setdefault(nearest, []).append(picture)
        return found

    def take(self, picture: DrawnPicture) -> int | None:
        """Return the number of *picture* if it is to be kept, else None."""
        return self._figures.take_from(picture.source, lambda: self._read(picture.image))

    def _read(self, image: Any) -> bytes:
        """Return the bytes of an image file that is the same as the object *image*."""
        # What broken objects raise has no end; a picture is no reason to refuse the document.
        with contextlib.suppress(Exception):
            given: Any = image.get("/Filter")
            filters: list[Any] = [*given] if isinstance(given, list) else [given]
            if filters[-1] == "/DCTDecode":
                return bytes(image.get_data())
            width, height = int(image["/Width"]), int(image["/Height"])
            is_slow = int(image.get("/BitsPerComponent", 1)) < 8 and width * height > _SLOW
            if filters == ["/FlateDecode"] and not is_slow and self._figures.affords(width, height):
                drawn = image.decode_as_image()
                drawn.thumbnail((SIDE, SIDE))
                buffer = io.BytesIO()
                drawn.convert("RGB" if drawn.mode == "CMYK" else drawn.mode).save(buffer, "PNG")
                return buffer.getvalue()
        return b""


def is_caption(area: Area) -> bool:
    """Tell whether *area* begins as the captions of figures do."""
    return _CAPTION.match(area.lines[0].text) is not None


def _images(page: pypdf.PageObject) -> dict[str, Any]:
    """Return the image objects of a *page* by the names under which it draws them."""
    with contextlib.suppress(Exception):
        resources: Any = page["/Resources"]
        objects: Any = resources.get("/XObject", {})
        named = {str(name): one.get_object() for name, one in objects.get_object().items()}
        return {
            name: one
            for name, one in named.items()
            if one.get("/Subtype") == "/Image" and not one.get("/ImageMask")
        }
    return {}


def _size(page: pypdf.PageObject) -> float:
    with contextlib.suppress(Exception):
        return float(page.mediabox.width) * float(page.mediabox.height)
    return 0.0


def _distance(picture: DrawnPicture, area: Area) -> float:
    """Return how far *area* is above or below *picture*, 0 where it is beside."""
    first, last = area.lines[0], area.lines[-1]
    return max(0.0, last.y - picture.top, picture.bottom - first.y - first.style.size)
