"""Of the images of a document those are kept that show something, drawn anew within bounds."""

from __future__ import annotations

import io
import random
import time

import pytest
from PIL import Image

from service.corpus.parsing.figures import collector as bounds
from service.corpus.parsing.figures.collector import FigureCollector, FigureImage
from tests.corpus import pictures


def kept(data: bytes) -> FigureImage | None:
    collector = FigureCollector()
    number = collector.take(data)
    return None if number is None else collector.get(number)


def opened(figure: FigureImage | None) -> Image.Image:
    assert figure is not None
    return Image.open(io.BytesIO(figure.data))


@pytest.mark.parametrize(
    ("kind", "mode", "mime"),
    [
        ("PNG", "RGB", "image/png"),
        ("PNG", "P", "image/png"),
        ("PNG", "1", "image/png"),
        ("GIF", "P", "image/png"),
        ("WEBP", "RGB", "image/png"),
        ("JPEG", "RGB", "image/jpeg"),
        ("JPEG", "CMYK", "image/jpeg"),
        ("JPEG", "L", "image/jpeg"),
    ],
)
def test_what_an_image_shows_is_kept_whatever_its_format(kind: str, mode: str, mime: str) -> None:
    figure = kept(pictures.saved(pictures.drawing(mode=mode), kind))
    drawn = opened(figure)
    assert (figure and figure.mime, drawn.format, drawn.size) == (
        mime,
        mime[6:].upper(),
        (200, 120),
    )


def test_a_transparent_image_stays_so() -> None:
    image = pictures.drawing(mode="RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    assert opened(kept(pictures.saved(image))).mode == "RGBA"


def test_a_large_image_is_drawn_smaller_and_one_on_its_side_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # its left edge is up
    exif[0x010F] = "Camera of Ada"
    image = pictures.drawing((1600, 800))
    drawn = opened(kept(pictures.saved(image, "JPEG", exif=exif)))
    assert drawn.size == (bounds.SIDE // 2, bounds.SIDE)
    assert not drawn.getexif()


def test_an_image_that_takes_too_many_bytes_is_kept_as_jpeg_and_smaller() -> None:
    noise = Image.frombytes("RGB", (400, 400), random.Random(1).randbytes(3 * 400 * 400))
    figure = kept(pictures.saved(noise, compress_level=0))
    assert figure is not None
    assert figure.mime == "image/jpeg"
    assert len(figure.data) <= bounds.IMAGE_BYTES


def test_nothing_that_is_hidden_in_a_file_is_kept() -> None:
    data = pictures.png() + b"PK\x03\x04<script>alert(1)</script>"
    figure = kept(data)
    assert figure is not None
    assert b"script" not in figure.data


@pytest.mark.parametrize(
    "data",
    [
        pictures.claiming(60_000, 60_000),
        pictures.claiming(4_000, 4_000),  # a row of it is there
        pictures.png()[:200],
        pictures.saved(pictures.drawing(), "JPEG")[:400],
        pictures.png(size=(24, 2_000)),
        pictures.png(size=(90, 90)),
        pictures.saved(Image.new("RGB", (400, 400), "navy")),
        pictures.saved(Image.new("RGBA", (400, 400), (9, 9, 9, 0))),
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        pictures.saved(pictures.drawing(), "BMP"),
        b"",
        b"GIF89a",
    ],
    ids=lambda data: f"{data[:4]!r} {len(data)}",
)
def test_what_claims_too_much_is_broken_or_shows_nothing_is_left_out(data: bytes) -> None:
    assert kept(data) is None


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_of_a_long_film_the_first_picture_is_kept(kind: str) -> None:
    frames = [pictures.drawing((120, 100), f"rgb({n % 250},9,9)", "RGB") for n in range(60)]
    film = pictures.saved(frames[0], kind, save_all=True, append_images=frames[1:])
    assert opened(kept(film)).size == (120, 100)


def test_an_image_is_kept_once_and_decoration_not_at_all() -> None:
    collector = FigureCollector()
    first = collector.take(pictures.png())
    assert first == 0
    assert collector.take(pictures.png()) is None
    assert collector.get(first) is not None
    collector.take(pictures.png())
    collector.take(pictures.png())
    assert collector.get(first) is None


def test_a_document_keeps_so_many_images_and_looks_at_so_many() -> None:
    collector = FigureCollector()
    data = [pictures.png(f"rgb({n},0,0)", (100, 100)) for n in range(bounds.IMAGES + 5)]
    numbers = [collector.take(one) for one in data]
    assert numbers == [*range(bounds.IMAGES), *[None] * 5]
    bombs = FigureCollector()
    started = time.process_time()
    for n in range(3_000):
        bombs.take(pictures.claiming(5_000, 5_000) + b"%d" % n)
    assert time.process_time() - started < 10
