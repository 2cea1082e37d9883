"""Tell which parts of a page of HTML are its content: not navigation, scripts, forms, adverts."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from service.corpus.parsing import note_labels

_HIDDEN: Final = frozenset(
    "script style noscript template nav footer svg math iframe object embed canvas "
    "audio video select textarea input dialog head".split()
)
_BOILERPLATE: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|nav(?:header|footer)|navigation|menu|mainmenu|submenu|searchmenu|breadcrumbs?|sidebar|"
    r"toc|table-of-contents|cookies?|skip-?(?:link|nav|to-content)|pagination|pager|share|social|"
    r"site-?header|page-?header|masthead|(?:site-?|page-?)?footer|relbar|nosearch|visually-hidden|"
    r"sr-only|edit-?link|mw-editsection|printfooter|catlinks|siteSub|headerlink|advert\w*|print-only|noprint)(?:$|[\s_-])",
    re.I,
)
_ELSEWHERE: Final = re.compile(
    r"(?:^|[\s_-])(?:see-?also|related(?:-?(?:topics|links|articles|pages|content))?)(?:$|[\s_-])",
    re.I,
)
"""What names links to other pages, and may name what says something as well."""
_SKIPS: Final = re.compile(r"(?:^|[\s_-])(?:skip|jump)[_-]?(?:link|nav\w*|to\w*)(?:$|[\s_-])", re.I)
"""What names a link that leads to the content of its page."""
_PLACES: Final = re.compile(
    r"(?:^|[\s_-])(?:nav|navigation|menu|submenu|toc|table-of-contents|share|social)(?:$|[\s_-])",
    re.I,
)
"""What names links or buttons, and is given to lists of steps and to prose as well."""
_PAGE_HEADER: Final = re.compile(r"(?:^|(?<=\s))page-header(?:$|(?=\s))", re.I)
_SENTENCE: Final = re.compile(r"[^\W\d_]{2}[\"”’»)]?[.!?。！？](?=\s|$)|[。！？]")
_SENTENCES: Final = 2
"""What says so many sentences, most of which is no link, is content."""
_NOTE: Final = re.compile(
    r"(?:^|[\s_-])(?:admonition|notes?|warning|caution|tips?|hint|important|danger|alert|"
    r"call-?out|notice|infobox|doc-(?:tip|notice))(?:$|[\s_-])"
    r"|(?:^|\s)(?:(?:alert|call-?out|box|message|panel|block|hint|is|text)[_-]+)?info"
    r"(?:[_-]+(?:box|panel|block|message|call-?out|note|tip))?(?:$|\s)",
    re.I,
)
"""What names a box; "article-info" and "contact-info" name what the page is there for."""
_APART: Final = re.compile(
    r"(?:^|\s)(?:(?:article-|post-|entry-|page-)?comments(?:[_-](?:area|section|list))?|"
    r"comment[_-](?:area|section|list|overview|callout|respond|form)|"
    r"(?:article|entry|post|page|author)[_-](?:author|meta(?:data)?|bio|box|votes?|relatives|navigation)|"
    r"last-?(?:updated?|modified)|md-source-file|"
    r"by-?line|posted-on|recent(?:ly)?[_-](?:viewed|articles|posts)|widget-area|"
    r"sharedaddy|(?:sd|social)-sharing|sharing-(?:bar|buttons|links)|share-?this|addtoany|addthis)"
    r"(?:$|\s)",
    re.I,
)
"""What classes a block about a page: who wrote it and when, what its readers say, and others."""
_BLOCKS: Final = frozenset({"div", "section", "aside", "header", "footer", "ul", "ol", "p"})
_MAIN: Final = ("main", "[role=main]", "article")
_MAIN_SHARE: Final = 0.3
"""What calls itself the main part must hold this share of the page's text to be believed."""
_LINKED: Final = 0.5
"""An aside whose text is links to more than this share leads away from the page."""
_QUESTION: Final = re.compile(r"[?？؟]\s*$")
_LAYOUT: Final = "table table, td h1, td h2, td h3, td pre, td ul, td ol, td p + p"
_PARTS: Final = "table table, td h1, td h2, td h3"


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
    if tag == "form":  # but some servers set all of a page in one
        return node.css_first("h1, h2, main, article") is None
    if tag.startswith("-") or tag in _HIDDEN:
        return tag != "-text"
    if tag == "a":
        return _is_anchor(node) or bool(_SKIPS.search(node.attributes.get("class") or ""))
    if tag == "button":  # but a heading that unfolds its section is one, and so is a question
        in_heading = node.parent is not None and (node.parent.tag or "") in _HEADINGS
        return not in_heading and not _QUESTION.search(node.text()) and not _opens_panel(node)
    attributes = node.attributes
    if tag == "aside" and not is_note(node, tag):
        return not _is_content(node)
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return not (_unfolds(node) or _is_default(node))
    if attributes.get("role") in {"navigation", "search", "banner", "contentinfo"}:
        return True
    return tag not in {"body", "html", "main"} and _is_furniture(node, _named(node, tag))


def _is_furniture(node: LexborNode, named: str) -> bool:
    """Tell by what *node* is *named* that it is no content, and that it says nothing after all."""
    if _PAGE_HEADER.search(named) and node.css_first("h1, h2, h3, h4, h5, h6"):
        # Bootstrap calls the headings of the parts of a page so.
        named = _PAGE_HEADER.sub("  ", named)
    classes = node.attributes.get("class") or ""
    if node.tag in _BLOCKS and _APART.search(classes) and not node.css_first("h1"):
        return True
    if not _BOILERPLATE.search(named):
        return bool(_ELSEWHERE.search(named)) and _leads_away(node)
    return bool(_BOILERPLATE.search(_PLACES.sub("  ", named))) or not _tells(node)


def _leads_away(node: LexborNode) -> bool:
    """Tell whether *node* is links, but for a heading or a label."""
    said = len("".join(node.text().split()))
    linked = sum(len("".join(link.text().split())) for link in node.css("a"))
    return said - linked <= _LABEL


def _named(node: LexborNode, tag: str) -> str:
    """Return the classes and the id of *node*, without an id that is made of a heading.

    "share-a-file" is then what the part is about, and no bar of buttons.
    """
    classes, named = node.attributes.get("class") or "", node.attributes.get("id") or ""
    if tag in _HEADINGS:
        return classes
    # What is no boilerplate by its id needs no further look, and most parts are none.
    if named and _BOILERPLATE.search(named):
        heading = node.css_first("h1, h2, h3, h4, h5, h6")
        if heading is not None and _is_made_of(_slug(named), _slug(heading_text(heading))):
            return classes
    return f"{classes} {named}"


def _is_made_of(named: list[str], heading: list[str]) -> bool:
    """Tell whether an id has the words of a *heading*, or several of them."""
    return named == heading or (len(named) > 1 and set(named) <= set(heading))


def _slug(text: str) -> list[str]:
    """Return the words of ids and of the headings that they are made of.

    Without accents, and without numbers at the beginning.
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return _SLUG_WORD.findall(plain.lstrip("0123456789.)-_ "))


_SLUG_WORD: Final = re.compile(r"[^\W_]+")


def _is_anchor(link: LexborNode) -> bool:
    """Tell whether a *link* is but the sign behind a heading that leads to this heading."""
    sign = link.child
    if (
        sign is None
        or sign.next is not None
        or not (link.attributes.get("href") or "").startswith("#")
    ):
        return False
    shown = (sign.text_content or "").strip()
    # Themes draw it from fonts whose characters have no meaning of their own.
    return 0 < len(shown) <= _SIGN and not any(map(str.isalnum, shown))


_SIGN: Final = 2


def heading_text(heading: LexborNode) -> str:
    """Return what a *heading* says, without the signs that lead to it."""
    text = heading.text().strip()
    for link in heading.css("a"):
        if _is_anchor(link):
            sign = link.text().strip()
            text = text.removeprefix(sign).removesuffix(sign).strip()
    return text


def drop_translations(tree: LexborHTMLParser) -> None:
    """Take out of a page the lines that do nothing but link to it in other languages."""
    lines: dict[int, LexborNode] = {}
    for link in tree.css("body a[hreflang][rel~=alternate]"):
        line = link.parent
        while line is not None and line.tag in _INLINE:
            line = line.parent
        if line is not None and line.tag in _LINES:
            lines[line.mem_id] = line
    for line in lines.values():
        said = len("".join(line.text().split()))
        linked = sum(len("".join(link.text().split())) for link in line.css("a"))
        if said - linked <= _LABEL:
            line.decompose()


_INLINE: Final = frozenset({"span", "b", "strong", "i", "em", "small"})
_LINES: Final = frozenset({"p", "div", "li", "ul"})
_LABEL: Final = 45
"""Characters that such a line has beside its links: "Available languages:", and what is between."""


TAB: Final = "data-tab-name"
"""The attribute that `name_panels` gives a panel."""


def name_panels(tree: LexborHTMLParser) -> None:
    """Move the names of tabs to the panels that they open, each as the attribute `TAB`."""
    for labels in tree.css("body [role=tablist], body .tabbed-labels")[:_TABS]:
        named = [one.text(strip=True) for one in labels.css("[role=tab], label")]
        box = labels.parent
        panels = box.css("[role=tabpanel], .tabbed-block") if box is not None else []
        if len(named) == len(panels) > 1:
            for name, panel in zip(named, panels, strict=True):
                panel.attrs[TAB] = name  # pyright: ignore[reportIndexIssue]
            labels.decompose()


_TABS: Final = 100
"""Groups of tabs of a page whose names are moved: each takes a look at what stands beside it."""


def is_figure(node: LexborNode, tag: str) -> bool:
    """Tell whether *node* is a <div> that holds a picture and what is said of it alone."""
    return (
        tag == "div"
        and "figure" in (node.attributes.get("class") or "").split()
        and node.css_first("img") is not None
        and node.css_first("ul, ol, dl, table, pre, h1, h2, h3, h4, h5, h6") is None
    )


def is_link_bar(text: str) -> bool:
    """Tell whether *text*, all of it links, is the path to a page, or a bar of links."""
    return len(_BAR.findall(text)) > 1


_BAR: Final = re.compile(r"\s[>»›|·•→/:]{1,2}\s")


def is_read(node: LexborNode) -> bool:
    """Tell whether *node* stands in no part of the page that is left out."""
    above: LexborNode | None = node
    while above is not None and above.tag != "body":
        if is_hidden(above, above.tag or ""):
            return False
        above = above.parent
    return above is not None


def is_blank(node: LexborNode) -> bool:
    """Tell whether *node* holds nothing but white space."""
    inner = node.child
    return inner is None or (
        inner.tag == "-text" and inner.next is None and not (inner.text_content or "").strip()
    )


def boxes(table: LexborNode) -> bool:
    """Tell whether a *table* inside a note only draws its box: each row has one cell with text.

    What the note calls itself may stand in a cell beside it.
    """
    rows = table.css("tr")
    return len(rows) <= _BOX_ROWS and all(
        sum(_says(cell.text(strip=True)) for cell in row.css("td, th")) <= 1 for row in rows
    )


def _says(text: str) -> bool:
    return bool(text) and not note_labels.is_label(text)


_BOX_ROWS: Final = 3


def _tells(node: LexborNode) -> bool:
    """Tell whether *node* says sentences itself: it is content, whatever its class calls it."""
    text = node.text(separator=" ")
    links = sum(len(link.text()) for link in node.css("a, button, label"))
    return links <= _LINKED * len(text) and len(_SENTENCE.findall(text)) >= _SENTENCES


def _unfolds(node: LexborNode) -> bool:
    """Tell whether a hidden *node* is the panel that a button or a tab beside it unfolds."""
    role = node.attributes.get("role")
    return role == "tabpanel" or (role == "region" and "aria-labelledby" in node.attributes)


def _is_default(node: LexborNode) -> bool:
    """Tell whether of alternatives that are all hidden, until a script shows one, *node* is it.

    That is the one that is called so, "Ctrl" beside the "Command" of another system, or the first.
    """
    others = list(node.parent.iter()) if node.parent is not None else []
    if len(others) < _ALTERNATIVES or not all("hidden" in one.attributes for one in others):
        return False
    called = (one for one in others if "default" in (one.attributes.get("id") or ""))
    return next(called, others[0]).mem_id == node.mem_id


_ALTERNATIVES: Final = 2


def heads_entry(node: LexborNode, tag: str) -> bool:
    """Tell whether *node* is the question of an entry by what it is called, and no heading."""
    attributes = node.attributes
    if not attributes or tag in _HEADINGS or node.css_first("h1, h2, h3, h4, h5, h6, p + p"):
        return False
    if attributes.get("role") == "button":
        return bool(_QUESTION.search(node.text()))
    if attributes.get("itemprop") == "name":
        above = node.parent
        return above is not None and (above.attributes.get("itemtype") or "").endswith("/Question")
    return bool(_ENTRY.search(attributes.get("class") or ""))


_ENTRY: Final = re.compile(
    r"(?:^|[\s_-])(?:faqs?|accordion)[_-]{1,2}(?:item[_-]{1,2})?(?:question|title|header|heading)(?:$|\s)",
    re.I,
)


def _opens_panel(button: LexborNode) -> bool:
    """Tell whether a *button* unfolds what comes right after it, or after what it stands in."""
    panel = button.attributes.get("aria-controls")
    above: LexborNode | None = button
    for _ in range(_WRAPPERS):
        if not panel or above is None:
            return False
        after = above.next
        while after is not None and (after.tag or "").startswith("-"):
            after = after.next
        if after is not None and after.attributes.get("id") == panel:
            return after.tag not in _HIDDEN and bool(_SENTENCE.search(after.text(separator=" ")))
        above = above.parent
    return False


_WRAPPERS: Final = 3
"""Elements, the button included, that its panel may follow."""
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
    named = " ".join(filter(None, aside.attributes.values()))
    classes = aside.attributes.get("class") or ""
    if above is None or _BOILERPLATE.search(named) or _APART.search(classes):
        return False
    links = sum(len(link.text()) for link in aside.css("a"))
    return links <= _LINKED * len(aside.text())


def lays_out(table: LexborNode) -> bool:
    """Tell whether a *table* only lays out the page: whole parts of a page stand in its cells.

    Where many rows have the same cells, and the first one is short, paragraphs are no such parts.
    """
    if not table.css_first(_LAYOUT):
        return False
    rows = [
        [cell for cell in row.iter() if cell.tag in {"td", "th"}] for row in table.css("tr")[:_ROWS]
    ]
    cells = [len(row) for row in rows]
    headed = bool(rows) and len(rows[0]) > 1 and all(cell.tag == "th" for cell in rows[0])
    if headed or table.css_first(_PARTS):
        # Beside a head of several columns, what stands in a cell, such as a table, is of its row.
        return not headed or cells.count(cells[0]) < _MOST * len(rows)
    is_regular = len(rows) > _FEW_ROWS and cells[0] > 1 and len(set(cells)) == 1
    return not is_regular or any(len(row[0].text(strip=True)) > _NAME for row in rows)


_ROWS: Final = 200
_MOST: Final = 0.8
"""Rows of a table, of all, that have as many cells as its head."""
_FEW_ROWS: Final = 3
_NAME: Final = 60
"""Characters of what a row is about, such as the name of an option."""
