"""Markdown is read as its reader sees it."""

from __future__ import annotations

import time

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus import pictures
from tests.corpus.texts import blocks

MARKDOWN = """---
title: "Parking permits"
lang: en
---
{% include alert.html type="info" %}
See [the map]({{ site.baseurl }}/map) or `{{ keep }}` it.{:class="x"}
![Map of the zones](map.png) ![](no-name.png)

{: .number-list}
1. Choose a *zone*.
2. Pay:
   - by card
   - in cash

| Zone | Fee |
|------|-----|
| North | 30 € |

<div class="accordion"><h2>Visitors</h2><p>A day costs <b>2 €</b>.<script>x()</script></p></div>

```sh
permit --zone  north
```
"""


def test_markdown_keeps_what_is_read_and_drops_what_drives_the_page() -> None:
    parsed = parsing.parse(MARKDOWN.encode(), filename="a/permits.md")
    assert (parsed.title, parsed.language, parsed.mime) == (
        "Parking permits",
        "en",
        "text/markdown",
    )
    assert blocks(parsed) == [
        (BlockKind.TEXT, "See the map or {{ keep }} it. Map of the zones"),
        (BlockKind.ITEM, "1. Choose a zone."),
        (BlockKind.ITEM, "2. Pay:"),
        (BlockKind.ITEM, "- by card"),
        (BlockKind.ITEM, "- in cash"),
        (BlockKind.ROW, "Zone: North | Fee: 30 €"),
        (BlockKind.HEADING, "Visitors"),
        (BlockKind.TEXT, "A day costs 2 €."),
        (BlockKind.CODE, "permit --zone  north"),
    ]


def test_pictures_beside_the_file_stand_beside_what_shows_them() -> None:
    text = """# Pump

![The pump from above](img/a.png "Title")

Turn ![the valve](b.png) slowly. <img src="c.png">

1. Open it.

   ![The lid](d%20e.png)
2. Close it.

![Elsewhere](http://x.example/a.png)
![Not there](f.png)
"""
    colours = {"img/a.png": "red", "b.png": "blue", "c.png": "green", "d e.png": "gray"}
    files = {path: pictures.png(colour) for path, colour in colours.items()}
    parsed = parsing.parse(text.encode(), filename="pump.md", files=files)
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Pump"),
        (BlockKind.FIGURE, "The pump from above"),
        (BlockKind.LEAD, "Turn the valve slowly."),
        (BlockKind.ITEM, "1. Open it."),
        (BlockKind.FIGURE, "The lid"),
        (BlockKind.ITEM, "2. Close it."),
    ]
    assert len({block.whole for block in parsed.blocks[3:]}) == 1
    beside = [parsed.body[figure.start :].split("\n")[0] for figure in parsed.figures]
    assert beside == ["The pump from above", *["Turn the valve slowly."] * 2, "The lid"]


def test_a_paragraph_of_images_takes_no_longer_than_their_number() -> None:
    started = time.process_time()
    text = b"Trams are late.\n\n" + b"![](a.png)" * 6_000
    assert parsing.parse(text, filename="a.md").body == "Trams are late."
    assert time.process_time() - started < 1
