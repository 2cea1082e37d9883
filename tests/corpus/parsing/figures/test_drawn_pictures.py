"""The pictures of a PDF stand beside the nearest text of their page, with their captions."""

from __future__ import annotations

import time
import zlib

import pytest

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from service.corpus.parsing.parsed_documents import ParsedDocument
from tests.corpus import pictures
from tests.corpus.texts import blocks, pdf_with_images

RGB = "/ColorSpace /DeviceRGB /BitsPerComponent 8"


def jpeg(colour: str = "red", mode: str = "RGB") -> tuple[str, bytes]:
    data = pictures.saved(pictures.drawing(colour=colour, mode=mode), "JPEG")
    space = {"RGB": "RGB", "CMYK": "CMYK"}[mode]
    described = f"/Width 200 /Height 120 /ColorSpace /Device{space} /BitsPerComponent 8"
    return f"{described} /Filter /DCTDecode", data


def flate(colour: str = "blue", size: str = "/Width 200 /Height 120") -> tuple[str, bytes]:
    data = zlib.compress(pictures.drawing(colour=colour).tobytes())
    return f"{size} {RGB} /Filter /FlateDecode", data


def text(y: int, said: str, size: int = 10) -> str:
    return f"BT /F1 {size} Tf 1 0 0 1 50 {y} Tm ({said}) Tj ET\n"


def image(number: int, y: int, width: int = 200, height: int = 120) -> str:
    return f"q {width} 0 0 {height} 50 {y} cm /Im{number} Do Q\n"


def beside(parsed: ParsedDocument) -> list[str]:
    return [parsed.body[figure.start :].split("\n")[0] for figure in parsed.figures]


def test_pictures_stand_beside_the_nearest_text_or_their_caption() -> None:
    page = (
        text(750, "Fill the housing of the pump with water.")
        + image(0, 600)
        + text(585, "Figure 1: the filler plug from above.")
        + text(500, "Close the plug by hand, and turn the pump on.")
        + image(1, 370)
        + text(100, "The guarantee ends after two years.")
    )
    parsed = parsing.parse(pdf_with_images([jpeg(), flate()], page), filename="pump.pdf")
    assert blocks(parsed) == [
        (BlockKind.TEXT, "Fill the housing of the pump with water."),
        (BlockKind.FIGURE, "Figure 1: the filler plug from above."),
        (BlockKind.TEXT, "Close the plug by hand, and turn the pump on."),
        (BlockKind.TEXT, "The guarantee ends after two years."),
    ]
    assert beside(parsed) == [blocks(parsed)[1][1], blocks(parsed)[2][1]]
    assert [figure.mime for figure in parsed.figures] == ["image/jpeg", "image/png"]


def test_a_picture_of_each_page_is_decoration_and_one_that_fills_it_its_ground() -> None:
    pages = [
        text(750, f"What page {n} says is like no other page, as {n * n}.")
        + image(0, 600)
        + image(1, 0, 600, 800)
        for n in range(2_000)
    ]
    started = time.process_time()
    parsed = parsing.parse(pdf_with_images([jpeg(), flate()], *pages[:6]), filename="a.pdf")
    assert parsed.figures == ()
    data = pdf_with_images([jpeg()], *[image(0, 600) * 50 + text(750, "Some text.")] * 20)
    assert parsing.parse(data, filename="a.pdf").figures == ()
    assert time.process_time() - started < 3


def test_a_caption_of_a_picture_that_is_not_kept_is_text() -> None:
    page = text(750, "Fill it.") + image(0, 600) + text(585, "Figure 1: the plug.")
    tiny = ("/Width 8 /Height 8 " + RGB, bytes(192))
    parsed = parsing.parse(pdf_with_images([tiny], page), filename="a.pdf")
    assert [text for _, text in blocks(parsed)] == ["Fill it.", "Figure 1: the plug."]
    assert parsed.figures == ()


@pytest.mark.parametrize(
    "described",
    [
        flate(size="/Width 60000 /Height 60000"),
        flate(size="/Width 200 /Height -1"),
        flate(size="/Width (x) /Height [1]"),
        (f"/Width 200 /Height 120 {RGB} /Filter /JBIG2Decode", b"x"),
        (f"/Width 200 /Height 120 {RGB} /Filter /FlateDecode", b"broken"),
        (f"/Width 200 /Height 120 {RGB} /Filter /FlateDecode", zlib.compress(bytes(10_000_000))),
        ("/Width 200 /Height 120 /Filter /DCTDecode", jpeg()[1][:300]),
        ("/Width 9000 /Height 9000 /BitsPerComponent 1 /ImageMask true", b"x"),
        (f"/Width 200 /Height 120 {RGB} /SMask 1 0 R /Filter /FlateDecode", flate()[1]),
    ],
    ids=str,
)
def test_a_picture_built_to_harm_is_left_out_and_the_text_is_read(
    described: tuple[str, bytes],
) -> None:
    page = text(750, "Fill the housing of the pump with water.") + image(0, 600) + image(7, 10)
    parsed = parsing.parse(pdf_with_images([described], page), filename="a.pdf")
    assert parsed.body == "Fill the housing of the pump with water."


def test_a_picture_for_print_is_shown_in_the_colours_of_screens() -> None:
    page = text(750, "Fill the housing of the pump with water.") + image(0, 600)
    parsed = parsing.parse(pdf_with_images([jpeg(mode="CMYK")], page), filename="a.pdf")
    assert [figure.mime for figure in parsed.figures] == ["image/jpeg"]
