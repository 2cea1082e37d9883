"""What is left of a file once it is read: clean text, and where its blocks lie in it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.parsing import entries, navigation_lists, note_labels, structure
from service.corpus.parsing.figures import collector, image_links
from service.corpus.parsing.figures.collector import FigureCollector, FigureImage
from service.corpus.parsing.loose_blocks import LooseBlock, LooseFigure

_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    r"\u2066-\u2069\ufffe\uffff]"
)


class Unreadable(Exception):
    """A file cannot be read; *reason* is UPPER_SNAKE, the message is for the one who imports."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ParsedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as text. Chunks and citations count in the UTF-8 bytes of *body*."""

    title: str
    body: str
    blocks: tuple[Block, ...]
    mime: str
    uri: str = ""
    language: str = ""
    struct_data: Mapping[str, Any] = {}
    properties: Mapping[str, str] = {}
    """What the file says of itself: see `publication.statements`."""
    turns: tuple[tuple[int, int], ...] = ()
    """Where within a block another page begins: the character, and the page."""
    figures: tuple[FigureImage, ...] = ()
    """Its images, by where in *body* they stand; those without a text stand in a block's."""


class BodyLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a hostile or huge file is read before it is refused."""

    file_bytes: int = 100 * 1024 * 1024
    """Bytes of the file, and so of an upload, of which ``guide/limits.md`` tells."""
    characters: int = 32_000_000
    """Characters of the body."""
    chunk_bytes: int = 128 * 1024 * 1024
    """Bytes of what is stored of its text."""
    blocks: int = 500_000
    """Blocks of the body."""
    pages: int = 5_000
    """Pages of a PDF."""
    expanded_bytes: int = 200 * 1024 * 1024
    """Bytes that the parts of a DOCX expand to."""


class BodyBuilder:
    """Collects blocks in reading order, and refuses to grow over its limits."""

    def __init__(self, limits: BodyLimits, files: Mapping[str, bytes] | None = None) -> None:
        """*files* are the images beside the file, by their paths from there."""
        self.limits = limits
        self.figures = FigureCollector()
        self._files = files or {}
        self._early: list[LooseFigure] = []  # the pictures before the first block
        self.level = 0
        """The level of the last heading."""
        self._loose: list[LooseBlock] = []
        self._length = 0
        self._wholes = 0

    def new_whole(self) -> int:
        """Return a number for blocks that stand or fall together."""
        self._wholes += 1
        return self._wholes

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        page: int = 0,
        whole: int = 0,
        bold: str = "",
        linked: bool = False,
        turns: Sequence[tuple[str, int]] = (),
    ) -> None:
        """Append a block, unless it says nothing; white space is made regular, but not in code.

        *level* is that of a heading, or how many lists are open; *bold* is what of the beginning
        of *text* is set in bold, and *linked* says that all of it is a link. *turns* are the pages
        behind *page* on which it goes on, each with all of *text* from there.

        Raises:
            Unreadable: the body is over its limits.
        """
        text = tidy(text, keep_space=kind is BlockKind.CODE)
        if not text or (kind is not BlockKind.CODE and not any(map(str.isalnum, text))):
            return
        self.check()
        if kind is BlockKind.HEADING and level:
            self.level = level
        self._length += len(text) + len(_GAP)
        set_bold = len(tidy(bold)) if bold else 0
        self._loose.append(
            LooseBlock(
                kind=kind,
                text=text,
                level=level,
                page=page,
                whole=whole,
                bold=set_bold,
                linked=linked,
                turns=tuple((max(0, len(text) - len(tidy(rest))), on) for rest, on in turns),
                figures=tuple(self._early),
            )
        )
        self._early.clear()

    def take_linked(self, address: str) -> int | None:
        """Return the number of the image at an *address* that holds it or names a file beside.

        None where there is no such image, or it is not kept.
        """
        if address[:5].lower() == "data:":
            image = image_links.inline(address, collector.SOURCE_BYTES)
            return self.figures.take(image) if image else None
        path = image_links.path_of(address)
        image = self._files.get(path, b"")
        # By its path: a page may show one file a million times.
        return self.figures.take_from(path.encode(), lambda: image) if image else None

    def add_figure(self, number: int, text: str = "") -> None:
        """Let the image of this *number* stand beside the last block, or before the first.

        *text* is its caption or stands for it; without one the block tells what it shows.
        """
        figure = LooseFigure(number, _label(text))
        if self._loose:
            self._length += len(figure.text) + len(_GAP)
            self._loose[-1].figures += (figure,)
        else:
            self._early.append(figure)

    def check(self) -> None:
        """Refuse to go on over the limits."""
        if self._length > self.limits.characters or len(self._loose) > self.limits.blocks:
            raise Unreadable("TOO_LARGE", "the text of the file is too large; split the file")

    @property
    def first_heading(self) -> str:
        """The text of the first heading, "" if there is none."""
        return _first_heading(self._loose)

    @property
    def _after_first_heading(self) -> str:
        """The paragraph right behind the first heading, "" if there is none."""
        follows = itertools.pairwise(self._loose)
        after = next((behind for one, behind in follows if one.kind is BlockKind.HEADING), None)
        return after.text if after is not None and after.kind is BlockKind.TEXT else ""

    def build(
        self,
        *,
        title: str,
        mime: str,
        language: str = "",
        properties: Mapping[str, str] = MappingProxyType({}),
    ) -> ParsedDocument:
        """Return the document; without a *title*, its first heading is its title.

        Raises:
            Unreadable: the body is over its limits.
        """
        self.check()
        content = navigation_lists.without_navigation(self._loose)
        title = one_line(title) or one_line(_first_heading(content) or self.first_heading)
        if title == _MANUAL:
            title = one_line(self._after_first_heading) or title
        loose = entries.apart(note_labels.joined(content))
        structure.recognise(loose, language)
        layout = _Layout(self.figures)
        for one in loose:
            layout.place(one)
        return ParsedDocument(
            title=title,
            body="".join(layout.parts),
            blocks=tuple(layout.blocks),
            mime=mime,
            language=language,
            properties=properties,
            figures=tuple(layout.figures),
            turns=tuple(layout.turns),
        )


def _first_heading(loose: Sequence[LooseBlock]) -> str:
    headings = (BlockKind.HEADING, BlockKind.QUESTION)
    return next((one.text for one in loose if one.kind in headings), "")


_MANUAL: Final = "NAME"
"""The first heading of a page of a manual: what the page is called is said under it."""


class _Layout:
    """Places blocks one after the other, and the images among them."""

    def __init__(self, images: FigureCollector) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.figures: list[FigureImage] = []
        self.turns: list[tuple[int, int]] = []
        self._images = images
        self._length = 0
        self._before: BlockKind | None = None

    def place(self, one: LooseBlock) -> None:
        """Append *one* with the captions of its images behind it."""
        tight = one.kind in (BlockKind.ITEM, BlockKind.ROW) and self._before is one.kind
        start = self._append(one.text, one.gap or ("\n" if tight else _GAP))
        self._before = one.kind
        self.blocks += structure.placed(one, start)
        self.turns += ((start + at, page) for at, page in one.turns)
        for figure in one.figures:
            if (image := self._images.get(figure.number)) is None:
                continue
            beside = start
            if figure.text:
                beside = self._append(figure.text, _GAP)
                self._before = BlockKind.FIGURE
                whole = one.rest_whole if one.cut else one.whole
                end = self._length
                self.blocks.append(Block(BlockKind.FIGURE, beside, end, page=one.page, whole=whole))
            self.figures.append(msgspec.structs.replace(image, start=beside))

    def _append(self, text: str, gap: str) -> int:
        """Append *text* behind *gap* and return where it begins."""
        if self.parts:
            self.parts.append(gap)
            self._length += len(gap)
        self.parts.append(text)
        start = self._length
        self._length += len(text)
        return start


_GAP: Final = "\n\n"
"""What stands between two blocks that are no items of one list and no rows of one table."""


def tidy(text: str, *, keep_space: bool = False) -> str:
    """Drop what cannot be seen, and make white space regular; lines are kept."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    visible = [line if line.isprintable() else _CONTROL.sub("", line) for line in lines]
    if keep_space:
        return "\n".join(visible).strip("\n").rstrip()
    return "\n".join(words for line in visible if (words := " ".join(line.split())))


def one_line(text: str) -> str:
    """Return *text* without line breaks and double spaces, at most 500 characters of it."""
    return " ".join(tidy(text).split("\n"))[:500]


def row(header: list[str], cells: list[str]) -> str:
    """Write a table row so that it can be read alone: each cell with the name of its column."""
    cells = [one_line(cell) for cell in cells]
    if len(header) != len(cells) or not 1 < len(cells) <= _NAMED_COLUMNS:
        return " | ".join(cell for cell in cells if cell)
    named = zip(header, cells, strict=True)
    return " | ".join(
        f"{name.rstrip(':')}: {cell}" if name else cell for name, cell in named if cell
    )


def _label(text: str) -> str:
    """Return what a caption says in one line, "" where it is nothing, or the name of a file."""
    said = " ".join(tidy(text).split())[: collector.TEXT]
    return said if any(map(str.isalpha, said)) and not _FILE_NAME.fullmatch(said) else ""


_FILE_NAME: Final = re.compile(r"[^\s]*\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|emf|wmf)", re.I)

_NAMED_COLUMNS: Final = 8
"""A wider table is a matrix: naming each cell would make its rows unreadable."""
