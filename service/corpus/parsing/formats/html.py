"""Read HTML: what a person reads of a page, without navigation, scripts and forms."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from service.blocks import BlockKind
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    row,
)

_HIDDEN: Final = frozenset(
    "script style noscript template nav footer aside form svg math iframe object embed canvas "
    "audio video select textarea input dialog head".split()
)
_FLOW: Final = frozenset(
    "address article blockquote body center dd details div dl dt fieldset figcaption figure header "
    "hr html legend li main ol p pre section summary table tbody td tfoot th thead tr ul "
    "h1 h2 h3 h4 h5 h6".split()
)
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_LISTS: Final = frozenset({"ul", "ol"})
_CELLS: Final = frozenset({"td", "th"})
_BOILERPLATE: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|mainmenu|submenu|searchmenu|breadcrumbs?|sidebar|"
    r"toc|table-of-contents|cookies?|skip-?(?:link|nav|to-content)|pagination|pager|share|social|"
    r"site-?header|page-?header|masthead|site-?footer|page-?footer|nosearch|visually-hidden|"
    r"sr-only|edit-?link|headerlink|advert\w*|print-only|noprint)(?:$|[\s_-])",
    re.I,
)
_NESTING: Final = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|"
    r"thead|tbody|tfoot|option|colgroup)\b)([a-z][^\s/>]*)",
    re.I,
)
"""Tags that open or close an element, but those that have no end or may leave it out."""
_DEPTH: Final = 2_000
_MAIN: Final = ("main", "[role=main]", "article")
_LAYOUT: Final = "table table, td h1, td h2, td h3, td pre, td ul, td ol, td p + p"
_MAIN_SHARE: Final = 0.3
"""What calls itself the main part must hold this share of the page's text to be believed."""


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the page *text* holds.

    Raises:
        Unreadable: it is over the limits, or nested too deep.
    """
    tree = _tree(text)
    body = BodyBuilder(limits)
    if root := _main_part(tree):
        _Reader(body).read(root)
    html = tree.css_first("html")
    language = (html.attributes.get("lang") or "") if html else ""
    title = tree.css_first("head title") or tree.css_first("title")
    heading = tree.css_first("h1")
    named = (title.text() if title else "") or (heading.text() if heading else "")
    return body.build(title=named, mime="text/html", language=language)


def add(fragment: str, body: BodyBuilder) -> None:
    """Add what a *fragment* of HTML inside another format says to *body*."""
    if root := _tree(fragment).body:
        _Reader(body).read(root)


def _tree(text: str) -> LexborHTMLParser:
    """Parse *text*, unless it nests so deep that the parser would take for ever."""
    opened: collections.Counter[str] = collections.Counter()
    depth = 0
    for tag in _NESTING.finditer(text):
        name = tag[2].lower()
        if not tag[1]:
            opened[name] += 1
            depth += 1
        elif opened[name]:  # else it closes nothing, whatever is open
            opened[name] -= 1
            depth -= 1
        if depth > _DEPTH:
            raise Unreadable("TOO_DEEP", f"elements are nested deeper than {_DEPTH}")
    return LexborHTMLParser(text)


def _main_part(tree: LexborHTMLParser) -> LexborNode | None:
    whole = tree.body
    if whole is None:
        return None
    size = len(whole.text())
    for selector in _MAIN:
        found = tree.css(selector)
        if len(found) == 1 and len(found[0].text()) >= _MAIN_SHARE * size:
            return found[0]
    return whole


class _Step(NamedTuple):
    """A node as the walk enters or leaves it."""

    node: LexborNode
    tag: str
    leaves: bool


def _walk(root: LexborNode) -> Iterator[_Step]:
    """Enter and leave each visible node below *root* in order, without recursion: pages nest."""
    path = [_Step(root, "", leaves=True)]
    node = root.child
    while path:
        if node is None:
            closed = path.pop()
            if path:
                yield closed
                node = closed.node.next
            continue
        tag = node.tag or ""
        if _is_hidden(node, tag):
            node = node.next
            continue
        yield _Step(node, tag, leaves=False)
        path.append(_Step(node, tag, leaves=True))
        node = node.child


def _is_hidden(node: LexborNode, tag: str) -> bool:
    if tag.startswith("-") or tag in _HIDDEN:
        return tag != "-text"
    if tag == "button":  # but a heading that unfolds its section is one
        return node.parent is None or node.parent.tag not in _HEADINGS
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if attributes.get("role") in {"navigation", "search", "banner", "contentinfo"}:
        return True
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return tag not in {"body", "html", "main"} and bool(_BOILERPLATE.search(named))


class _Reader:
    """Gathers inline text until a block begins or ends, then adds it as what it stands in."""

    def __init__(self, body: BodyBuilder) -> None:
        self._body = body
        self._inline: list[str] = []
        self._lists: list[int] = []  # the next number of each open list, 0 for bullets
        self._marker = ""
        self._heading = 0
        self._code = 0
        self._header: list[str] = []
        self._cells: list[str] | None = None
        self._open_cell: list[str] = []  # what the blocks inside the open cell said
        self._heads = 0  # cells of the open row that are th
        self._layout = 0  # open tables that only lay out the page

    def read(self, root: LexborNode) -> None:
        for node, tag, leaves in _walk(root):
            if tag == "-text":
                if not leaves:
                    self._inline.append(self._said(node))
            elif tag in {"br", "hr"}:
                if not leaves:
                    self._inline.append("\n")
            elif tag == "img":
                pass
            elif tag in _FLOW:
                self._flush(tag if leaves else "")
                (self._leave if leaves else self._enter)(node, tag)
        self._flush("")

    def _said(self, node: LexborNode) -> str:
        text = node.text_content or ""
        return text if self._code else re.sub(r"\s+", " ", text)

    def _enter(self, node: LexborNode, tag: str) -> None:
        if tag in _HEADINGS:
            self._heading = int(tag[1])
        elif tag == "pre":
            self._code += 1
        elif tag in _LISTS:
            start = node.attributes.get("start") or "1"
            number = int(start) if start.isdecimal() and len(start) < 9 else 1
            self._lists.append(number if tag == "ol" else 0)
        elif tag == "li":
            self._open_item()
        elif tag == "table":
            self._header = []
            self._layout += self._layout > 0 or bool(node.css_first(_LAYOUT))
        elif tag == "tr" and not self._layout:
            self._cells, self._heads = [], 0

    def _leave(self, node: LexborNode, tag: str) -> None:
        if tag in _HEADINGS:
            self._heading = 0
        elif tag == "pre":
            self._code -= 1
        elif tag in _LISTS:
            if self._lists:
                self._lists.pop()
        elif tag == "li":
            self._marker = ""
        elif tag == "table":
            self._layout -= self._layout > 0
        elif tag == "tr" and self._cells is not None:
            self._close_row(self._cells)

    def _open_item(self) -> None:
        number = self._lists[-1] if self._lists else 0
        self._marker = f"{number}. " if number else "- "
        if number:
            self._lists[-1] += 1

    def _close_row(self, cells: list[str]) -> None:
        if not self._header and len(cells) > 1 and self._heads == len(cells):
            self._header = cells
        else:
            self._body.add(BlockKind.ROW, row(self._header, cells))
        self._cells = None

    def _flush(self, leaving: str) -> None:
        """Add the text gathered so far; *leaving* is the tag that ends with it, if one does."""
        text = "".join(self._inline)
        self._inline.clear()
        if self._cells is not None:
            self._gather_cell(text, leaving)
        elif not text.strip():
            return
        elif self._heading:
            self._body.add(BlockKind.HEADING, text.replace("\n", " "), level=self._heading)
        elif self._code:
            self._body.add(BlockKind.CODE, text)
        elif self._marker:
            self._body.add(BlockKind.ITEM, self._marker + text.strip())
            self._marker = ""
        else:
            self._body.add(BlockKind.TEXT, text)

    def _gather_cell(self, text: str, leaving: str) -> None:
        cells = self._cells
        if cells is None:
            raise AssertionError("only called inside a row")
        if leaving in _CELLS:
            cells.append(" ".join([*self._open_cell, text]).strip())
            self._open_cell.clear()
            self._heads += leaving == "th"
        elif text.strip():
            self._open_cell.append(text.strip())
