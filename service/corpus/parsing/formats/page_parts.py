"""Tell which parts of a page of HTML are its content: not navigation, scripts, forms, adverts."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

_HIDDEN: Final = frozenset(
    "script style noscript template nav footer form svg math iframe object embed canvas "
    "audio video select textarea input dialog head".split()
)
_BOILERPLATE: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|mainmenu|submenu|searchmenu|breadcrumbs?|sidebar|"
    r"toc|table-of-contents|cookies?|skip-?(?:link|nav|to-content)|pagination|pager|share|social|"
    r"site-?header|page-?header|masthead|(?:site-?|page-?)?footer|relbar|nosearch|visually-hidden|"
    r"sr-only|edit-?link|headerlink|advert\w*|print-only|noprint)(?:$|[\s_-])",
    re.I,
)
_NOTE: Final = re.compile(
    r"(?:^|[\s_-])(?:admonition|notes?|warning|caution|tips?|hint|important|danger|alert|info|"
    r"call-?out|notice|infobox|doc-(?:tip|notice))(?:$|[\s_-])",
    re.I,
)
_MAIN: Final = ("main", "[role=main]", "article")
_MAIN_SHARE: Final = 0.3
"""What calls itself the main part must hold this share of the page's text to be believed."""
_LINKED: Final = 0.5
"""An aside whose text is links to more than this share leads away from the page."""
_QUESTION: Final = re.compile(r"[?？؟]\s*$")


def main_part(tree: LexborHTMLParser) -> LexborNode | None:
    """Return what a page is about, all of its body where nothing says so."""
    whole = tree.body
    if whole is None:
        return None
    size = len(whole.text())
    for selector in _MAIN:
        found = tree.css(selector)
        if len(found) == 1 and len(found[0].text()) >= _MAIN_SHARE * size:
            return found[0]
    return whole


def is_hidden(node: LexborNode, tag: str) -> bool:
    """Tell whether *node* is no content, and nothing in it is."""
    if tag.startswith("-") or tag in _HIDDEN:
        return tag != "-text"
    if tag == "button":  # but a heading that unfolds its section is one, and so is a question
        in_heading = node.parent is not None and (node.parent.tag or "") in _HEADINGS
        return not in_heading and not _QUESTION.search(node.text())
    attributes = node.attributes
    if tag == "aside" and not is_note(node, tag):
        return not _is_content(node)
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if attributes.get("role") in {"navigation", "search", "banner", "contentinfo"}:
        return True
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return tag not in {"body", "html", "main"} and bool(_BOILERPLATE.search(named))


_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))


def is_note(node: LexborNode, tag: str) -> bool:
    """Tell whether *node* is a box beside the text: a note, a tip, a warning."""
    if tag not in {"div", "aside", "section", "blockquote", "p"} and "-" not in tag:
        return False
    attributes = node.attributes
    named = f"{tag} {attributes.get('class') or ''} {attributes.get('role') or ''}"
    return bool(_NOTE.search(named))


def _is_content(aside: LexborNode) -> bool:
    """Tell whether an *aside* says something itself, inside what the page is about."""
    above = aside.parent
    while above is not None and above.tag not in {"main", "article"}:
        above = above.parent
    if above is None or _BOILERPLATE.search(" ".join(filter(None, aside.attributes.values()))):
        return False
    links = sum(len(link.text()) for link in aside.css("a"))
    return links <= _LINKED * len(aside.text())
