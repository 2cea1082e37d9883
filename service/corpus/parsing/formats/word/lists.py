"""Tell which paragraphs of a Word document are items of lists, and what stands before them.

Word does not write the number of an item: it counts what has the same numbering, level by level.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from docx.document import Document
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from service.corpus.parsing.formats.word import styles

_LEVELS: Final = 9
"""Word has no more."""
_LETTERS: Final = frozenset({"lowerLetter", "upperLetter"})
_UNMARKED: Final = "none"
_BULLET: Final = "bullet"
_BLANK: Final = "blank"
"""A bullet that cannot be seen: so the second paragraph of an item is written."""


class ListItem(NamedTuple):
    """What stands before an item, such as ``- `` or ``3. ``, and how many lists are open.

    Nothing stands before what belongs to the item before it.
    """

    marker: str
    level: int


class _Numbering(NamedTuple):
    list_: str
    level: int


class WordLists:
    """Counts the items of a document in their order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._formats = _formats(document)
        self._counts: dict[str, list[int]] = collections.defaultdict(lambda: [0] * _LEVELS)
        self._styled: dict[str | None, _Numbering | None] = {}

    def item(self, paragraph: Paragraph) -> ListItem | None:
        """Return what *paragraph* is as an item, None if it is none; to be asked in order."""
        numbering = self._numbering(paragraph)
        if numbering is None:
            return None
        list_, level = numbering
        format_ = self._formats.get(list_, {}).get(level, _BULLET)
        if format_ == _UNMARKED:
            return None
        if format_ == _BLANK:
            return ListItem("", level + 1)
        counts = self._counts[list_]
        counts[level] += 1
        counts[level + 1 :] = [0] * (_LEVELS - level - 1)
        return ListItem(_marker(format_, counts[level]), level + 1)

    def _numbering(self, paragraph: Paragraph) -> _Numbering | None:
        own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        if (properties := own.find(qn("w:pPr"))) is not None:
            found = properties.find(qn("w:numPr"))
            if found is not None:
                return _read(found)
        if own.style not in self._styled:
            self._styled[own.style] = _of_style(paragraph)
        return self._styled[own.style]


def _of_style(paragraph: Paragraph) -> _Numbering | None:
    for style in styles.based(paragraph):
        found = style.element.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if found is not None:
            return _read(found)
    return None


def _marker(format_: str, count: int) -> str:
    if format_ == _BULLET:
        return "- "
    if format_ in _LETTERS and count <= 26:
        return f"{chr((ord('a') if format_ == 'lowerLetter' else ord('A')) + count - 1)}. "
    return f"{count}. "


def _read(properties: Any) -> _Numbering | None:
    """Return the list and level that a paragraph or style names, None where it takes it away."""
    list_ = _value(properties, "w:numId") or "0"
    level = _value(properties, "w:ilvl") or "0"
    if list_ == "0" or not level.isdecimal():
        return None
    return _Numbering(list_, min(int(level), _LEVELS - 1))


def _value(element: Any, child: str) -> str:
    found = element.find(qn(child))
    return "" if found is None else found.get(qn("w:val")) or ""


def _format(level: Any) -> str:
    format_ = _value(level, "w:numFmt") or _BULLET
    if format_ == _BULLET and level.find(qn("w:lvlText")) is not None:
        return _BULLET if _value(level, "w:lvlText").strip() else _BLANK
    return format_


def _formats(document: Document) -> Mapping[str, Mapping[int, str]]:
    """Return by list and level how the items are marked, as the document says it."""
    try:
        root: Any = document.part.numbering_part.element
    except (KeyError, NotImplementedError):  # what python-docx raises where there is no such part
        return {}
    abstract: dict[str, dict[int, str]] = {}
    for one in root.findall(qn("w:abstractNum")):
        levels = abstract.setdefault(one.get(qn("w:abstractNumId")) or "", {})
        for level in one.findall(qn("w:lvl")):
            number = level.get(qn("w:ilvl")) or ""
            if number.isdecimal():
                levels[int(number)] = _format(level)
    return {
        one.get(qn("w:numId")) or "": abstract.get(_value(one, "w:abstractNumId"), {})
        for one in root.findall(qn("w:num"))
    }
