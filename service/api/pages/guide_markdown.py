"""Make the guide's Markdown into the HTML of its pages.

Markup within a page stays text; a page's headings get anchors, its links lead to the other pages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.api.pages.guide_content import PREFIX, GuidePage, GuideSection

_LINKED: Final = re.compile(r"(?:\./)?([a-z][a-z-]*)\.md(#.*)?")
_OUTSIDE: Final = re.compile(r"https?://|#|/")
_NO_ANCHOR: Final = re.compile(r"[^\w -]+")
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


def rendered(text: str) -> GuidePage:
    """Return the page that the Markdown *text* is."""
    tokens = _MARKDOWN.parse(text)
    headings: list[tuple[int, str, str]] = []
    said: list[list[str]] = []
    taken: dict[str, int] = {}
    for before, token in itertools.pairwise([Token("", "", 0), *tokens]):
        if before.type == "heading_open":
            told = _plain(token)
            anchor = _anchor(told, taken)
            before.attrSet("id", anchor)
            headings.append((int(before.tag[1]), told, anchor))
            said.append([])
        elif said and token.type in {"inline", "fence", "code_block"}:
            said[-1].append(_plain(token) or token.content)
        elif token.type == "table_open":
            token.attrSet("tabindex", "0")
        for inner in token.children or ():
            _resolve(inner)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    # Wide code is scrolled by the keyboard, too. Raw HTML is off: each <pre> is ours.
    html = html.replace("<pre>", '<pre tabindex="0">')
    title = next((told for level, told, _ in headings if level == 1), "")
    texts = (" ".join(" ".join(words).split()) for words in said)
    sections = (GuideSection(*one, text) for one, text in zip(headings, texts, strict=True))
    return GuidePage(title, tuple(sections), html)


def _plain(inline: Token) -> str:
    """Return the words of a heading or paragraph without their marks."""
    parts: Sequence[Token] = inline.children or ()
    return "".join(" " if part.type == "softbreak" else part.content for part in parts)


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
