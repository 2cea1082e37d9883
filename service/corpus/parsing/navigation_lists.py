"""Leave out the lists by which one finds one's way: tables of contents, and see-also at the end.

A table of contents is a list that repeats the headings of its page. What stands at the end of a
page under a heading, or under "Related topics", and is links and nothing else, leads to other
pages, which say themselves what is on them; and a page that has their titles would be found in
their place.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

from service.blocks import BlockKind
from service.corpus.parsing.loose_blocks import LooseBlock, is_question

_ITEMS: Final = 3
_REPEATED: Final = 0.7
"""A list of so many items, of which this share are headings of the page, is its contents."""
_TITLE: Final = re.compile(
    r"\W*(?:\d+\.\s*)?(?:(?:table of )?contents?|(?:on|in) this (?:page|article|section)|overview|"
    r"inhalt(?:sverzeichnis)?|auf dieser seite|index|sommaire|índice|contenido|目录)\W*",
    re.I,
)
_MARKER: Final = re.compile(r"(?:\W*(?:\d{1,3}(?:\.\d{1,3}){0,5}[.)]?\s+|\(\d{1,3}\)\s*))*[^\w¿¡]*")


def without_navigation(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without such lists, and without the lines that say what they are."""
    said = [one for one in _from_title(loose) if not _about_page(one)]
    kept = list(_without_links(_without_contents(said)))
    while (start := _see_also(kept)) is not None:
        del kept[start:]
    return kept


def _about_page(one: LooseBlock) -> bool:
    """Tell whether *one* is of the page and not of what it says: "Last updated 3 days ago"."""
    if one.kind is not BlockKind.TEXT or len(one.text) > _SHORT:
        return False
    if one.linked and _TURNS.match(one.text):
        return True
    return all(_ABOUT.fullmatch(line.strip()) for line in one.text.split("\n"))


_SHORT: Final = 120
_TURNS: Final = re.compile(r"(?:[Pp]revious|[Nn]ext|Prev|Back)(?![a-z])")
_ABOUT: Final = re.compile(
    r"(?:(?:was|is) (?:this|the) (?:article|page|answer|information|content)?\s?(?:helpful|useful)"
    r"|did (?:this|you find|we) .{0,40}(?:answer your question|helpful|useful|you)|send feedback"
    r"|(?:last )?(?:updated|modified|edited|reviewed)(?: on|:)? (?=.*(?:\d|\bago\b)).{1,50}"
    r"|(?:posted|published) on .{0,20}\d.{0,40}|written by \W?\w+(?: \w+){0,3}"
    r"|war (?:dieser artikel|diese seite) hilfreich|¿(?:te|le) (?:ha sido|fue|resultó) útil.{0,30}"
    r"|(?:cet article|cette page) vous a-t-(?:il|elle) .{0,20}|这篇文章有帮助吗)\s?[?？.:]?",
    re.I,
)


def _from_title(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without a link above the title that is set as a heading: "Read this at …"."""
    ranks = [one.level for one in loose[:2] if one.kind is BlockKind.HEADING]
    leads_away = len(ranks) > 1 and loose[0].linked and ranks[0] > ranks[1] > 0
    return loose[1:] if leads_away else loose


def _without_links(loose: Sequence[LooseBlock]) -> Iterator[LooseBlock]:
    """Yield *loose* without lists of links that no sentence promises: other pages say those."""
    before: LooseBlock | None = None
    for is_links, run in itertools.groupby(loose, key=_is_link):
        blocks = list(run)
        if is_links and len(blocks) >= _ITEMS and not (before and _is_promised([before])):
            continue
        yield from blocks
        before = blocks[-1]


def _is_link(one: LooseBlock) -> bool:
    return one.linked and one.kind is BlockKind.ITEM


def _see_also(loose: Sequence[LooseBlock]) -> int | None:
    """Return where the links at the end begin with their heading, None if there are none."""
    start = len(loose)
    while start and loose[start - 1].linked and loose[start - 1].kind in _LINES:
        start -= 1
    links = len(loose) - start
    if not 0 < links <= _LINKS or start <= _SAID:
        return None
    above = loose[start - 1]
    listed = all(one.kind is BlockKind.ITEM for one in loose[start:])
    heads = (listed and above.kind is BlockKind.HEADING) or _RELATED.fullmatch(above.text)
    return start - 1 if heads else None


_LINES: Final = frozenset({BlockKind.ITEM, BlockKind.TEXT})
_RELATED: Final = re.compile(
    r"\W*(?:see also|(?:related|further|more) (?:topics?|links?|pages?|articles?|reading"
    r"|information)|siehe auch|verwandte themen|voir aussi|sujets connexes|véase también"
    r"|temas relacionados|另请参阅|相关主题)\W*",
    re.I,
)
"""Heads links to other pages though it is no heading, and they are no list."""


_LINKS: Final = 12
"""More links than these are what the page is for."""
_SAID: Final = 2
"""Blocks that a page says at least beside the heading and its links."""


def _without_contents(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without tables of contents."""
    loose = _without_leaders(loose)
    headings = {_plain(said) for one in loose if (said := _heading(one))}
    if len(headings) < _ITEMS:
        return loose
    kept: list[LooseBlock] = []
    for is_list, run in itertools.groupby(loose, key=lambda one: _is_listed(one, headings)):
        blocks = list(run)
        repeated = sum(_plain(one.text) in headings for one in blocks) if is_list else 0
        if repeated < _ITEMS or repeated < _REPEATED * len(blocks) or _is_promised(kept):
            kept += blocks
        elif kept and (_TITLE.fullmatch(kept[-1].text[:_TITLE_LENGTH]) or _leads(kept[-1])):
            kept.pop()
    return kept


def _is_listed(one: LooseBlock, headings: Set[str]) -> bool:
    """Tell whether *one* may be of a list: some pages set each line of their contents apart."""
    if one.kind is BlockKind.TEXT:
        return not _heading(one) and _plain(one.text) in headings
    return one.kind in _LISTED


_TITLE_LENGTH: Final = 60
_LISTED: Final = frozenset({BlockKind.ITEM, BlockKind.TERM})


def _without_leaders(loose: Sequence[LooseBlock]) -> Sequence[LooseBlock]:
    """Return *loose* without the lines that lead to a page by rows of dots."""
    led = {at for at, one in enumerate(loose) if _LEADER.search(one.text[-_LINE_LENGTH:])}
    if len(led) < _ITEMS:
        return loose
    titles = {at for at, one in enumerate(loose) if at + 1 in led and _TITLE.fullmatch(one.text)}
    return [one for at, one in enumerate(loose) if at not in led | titles]


_LEADER: Final = re.compile(r"(?:\.\s?){5,}\s*(?:\d{1,4}|[ivxlc]{1,6})$")


def _leads(one: LooseBlock) -> bool:
    """Tell whether *one* is a sentence that a list should follow."""
    return one.kind is BlockKind.TEXT and one.text.endswith((":", "："))


def _is_promised(before: Sequence[LooseBlock]) -> bool:
    """Tell whether a sentence *before* a list makes it a part of what the page says.

    One that speaks of the page itself only tells what is on it.
    """
    return bool(before) and _leads(before[-1]) and not _PAGE.search(before[-1].text)


_PAGE: Final = re.compile(
    r"\b(?:document|page|guide|manual|section|chapter|article|topic|contents?|"
    r"dokument|seite|abschnitt|kapitel|thema|chapitre|sujet|"
    r"documento|página|sección|capítulo|artículo|tema)(?:s|e|en|es)?\b|本页|本文|章节",
    re.I,
)


def _heading(one: LooseBlock) -> str:
    """Return what of *one* will head what follows: a heading, or a question in bold."""
    if one.kind is BlockKind.HEADING:
        return one.text
    bold = one.text[: one.bold].rstrip()
    return bold if bold and is_question(bold) else ""


def _plain(text: str) -> str:
    bare = _MARKER.sub("", text[:_LINE_LENGTH], count=1)
    return " ".join(bare.casefold().split()).rstrip(":.?？ ")


_LINE_LENGTH: Final = 300
