"""Write the lists of AsciiDoc as HTML: bullets, steps, terms, with all that belongs to an item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from service.corpus.parsing.formats.markup import asciidoc_text

_ITEM: Final = re.compile(
    r"[ \t]*(?:(?P<bullet>\*{1,6}|-)|(?P<step>\.{1,6}|\d{1,4}\.|[a-zA-Z]\.|[ivx]{1,6}\))"
    r"|<(?P<callout>\d{1,2}|\.)>)[ \t]+(?P<said>\S.*)$"
)
_TERM: Final = re.compile(
    r"[ \t]*(?P<term>[^\s:].{0,300}?)(?P<sign>:{2,4}|;;)(?:[ \t]+(?P<said>.*))?$"
)
_TASK: Final = re.compile(r"\[[ xX*]\][ \t]+")
_ENDS: Final = re.compile(
    r"\[.*\]$|\.[^\s.]|([-.=*_+])\1{3,}$|--$|```|[|,:!]={3,}$|={1,6}[ \t]|\w{2,20}::\S*\["
)
"""What begins a block, and so ends the text of an item."""
_MARKS: Final = re.compile(r"\[(?!\[).{0,300}\]$")
_LEVELS: Final = 10


class AsciiDocLines(Protocol):
    """The page that is being written, as far as a list needs it."""

    lines: Sequence[str]
    at: int
    out: list[str]

    def block(self) -> None:
        """Write the block that begins with the line that is read next."""
        ...


class AsciiDocItem(NamedTuple):
    """The line that an item of a list begins with."""

    marker: str  # the same for all items of one list
    tag: str
    said: str
    term: str = ""
    number: str = ""


def item(line: str) -> AsciiDocItem | None:
    """Return the item that begins with *line*, None where none does."""
    if found := _ITEM.match(line):
        said = _TASK.sub("", found["said"], count=1)
        if found["bullet"]:
            return AsciiDocItem(found["bullet"], "ul", said)
        if found["callout"]:
            return AsciiDocItem("<>", "ol", said)
        step = found["step"]
        kind = step if step[0] == "." else "1." if step[0].isdigit() else f"a{step[-1]}"
        return AsciiDocItem(kind, "ol", said, number=step[:-1] if step[0].isdigit() else "")
    if found := _TERM.match(line):
        return AsciiDocItem(found["sign"], "dl", found["said"] or "", term=found["term"].strip())
    return None


def write(page: AsciiDocLines, *, tabs: bool = False, start: str = "") -> None:
    """Write the list that begins with the line that *page* reads next, with the lists in it.

    The first number is *start*, where one is given; terms that are *tabs* head what they open.
    """
    _List(page, start, tabs=tabs).write()


class _List:
    def __init__(self, page: AsciiDocLines, start: str, *, tabs: bool) -> None:
        self._page = page
        self._start = start
        self._tabs = tabs
        self._open: list[AsciiDocItem] = []  # the last item of each list that is open

    def write(self) -> None:
        while (one := self._next()) is not None:
            self._begin(one)
            self._page.at += 1
            said = self._text(one)
            self._page.out.append(self._headed(one, asciidoc_text.written(said)))
            self._attached()
        while self._open:
            self._close()

    def _next(self) -> AsciiDocItem | None:
        """Return the item that goes on with the list, and pass what stands between."""
        lines, at = self._page.lines, self._page.at
        is_marked = False
        while at < len(lines) and (not lines[at].strip() or _MARKS.match(lines[at])):
            is_marked |= bool(lines[at].strip())
            at += 1
        one = item(lines[at]) if at < len(lines) else None
        # What is marked anew is another list, unless it is one within the last item.
        if one is None or (is_marked and any(one.marker == had.marker for had in self._open)):
            return None
        self._page.at = at
        return one

    def _begin(self, one: AsciiDocItem) -> None:
        markers = [had.marker for had in self._open]
        if one.marker in markers or len(markers) >= _LEVELS:
            while self._open[-1].marker != one.marker and len(self._open) > 1:
                self._close()
            had = self._open.pop()
            self._page.out.append(self._end(had))
            self._open.append(one if one.tag == had.tag else one._replace(tag=had.tag))
            return
        start = one.number or ("" if self._open else self._start)
        if one.tag != "dl" or not self._tabs:
            self._page.out.append(
                f'<{one.tag} start="{start}">' if start.isdigit() else f"<{one.tag}>"
            )
        self._open.append(one)

    def _headed(self, one: AsciiDocItem, said: str) -> str:
        if self._open[-1].tag != "dl":
            return f"<li>{asciidoc_text.written(one.term)}{said}"
        term = asciidoc_text.written(one.term)
        return f"<p><b>{term}</b></p>{said}" if self._tabs else f"<dt>{term}</dt><dd>{said}"

    def _end(self, one: AsciiDocItem) -> str:
        if one.tag == "dl":
            return "" if self._tabs else "</dd>"
        return "</li>"

    def _close(self) -> None:
        one = self._open.pop()
        self._page.out.append(
            self._end(one) + ("" if one.tag == "dl" and self._tabs else f"</{one.tag}>")
        )

    def _text(self, one: AsciiDocItem) -> str:
        """Return what the item says before a block or another item begins."""
        page = self._page
        said = [one.said] if one.said else []
        if one.term and not one.said:
            page.at = self._first_said()
        while page.at < len(page.lines):
            line = page.lines[page.at]
            if not line.strip() or line == "+" or _ENDS.match(line) or item(line):
                break
            said.append(line.strip())
            page.at += 1
        return "\n".join(said)

    def _first_said(self) -> int:
        """Return where what a term means begins: it may stand under a blank line."""
        lines, at = self._page.lines, self._page.at
        while at < len(lines) and not lines[at].strip():
            at += 1
        begins = at < len(lines) and not (lines[at] == "+" or _ENDS.match(lines[at]))
        return at if begins else self._page.at

    def _attached(self) -> None:
        """Write the blocks that a "+" attaches to the item, or that are indented under it."""
        page = self._page
        while True:
            at = page.at
            while at < len(page.lines) and not page.lines[at].strip():
                at += 1
            line = page.lines[at] if at < len(page.lines) else ""
            if line == "+":
                page.at = at + 1
            elif not line[:1].isspace() or at == page.at:
                return
            else:
                page.at = at
            if item(page.lines[page.at] if page.at < len(page.lines) else ""):
                return
            page.block()
