"""Leave out the lists by which one finds one's way: tables of contents, and see-also at the end.

A table of contents is a list that repeats the headings of its page. What stands at the end of a
page under a heading, and is links and nothing else, leads to other pages, which say themselves
what is on them; and a page that has their titles would be found in their place.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from service.blocks import BlockKind
from service.corpus.parsing.loose_blocks import LooseBlock, is_question

_ITEMS: Final = 3
_REPEATED: Final = 0.7
"""A list of so many items, of which this share are headings of the page, is its contents."""
_TITLE: Final = re.compile(
    r"\W*(?:\d+\.\s*)?(?:(?:table of )?contents?|(?:on|in) this (?:page|article|section)|overview|"
    r"inhalt(?:sverzeichnis)?|auf dieser seite|sommaire|índice|contenido|目录)\W*",
    re.I,
)
_MARKER: Final = re.compile(r"(?:\W*(?:\d{1,3}(?:\.\d{1,3}){0,5}[.)]?\s+|\(\d{1,3}\)\s*))*[^\w¿¡]*")


def without_navigation(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without such lists, and without the lines that say what they are."""
    kept = list(_without_contents(loose))
    while (start := _see_also(kept)) is not None:
        del kept[start:]
    return kept


def _see_also(loose: Sequence[LooseBlock]) -> int | None:
    """Return where the links at the end begin with their heading, None if there are none."""
    start = len(loose)
    while start and loose[start - 1].linked and loose[start - 1].kind is BlockKind.ITEM:
        start -= 1
    links = len(loose) - start
    if not 0 < links <= _LINKS or start <= _SAID:
        return None
    return start - 1 if loose[start - 1].kind is BlockKind.HEADING else None


_LINKS: Final = 12
"""More links than these are what the page is for."""
_SAID: Final = 2
"""Blocks that a page says at least beside the heading and its links."""


def _without_contents(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without tables of contents."""
    headings = {_plain(one.text) for one in loose if _heads(one)}
    if len(headings) < _ITEMS:
        return loose
    kept: list[LooseBlock] = []
    for is_list, run in itertools.groupby(loose, key=lambda one: one.kind is BlockKind.ITEM):
        blocks = list(run)
        repeated = sum(_plain(one.text) in headings for one in blocks) if is_list else 0
        if repeated < _ITEMS or repeated < _REPEATED * len(blocks):
            kept += blocks
        elif kept and _TITLE.fullmatch(kept[-1].text[:_TITLE_LENGTH]):
            kept.pop()
    return kept


_TITLE_LENGTH: Final = 60


def _heads(one: LooseBlock) -> bool:
    """Tell whether *one* will head what follows: a heading, or a question in bold."""
    is_bold = one.bold >= len(one.text)
    return one.kind is BlockKind.HEADING or (is_bold and is_question(one.text))


def _plain(text: str) -> str:
    bare = _MARKER.sub("", text[:_LINE_LENGTH], count=1)
    return " ".join(bare.casefold().split()).rstrip(":.?？ ")


_LINE_LENGTH: Final = 300
