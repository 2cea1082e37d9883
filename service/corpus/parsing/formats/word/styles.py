"""Tell what the style of a paragraph in a Word document makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from service.blocks import BlockKind

DEEPEST: Final = 20
"""Styles that are based on each other and looked through."""
_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|标题)\s*(\d)", re.I)
_CODE: Final = re.compile(r"(?:\w+ )?(?:code|preformatted|verbatim)(?: (?:text|block))?", re.I)
_TERM: Final = re.compile(r"(?:Definition Term|List Heading)\b.*", re.I)
_DEFINITION: Final = re.compile(r"(?:Definition|List Contents)\b.*", re.I)
_CONTENTS: Final = re.compile(r"(?:toc|contents) (?:\d|heading)|table of figures", re.I)
_FIXED_PITCH: Final = re.compile(
    r"(?:Courier|Cascadia|Lucida (?:Console|Sans Typewriter)).*|Consolas|Menlo|Monaco"
    r"|.*\b(?:Mono|Code)",
    re.I,
)
_OUTLINE: Final = qn("w:outlineLvl")
_PROPERTIES: Final = qn("w:pPr")
_VALUE: Final = qn("w:val")


class ParagraphStyle(NamedTuple):
    """What a paragraph has of its style."""

    name: str
    level: int = 0
    """The level of a heading, 1 the outermost; 0 where it is none."""

    @property
    def is_title(self) -> bool:
        """Whether it sets the title of the document."""
        return self.name == "Title"

    @property
    def is_code(self) -> bool:
        """Whether it sets code."""
        return _CODE.fullmatch(self.name) is not None

    @property
    def is_contents(self) -> bool:
        """Whether it is a line of a table of contents, or heads one."""
        return _CONTENTS.fullmatch(self.name) is not None

    @property
    def is_item(self) -> bool:
        """Whether a list is written in it, even if Word does not count its items."""
        return "List" in self.name and not (self.goes_on or self.defines)

    @property
    def goes_on(self) -> bool:
        """Whether it sets what belongs to the item before, too."""
        return self.name.startswith(("List Paragraph", "List Continue"))

    @property
    def defines(self) -> BlockKind | None:
        """Whether it sets a term or its definition, as other programs write them."""
        if _TERM.fullmatch(self.name):
            return BlockKind.TERM
        return BlockKind.DEFINITION if _DEFINITION.fullmatch(self.name) else None


class WordStyles:
    """The styles of one document, each looked up once, which is slow."""

    def __init__(self) -> None:
        self._known: dict[str | None, ParagraphStyle] = {}

    def of(self, paragraph: Paragraph) -> ParagraphStyle:
        """Return the style of *paragraph*, with the level that it sets itself."""
        own: Any = paragraph._p  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        if own.style not in self._known:
            name = (paragraph.style.name if paragraph.style else "") or ""
            self._known[own.style] = ParagraphStyle(name, _heading_level(paragraph))
        style = self._known[own.style]
        level = _outline(own)
        return style if level is None else style._replace(level=level)


def _heading_level(paragraph: Paragraph) -> int:
    for style in based(paragraph):
        if found := _HEADING.match(style.name or ""):
            return int(found[1])
        if (level := _outline(style.element)) is not None:
            return level
    return 0


def based(paragraph: Paragraph) -> Iterator[Any]:
    """Yield the style of *paragraph*, and those that it is based on."""
    style: Any = paragraph.style
    for _ in range(DEEPEST):
        if style is None:
            return
        yield style
        style = style.base_style


def _outline(element: Any) -> int | None:
    """Return the level of a heading that an element sets, 0 that of text, None if neither.

    The element is that of a paragraph or of a style.
    """
    found = element.find(f"{_PROPERTIES}/{_OUTLINE}")
    value = "" if found is None else found.get(_VALUE) or ""
    if not value.isdecimal():
        return None
    return int(value) + 1 if int(value) < 9 else 0


def is_fixed_pitch(paragraph: Paragraph) -> bool:
    """Tell whether all of *paragraph* is set in type of one width, as code is."""
    is_code = False
    for run in paragraph.runs:
        is_fixed = _FIXED_PITCH.fullmatch(run.font.name or "") is not None
        if not is_fixed and run.text.strip():
            return False
        is_code |= is_fixed
    return is_code
