"""Read HTML: what a person reads of a page, without navigation, scripts and forms."""

from __future__ import annotations

import collections
import re
from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from service.corpus.parsing import document_properties
from service.corpus.parsing.formats import page_parts
from service.corpus.parsing.formats.elements import PageReader
from service.corpus.parsing.parsed_documents import (
    BodyBuilder,
    BodyLimits,
    ParsedDocument,
    Unreadable,
    one_line,
)

_NESTING: Final = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|"
    r"thead|tbody|tfoot|option|colgroup)\b)([a-z][^\s/>]*)",
    re.I,
)
"""Tags that open or close an element, but those that have no end or may leave it out."""
_DEPTH: Final = 2_000


def read(text: str, limits: BodyLimits, files: Mapping[str, bytes] | None = None) -> ParsedDocument:
    """Return the document that the page *text* holds, with images of the *files* beside it.

    Raises:
        Unreadable: it is over the limits, or nested too deep.
    """
    tree = _tree(text)
    body = BodyBuilder(limits, files)
    page_parts.drop_translations(tree)
    page_parts.name_panels(tree)
    title = _title(tree)
    if root := page_parts.main_part(tree):
        PageReader(body).read(root)
    html = tree.css_first("html")
    language = (html.attributes.get("lang") or "") if html else ""
    return body.build(
        title=title,
        mime="text/html",
        language=language,
        properties=document_properties.of_page(tree),
    )


def _title(tree: LexborHTMLParser) -> str:
    """Return the title of a page, and take out of it a first heading that names its site."""
    title = tree.css_first("head title") or tree.css_first("title")
    named = one_line(title.text()) if title else ""
    read = [one for one in tree.css("h1")[:_HEADINGS] if page_parts.is_read(one)]
    headings = [one_line(page_parts.heading_text(one)) for one in read]
    first = headings[0] if headings else ""
    if first and named.endswith(first) and not _begins(named, first):
        others = [*headings[1:], *(one_line(one.text()) for one in tree.css("h2")[:_HEADINGS])]
        own = _SITE.split(named, maxsplit=1)[0]
        if own != named and any(one.startswith(own) for one in others):
            read[0].decompose()
            return own
    return _without_site(named, first)


def _begins(named: str, headed: str) -> bool:
    """Tell whether the title of a page is its heading, with the name of the site behind it."""
    return bool(headed and named.startswith(headed) and _SITE.match(named[len(headed) :]))


def _without_site(named: str, headed: str) -> str:
    """Return the title of a page without the name of its site, as its heading says it."""
    if not named or _NAMELESS.match(named):
        return headed
    begins = _begins(named, headed)
    ends = bool(headed) and named.endswith(headed) and _SITE_BEFORE.search(named[: -len(headed)])
    if begins or ends or (headed and _SITE_BEFORE.search(named)):
        return headed
    # "mod_x - Server Version 2" over "Module mod_x"
    first = _SITE.split(named, maxsplit=1)[0]
    return headed if first != named and headed.endswith(f" {first}") else named


_SITE: Final = re.compile(r"\s+[-–—|·•:»«]\s|\s?[|»]\s?")
"""What stands between the title of a page and the name of its site."""
_SITE_BEFORE: Final = re.compile(r"(?:\s[-–—|·•:»«]|[|»])\s*$")
"""The same where the site is named first; it may name no page after that."""
_NAMELESS: Final = re.compile(r"<?(?:no title|untitled(?: document)?)>?(?:$|\s*[-–—|])", re.I)
_HEADINGS: Final = 20
"""Headings of the first level that are looked at for the title: the first may name the site."""


def add(fragment: str, body: BodyBuilder) -> None:
    """Add what a *fragment* of HTML inside another format says to *body*."""
    if root := _tree(fragment).body:
        PageReader(body).read(root)


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
