"""Images that a text shows are found by their addresses, and never outside of its folder."""

from __future__ import annotations

import time

import pytest

from service.corpus.parsing.figures import image_links
from tests.corpus import pictures


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (b"![a](img/a.png)", ["img/a.png"]),
        (b"![a](<my lid.PNG> 'title')", ["my lid.PNG"]),
        (b"<img src=b.jpeg><img src='c.gif' alt=x>", ["b.jpeg", "c.gif"]),
        (b"![a][ref]\n\n[ref]: ./d%20e.webp 'x'", ["d e.webp"]),
        (b"![a](a.png?raw=true) ![a](a.png#top)", ["a.png"]),
        (b"![a](../a.png) ![b](/etc/a.png) ![c](img/../../a.png)", []),
        (b"![a](.git/a.png) ![b](a/.b/c.png) ![c](..%2fa.png) ![d](..\\a.png)", []),
        (b"![a](http://x/a.png) ![b](//x/b.png) ![c](a.pngx) ![d](a.png.exe)", []),
        (b"![a](a%00.png)", []),
    ],
)
def test_the_files_beside_a_text_are_found_by_their_paths(text: bytes, paths: list[str]) -> None:
    assert image_links.named_in(text) == paths


def test_whoever_writes_nothing_but_names_is_not_read_for_ever() -> None:
    started = time.process_time()
    assert len(image_links.named_in(b"a.png " * 1_000_000)) <= image_links.FILES
    names = b" ".join(b"(%d.png)" % n for n in range(100_000))
    assert len(image_links.named_in(names)) == image_links.FILES
    assert time.process_time() - started < 2


def test_an_address_that_holds_an_image_is_read_within_a_bound() -> None:
    data = pictures.png()
    assert image_links.inline(pictures.inline(data), 1_000) == data
    assert image_links.inline(pictures.inline(data).replace("=", "%3D"), 1_000) == data
    assert image_links.inline(pictures.inline(data), 10) == b""
    assert image_links.inline("data:image/svg+xml,<svg/>", 1_000) == b""
    assert image_links.inline("data:text/html;base64,YQ==", 1_000) == b""
    assert image_links.inline("data:image/png;base64,é", 1_000) == b""


@pytest.mark.parametrize("address", ["http://[x/c.png", "a\x00.png", "", "/a.png", "a/../../b.png"])
def test_what_is_no_path_below_the_text_names_no_file(address: str) -> None:
    assert image_links.path_of(address) == ""
