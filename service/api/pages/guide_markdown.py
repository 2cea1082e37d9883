"""Make the guide's Markdown into the HTML of its pages.

Markup within a page stays text; a page's headings get anchors, its links lead to the other pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

PREFIX: Final = "/guide/"

_LINKED: Final = re.compile(r"(?:\./)?([a-z][a-z-]*)\.md(#.*)?")
_OUTSIDE: Final = re.compile(r"https?://|#|/")
_NO_ANCHOR: Final = re.compile(r"[^\w -]+")
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


class GuideHeading(NamedTuple):
    """A heading within a page."""

    level: int
    text: str
    anchor: str


class GuidePage(NamedTuple):
    """One page: its title, its headings below the title, and the HTML of its text."""

    title: str
    headings: tuple[GuideHeading, ...]
    html: str


def rendered(text: str) -> GuidePage:
    """Return the page that the Markdown *text* is."""
    tokens = _MARKDOWN.parse(text)
    headings: list[GuideHeading] = []
    taken: dict[str, int] = {}
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            told = _plain(tokens[index + 1])
            anchor = _anchor(told, taken)
            token.attrSet("id", anchor)
            headings.append(GuideHeading(int(token.tag[1]), told, anchor))
        elif token.type == "table_open":
            token.attrSet("tabindex", "0")
        for inner in token.children or ():
            _resolve(inner)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    # Wide code is scrolled by the keyboard, too. Raw HTML is off: each <pre> is ours.
    html = html.replace("<pre>", '<pre tabindex="0">')
    title = next((one.text for one in headings if one.level == 1), "")
    return GuidePage(title, tuple(one for one in headings if one.level > 1), html)


def _plain(inline: Token) -> str:
    """Return the words of a heading without their marks."""
    parts: Sequence[Token] = inline.children or ()
    return "".join(part.content for part in parts if part.type in {"text", "code_inline"})


def _anchor(text: str, taken: dict[str, int]) -> str:
    """Return what names a heading in an address, as GitHub does: unique within the page."""
    anchor = _NO_ANCHOR.sub("", text.lower()).replace(" ", "-")
    taken[anchor] = times = taken.get(anchor, 0) + 1
    return anchor if times == 1 else f"{anchor}-{times - 1}"


def _resolve(token: Token) -> None:
    """Lead links between files to the pages that are served of them."""
    if token.type == "link_open":
        target = str(token.attrGet("href") or "")
        if page := _LINKED.fullmatch(target):
            token.attrSet("href", f"{PREFIX}{page[1]}{page[2] or ''}")
        elif not _OUTSIDE.match(target):
            # Pages on the code stand in the repository only.
            token.attrs.pop("href", None)
