"""Read AsciiDoc: its blocks are made into HTML, and read as that.

Titles and sections, paragraphs, lists with what a "+" attaches to their items, terms with what they
mean, notes, tables and code become the elements that a page of them has.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from service.blocks import BlockKind
from service.corpus import publication
from service.corpus.parsing.formats import html, yaml_header
from service.corpus.parsing.formats.markup import (
    asciidoc_lines,
    asciidoc_lists,
    asciidoc_tables,
    asciidoc_text,
)
from service.corpus.parsing.parsed_documents import BodyBuilder, BodyLimits, ParsedDocument

_DEPTH: Final = 12
"""Blocks within blocks that are read."""
_HEADING: Final = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.{0,500}?)(?:[ \t]+\1)?$")
_UNDERLINES: Final = "=-~^+"
_DELIMITER: Final = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|--|```.*|[|,:!]={3,})$")
_MARKS: Final = re.compile(r"\[(?!\[)(.{0,1000})\]$|\[\[[^\[\]]{1,300}\]\]$")
_TITLE: Final = re.compile(r"\.(?![\s.])(.{1,300})$")
_MACRO: Final = re.compile(r"(\w{2,20})::(\S[^\[\]]{0,500})?\[(.{0,1000})\]$")
_BREAK: Final = re.compile(r"'{3,}$|<{3,}$|(?:-{3}|\*{3}|- - -|\* \* \*)$")
_NOTE: Final = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?=\S)")
_NOTES: Final = frozenset({"NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"})
_CODE: Final = frozenset({"source", "listing", "literal", "stem", "latexmath", "asciimath"})
_CALLOUT: Final = re.compile(r"[ \t]*(?:(?:#|//|--|;;)[ \t]*)?(?:<(?:\d{1,2}|\.)>[ \t]*)+$")
"""Numbers at the end of a line of code, that the list under it explains."""
_AUTHOR: Final = re.compile(
    r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}(?: <[^<>]{3,100}>)?(?:;.*)?$"
)
_REVISION: Final = re.compile(r"v?\d[\w.]{0,20}(?:,.{0,100})?$|v\d.{0,100}$")
_ATTRIBUTE: Final = re.compile(
    r"\s*([\w-]{1,40})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^,]*))\s*(?:,|$)|([^,]*),?"
)
_STYLE: Final = re.compile(r"[\w-]*")
_OPTION: Final = re.compile(r"%([\w-]+)")


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the AsciiDoc *text* holds.

    Raises:
        Unreadable: it is over the limits.
    """
    header, text = yaml_header.split(text)
    body = BodyBuilder(limits)
    if header.description:
        body.add(BlockKind.TEXT, header.description)
    html.add(AsciiDocPage(list(asciidoc_lines.resolved(text))).written(), body)
    header.add_rest(body)
    return body.build(
        title=header.title,
        mime="text/asciidoc",
        language=header.language,
        properties=publication.statements(header.values),
    )


class _Marks(msgspec.Struct):
    """What stands above a block and says what it is."""

    style: str = ""
    title: str = ""
    named: dict[str, str] = {}
    options: set[str] = set()


class AsciiDocPage:
    """Writes the HTML of lines, block by block."""

    def __init__(self, lines: Sequence[str], depth: int = 0, *, tabs: bool = False) -> None:
        """*tabs* says that the terms of *lines* are names of tabs."""
        self.lines = lines
        self.at = 0
        self.out: list[str] = []
        self._depth = depth
        self._tabs = tabs

    def written(self) -> str:
        """Return the HTML of all lines."""
        while self.at < len(self.lines):
            self.block()
        return "\n".join(self.out)

    @property
    def line(self) -> str:
        """The line that is read next, "" behind the last one."""
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def block(self) -> None:
        """Write the next block, with what marks it."""
        marks = self._marks()
        line = self.line
        if self.at >= len(self.lines):
            return
        if _BREAK.match(line) or line == "+":
            self.at += 1
        elif heading := _HEADING.match(line):
            self._head(len(heading[1]), heading[2])
            self.at += 1
            self._skip_about(heading[1])
        elif level := self._underlined():
            self._head(level, line)
            self.at += 2
            self._skip_about("=" * level)
        elif _DELIMITER.match(line):
            self._delimited(marks)
        elif found := _MACRO.match(line):
            self._macro(found, marks)
            self.at += 1
        elif asciidoc_lists.item(line) and marks.style not in _CODE:
            self._name(marks)
            asciidoc_lists.write(self, tabs=self._tabs, start=marks.named.get("start", ""))
        else:
            self._paragraph(marks)

    def _marks(self) -> _Marks:
        marks = _Marks()
        while self.at < len(self.lines):
            line = self.line
            if found := _MARKS.match(line):
                _mark(found[1] or "", marks)
            elif found := _TITLE.match(line):
                marks.title = found[1]
            elif line.strip():
                break
            self.at += 1
        return marks

    def _head(self, level: int, text: str) -> None:
        level = min(level, 6)
        self.out.append(f"<h{level}>{asciidoc_text.written(text.strip())}</h{level}>")

    def _skip_about(self, marks: str) -> None:
        """Leave out who wrote the page and when, right under its title."""
        if len(marks) == 1:
            for about in (_AUTHOR, _REVISION):
                if self.line.strip() and about.match(self.line):
                    self.at += 1

    def _underlined(self) -> int:
        """Return the level of a heading that the next line underlines, 0 for none."""
        if self.at + 1 >= len(self.lines):
            return 0
        line, under = self.line, self.lines[self.at + 1]
        sign = under[:1]
        if not sign or sign not in _UNDERLINES or under.strip(sign) or not line[:1].strip():
            return 0
        fits = abs(len(line) - len(under)) <= 2 and len(under) > 2 and any(map(str.isalnum, line))
        return _UNDERLINES.index(sign) + 1 if fits and not _DELIMITER.match(line) else 0

    def _name(self, marks: _Marks) -> None:
        if marks.title:
            self.out.append(f"<p><b>{asciidoc_text.written(marks.title)}</b></p>")

    def _delimited(self, marks: _Marks) -> None:
        """Write what stands between the delimiter that is the next line, and the same again."""
        opened = "```" if self.line.startswith("```") else self.line
        end = self.at + 1
        while end < len(self.lines) and self.lines[end] != opened:
            end += 1
        inner = self.lines[self.at + 1 : end]
        self.at = end + 1
        sign = opened[0]
        if marks.style in _NOTES and sign in "=-*_":
            self._box(self._inner(inner), marks.title)
        elif sign in ".`" or (sign == "-" and (opened != "--" or marks.style in _CODE)):
            self._name(marks)
            self._code(inner)
        elif sign == "+":
            self.out += inner
        elif sign in "|,:!":
            self._table(inner, sign, marks)
        elif "collapsible" in marks.options:
            title = asciidoc_text.written(marks.title or "Details")
            self.out.append(f"<details><summary>{title}</summary>{self._inner(inner)}</details>")
        elif marks.style != "comment":
            self._name(marks)
            self.out.append(self._inner(inner, tabs=marks.style == "tabs"))

    def _inner(self, lines: Sequence[str], *, tabs: bool = False) -> str:
        if self._depth >= _DEPTH:
            return f"<p>{entities.escape(' '.join(lines))}</p>"
        return AsciiDocPage(lines, self._depth + 1, tabs=tabs).written()

    def _box(self, inner: str, title: str) -> None:
        named = f"<p><b>{asciidoc_text.written(title)}</b></p>" if title else ""
        self.out.append(f'<div class="admonition">{named}{inner}</div>')

    def _code(self, lines: Sequence[str]) -> None:
        said = "\n".join(_CALLOUT.sub("", line) for line in lines)
        self.out.append(f"<pre>\n{entities.escape(said, quote=False)}</pre>")

    def _table(self, lines: Sequence[str], sign: str, marks: _Marks) -> None:
        self._name(marks)
        given = marks.options | set(re.split(r"[,\s]+", marks.named.get("options", "")))
        given |= set(re.split(r"[,\s]+", marks.named.get("opts", "")))
        headed = True if "header" in given else False if "noheader" in given else None
        form = {",": "csv", ":": "dsv"}.get(sign, marks.named.get("format", ""))
        table = asciidoc_tables.written(
            lines, columns=marks.named.get("cols", ""), form=form, headed=headed, write=self._cell
        )
        self.out.append(table)

    def _cell(self, text: str, has_blocks: bool) -> str:
        lines = text.split("\n")
        if has_blocks or any(map(asciidoc_lists.item, lines)):
            return self._inner(lines)
        return "<br>".join(map(asciidoc_text.written, re.split(r"\n\s*\n", text)))

    def _macro(self, macro: re.Match[str], marks: _Marks) -> None:
        """Write an image; what else a macro makes is not known here."""
        if macro[1] == "image":
            alternative = entities.escape(asciidoc_text.alternative(macro[3]))
            image = f'<img src="{entities.escape(macro[2] or "")}" alt="{alternative}">'
            title = (
                f"<figcaption>{asciidoc_text.written(marks.title)}</figcaption>"
                if marks.title
                else ""
            )
            self.out.append(f"<figure>{image}{title}</figure>")

    def _paragraph(self, marks: _Marks) -> None:
        start = self.at
        is_literal = self.line[:1] in {" ", "\t"} and not marks.style
        self.at += 1
        while self.line.strip() and not (_MARKS.match(self.line) or _DELIMITER.match(self.line)):
            if self.line == "+":
                break
            self.at += 1
        lines = self.lines[start : self.at]
        if is_literal or marks.style in _CODE:
            self._name(marks)
            self._code(lines)
            return
        text = "\n".join(line.strip() for line in lines)
        note = _NOTE.match(text)
        if note or marks.style in _NOTES:
            said = text[note.end() :] if note else text
            self._box(f"<p>{asciidoc_text.written(said)}</p>", marks.title)
        elif marks.style != "comment":
            self._name(marks)
            self.out.append(f"<p>{asciidoc_text.written(text)}</p>")


def _mark(said: str, marks: _Marks) -> None:
    """Take into *marks* what a line of attributes says."""
    for number, found in enumerate(_ATTRIBUTE.finditer(said)):
        if found[1]:
            marks.named = {**marks.named, found[1]: found[2] or found[3] or found[4] or ""}
        elif number == 0 and found[5]:
            first = found[5].strip()
            style = _STYLE.match(first)
            marks.style = (style[0] if style else "") or marks.style
            marks.options = marks.options | set(_OPTION.findall(first))
