"""Read wiki text, as the pages of wikis and of notebooks lie in files: headings between "=" signs.

DokuWiki and Zim set more signs around a heading that stands higher, MediaWiki fewer. What the signs
mark is made into HTML, and read as that.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.corpus.parsing.file_types import WIKI_HEADING
from service.corpus.parsing.formats import html
from service.corpus.parsing.parsed_documents import BodyBuilder, BodyLimits, ParsedDocument

_ABOUT: Final = re.compile(r"\A\ufeff?Content-Type: text/x-[^\n]*\n(?:[\w-]+:[^\n]*\n){0,20}\n*")
"""The fields that stand above a page of a notebook."""
_BLOCK: Final = re.compile(
    r"^[ \t]*(?:'''[ \t]*\n(?P<quoted>.*?)\n[ \t]*'''[ \t]*$"
    r"|\{\{\{[ \t]*\w{0,20}[ \t]*(?::[^\n]{0,100})?\n(?P<braced>(?:(?!\n\{\{\{).)*?)\n\}\}\}[ \t]*$"
    r"|<(?P<tag>code|file|pre)(?:\s[^<>\n]{0,100})?>"
    r"(?P<tagged>(?:(?!<(?:code|file|pre)\b).)*?)</(?P=tag)>)",
    re.S | re.M,
)
"""Code, set apart by its marks. None holds the beginning of another: the many
that none ends are each looked at once."""
_ITEM: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<stars>\*{1,6}|#{1,6})|(?P<dash>-)|(?P<number>\d{1,4}|[a-zA-Z])\."
    r"|(?P<box>\[[ xX*<>]\]))[ \t]+(?P<said>\S.*)$"
)
_ROW: Final = re.compile(r"[ \t]*[|^].*[|^][ \t]*$")
_ROW_RULE: Final = re.compile(r"[\s|:^+-]+$")
_RULE: Final = re.compile(
    r"[ \t]*-{4,}[ \t]*$|[ \t]*~~[A-Z:]{2,30}~~[ \t]*$|\{\{\w{1,20}>[^\n]{0,300}\}\}$"
)
"""What parts the text, and what only the program of the wiki reads."""
_NOTE: Final = re.compile(r"<note(?:[ \t]+\w{1,20})?>|</note>")
_INLINE: Final = re.compile(
    r"%%(?P<literal>.{1,300}?)%%|<nowiki>(?P<nowiki>.{1,500}?)</nowiki>"
    r"|\[\[(?P<target>[^\[\]|\n]{1,500})(?:\|(?P<label>[^\[\]\n]{0,500}))?\]\]"
    r"|\[(?:https?|ftp|mailto):[^\s\[\]]{1,500}[ \t]+(?P<named>[^\[\]\n]{1,300})\]"
    r"|\{\{(?P<image>[^{}|\n]{1,500})(?:\|(?P<alt>[^{}\n]{0,300}))?\}\}"
    r"|(?P<url>(?:https?|ftp|mailto|file):[^\s<>\[\]\"']{1,500})"
    r"|\(\((?P<note>[^()\n]{1,500})\)\)"
    r"|''+(?P<code>[^'\n]{1,500})''+"
    r"|\*\*(?P<bold>\S(?:.{0,300}?\S)??)\*\*"
    r"|(?<!:)//(?P<slanted>\S(?:.{0,300}?\S)??)(?<!:)//|__(?P<lined>[^\s_][^\n]{0,300}?)__"
    r"|~~(?P<struck>[^~\n]{1,300})~~|(?P<broken>\\\\(?:\s|$))"
)
_DEPTH: Final = 4
_LEVELS: Final = 8
_TAB: Final = 2
"""Spaces of a tab, for how deep an item is."""


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the wiki *text* holds.

    Raises:
        Unreadable: it is over the limits.
    """
    about = _ABOUT.match(text)
    text = text[about.end() :] if about else text
    body = BodyBuilder(limits)
    html.add("\n".join(_page(text, keeps_lines=about is not None)), body)
    return body.build(title="", mime="text/plain")


def _page(text: str, *, keeps_lines: bool) -> Iterator[str]:
    """Yield the HTML of *text*, of which notebooks keep each line."""
    signs = [len(found[1]) for found in WIKI_HEADING.finditer(text)]
    highest = max(signs, default=0)
    # A page begins with what stands highest in it: many signs, or few.
    base = highest if not signs or signs[0] == highest else min(signs)
    end = 0
    for found in _BLOCK.finditer(text):
        yield from _lines(text[end : found.start()], base, keeps_lines=keeps_lines)
        said = found["quoted"] or found["braced"] or found["tagged"] or ""
        yield f"<pre>\n{entities.escape(said, quote=False)}</pre>"
        end = found.end()
    yield from _lines(text[end:], base, keeps_lines=keeps_lines)


def _lines(text: str, base: int, *, keeps_lines: bool) -> Iterator[str]:
    """Yield the HTML of *text* that holds no code."""
    paragraph: list[str] = []
    listed: list[re.Match[str]] = []
    rows: list[str] = []
    for line in [*text.split("\n"), ""]:
        item = _ITEM.match(line)
        is_item = item is not None and not (item["dash"] and len(item["indent"]) < _TAB)
        is_row = not is_item and bool(_ROW.match(line))
        heading = WIKI_HEADING.match(line)
        if not is_item and listed:
            yield _list(listed)
            listed = []
        if not is_row and rows:
            yield _table(rows)
            rows = []
        ends = is_item or is_row or heading or not line.strip() or _RULE.match(line)
        if ends and paragraph:
            yield from _paragraph(paragraph, keeps_lines=keeps_lines)
            paragraph = []
        if heading:
            level = min(1 + abs(base - len(heading[1])), 6)
            yield f"<h{level}>{_written(heading[2])}</h{level}>"
        elif is_item and item is not None:
            listed.append(item)
        elif is_row:
            rows.append(line)
        elif not ends:
            paragraph.append(line.strip())


def _paragraph(lines: Sequence[str], *, keeps_lines: bool) -> Iterator[str]:
    """Yield the HTML of a paragraph, and of the boxes of notes that begin or end in it."""
    said = "\n".join(lines)
    end = 0
    for mark in [*_NOTE.finditer(said), None]:
        text = said[end : mark.start() if mark else len(said)].strip()
        if text:
            written = [_written(line) for line in (text.split("\n") if keeps_lines else [text])]
            yield f"<p>{'<br>'.join(written)}</p>"
        if mark:
            yield "</div>" if mark[0].startswith("</") else '<div class="admonition">'
            end = mark.end()


def _list(items: Sequence[re.Match[str]]) -> str:
    """Return the HTML of *items*, each as deep as it is indented or as it has signs."""
    parts: list[str] = []
    opened: list[tuple[int, str]] = []
    for item in items:
        stars = item["stars"] or ""
        depth = len(item["indent"].replace("\t", " " * _TAB)) + _TAB * (
            len(stars) - 1 if stars else 0
        )
        tag = "ol" if item["dash"] or item["number"] or stars.startswith("#") else "ul"
        while opened and opened[-1][0] > depth:
            parts.append(f"</li></{opened.pop()[1]}>")
        if opened and (opened[-1][0] == depth or len(opened) >= _LEVELS):
            parts.append("</li>")
        else:
            start = item["number"] if (item["number"] or "").isdigit() else ""
            parts.append(f'<{tag} start="{start}">' if start else f"<{tag}>")
            opened.append((depth, tag))
        parts.append(f"<li>{_written(item['said'])}")
    parts += (f"</li></{tag}>" for _, tag in reversed(opened))
    return "".join(parts)


def _table(rows: Sequence[str]) -> str:
    """Return the HTML of rows of cells, whose names of columns are marked or ruled off."""
    ruled = len(rows) > 1 and bool(_ROW_RULE.match(rows[1]))
    parts = ["<table>"]
    for number, row in enumerate(rows):
        if _ROW_RULE.match(row):
            continue
        bare = row.strip()
        tag = "th" if bare[-1] == "^" or (ruled and number == 0) else "td"
        cells = re.split(r"[|^](?![^\[\n]{0,300}\]\])", bare[1:-1])
        said = "".join(f"<{tag}>{_written(cell.strip())}</{tag}>" for cell in cells)
        parts.append(f"<thead><tr>{said}</tr></thead>" if tag == "th" else f"<tr>{said}</tr>")
    return "".join([*parts, "</table>"])


def _written(text: str, depth: int = 0) -> str:
    """Return the HTML of *text* within a line."""
    parts: list[str] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts += [entities.escape(text[end : found.start()], quote=False), _said(found, depth)]
        end = found.end()
    return "".join([*parts, entities.escape(text[end:], quote=False)])


def _said(found: re.Match[str], depth: int) -> str:
    verbatim = next(filter(None, map(found.group, ("literal", "nowiki", "code"))), None)
    if verbatim is not None:
        return entities.escape(verbatim, quote=False)
    if found["broken"] is not None:
        return "<br>"
    if found["image"]:
        source = found["image"].strip().partition("?")[0]
        return f'<img src="{entities.escape(source)}" alt="{entities.escape(found["alt"] or "")}">'
    if linked := found["label"] or found["named"] or found["target"] or found["url"]:
        if not found["label"] and found["target"] and "//" not in linked:
            linked = linked.rsplit(":", 1)[-1].lstrip("+#")
        return f'<a href="to">{entities.escape(linked.strip(), quote=False)}</a>'
    if found["bold"]:
        return f"<b>{_inner(found['bold'], depth)}</b>"
    if found["note"]:
        return f" ({_inner(found['note'], depth)})"
    return _inner(found["slanted"] or found["lined"] or found["struck"], depth)


def _inner(text: str, depth: int) -> str:
    return _written(text, depth + 1) if depth < _DEPTH else entities.escape(text, quote=False)
